"""Combat strength: what a unit's factor counts, and the total of a side."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from grognard.card.card import Number
from grognard.card.rows import CERTAIN, Reading, Side
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.line import Line, row_line
from grognard.rules.modifiers import Product, share

COUNTED: Mapping[Side, str] = {"attacker": "attack", "defender": "defence"}
Rounding = Callable[[Fraction], int | Fraction]
_HALF = Fraction(1, 2)
# By the words with which cards and options name them.
ROUNDED: Mapping[str, Rounding] = {
    **dict.fromkeys(("kept", "exact"), exact),
    **dict.fromkeys(("down", "floor"), floor),
    **dict.fromkeys(("up", "ceil"), ceil),
    "nearest": lambda value: floor(value + _HALF),
}


class Strength(NamedTuple):
    """What a unit or a side counts, and the lines that explain it."""

    value: Fraction
    lines: tuple[Line, ...]


def as_printed(
    case: Case[Any],
    side: Side,
    unit: str,
    printed: int,
    changes: str,
    reading: Reading = CERTAIN,
) -> Strength:
    """Count a unit's factor as its counter prints it."""
    line = case.tell(
        "note",
        "unit-factor",
        side=side,
        unit=unit,
        value=printed,
        changes=changes,
        reading=reading,
    )
    return Strength(exact(printed), (line,))


def counts_as(case: Case[Any], unit: str, row: Number, changes: str, rule: str | None) -> Line:
    """Tell that a defending unit counts a number of the card instead of a printed factor."""
    return case.tell(
        "note",
        "unit-counts",
        rule,
        side="defender",
        unit=unit,
        value=row.value.numerator,
        changes=changes,
        reason=row.text,
    )


def multiplied(
    case: Case[Any],
    side: Side,
    unit: str,
    printed: int,
    by: Product,
    changes: str,
    *,
    rounded: Rounding = exact,
    reading: Reading = CERTAIN,
) -> Strength:
    """Multiply a unit's factor by the printed modifiers that apply; as printed where none does."""
    if by.value == 1:
        value, lines = as_printed(case, side, unit, printed, changes)
        return Strength(value, (*by.lines, *lines))
    value, lines = share(
        case,
        printed,
        by.value,
        changes=changes,
        side=side,
        unit=unit,
        rounded=rounded,
        reading=reading,
    )
    return Strength(value, (*by.lines, *lines))


def summed(
    case: Case[Any],
    side: Side,
    parts: Iterable[Strength],
    rule: str | None = None,
    *,
    of: str = "",
    most: Number | None = None,
    rounded: Rounding = exact,
    rounding: str = "total-rounded",
) -> Strength:
    """Add up a side, up to a number of the card and rounded as a whole; tell the total."""
    counted = list(parts)
    value = sum((part.value for part in counted), Fraction(0))
    lines = [line for part in counted for line in part.lines]
    number = of or COUNTED[side]
    if most is not None and value > most.value:
        value = most.value
        lines.append(row_line("limit", most, value.numerator, changes=number, side=side))
    whole = exact(rounded(value))
    if rounded is not exact and whole != value:
        lines.append(
            case.tell("clamp", rounding, rule, side=side, value=whole, changes=number, exact=value)
        )
    lines.append(
        case.tell("total", f"{COUNTED[side]}-total", rule, side=side, value=whole, of=number)
    )
    return Strength(whole, tuple(lines))
