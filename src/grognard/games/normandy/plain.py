"""Normandy '44: what still counts of an attack once its column is known."""

from msgspec.structs import replace

from grognard.games.normandy.aftermath import barred
from grognard.games.normandy.stated import Attack, Attacker, Defender, NormandyFight
from grognard.games.normandy.strength import jabos_fly


def plain(fight: NormandyFight) -> NormandyFight:
    """Before the Jabos: of the factors and of what shifts the column, only the column is left."""
    case, setup = fight.case, fight.case.setup
    stated = Attack(
        attackers=tuple(_attacker(fight, unit) for unit in setup.attackers),
        defenders=tuple(map(_defender, setup.defenders)),
        terrain=setup.terrain,
        fortification=setup.fortification,
        attacker_camp=setup.attacker_camp,
        weather=setup.weather,
        flak_present=setup.flak_present and jabos_fly(case),
        defensive_support=setup.defensive_support,
        can_retreat=setup.can_retreat,
        retreat_path=setup.retreat_path,
    )
    return replace(
        fight,
        case=case.restated(stated),
        attackers=stated.attackers,
        defenders=stated.defenders,
    )


def moved(fight: NormandyFight, columns: int, die: int) -> NormandyFight:  # noqa: ARG001
    """Give the attack on another column; nothing modifies the die of an attack."""
    last = len(fight.case.card.table("combat").column_labels) - 1
    return replace(fight, column=max(0, min(last, fight.column + columns)))


def _attacker(fight: NormandyFight, unit: Attacker) -> Attacker:
    """Keep who is in the main force; and the way by which a unit comes only if it can't go on."""
    if barred(fight.case, unit):
        return replace(
            unit, factor=0, from_flooded=False, unsupplied=False, landing=False, nationality=None
        )
    return Attacker(
        name=unit.name, factor=0, steps=unit.steps, main_force=unit.main_force, by_road=True
    )


def _defender(unit: Defender) -> Defender:
    """Keep what counts when it is the Lead Unit."""
    return replace(unit, factor=0)
