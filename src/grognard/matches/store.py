"""The store of matches: one SQLite file, for several threads and processes.

An answer is on disk before it counts. A change names the version of the match on which it was
made and raises it; a change made on an older version is refused.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_urlsafe
from threading import RLock
from typing import Self, TypeVar

import msgspec
from msgspec import Struct

from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal

T = TypeVar("T")

FORMAT = 3
APPLICATION = 0x47524F47  # "GROG", in the header of the file
PATIENCE = 20  # seconds to wait for another process to finish writing

_TABLES = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")

# Statements that turn a file of an older format into the next format.
_STEPS = {
    1: (
        "ALTER TABLE matches ADD COLUMN latest INTEGER NOT NULL DEFAULT 0",
        "UPDATE matches SET latest = (SELECT count(*) FROM matches AS other WHERE "
        "(other.changed, other.rowid) <= (matches.changed, matches.rowid))",
    ),
    2: ("ALTER TABLE matches ADD COLUMN level TEXT NOT NULL DEFAULT 'sergeant'",),
}


class Unknown(Refusal):
    """There is no such match."""

    def __init__(self, id_: str) -> None:
        super().__init__(say("there is no match '{id}'", id=id_))


class Stale(Refusal):
    """The match has changed since the caller last saw it."""

    def __init__(self) -> None:
        super().__init__(say("the match has changed since you looked at it; look again"))


class Unusable(Refusal):
    """The file can't be used: foreign, newer, damaged, or not writable."""


class Standing(Struct, frozen=True):
    """The state of a match that lists show, stored so that no replay is needed."""

    turn: int = 1
    over: bool = False
    winner: str | None = None


class New(Struct, frozen=True, kw_only=True):
    """A match to be stored."""

    name: str
    scenario: str
    options: Mapping[str, str]
    autos: tuple[str, ...] = ()  # the automatic sides
    level: str = "sergeant"  # of their player
    answers: Sequence[object] = ()  # as JSON
    standing: Standing = Standing()


class Kept(Struct, frozen=True, kw_only=True):
    """A stored match without its answers."""

    id: str
    name: str
    scenario: str
    options: Mapping[str, str]
    autos: tuple[str, ...]
    level: str
    created: str
    changed: str
    version: int  # raised by every change
    undone: int  # number of answers taken back
    standing: Standing


class StoredMatch(Struct, frozen=True):
    """A stored match with its answers from some number on, and the halves not yet revealed."""

    kept: Kept
    answers: tuple[object, ...]
    halves: Mapping[str, object]  # side -> option


