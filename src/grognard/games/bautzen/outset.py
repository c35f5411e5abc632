"""Bautzen 1945: what the odds of an attack depend on before the table is read."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from grognard.games.bautzen.least import (
    Stacks,
    WayBack,
    attackers_of,
    defenders_of,
    stacks_of,
    way_back,
)
from grognard.games.bautzen.odds import Ground, ground_of, located
from grognard.games.bautzen.stated import (
    FITS,
    BautzenFight,
    BautzenPreparation,
    BautzenTotals,
    Committed,
    Place,
    Totalled,
    TrimmedAttack,
    TrimmedCounter,
    columns_only,
    room_of,
    trimmed_attackers,
    trimmed_defenders,
)
from grognard.games.bautzen.strength import every_commitment, totals
from grognard.rules.ask import told
from grognard.rules.fight import Case, Fight
from grognard.rules.kept import kept
from grognard.rules.line import Line, doubtful
from grognard.rules.procedure import Outset
from grognard.rules.rolls import row_at


def outset(fight: BautzenPreparation | BautzenFight) -> Outset:
    """Keep where each commitment leads, and of the units what the losses make a difference to."""
    if isinstance(fight, BautzenFight):
        return Outset(fight) if fight.columns_alone else _with_fewer(fight)
    return Outset(fight) if columns_only(fight) else _totalled(fight)


def _with_fewer(fight: BautzenFight) -> Outset:
    """Keep the units that can lose or advance, where at most so many steps are owed."""
    case, setup = fight.case, fight.case.setup
    ours, theirs = _most_owed(case, fight.column, fight.die_modifier)
    stacks = stacks_of(case, fight.attackers, fight.defenders, setup.room)
    back = way_back(setup, theirs)

    def fewer(doubted: bool) -> BautzenFight:
        attackers, defenders = _units(stacks, (ours, theirs), back, doubted)
        stated = TrimmedAttack(
            attackers=attackers, defenders=defenders, room=FITS, cl_room=0, **back._asdict()
        )
        return replace(fight, case=case.restated(stated), attackers=attackers, defenders=defenders)

    return _outset(fewer)


def _outset(fewer: Callable[[bool], Fight], lines: tuple[Line, ...] = ()) -> Outset:
    """Leave out what only makes lines doubtful, until somebody asks for these."""
    return Outset(fewer(False), lines, partial(fewer, True))


def _units(
    stacks: Stacks, owed: tuple[int, int], back: WayBack, doubted: bool
) -> tuple[tuple[TrimmedCounter, ...], tuple[TrimmedCounter, ...]]:
    """Give the units of both sides that can lose or advance."""
    of = stacks if doubted else stacks.doubtless
    ours, theirs = owed
    return attackers_of(of, ours, moving=theirs > 0), defenders_of(of, theirs, back)


@kept
def _most_owed(case: Case[Any], column: int, die_modifier: int) -> tuple[int, int]:
    """Give the largest losses of each side on a column, for any die."""
    table = case.card.table("combat")
    label = table.column_labels[column]
    rows = {row_at(table, die + die_modifier) for die in table.rolled.values()}
    halves = [[int(half.options[0][0]) for half in table.cell(row, label).halves] for row in rows]
    return max(ours for ours, _ in halves), max(theirs for _, theirs in halves)


def _totalled(fight: BautzenPreparation) -> Outset:
    case, (known, lines) = fight.case, told(totals(fight))
    ratio, setup = (known.attack, known.defence), case.setup
    if known.defence:  # 8.2 (4): rounded down, it counts as so many to one
        ratio = known.attack // known.defence, 1
    places, doubtless, most = _places(case, ratio, ground_of(case))
    back = way_back(setup, most[1])

    stacks = stacks_of(case, trimmed_attackers(case), trimmed_defenders(case), room_of(case))

    def fewer(doubted: bool) -> BautzenTotals:
        attackers, defenders = _units(stacks, most, back, doubted)
        stated = Totalled(
            attackers=attackers,
            defenders=defenders,
            places=places if doubted else doubtless,
            attacker_cl=setup.attacker_cl,
            defender_cl=setup.defender_cl,
            attacker_air=setup.attacker_air,
            defender_air=setup.defender_air,
            attacker_cl_at_hand=setup.attacker_cl_at_hand,
            defender_cl_at_hand=setup.defender_cl_at_hand,
            attacker_air_at_hand=setup.attacker_air_at_hand,
            defender_air_at_hand=setup.defender_air_at_hand,
            **back._asdict(),
        )
        return BautzenTotals(case=case.restated(stated), attackers=attackers, defenders=defenders)

    return _outset(fewer, tuple(doubtful(lines)))


Places = tuple[Place, ...]


@kept
def _places(
    case: Case[Any], ratio: tuple[int, int], ground: Ground
) -> tuple[Places, Places, tuple[int, int]]:
    """Give where each commitment leads, with doubts and without, and the largest losses of each
    side on these columns."""
    places = [_place(case, ratio, ground, pair) for pair in every_commitment(ground.stated)]
    most = [_most_owed(case, place.column, place.die_modifier) for place in places]
    doubtless = tuple([place._replace(doubts=()) for place in places])
    return (
        tuple(places),
        doubtless,
        (max(ours for ours, _ in most), max(theirs for _, theirs in most)),
    )


def _place(case: Case[Any], ratio: tuple[int, int], ground: Ground, committed: Committed) -> Place:
    (column, added), lines = told(located(case, *ratio, ground, committed))
    return Place(committed, column, added, tuple(doubtful(lines)))
