"""The reckoning of very many fights: the rules are traced once for all that go the same way.

What is traced is kept as a tree: at each fork a term, and a way for each of its values. Fights come
in as rows of whole numbers, are led down the tree together, and parted only where the rules part
them. Where no fight has gone before, one of them is traced, and the tree grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from grognard.arrays.input_columns import Form
from grognard.arrays.row_numbers import Columns
from grognard.arrays.tracing import OPERATIONS, Part, Path, Term, Terms, Traced
from grognard.fights.explain import Explanation, explain_begun
from grognard.fights.opening import begin
from grognard.fights.tree import Chosen, Committed, Node, Rolled, grow
from grognard.rules.fight import Case, Fight
from grognard.words.refusal import Refusal

Rows = np.ndarray[tuple[int], np.dtype[np.int64]]
Number = int | Fraction | Traced


class Reckoned(NamedTuple):
    """What all fights that go the same way have in common."""

    refused: bool
    # Where their kind is known, by what is rolled, chosen and committed before that.
    kinds: Node | None = None
    attack: Number | None = None
    defence: Number | None = None
    basic: str | None = None
    final: str | None = None
    die_modifier: Number = 0


class _Place:
    """A place in the tree: a fork, an end, or not yet seen."""

    __slots__ = ("end", "term", "ways")

    def __init__(self) -> None:
        self.term: Term | None = None
        self.ways: dict[int, _Place] = {}
        self.end: int | None = None


class Reckoner:
    """Reckons fights that are stated in one form, many at a time."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.ends: list[Reckoned] = []
        self._terms = Terms()
        self._root = _Place()
        self._at = self._root

    def reckon(self, columns: Columns, count: int) -> Rows:
        """Give for each row the number of its end."""
        ends = np.empty(count, np.int64)
        waiting = [(self._root, np.arange(count))] if count else []
        while waiting:
            place, rows = waiting.pop()
            if place.term is None and place.end is None:
                self._trace({name: int(column[rows[0]]) for name, column in columns.items()})
            if place.end is not None:
                ends[rows] = place.end
                continue
            waiting += self._parted(place, rows, columns)
        return ends

    def _parted(self, place: _Place, rows: Rows, columns: Columns) -> list[tuple[_Place, Rows]]:
        """Lead rows on from a fork."""
        values = value_of(cast(Term, place.term), columns, rows)
        parts: list[tuple[_Place, Rows]] = []
        while len(rows):
            value = int(values[0])
            alike = values == value
            parts.append((place.ways.setdefault(value, _Place()), rows[alike]))
            rows, values = rows[~alike], values[~alike]
        return parts

    # ------------------------------------------------------------------ tracing

    def _trace(self, row: Mapping[str, int]) -> None:
        """Run the rules on one row, and let the tree grow by its way."""
        self._at = self._root
        path = Path(self._terms, self._settle)
        try:
            end = self._run(path, row)
        finally:
            path.close()
        self._at.end = len(self.ends)
        self.ends.append(end)

    def _settle(self, term: Term, value: int) -> None:
        place = self._at
        if place.term is None:
            place.term = term
        elif place.term is not term:
            raise RuntimeError(
                f"{self.form.game.id} reckons equal fights in different ways; a cache in its rules "
                "must be keyed by the case"
            )
        self._at = place.ways.setdefault(value, _Place())

    def _run(self, path: Path, row: Mapping[str, int]) -> Reckoned:
        try:
            fight = self.form.fight(self.form.traced(path, row))
            begun = begin(fight)
            kinds = _kinds(begun.fight, begun.step)
        except Refusal:
            return Reckoned(refused=True)
        told = explain_begun(fight, begun)
        return _summed(kinds, told)


def _summed(kinds: Node, told: Explanation) -> Reckoned:
    totals, column = told.totals(), told.column()
    return Reckoned(
        False,
        kinds,
        number(totals["attack"]),
        number(totals["defence"]),
        label(column["basic"]),
        label(column["final"]),
        told.die_modifier,
    )


def number(value: int | Fraction | str | None) -> Number | None:
    """Give a total that is a number."""
    return None if isinstance(value, str) else value


def label(value: int | Fraction | str | None) -> str | None:
    """Give the name of a column, which may be a number."""
    return None if value is None else str(value)


def _kinds(fight: Fight, step: int) -> Node:
    """Run a fight with every answer to where its kind is known."""
    procedure = fight.case.procedure
    if step == procedure.reckoned and not fight.pending:
        plain = procedure.plain
        return settled(plain.of(fight) if plain else fight)
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


# ------------------------------------------------------------------ values


T = TypeVar("T")


def settled(value: T) -> T:
    """Settle every traced number within a value, and put what it is in its place."""
    return cast(T, _settled(value))


def _settled(value: Any) -> object:  # noqa: ANN401  # whatever a fight may hold
    if isinstance(value, Traced):
        return value.settled()
    if isinstance(value, Case):
        return value.restated(settled(value.setup))
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


def value_of(part: Part, columns: Columns, rows: Rows) -> Rows:
    """Reckon a term for some rows."""
    known: dict[Term, Rows] = {}

    def value(part: Part) -> Rows | int:
        if isinstance(part, int):
            return part
        if part not in known:
            if part.column:
                known[part] = columns[part.column][rows].astype(np.int64)
            elif part.operation == "gcd":
                known[part] = np.gcd(value(part.left), value(part.right)).astype(np.int64)
            else:
                reckoned: Any = OPERATIONS[part.operation](
                    cast(int, value(part.left)), cast(int, value(part.right))
                )
                known[part] = reckoned.astype(np.int64)
        return known[part]

    return np.broadcast_to(np.asarray(value(part), np.int64), rows.shape)
