"""White October: what the odds of an attack still depend on once the table is read."""

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from grognard.card.rows import SIDES, Side
from grognard.card.tables import Half
from grognard.games.white_october.results import amount, effects_of
from grognard.games.white_october.stated import (
    Settled,
    TrimmedAttack,
    TrimmedCounter,
    WhiteOctoberFight,
    can_retreat,
)
from grognard.rules.fight import Case, CaseKey, alive, shared_case, steps
from grognard.rules.kept import kept
from grognard.rules.procedure import Carried


def carried(fight: WhiteOctoberFight) -> Carried:
    """Give what the outcome has of a fight whose table is read, whatever happens later."""
    return (("result", fight.result),)


def least(fight: WhiteOctoberFight) -> WhiteOctoberFight:
    """Keep only what the two halves of the result can make a difference to."""
    return _least(fight.case, fight.halves, fight.mandatory, fight.winner)


@lru_cache(maxsize=4096)
def _least(
    case: Case[TrimmedAttack], halves: tuple[Half, Half], mandatory: int, winner: Side | None
) -> WhiteOctoberFight:
    setup, (ours, theirs) = case.setup, halves
    back = [
        can_retreat(setup, side) or not {"retreat", "rout"} & _effects(case, half)
        for side, half in zip(SIDES, halves, strict=True)
    ]
    further = setup.second_hex_allowed and any(_advance(case, half) > 1 for half in halves)
    return _stated(
        case,
        _units(case, setup.attackers, ours, mandatory, back[0]),
        _units(case, setup.defenders, theirs, mandatory, back[1]),
        Open(further, *back),
        Read(mandatory, winner, halves),
    )


class Open(NamedTuple):
    """Which ways are open, as far as it counts once the table is read."""

    second_hex_allowed: bool
    attacker_can_retreat: bool
    defender_can_retreat: bool


class Read(NamedTuple):
    """What the table has said."""

    mandatory: int
    winner: Side | None
    halves: tuple[Half, Half]


@kept
def _stated(
    case: Case[TrimmedAttack],
    attackers: tuple[TrimmedCounter, ...],
    defenders: tuple[TrimmedCounter, ...],
    ways: Open,
    read: Read,
) -> WhiteOctoberFight:
    """Give the fight of some units that has a result; always the same object."""
    stated = TrimmedAttack(attackers=attackers, defenders=defenders, **ways._asdict())
    return WhiteOctoberFight(
        case=case.restated(stated), attackers=attackers, defenders=defenders, **read._asdict()
    )


@kept
def _effects(case: Case[TrimmedAttack], half: Half) -> frozenset[str]:
    """Name all that a half can do, whichever of its results is chosen."""
    return frozenset(key for codes in half.options for key in effects_of(case, codes))


@kept
def _advance(case: Case[TrimmedAttack], half: Half) -> int:
    """Give the hexes that a half lets its side advance at most."""
    return max(amount(effects_of(case, codes), "advance") for codes in half.options)


@kept
def _units(
    case: Case[TrimmedAttack],
    units: tuple[TrimmedCounter, ...],
    half: Half,
    mandatory: int,
    back: bool,  # kept
) -> tuple[TrimmedCounter, ...]:
    """Give a side's units with no more steps than count, or one that stands for all of them.

    Steps that can't be lost do not count; of units that are not shaken it does not count either who
    loses them.
    """
    named = _effects(case, half)
    shaken = named & {"rout", "disorganised"}
    most = mandatory + max(_losses(case, codes, back=back) for codes in half.options)
    stuck = not back and case.options["no_retreat"] == "eliminated"
    worse = shaken and case.options["shaken_again"] != "unchanged"
    if "surrender" in named or stuck or worse:
        return units
    if not shaken:
        return (replace(_STANDING, steps=min(steps(units), most + 1)),)
    return tuple([replace(unit, steps=min(unit.steps, most + 1)) for unit in units])


def _losses(case: Case[TrimmedAttack], codes: tuple[str, ...], *, back: bool) -> int:
    """Give the losses of a result, with those for hexes that can't be retreated."""
    effects, blocked = effects_of(case, codes), 0
    if not back and case.options["no_retreat"] == "loss":
        blocked = int(case.card.number("no_retreat_loss"))
    return amount(effects, "losses") + blocked * (
        amount(effects, "retreat") + amount(effects, "rout")
    )


_STANDING = TrimmedCounter(name="*", steps=1, routed=False, disorganised=False)


# ------------------------------------------------------------------ once a side is through


def settled(fight: WhiteOctoberFight) -> WhiteOctoberFight:
    """Of a side that has applied its result it still counts whether anybody is left."""
    ours, theirs = fight.attackers, fight.defenders
    through = isinstance(ours, Settled), isinstance(theirs, Settled)
    if not any(through):
        return fight
    return replace(
        fight,
        case=_case_of(fight.case, through),
        attackers=_left(ours) if through[0] else ours,
        defenders=_left(theirs) if through[1] else theirs,
    )


@lru_cache(maxsize=4096)
def _case_of(case: Case[TrimmedAttack], through: tuple[bool, bool]) -> Case[TrimmedAttack]:
    changed: dict[str, object] = {}
    for side, done in zip(SIDES, through, strict=True):
        if done:
            changed |= {f"{side}s": (_STANDING,), f"{side}_can_retreat": True}
    return shared_case(CaseKey(case.restated(replace(case.setup, **changed))))


def _left(units: tuple[TrimmedCounter, ...]) -> Settled:
    return _ONE if alive(units) else _NOBODY


_ONE, _NOBODY = Settled((_STANDING,)), Settled(())
