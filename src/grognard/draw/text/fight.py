"""Explanations, odds and fights as text for the terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import click

from grognard.card.card import Card
from grognard.card.dice import Dice
from grognard.card.rows import SIDES, Side
from grognard.card.wording import MARK, MARKS
from grognard.draw.json.lines import doubts_json
from grognard.draw.text.chances import (
    ChanceRow,
    at_least,
    change_words,
    fate_words,
    ground_rows,
    luck_words,
    mean_words,
    percent,
    places_words,
    wanted_words,
)
from grognard.draw.text.outcome import outcome_words, result_words
from grognard.fights.chances import Mixed, Odds
from grognard.fights.explain import Explanation
from grognard.fights.hindsight import Hindsight, hindsight
from grognard.fights.opening import Told, opening
from grognard.fights.play import Given, Play, written_answer
from grognard.fights.table_place import (
    log_so_far,
    odds_as_it_stands,
    open_asks,
    table_places,
    told_so_far,
)
from grognard.fights.unit_fates import unit_fates
from grognard.fights.work_budget import within_budget
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight, units_of
from grognard.rules.line import Line
from grognard.rules.wording import answered, named, question
from grognard.words.message import Message, say
from grognard.words.numbers import signed
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, colon
from grognard.words.typography import with_minus

_MARKS: dict[Side | None, str] = {**MARKS, None: " "}
_HEADS = ("total", "column", "die")
_BAR = 24
_MOST_ROWS = 24


def explanation(shown: Explanation, fight: Fight, lang: Lang) -> Iterator[str]:
    """Show each number with its reason and rule, and what may still move the column."""
    yield from calculation(shown, fight, lang)
    told = within_budget(lambda: list(_columns(fight, fight.odds(), lang)))
    yield from [f"  {told.in_(lang)}"] if isinstance(told, Refusal) else told
    yield from _doubts(shown.lines, lang)


def calculation(shown: Explanation, fight: Fight, lang: Lang) -> Iterator[str]:
    """Show each number with its reason and rule; totals, column and die are bold."""
    yield click.style(fight.case.card.name.in_(lang), bold=True)
    for line in told_so_far(fight.play(), shown.lines):
        yield line_text(line, fight.case.card, lang)


def line_text(line: Line, card: Card, lang: Lang, marks: Mapping[Side | None, str] = _MARKS) -> str:
    """Show a line with its side, its unit, its value and its rule."""
    words = line.in_(lang)
    if line.unit and line.kind in ("modifier", "limit"):
        words = f"{line.unit}{colon(lang)}{words}"
    if line.kind == "modifier":
        words = f"{words} {_amount(line, card, lang)}"
    elif line.kind == "limit" and "{value}" not in line.text.en and line.value is not None:
        words = f"{words}{colon(lang)}{with_minus(str(line.value))}"
    if line.kind in _HEADS:
        words = click.style(words, bold=True)
    mark = click.style(MARK, fg="yellow") if line.reading.doubtful else ""
    rule = click.style(f"  [{line.rule}]", dim=True) if line.rule else ""
    return f"  {marks[line.side]} {words}{mark}{rule}"


def _amount(line: Line, card: Card, lang: Lang) -> str:
    """Write what a modifier does, as its card prints it: `−1 column`, `×1/2 attack`, `4 BDC`."""
    printed = card.phrases.get(f"adds-{line.changes}")
    if printed is not None and isinstance(line.value, int):
        return printed.in_(lang).format(value=line.value)
    what = card.phrases.get(f"unit-{line.changes}") or _UNITS.get(line.changes, say("die"))
    if isinstance(line.value, Fraction):
        return f"×{line.value} {what.in_(lang)}"
    if line.changes == "column" and line.added.removeprefix("−").removeprefix("+") != "1":
        what = say("columns")
    return f"{line.added} {what.in_(lang)}"


_UNITS: dict[str, Message] = {
    "column": say("column"),
    "die": say("die"),
    "attack": say("attack"),
    "defence": say("defence"),
    "strength": say("strength"),
    "support": say("support"),
    "morale": say("morale"),
}


def _doubts(lines: Iterable[Line], lang: Lang) -> Iterator[str]:
    """Show each reason once, with all the marked lines that have it."""
    notes: dict[tuple[str, str | None], list[str]] = {}
    for doubt in doubts_json(lines, lang):
        notes.setdefault((doubt.reason, doubt.option), []).append(doubt.text)
    for (reason, id_), texts in notes.items():
        option = say(" [option {id}]", id=id_).in_(lang) if id_ else ""
        mark = click.style(MARK, fg="yellow")
        yield f"  {mark} {' · '.join(texts)}{colon(lang)}{reason}{option}"


def chances(odds: Odds, fight: Fight, lang: Lang) -> Iterator[str]:
    """Show the odds: columns, results of the table, outcomes, and each side's chances with bars."""
    sides, card = suffering(fight), fight.case.card
    for side, way in zip(SIDES, odds.doctrines, strict=True):
        yield f"  {MARKS[side]} {way.text.in_(lang)}"
    for mixed in odds.commitments:
        yield from _mixed(mixed, fight, lang)
    yield from _columns(fight, odds, lang)
    yield ""
    yield from _results(odds, card, lang)
    yield ""
    yield from _outcomes(odds, card, lang)
    yield ""
    yield from _summary(ground_rows(odds, sides, lang), lang)
    for side in sides:
        yield _spread(odds, side, card, lang)
    yield from _fates(odds, fight, lang)
    yield from _doubts((*fight.explain().lines, *odds.doubts), lang)


