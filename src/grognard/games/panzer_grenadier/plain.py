"""Panzer Grenadier: what of a fire still counts when all before the dice is reckoned."""

from msgspec.structs import replace

from grognard.games.panzer_grenadier.stated import AntiTankFight, DirectFight, Target

# What has done its work when the columns are known, and how it is when it was never stated.
RECKONED = {"attackers": (), "range": 0, "terrain": (), "opportunity_fire": False}
RECKONED_OF_DIRECT_FIRE = {
    **RECKONED,
    "entrenched": False,
    "night": False,
    "adjacent_to_all": False,
    "minefield_of_firer": False,
    "air_attack": False,
    "aa_unit": False,
    "aa_distance": None,
}
RECKONED_OF_ANTI_TANK_FIRE = {
    **RECKONED,
    "target_moved": False,
    "target_higher": False,
    "crossfire": False,
    "crossfire_hexes_only": False,
}


def plain_direct_fire(fight: DirectFight) -> DirectFight:
    """Before the dice: of firers, ground and leaders only the columns and a bonus are left.

    In what else units differ stays, as the owner may care which of them he gives up.
    """
    units, first = fight.defenders, fight.defenders[0]
    armours = [None, *{unit.armour: None for unit in units if unit.armour is not None}]
    targets = tuple(
        _plain_target(
            unit,
            dug_in=unit.dug_in != first.dug_in,
            crossing=unit.engineers_crossing != first.engineers_crossing,
            armour=armours.index(unit.armour) or None,
        )
        for unit in units
    )
    stated = replace(fight.case.setup, **RECKONED_OF_DIRECT_FIRE, defenders=targets)
    return replace(fight, case=fight.case.restated(stated), attackers=(), defenders=targets)


def plain_anti_tank(fight: AntiTankFight) -> AntiTankFight:
    """Before the dice: only what is added to them, the bonus, and whose morale may be checked."""
    targets = tuple(map(_plain_target, fight.defenders))
    stated = replace(fight.case.setup, **RECKONED_OF_ANTI_TANK_FIRE, defenders=targets)
    return replace(fight, case=fight.case.restated(stated), attackers=(), defenders=targets)


def _plain_target(
    unit: Target, *, dug_in: bool = False, crossing: bool = False, armour: int | None = None
) -> Target:
    here_or_not = min(unit.distance, 1)
    return replace(
        unit,
        dug_in=dug_in,
        engineers_crossing=crossing,
        armour=armour,
        bonus=0,
        distance=here_or_not,
    )


def moved_direct_fire(fight: DirectFight, columns: int, die: int) -> DirectFight:  # noqa: ARG001  # as procedures call it
    """Give the fire on other columns; nothing modifies its dice."""
    last = len(fight.case.card.table("direct-fire").column_labels) - 1
    groups = tuple(
        group._replace(column=max(0, min(last, group.column + columns)))
        if group.column is not None
        else group
        for group in fight.groups
    )
    return replace(fight, groups=groups)


def moved_anti_tank(fight: AntiTankFight, columns: int, die: int) -> AntiTankFight:  # noqa: ARG001  # as procedures call it
    """Give the fire with more added to the dice; its table has no columns."""
    return replace(fight, added=fight.added + die)
