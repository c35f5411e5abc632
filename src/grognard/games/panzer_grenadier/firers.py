"""Panzer Grenadier: the fire value and anti-tank value of a firing unit."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

from grognard.card.card import Card
from grognard.games.panzer_grenadier.stated import AntiTankFire, DirectFire, Firer
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.modifiers import share
from grognard.rules.strength import Rounding, Strength, as_printed

HALVES: Mapping[str, Rounding] = {"kept": exact, "down": floor, "up": ceil}


def value_of(unit: Firer, value: int, card: Card, options: Mapping[str, str]) -> Fraction:
    """Give what a firing unit's value counts: the half of it where the unit is disrupted."""
    if unit.state != "disrupted":
        return exact(value)
    half = value * card.number("disrupted_fire")
    return exact(HALVES[options["half_fire"]](half))


def told_value(
    case: Case[DirectFire] | Case[AntiTankFire], unit: Firer, printed: int, changes: str
) -> Strength:
    """Give what a firing unit's value counts, with the lines that tell it."""
    if unit.state != "disrupted":
        return as_printed(case, "attacker", unit.name, printed, changes)
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
    return Strength(value, lines)
