"""The store of matches, for several threads and processes.

An answer is on disk before it counts. A change names the version of the match on which it was
made and raises it; a change made on an older version is refused.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_urlsafe
from typing import Self

from msgspec.structs import replace

from grognard.matches.storage import formats
from grognard.matches.storage.database import Changes, Database
from grognard.matches.storage.databases import database_at
from grognard.matches.storage.kept_rows import (
    Answered,
    add_answers,
    add_half,
    answers_of,
    first_head,
    halves_of,
    insert,
    kept_of,
    moment_of,
    read,
    update,
)
from grognard.matches.storage.rows import (
    HALF_STANDS,
    Damaged,
    Kept,
    Moment,
    New,
    News,
    Source,
    Stale,
    Standing,
    StoredMatch,
    Unknown,
)
from grognard.matches.storage.tables import TABLES
from grognard.words.message import say
from grognard.words.refusal import Refusal

_AT_ONCE = 500  # matches that one statement looks at
# No person has answered anything here, and no two seats are held.
_UNPLAYED = """
    AND NOT EXISTS (
        SELECT 1 FROM answers
        WHERE match = matches.id AND source IN ('person', 'typed', 'fair', 'unknown')
    )
    AND (SELECT count(DISTINCT seat) FROM holders WHERE match = matches.id) < 2