def _columns(fight: Fight, odds: Odds, lang: Lang) -> Iterator[str]:
    """Show the column as it stands and those that the odds assume, where something is open."""
    ways = [way.id for way in odds.doctrines]
    places = table_places(fight.play(), *ways)
    if places is None or not (places.open or open_asks(fight.play())):
        return
    for words in places_words(places, fight.case.card, lang):
        yield f"  {words}"
    standing = odds_as_it_stands(fight.play(), places.lit, *ways)
    if standing is not None:
        now = ground_rows(standing, suffering(fight), lang)
        then = ground_rows(odds, suffering(fight), lang)
        yield f"  {change_words(now[0], then[0], lang)}"


def _spread(odds: Odds, side: Side, card: Card, lang: Lang) -> str:
    spread = odds.spread(f"{side}_steps_lost")
    words = mean_words(odds, side, card, lang)
    exact = "   ".join(f"{n}{colon(lang)}{percent(p, lang)}" for n, p in spread.items())
    more = "   ".join(f"≥ {n}{colon(lang)}{percent(p, lang)}" for n, p in at_least(spread).items())
    return f"  {MARKS[side]} {words}   {exact}" + (f"   ({more})" if len(spread) > 2 else "")


def _fates(odds: Odds, fight: Fight, lang: Lang) -> Iterator[str]:
    """Show what becomes of each unit, where outcomes name units."""
    if not odds.found.names_units:
        return
    yield ""
    for fate in unit_fates(fight.play(), *(way.id for way in odds.doctrines)):
        parts = [
            f"{words} {percent(p, lang)}" for words, p in fate_words(fate, fight.case.card, lang)
        ]
        words = ", ".join(parts) or say("unhurt").in_(lang)
        yield f"  {MARKS[fate.side]} {fate.unit}{colon(lang)}{words}"


def _mixed(mixed: Mixed, fight: Fight, lang: Lang) -> Iterator[str]:
    yield "  " + fight.case.card.phrase(mixed.ask.what).in_(lang) + colon(lang).rstrip()
    sides = ((mixed.ask.attacker, mixed.attacker), (mixed.ask.defender, mixed.defender))
    for side, (options, shares) in zip(SIDES, sides, strict=True):
        parts = [
            f"{named(fight.case.card, mixed.ask, option, lang, side)} ({percent(p, lang)}, {p})"
            for option, p in zip(options, shares, strict=True)
            if p
        ]
        yield f"    {MARKS[side]} {', '.join(parts)}"
    if mixed.solution:
        value = say("worth to the attacker: {value} points", value=signed(mixed.solution.value))
        yield "    " + value.in_(lang)


def _results(odds: Odds, card: Card, lang: Lang) -> Iterator[str]:
    parts = {result_words(r, card, lang): part for r, part in odds.by_result().items()}
    heads = [say("result").in_(lang), say("chance").in_(lang)]
    left = max(len(name) for name in (heads[0], *parts))
    yield click.style(f"  {heads[0].ljust(left)}  {heads[1]:>7}", bold=True)
    for result, part in parts.items():
        yield bar(result.ljust(left), Fraction(part.total, odds.total), lang)


