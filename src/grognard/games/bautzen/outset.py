"""Bautzen 1945: what the odds of an attack depend on before the table is read."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from grognard.games.bautzen.least import ATTACKED, attackers_of, stacks_of
from grognard.games.bautzen.odds import committed_facts, ground_facts, located
from grognard.games.bautzen.stated import (
    FITS,
    BautzenFight,
    BautzenPreparation,
    BautzenTotals,
    Committed,
    Place,
    Totalled,
    TrimmedAttack,
    columns_only,
    trimmed_case,
)
from grognard.games.bautzen.strength import every_commitment, totals
from grognard.rules.ask import told
from grognard.rules.fight import Case, Fight
from grognard.rules.kept import kept
from grognard.rules.line import Line
from grognard.rules.modifiers import FactValue, tested_facts
from grognard.rules.procedure import trimmed
from grognard.rules.rolls import row_at


def outset(fight: BautzenPreparation | BautzenFight) -> tuple[Fight, tuple[Line, ...]]:
    """Keep where each commitment leads, and of the units what the losses make a difference to."""
    if isinstance(fight, BautzenFight):
        return (fight if fight.columns_alone else _with_fewer(fight)), ()
    return (fight, ()) if columns_only(fight) else _totalled(fight)


def _with_fewer(fight: BautzenFight) -> BautzenFight:
    owed = _most_owed(fight.case, fight.column, fight.die_modifier)
    case = fight.case.restated(_fewer(fight.case, *owed))
    setup = case.setup
    return replace(fight, case=case, attackers=setup.attackers, defenders=setup.defenders)


@lru_cache(maxsize=256)
def _fewer(case: Case[TrimmedAttack], ours: int, theirs: int) -> TrimmedAttack:
    """Keep the units that can lose or advance, where at most so many steps are owed."""
    setup, stacks = case.setup, stacks_of(case)
    goes = theirs > 0 and setup.can_retreat
    room = setup.retreat_room if goes else None
    return replace(
        setup,
        attackers=attackers_of(stacks, ours, moving=theirs > 0),
        defenders=stacks.defenders if theirs else ATTACKED,
        room=FITS,
        cl_room=0,
        can_retreat=goes,
        retreat_room=None if room is None or room >= theirs else room,
        retreat_unsupplied=goes and setup.retreat_unsupplied,
    )


@kept
def _most_owed(case: Case[Any], column: int, die_modifier: int) -> tuple[int, int]:
    """Give the largest losses of each side on a column, for any die."""
    table = case.card.table("combat")
    label = table.column_labels[column]
    rows = {row_at(table, die + die_modifier) for die in table.rolled.values()}
    halves = [[int(half.options[0][0]) for half in table.cell(row, label).halves] for row in rows]
    return max(ours for ours, _ in halves), max(theirs for _, theirs in halves)


def _totalled(fight: BautzenPreparation) -> tuple[BautzenTotals, tuple[Line, ...]]:
    case, (known, lines) = fight.case, told(totals(fight))
    ratio, ground = (known.attack, known.defence), ground_facts(case)
    if known.defence:  # 8.2 (4): rounded down, it counts as so many to one
        ratio = known.attack // known.defence, 1
    facts = tuple([(id_, ground[id_]) for id_ in _tested(case) if id_ in ground])
    places = [_place(case, ratio, facts, pair) for pair in every_commitment(case.setup)]
    most = [_most_owed(case, place.column, place.die_modifier) for place in places]
    owed = max(ours for ours, _ in most), max(theirs for _, theirs in most)
    fewer = _fewer(trimmed_case(case), *owed)
    attackers, defenders = fewer.attackers, fewer.defenders
    stated = trimmed(
        Totalled,
        case.setup,
        attackers=attackers,
        defenders=defenders,
        places=tuple(places),
        can_retreat=fewer.can_retreat,
        retreat_room=fewer.retreat_room,
        retreat_unsupplied=fewer.retreat_unsupplied,
    )
    start = BautzenTotals(case=case.restated(stated), attackers=attackers, defenders=defenders)
    return start, _doubtful(lines)


@kept
def _place(
    case: Case[Any],
    ratio: tuple[int, int],
    ground: tuple[tuple[str, FactValue], ...],
    committed: Committed,
) -> Place:
    facts = {**dict(ground), **committed_facts(committed)}
    (column, added), lines = told(located(case, *ratio, facts))
    return Place(committed, column, added, _doubtful(lines))


@kept
def _tested(case: Case[Any]) -> tuple[str, ...]:
    """Name the facts that modifiers of the column and of the die look at."""
    rows = [row for what in ("column", "die") for row in case.card.modifying("combat", what)]
    return tested_facts(tuple(rows))


def _doubtful(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple([line for line in lines if line.reading.reason is not None])
