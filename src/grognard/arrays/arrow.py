"""Fights in Arrow tables and Parquet files: columns as a batch names them, results beside them.

Importing this without pyarrow is refused with what to install.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np
from msgspec.structs import fields
from numpy.typing import NDArray

from grognard.arrays.batch import Batch, Fights, WordColumn
from grognard.arrays.result_columns import (
    COMPUTED,
    EXPECTED,
    LABELS,
    REFUSED,
    ColumnType,
    ResultColumns,
    label_indices,
    numbers,
)
from grognard.arrays.setup_template import InputColumn
from grognard.files.atomic_file import whole_file
from grognard.rules.fight import Outcome
from grognard.words.message import say
from grognard.words.refusal import Refusal

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError:
    raise Refusal(
        say(
            "Arrow tables and Parquet files need one package more: {command}",
            command="pip install grognard[arrow]",
        )
    ) from None

ROWS = 1 << 16  # of a row group, and of what is reckoned at a time
WORD = pa.dictionary(pa.int32(), pa.string())


# ------------------------------------------------------------------ tables


def fights_table(
    batch: Batch, table: pa.Table | pa.RecordBatch, *, seed: int | None = None, first: int = 0
) -> pa.Table:
    """Reckon a fight for each row, and give the table with the results as further columns.

    Without a seed these are chances and expectations, with one a random outcome of each fight;
    `first` is the number of the first row in its series. Columns that the batch does not know
    are carried through. A fight that the rules do not allow is marked, and its results are null.
    """
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    columns = {
        field.name: _column(field, _array(table, field, first)) for field in batch.template.columns
    }
    fights = batch.fights(columns, refused="mark")
    results = {name: _measured(batch, fights, name) for name in COMPUTED}
    results[REFUSED] = pa.array(fights.refused)
    if seed is None:
        results |= {name: _measured(batch, fights, name) for name in EXPECTED}
    else:
        results |= _drawn(batch, fights, seed, first)
    for name, values in results.items():
        if name in table.column_names:
            raise Refusal(say("the results have a column of this name too; rename it"), place=name)
        table = table.append_column(name, values)
    return table


def fights_tables(
    batch: Batch, tables: Iterable[pa.Table | pa.RecordBatch], *, seed: int | None = None
) -> Iterator[pa.Table]:
    """Reckon the parts of a series one after the other."""
    first = 0
    for table in tables:
        yield fights_table(batch, table, seed=seed, first=first)
        first += table.num_rows


# ------------------------------------------------------------------ columns


def _array(table: pa.Table, field: InputColumn, first: int) -> pa.Array:
    """Take a column out of a table, whole and without gaps."""
    if table.column_names.count(field.name) != 1:
        problem = say(
            "the table must have this column, once; it has {names}",
            names=", ".join(table.column_names) or "-",
        )
        raise Refusal(problem, place=field.name)
    array = table.column(field.name).unify_dictionaries().combine_chunks()
    missing = array.is_null(nan_is_null=False)
    if missing.true_count:
        problem = say("row {row} has no value", row=first + missing.index(True).as_py())
        raise Refusal(problem, place=field.name)
    return array


def _column(field: InputColumn, array: pa.Array) -> NDArray[np.generic] | WordColumn:
    """Give a column as a batch takes it."""
    type_ = array.type
    if field.kind in ("word", "words"):
        words = type_.value_type if pa.types.is_dictionary(type_) else type_
        if not (pa.types.is_string(words) or pa.types.is_large_string(words)):
            problem = say("expected words in one row, found {found}", found=str(type_))
            raise Refusal(problem, place=field.name)
        coded = array if pa.types.is_dictionary(type_) else array.dictionary_encode()
        places = coded.indices.to_numpy(zero_copy_only=False)
        return WordColumn(tuple(coded.dictionary.to_pylist()), places)
    truth = pa.types.is_boolean(type_) and field.kind == "truth"
    if not truth and not pa.types.is_integer(type_):
        problem = say("expected whole numbers in one row, found {found}", found=str(type_))
        raise Refusal(problem, place=field.name)
    values: NDArray[np.generic] = array.to_numpy(zero_copy_only=False)
    return values


def _measured(batch: Batch, fights: Fights, name: str) -> pa.Array:
    if name not in LABELS:
        return pa.array(numbers(fights, name), from_pandas=True)
    places = label_indices(fights, name)
    labels = pa.array(batch.labels, pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(places, mask=places < 0), labels)


def _drawn(batch: Batch, fights: Fights, seed: int, first: int) -> dict[str, pa.Array]:
    """Draw an outcome for each fight; give its fields."""
    drawn = fights.sample(seed, first)
    places = pa.array(drawn, mask=drawn < 0)
    types = {int: pa.int64(), bool: pa.bool_(), str: pa.string()}
    found = {}
    for field in fields(Outcome):
        each = pa.array(
            [getattr(outcome, field.name) for outcome in batch.outcomes],
            types.get(field.type, pa.list_(pa.string())),
        )
        found[field.name] = each.take(places)
    found["result"] = found["result"].dictionary_encode()
    return found


# ------------------------------------------------------------------ files


def stream(
    batch: Batch,
    source: str | Path,
    target: str | Path,
    *,
    seed: int | None = None,
    rows: int = ROWS,
) -> int:
    """Reckon the fights of a Parquet file into another one, some rows at a time; count them.

    The target is written as a whole or not at all.
    """
    count = 0
    with _reading(source) as file, whole_file(Path(target)) as beside:
        schema = fights_table(batch, file.schema_arrow.empty_table(), seed=seed).schema
        parts = _parts(file, str(source), rows)
        with pq.ParquetWriter(beside, schema) as writer:
            for table in fights_tables(batch, parts, seed=seed):
                writer.write_table(table, rows)
                count += table.num_rows
    return count


@contextmanager
def _reading(source: str | Path) -> Iterator[pq.ParquetFile]:
    try:
        # Buffered, so that a row group of any size is read a little at a time.
        file = pq.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(source, error) from None
    with file:
        yield file


def _parts(file: pq.ParquetFile, source: str, rows: int) -> Iterator[pa.RecordBatch]:
    try:
        yield from file.iter_batches(rows)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(source, error) from None


def _unreadable(source: str | Path, error: Exception) -> Refusal:
    if isinstance(error, OSError) and error.errno:
        problem = say("can't be read: {problem}", problem=os.strerror(error.errno))
    else:
        problem = say("this is not a sound Parquet file: {problem}", problem=str(error))
    return Refusal(problem, source=str(source))


class RowsFile:
    """Writes columns to a Parquet file, in row groups that do not show how the columns came."""

    def __init__(self, path: Path, holds: Mapping[str, ColumnType]) -> None:
        types = {"number": pa.int64(), "truth": pa.bool_(), "word": WORD, "real": pa.float64()}
        self._schema = pa.schema([(name, types[each]) for name, each in holds.items()])
        self._waiting: list[pa.Table] = []
        self._writer = pq.ParquetWriter(path, self._schema)

    def __enter__(self) -> RowsFile:
        return self

    def __exit__(
        self,
        type_: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if error is None:
            self._write_out(0)
        self._writer.close()

    def write(self, columns: ResultColumns) -> None:
        plain = {
            name: pa.array(
                column, pa.string() if column.dtype.kind == "O" else None, from_pandas=True
            )
            for name, column in columns.items()
        }
        self._waiting.append(pa.table(plain))
        self._write_out(ROWS - 1)

    def _write_out(self, most: int) -> None:
        """Write row groups while more rows are waiting."""
        while sum(table.num_rows for table in self._waiting) > most:
            waiting = pa.concat_tables(self._waiting).combine_chunks()
            self._writer.write_table(self._coded(waiting.slice(0, ROWS)), ROWS)
            self._waiting = [waiting.slice(ROWS)]

    def _coded(self, table: pa.Table) -> pa.Table:
        """Give a row group's words a numbering of its own."""
        columns = [
            column.combine_chunks().dictionary_encode()
            if pa.types.is_string(column.type)
            else column
            for column in table.columns
        ]
        return pa.table(columns, schema=self._schema)