def _outcomes(odds: Odds, card: Card, lang: Lang) -> Iterator[str]:
    chance_word = say("chance").in_(lang)
    left = max(len(chance_word), 7)
    happened = say("what will have happened").in_(lang)
    yield click.style(f"  {chance_word:>{left}}  {happened}", bold=True)
    rows: dict[str, Fraction] = {}  # outcomes that read alike are one row
    for outcome, chance in odds.outcomes():
        row = outcome_words(outcome, card, lang)
        rows[row] = rows.get(row, Fraction(0)) + chance
    ordered = sorted(rows.items(), key=lambda item: -item[1])
    for row, chance in ordered[:_MOST_ROWS]:
        yield f"  {percent(chance, lang):>{left}}  {row}"
    if len(ordered) > _MOST_ROWS:
        rest = sum((chance for _, chance in ordered[_MOST_ROWS:]), Fraction(0))
        count = len(ordered) - _MOST_ROWS
        more = say("{n} rarer outcomes together; all of them with --json", n=count).in_(lang)
        yield f"  {percent(rest, lang):>{left}}  {more}"


def _summary(rows: Sequence[ChanceRow], lang: Lang) -> Iterator[str]:
    """Show what may happen with bars, and name what can't."""
    left = max((len(row.text) for row in rows), default=0)
    for row in rows:
        if row.chance:
            yield bar(row.text.ljust(left), row.chance, lang)
    if never := ", ".join(row.text for row in rows if not row.chance):
        yield "  " + say("can't happen here: {what}", what=never).in_(lang)
    yield ""


def suffering(fight: Fight) -> tuple[Side, ...]:
    """Give the sides to which something can happen; those who fire are safe."""
    begun = opening(fight).fight
    return tuple(side for side in SIDES if units_of(begun, side))


def bar(words: str, chance: Fraction, lang: Lang) -> str:
    """Draw a chance as a bar, with its percentage and its fraction."""
    filled = round(chance * _BAR)
    drawn = "█" * filled + "░" * (_BAR - filled)
    return f"  {words}  {percent(chance, lang):>7}  {drawn}  {chance}"


def luck(play: Play, doctrines: tuple[str, str], lang: Lang) -> Iterator[str]:
    """Say how likely what has happened was, if it was rolled and can be worked out."""
    back = within_budget(lambda: hindsight(play, *doctrines))
    if isinstance(back, Hindsight):
        card, taken = play.start.case.card, play.outcome.taken
        yield f"  {luck_words(back, result_words(back.result, card, lang), lang)}"
        yield f"  {wanted_words(back, taken, suffering(play.start), card, lang)}"


def footnotes(play: Play, lang: Lang) -> Iterator[str]:
    """Show the reason of every mark in the log of a fight, each once."""
    yield from _doubts(play.doubts, lang)


def log(play: Play, lang: Lang) -> Iterator[str]:
    """Show the log of a fight, with its rolls and choices."""
    for entry in log_so_far(play):
        if isinstance(entry, Told):
            yield line_text(entry.line, play.start.case.card, lang)
        else:
            yield _given(entry, play.start, lang)


def _given(entry: Given, fight: Fight, lang: Lang) -> str:
    """Show an answer: the dice, or what a side chose."""
    ask, words = entry.ask, question(fight.case.card, entry.ask, lang)
    if isinstance(ask, Roll):
        faces = rolled_faces(ask.dice, entry.answer)
        return f"  {faces}{words}{colon(lang)}{written_answer(entry.answer)}"
    mark = _MARKS[ask.side] if isinstance(ask, Choose) else " "
    return f"  {mark} {words} → {answered(fight.case.card, ask, entry.answer, lang)}"


def rolled_faces(dice: Dice, rolled: Answer) -> str:
    """Draw the faces of six-sided dice, with a blank after them; other dice are not drawn."""
    if dice.sides != range(1, 7) or not isinstance(rolled, tuple):
        return ""
    return "".join("⚀⚁⚂⚃⚄⚅"[int(str(face)) - 1] for face in rolled) + " "
