"""Sweeps: every combination of a designer's ranges, evaluated in chunks by several workers.

The rows of a chunk depend only on its combinations, so the output is the same, byte for byte,
however the work is divided.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from grognard.arrays.batch import (
    LABELS,
    REFUSED,
    Batch,
    ColumnType,
    Fights,
    ResultColumn,
    ResultColumns,
    WordColumn,
    label_indices,
    numbers,
)
from grognard.arrays.sampling import Indices
from grognard.files.csv_text import csv_text
from grognard.files.source import Source
from grognard.parallel.workers import run
from grognard.study.sweep_spec import RULES, Range, Sweep, read_sweep
from grognard.words.message import say
from grognard.words.refusal import Refusal

CHUNK = 1 << 14  # combinations
ROW = "row"


class Tally(NamedTuple):
    """The number of combinations, rows and refusals of a sweep or of a chunk."""

    combinations: int = 0
    rows: int = 0
    refused: int = 0
    first_refused: int | None = None

    def plus(self, more: Tally) -> Tally:
        return Tally(
            self.combinations + more.combinations,
            self.rows + more.rows,
            self.refused + more.refused,
            more.first_refused if self.first_refused is None else self.first_refused,
        )


class ChunkTask(Struct, frozen=True):
    """The combinations of a chunk, from `first` to `last`."""

    source: Source
    first: int
    last: int
    keep: bool  # keep combinations that the rules refuse


class ChunkRows(NamedTuple):
    """The results of a chunk in columns; missing numbers are NaN, missing words None."""

    columns: ResultColumns
    tally: Tally


class ChunkLines(NamedTuple):
    """The results of a chunk as lines of CSV."""

    text: str
    tally: Tally


R = TypeVar("R", ChunkRows, ChunkLines)


class Job(Struct, frozen=True):
    """A sweep to run, with its source and its workers."""

    source: Source
    sweep: Sweep
    keep: bool = False  # keep combinations that the rules refuse, with empty results
    on: str | None = None
    workers: int | None = None
    chunk: int = CHUNK

    def parts(self, function: Callable[[ChunkTask], R]) -> Generator[R, None, None]:
        """Apply a function to each chunk, and yield the results in order."""
        alone = self.on is None and self.sweep.count <= self.chunk
        yield from run(function, self._tasks(), on=self.on, workers=1 if alone else self.workers)

    def _tasks(self) -> Iterator[ChunkTask]:
        for before in range(0, self.sweep.count, self.chunk):
            last = min(before + self.chunk, self.sweep.count)
            yield ChunkTask(self.source, before + 1, last, self.keep)

    def column_types(self) -> dict[str, ColumnType]:
        """Give the names of the columns, with their types."""
        types: dict[str, ColumnType] = {ROW: "number"}
        types.update((r.name, _COLUMN_TYPES.get(r.kind, "word")) for r in self.sweep.ranges)
        if self.keep:
            types[REFUSED] = "truth"
        types.update((name, "word" if name in LABELS else "real") for name in self.sweep.give)
        return types

    def header(self) -> str:
        """Write the first line of a CSV file."""
        return csv_text([list(self.column_types())])

    def reason(self, number: int) -> Refusal:
        """Give the reason why the rules refuse a combination."""
        rules = self.sweep.rules(self.sweep.values(number))
        try:
            self.sweep.fight(number).odds(rules.attacker, rules.defender)
        except Refusal as refusal:
            return refusal
        raise RuntimeError(f"combination {number} is refused among others, but not alone")

    def check(self, count: Tally) -> None:
        """Refuse a sweep without any row."""
        if not count.rows and count.first_refused is not None:
            refusal = self.reason(count.first_refused)
            problem = say(
                "the rules allow none of the {n} combinations; the first: {problem}",
                n=count.combinations,
                problem=refusal.problem,
            )
            with self.source.placing():
                raise Refusal(problem, place=refusal.place)


_COLUMN_TYPES: Mapping[str, ColumnType] = {"number": "number", "truth": "truth"}


def compute_rows(task: ChunkTask) -> ChunkRows:
    """Compute the rows of a chunk."""
    return _computer(task.source).rows(task)


def compute_lines(task: ChunkTask) -> ChunkLines:
    """Compute the rows of a chunk, as CSV."""
    columns, count = compute_rows(task)
    return ChunkLines(csv_text(zip(*map(_cells, columns.values()), strict=True)), count)


@lru_cache(maxsize=1)
def _computer(source: Source) -> _ChunkComputer:
    """Give the sweep that this process has traced so far."""
    return _ChunkComputer(read_sweep(source))


class _ChunkComputer:
    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.stated = [range_ for range_ in sweep.ranges if range_.kind not in RULES]
        self.rules = [range_ for range_ in sweep.ranges if range_.kind in RULES]
        # A batch needs a column: without another one, the number of units, which is constant.
        self.constant = None if self.stated else sweep.units()
        self.batches: dict[int, Batch] = {}

    def rows(self, task: ChunkTask) -> ChunkRows:
        all_numbers = np.arange(task.first, task.last + 1)
        indices = self._indices(all_numbers - 1)
        refused, results = self._results(indices, len(all_numbers))
        columns: dict[str, ResultColumn] = {
            ROW: all_numbers,
            **{r.name: _column(r, indices[r.name]) for r in self.sweep.ranges},
            **({REFUSED: refused} if task.keep else {}),
            **results,
        }
        kept = np.ones_like(refused) if task.keep else ~refused
        first = int(all_numbers[refused.argmax()]) if refused.any() else None
        count = Tally(len(refused), int(kept.sum()), int(refused.sum()), first)
        return ChunkRows({name: column[kept] for name, column in columns.items()}, count)

    def _indices(self, left: Indices) -> dict[str, Indices]:
        """Give for each range the index of its value in each combination."""
        found = {}
        for range_ in reversed(self.sweep.ranges):
            left, found[range_.name] = np.divmod(left, len(range_.values))
        return found

    def _results(
        self, indices: Mapping[str, Indices], count: int
    ) -> tuple[NDArray[np.bool_], dict[str, ResultColumn]]:
        refused = np.zeros(count, np.bool_)
        results: dict[str, ResultColumn] = {
            name: np.full(count, None if name in LABELS else np.nan) for name in self.sweep.give
        }
        rules = np.zeros(count, np.int64)
        for range_ in self.rules:
            rules = rules * len(range_.values) + indices[range_.name]
        for rule in np.unique(rules):
            rows = np.flatnonzero(rules == rule)
            batch = self._batch(
                int(rule), {r.name: int(indices[r.name][rows[0]]) for r in self.rules}
            )
            columns = {r.name: _stated(r, indices[r.name][rows]) for r in self.stated}
            if self.constant:
                columns = {self.constant[0]: np.full(len(rows), self.constant[1])}
            fights = batch.fights(columns, refused="mark", distinct=True)
            refused[rows] = fights.refused
            for name in self.sweep.give:
                results[name][rows] = _measure(batch, fights, name)
        return refused, results

    def _batch(self, number: int, indices: Mapping[str, int]) -> Batch:
        if number not in self.batches:
            sweep = self.sweep
            rules = sweep.rules({r.name: r.values[indices[r.name]] for r in self.rules})
            self.batches[number] = Batch(
                sweep.game,
                sweep.setup,
                [self.constant[0]] if self.constant else [r.name for r in self.stated],
                procedure=sweep.procedure,
                options=rules.options,
                attacker=rules.attacker,
                defender=rules.defender,
            )
        return self.batches[number]


def _stated(range_: Range, indices: Indices) -> ResultColumn | WordColumn:
    """Give the values of a range in the form that a batch accepts."""
    if range_.kind in ("word", "words"):
        return WordColumn(tuple(map(str, range_.values)), indices)
    return _column(range_, indices)


def _column(range_: Range, indices: Indices) -> ResultColumn:
    values = range_.values
    if isinstance(values, range):
        return values.start + indices * values.step
    types = {"number": np.int64, "truth": np.bool_}
    return np.array(values, types.get(range_.kind, np.object_)).take(indices)


def _measure(batch: Batch, fights: Fights, name: str) -> ResultColumn:
    if name not in LABELS:
        return numbers(fights, name)
    return np.array([*batch.labels, None], object).take(label_indices(fights, name), mode="wrap")


def _cells(column: ResultColumn) -> list[str]:
    match column.dtype.kind:
        case "b":
            return ["true" if value else "false" for value in column.tolist()]
        case "f":
            values, indices = np.unique(column, return_inverse=True)
            texts = np.array([_number(value) for value in values.tolist()], object)
            return list(texts.take(indices))
        case "O":
            return ["" if value is None else value for value in column.tolist()]
    return list(map(str, column.tolist()))


def _number(value: float) -> str:
    """Write a number so that it reads back exactly; a missing one is empty."""
    return "" if np.isnan(value) else repr(value).removesuffix(".0")
