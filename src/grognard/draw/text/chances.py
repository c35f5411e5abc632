"""Chances in words, for every face: outcomes, losses, columns, what an answer leads to, luck."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from grognard.card.rows import Side
from grognard.card.wording import MARKS
from grognard.fights.chances import Odds
from grognard.fights.hindsight import Hindsight
from grognard.fights.prospects import Prospect
from grognard.fights.table_place import TablePlace, TablePlaces
from grognard.fights.unit_fates import UnitFate
from grognard.rules.fight import enemy_of
from grognard.words.message import Message, say
from grognard.words.numbers import decimal, percentage, signed
from grognard.words.text import Lang

_LEAST, _MOST = Fraction(1, 1000), Fraction(999, 1000)  # chances told apart from 0 and 100 %
MOST_FIGURES = 3


def percent(chance: Fraction, lang: Lang) -> str:
    """Write a chance in percent."""
    return percentage(decimal(hundredfold(chance), 1, lang), lang)


def plain_percent(chance: Fraction, lang: Lang) -> str:
    """Write a chance in percent; 0 and 100 only for what is certain."""
    part, whole = chance.numerator, chance.denominator
    if part in (0, whole):
        return percentage(100 * part // whole, lang)
    if 1000 * part < whole:
        return f"< {percent(_LEAST, lang)}"
    return f"> {percent(_MOST, lang)}" if 1000 * (whole - part) < whole else percent(chance, lang)


def hundredfold(chance: Fraction) -> float:
    """Give a chance in percent, as the nearest float."""
    return 100 * chance.numerator / chance.denominator


# ------------------------------------------------------------------ outcomes


class ChanceRow(NamedTuple):
    """Something that may happen, and its chance."""

    text: str
    chance: Fraction
    side: Side | None = None  # whom it serves


def ground_rows(odds: Odds, sides: Sequence[Side], lang: Lang) -> tuple[ChanceRow, ...]:
    """Give the chances for the hex, if two sides fight for it, and of whole sides lost."""
    rows: list[tuple[Message, Fraction, Side]] = []
    if len(sides) > 1:
        taken, vacated = odds.chance("taken"), odds.chance("vacated")
        rows = [(say("hex taken"), taken, "attacker"), (say("hex held"), 1 - vacated, "defender")]
        if vacated != taken:
            rows.insert(1, (say("hex vacated"), vacated, "attacker"))
        if left := odds.chance("attacker_left"):
            rows.append((say("attacker thrown back"), left, "defender"))
    rows += [
        (say("{side} eliminated", side=MARKS[side]), odds.chance(f"{side}_eliminated"), side)
        for side in sides
    ]
    return tuple(ChanceRow(text.in_(lang), chance, side) for text, chance, side in rows)


def at_least(spread: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Give the chance of at least each number, for the numbers above the lowest."""
    least = min(spread)
    return {
        n: sum((p for m, p in spread.items() if m >= n), Fraction(0)) for n in spread if n > least
    }


def fate_words(
    fate: UnitFate, state: Callable[[str], str], lang: Lang
) -> Iterator[tuple[str, Fraction]]:
    """Give what may become of a unit, with the chances: states first, then steps lost."""
    states = sorted(fate.became.items(), key=lambda item: (item[0] == "eliminated", -item[1]))
    for word, chance in states:
        yield state(word), chance
    hurt = at_least(fate.lost) if len(fate.lost) > 1 else dict(fate.lost)
    last = max(fate.lost) if "eliminated" in fate.became else None  # told already
    for n, chance in hurt.items():
        if n and n != last:
            text = say("a step") if n == 1 else say("{n} steps", n=n)
            yield text.in_(lang), chance


# ------------------------------------------------------------------ the column


def place_words(place: TablePlace, lang: Lang, *, with_die: bool = False) -> str:
    """Name a place on the table: its columns, and the die modifier where it matters."""
    columns = " · ".join(dict.fromkeys(label for _, label in reversed(place.columns)))
    if not with_die or place.die is None:
        return columns
    die = say("die {value}", value=signed(place.die)).in_(lang)
    return f"{columns} ({die})" if columns else die


def places_words(places: TablePlaces, lang: Lang) -> tuple[str, str]:
    """Say which column is lit, and which the odds assume, with their chances."""
    lit = place_words(places.lit, lang, with_die=_dice_differ(places))
    return (
        say("{column} as it stands: nothing more committed or rolled", column=lit).in_(lang),
        say("the odds assume {columns}", columns=assumed_columns(places, lang)).in_(lang),
    )


def column_words(places: TablePlaces, lang: Lang) -> str:
    """Name the column of a fight that would follow, and those that its odds assume."""
    lit = place_words(places.lit, lang, with_die=_dice_differ(places))
    column = say("column {column}", column=lit).in_(lang)
    if not places.open:
        return column
    assumed = say("the odds assume {columns}", columns=assumed_columns(places, lang))
    return f"{column} ({assumed.in_(lang)})"


def assumed_columns(places: TablePlaces, lang: Lang) -> str:
    """Name the columns that the odds assume, with their chances."""
    with_die = _dice_differ(places)
    return ", ".join(
        f"{place_words(place, lang, with_die=with_die)} {plain_percent(p, lang)}"
        for place, p in places.chances
    )


