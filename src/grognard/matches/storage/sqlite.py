"""SQLite below the store: one file, for several threads and processes."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event, Lock, RLock
from time import monotonic
from weakref import WeakSet

from grognard.files.atomic_file import make_private
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
LOOK = 0.05  # seconds between two looks for changes of other processes
REST = 0.5  # seconds after which such a change may mean another look at all matches


class SQLite:
    """A file of SQLite. Threads read it beside each other, and write one after the other."""

    lock_row = ""  # a transaction that writes has locked the whole file

    def __init__(
        self, path: Path, tables: str, format_: int, steps: Mapping[int, Callable[[], int]]
    ) -> None:
        self.path, self.name = path, str(path)
        self._tables, self._format = tables, format_
        self._steps = steps  # what turns each older format into a later one
        self._writing = RLock()
        self._noted = set[str]()  # changed by the transaction that writes
        self._watches = WeakSet[SQLiteChanges]()
        self._connections = Connections(self._connect, MOST)

    def open(self) -> None:
        """Open the file, or refuse it; an open file stays open."""
        self._connections.open(self._begin, self.name)

    def close(self) -> None:
        """Close the file, until it is opened again."""
        self._connections.close()

    # -------------------------------------------------------------- opening

    def _connect(self) -> sqlite3.Connection:
        with suppress(OSError):  # SQLite itself says what is wrong
            make_private(self.path)  # the files beside it get the same rights
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
            found = _number(file, "PRAGMA user_version")
            while found < self._format:
                found = self._steps[found]()
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
                self._noted.clear()
                if file.in_transaction:
                    file.execute("ROLLBACK")
                raise
            if write:
                self._tell()

    def note(self, id_: str) -> None:
        """Note that this transaction changes a match; watches are told when it is committed."""
        self._noted.add(id_)

    def _tell(self) -> None:
        changed, self._noted = self._noted, set()
        for watch in tuple(self._watches) if changed else ():
            watch.tell(changed)

    def rows(self, statement: str, *values: Value) -> list[Row]:
        """Give the rows that a statement finds: within a transaction, or at this moment."""
        if self._connections.own is None:
            with undisturbed(), self._naming(), self._connection():
                return self.rows(statement, *values)
        found = self._connections.taken.execute(statement, values)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def run(self, statement: str, *values: Value) -> None:
        """Change rows."""
        self._connections.taken.execute(statement, values)

    def changed(self, statement: str, *values: Value) -> int:
        """Change rows, and give their number."""
        return self._connections.taken.execute(statement, values).rowcount

    def changes(self) -> "SQLiteChanges":
        """Open a watch on what any process changes from now on."""
        with self._naming():
            watch = SQLiteChanges(self._connect(), self._naming)
        self._watches.add(watch)
        return watch

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn errors of SQLite into refusals."""
        try:
            yield
        except ERRORS as error:
            raise refusal_of(error) from None


class SQLiteChanges:
    """A watch on a file. Changes of this process are told at once and by name. SQLite counts all
    changes, and a look at the count is cheap; it does not say which match was changed."""

    def __init__(
        self, file: sqlite3.Connection, naming: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._file, self._naming = file, naming
        self._seen = -1  # what changed before the first look is not known
        self._rested = 0.0  # when all matches may be looked at again
        self._told = set[str]()
        self._lock, self._woken = Lock(), Event()

    def tell(self, ids: Collection[str]) -> None:
        """Tell which matches this process has changed; from any thread."""
        with self._lock:
            self._told.update(ids)
            self._woken.set()

    def wait(self, seconds: float) -> Collection[str] | None:
        """Wait for changed matches: their ids, none in that time, or None if any may be one."""
        end = monotonic() + seconds
        while not (told := self._taken()):
            if monotonic() >= self._rested:
                with self._naming():
                    now = _number(self._file, "PRAGMA data_version")
                if now != self._seen:
                    self._seen, self._rested = now, monotonic() + REST
                    return None
            if monotonic() >= end:
                return ()
            self._woken.wait(LOOK)
        return told

    def _taken(self) -> set[str]:
        with self._lock:
            told, self._told = self._told, set()
            self._woken.clear()
        return told

    def close(self) -> None:
        """End the watch."""
        self._file.close()


def _is_new(file: sqlite3.Connection) -> bool:
    return _number(file, "SELECT count(*) FROM sqlite_master") == 0


def _number(file: sqlite3.Connection, statement: str) -> int:
    return int(file.execute(statement).fetchone()[0])