"""


class Store:
    """The matches of one database, for any number of threads. Close it, or use it as a context
    manager."""

    def __init__(self, address: Path | str) -> None:
        """Open the store at a path, or at an address that begins with `postgresql://`."""
        self.database: Database = database_at(
            address, TABLES, formats.FORMAT, formats.steps(lambda: self.database, TABLES)
        )
        self.open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Open the database, or refuse it; an open one stays open."""
        self.database.open()

    def close(self) -> None:
        """Close the database, until it is opened again."""
        self.database.close()

    # -------------------------------------------------------------- reading

    def matches(self) -> list[Kept]:
        """Give all matches, the one that changed last first; not those that are damaged."""
        return [found for found in self._all() if isinstance(found, Kept)]

    def damaged(self) -> list[Damaged]:
        """Say of each match whose row is damaged what is wrong."""
        return [found for found in self._all() if isinstance(found, Damaged)]

    def _all(self) -> Iterator[Kept | Damaged]:
        rows = self.database.rows("SELECT * FROM matches ORDER BY latest DESC")
        for row in rows:
            try:
                yield kept_of(row)
            except Damaged as damage:
                yield damage

    def get(self, id_: str) -> Kept:
        """Give one match; refuse one that is not there."""
        return self._get(id_)

    def _get(self, id_: str, lock: str = "") -> Kept:
        rows = self.database.rows(f"SELECT * FROM matches WHERE id = ?{lock}", id_)
        if not rows:
            raise Unknown(id_)
        return kept_of(rows[0])

    def lock(self, id_: str) -> Kept:
        """Give one match, which nobody else changes until the transaction of the caller ends."""
        return self._get(id_, self.database.lock_row)

    def whole(self, id_: str, first: int = 0) -> StoredMatch:
        """Give a match with its answers from number `first` on."""
        with self.database.transaction(write=False):
            kept = self._get(id_)
            answers = answers_of(self.database, kept, first)
            halves = halves_of(self.database, id_)
        return StoredMatch(
            kept,
            tuple(read(id_, row.answer, object) for row in answers),
            tuple(row.source for row in answers),
            halves,
        )

    def moments(self, id_: str) -> list[Moment]:
        """Give the beginning of a match and the moment after each of its answers."""
        with self.database.transaction(write=False):
            kept = self._get(id_)
            answers = answers_of(self.database, kept)
        return [
            Moment(first_head(kept), kept.created),
            *(
                Moment(row.seal, "" if row.source == "imported" else moment_of(row.at))
                for row in answers
            ),
        ]

    def news(self, ids: Sequence[str]) -> dict[str, News]:
        """Give the version and the news of matches; not of those that are gone."""
        found: dict[str, News] = {}
        for first in range(0, len(ids), _AT_ONCE):
            part = ids[first : first + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            rows = self.database.rows(
                f"SELECT id, version, news FROM matches WHERE id IN ({marks})", *part
            )
            found |= {str(row["id"]): News(row["version"], row["news"]) for row in rows}
        return found

    def changes(self) -> Changes:
        """Open a watch on what any process changes in the matches from now on."""
        return self.database.changes()

    # -------------------------------------------------------------- changing

    def keep(self, new: New) -> Kept:
        """Store a new match with the answers it has already."""
        now = _now()
        begun = Kept(
            id=token_urlsafe(6),
            name=new.name,
            scenario=new.scenario,
            options=new.options,
            autos=new.autos,
            level=new.level,
            apart=new.apart,
            origin=new.origin,
            created=now,
            changed=now,
            version=0,
            news=0,
            undone=0,
            undo_asked=None,
            standing=new.standing,
            head="",
        )
        with self.database.transaction(write=True):
            insert(self.database, begun)
            answers = [Answered(answer, "imported", now) for answer in new.answers]
            head = add_answers(self.database, begun.id, first_head(begun), answers)
            return self._write(replace(begun, head=head))

    def append(
        self,
        id_: str,
        version: int,
        answers: Sequence[object],
        at: Standing,
        source: Source = "person",
    ) -> Kept:
        """Add answers to a match at a version; they settle any secret halves."""
        with self._changing(id_, version) as kept:
            given = [Answered(answer, source, kept.changed) for answer in answers]
            head = add_answers(self.database, id_, kept.head, given)
            self.database.run("DELETE FROM halves WHERE match = ?", id_)
            return self._write(replace(kept, standing=at, head=head, undo_asked=None))

    def undo(self, id_: str, version: int, at: Standing) -> Kept:
        """Take the last answer back; not while a secret half is given, which would be lost."""
        with self._changing(id_, version) as kept:
            if halves_of(self.database, id_):
                raise Refusal(HALF_STANDS)
            if self.database.rows(
                "SELECT side FROM reveals WHERE match = ? AND roll >= ?",
                id_,
                open_roll(self.database, id_),
            ):
                raise Refusal(
                    say("a side has revealed its link for this roll; the question stands")
                )
            last = self._count(id_) - 1
            if last < 0:
                raise Refusal(say("nothing has been answered yet"))
            self.database.run("DELETE FROM answers WHERE match = ? AND n = ?", id_, last)
            rows = self.database.rows(
                "SELECT seal FROM answers WHERE match = ? AND n = ?", id_, last - 1
            )
            head = str(rows[0]["seal"]) if rows else first_head(kept)
            back = replace(kept, standing=at, head=head, undone=kept.undone + 1, undo_asked=None)
            return self._write(back)

    def give_half(self, id_: str, version: int, side: str, option: object) -> Kept:
        """Keep a side's half of a secret commitment until the other side has given its own."""
        with self._changing(id_, version) as kept:
            add_half(self.database, id_, side, option)
            return self._write(kept)

    def change(
        self,
        id_: str,
        version: int,
        name: str | None = None,
        autos: tuple[str, ...] | None = None,
        level: str | None = None,
    ) -> Kept:
        """Rename a match, or change which sides are automatic, or the level of their player."""
        with self._changing(id_, version) as kept:
            changed = replace(
                kept,
                name=kept.name if name is None else name,
                autos=kept.autos if autos is None else autos,
                level=level or kept.level,
            )
            return self._write(changed)

    def ask_undo(self, id_: str, version: int, side: str | None) -> Kept:
        """Note that a side asks for its last answer back, or that nobody asks any more."""
        with self._changing(id_, version) as kept:
            return self._write(replace(kept, undo_asked=side))

    def tell(self, id_: str) -> Kept:
        """Raise the news of a match: something beside its answers has changed."""
        with self.database.transaction(write=True):
            kept = self._get(id_, self.database.lock_row)
            told = replace(kept, news=kept.news + 1)
            update(self.database, told)
            return told

    def count(self, *, automatic: bool = False) -> int:
        """Count the matches; or only those under way in which a side plays itself."""
        under_way = " WHERE over = 0 AND autos <> '[]'" if automatic else ""
        (row,) = self.database.rows(f"SELECT count(*) AS n FROM matches{under_way}")
        return int(row["n"] or 0)

    def purge(self, before: str, *, unplayed: bool = False) -> int:
        """Delete the matches that nobody has changed since a time, in the form of `changed`; or of
        these only those that nobody plays. Give their number."""
        also = _UNPLAYED if unplayed else ""
        with self.database.transaction(write=True):
            return self.database.changed(f"DELETE FROM matches WHERE changed < ?{also}", before)

    def delete(self, id_: str) -> None:
        """Delete a match and all that belongs to it, a damaged one too."""
        with self.database.transaction(write=True):
            if not self.database.changed("DELETE FROM matches WHERE id = ?", id_):
                raise Unknown(id_)
            self.database.note(id_)

    def _count(self, id_: str) -> int:
        (row,) = self.database.rows(
            "SELECT coalesce(max(n) + 1, 0) AS n FROM answers WHERE match = ?", id_
        )
        return int(row["n"] or 0)

    @contextmanager
    def _changing(self, id_: str, version: int) -> Iterator[Kept]:
        """Change a match, or refuse if it has left that version."""
        with self.database.transaction(write=True):
            kept = self._get(id_, self.database.lock_row)
            if version != kept.version:
                raise Stale
            raised = replace(kept, version=kept.version + 1, news=kept.news + 1, changed=_now())
            yield raised

    def _write(self, kept: Kept) -> Kept:
        """Write a match, and put it first in lists."""
        update(self.database, kept, latest=True)
        return kept


def open_roll(database: Database, id_: str) -> int:
    """Give the number of the next fair roll of a match, counted from 1; within a transaction."""
    (row,) = database.rows(
        "SELECT count(*) + 1 AS n FROM answers WHERE match = ? AND source = 'fair'", id_
    )
    return int(row["n"] or 0)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
