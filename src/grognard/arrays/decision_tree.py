"""A decision tree of traced rules, which leads many rows of input to their results together.

Each fork holds a term and a branch for each of its values. Rows of whole numbers go down the tree
together and separate only where the rules treat them differently. Where no row has gone before, one
row is traced through the rules, and the tree grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from grognard.arrays.row_numbering import InputColumns
from grognard.arrays.setup_template import SetupTemplate
from grognard.arrays.tracing import OPERATIONS, Operand, Term, Terms, Traced, TracePath
from grognard.fights.explain import explain_begun
from grognard.fights.opening import begin
from grognard.fights.tree import Chosen, Committed, Node, Rolled, grow
from grognard.rules.fight import Case, Fight
from grognard.words.refusal import Refusal

Int64Array = np.ndarray[tuple[int], np.dtype[np.int64]]
TracedNumber = int | Fraction | Traced


class Leaf(NamedTuple):
    """The result shared by all fights that take the same path."""

    refused: bool
    kinds: Node | None = None  # their kinds, behind all rolls and answers that come before
    attack: TracedNumber | None = None
    defence: TracedNumber | None = None
    basic: str | None = None
    final: str | None = None
    die_modifier: TracedNumber = 0


class _Fork(Struct, eq=False):
    """A node of the tree: a fork, a leaf, or not yet traced."""

    term: Term | None = None
    branches: dict[int, _Fork] = {}
    leaf: int | None = None


class DecisionTree:
    """Evaluates fights of one set-up template, many at a time."""

    def __init__(self, template: SetupTemplate) -> None:
        self.template = template
        self.leaves: list[Leaf] = []
        self._terms = Terms()
        self._root = _Fork()
        self._at = self._root

    def leaf_indices(self, columns: InputColumns, count: int) -> Int64Array:
        leaves = np.empty(count, np.int64)
        waiting = [(self._root, np.arange(count))] if count else []
        while waiting:
            fork, rows = waiting.pop()
            if fork.term is None and fork.leaf is None:
                self._trace({name: int(column[rows[0]]) for name, column in columns.items()})
            if fork.leaf is not None:
                leaves[rows] = fork.leaf
                continue
            waiting += self._split(fork, rows, columns)
        return leaves

    def _split(
        self, fork: _Fork, rows: Int64Array, columns: InputColumns
    ) -> list[tuple[_Fork, Int64Array]]:
        values = value_of(cast(Term, fork.term), columns, rows)
        parts: list[tuple[_Fork, Int64Array]] = []
        while len(rows):
            value = int(values[0])
            alike = values == value
            parts.append((fork.branches.setdefault(value, _Fork()), rows[alike]))
            rows, values = rows[~alike], values[~alike]
        return parts

    def _trace(self, row: Mapping[str, int]) -> None:
        """Run the rules on one row, and add its path to the tree."""
        self._at = self._root
        path = TracePath(self._terms, self._settle)
        try:
            leaf = self._run(path, row)
        finally:
            path.close()
        self._at.leaf = len(self.leaves)
        self.leaves.append(leaf)

    def _settle(self, term: Term, value: int) -> None:
        fork = self._at
        if fork.term is None:
            fork.term = term
        elif fork.term is not term:
            raise RuntimeError(
                f"{self.template.game.id} computes equal fights in different ways; a cache in its "
                "rules must be keyed by the case"
            )
        self._at = fork.branches.setdefault(value, _Fork())

    def _run(self, path: TracePath, row: Mapping[str, int]) -> Leaf:
        try:
            fight = self.template.fight(self.template.traced(path, row), traced=True)
            begun = begin(fight)
            kinds, told = _kinds(begun.fight, begun.step), explain_begun(fight, begun)
        except Refusal:
            return Leaf(refused=True)
        totals, column = told.totals(), told.column()
        return Leaf(
            False,
            kinds,
            number(totals["attack"]),
            number(totals["defence"]),
            label(column["basic"]),
            label(column["final"]),
            told.die_modifier,
        )


def number(value: int | Fraction | str | None) -> TracedNumber | None:
    """Return a total if it is a number."""
    return None if isinstance(value, str) else value


def label(value: int | Fraction | str | None) -> str | None:
    """Return the name of a column as text; it may be a number."""
    return None if value is None else str(value)


def _kinds(fight: Fight, step: int) -> Node:
    """Run a fight, with every answer, up to the step where its kind is known."""
    procedure = fight.case.procedure
    if step == procedure.trimmed and not fight.pending:
        return settled(fight)
    node = grow(procedure.steps[step], fight, merging=False)
    return _beyond(node, step)


def _beyond(node: Node, step: int) -> Node:
    match node:
        case Rolled():
            return Rolled(node.ask, node.weights, tuple(_beyond(c, step) for c in node.children))
        case Chosen():
            return Chosen(node.ask, tuple(_beyond(c, step) for c in node.children))
        case Committed():
            rows = tuple(tuple(_beyond(c, step) for c in line) for line in node.children)
            return Committed(node.ask, rows)
    return _kinds(node, step + (not node.pending))


T = TypeVar("T")


def settled(value: T) -> T:
    """Replace every traced number within a value by its plain value, and settle it."""
    return cast(T, _settled(value))


def _settled(value: Any) -> object:  # noqa: ANN401  # a fight may hold any value
    if isinstance(value, Traced):
        return value.settled()
    if isinstance(value, Case):
        return Case(value.card, value.options, settled(value.setup), value.procedure)
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        changed = {name: _settled(old) for name, old in fields.items()}
        return replace(value, **{k: v for k, v in changed.items() if v is not fields[k]})
    if isinstance(value, tuple):
        parts = [_settled(part) for part in value]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


def value_of(operand: Operand, columns: InputColumns, rows: Int64Array) -> Int64Array:
    """Compute an operand for some rows."""
    known: dict[Term, Int64Array] = {}

    def value(operand: Operand) -> Int64Array | int:
        if isinstance(operand, int):
            return operand
        if operand not in known:
            if operand.column:
                known[operand] = columns[operand.column][rows].astype(np.int64)
            elif operand.operation == "gcd":
                known[operand] = np.gcd(value(operand.left), value(operand.right)).astype(np.int64)
            else:
                computed: Any = OPERATIONS[operand.operation](
                    cast(int, value(operand.left)), cast(int, value(operand.right))
                )
                known[operand] = computed.astype(np.int64)
        return known[operand]

    return np.broadcast_to(np.asarray(value(operand), np.int64), rows.shape)
