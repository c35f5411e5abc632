"""Bautzen 1945: what the odds of an attack still depend on once the table is read."""

from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.games.bautzen.stated import (
    FITS,
    SUPPORTS,
    TOO_LARGE,
    Attack,
    BautzenFight,
    TrimmedAttack,
    TrimmedCounter,
    only_support,
    takers,
)
from grognard.rules.fight import Case, steps
from grognard.rules.kept import kept
from grognard.rules.procedure import Carried


def carried(fight: BautzenFight) -> Carried:
    """Give what the outcome has of a fight whose table is read, whatever happens later."""
    ours, theirs = fight.spent
    if fight.columns_alone:
        return ()
    return ("result", fight.result), ("attacker_spent", ours), ("defender_spent", theirs)


def least(fight: BautzenFight) -> BautzenFight:
    """Keep only what the losses owed can still make a difference to.

    Without losses of the defender nobody retreats or advances; without losses of the attacker it
    only matters whether one of his units can advance.
    """
    return fight if fight.columns_alone else _least(fight.case, fight.owed)


@lru_cache(maxsize=4096)
def _least(case: Case[TrimmedAttack], owed: tuple[int, int]) -> BautzenFight:
    setup, stacks, (ours, theirs) = case.setup, _stacks_in(case), owed
    goes = theirs > 0 and setup.can_retreat
    # 8.3, 8.5.2a: losses that nobody can take; without a way back the defender may trade none.
    ours = min(ours, steps(stacks.takers))
    if not goes and case.options["no_retreat_loss"] == "nothing_traded":
        theirs = min(theirs, steps(stacks.their_takers))
    back = way_back(setup, theirs)
    attackers = attackers_of(stacks, ours, moving=theirs > 0)
    return _stated(case, attackers, defenders_of(stacks, theirs, back), (ours, theirs), back)


class WayBack(NamedTuple):
    """8.5: what is stated of a retreat."""

    can_retreat: bool
    retreat_room: int | None
    retreat_unsupplied: bool


def way_back(setup: Attack | TrimmedAttack, owed: int) -> WayBack:
    """Keep what is stated of a retreat where it can come to one, by at most the steps owed."""
    if not (owed and setup.can_retreat):
        return _NO_WAY
    room = setup.retreat_room
    short = None if room is None or room >= owed else room
    return WayBack(True, short, setup.retreat_unsupplied)


_NO_WAY = WayBack(False, None, False)
_OPEN_WAY = WayBack(True, None, False)


@kept
def _stated(
    case: Case[TrimmedAttack],
    attackers: tuple[TrimmedCounter, ...],
    defenders: tuple[TrimmedCounter, ...],
    owed: tuple[int, int],
    back: WayBack,
) -> BautzenFight:
    """Give the fight of some units that owe losses; always the same object."""
    stated = TrimmedAttack(
        attackers=attackers, defenders=defenders, room=FITS, cl_room=0, **back._asdict()
    )
    return BautzenFight(
        case=case.restated(stated), attackers=attackers, defenders=defenders, owed=owed
    )


class Stacks(NamedTuple):
    """The units of both sides, as far as they can lose, advance or make losses doubtful."""

    attackers: tuple[TrimmedCounter, ...]
    takers: list[TrimmedCounter]
    lending: bool  # whether somebody lends support: it is doubtful whether he loses too
    able: list[TrimmedCounter]  # to advance
    defenders: tuple[TrimmedCounter, ...]  # that can lose
    their_takers: list[TrimmedCounter]
    they_lend: bool

    @property
    def doubtless(self) -> "Stacks":
        """The same without what only makes losses doubtful."""
        return self._replace(lending=False, they_lend=False)


@lru_cache(maxsize=1024)  # the same whatever the table says
def _stacks_in(case: Case[TrimmedAttack]) -> Stacks:
    setup = case.setup
    return stacks_of(case, setup.attackers, setup.defenders, setup.room)


