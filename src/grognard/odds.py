"""Exact odds: every roll with its weight, every choice by doctrine, equal fights merged.

Two passes over the same trees. Looking back from the end, each choice is valued; going forward,
integer weights are spread over the fights between the steps. Where the kind of a fight is known,
what follows is worked out once for all fights of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd, lcm
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from grognard.ask import Commit
from grognard.card import Side
from grognard.doctrine import Doctrine, doctrine
from grognard.fight import Case, Fight, Outcome
from grognard.kind import Names, kind_of, names_units
from grognard.kind import forget as forget_kinds
from grognard.line import Line, about_anybody
from grognard.mixed import Solution, solve
from grognard.opening import Opening, opening
from grognard.opening import forget as forget_openings
from grognard.refusal import Refusal
from grognard.tree import Chosen, Committed, Node, Rolled, grow, leaves


class Worth(NamedTuple):
    """What a situation is worth to each side by its own doctrine, over a common denominator."""

    attacker: int
    defender: int
    total: int

    def of(self, side: Side) -> Fraction:
        return Fraction(self.attacker if side == "attacker" else self.defender, self.total)

    def above(self, other: Worth, side: Side) -> bool:
        """Compare without making fractions."""
        if side == "attacker":
            return self.attacker * other.total > other.attacker * self.total
        return self.defender * other.total > other.defender * self.total


K = TypeVar("K")
T = TypeVar("T")
Spread = tuple[dict[Fight, int], int]  # weights, and their sum


class Known(NamedTuple, Generic[T]):
    """Something found out about a fight, and the doubtful lines that were met on the way."""

    value: T
    doubts: tuple[Line, ...]


class Memory:
    """What is found out about the fights of one case under given doctrines, by step.

    Fights that began on different columns go the same ways once the table is read.
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
    """One fight looked through with given doctrines. Trees and values are kept while it lives, or
    longer in a memory that it shares with others.

    By kind: where a fight's kind is known, it has the odds and the worth of its kind.
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
        memory: Memory | None = None,
    ) -> None:
        self.start = fight
        self.first = step
        self.merging = merging
        self.doctrines = (attacker, defender)
        self.steps = fight.case.procedure.steps
        self.doubts = dict.fromkeys(doubts)
        self.commitments: list[Mixed] = []
        # The step before which fights are looked at by kind; beyond the last one for never.
        self._known = fight.case.procedure.reckoned if by_kind and merging else len(self.steps) + 1
        self._memory = Memory(len(self.steps)) if memory is None else memory

    def tree(self, step: int, fight: Fight) -> Node:
        """Give all that can follow from a step; grown once for equal fights."""
        trees = self._memory.trees[step]
        known = trees.get(fight) or self._find(trees, fight, lambda: self._grown(step, fight))
        return self._met(known)

    def _grown(self, step: int, fight: Fight) -> Node:
        return grow(self.steps[step], fight, self.doubts, merging=self.merging)

    def _find(self, kept: dict[K, Known[T]], key: K, find: Callable[[], T]) -> Known[T]:
        """Find something out and keep it, with the doubts that are met meanwhile."""
        before, self.doubts = self.doubts, {}
        try:
            kept[key] = known = Known(find(), tuple(self.doubts))
        finally:
            self.doubts = before
        return known

    def _met(self, known: Known[T]) -> T:
        """Take what is known, and its doubts."""
        if known.doubts:
            self.doubts.update(dict.fromkeys(known.doubts))
        return known.value

    def ends(self) -> dict[Fight, int]:
        """Spread the weight over the fights at the end."""
        return self._before(len(self.steps))

    def _before(self, last: int) -> dict[Fight, int]:
        """Spread the weight over the fights that reach a step."""
        fights: dict[Fight, int] = {self.start: 1}
        for step in range(self.first, last):
            done: dict[Fight, int] = {}
            while fights:
                fights, grown = self._run(step, fights)
                done = {fight: weight * grown for fight, weight in done.items()}
                for fight in [fight for fight in fights if not fight.pending]:
                    done[fight] = done.get(fight, 0) + fights.pop(fight)
            fights = done
        return fights

    def found(self) -> Found:
        """Sum the ends up by their outcomes."""
        if self.first <= self._known < len(self.steps):
            weights = self._of_kinds(self._before(self._known))
        else:
            weights = {}
            for fight, weight in self.ends().items():
                outcome = fight.case.procedure.outcome(fight)
                weights[outcome] = weights.get(outcome, 0) + weight
        return self._found(weights)

    def found_beyond(self, node: Node) -> Found:
        """Sum up what follows from fights whose kinds are known, at the leaves of a node."""
        return self._found(self._of_kinds(self.spread(self._known - 1, node)[0]))

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
        """Give what was found."""
        return Odds(self.found())

    def _of_kinds(self, fights: Mapping[Fight, int]) -> dict[Outcome, int]:
        """Sum up what follows from fights whose kinds are known."""
        parts = [(w, self._by_kind(f)) for f, w in fights.items()]
        self.commitments += [mixed for _, part in parts for mixed in part.commitments]
        return _mix([(w, (part.weights, part.total)) for w, part in parts])[0]

    def _by_kind(self, fight: Fight) -> Odds:
        """Give the odds of a fight whose kind is known."""
        kind = kind_of(fight)
        odds = Odds(_of_kind(kind.fight, *self.doctrines), kind.names)
        self.doubts.update(dict.fromkeys(odds.doubts))
        return odds

    def _run(self, step: int, fights: dict[Fight, int]) -> Spread:
        """Run a step once on all fights; the second value is by how much all weights grew."""
        spreads = [(w, *self.spread(step, self.tree(step, f))) for f, w in fights.items()]
        common = lcm(*(total for _, _, total in spreads))
        after: dict[Fight, int] = {}
        for weight, parts, total in spreads:
            scale = weight * (common // total)
            for fight, part in parts.items():
                after[fight] = after.get(fight, 0) + part * scale
        return after, common

    def spread(self, step: int, node: Node) -> Spread:
        """Spread a weight over the fights that follow from a node."""
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
        worths = [self.worth(step, child) for child in node.children]
        best = 0
        for place, worth in enumerate(worths):
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
        return self._worth_between(step if node.pending else step + 1, node)

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
        """Decide a secret commitment of both sides."""
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
        # Both play for the best: what counts is the difference of the two sides' points.
        payoffs = [[w.of("attacker") - w.of("defender") for w in line] for line in worths]
        solution = solve(payoffs)
        return Mixed(node.ask, solution.rows, solution.columns, solution)


class Mixed(NamedTuple):
    """How a commitment is decided: how often each side takes each of its options."""

    ask: Commit
    attacker: tuple[Fraction, ...]
    defender: tuple[Fraction, ...]
    solution: Solution | None  # where both sides play the simultaneous game

    def children(self, node: Committed) -> list[tuple[int, Node]]:
        """Give what can follow, with whole weights."""
        common = lcm(*(p.denominator for p in self.attacker)) * lcm(
            *(p.denominator for p in self.defender)
        )
        return [
            (int(p * q * common), child)
            for p, line in zip(self.attacker, node.children, strict=True)
            for q, child in zip(self.defender, line, strict=True)
            if p and q
        ]


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


class Odds(Struct, frozen=True, eq=False, dict=True):
    """The exact distribution of what will have happened: whole weights over their sum."""

    found: Found
    names: tuple[str, ...] = ()  # of the units, where they were found by their tokens
    told: tuple[Line, ...] = ()  # doubts met before that

    @property
    def doctrines(self) -> tuple[Doctrine, Doctrine]:
        return self.found.doctrines

    @property
    def total(self) -> int:
        return self.found.total

    @cached_property
    def weights(self) -> Mapping[Outcome, int]:
        """Every outcome with its weight."""
        if not (self.names and self.found.names_units):
            return self.found.weights
        weights: dict[Outcome, int] = {}
        for outcome, weight in self.found.weights.items():
            named = self._names.outcome(outcome)
            weights[named] = weights.get(named, 0) + weight
        return weights

    @cached_property
    def commitments(self) -> tuple[Mixed, ...]:
        """How each secret commitment is decided."""
        if not self.names:
            return self.found.commitments
        return tuple(m._replace(ask=self._names.commit(m.ask)) for m in self.found.commitments)

    @cached_property
    def doubts(self) -> tuple[Line, ...]:
        """The lines that carry a doubtful reading."""
        if not self.names:
            return about_anybody((*self.told, *self.found.doubts))
        return about_anybody((*self.told, *map(self._names.line, self.found.doubts)))

    @cached_property
    def _names(self) -> Names:
        return Names(self.names)

    def outcomes(self) -> Iterator[tuple[Outcome, Fraction]]:
        """Give every outcome with its chance, the likeliest first."""
        for outcome, weight in sorted(self.weights.items(), key=lambda item: -item[1]):
            yield outcome, Fraction(weight, self.total)

    def chance(self, flag: str) -> Fraction:
        """Give the chance that something holds at the end, such as `taken`."""
        weights = self.found.weights.items()
        return Fraction(sum(w for o, w in weights if getattr(o, flag)), self.total)

    def expected(self, number: str) -> Fraction:
        """Give the expectation of a number, such as `defender_steps_lost`."""
        weights = self.found.weights.items()
        return Fraction(sum(getattr(o, number) * w for o, w in weights), self.total)

    def spread(self, number: str) -> dict[int, Fraction]:
        """Give the chance of each value of a number."""
        parts: dict[int, int] = {}
        for outcome, weight in self.found.weights.items():
            value = int(getattr(outcome, number))
            parts[value] = parts.get(value, 0) + weight
        return {value: Fraction(parts[value], self.total) for value in sorted(parts)}

    def by_result(self) -> dict[str, Odds]:
        """Part the odds by the table's result: its chance, and what follows from it."""
        parts: dict[str, dict[Outcome, int]] = {}
        for outcome, weight in self.found.weights.items():
            parts.setdefault(outcome.result, {})[outcome] = weight
        return {
            result: Odds(Found(self.doctrines, part, sum(part.values())), self.names)
            for result, part in sorted(parts.items(), key=lambda item: -sum(item[1].values()))
        }


