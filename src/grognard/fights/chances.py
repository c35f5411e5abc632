"""The result of an analysis: every outcome with its weight, and figures derived from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.fights.doctrine import Doctrine
from grognard.fights.kind import Doubt, Names, Renamed, UnitNames, lines_of, names_units
from grognard.fights.mixed_strategy import Solution
from grognard.fights.tree import Committed, Node
from grognard.fights.weights import mix, reduced
from grognard.rules.ask import Commit
from grognard.rules.fight import Outcome
from grognard.rules.lazy import Lazy
from grognard.rules.line import Line, about_anybody

NOBODY: UnitNames = MappingProxyType({})


class Worth(Struct, frozen=True, gc=False):
    """The value of a situation to each side by its doctrine, over a common denominator."""

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


class Mixed(NamedTuple):
    """A mixed strategy: how often each side takes each option of a commitment."""

    ask: Commit
    attacker: tuple[Fraction, ...]
    defender: tuple[Fraction, ...]
    solution: Solution | None  # where both sides play the simultaneous game

    def children(self, node: Committed) -> list[tuple[int, Node]]:
        """Give the nodes that can follow, with integer weights."""
        ours = [(p, row) for row, p in enumerate(self.attacker) if p]
        theirs = [(q, column) for column, q in enumerate(self.defender) if q]
        if len(ours) == len(theirs) == 1:
            return [(1, node.children[ours[0][1]][theirs[0][1]])]
        common = lcm(*(p.denominator for p, _ in ours)) * lcm(*(q.denominator for q, _ in theirs))
        return [
            (int(p * q * common), node.children[row][column])
            for p, row in ours
            for q, column in theirs
        ]


class Odds(Struct, frozen=True, eq=False, dict=True):
    """The exact odds of every outcome: integer weights over their sum."""

    found: Found
    names: UnitNames = NOBODY  # of the units, if outcomes name them by tokens
    told: Callable[[], tuple[Line, ...]] = tuple  # gives doubtful lines told before it was known

    @property
    def doctrines(self) -> tuple[Doctrine, Doctrine]:
        return self.found.doctrines

    @property
    def total(self) -> int:
        return self.found.total

    @Lazy
    def weights(self) -> Mapping[Outcome, int]:
        """Every outcome with its weight."""
        if not (self.names and self.found.names_units):
            return self.found.weights
        weights: dict[Outcome, int] = {}
        for outcome, weight in self.found.weights.items():
            named = self._names.outcome(outcome)
            weights[named] = weights.get(named, 0) + weight
        return weights

    @Lazy
    def commitments(self) -> tuple[Mixed, ...]:
        """How each secret commitment is decided."""
        if not self.names:
            return self.found.commitments
        return tuple(m._replace(ask=self._names.commit(m.ask)) for m in self.found.commitments)

    @Lazy
    def doubts(self) -> tuple[Line, ...]:
        """The lines that carry a doubtful reading."""
        if not self.names:
            return about_anybody((*self.told(), *self.found.doubts))
        return about_anybody((*self.told(), *map(self._names.line, self.found.doubts)))

    @Lazy
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
        """Split the odds by the result on the table."""
        parts: dict[str, dict[Outcome, int]] = {}
        for outcome, weight in self.found.weights.items():
            parts.setdefault(outcome.result, {})[outcome] = weight
        return {
            result: Odds(Found(self.doctrines, part), self.names)
            for result, part in sorted(parts.items(), key=lambda item: -sum(item[1].values()))
        }


Parts = tuple[tuple[int, "Found"], ...]  # odds, with the weight of each


class Found(Struct, frozen=True, eq=False, dict=True):
    """Odds as they are kept for a kind of fight: units are named by tokens."""

    doctrines: tuple[Doctrine, Doctrine]
    given: Mapping[Outcome, int] | Parts  # weights of outcomes, or odds that these are the sum of
    commitments: tuple[Mixed, ...] = ()
    met: tuple[Doubt, ...] = ()

    @property
    def parts(self) -> Parts:
        """Odds that these are the sum of, with their weights, if they are kept."""
        return self.given if isinstance(self.given, tuple) else ()

    @Lazy
    def weights(self) -> Mapping[Outcome, int]:
        """Every outcome with its weight; parts are summed up when somebody reads them."""
        given = self.given
        if not isinstance(given, tuple):
            return given
        return reduced(mix([(weight, (part.weights, part.total)) for weight, part in given])[0])

    @Lazy
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights.values())

    @Lazy
    def doubts(self) -> tuple[Line, ...]:
        """The doubtful lines that were met."""
        return tuple(dict.fromkeys(lines_of(self.met)))

    @Lazy
    def names_units(self) -> bool:
        """Whether outcomes name units; in most games none does."""
        if self.parts:
            return any(part.names_units for _, part in self.parts)
        return any(map(names_units, self.weights))

    def named(self, names: UnitNames, settled: Mapping[str, Any] = MappingProxyType({})) -> Found:
        """Give these odds with names, and with fields of the outcomes that were settled before."""
        called, given, met = Names(names), self.given, self.met
        if self.names_units:
            given = {called.outcome(o, **settled): weight for o, weight in self.weights.items()}
        elif settled:
            given = {replace(o, **settled): weight for o, weight in self.weights.items()}
        elif not (self.commitments or met):
            return self
        commitments = tuple(m._replace(ask=called.commit(m.ask)) for m in self.commitments)
        return Found(self.doctrines, given, commitments, (Renamed(met, names),) if met else ())

    @Lazy
    def worth(self) -> Worth:
        """The value of these odds to each side."""
        if self.parts:
            return average([(weight, part.worth) for weight, part in self.parts])
        attacker, defender = self.doctrines
        ours = theirs = 0
        for outcome, weight in self.weights.items():
            ours += weight * attacker.value(outcome, "attacker")
            theirs += weight * defender.value(outcome, "defender")
        return Worth(ours, theirs, self.total)


def average(children: list[tuple[int, Worth]]) -> Worth:
    """Give the mean of values, each with its weight."""
    common = lcm(*(worth.total for _, worth in children))
    attacker = defender = whole = 0
    for weight, worth in children:
        scale = weight * (common // worth.total)
        attacker += worth.attacker * scale
        defender += worth.defender * scale
        whole += weight
    return Worth(attacker, defender, whole * common)
