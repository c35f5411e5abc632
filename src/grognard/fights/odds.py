"""Exact odds: every roll with its weight, every choice by doctrine, equal fights merged.

Two passes over the same trees: backward from the end each choice is valued; forward, integer
weights are distributed over the fights between the steps. Once the kind of a fight is known, the
rest is worked out once for all fights of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from grognard.fights.chances import Found, Mixed, Odds, Worth
from grognard.fights.doctrine import Doctrine, doctrine
from grognard.fights.kind import kind_of, shared_case
from grognard.fights.mixed_strategy import solve
from grognard.fights.opening import Opening, cached_opening, opening
from grognard.fights.stack_room import with_stack_room
from grognard.fights.tree import Chosen, Committed, Node, Rolled, follow, grow, leaves
from grognard.rules.ask import Answer
from grognard.rules.fight import Case, CaseKey, Fight, Outcome
from grognard.rules.line import Line, about_anybody
from grognard.words.refusal import Refusal

K = TypeVar("K")
T = TypeVar("T")
WeightedFights = tuple[dict[Fight, int], int]  # weights, and their sum
WeightedNodes = Sequence[tuple[int, Node]]


class Known(NamedTuple, Generic[T]):
    """A cached value, and the doubtful lines met while it was worked out."""

    value: T
    doubts: tuple[Line, ...]


class Memory:
    """Cached trees and values of the fights of one case, by step, for given doctrines.

    Fights that began on different columns share them once the table is read.
    """

    def __init__(self, steps: int) -> None:
        self.trees: list[dict[Fight, Known[Node]]] = [{} for _ in range(steps)]
        self.worths: list[dict[Fight, Known[Worth]]] = [{} for _ in range(steps + 1)]
        self.picks: dict[Chosen, Known[int]] = {}

    def __len__(self) -> int:
        return sum(map(len, self.trees))

    def clear(self) -> None:
        for trees in self.trees:
            trees.clear()
        for worths in self.worths:
            worths.clear()
        self.picks.clear()


class Analysis:
    """The analysis of one fight with given doctrines.

    Trees and values are kept while it lives, or longer in a memory shared with others. With
    `by_kind`, a fight whose kind is known gets the odds and the value of its kind. With `apart`,
    the ends tell which unit has suffered what, also where that makes no difference to the odds.
    """

    def __init__(
        self,
        fight: Fight,
        attacker: Doctrine,
        defender: Doctrine,
        *,
        step: int = 0,
        doubts: Iterable[Line] = (),
        merging: bool = True,
        by_kind: bool = True,
        apart: bool = False,
        memory: Memory | None = None,
    ) -> None:
        self.start = fight
        self.first = step
        self.merging = merging
        self._apart = apart
        self.doctrines = (attacker, defender)
        self.steps = fight.case.procedure.steps
        self.doubts = dict.fromkeys(doubts)
        self.commitments: list[Mixed] = []
        # The step at which the kind of a fight is known; beyond the last one if kinds are not used.
        self._known = fight.case.procedure.trimmed if by_kind and merging else len(self.steps) + 1
        self._memory = Memory(len(self.steps)) if memory is None else memory
        self._cases: dict[CaseKey, Case[Any]] = {}

    def same(self, fight: Fight) -> Fight:
        """Give an equal fight with the case object that is used here.

        Cases are compared by identity, and every run of a fight trims it to a case of its own.
        """
        case = self._cases.setdefault(CaseKey(fight.case), fight.case)
        return fight if case is fight.case else replace(fight, case=case)

    def tree(self, step: int, fight: Fight) -> Node:
        """Give the tree of a step; it is grown once for equal fights."""
        trees = self._memory.trees[step]
        known = trees.get(fight) or self._find(trees, fight, lambda: self._grown(step, fight))
        return self._met(known)

    def _grown(self, step: int, fight: Fight) -> Node:
        return grow(self.steps[step], fight, self.doubts, merging=self.merging)

    def _tree_ahead(self, step: int, fight: Fight) -> Node:
        """Give the tree along which weight is distributed."""
        if not self._apart:
            return self.tree(step, fight)
        return grow(self.steps[step], fight, self.doubts, settling=False)

    def _find(self, kept: dict[K, Known[T]], key: K, find: Callable[[], T]) -> Known[T]:
        """Work out a value and keep it, with the doubts met meanwhile."""
        before, self.doubts = self.doubts, {}
        try:
            kept[key] = known = Known(find(), tuple(self.doubts))
        finally:
            self.doubts = before
        return known

    def _met(self, known: Known[T]) -> T:
        """Use a cached value, and note its doubts."""
        if known.doubts:
            self.doubts.update(dict.fromkeys(known.doubts))
        return known.value

    def node_at(self, step: int, fight: Fight, since: tuple[Answer, ...]) -> Node:
        """Give the node of the question that follows these answers in a run of a step."""
        same = self.same(fight)
        tree = self._tree_ahead(step, same)
        if _leaves_out(tree):
            tree = self._grown_ahead(step, same, every=True)
        try:
            return follow(tree, since)
        except ValueError:  # an answer of an older record
            return self._grown_ahead(step, same, since=since)

    def _grown_ahead(
        self, step: int, fight: Fight, *, every: bool = False, since: tuple[Answer, ...] = ()
    ) -> Node:
        """Grow the tree of a step from a position, without keeping it."""
        return grow(
            self.steps[step],
            fight,
            self.doubts,
            merging=self.merging,
            every=every,
            settling=not self._apart,
            since=since,
        )

    def ends(self) -> dict[Fight, int]:
        """Distribute the weight over the fights at the end."""
        return self._through(self.first, len(self.steps), {self.start: 1}, {})

    def ends_after(self, step: int, nodes: WeightedNodes) -> dict[Fight, int]:
        """Distribute the weight over the fights at the end, from nodes of a step."""
        return self._through(step, len(self.steps), *self._after(step, nodes))

    @with_stack_room
    def _through(
        self, step: int, last: int, fights: dict[Fight, int], done: dict[Fight, int]
    ) -> dict[Fight, int]:
        """Distribute the weight over the fights that reach the step `last`.

        `fights` are before a run of the first step, `done` are through with it.
        """
        while step < last:
            while fights:
                fights, grown = self._run(step, fights)
                done = {fight: weight * grown for fight, weight in done.items()}
                for fight in [fight for fight in fights if not fight.pending]:
                    done[fight] = done.get(fight, 0) + fights.pop(fight)
            fights, done, step = done, {}, step + 1
        return fights

    @with_stack_room
    def _after(self, step: int, nodes: WeightedNodes) -> tuple[dict[Fight, int], dict[Fight, int]]:
        """Distribute the weight of nodes over fights that run the step again, and the others."""
        after, _ = _mix([(weight, self.spread(step, node)) for weight, node in nodes])
        again = {fight: weight for fight, weight in after.items() if fight.pending}
        return again, {fight: weight for fight, weight in after.items() if not fight.pending}

    def found(self) -> Found:
        """Sum the weights of the ends by outcome."""
        return self._summed(self.first, {self.start: 1}, {})

    def found_after(self, step: int, nodes: WeightedNodes, doubts: Iterable[Line] = ()) -> Found:
        """Sum up the odds of everything that follows from nodes of a step.

        `doubts` are those met in the step itself.
        """
        self.commitments, self.doubts = [], dict.fromkeys(doubts)
        return self._summed(step, *self._after(step, nodes))

    def _summed(self, step: int, fights: dict[Fight, int], done: dict[Fight, int]) -> Found:
        if step <= self._known < len(self.steps):
            weights = self._of_kinds(self._through(step, self._known, fights, done))
        else:
            weights = {}
            for fight, weight in self._through(step, len(self.steps), fights, done).items():
                outcome = fight.case.procedure.outcome(fight)
                weights[outcome] = weights.get(outcome, 0) + weight
        return self._found(weights)

    def _found(self, weights: Mapping[Outcome, int]) -> Found:
        divisor = gcd(*weights.values())
        weights = {outcome: weight // divisor for outcome, weight in weights.items()}
        return Found(
            self.doctrines,
            weights,
            sum(weights.values()),
            tuple(self.commitments),
            about_anybody(self.doubts),
        )

    def odds(self) -> Odds:
        return Odds(self.found())

    def _of_kinds(self, fights: Mapping[Fight, int]) -> dict[Outcome, int]:
        """Sum up the odds of fights whose kinds are known."""
        parts = [(w, self._by_kind(f)) for f, w in fights.items()]
        self.commitments += [mixed for _, part in parts for mixed in part.commitments]
        return _mix([(w, (part.weights, part.total)) for w, part in parts])[0]

    def _by_kind(self, fight: Fight) -> Odds:
        """Give the odds of a fight whose kind is known."""
        kind = kind_of(fight)
        odds = Odds(_of_kind(kind.fight, *self.doctrines), kind.names)
        self.doubts.update(dict.fromkeys(odds.doubts))
        return odds

    def _run(self, step: int, fights: dict[Fight, int]) -> WeightedFights:
        """Run a step once on all fights; the second value is the factor of all weights."""
        spreads = [(w, *self.spread(step, self._tree_ahead(step, f))) for f, w in fights.items()]
        common = lcm(*(total for _, _, total in spreads))
        after: dict[Fight, int] = {}
        for weight, parts, total in spreads:
            scale = weight * (common // total)
            for fight, part in parts.items():
                after[fight] = after.get(fight, 0) + part * scale
        return after, common

    def spread(self, step: int, node: Node) -> WeightedFights:
        """Distribute a weight over the fights that follow from a node."""
        match node:
            case Rolled():
                return _mix(
                    [
                        (w, self.spread(step, c))
                        for w, c in zip(node.weights, node.children, strict=True)
                    ]
                )
            case Chosen():
                return self.spread(step, node.children[self.pick(step, node)])
            case Committed():
                mixed = self.commitment(step, node)
                self.commitments.append(mixed)
                return _mix([(w, self.spread(step, child)) for w, child in mixed.children(node)])
        return {node: 1}, 1

    def pick(self, step: int, node: Chosen) -> int:
        """Let the side that is asked take what its doctrine values most, the first of equals."""
        picks = self._memory.picks
        known = picks.get(node) or self._find(picks, node, lambda: self._best(step, node))
        return self._met(known)

    def _best(self, step: int, node: Chosen) -> int:
        wanted = (node.ask.wanted if self.merging else ()) or node.ask.rank
        wanted = wanted or tuple(range(len(node.children)))
        worths = {place: self.worth(step, node.children[place]) for place in wanted}
        best = wanted[0]
        for place, worth in worths.items():
            if worth.above(worths[best], node.ask.side):
                best = place
        return best

    def worth(self, step: int, node: Node) -> Worth:
        """Value a node by what follows from it in this step and all later ones."""
        match node:
            case Rolled():
                children = [self.worth(step, child) for child in node.children]
                return _average(list(zip(node.weights, children, strict=True)))
            case Chosen():
                return self.worth(step, node.children[self.pick(step, node)])
            case Committed():
                children_ = self.commitment(step, node).children(node)
                return _average([(w, self.worth(step, child)) for w, child in children_])
        settled = node.case.procedure.settled(node) if self._apart else node
        return self._worth_between(step if node.pending else step + 1, settled)

    def _worth_between(self, step: int, fight: Fight) -> Worth:
        worths = self._memory.worths[step]
        known = worths.get(fight) or self._find(worths, fight, lambda: self._worth_of(step, fight))
        return self._met(known)

    def _worth_of(self, step: int, fight: Fight) -> Worth:
        if step == self._known and not fight.pending:
            return self._by_kind(fight).found.worth
        if step < len(self.steps):
            return self.worth(step, self.tree(step, fight))
        outcome = fight.case.procedure.outcome(fight)
        attacker, defender = self.doctrines
        return Worth(attacker.value(outcome, "attacker"), defender.value(outcome, "defender"), 1)

    def commitment(self, step: int, node: Committed) -> Mixed:
        attacker, defender = self.doctrines
        height, width = len(node.children), len(node.children[0])
        rows = _fixed(attacker, height)
        columns = _fixed(defender, width)
        if rows is not None and columns is not None:
            return Mixed(node.ask, rows, columns, None)
        worths = [[self.worth(step, child) for child in line] for line in node.children]
        if rows is not None:
            mean = [
                _expected(rows, [line[j].of("defender") for line in worths]) for j in range(width)
            ]
            return Mixed(node.ask, rows, _only(mean.index(max(mean)), width), None)
        if columns is not None:
            mean = [_expected(columns, [w.of("attacker") for w in line]) for line in worths]
            return Mixed(node.ask, _only(mean.index(max(mean)), height), columns, None)
        # Both play `best`: the payoff is the difference of the two sides' points.
        payoffs = [[w.of("attacker") - w.of("defender") for w in line] for line in worths]
        solution = solve(payoffs)
        return Mixed(node.ask, solution.rows, solution.columns, solution)


def _leaves_out(node: Node) -> bool:
    """Tell whether some options of a tree have no child of their own."""
    match node:
        case Chosen():
            return bool(node.ask.wanted) or any(map(_leaves_out, node.children))
        case Rolled():
            return any(map(_leaves_out, node.children))
        case Committed():
            return any(_leaves_out(child) for line in node.children for child in line)
    return False


def _fixed(way: Doctrine, count: int) -> tuple[Fraction, ...] | None:
    if way.commits == "best":
        return None
    return _only(count - 1 if way.commits == "all" else 0, count)


def _only(place: int, count: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(i == place)) for i in range(count))


def _expected(weights: tuple[Fraction, ...], values: list[Fraction]) -> Fraction:
    return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0))


def _average(children: list[tuple[int, Worth]]) -> Worth:
    common = lcm(*(worth.total for _, worth in children))
    attacker = defender = whole = 0
    for weight, worth in children:
        scale = weight * (common // worth.total)
        attacker += worth.attacker * scale
        defender += worth.defender * scale
        whole += weight
    return Worth(attacker, defender, whole * common)


def _mix(children: list[tuple[int, tuple[Mapping[K, int], int]]]) -> tuple[dict[K, int], int]:
    common = lcm(*(total for _, (_, total) in children))
    mixed: dict[K, int] = {}
    whole = 0
    for weight, (after, total) in children:
        scale = weight * (common // total)
        whole += weight
        for what, part in after.items():
            mixed[what] = mixed.get(what, 0) + part * scale
    return mixed, whole * common


def odds(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the exact odds of a fight. A fight of a known kind is answered at once."""
    return _answer(opening(fight), doctrine(attacker), doctrine(defender))


