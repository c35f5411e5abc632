"""Chances in words, for every face: outcomes, losses, columns, luck."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.card.wording import MARKS, in_words
from grognard.draw.text.outcome import lost_words
from grognard.fights.chances import Odds
from grognard.fights.hindsight import Hindsight
from grognard.fights.table_place import TablePlace, TablePlaces
from grognard.fights.unit_fates import UnitFate
from grognard.words.message import Message, say
from grognard.words.numbers import decimal, percentage, signed
from grognard.words.text import Lang, Text

_LEAST, _MOST = Fraction(1, 1000), Fraction(999, 1000)  # chances told apart from 0 and 100 %


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


def fate_words(fate: UnitFate, card: Card, lang: Lang) -> Iterator[tuple[str, Fraction]]:
    """Give what may become of a unit, with the chances: states first, then losses."""
    states = sorted(fate.became.items(), key=lambda item: (item[0] == "eliminated", -item[1]))
    for word, chance in states:
        yield in_words(word, card, lang), chance
    hurt = at_least(fate.lost) if len(fate.lost) > 1 else dict(fate.lost)
    last = max(fate.lost) if "eliminated" in fate.became else None  # told already
    for n, chance in hurt.items():
        if n and n != last:
            yield loss_words(n, card, lang), chance


def loss_words(n: int, card: Card, lang: Lang) -> str:
    """Name a loss in the word of the game: `a step lost`, `2 losses`."""
    if n > 1:
        return lost_words(n, card, lang)
    return (card.phrase("a-loss") if n else say("no loss")).in_(lang)


def mean_words(odds: Odds, side: Side, card: Card, lang: Lang) -> str:
    """Say what a side loses on average, in the word of the game."""
    return count_words(card.phrase("losses"), odds.expected(f"{side}_steps_lost"), lang)


def count_words(what: Message | Text, mean: Fraction, lang: Lang) -> str:
    """Say how many there are on average."""
    written = decimal(float(mean), 2, lang)
    return say("{what}: {mean} on average", what=what, mean=written).in_(lang)


# ------------------------------------------------------------------ the column


def places_words(places: TablePlaces, card: Card, lang: Lang) -> tuple[str, str]:
    """Say which column is lit, and which the odds assume, with their chances."""
    lit = lit_words(places, card, lang)
    return (
        say("{column} as it stands: nothing more committed or rolled", column=lit).in_(lang),
        say("the odds assume {columns}", columns=assumed_columns(places, card, lang)).in_(lang),
    )


def column_words(places: TablePlaces, card: Card, lang: Lang) -> str:
    """Name the column of a fight that would follow, and those that its odds assume; where the dice
    choose the column, what is added to them. Empty if nothing is told of either."""
    lit = lit_words(places, card, lang)
    column = say("column {column}", column=lit).in_(lang) if places.lit.columns else lit
    if not places.open:
        return column
    assumed = say("the odds assume {columns}", columns=assumed_columns(places, card, lang))
    return f"{column} ({assumed.in_(lang)})"


def assumed_columns(places: TablePlaces, card: Card, lang: Lang) -> str:
    """Name the columns that the odds assume, with their chances; a sure one has none."""
    with_die = _dice_differ(places)
    if len(places.chances) == 1:
        return _place_words(places.chances[0][0], card, lang, with_die=with_die)
    return ", ".join(
        f"{_place_words(place, card, lang, with_die=with_die)} {plain_percent(p, lang)}"
        for place, p in places.chances
    )


def lit_words(places: TablePlaces, card: Card, lang: Lang) -> str:
    """Name the place at which a fight stands now."""
    return _place_words(places.lit, card, lang, with_die=_dice_differ(places))


def _place_words(place: TablePlace, card: Card, lang: Lang, *, with_die: bool) -> str:
    """Name a place: its columns, and the die modifier where it matters or is all there is."""
    columns = " · ".join(dict.fromkeys(label for _, label in reversed(place.columns)))
    if place.die is None or (columns and not with_die):
        return columns
    die = die_words(place.die, card, lang)
    return f"{columns} ({die})" if columns else die


def die_words(value: int, card: Card, lang: Lang) -> str:
    """Write a die modifier: `die +1`, or as the card says it, `+1 on the dice`."""
    unit = card.phrases.get("unit-die")
    if unit is not None:
        return f"{signed(value)} {unit.in_(lang)}"
    return say("die {value}", value=signed(value)).in_(lang)


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


# ------------------------------------------------------------------ looking back


def luck_words(back: Hindsight, result: str, lang: Lang) -> str:
    """Say how likely a result was: `1/2: a 1-in-6 result`."""
    chance = back.chance
    if chance.numerator == 1 and chance.denominator > 1:
        return say("{result}: a 1-in-{n} result", result=result, n=chance.denominator).in_(lang)
    likely = plain_percent(chance, lang)
    return say("{result}: a result with a chance of {p}", result=result, p=likely).in_(lang)


def wanted_words(
    back: Hindsight, taken: bool, sides: Sequence[Side], card: Card, lang: Lang
) -> str:
    """Say what chance the attacker had of what he wanted, and whether he got it."""
    if len(sides) < 2:
        mean = decimal(float(back.before.expected("defender_steps_lost")), 2, lang)
        what = card.phrase("losses")
        return say("{what} to be expected before the roll: {mean}", what=what, mean=mean).in_(lang)
    had = plain_percent(back.before.chance("taken"), lang)
    if taken:
        return say("hex taken: the attacker had {p}", p=had).in_(lang)
    return say("hex not taken: the attacker had {p}", p=had).in_(lang)
