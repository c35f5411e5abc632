"""Panzer Grenadier: what the value of a firing unit counts."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor

from grognard.card.card import Card
from grognard.games.panzer_grenadier.stated import AntiTankFire, DirectFire, Firer
from grognard.rules.ask import Asking
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.modifiers import share

HALVES: Mapping[str, Callable[[Fraction], int | Fraction]] = {
    "kept": exact,
    "down": floor,
    "up": ceil,
}


def value_of(unit: Firer, value: int, card: Card, options: Mapping[str, str]) -> Fraction:
    """Give what a firing unit's value counts: the half of it where the unit is disrupted."""
    if unit.state != "disrupted":
        return exact(value)
    half = value * card.number("disrupted_fire")
    return exact(HALVES[options["half_fire"]](half))


def told_value(
    case: Case[DirectFire] | Case[AntiTankFire], unit: Firer, printed: int, changes: str
) -> Asking[Fraction]:
    """Tell what a firing unit's value counts."""
    if unit.state != "disrupted":
        yield case.tell(
            "note", "unit-factor", side="attacker", unit=unit.name, value=printed, changes=changes
        )
        return exact(printed)
    row = case.card.number_row("disrupted_fire")
    value, lines = share(
        case.card,
        printed,
        row.value,
        changes=changes,
        side="attacker",
        unit=unit.name,
        reason=row,
        rounded=HALVES[case.options["half_fire"]],
        reading=row.reading,
    )
    yield from lines
    return value
