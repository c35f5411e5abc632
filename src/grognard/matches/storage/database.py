"""The database below the store, as the store uses it."""

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

Value = str | int | None
Row = Mapping[str, Value]


class Changes(Protocol):
    """A watch on what any process changes in a database; for one thread."""

    def wait(self, seconds: float) -> Collection[str] | None:
        """Wait for changed matches: their ids, none in that time, or None if any may be one."""

    def close(self) -> None:
        """End the watch."""


class Database(Protocol):
    """A database for any number of threads. Statements have `?` where a value belongs."""

    name: str  # shown in refusals; without a password
    lock_row: str  # end of a SELECT whose row is about to be changed

    def open(self) -> None:
        """Open it, make its tables if it is new, bring an older format up to date; or refuse."""

    def close(self) -> None:
        """Close it, until it is opened again."""

    def transaction(self, *, write: bool) -> AbstractContextManager[None]:
        """Do all or nothing, or read one consistent state; inside another transaction, join it."""

    def rows(self, statement: str, *values: Value) -> list[Row]:
        """Give the rows that a statement finds: within a transaction, or at this moment."""

    def run(self, statement: str, *values: Value) -> None:
        """Change rows before anything else is read, or the transaction ends; only within one."""

    def changed(self, statement: str, *values: Value) -> int:
        """Change rows, and give their number; only within a transaction."""

    def note(self, id_: str) -> None:
        """Note that this transaction changes a match; watches are told when it is committed."""

    def changes(self) -> Changes:
        """Open a watch on what any process changes from now on."""


def insert_row(database: Database, table: str, row: Row, *, or_skip: bool = False) -> None:
    """Write a row as another store has it; skip one whose key is there already, or refuse it."""
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    skip = " ON CONFLICT DO NOTHING" if or_skip else ""
    database.run(f"INSERT INTO {table} ({columns}) VALUES ({marks}){skip}", *row.values())