def _dice_differ(places: TablePlaces) -> bool:
    return len({places.lit.die, *(place.die for place, _ in places.chances)}) > 1


def change_words(now: ChanceRow, then: ChanceRow, lang: Lang) -> str:
    """Say what a chance is as it stands, and with all that the odds assume."""
    return say(
        "{what}: {now} as it stands, {then} with all that may still move the column",
        what=now.text,
        now=plain_percent(now.chance, lang),
        then=plain_percent(then.chance, lang),
    ).in_(lang)


# ------------------------------------------------------------------ answers


class Figure(NamedTuple):
    """A figure behind an answer; a chance can be drawn as a bar."""

    text: str
    chance: Fraction | None = None


def figures(options: Sequence[Prospect], side: Side, lang: Lang) -> list[tuple[Figure, ...]]:
    """Give for each answer the figures in which the answers differ; none if they do not."""
    every = [option.odds for option in options]
    columns = {make: make(every, side, lang) for make in _FIGURES}
    found = {make: column for make, column in columns.items() if len(set(column)) > 1}
    if _own_losses in found:
        found.pop(_mean_losses, None)
    differing = list(found.values())[:MOST_FIGURES]
    read = [Figure(column_words(option.places, lang)) for option in options if option.places]
    if len(read) == len(options):
        differing.insert(0, read)
    return [tuple(column[place] for column in differing) for place in range(len(options))]


def in_common(options: Sequence[Prospect], side: Side, lang: Lang) -> tuple[Figure, ...]:
    """Give the figures that all answers share."""
    return tuple(make([options[0].odds], side, lang)[0] for make in _FIGURES[:2])


def _ground(every: Sequence[Odds], side: Side, lang: Lang) -> list[Figure]:
    if side == "attacker":
        return [_chance(say("hex taken"), odds.chance("taken"), lang) for odds in every]
    return [_chance(say("hex held"), 1 - odds.chance("vacated"), lang) for odds in every]


def _own_losses(every: Sequence[Odds], side: Side, lang: Lang) -> list[Figure]:
    """Give the losses of all answers in one measure, so that they can be compared."""
    spreads = [odds.spread(f"{side}_steps_lost") for odds in every]
    means = _mean_losses(every, side, lang)
    by_chance = all(len(spread) == 1 or 0 in spread for spread in spreads)
    return [
        _certain_loss(min(spread), lang)
        if len(spread) == 1
        else _chance(say("a step lost"), 1 - spread[0], lang)
        if by_chance
        else mean
        for spread, mean in zip(spreads, means, strict=True)
    ]


def _certain_loss(n: int, lang: Lang) -> Figure:
    certain = {0: say("no loss"), 1: say("a step lost")}
    return Figure(certain.get(n, say("{n} steps lost", n=n)).in_(lang))


def _enemy_losses(every: Sequence[Odds], side: Side, lang: Lang) -> list[Figure]:
    enemy = enemy_of(side)
    found = _own_losses(every, enemy, lang)
    return [figure._replace(text=f"{MARKS[enemy]} {figure.text}") for figure in found]


def _own_gone(every: Sequence[Odds], side: Side, lang: Lang) -> list[Figure]:
    gone = f"{side}_eliminated"
    return [_chance(say("all eliminated"), odds.chance(gone), lang) for odds in every]


def _own_shaken(every: Sequence[Odds], side: Side, lang: Lang) -> list[Figure]:
    calm = [odds.spread(f"{side}_shaken").get(0, Fraction(0)) for odds in every]
    return [_chance(say("units shaken"), 1 - chance, lang) for chance in calm]


def _mean_losses(every: Sequence[Odds], side: Side, lang: Lang) -> list[Figure]:
    means = [decimal(float(odds.expected(f"{side}_steps_lost")), 2, lang) for odds in every]
    return [Figure(say("{mean} steps lost on average", mean=mean).in_(lang)) for mean in means]


_FIGURES = (_ground, _own_losses, _enemy_losses, _own_gone, _own_shaken, _mean_losses)


def _chance(text: Message, chance: Fraction, lang: Lang) -> Figure:
    return Figure(f"{text.in_(lang)} {plain_percent(chance, lang)}", chance)


# ------------------------------------------------------------------ looking back


def luck_words(back: Hindsight, result: str, lang: Lang) -> str:
    """Say how likely a result was: `1/2: a 1-in-6 result`."""
    chance = back.chance
    if chance.numerator == 1 and chance.denominator > 1:
        return say("{result}: a 1-in-{n} result", result=result, n=chance.denominator).in_(lang)
    likely = plain_percent(chance, lang)
    return say("{result}: a result with a chance of {p}", result=result, p=likely).in_(lang)


def wanted_words(back: Hindsight, taken: bool, sides: Sequence[Side], lang: Lang) -> str:
    """Say what chance the attacker had of what he wanted, and whether he got it."""
    if len(sides) < 2:
        mean = decimal(float(back.before.expected("defender_steps_lost")), 2, lang)
        return say("{mean} steps lost were to be expected", mean=mean).in_(lang)
    had = plain_percent(back.before.chance("taken"), lang)
    if taken:
        return say("hex taken: the attacker had {p}", p=had).in_(lang)
    return say("hex not taken: the attacker had {p}", p=had).in_(lang)
