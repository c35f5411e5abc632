"""What fights were reckoned to: an entry for each row that differs, and what may follow from it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.arrays.compiled_odds import Compiled
from grognard.arrays.evaluator import Number, Reckoned, Reckoner, Rows, value_of
from grognard.arrays.row_numbers import Columns, Dense
from grognard.arrays.sampling import Draws, Weighted, least_type
from grognard.arrays.tracing import Traced
from grognard.fights.tree import Node
from grognard.rules.fight import Outcome
from grognard.words.refusal import Refusal

Floats = NDArray[np.float64]
Places = NDArray[np.signedinteger[Any]]
NOWHERE = -1  # the place of what a refused fight does not have


class Situations(NamedTuple):
    """One entry for each row that differs from all others."""

    attack: Floats
    defence: Floats
    die_modifier: Floats
    basic: Places  # among the labels
    final: Places
    weighted: Places  # among the weighted outcomes

    def joined(self, more: Situations) -> Situations:
        return Situations(
            *(np.concatenate([old, new]) for old, new in zip(self[:3], more[:3], strict=True)),
            *(np.concatenate([old, new]) for old, new in zip(self[3:], more[3:], strict=True)),
        )


class Answers:
    """All that situations point to: labels, outcomes, and weights on them. It only grows."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.labels: dict[str, int] = {}
        self.outcomes: dict[Outcome, int] = {}
        self.weighted: list[Weighted] = []
        self._known: dict[Node, int] = {}
        self._draws: Draws | None = None
        self._expected: dict[str, list[Fraction]] = {}

    def label(self, text: str | None) -> int:
        return NOWHERE if text is None else self.labels.setdefault(text, len(self.labels))

    def place(self, end: Reckoned) -> int:
        """Give the place of what may follow from an end."""
        if end.kinds is None:
            return NOWHERE
        if (place := self._known.get(end.kinds)) is None:
            place = self._known[end.kinds] = self._added(end.kinds)
        return place

    def _added(self, kinds: Node) -> int:
        try:
            self.weighted.append(self._weighted(kinds))
        except Refusal:  # as where a damaged cell is not to be read
            return NOWHERE
        return len(self.weighted) - 1

    def _weighted(self, kinds: Node) -> Weighted:
        weights = self.compiled.weights(kinds)
        places = [self.outcomes.setdefault(o, len(self.outcomes)) for o in weights]
        return Weighted(tuple(places), tuple(weights.values()))

    def draws(self) -> Draws:
        """Give the tables to draw from, for all that is known by now."""
        if self._draws is None or self._draws.count < len(self.weighted):
            self._draws = Draws(self.weighted)
        return self._draws

    def expected(self, number: str) -> list[Fraction]:
        """Give the expectation of a number for each place."""
        known = self._expected.setdefault(number, [])
        if len(known) < len(self.weighted):
            values = [int(getattr(outcome, number)) for outcome in self.outcomes]
            known += [
                Fraction(sum(values[o] * w for o, w in zip(*each, strict=True)), each.total)
                for each in self.weighted[len(known) :]
            ]
        return known


def reckon(reckoner: Reckoner, answers: Answers, columns: Columns, count: int) -> Situations:
    """Reckon rows, one entry for each."""
    ends = reckoner.reckon(columns, count)
    found = Situations(
        *(np.full(count, np.nan) for _ in range(3)),
        *(np.full(count, NOWHERE, np.int32) for _ in range(3)),
    )
    order = np.argsort(ends, kind="stable")
    cuts = np.flatnonzero(np.diff(ends[order])) + 1
    for rows in np.split(order, cuts) if count else ():
        end = reckoner.ends[ends[rows[0]]]
        if end.refused:
            continue
        found.attack[rows] = _values(end.attack, columns, rows)
        found.defence[rows] = _values(end.defence, columns, rows)
        found.die_modifier[rows] = _values(end.die_modifier, columns, rows)
        found.basic[rows] = answers.label(end.basic)
        found.final[rows] = answers.label(end.final)
        found.weighted[rows] = answers.place(end)
    return found


def _values(number: Number | None, columns: Columns, rows: Rows) -> Floats | float:
    if number is None:
        return np.nan
    if not isinstance(number, Traced):
        return float(number)
    return value_of(number.top, columns, rows) / value_of(number.bottom, columns, rows)


class Shared:
    """Situations of rows within given ranges, kept for all chunks of a series."""

    def __init__(self, dense: Dense, reckon: Callable[[Columns, int], Situations]) -> None:
        self.dense = dense
        self.situations = reckon(dense.rows(np.empty(0, np.int32)), 0)
        self._reckon = reckon
        self._places: Places = np.full(dense.size, NOWHERE, least_type(dense.size))

    def find(self, columns: Columns, count: int) -> Places:
        """Give for each row its situation; new ones are reckoned."""
        numbers = self.dense.numbers(columns, count)
        places = self._places.take(numbers)
        if places.min() == NOWHERE:
            new = np.unique(numbers[places == NOWHERE])
            more = self._reckon(self.dense.rows(new), len(new))
            self._places[new] = np.arange(len(new)) + len(self.situations.weighted)
            self.situations = self.situations.joined(more)
            places = self._places.take(numbers)
        return places
