"""Normandy '44: what the odds of an attack still depend on once the table is read."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from grognard.card.rows import SIDES
from grognard.games.normandy.results import lead_modifier
from grognard.games.normandy.stated import (
    Fortification,
    NormandyFight,
    NormandyPreparation,
    TrimmedAttack,
    TrimmedAttacker,
    TrimmedDefender,
    effect,
)
from grognard.rules.fight import Case, CaseKey, Fight, Unit, shared_case, steps
from grognard.rules.kept import kept

U = TypeVar("U", bound=Unit)


def least(fight: NormandyFight) -> NormandyFight:
    """Keep only what the result can make a difference to; the Jabos have flown."""
    return _least(fight.case, fight.result)


@lru_cache(maxsize=4096)
def _least(case: Case[TrimmedAttack], result: str) -> NormandyFight:
    setup = case.setup
    values = effect(NormandyFight(case=case, result=result))
    stands, goes = bool(values["determined_defence"]), bool(values["retreat"])
    lost = int(values["attacker_steps"]) + (_most_by_standing(case) if stands else 0)
    defenders = setup.defenders
    if stands:
        support = setup.defensive_support
        defenders = tuple([_leading(case, unit, support) for unit in defenders])
    else:
        defenders = _all_plain(defenders)
    comes = values["advance"] != "none" or bool(values["reserve"])
    owed, half = int(values["defender_steps"]), values["defender_half"]
    if not (stands or goes or half or owed or comes or values["spares_attacker_if_one_step"]):
        defenders = (_ANYBODY,)
    elif not (stands or goes or half):
        defenders = _losing(defenders, owed, values["defender_loss_by"] not in SIDES)
    ground = Ground(
        setup.terrain if stands else (),
        setup.fortification if stands else "none",
        setup.defensive_support if stands else 0,
        setup.can_retreat or not goes,
        setup.retreat_path if goes and setup.can_retreat else (),
    )
    told = values["attacker_steps"] and values["attacker_loss_by"] not in SIDES
    attackers = setup.attackers
    if not (lost and values["reserve"]):  # of a Reserve it is told, as a doubt, who goes into it
        attackers = _attacking(attackers, lost, bool(told), comes)
    return _stated(case, attackers, defenders, result, ground)


class Ground(NamedTuple):
    """What is stated besides the units, as far as it counts once the table is read."""

    terrain: tuple[str, ...]
    fortification: Fortification
    defensive_support: int
    can_retreat: bool
    retreat_path: tuple[str, ...]


@kept
def _stated(
    case: Case[TrimmedAttack],
    attackers: tuple[TrimmedAttacker, ...],
    defenders: tuple[TrimmedDefender, ...],
    result: str,
    ground: Ground,
) -> NormandyFight:
    """Give the fight of some units that has a result; always the same object."""
    stated = TrimmedAttack(
        attackers=attackers,
        defenders=defenders,
        attacker_camp="allied",
        weather="other",
        flak_present=False,
        **ground._asdict(),
    )
    return NormandyFight(
        case=case.restated(stated), attackers=attackers, defenders=defenders, result=result
    )


@kept
def _most_by_standing(case: Case[TrimmedAttack]) -> int:
    """12.4: the most steps that a Determined Defence can cost the attacker."""
    table = case.card.table("determined-defence")
    return max(
        sum(int(table.legend[code].values["attacker_steps"]) for code in codes)
        for row in table.row_labels
        for column in table.column_labels
        for codes in table.read(row, column, case.options).options
    )


@lru_cache(maxsize=1024)
def _attacking(
    units: tuple[TrimmedAttacker, ...],
    lost: int,
    told: bool,  # cached
    comes: bool,
) -> tuple[TrimmedAttacker, ...]:
    """Keep of attackers who lose at most some steps as many as make a difference.

    Unless they may come into the hex or go into Reserve, it makes none how they could. Where all
    of them can advance or nobody can, and the main force has more steps than it loses, it makes
    none who loses them. Of the first of the strongest it may be told what is left.
    """
    alike = [_attacker(unit, counts=lost > 0, comes=comes) for unit in units]
    main = [unit for unit in alike if unit.main_force]
    strongest = max(main, key=lambda unit: unit.steps)
    if steps(main) > lost and len({unit.advance for unit in alike}) == 1:
        if not told or len(main) == 1:
            return (replace(alike[0], main_force=True, steps=lost + 1),)
        others = [unit for unit in main if unit is not strongest]
        enough = next(n for n in range(1, len(main)) if steps((strongest, *others[:n])) > lost)
        return tuple([unit for unit in main if unit is strongest or unit in others[:enough]])
    return _as_many_as_count(alike, lost, strongest if told else None)


@lru_cache(maxsize=1024)
def _attacker(unit: TrimmedAttacker, *, counts: bool, comes: bool) -> TrimmedAttacker:
    """14.4: where an advance ends makes no difference; the main force only in losses."""
    way = "barred" if comes and unit.advance == "barred" else "open"
    return replace(unit, main_force=unit.main_force or not counts, advance=way)


@lru_cache(maxsize=1024)
def _losing(
    units: tuple[TrimmedDefender, ...],
    lost: int,
    told: bool,  # cached
) -> tuple[TrimmedDefender, ...]:
    """Keep of defenders who lose some steps, and nothing else, as many as make a difference.

    One of these is whether they had a single step when the attack began.
    """
    strongest = max(units, key=lambda unit: unit.steps)
    return _as_many_as_count(units, max(lost, 1), strongest if told and lost else None)


def _as_many_as_count(units: Iterable[U], lost: int, told: U | None) -> tuple[U, ...]:
    """Keep, of units that differ only in their name, one more than steps are lost, and of their
    steps too; but all of the unit of which it is told what is left."""
    count, some = Counter[Unit](), list[U]()
    for unit in units:
        worn = unit if unit is told else replace(unit, steps=min(unit.steps, lost + 1))
        alike = replace(worn, name="*")
        count[alike] += 1
        if count[alike] <= lost + 1:
            some.append(worn)
    return tuple(some)


@kept
def _leading(case: Case[TrimmedAttack], unit: TrimmedDefender, support: int) -> TrimmedDefender:
    """12.4: of quality and armour of a Lead Unit, keep what its modifiers look at."""
    for other in (replace(unit, armour=0), replace(unit, quality=0)):
        if lead_modifier(case, other, support) == lead_modifier(case, unit, support):
            return other
    return unit


@lru_cache(maxsize=1024)
def _plain(unit: TrimmedDefender) -> TrimmedDefender:
    return replace(unit, quality=0, armour=0, lead_uses_armour=False)


@lru_cache(maxsize=1024)
def _all_plain(units: tuple[TrimmedDefender, ...]) -> tuple[TrimmedDefender, ...]:
    return tuple(map(_plain, units))


_ANYBODY = TrimmedDefender(name="*", steps=1, quality=0, armour=0, lead_uses_armour=False)


# ------------------------------------------------------------------ Determined Defence


def settled(fight: NormandyPreparation | NormandyFight) -> Fight:
    """12.4: the quality of a Lead Unit and the hex count until it has been chosen; after the roll
    the fortification counts if it is removed."""
    if not isinstance(fight, NormandyFight) or not fight.lead:
        return fight
    removes = fight.stand and any(
        row.values["removes_fortification"]
        for row in map(fight.case.card.table("determined-defence").legend.__getitem__, fight.stand)
    )
    return replace(
        fight,
        case=_led(fight.case, bool(fight.stand), bool(removes)),
        defenders=_all_plain(fight.defenders),
    )


@lru_cache(maxsize=1024)
def _led(case: Case[TrimmedAttack], rolled: bool, removes: bool) -> Case[TrimmedAttack]:
    setup = case.setup
    stated = replace(
        setup,
        defenders=_all_plain(setup.defenders),
        defensive_support=0,
        terrain=(),
        fortification="none" if rolled and not removes else setup.fortification,
    )
    return shared_case(CaseKey(case.restated(stated)))
