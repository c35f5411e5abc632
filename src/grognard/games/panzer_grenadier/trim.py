"""Panzer Grenadier: what still counts of a fire before the dice are rolled."""

from msgspec.structs import replace

from grognard.games.panzer_grenadier.stated import (
    AntiTankFight,
    AntiTankPreparation,
    DirectFight,
    DirectPreparation,
    Target,
    TrimmedFire,
    TrimmedTarget,
    has_armour,
)


def trim_direct_fire(fight: DirectPreparation) -> DirectFight:
    """Drop firers, ground and leaders: the columns and a bonus are left of them."""
    numbers: dict[object, int] = {}
    targets = tuple(
        [
            _trimmed(
                unit,
                armoured=has_armour(unit),
                variety=numbers.setdefault(_ground_of(unit), len(numbers)),
            )
            for unit in fight.defenders
        ]
    )
    return DirectFight(
        case=fight.case.restated(TrimmedFire(defenders=targets)),
        defenders=targets,
        bonus=fight.bonus,
        groups=fight.groups,
    )


def _ground_of(unit: Target) -> tuple[int | None, bool, bool]:
    return unit.armour, unit.dug_in, unit.engineers_crossing


def trim_anti_tank(fight: AntiTankPreparation) -> AntiTankFight:
    """Keep what is added to the dice, the bonus, and whose morale may be checked."""
    targets = tuple([_trimmed(unit) for unit in fight.defenders])
    return AntiTankFight(
        case=fight.case.restated(TrimmedFire(defenders=targets)),
        defenders=targets,
        bonus=fight.bonus,
        die_modifier=fight.die_modifier,
    )


def _trimmed(unit: Target, *, armoured: bool = False, variety: int = 0) -> TrimmedTarget:
    return TrimmedTarget(
        name=unit.name,
        steps=unit.steps,
        kind=unit.kind,
        morale=unit.morale,
        state=unit.state,
        beside=unit.distance > 0,
        armoured=armoured,
        variety=variety,
    )


def moved_direct_fire(fight: DirectFight, columns: int, die: int) -> DirectFight:  # noqa: ARG001  # as procedures call it
    """Give the fire on other columns; nothing modifies its dice."""
    table = fight.case.card.table("direct-fire")
    groups = tuple(
        group._replace(column=table.within(group.column + columns))
        if group.column is not None
        else group
        for group in fight.groups
    )
    return replace(fight, groups=groups)