class Store:
    """The matches of one file, for any number of threads. It owns one connection: close it, or use
    the store as a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._is_open = False
        self.open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
                raise Unusable(refusal.problem, source=str(self.path)) from None
            self._is_open = True

    def close(self) -> None:
        """Close the file, until it is opened again."""
        with self._lock:
            self._file.close()
            self._is_open = False

    # -------------------------------------------------------------- opening

    def _begin(self) -> None:
        """Check whose file it is before writing anything to it."""
        self._file.row_factory = sqlite3.Row
        with self._naming():
            new = self._is_new()
            found = FORMAT if new else self._checked_format()
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute("PRAGMA foreign_keys = ON")
        if new:
            self._make()
        if found < FORMAT:
            self._renew()

    def _is_new(self) -> bool:
        return self._number("SELECT count(*) FROM sqlite_master") == 0

    def _make(self) -> None:
        with self._transaction():
            if not self._is_new():  # another process made it first
                return
            for statement in _TABLES.split(";"):
                self._file.execute(statement)
            self._file.execute(f"PRAGMA application_id = {APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {FORMAT}")

    def _renew(self) -> None:
        with self._transaction():
            # Read again: another process may have done some of it.
            for older in range(self._number("PRAGMA user_version"), FORMAT):
                for statement in _STEPS[older]:
                    self._file.execute(statement)
            self._file.execute(f"PRAGMA user_version = {FORMAT}")

    def _checked_format(self) -> int:
        found = self._number("PRAGMA user_version")
        if self._number("PRAGMA application_id") != APPLICATION or found < 1:
            raise Unusable(say("this SQLite file was not made by Grognard"))
        if found > FORMAT:
            problem = say(
                "the matches are of format {found}; this program reads {known}",
                found=found,
                known=FORMAT,
            )
            raise Unusable(problem)
        problems = [row[0] for row in self._file.execute("PRAGMA quick_check(1)")]
        if problems != ["ok"]:
            raise Unusable(say("the file is damaged: {problem}", problem=foreign(problems[0])))
        return found

    def _number(self, statement: str) -> int:
        return int(self._file.execute(statement).fetchone()[0])

    # -------------------------------------------------------------- reading

    def matches(self) -> list[Kept]:
        """Give all matches, the one that changed last first."""
        with self._transaction("BEGIN"):
            rows = self._file.execute("SELECT * FROM matches ORDER BY latest DESC")
            return [self._kept(row) for row in rows.fetchall()]

    def get(self, id_: str) -> Kept:
        """Give one match; refuse one that is not there."""
        with self._transaction("BEGIN"):
            row = self._file.execute("SELECT * FROM matches WHERE id = ?", (id_,)).fetchone()
        if row is None:
            raise Unknown(id_)
        return self._kept(row)

    def count(self, *, automatic: bool = False) -> int:
        """Count the matches; or only those under way in which a side plays itself."""
        under_way = " WHERE over = 0 AND autos <> '[]'" if automatic else ""
        with self._transaction("BEGIN"):
            return self._number(f"SELECT count(*) FROM matches{under_way}")

    def whole(self, id_: str, first: int = 0) -> StoredMatch:
        """Give a match with its answers from number `first` on."""
        with self._transaction("BEGIN"):
            kept = self.get(id_)
            answers = self._file.execute(
                "SELECT answer FROM answers WHERE match = ? AND n >= ? ORDER BY n", (id_, first)
            ).fetchall()
            halves = self._file.execute(
                "SELECT side, option FROM halves WHERE match = ?", (id_,)
            ).fetchall()
        return StoredMatch(
            kept,
            tuple(_read(text, object) for (text,) in answers),
            {side: _read(text, object) for side, text in halves},
        )

    def _kept(self, row: sqlite3.Row) -> Kept:
        return Kept(
            id=row["id"],
            name=row["name"],
            scenario=row["scenario"],
            options=_read(row["options"], dict[str, str]),
            autos=_read(row["autos"], tuple[str, ...]),
            level=row["level"],
            created=row["created"],
            changed=row["changed"],
            version=row["version"],
            undone=row["undone"],
            standing=Standing(row["turn"], bool(row["over"]), row["winner"]),
        )

    # -------------------------------------------------------------- changing

    def keep(self, new: New) -> Kept:
        """Store a new match with the answers it has already."""
        id_, now = token_urlsafe(6), _now()
        options, autos = _text(new.options), _text(new.autos)
        with self._transaction():
            self._file.execute(
                "INSERT INTO matches (id, name, scenario, options, autos, level, created, changed, "
                "version, undone, turn, over) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 1, 0)",
                (id_, new.name, new.scenario, options, autos, new.level, now, now),
            )
            self._is_latest(id_, now)
            self._answer(id_, new.answers, new.standing)
            return self.get(id_)

    def append(self, id_: str, version: int, answers: Sequence[object], at: Standing) -> Kept:
        """Add answers to a match at a version; they settle any secret halves."""
        with self._changing(id_, version):
            self._answer(id_, answers, at)
            return self.get(id_)

    def undo(self, id_: str, version: int, at: Standing) -> Kept:
        """Take the last answer back, and drop secret halves given since."""
        with self._changing(id_, version):
            gone = self._file.execute(
                "DELETE FROM answers WHERE match = ? AND n = (SELECT max(n) FROM answers "
                "WHERE match = ?)",
                (id_, id_),
            )
            if not gone.rowcount:
                raise Refusal(say("nothing has been answered yet"))
            self._file.execute("UPDATE matches SET undone = undone + 1 WHERE id = ?", (id_,))
            self._answer(id_, (), at)
            return self.get(id_)

    def give_half(self, id_: str, version: int, side: str, option: object) -> Kept:
        with self._changing(id_, version):
            self._file.execute(
                "INSERT INTO halves (match, side, option) VALUES (?, ?, ?)",
                (id_, side, _text(option)),
            )
            return self.get(id_)

    def change(
        self,
        id_: str,
        name: str | None = None,
        autos: tuple[str, ...] | None = None,
        level: str | None = None,
    ) -> Kept:
        """Rename a match, or change which sides are automatic, or the level of their player."""
        with self._transaction():
            self._file.execute(
                "UPDATE matches SET name = coalesce(?, name), autos = coalesce(?, autos), "
                "level = coalesce(?, level), version = version + 1 WHERE id = ?",
                (name, None if autos is None else _text(autos), level, id_),
            )
            self._is_latest(id_, _now())
            return self.get(id_)

    def delete(self, id_: str) -> None:
        with self._transaction():
            self.get(id_)
            self._file.execute("DELETE FROM matches WHERE id = ?", (id_,))

    def purge(self, before: str) -> int:
        """Delete the matches that nobody has changed since a time, in the form of `changed`; give
        their number."""
        with self._transaction():
            return self._file.execute("DELETE FROM matches WHERE changed < ?", (before,)).rowcount

    def _is_latest(self, id_: str, now: str) -> None:
        """Note the time of a change, and put the match first in lists whatever the clock says."""
        self._file.execute(
            "UPDATE matches SET changed = ?, latest = (SELECT max(latest) + 1 FROM matches) "
            "WHERE id = ?",
            (now, id_),
        )

    def _answer(self, id_: str, answers: Sequence[object], at: Standing) -> None:
        (first,) = self._file.execute(
            "SELECT coalesce(max(n) + 1, 0) FROM answers WHERE match = ?", (id_,)
        ).fetchone()
        self._file.executemany(
            "INSERT INTO answers (match, n, answer) VALUES (?, ?, ?)",
            ((id_, n, _text(answer)) for n, answer in enumerate(answers, first)),
        )
        self._file.execute("DELETE FROM halves WHERE match = ?", (id_,))
        self._file.execute(
            "UPDATE matches SET turn = ?, over = ?, winner = ? WHERE id = ?",
            (at.turn, at.over, at.winner, id_),
        )

    # -------------------------------------------------------------- transactions

    @contextmanager
    def _changing(self, id_: str, version: int) -> Iterator[None]:
        """Change a match, or refuse if it has left that version."""
        with self._transaction():
            changed = self._file.execute(
                "UPDATE matches SET version = version + 1 WHERE id = ? AND version = ?",
                (id_, version),
            )
            if not changed.rowcount:
                self.get(id_)
                raise Stale
            self._is_latest(id_, _now())
            yield

    @contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        """Do all or nothing, or read one consistent state; inside another transaction, join it."""
        with self._lock, self._naming():
            if self._file.in_transaction:
                yield
                return
            self._file.execute(begin)
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn errors of SQLite into refusals."""
        try:
            yield
        except sqlite3.Error as error:
            raise Unusable(
                say("the matches can't be used: {problem}", problem=foreign(error))
            ) from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _text(data: object) -> str:
    return msgspec.json.encode(data).decode()


def _read(text: str, type_: type[T]) -> T:
    """Decode stored JSON; refuse a damaged value."""
    try:
        return msgspec.json.decode(text, type=type_)
    except msgspec.DecodeError as error:
        raise Unusable(say("the file is damaged: {problem}", problem=foreign(error))) from None
