"""Bautzen 1945: what still counts of an attack when its column is known."""

from grognard.games.bautzen.stacking import stacking_limit, stacking_points
from grognard.games.bautzen.stated import (
    Attack,
    BautzenFight,
    BautzenPreparation,
    Counter,
    Role,
    TrimmedAttack,
    TrimmedCounter,
    only_columns,
)
from grognard.rules.fight import Case


def trim(fight: BautzenPreparation) -> BautzenFight:
    """Drop the factors and all that shifts the column; keep the room of the hex for its terrain."""
    case, setup = fight.case, fight.case.setup
    stated = TrimmedAttack(
        attackers=tuple([_trimmed(case, unit) for unit in setup.attackers]),
        defenders=tuple([_trimmed(case, unit) for unit in setup.defenders]),
        room=stacking_limit(case.card, setup.terrain),
        cl_room=_cl_room(case),
        can_retreat=setup.can_retreat,
        retreat_room=setup.retreat_room,
        retreat_unsupplied=setup.retreat_unsupplied,
        retreated_before=setup.retreated_before,
    )
    return BautzenFight(
        case=case.restated(stated),
        attackers=stated.attackers,
        defenders=stated.defenders,
        spent=(sum(fight.committed[:2]), sum(fight.committed[2:])),
        column=fight.column,
        die_modifier=fight.die_modifier,
    )


def _cl_room(case: Case[Attack]) -> int:
    if not only_columns(case.setup.defenders):
        return 0
    return int(case.card.number("cl_on_map")) - case.setup.attacker_cl_on_map


_ROLES: dict[str, Role] = {"hq": "hq", "artillery": "artillery", "cl": "cl"}


def _trimmed(case: Case[Attack], unit: Counter) -> TrimmedCounter:
    return TrimmedCounter(
        name=unit.name,
        steps=unit.steps,
        kind=_ROLES.get(unit.kind, "fighting"),
        points=stacking_points(case.card, unit),
        at_distance=unit.at_distance,
    )
