"""Normandy '44: what the odds of an attack still depend on once the table is read."""

from functools import lru_cache

from msgspec.structs import replace

from grognard.games.normandy.stated import (
    NormandyFight,
    TrimmedAttack,
    TrimmedAttacker,
    TrimmedDefender,
    effect,
)
from grognard.rules.fight import Case, CaseKey, shared_case


def least(fight: NormandyFight) -> NormandyFight:
    """Keep only what the result can make a difference to; the Jabos have flown."""
    return _least(fight.case, fight.result)


@lru_cache(maxsize=4096)
def _least(case: Case[TrimmedAttack], result: str) -> NormandyFight:
    setup = case.setup
    values = effect(NormandyFight(case=case, result=result))
    stands, goes = bool(values["determined_defence"]), bool(values["retreat"])
    attackers = setup.attackers
    if not (values["attacker_steps"] or (stands and _costs_attacker(case))):
        attackers = _standing(attackers)
    defenders = setup.defenders if stands else tuple(map(_plain, setup.defenders))
    stated = TrimmedAttack(
        attackers=attackers,
        defenders=defenders,
        terrain=setup.terrain if stands else (),
        fortification=setup.fortification if stands else "none",
        attacker_camp="allied",
        weather="other",
        flak_present=False,
        defensive_support=setup.defensive_support if stands else 0,
        can_retreat=setup.can_retreat or not goes,
        retreat_path=setup.retreat_path if goes and setup.can_retreat else (),
    )
    return NormandyFight(
        case=shared_case(CaseKey(case.restated(stated))),
        attackers=attackers,
        defenders=defenders,
        result=result,
    )


def _costs_attacker(case: Case[TrimmedAttack]) -> bool:
    """Tell whether a Determined Defence can cost the attacker steps."""
    legend = case.card.table("determined-defence").legend.values()
    return any(row.values["attacker_steps"] for row in legend)


def _standing(units: tuple[TrimmedAttacker, ...]) -> tuple[TrimmedAttacker, ...]:
    """Of attackers who lose nothing, keep the first that can advance and the first that can't."""
    first = dict[bool, TrimmedAttacker]()
    for unit in units:
        first.setdefault(unit.advance == "barred", unit)
    return tuple([replace(u, steps=1, main_force=True) for u in units if u in first.values()])


@lru_cache(maxsize=1024)
def _plain(unit: TrimmedDefender) -> TrimmedDefender:
    return replace(unit, quality=0, armour=0, lead_uses_armour=False)
