"""White October: what the odds of an attack still depend on once the table is read."""

from functools import lru_cache

from msgspec.structs import replace

from grognard.card.rows import SIDES, Side
from grognard.card.tables import Half
from grognard.games.white_october.results import amount, effects_of
from grognard.games.white_october.stated import (
    TrimmedAttack,
    TrimmedCounter,
    WhiteOctoberFight,
    can_retreat,
)
from grognard.rules.fight import Case, CaseKey, shared_case, units_of


def carried(fight: WhiteOctoberFight) -> dict[str, object]:
    """Give what the outcome has of a fight whose table is read, whatever happens later."""
    return {"result": fight.result}


def least(fight: WhiteOctoberFight) -> WhiteOctoberFight:
    """Keep only what the two halves of the result can make a difference to."""
    return _least(fight.case, fight.halves, fight.mandatory, fight.winner)


@lru_cache(maxsize=4096)
def _least(
    case: Case[TrimmedAttack], halves: tuple[Half, Half], mandatory: int, winner: Side | None
) -> WhiteOctoberFight:
    ours, theirs = (
        _units(case, side, half, mandatory) for side, half in zip(SIDES, halves, strict=True)
    )
    named = {key for half in halves for key in _effects(case, half)}
    back = [
        can_retreat(case.setup, side) or not {"retreat", "rout"} & _effects(case, half)
        for side, half in zip(SIDES, halves, strict=True)
    ]
    stated = TrimmedAttack(
        attackers=ours,
        defenders=theirs,
        second_hex_allowed=case.setup.second_hex_allowed and "advance" in named,
        attacker_can_retreat=back[0],
        defender_can_retreat=back[1],
    )
    return WhiteOctoberFight(
        case=shared_case(CaseKey(case.restated(stated))),
        attackers=ours,
        defenders=theirs,
        mandatory=mandatory,
        winner=winner,
        halves=halves,
    )


def _effects(case: Case[TrimmedAttack], half: Half) -> set[str]:
    """Name all that a half can do, whichever of its results is chosen."""
    return {key for codes in half.options for key in effects_of(case, codes)}


def _units(
    case: Case[TrimmedAttack], side: Side, half: Half, mandatory: int
) -> tuple[TrimmedCounter, ...]:
    """Give a side's units with no more steps than count, or one that stands for all of them.

    Steps that can't be lost do not count; units of which none is lost or shaken do not either.
    """
    units, named = units_of(case.setup, side), _effects(case, half)
    shaken, stuck = named & {"rout", "disorganised"}, False
    most = mandatory + max(_losses(case, side, codes) for codes in half.options)
    if not can_retreat(case.setup, side) and named & {"retreat", "rout"}:
        stuck = case.options["no_retreat"] == "eliminated"
    worse = shaken and case.options["shaken_again"] != "unchanged"
    if "surrender" in named or stuck or worse:
        return units
    if not most and not shaken:
        return (_UNTOUCHED,)
    return tuple([replace(unit, steps=min(unit.steps, most + 1)) for unit in units])


def _losses(case: Case[TrimmedAttack], side: Side, codes: tuple[str, ...]) -> int:
    """Give the losses of a result, with those for hexes that can't be retreated."""
    effects, blocked = effects_of(case, codes), 0
    if not can_retreat(case.setup, side) and case.options["no_retreat"] == "loss":
        blocked = int(case.card.number("no_retreat_loss"))
    return amount(effects, "losses") + blocked * (
        amount(effects, "retreat") + amount(effects, "rout")
    )


_UNTOUCHED = TrimmedCounter(name="*", steps=1, routed=False, disorganised=False)
