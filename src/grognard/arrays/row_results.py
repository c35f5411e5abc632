"""Results for each distinct input row, and the outcome tables that they point into."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.arrays.compiled_odds import CompiledOdds
from grognard.arrays.decision_tree import DecisionTree, Int64Array, Leaf, TracedNumber, value_of
from grognard.arrays.row_numbering import InputColumns, RowNumbering
from grognard.arrays.sampling import Distribution, Indices, Sampler, least_type
from grognard.arrays.tracing import Traced
from grognard.fights.tree import Node
from grognard.rules.fight import Outcome
from grognard.words.refusal import Refusal

Floats = NDArray[np.float64]
MISSING = -1  # the index of what a refused fight does not have


class RowResults(NamedTuple):
    """Arrays with one entry for each distinct row."""

    attack: Floats
    defence: Floats
    die_modifier: Floats
    basic: Indices  # into the labels
    final: Indices
    weighted: Indices  # into the distributions

    def joined(self, more: RowResults) -> RowResults:
        return RowResults(
            *(np.concatenate([old, new]) for old, new in zip(self[:3], more[:3], strict=True)),
            *(np.concatenate([old, new]) for old, new in zip(self[3:], more[3:], strict=True)),
        )


class ResultTables:
    """Labels, outcomes and distributions that row results point into; they only grow."""

    def __init__(self, compiled: CompiledOdds) -> None:
        self.compiled = compiled
        self.labels: dict[str, int] = {}
        self.outcomes: dict[Outcome, int] = {}
        self.distributions: list[Distribution] = []
        self._known: dict[Node, int] = {}
        self._sampler: Sampler | None = None
        self._expected: dict[str, list[Fraction]] = {}

    def label_index(self, text: str | None) -> int:
        return MISSING if text is None else self.labels.setdefault(text, len(self.labels))

    def distribution_index(self, leaf: Leaf) -> int:
        if leaf.kinds is None:
            return MISSING
        if (index := self._known.get(leaf.kinds)) is None:
            index = self._known[leaf.kinds] = self._added(leaf.kinds)
        return index

    def _added(self, kinds: Node) -> int:
        try:
            self.distributions.append(self._distribution(kinds))
        except Refusal:  # for example a damaged cell that the options refuse to read
            return MISSING
        return len(self.distributions) - 1

    def _distribution(self, kinds: Node) -> Distribution:
        weights = self.compiled.weights(kinds)
        indices = [self.outcomes.setdefault(o, len(self.outcomes)) for o in weights]
        return Distribution(tuple(indices), tuple(weights.values()))

    def sampler(self) -> Sampler:
        """Give a sampler for all distributions known by now."""
        if self._sampler is None or self._sampler.count < len(self.distributions):
            self._sampler = Sampler(self.distributions)
        return self._sampler

    def expected(self, number: str) -> list[Fraction]:
        known = self._expected.setdefault(number, [])
        if len(known) < len(self.distributions):
            values = [int(getattr(outcome, number)) for outcome in self.outcomes]
            known += [
                Fraction(sum(values[o] * w for o, w in zip(*each, strict=True)), each.total)
                for each in self.distributions[len(known) :]
            ]
        return known


def evaluate_rows(
    tree: DecisionTree, tables: ResultTables, columns: InputColumns, count: int
) -> RowResults:
    """Evaluate the rules for each row."""
    leaves = tree.leaf_indices(columns, count)
    found = RowResults(
        *(np.full(count, np.nan) for _ in range(3)),
        *(np.full(count, MISSING, np.int32) for _ in range(3)),
    )
    order = np.argsort(leaves, kind="stable")
    cuts = np.flatnonzero(np.diff(leaves[order])) + 1
    for rows in np.split(order, cuts) if count else ():
        leaf = tree.leaves[leaves[rows[0]]]
        if leaf.refused:
            continue
        found.attack[rows] = _values(leaf.attack, columns, rows)
        found.defence[rows] = _values(leaf.defence, columns, rows)
        found.die_modifier[rows] = _values(leaf.die_modifier, columns, rows)
        found.basic[rows] = tables.label_index(leaf.basic)
        found.final[rows] = tables.label_index(leaf.final)
        found.weighted[rows] = tables.distribution_index(leaf)
    return found


def _values(number: TracedNumber | None, columns: InputColumns, rows: Int64Array) -> Floats | float:
    if number is None:
        return np.nan
    if not isinstance(number, Traced):
        return float(number)
    return value_of(number.top, columns, rows) / value_of(number.bottom, columns, rows)


class RowCache:
    """Results of rows within given ranges, kept for all chunks of a series."""

    def __init__(
        self, numbering: RowNumbering, evaluate: Callable[[InputColumns, int], RowResults]
    ) -> None:
        self.numbering = numbering
        self.results = evaluate(numbering.rows(np.empty(0, np.int32)), 0)
        self._evaluate = evaluate
        self._indices: Indices = np.full(numbering.size, MISSING, least_type(numbering.size))

    def find(self, columns: InputColumns, count: int) -> Indices:
        """Give for each row the index of its result; rows seen for the first time are evaluated."""
        numbers = self.numbering.numbers(columns, count)
        indices = self._indices.take(numbers)
        if indices.min() == MISSING:
            new = np.unique(numbers[indices == MISSING])
            more = self._evaluate(self.numbering.rows(new), len(new))
            self._indices[new] = np.arange(len(new)) + len(self.results.weighted)
            self.results = self.results.joined(more)
            indices = self._indices.take(numbers)
        return indices
