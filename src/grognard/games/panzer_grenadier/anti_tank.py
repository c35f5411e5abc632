"""Panzer Grenadier, 11.1: anti-tank fire, from the value to the result."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar

from msgspec.structs import replace

from grognard.games.panzer_grenadier.firers import told_value
from grognard.games.panzer_grenadier.morale import check_of, must_check
from grognard.games.panzer_grenadier.stated import (
    AntiTankFight,
    AntiTankFire,
    AntiTankPreparation,
    Target,
    TrimmedTarget,
    still_there,
)
from grognard.rules.ask import Asking
from grognard.rules.facts import stated_facts
from grognard.rules.fight import Case
from grognard.rules.losses import lose_steps
from grognard.rules.modifiers import Facts
from grognard.rules.rolls import die_modifier, modified_roll, row_at

T = TypeVar("T", Target, TrimmedTarget)


def anti_tank_value(fight: AntiTankPreparation) -> Asking[AntiTankPreparation]:
    """11.1: the anti-tank value less the armour, and all modifiers, without a limit."""
    case, unit, target = fight.case, fight.attackers[0], the_target(fight.defenders)
    value, lines = told_value(case, unit, unit.anti_tank or 0, "anti-tank")
    yield from lines
    armour = yield from _armour(case, target)
    yield case.tell(
        "total", "attack-total", "11.1", value=value - armour, of="anti-tank", changes="roll"
    )
    modifiers = die_modifier(case, "anti-tank", _anti_tank_facts(case, target), "11.1")
    yield from modifiers.lines
    return replace(fight, die_modifier=value - armour + modifiers.value)


def the_target(units: Iterable[T]) -> T:
    """Give the one target of anti-tank fire; the other units are leaders."""
    return next(unit for unit in units if unit.kind != "leader")


def _armour(case: Case[AntiTankFire], target: Target) -> Asking[int]:
    """11.1: the target's armour; a truck has that of the card."""
    if target.kind != "truck":
        armour = target.armour or 0
        yield case.tell(
            "note",
            "armour",
            "11.1",
            side="defender",
            unit=target.name,
            value=armour,
            changes="anti-tank",
        )
        return armour
    row = case.card.number_row("truck_armour")
    yield case.tell(
        "note",
        "unit-counts",
        "11.1",
        side="defender",
        unit=target.name,
        value=row.value,
        changes="anti-tank",
        reason=row.text,
    )
    return int(row.value)


def _anti_tank_facts(case: Case[AntiTankFire], target: Target) -> Facts:
    """State what the modifiers of anti-tank fire look at."""
    return {
        **stated_facts(case),
        "dug_in": target.dug_in,
        "engineers_crossing": target.engineers_crossing,
    }


def shot(fight: AntiTankFight) -> Asking[AntiTankFight]:
    """11.1: roll, add, read the table; the target loses a step and checks, or is eliminated."""
    case, table = fight.case, fight.case.card.table("anti-tank")
    target = the_target(fight.defenders)
    dice = yield from modified_roll(
        case, "anti-tank-roll", 2, fight.die_modifier, "11.1", unit=target.name
    )
    row = row_at(table, dice)
    result = table.legend[table.cell(row, table.column_labels[0]).printed]
    yield case.tell(
        "result",
        "anti-tank-result",
        "11.1",
        value=result.code,
        of=table.id,
        row=row,
        effect=result.text,
    )
    values = result.values
    fight = replace(fight, die_modifier=Fraction(0), result=result.code)
    if lost := target.steps if values["eliminated"] else int(values["steps"]):
        fight = yield from lose_steps(fight, "defender", target.name, "11.1", lost=lost)
    place = [unit.name for unit in fight.defenders].index(target.name)
    survivors = still_there(fight, [place]) if values["check"] else []
    checks = tuple(check_of(fight, unit, int(values["check_modifier"])) for unit in survivors)
    return (yield from must_check(fight, checks))