class Found(Struct, frozen=True, eq=False, dict=True):
    """What an analysis comes to; of a kind, units go by their tokens."""

    doctrines: tuple[Doctrine, Doctrine]
    weights: Mapping[Outcome, int]
    total: int
    commitments: tuple[Mixed, ...] = ()
    doubts: tuple[Line, ...] = ()

    @cached_property
    def names_units(self) -> bool:
        """Whether names must be put into outcomes; most games have none there."""
        return any(map(names_units, self.weights))

    @cached_property
    def worth(self) -> Worth:
        """What a fight with these odds is worth to each side."""
        attacker, defender = self.doctrines
        ours = theirs = 0
        for outcome, weight in self.weights.items():
            ours += weight * attacker.value(outcome, "attacker")
            theirs += weight * defender.value(outcome, "defender")
        return Worth(ours, theirs, self.total)


def odds(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the exact odds of a fight. A fight of a known kind is answered at once."""
    return _answer(opening(fight), doctrine(attacker), doctrine(defender))


def odds_when_reckoned(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
    """Work out the odds of a fight that stands before the step at which its kind is known."""
    kind = kind_of(fight)
    return Odds(_of_kind(kind.fight, doctrine(attacker), doctrine(defender)), kind.names)


def found_by_kinds(node: Node, attacker: Doctrine, defender: Doctrine) -> Found:
    """Work out what follows from a kind, or from fights of known kinds at the leaves of a node."""
    if isinstance(node, Fight):
        return _of_kind(node, attacker, defender)
    first = next(leaves(node))
    step = first.case.procedure.reckoned
    return Analysis(first, attacker, defender, step=step).found_beyond(node)


def forget() -> None:
    """Forget everything, so that the next question is worked out anew."""
    for cache in (_answer, _of_kind, _memory):
        cache.cache_clear()
    forget_openings()
    forget_kinds()


@lru_cache(maxsize=4096)
def _answer(begun: Opening, attacker: Doctrine, defender: Doctrine) -> Odds:
    if begun.kind is not None:
        fight, names = begun.kind
        return Odds(_of_kind(fight, attacker, defender), names, begun.doubts)
    return Analysis(begun.fight, attacker, defender, step=begun.step, doubts=begun.doubts).odds()


@lru_cache(maxsize=4096)
def _of_kind(fight: Fight, attacker: Doctrine, defender: Doctrine) -> Found:
    """Work out what follows from a fight that is reduced to its kind."""
    memory, step = _memory(fight.case, attacker, defender), fight.case.procedure.reckoned
    analysis = Analysis(fight, attacker, defender, step=step, by_kind=False, memory=memory)
    try:
        found = analysis.found()
    except Refusal:  # what is too much must not be done in parts, by asking again
        memory.clear()
        raise
    if len(memory) > _LARGEST:
        memory.clear()
    return found


_LARGEST = 5_000  # trees of a case that are kept: some megabytes


@lru_cache(maxsize=128)
def _memory(case: Case[Any], attacker: Doctrine, defender: Doctrine) -> Memory:  # noqa: ARG001  # they are its key
    """Give what is known of the fights of a case; those that are looked at now and next."""
    return Memory(len(case.procedure.steps))
