"""Columns of a combat table: from a ratio to its place, and to the column that is read.

Places count the columns from 0. A place may lie beyond either end of the table until it is clamped.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Reading
from grognard.card.tables import Axis, Table
from grognard.rules.ask import Asking
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.line import Line
from grognard.words.text import Text

Rounding = Literal["defender", "nearest", "attacker"]  # of what lies between two columns

# ------------------------------------------------------------------ places


def rounded_place(axis: Axis, number: Fraction, rounding: Rounding = "defender") -> int:
    """Find the column of a number; between two columns for a side, or the nearer one."""
    place, starts = axis.position(number) or 0, axis.starts
    if rounding == "defender" or not starts[place] < number < starts[-1]:
        return place
    if rounding == "nearest" and not _nearer(number, starts[place], starts[place + 1]):
        return place
    return place + 1


def _nearer(number: Fraction, low: Fraction, high: Fraction) -> bool:
    """Tell whether a number is nearer to the higher of two columns; odds below 1 by their second
    number: 1 to 2½ lies in the middle between 1 to 2 and 1 to 3."""
    if low > 0 and high <= 1:
        return 1 / number - 1 / high < 1 / low - 1 / number
    return high - number < number - low


def open_place(axis: Axis, ratio: Fraction, rounding: Rounding = "defender") -> int:
    """Place a ratio on a scale that goes on beyond its table: 8 to 1, 9 to 1; 1 to 4, 1 to 5."""
    first, last = axis.starts[0], axis.starts[-1]
    further = ceil if rounding == "attacker" else floor
    if ratio > last:
        return len(axis.starts) - 1 + further(ratio - last)
    if ratio < first:
        return further(1 / first - 1 / ratio)
    return rounded_place(axis, ratio, rounding)


def open_ratio(axis: Axis, place: int) -> Fraction:
    """Give the ratio of a place on a scale that goes on beyond its table."""
    starts, beyond = axis.starts, place - len(axis.starts) + 1
    if place < 0:
        return 1 / (1 / starts[0] - place)
    return starts[-1] + beyond if beyond > 0 else starts[place]


def unopposed(axis: Axis, attack: int | Fraction, *, as_one: bool) -> Fraction:
    """Give the ratio against a defence of 0: as if that were 1, or that of the last column."""
    return exact(attack) if as_one else axis.starts[-1]


def unopposed_line(
    case: Case[Any], ratio: Fraction, rule: str | None = None, *, reading: Reading = CERTAIN
) -> Line:
    """Tell as what an attack on a defence of 0 counts."""
    return case.tell(
        "clamp", "no-defence", rule, side="defender", value=ratio, changes="ratio", reading=reading
    )


def ratio_of(
    case: Case[Any],
    axis: Axis,
    attack: int | Fraction,
    defence: int | Fraction,
    rule: str | None = None,
    *,
    as_one: bool,
    reading: Reading = CERTAIN,
) -> Asking[Fraction]:
    """Divide the attack by the defence; the reading is that of a defence of 0."""
    if defence:
        return exact(attack) / defence
    ratio = unopposed(axis, attack, as_one=as_one)
    yield unopposed_line(case, ratio, rule, reading=reading)
    return ratio


# ------------------------------------------------------------------ columns


def clamp_lines(
    case: Case[Any],
    table: Table,
    place: int,
    rule: str | None = None,
    unit: str = "",
    *,
    reading: Reading = CERTAIN,
) -> Iterator[Line]:
    """Tell that there is no column beyond an end of the table; nothing where the place has one."""
    column = table.within(place)
    if column != place:
        yield case.tell(
            "clamp",
            "column-clamped",
            rule,
            unit=unit,
            value=table.column_labels[column],
            changes="column",
            reading=reading,
        )


def basic_column(
    case: Case[Any],
    table: Table,
    place: int,
    *,
    attack: int | Fraction,
    defence: int | Fraction,
    odds: str = "",
    rule: str | None = None,
    reading: Reading = CERTAIN,
) -> Asking[int]:
    """Tell the column of a ratio, and give the place from which shifts count.

    For odds beyond the last column that is the last column, or by option `ratio_clamp` their own
    place on a scale that goes on.
    """
    column, last = table.within(place), len(table.column_labels) - 1
    told = case.tell(
        "column",
        _PHRASES.get(table.columns.of or "ratio", "basic-number"),
        rule,
        value=table.column_labels[column],
        of=table.id,
        reading=reading,
        blanks=_numbers(table, attack, defence),
    )
    yield replace(told, id="basic-column")
    if place <= last:
        return column
    doubt = case.doubt("ratio_clamp")
    if case.options["ratio_clamp"] == "before":
        yield from clamp_lines(case, table, place, rule, reading=doubt)
        return column
    beyond = place - last
    yield case.tell(
        "note", "open-scale", rule, value=beyond, changes="column", odds=odds, reading=doubt
    )
    return place


_PHRASES = {"ratio": "basic-column", "difference": "basic-difference"}


def _numbers(
    table: Table, attack: int | Fraction, defence: int | Fraction
) -> dict[str, int | str | Fraction | Text]:
    """Give the numbers from which a column follows, as a player writes them."""
    match table.columns.of:
        case None | "ratio":
            return {"attack": attack, "defence": defence}
        case "difference":
            return {"attack": attack, "defence": defence, "difference": attack - defence}
    return {}


def final_column(
    case: Case[Any],
    table: Table,
    place: int,
    rule: str | None = None,
    *,
    reading: Reading = CERTAIN,
) -> Asking[int]:
    """Bring a place back to the table, and tell the column that is read.

    The reading is that of bringing it back.
    """
    column = table.within(place)
    yield from clamp_lines(case, table, place, rule, reading=reading)
    label = table.column_labels[column]
    yield case.tell("column", "final-column", rule, value=label, of=table.id)
    return column