def stacks_of(
    case: Case[Any],
    attackers: tuple[TrimmedCounter, ...],
    defenders: tuple[TrimmedCounter, ...],
    room: int,
) -> Stacks:
    """Give the units of both sides by what can become of them."""
    return Stacks(
        attackers,
        takers(case, "attacker", attackers),
        bool(only_support("attacker", attackers)),
        [unit for unit in attackers if _can_advance(unit, room)],
        *_theirs(case, defenders),
    )


@kept
def _theirs(
    case: Case[Any], units: tuple[TrimmedCounter, ...]
) -> tuple[tuple[TrimmedCounter, ...], list[TrimmedCounter], bool]:
    able = takers(case, "defender", units)
    lending = [unit for unit in only_support("defender", units) if unit not in able]
    return tuple(map(_plain, able)), able, bool(lending)


def defenders_of(stacks: Stacks, owed: int, back: WayBack) -> tuple[TrimmedCounter, ...]:
    """8.3, 8.5: those who can lose, and one that makes losses doubtful.

    Where no loss falls on each unit, one with the steps of all stands for them.
    """
    if not owed:
        return ATTACKED
    units = stacks.defenders
    if stacks.they_lend:
        return (*units, *_LENDING)
    if back != _OPEN_WAY or any(unit.retreated or unit.at_distance for unit in units):
        return units
    return _as_one(min(steps(units), owed + 1))


def attackers_of(stacks: Stacks, owed: int, *, moving: bool) -> tuple[TrimmedCounter, ...]:
    """8.3, 8.4: those who can lose or advance, and one that makes losses doubtful.

    Where all who can lose could advance or nobody could, one with the steps of all stands for them;
    where losses are doubtful and not all is lost, some units like the first of the strongest.
    """
    takers, able = stacks.takers, stacks.able if moving else []
    if not owed:
        return _stand_ins(ATTACKED[0], 1, bool(able))
    left, all_steps = [unit for unit in able if unit in takers], steps(takers)
    alike = len(left) == len(takers) or not able
    if not stacks.lending and alike and (all_steps > owed or len(left) == len(able)):
        return _as_one(min(all_steps, owed + 1), FITS if able else TOO_LARGE)
    if all_steps > owed and alike:
        strongest = max(takers, key=lambda unit: unit.steps)
        count = -(-(owed + 1) // strongest.steps)
        return _stand_ins(strongest, count, bool(able), lent=stacks.lending)
    kept_ = [unit for unit in stacks.attackers if unit in takers or unit in able]
    told = [_sized(unit, FITS if unit in able else TOO_LARGE) for unit in kept_]
    doubtful = stacks.lending and not any(unit.kind in SUPPORTS for unit in told)
    return (*told, *(_LENDING if doubtful else ()))


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
    points = FITS if fits else TOO_LARGE
    first = replace(unit, kind="fighting", at_distance=False, points=points)
    others = [replace(first, name=f"*{number}") for number in range(1, count)]
    return (first, *others, *(_LENDING if lent else ()))


@lru_cache(maxsize=256)
def _as_one(steps_: int, points: int = 0) -> tuple[TrimmedCounter, ...]:
    """Give a unit that has the steps of several."""
    return (replace(ATTACKED[0], steps=steps_, points=points),)


@lru_cache(maxsize=1024)
def _sized(unit: TrimmedCounter, points: int) -> TrimmedCounter:
    return replace(unit, points=points)


@lru_cache(maxsize=1024)
def _plain(unit: TrimmedCounter) -> TrimmedCounter:
    kind = unit.kind if unit.at_distance and unit.kind in SUPPORTS else "fighting"
    return replace(unit, kind=kind, points=0)


ATTACKED = (
    TrimmedCounter(name="*", kind="fighting", points=0, at_distance=False, retreated=False),
)
# 8.3: whether it loses too is doubtful.
_LENDING = (TrimmedCounter(name="*hq", kind="hq", points=0, at_distance=True, retreated=False),)
