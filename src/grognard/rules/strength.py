"""Combat strength: what a unit's factor counts, and the total of a side."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from grognard.card.card import Number
from grognard.card.rows import CERTAIN, Reading, Side
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.line import Line
from grognard.rules.modifiers import Product, share

COUNTED: Mapping[Side, str] = {"attacker": "attack", "defender": "defence"}
Rounding = Callable[[Fraction], int | Fraction]


class Strength(NamedTuple):
    """What a unit or a side counts, and the lines that explain it."""

    value: Fraction
    lines: tuple[Line, ...]


def as_printed(case: Case[Any], side: Side, unit: str, printed: int, changes: str) -> Strength:
    """Count a unit's factor as its counter prints it."""
    line = case.tell("note", "unit-factor", side=side, unit=unit, value=printed, changes=changes)
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
