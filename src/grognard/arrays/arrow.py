"""Fights in Arrow tables and Parquet files: results are added as columns beside the input.

Without pyarrow the import is refused, with the command that installs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
from msgspec.structs import fields
from numpy.typing import NDArray

from grognard.arrays.batch import (
    COMPUTED,
    EXPECTED,
    LABELS,
    REFUSED,
    Batch,
    ColumnType,
    Fights,
    ResultColumns,
    WordColumn,
    label_indices,
    numbers,
)
from grognard.arrays.setup_template import InputColumn
from grognard.files.atomic_file import whole_file
from grognard.rules.fight import Outcome
from grognard.words.foreign import foreign
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

ROWS = 1 << 16  # of a row group, and of one evaluation
WORD = pa.dictionary(pa.int32(), pa.string())


def fights_table(
    batch: Batch, table: pa.Table | pa.RecordBatch, *, seed: int | None = None, first: int = 0
) -> pa.Table:
    """Evaluate a fight for each row, and return the table with result columns added.

    Without a seed the results are probabilities and expectations; with a seed, a random outcome of
    each fight; `first` is the number of the first row in its series. Columns that the batch does
    not use are copied. A fight that the rules refuse is marked, and its results are null.
    """
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    columns = {
        column.name: _column(column, _array(table, column, first))
        for column in batch.template.columns
    }
    fights = batch.fights(columns, refused="mark")
    results = {name: _result(batch, fights, name) for name in COMPUTED}
    results[REFUSED] = pa.array(fights.refused)
    if seed is None:
        results |= {name: _result(batch, fights, name) for name in EXPECTED}
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
    """Evaluate the parts of a series one after the other."""
    first = 0
    for table in tables:
        yield fights_table(batch, table, seed=seed, first=first)
        first += table.num_rows


def _array(table: pa.Table, column: InputColumn, first: int) -> pa.Array:
    """Take a column out of a table; refuse missing values."""
    if table.column_names.count(column.name) != 1:
        problem = say(
            "the table must have this column, once; it has {names}",
            names=", ".join(table.column_names) or "-",
        )
        raise Refusal(problem, place=column.name)
    array = table.column(column.name).unify_dictionaries().combine_chunks()
    missing = array.is_null(nan_is_null=False)
    if missing.true_count:
        problem = say("row {row} has no value", row=first + missing.index(True).as_py())
        raise Refusal(problem, place=column.name)
    return array


def _column(column: InputColumn, array: pa.Array) -> NDArray[np.generic] | WordColumn:
    """Convert a column to the form that a batch accepts."""
    type_ = array.type
    if column.kind in ("word", "words"):
        words = type_.value_type if pa.types.is_dictionary(type_) else type_
        if not (pa.types.is_string(words) or pa.types.is_large_string(words)):
            problem = say("expected words in one row, found {found}", found=str(type_))
            raise Refusal(problem, place=column.name)
        coded = array if pa.types.is_dictionary(type_) else array.dictionary_encode()
        places = coded.indices.to_numpy(zero_copy_only=False)
        return WordColumn(tuple(coded.dictionary.to_pylist()), places)
    truth = pa.types.is_boolean(type_) and column.kind == "truth"
    if not truth and not pa.types.is_integer(type_):
        problem = say("expected whole numbers in one row, found {found}", found=str(type_))
        raise Refusal(problem, place=column.name)
    values: NDArray[np.generic] = array.to_numpy(zero_copy_only=False)
    return values


def _result(batch: Batch, fights: Fights, name: str) -> pa.Array:
    if name not in LABELS:
        return pa.array(numbers(fights, name), from_pandas=True)
    indices = label_indices(fights, name)
    labels = pa.array(batch.labels, pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(indices, mask=indices < 0), labels)


def _drawn(batch: Batch, fights: Fights, seed: int, first: int) -> dict[str, pa.Array]:
    """Draw an outcome for each fight; return its fields as columns."""
    drawn = fights.sample(seed, first)
    indices = pa.array(drawn, mask=drawn < 0)
    types = {int: pa.int64(), bool: pa.bool_(), str: pa.string()}
    found = {}
    for field in fields(Outcome):
        each = pa.array(
            [getattr(outcome, field.name) for outcome in batch.outcomes],
            types.get(field.type, pa.list_(pa.string())),
        )
        found[field.name] = each.take(indices)
    found["result"] = found["result"].dictionary_encode()
    return found


def stream(
    batch: Batch,
    source: str | Path,
    target: str | Path,
    *,
    seed: int | None = None,
    rows: int = ROWS,
) -> int:
    """Evaluate the fights of a Parquet file into another file, in chunks; return their number.

    The target is written as a whole or not at all.
    """
    count = 0
    with _opened(source) as file, whole_file(Path(target)) as beside:
        schema = fights_table(batch, file.schema_arrow.empty_table(), seed=seed).schema
        parts = _parts(file, str(source), rows)
        with pq.ParquetWriter(beside, schema) as writer:
            for table in fights_tables(batch, parts, seed=seed):
                writer.write_table(table, rows)
                count += table.num_rows
    return count


def _opened(source: str | Path) -> pq.ParquetFile:
    try:
        # Buffered, so that a large row group is read in small parts.
        return pq.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(source, error) from None


def _parts(file: pq.ParquetFile, source: str, rows: int) -> Iterator[pa.RecordBatch]:
    try:
        yield from file.iter_batches(rows)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(source, error) from None


def _unreadable(source: str | Path, error: Exception) -> Refusal:
    if isinstance(error, OSError) and error.errno:
        problem = say("can't be read: {problem}", problem=foreign(os.strerror(error.errno)))
    else:
        problem = say("this is not a sound Parquet file: {problem}", problem=foreign(error))
    return Refusal(problem, source=str(source))


class RowsFile:
    """Writes columns to a Parquet file; the row groups do not depend on the chunks written."""

    def __init__(self, path: Path, holds: Mapping[str, ColumnType]) -> None:
        types = {"number": pa.int64(), "truth": pa.bool_(), "word": WORD, "real": pa.float64()}
        self._schema = pa.schema([(name, types[each]) for name, each in holds.items()])
        self._waiting: list[pa.Table] = []
        self._writer = pq.ParquetWriter(path, self._schema)

    def __enter__(self) -> RowsFile:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
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
        """Write row groups while more than `most` rows are waiting."""
        while sum(table.num_rows for table in self._waiting) > most:
            waiting = pa.concat_tables(self._waiting).combine_chunks()
            self._writer.write_table(self._coded(waiting.slice(0, ROWS)), ROWS)
            self._waiting = [waiting.slice(ROWS)]

    def _coded(self, table: pa.Table) -> pa.Table:
        """Encode the words of a row group with a dictionary of its own."""
        columns = [
            column.combine_chunks().dictionary_encode()
            if pa.types.is_string(column.type)
            else column
            for column in table.columns
        ]
        return pa.table(columns, schema=self._schema)
