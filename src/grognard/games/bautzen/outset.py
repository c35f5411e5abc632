"""Bautzen 1945: what the odds of an attack depend on before the table is read."""

from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from grognard.games.bautzen.least import attackers_of, stacks_of
from grognard.games.bautzen.odds import ground_facts
from grognard.games.bautzen.stated import (
    FITS,
    BautzenFight,
    BautzenPreparation,
    BautzenTotals,
    Totalled,
    TrimmedAttack,
    columns_only,
    trimmed_case,
)
from grognard.games.bautzen.strength import totals
from grognard.rules.ask import told
from grognard.rules.fight import Case, Fight
from grognard.rules.kept import kept
from grognard.rules.line import Line
from grognard.rules.modifiers import tested_facts
from grognard.rules.procedure import trimmed


def outset(fight: BautzenPreparation | BautzenFight) -> tuple[Fight, tuple[Line, ...]]:
    """Keep the column or the totals, and of the units what any losses make a difference to."""
    if isinstance(fight, BautzenFight):
        return (fight if fight.columns_alone else _with_fewer(fight)), ()
    return (fight, ()) if columns_only(fight) else _totalled(fight)


def _with_fewer(fight: BautzenFight) -> BautzenFight:
    case = _fewer(fight.case)
    setup = case.setup
    return replace(fight, case=case, attackers=setup.attackers, defenders=setup.defenders)


@lru_cache(maxsize=256)
def _fewer(case: Case[TrimmedAttack]) -> Case[TrimmedAttack]:
    """Keep the units that can lose or advance, for the largest losses of the table.

    A retreat is as long as the defender likes, up to his losses.
    """
    stacks = stacks_of(case)
    ours, theirs = _most_owed(case)
    room = case.setup.retreat_room if case.setup.can_retreat else None
    stated = replace(
        case.setup,
        attackers=attackers_of(stacks, ours, moving=True),
        defenders=stacks.defenders,
        room=FITS,
        cl_room=0,
        retreat_room=None if room is None or room >= theirs else room,
        retreat_unsupplied=case.setup.can_retreat and case.setup.retreat_unsupplied,
    )
    return case.restated(stated)


@kept
def _most_owed(case: Case[Any]) -> tuple[int, int]:
    """Give the largest losses of each side that the table has."""
    table = case.card.table("combat")
    halves = [
        [int(half.options[0][0]) for half in table.cell(row, label).halves]
        for row in table.row_labels
        for label in table.column_labels
    ]
    return max(ours for ours, _ in halves), max(theirs for _, theirs in halves)


def _totalled(fight: BautzenPreparation) -> tuple[BautzenTotals, tuple[Line, ...]]:
    """8.2 (4): a ratio is rounded down, so it counts as so many to one; none to 0 as it is."""
    case, (known, lines) = fight.case, told(totals(fight))
    attack, defence = known.attack, known.defence
    if defence:
        attack, defence = attack // defence, 1
    fewer, facts = _fewer(trimmed_case(case)).setup, ground_facts(case)
    tested = _tested(case)
    stated = trimmed(
        Totalled,
        case.setup,
        attackers=fewer.attackers,
        defenders=fewer.defenders,
        facts=tuple([(id_, facts[id_]) for id_ in tested if id_ in facts]),
        retreat_room=fewer.retreat_room,
        retreat_unsupplied=fewer.retreat_unsupplied,
    )
    begun = BautzenTotals(
        case=case.restated(stated),
        attackers=fewer.attackers,
        defenders=fewer.defenders,
        attack=attack,
        defence=defence,
    )
    return begun, tuple([line for line in lines if line.reading.reason is not None])


@kept
def _tested(case: Case[Any]) -> tuple[str, ...]:
    """Name the facts that modifiers look at; what is committed is known later."""
    rows = [row for to in ("column", "die") for row in case.card.modifying("combat", to)]
    return tuple(sorted({*tested_facts(tuple(rows))} - _COMMITTED))


_COMMITTED = {"attacker_cl", "attacker_air", "defender_cl", "defender_air"}
