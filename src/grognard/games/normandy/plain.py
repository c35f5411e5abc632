"""Normandy '44: what still counts of an attack once its column is known."""

from msgspec.structs import replace

from grognard.games.normandy.aftermath import barred
from grognard.games.normandy.stated import Attacker, Defender, NormandyFight
from grognard.games.normandy.strength import jabos_fly

# What has done its work when the column is known, and how it is when it was never stated.
RECKONED = {
    "quality_advantage": 0,
    "armour_advantage": 0,
    "armour_across": False,
    "tiger_advantage": 0,
    "offensive_air": 0,
    "naval_support": False,
    "hq_support": 0,
    "defender_strategic": False,
}
RECKONED_OF_ATTACKERS = {
    "factor": 0,
    "from_flooded": False,
    "unsupplied": False,
    "landing": False,
    "nationality": None,
}
OPEN_WAY = {"crosses": (), "mechanised": False, "by_road": True}


def plain(fight: NormandyFight) -> NormandyFight:
    """Before the Jabos: of the factors and of what shifts the column, only the column is left."""
    case, setup = fight.case, fight.case.setup
    stated = replace(
        setup,
        **RECKONED,
        attackers=tuple([_attacker(fight, unit) for unit in setup.attackers]),
        defenders=tuple([_defender(unit) for unit in setup.defenders]),
        flak_present=setup.flak_present and jabos_fly(case),
    )
    return replace(
        fight,
        case=case.restated(stated),
        attackers=stated.attackers,
        defenders=stated.defenders,
    )


def moved(fight: NormandyFight, columns: int, die: int) -> NormandyFight:  # noqa: ARG001  # as procedures call it
    """Give the attack on another column; nothing modifies the die of an attack."""
    last = len(fight.case.card.table("combat").column_labels) - 1
    return replace(fight, column=max(0, min(last, fight.column + columns)))


def _attacker(fight: NormandyFight, unit: Attacker) -> Attacker:
    """14.4: the way by which a unit comes counts only where it bars the advance."""
    way = {} if barred(fight.case, unit) else OPEN_WAY
    return replace(unit, **RECKONED_OF_ATTACKERS, **way)


def _defender(unit: Defender) -> Defender:
    return replace(unit, factor=0)
