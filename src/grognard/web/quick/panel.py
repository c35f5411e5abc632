"""The fight panel: headline, printed table with chances, outcomes, explanation.

Quick combat shows it for the stated fight, the map for the fight that the board gives.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import Reading, Side
from grognard.draw.text.chances import (
    assumed_columns,
    change_words,
    die_words,
    ground_rows,
    places_words,
)
from grognard.draw.text.fight import suffering
from grognard.fights.doctrine import Doctrine, doctrine
from grognard.fights.explain import Explanation
from grognard.fights.hindsight import before_result, explain_play
from grognard.fights.play import Play
from grognard.fights.prospects import Prospects, advice, prospects
from grognard.fights.table_cells import cells_ahead, look_ups
from grognard.fights.table_place import (
    odds_as_it_stands,
    place_of_next_roll,
    table_places,
    told_so_far,
)
from grognard.fights.work_budget import within_budget
from grognard.rules.line import Line
from grognard.web.quick.shown_outcomes import ChanceBar, Outcomes, shown_outcomes
from grognard.web.quick.shown_table import ShownTable, shown_table
from grognard.words.numbers import label, mixed
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, Text, colon


class FinalColumn(NamedTuple):
    """The label of a column, and the targets for which it is read."""

    value: str
    unit: str | None


class Headline(NamedTuple):
    """The numbers that decide."""

    attack: str | None
    defence: str | None
    basic: str | None
    columns: tuple[FinalColumn, ...]  # several, if there are several targets
    die: str | None  # in words


def headline(explanation: Explanation, die: int | None, card: Card, lang: Lang) -> Headline:
    """Take the deciding numbers from an explanation; `die` is added to the roll of the table."""
    totals, column = explanation.totals(), explanation.column()
    finals = {line.unit: line.value for line in explanation.lines if line.id == "final-column"}
    basic = _written(column["basic"])
    return Headline(
        attack=_written(totals["attack"]),
        defence=_written(totals["defence"]),
        basic=None if basic is None else label(basic, lang),
        columns=tuple(FinalColumn(label(str(value), lang), unit) for unit, value in finals.items()),
        die=None if die is None else die_words(die, card, lang),
    )


def _written(value: int | Fraction | str | None) -> str | None:
    return None if value is None else str(mixed(value))


# ------------------------------------------------------------------ lines and doubts


class ShownLine(NamedTuple):
    """A line of an explanation or a log."""

    kind: str
    side: Side | None
    text: str
    amount: str
    rule: str | None
    reading: Reading


def shown_lines(lines: Iterable[Line], lang: Lang) -> tuple[ShownLine, ...]:
    """Lay out lines: wording, amount, rule, and a mark for a doubtful reading."""
    return tuple(_shown_line(line, lang) for line in lines)


def _shown_line(line: Line, lang: Lang) -> ShownLine:
    text = line.in_(lang)
    if line.unit and line.kind in ("modifier", "limit") and line.unit not in text:
        text = f"{line.unit}{colon(lang)}{text}"
    amount = ""
    if line.kind == "modifier" and line.value is not None:
        fraction = isinstance(line.value, Fraction)
        amount = f"×{mixed(line.value)}" if fraction else line.added
    return ShownLine(line.kind, line.side, text, amount, line.rule, line.reading)


class ShownDoubt(NamedTuple):
    """A doubtful reading, its reason, and the option that changes it."""

    about: str
    reason: str
    confidence: int | None
    option: Text | None


def shown_doubts(card: Card, lines: Iterable[Line], lang: Lang) -> tuple[ShownDoubt, ...]:
    """Give each doubtful reading once."""
    options = {option.id: option.text for option in card.options}
    found: dict[str, ShownDoubt] = {}
    for line in lines:
        reading = line.reading
        if reading.reason is not None and (reason := reading.reason.in_(lang)) not in found:
            option = options.get(reading.option or "")
            found[reason] = ShownDoubt(line.in_(lang), reason, reading.confidence, option)
    return tuple(found.values())


# ------------------------------------------------------------------ all of it


class ShownPlaces(NamedTuple):
    """The column that is lit, and those that the odds assume."""

    lit: str
    assumed: str
    columns: str  # those that the odds assume, with their chances
    now: ChanceBar | None  # the chance that matters in the lit column, if it can be read
    then: ChanceBar  # the same in those that the odds assume
    change: str  # what the chance that matters is as it stands, and as the odds have it


class Panel(NamedTuple):
    """Everything that the panel shows of a fight, from the first look to its end."""

    headline: Headline
    table: ShownTable
    places: ShownPlaces | None  # where the odds assume other columns than the lit one
    doctrines: tuple[Doctrine, Doctrine]
    outcomes: Outcomes  # of what may still happen
    no_odds: str  # why there are none
    rolled: bool  # the odds are those that remain after the dice
    over: bool
    lines: tuple[ShownLine, ...]
    doubts: tuple[ShownDoubt, ...]


def panel(
    play: Play, table_id: str, lang: Lang, doctrines: tuple[str, str] = ("best", "best")
) -> Panel:
    """Compute the panel of a fight as far as it is played."""
    card, before = play.start.case.card, before_result(play)
    explanation, ahead = explain_play(play), advice(play, *doctrines)
    hit = look_ups([told.line for told in play.told], table_id)
    places = within_budget(lambda: _places(play, doctrines, lang)) if before is play else None
    doubts = ahead.odds.doubts if isinstance(ahead, Prospects) else ()
    return Panel(
        headline(explanation, place_of_next_roll(before).die, card, lang),
        shown_table(card, table_id, cells_ahead(before, table_id), hit, lang),
        places if isinstance(places, ShownPlaces) else None,
        (doctrine(doctrines[0]), doctrine(doctrines[1])),
        Outcomes() if isinstance(ahead, Refusal) else shown_outcomes(play, ahead.odds, lang),
        ahead.in_(lang) if isinstance(ahead, Refusal) else "",
        before is not play,
        play.asking is None,
        shown_lines(told_so_far(before, explanation.lines), lang),
        shown_doubts(card, (*explanation.lines, *play.doubts, *doubts), lang),
    )


def _places(play: Play, doctrines: tuple[str, str], lang: Lang) -> ShownPlaces | None:
    """Say which columns the odds assume, where they are not the lit one alone."""
    places = table_places(play, *doctrines)
    if places is None or not places.open:
        return None
    sides, change, now = suffering(play.start), "", None
    then = ground_rows(prospects(play, *doctrines).odds, sides, lang)[0]
    standing = odds_as_it_stands(play, places.lit, *doctrines)
    if standing is not None:
        row = ground_rows(standing, sides, lang)[0]
        change, now = change_words(row, then, lang), ChanceBar(*row)
    card = play.start.case.card
    words, columns = places_words(places, card, lang), assumed_columns(places, card, lang)
    return ShownPlaces(*words, columns, now, ChanceBar(*then), change)