def direct_odds(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the same odds from the fight itself: nothing is shared with fights of its kind."""
    return Analysis(fight, doctrine(attacker), doctrine(defender), by_kind=False).odds()


def odds_when_trimmed(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the odds of a trimmed fight."""
    kind = kind_of(fight)
    return Odds(_of_kind(kind.fight, doctrine(attacker), doctrine(defender)), kind.names)


def found_by_kinds(node: Node, attacker: Doctrine, defender: Doctrine) -> Found:
    """Work out the odds of a kind, or of the fights of known kinds at the leaves of a node."""
    if isinstance(node, Fight):
        return _of_kind(node, attacker, defender)
    first = next(leaves(node))
    step = first.case.procedure.trimmed
    return Analysis(first, attacker, defender, step=step).found_after(step - 1, [(1, node)])


def averaged(parts: Sequence[tuple[Fraction, Odds]]) -> Odds:
    """Mix odds with the chances of each; their doctrines are the same."""
    common = lcm(*(chance.denominator for chance, _ in parts))
    weights, total = _mix([(int(p * common), (odds.weights, odds.total)) for p, odds in parts])
    commitments = tuple(mixed for _, odds in parts for mixed in odds.commitments)
    doubts = about_anybody(line for _, odds in parts for line in odds.doubts)
    return Odds(Found(parts[0][1].doctrines, weights, total, commitments, doubts))


def forget() -> None:
    """Clear all caches."""
    for cache in (_answer, _of_kind, _memory, cached_opening, shared_case, *CACHES):
        cache.cache_clear()


class Cache(Protocol):
    """A cache of a function."""

    def cache_clear(self) -> None:
        """Forget all results."""


CACHES: list[Cache] = []  # of modules that are built on this one


@lru_cache(maxsize=4096)
def _answer(begun: Opening, attacker: Doctrine, defender: Doctrine) -> Odds:
    if begun.kind is not None:
        fight, names = begun.kind
        return Odds(_of_kind(fight, attacker, defender), names, begun.doubts)
    return Analysis(begun.fight, attacker, defender, step=begun.step, doubts=begun.doubts).odds()


@lru_cache(maxsize=4096)
def _of_kind(fight: Fight, attacker: Doctrine, defender: Doctrine) -> Found:
    with kind_analysis(fight, fight.case.procedure.trimmed, attacker, defender) as analysis:
        return analysis.found()


@contextmanager
def kind_analysis(
    fight: Fight, step: int, attacker: Doctrine, defender: Doctrine, *, apart: bool = False
) -> Iterator[Analysis]:
    """Analyse a fight of a known kind with the memory that is shared by all fights of its case."""
    memory = _memory(fight.case, attacker, defender)
    try:
        yield Analysis(
            fight, attacker, defender, step=step, by_kind=False, apart=apart, memory=memory
        )
    except Refusal:  # a budget must not be stretched by asking again
        memory.clear()
        raise
    if len(memory) > _LARGEST:
        memory.clear()


_LARGEST = 5_000  # trees of a case that are kept: some megabytes


@lru_cache(maxsize=128)
def _memory(case: Case[Any], attacker: Doctrine, defender: Doctrine) -> Memory:  # noqa: ARG001  # they are its key
    """Give the shared memory of a case; only the most recent cases are kept."""
    return Memory(len(case.procedure.steps))
