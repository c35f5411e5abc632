"""SQLite below the store: one file, for several threads and processes."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from grognard.matches.storage.database import Row, Value
from grognard.matches.storage.rows import Unusable
from grognard.words.foreign import foreign
from grognard.words.message import say

APPLICATION = 0x47524F47  # "GROG", in the header of the file
PATIENCE = 20  # seconds to wait for another process to finish writing


class SQLite:
    """A file of SQLite. It owns one connection."""

    lock_row = ""  # a transaction that writes has locked the whole file

    def __init__(
        self, path: Path, tables: str, format_: int, steps: Mapping[int, Callable[[], None]]
    ) -> None:
        self.path, self.name = path, str(path)
        self._tables, self._format = tables, format_
        self._steps = steps  # what turns each older format into the next one
        self._lock = RLock()
        self._is_open = False

    def open(self) -> None:
        """Open the file, or refuse it; an open file stays open."""
        with self._lock:
            if self._is_open:
                return
            try:
                with self._naming():
                    # Transactions begin and end in this class, never by themselves.
                    self._file = sqlite3.connect(
                        self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
                    )
                try:
                    self._begin()
                except BaseException:
                    self._file.close()
                    raise
            except Unusable as refusal:
                raise Unusable(refusal.problem, source=self.name) from None
            self._is_open = True

    def close(self) -> None:
        """Close the file, until it is opened again."""
        with self._lock:
            self._file.close()
            self._is_open = False

    # -------------------------------------------------------------- opening

    def _begin(self) -> None:
        """Check whose file it is before writing anything to it."""
        with self._naming():
            new = self._is_new()
            found = self._format if new else self._checked_format()
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute("PRAGMA foreign_keys = ON")
        if new:
            self._make()
        if found < self._format:
            self._renew()

    def _is_new(self) -> bool:
        return self._number("SELECT count(*) FROM sqlite_master") == 0

    def _make(self) -> None:
        with self.transaction(write=True):
            if not self._is_new():  # another process made it first
                return
            for statement in self._tables.split(";"):
                self._file.execute(statement)
            self._file.execute(f"PRAGMA application_id = {APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {self._format}")

    def _renew(self) -> None:
        with self.transaction(write=True):
            # Read again: another process may have done some of it.
            for older in range(self._number("PRAGMA user_version"), self._format):
                self._steps[older]()
            self._file.execute(f"PRAGMA user_version = {self._format}")

    def _checked_format(self) -> int:
        found = self._number("PRAGMA user_version")
        if self._number("PRAGMA application_id") != APPLICATION or found < 1:
            raise Unusable(say("this SQLite file was not made by Grognard"))
        if found > self._format:
            problem = say(
                "the matches are of format {found}; this program reads {known}",
                found=found,
                known=self._format,
            )
            raise Unusable(problem)
        problems = [row[0] for row in self._file.execute("PRAGMA quick_check(1)")]
        if problems != ["ok"]:
            raise Unusable(say("the file is damaged: {problem}", problem=foreign(problems[0])))
        return found

    def _number(self, statement: str) -> int:
        return int(self._file.execute(statement).fetchone()[0])

    # -------------------------------------------------------------- transactions

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[None]:
        """Do all or nothing, or read one consistent state; inside another transaction, join it."""
        with self._lock, self._naming():
            if self._file.in_transaction:
                yield
                return
            self._file.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise

    def rows(self, statement: str, *values: Value) -> list[Row]:
        """Give the rows that a statement finds."""
        found = self._file.execute(statement, values)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def run(self, statement: str, *values: Value) -> int:
        """Change rows, and give their number."""
        return self._file.execute(statement, values).rowcount

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn errors of SQLite into refusals."""
        try:
            yield
        except sqlite3.Error as error:
            raise Unusable(
                say("the matches can't be used: {problem}", problem=foreign(error))
            ) from None
