"""SQLite below the store: one file, for several threads and processes."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import RLock
from time import monotonic, sleep

from grognard.matches.storage.connections import PATIENCE, Connections
from grognard.matches.storage.database import Row, Value
from grognard.matches.storage.rows import Unusable, check_known
from grognard.matches.storage.sqlite_check import (
    ERRORS,
    broken,
    check_pages,
    has_shape,
    mend_indexes,
    refusal_of,
    text_of_bytes,
)
from grognard.parallel.undisturbed import undisturbed
from grognard.words.message import say

APPLICATION = 0x47524F47  # "GROG", in the header of the file
MOST = 16  # connections
LOOK = 0.05  # seconds between two looks for changes


class SQLite:
    """A file of SQLite. Threads read it beside each other, and write one after the other."""

    lock_row = ""  # a transaction that writes has locked the whole file

    def __init__(
        self, path: Path, tables: str, format_: int, steps: Mapping[int, Callable[[], None]]
    ) -> None:
        self.path, self.name = path, str(path)
        self._tables, self._format = tables, format_
        self._steps = steps  # what turns each older format into the next one
        self._writing = RLock()
        self._connections = Connections(self._connect, MOST)

    def open(self) -> None:
        """Open the file, or refuse it; an open file stays open."""
        self._connections.open(self._begin, self.name)

    def close(self) -> None:
        """Close the file, until it is opened again."""
        self._connections.close()

    # -------------------------------------------------------------- opening

    def _connect(self) -> sqlite3.Connection:
        # Transactions begin and end in this class, never by themselves.
        connection = sqlite3.connect(
            self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            connection.text_factory = text_of_bytes
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin(self) -> None:
        """Check whose file it is, and whether it is whole, before writing anything to it."""
        with self._naming(), self._connection() as file:
            new = _is_new(file)
            found = self._format if new else self._checked_format(file)
            fits = new or check_pages(file)
            file.execute("PRAGMA journal_mode = WAL")
        if new:
            self._make()
        if found < self._format:
            self._renew()
        with self._naming(), self._connection() as file:
            if not has_shape(file, self._tables):
                raise broken("malformed database schema")
            if not fits:
                mend_indexes(file)

    def _make(self) -> None:
        with self.transaction(write=True):
            file = self._connections.taken
            if not _is_new(file):  # another process made it first
                return
            for statement in self._tables.split(";"):
                file.execute(statement)
            file.execute(f"PRAGMA application_id = {APPLICATION}")
            file.execute(f"PRAGMA user_version = {self._format}")

    def _renew(self) -> None:
        with self.transaction(write=True):
            file = self._connections.taken
            # Read again: another process may have done some of it.
            for older in range(_number(file, "PRAGMA user_version"), self._format):
                self._steps[older]()
            file.execute(f"PRAGMA user_version = {self._format}")

    def _checked_format(self, file: sqlite3.Connection) -> int:
        found = _number(file, "PRAGMA user_version")
        if _number(file, "PRAGMA application_id") != APPLICATION or found < 1:
            raise Unusable(say("this SQLite file was not made by Grognard"))
        check_known(found, self._format)
        if found < self._format and has_shape(file, self._tables):  # the number is damaged
            raise broken("malformed database schema")
        return found

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Use a connection outside a transaction."""
        file = self._connections.take()
        try:
            yield file
        finally:
            self._connections.give_back()

    # -------------------------------------------------------------- transactions

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[None]:
        """Do all or nothing, or read one consistent state; inside another transaction, join it."""
        if self._connections.own is not None:
            yield
            return
        # Writers of this process wait here, and only those of other processes at the file.
        alone = self._writing if write else nullcontext()
        with undisturbed(), alone, self._naming(), self._connection() as file:
            file.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield
                file.execute("COMMIT")
            except BaseException:
                if file.in_transaction:
                    file.execute("ROLLBACK")
                raise

    def rows(self, statement: str, *values: Value) -> list[Row]:
        """Give the rows that a statement finds."""
        found = self._connections.taken.execute(statement, values)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def run(self, statement: str, *values: Value) -> int:
        """Change rows, and give their number."""
        return self._connections.taken.execute(statement, values).rowcount

    def changes(self) -> "SQLiteChanges":
        """Open a watch on what any process changes from now on."""
        with self._naming():
            return SQLiteChanges(self._connect())

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn errors of SQLite into refusals."""
        try:
            yield
        except ERRORS as error:
            raise refusal_of(error) from None


class SQLiteChanges:
    """A watch on a file: SQLite counts the changes, and a look at the count is cheap."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file
        self._seen = -1  # what changed before the first look is not known

    def wait(self, seconds: float) -> Collection[str] | None:
        """Wait for a change: none in that time, or None if any match may have changed."""
        end = monotonic() + seconds
        while (now := _number(self._file, "PRAGMA data_version")) == self._seen:
            if monotonic() >= end:
                return ()
            sleep(LOOK)
        self._seen = now
        return None

    def close(self) -> None:
        """End the watch."""
        self._file.close()


def _is_new(file: sqlite3.Connection) -> bool:
    return _number(file, "SELECT count(*) FROM sqlite_master") == 0


def _number(file: sqlite3.Connection, statement: str) -> int:
    return int(file.execute(statement).fetchone()[0])
