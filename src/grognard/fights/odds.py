"""Exact odds of fights, of kinds of fights, and of trees; and the caches that they fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Protocol

from grognard.fights.chances import Found, Odds
from grognard.fights.doctrine import Doctrine, doctrine
from grognard.fights.fight_analysis import Analysis, of_kind
from grognard.fights.kind import kind_of, with_tokens
from grognard.fights.memory import shared_memory
from grognard.fights.opening import Opening, cached_opening, opening
from grognard.fights.refused_work import refused_once
from grognard.fights.stack_room import with_stack_room
from grognard.fights.tree import Node, leaves
from grognard.fights.weights import mix
from grognard.rules.fight import Fight, bare_case, shared_case
from grognard.rules.line import Line
from grognard.rules.modifiers import kept_amount, kept_product, kept_total


def odds(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the exact odds of a fight. A fight of a known kind is answered at once."""
    return _answer(opening(fight), doctrine(attacker), doctrine(defender))


def direct_odds(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the same odds from the fight itself: nothing is shared with fights of its kind."""
    return Analysis(fight, doctrine(attacker), doctrine(defender), by_kind=False).odds()


def odds_when_trimmed(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the odds of a trimmed fight."""
    kind = kind_of(fight)
    return Odds(of_kind(kind.fight, doctrine(attacker), doctrine(defender)), kind.names)


@with_stack_room
def found_by_kinds(node: Node, attacker: Doctrine, defender: Doctrine) -> Found:
    """Work out the odds of a kind, or of the fights of known kinds at the leaves of a node."""
    if isinstance(node, Fight):
        return of_kind(node, attacker, defender)
    first = next(leaves(node))
    step = first.case.procedure.trimmed
    return Analysis(first, attacker, defender, step=step).found_after(step - 1, [(1, node)])


def averaged(parts: Sequence[tuple[Fraction, Odds]]) -> Odds:
    """Mix odds with the chances of each; their doctrines are the same."""
    common = lcm(*(chance.denominator for chance, _ in parts))
    weights, _ = mix([(int(p * common), (odds.weights, odds.total)) for p, odds in parts])
    commitments = tuple(mixed for _, odds in parts for mixed in odds.commitments)
    doubts = tuple(line for _, odds in parts for line in odds.doubts)
    return Odds(Found(parts[0][1].doctrines, weights, commitments, doubts))


def forget() -> None:
    """Clear all caches."""
    for cache in (
        _answer,
        _of_asking,
        of_kind,
        shared_memory,
        cached_opening,
        with_tokens,
        shared_case,
        bare_case,
        kept_total,
        kept_amount,
        kept_product,
        *CACHES,
    ):
        cache.cache_clear()


class Cache(Protocol):
    """A cache of a function."""

    def cache_clear(self) -> None:
        """Forget all results."""


CACHES: list[Cache] = []  # of modules that are built on this one


@lru_cache(maxsize=4096)
def _answer(begun: Opening, attacker: Doctrine, defender: Doctrine) -> Odds:
    start, left_out, doubted = begun.fight.case.procedure.outset(begun.fight)

    def answer(fight: Fight, told: Callable[[], tuple[Line, ...]] = tuple) -> Odds:
        kind, names, _ = kind_of(fight)
        if begun.trimmed:
            return Odds(of_kind(kind, attacker, defender), names, told)
        return Odds(_of_asking(kind, begun.step, attacker, defender), names, told)

    def doubts() -> tuple[Line, ...]:
        later = answer(doubted()).doubts if doubted else ()
        return (*begun.doubts, *left_out, *later)

    return answer(start, doubts)


@lru_cache(maxsize=1024)
@refused_once
def _of_asking(fight: Fight, step: int, attacker: Doctrine, defender: Doctrine) -> Found:
    """Work out the odds of a fight with tokens for names that asks before its kind is known."""
    return Analysis(fight, attacker, defender, step=step).found()
