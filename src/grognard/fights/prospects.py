"""Prospects: the exact odds of what remains of a play, and those behind each open answer.

They come from the trees and values from which the odds before the dice are worked out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from grognard.card.rows import SIDES, Side
from grognard.fights.chances import Found, Odds
from grognard.fights.doctrine import Doctrine, doctrine
from grognard.fights.fight_analysis import Analysis, WeightedNodes, with_shared_memory
from grognard.fights.odds import CACHES
from grognard.fights.play import Play
from grognard.fights.position import Position, placed
from grognard.fights.refused_work import refused_once
from grognard.fights.tree import Chosen, Committed, Node
from grognard.fights.work_budget import within_budget
from grognard.rules.ask import Answer, Ask, Choose, Commit
from grognard.words.refusal import Refusal

if TYPE_CHECKING:
    from grognard.fights.table_place import TablePlaces


class Prospect(NamedTuple):
    """A legal answer and the odds behind it."""

    answer: Answer
    odds: Odds
    share: Fraction  # how often the doctrine gives this answer
    best: bool  # whether the doctrine values no other answer more
    places: TablePlaces | None = None  # where the table will be read after it, if that is open
    risk: Fraction = Fraction(0)  # that the unit which it names loses its last step
    role: Side | None = None  # of who answers, in the fight that follows; None: as he is asked
    then: tuple[tuple[Choose, Answer], ...] = ()  # later questions, as the odds answer them


def stands_out(options: Sequence[Prospect], place: int) -> bool:
    """Tell whether the doctrine gives an answer; where all are equally good none stands out."""
    option = options[place]
    return option.best and (0 < option.share < 1 or not all(other.best for other in options))


class Prospects(NamedTuple):
    """What can still happen, and what each side's open answers lead to."""

    odds: Odds
    options: Mapping[Side, tuple[Prospect, ...]]  # of the sides that have a choice now


def prospects(play: Play, attacker: str = "best", defender: str = "best") -> Prospects:
    """Work out the exact odds from the present moment of a play.

    Behind an answer to a commitment stands the other side's strategy by the doctrines.
    """
    doctrines = doctrine(attacker), doctrine(defender)
    if play.asking is None:
        return Prospects(Odds(Found(doctrines, {play.outcome: 1})), {})
    position, names = placed(play)
    ahead = _ahead(position, *doctrines)
    options = {
        side: tuple(
            Prospect(answer, Odds(behind.found, names), behind.share, behind.best)
            for answer, behind in zip(menu(play.asking, side), ahead.options[side], strict=True)
        )
        for side in ahead.options
    }
    return Prospects(Odds(ahead.found, names), options)


def advice(play: Play, attacker: str = "best", defender: str = "best") -> Prospects | Refusal:
    """Work out the prospects of a play; where that is too much work, give the reason."""
    return within_budget(lambda: prospects(play, attacker, defender))


def menu(ask: Ask, side: Side) -> tuple[Answer, ...]:
    """Give the legal answers of a side."""
    match ask:
        case Choose():
            return ask.options if ask.side == side else ()
        case Commit():
            return ask.attacker if side == "attacker" else ask.defender
    return ()


class _Behind(NamedTuple):
    found: Found
    share: Fraction
    best: bool


class _Ahead(NamedTuple):
    found: Found
    options: Mapping[Side, tuple[_Behind, ...]]


@lru_cache(maxsize=1024)
@refused_once
def _ahead(position: Position, attacker: Doctrine, defender: Doctrine) -> _Ahead:
    fight, step, _ = position
    if not position.of_kind:
        return _seen(Analysis(fight, attacker, defender, step=step), position)
    return with_shared_memory(
        lambda analysis: _seen(analysis, position), fight, step, attacker, defender
    )


CACHES.append(_ahead)


def _seen(analysis: Analysis, position: Position) -> _Ahead:
    fight, step, since = position
    analysis.doubts = {}
    node = analysis.node_at(step, fight, since)
    # With answers in the present step, its tree has doubts of ways that were not taken.
    found = analysis.found_after(step, [(1, node)], () if since else tuple(analysis.doubts))
    match node:
        case Chosen():
            return _Ahead(found, {node.ask.side: _choices(analysis, step, node)})
        case Committed():
            return _Ahead(found, _commitments(analysis, step, node))
    return _Ahead(found, {})


def _choices(analysis: Analysis, step: int, node: Chosen) -> tuple[_Behind, ...]:
    picked, side = analysis.pick(step, node), node.ask.side
    most = analysis.worth(step, node.children[picked])
    founds: dict[Node, Found] = {}  # options that are alike share a node
    for child in node.children:
        if child not in founds:
            founds[child] = analysis.found_after(step, [(1, child)])
    return tuple(
        _Behind(
            founds[child],
            Fraction(int(place == picked)),
            not most.above(analysis.worth(step, child), side),
        )
        for place, child in enumerate(node.children)
    )


def _commitments(
    analysis: Analysis, step: int, node: Committed
) -> Mapping[Side, tuple[_Behind, ...]]:
    mixed = analysis.commitment(step, node)
    columns = tuple(zip(*node.children, strict=True))
    sides = (
        (SIDES[0], node.children, mixed.attacker, mixed.defender),
        (SIDES[1], columns, mixed.defender, mixed.attacker),
    )
    return {
        side: tuple(
            _Behind(analysis.found_after(step, _against(line, others)), share, share > 0)
            for line, share in zip(lines, own, strict=True)
        )
        for side, lines, own, others in sides
        if len(lines) > 1
    }


def _against(line: tuple[Node, ...], shares: tuple[Fraction, ...]) -> WeightedNodes:
    """Weight what follows from an option by the other side's strategy."""
    common = lcm(*(share.denominator for share in shares))
    pairs = zip(shares, line, strict=True)
    return [(int(share * common), child) for share, child in pairs if share]
