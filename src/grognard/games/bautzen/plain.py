"""Bautzen 1945: what of an attack still counts when its column is known."""

from msgspec.structs import replace

from grognard.games.bautzen.stacking import stacking_limit
from grognard.games.bautzen.stated import SUPPORTS, BautzenFight, Counter, only_columns

# What has done its work when the column is known, and how it is when it was never stated.
RECKONED = {
    "allied": "defender",
    "formation_complete": False,
    "concentric": False,
    **{f"{side}_{what}": 0 for side in ("attacker", "defender") for what in ("cl", "air")},
    **{f"{side}_{what}_at_hand": 0 for side in ("attacker", "defender") for what in ("cl", "air")},
}
RECKONED_OF_UNITS = {
    "attack": 0,
    "defence": 0,
    "support": 0,
    "unsupplied": False,
    "overstacked": False,
    "across_river": False,
    "near_dominant": False,
}


def plain(fight: BautzenFight) -> BautzenFight:
    """Before the die: of the factors the column is left, of the terrain how many may stack."""
    setup, card = fight.case.setup, fight.case.card
    room = stacking_limit(card, setup.terrain)
    stated = replace(
        setup,
        **RECKONED,
        attackers=tuple(map(_plain_unit, setup.attackers)),
        defenders=tuple(map(_plain_unit, setup.defenders)),
        terrain=tuple(row.id for row in card.terrain if row.stacking == room)[:1],
        attacker_cl_on_map=setup.attacker_cl_on_map if only_columns(fight) else 0,
    )
    ours, theirs = sum(fight.committed[:2]), sum(fight.committed[2:])
    return replace(
        fight,
        case=fight.case.restated(stated),
        attackers=stated.attackers,
        defenders=stated.defenders,
        committed=(ours, 0, theirs, 0),
    )


def _plain_unit(unit: Counter) -> Counter:
    kind = unit.kind if unit.kind in (*SUPPORTS, "cl") else "infantry"
    return replace(unit, **RECKONED_OF_UNITS, kind=kind)


def moved(fight: BautzenFight, columns: int, die: int) -> BautzenFight:
    """Give the fight on another column, with another modifier of the die."""
    last = len(fight.case.card.table("combat").column_labels) - 1
    column = max(0, min(last, fight.column + columns))
    return replace(fight, column=column, die_modifier=fight.die_modifier + die)
