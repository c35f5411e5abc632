"""Normandy '44: what still counts of an attack when its column is known."""

from typing import Literal

from grognard.card.card import Terrain
from grognard.games.normandy.stated import (
    Attack,
    Attacker,
    Defender,
    NormandyFight,
    NormandyPreparation,
    TrimmedAttack,
    TrimmedAttacker,
    TrimmedDefender,
)
from grognard.games.normandy.strength import jabos_fly
from grognard.rules.fight import Case


def trim(fight: NormandyPreparation) -> NormandyFight:
    """Drop the factors and all that shifts the column, but for the Jabos."""
    case, setup = fight.case, fight.case.setup
    stated = TrimmedAttack(
        attackers=tuple([_attacker(case, unit) for unit in setup.attackers]),
        defenders=tuple([_defender(unit) for unit in setup.defenders]),
        terrain=setup.terrain,
        fortification=setup.fortification,
        attacker_camp=setup.attacker_camp,
        weather=setup.weather,
        flak_present=setup.flak_present and jabos_fly(case),
        defensive_support=setup.defensive_support,
        can_retreat=setup.can_retreat,
        retreat_path=setup.retreat_path,
    )
    return NormandyFight(
        case=case.restated(stated),
        attackers=stated.attackers,
        defenders=stated.defenders,
        column=fight.column,
    )


def _attacker(case: Case[Attack], unit: Attacker) -> TrimmedAttacker:
    return TrimmedAttacker(
        name=unit.name,
        steps=unit.steps,
        main_force=unit.main_force,
        advance=_advance(case, unit),
    )


def _defender(unit: Defender) -> TrimmedDefender:
    return TrimmedDefender(
        name=unit.name,
        steps=unit.steps,
        quality=unit.quality,
        armour=unit.armour,
        lead_uses_armour=unit.lead_uses_armour,
    )


# ------------------------------------------------------------------ the way into the hex


def _advance(case: Case[Attack], unit: Attacker) -> Literal["open", "first-hex", "barred"]:
    """14.4: without a road no unit advances over or into terrain that is closed to it, and water
    ends the advance in the first hex."""
    if unit.by_road:
        return "open"
    way = _way(case, unit)
    kind, key = ("mech", "advance_mech") if unit.mechanised else ("non-mech", "advance_non_mech")
    if any(row.cost[kind] == "no" for row in way):
        return "barred"
    ends = any(row.values.get(key) == "first-hex-without-road" for row in way)
    return "first-hex" if ends else "open"


def _way(case: Case[Attack], unit: Attacker) -> list[Terrain]:
    """Give the rows of the chart that an advancing unit meets: hexsides and the hex."""
    return [case.card.terrain_row(id_) for id_ in unit.crosses + case.setup.terrain]
