"""Bautzen 1945: what the odds of an attack still depend on once the table is read."""

from functools import lru_cache

from msgspec.structs import replace

from grognard.games.bautzen.stated import (
    SUPPORTS,
    BautzenFight,
    TrimmedAttack,
    TrimmedCounter,
    loss_takers,
    only_support,
)
from grognard.rules.fight import Case, CaseKey, shared_case, steps

FITS = 1  # the room of the hex, and the points of a unit that can advance into it
TOO_LARGE = 2


def carried(fight: BautzenFight) -> dict[str, object]:
    """Give what the outcome has of a fight whose table is read, whatever happens later."""
    ours, theirs = fight.spent
    if fight.columns_alone:
        return {}
    return {"result": fight.result, "attacker_spent": ours, "defender_spent": theirs}


def least(fight: BautzenFight) -> BautzenFight:
    """Keep only what the losses owed can still make a difference to.

    Without losses of the defender nobody retreats or advances; without losses of the attacker it
    only matters whether one of his units can advance.
    """
    return fight if fight.columns_alone else _least(fight.case, fight.owed)


@lru_cache(maxsize=4096)
def _least(case: Case[TrimmedAttack], owed: tuple[int, int]) -> BautzenFight:
    setup, (ours, theirs) = case.setup, owed
    fight = BautzenFight(case=case, attackers=setup.attackers, defenders=setup.defenders)
    attackers = _attackers(fight, ours, moving=theirs > 0)
    defenders = _defenders(fight) if theirs else _ATTACKED
    goes = theirs > 0 and setup.can_retreat
    room = setup.retreat_room if goes else None
    stated = TrimmedAttack(
        attackers=attackers,
        defenders=defenders,
        room=FITS,
        cl_room=0,
        can_retreat=goes,
        retreat_room=None if room is None or room >= theirs else room,
        retreat_unsupplied=goes and setup.retreat_unsupplied,
    )
    shared = shared_case(CaseKey(case.restated(stated)))
    return BautzenFight(case=shared, attackers=attackers, defenders=defenders, owed=owed)


def _attackers(fight: BautzenFight, owed: int, *, moving: bool) -> tuple[TrimmedCounter, ...]:
    """8.3, 8.4: those who can lose or advance, and one that makes losses doubtful.

    Where more is left of them than they lose, and all who can lose could advance or nobody could,
    some units like the first of the strongest stand for all.
    """
    room = fight.case.setup.room if moving else 0
    takers, lending = loss_takers(fight, "attacker"), only_support(fight, "attacker")
    able = [unit for unit in fight.attackers if _can_advance(unit, room)]
    if not owed:
        return _stand_ins(_ATTACKED[0], 1, bool(able))
    doubtful = bool(lending)
    left, fits = [unit for unit in able if unit in takers], bool(able)
    if steps(takers) > owed and (len(left) == len(takers) or not able):
        strongest = max(takers, key=lambda unit: unit.steps)
        alike = replace(strongest, kind="fighting", at_distance=False)
        return _stand_ins(alike, -(-(owed + 1) // alike.steps), fits, lent=doubtful)
    kept = [unit for unit in fight.attackers if unit in takers or unit in able]
    kept += [unit for unit in lending[:1] if unit not in kept]
    return tuple([_sized(unit, FITS if unit in able else TOO_LARGE) for unit in kept])


def _can_advance(unit: TrimmedCounter, room: int) -> bool:
    """8.4: a participant that is no HQ, and for which the hex has room."""
    return unit.points <= room and unit.kind not in ("hq", "cl") and not unit.at_distance


@lru_cache(maxsize=1024)
def _stand_ins(
    unit: TrimmedCounter,
    count: int,
    fits: bool,
    *,
    lent: bool = False,  # cached
) -> tuple[TrimmedCounter, ...]:
    """Give a unit, others like it, and one that lends its support."""
    first = _sized(unit, FITS if fits else TOO_LARGE)
    others = [replace(first, name=f"*{number}") for number in range(1, count)]
    hq = TrimmedCounter(name="*hq", kind="hq", points=0, at_distance=False, retreated=False)
    return (first, *others, *([hq] if lent else ()))


def _defenders(fight: BautzenFight) -> tuple[TrimmedCounter, ...]:
    """Keep the attacked units, those who share their losses, or one that makes them doubtful."""
    takers, lending = loss_takers(fight, "defender"), only_support(fight, "defender")
    return tuple(
        [_plain(unit) for unit in fight.defenders if unit in takers or unit in lending[:1]]
    )


@lru_cache(maxsize=1024)
def _sized(unit: TrimmedCounter, points: int) -> TrimmedCounter:
    return replace(unit, points=points)


@lru_cache(maxsize=1024)
def _plain(unit: TrimmedCounter) -> TrimmedCounter:
    kind = unit.kind if unit.at_distance and unit.kind in SUPPORTS else "fighting"
    return replace(unit, kind=kind, points=0)


_ATTACKED = (
    TrimmedCounter(name="*", kind="fighting", points=0, at_distance=False, retreated=False),
)
