"""Salvage: a new store from what can be read of a damaged file.

A match keeps its answers up to the last one whose checksums fit. Nothing is kept that no checksum
confirms: not a match without its scenario, not an answer after a gap.
"""

import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from grognard.files.atomic_file import check as check_target
from grognard.files.atomic_file import whole_file
from grognard.matches.storage.checking import dice_problems, existing
from grognard.matches.storage.database import Row, Value, insert_row
from grognard.matches.storage.kept_rows import (
    AnswerRow,
    first_head,
    insert,
    kept_of,
    read,
    sealed_dice,
)
from grognard.matches.storage.renewal import renew
from grognard.matches.storage.rows import Damaged, Kept, Standing, StoredMatch, Unusable
from grognard.matches.storage.seals import digest, next_link
from grognard.matches.storage.sqlite_check import ERRORS, reason_of, text_of_bytes
from grognard.matches.storage.store import Store
from grognard.matches.storage.tables import BELONGING, columns
from grognard.words.message import say

_SMALLEST_ROW = 32  # bytes; bounds the number of rows that a file can have
_LARGEST = 1 << 30  # number that is not damaged
# Values of columns that a file of format 4 does not have.
_ADDED: Mapping[str, Mapping[str, Value]] = {"answers": {"at": ""}}
_SEALED = ("chains", "reveals")  # tables of dice; in files of format 5 without checksums
_CHECKED = ("answers", "halves")  # tables whose rows are kept one by one


class Cut(NamedTuple):
    """A match that is kept in part."""

    kept: Kept
    answers: int  # that it keeps
    former: str  # its id before


class Salvaged(NamedTuple):
    """What was read of a damaged file, and what was not."""

    whole: int  # matches that lost nothing
    cut: list[Cut]
    lost: list[Damaged]
    unread: list[str]  # tables of which some rows can't be read


class Faces(NamedTuple):
    """How a match that is kept in part is named, and how it stands then."""

    name: Callable[[str, int], str]  # of its name and number of answers
    standing: Callable[[StoredMatch], Standing]


def salvage(source: Path, target: Path, faces: Faces) -> Salvaged:
    """Read what is left of a file into a new one; the damaged file stays as it is."""
    check_target(target)
    if target.exists():
        raise Unusable(say("there is such a file already; choose another name"), source=str(target))
    with TemporaryDirectory() as folder, whole_file(target) as beside:
        copied = Path(folder) / "damaged.sqlite"
        shutil.copyfile(existing(source), copied)
        log = source.with_name(f"{source.name}-wal")
        if log.is_file():  # what the server has not moved into the file yet
            shutil.copyfile(log, copied.with_name(f"{copied.name}-wal"))
        with closing(sqlite3.connect(copied)) as file, Store(beside) as store:
            return _Salvage(file, store, faces).run(source)


class _Salvage:
    """One salvage."""

    def __init__(self, file: sqlite3.Connection, store: Store, faces: Faces) -> None:
        self._file, self._store, self._faces = file, store, faces
        file.text_factory = text_of_bytes
        self._columns = columns()
        self._unread: set[str] = set()
        self._cut: list[Cut] = []
        self._lost: list[Damaged] = []

    def run(self, source: Path) -> Salvaged:
        try:
            self._file.execute("PRAGMA writable_schema = ON")  # reads past a damaged table
            found = {table: list(self._rows(table)) for table in ("matches", *BELONGING)}
        except ERRORS as error:
            problem = say("nothing of the file can be read: {problem}", problem=reason_of(error))
            raise Unusable(problem, source=str(source)) from None
        belonging = {table: _by_match(found[table]) for table in BELONGING}
        ids = set()
        with self._store.database.transaction(write=True):
            for row in sorted(found["matches"], key=lambda row: _number(row["latest"])):
                id_ = str(row["id"])
                if id_ not in ids and self._keep(
                    row, {table: rows.get(id_, []) for table, rows in belonging.items()}
                ):
                    ids.add(id_)
        answered = {str(row["match"]) for row in found["answers"]}
        for id_ in sorted(answered - ids - {damage.id for damage in self._lost}):
            self._lost.append(Damaged(id_, say("its row can't be read")))
        whole = len(ids) - len(self._cut)
        return Salvaged(whole, self._cut, self._lost, sorted(self._unread))

    # -------------------------------------------------------------- reading

    def _rows(self, table: str) -> Iterator[Row]:
        """Give the rows of a table that can be read, each with the columns of today."""
        there = self._file.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,))
        if there.fetchone() is None:
            return
        columns = self._columns[table]
        for found in self._between(table, 1, self._last(table)):
            row: Row = {**_ADDED.get(table, {}), **found}
            if table in _SEALED and "seal" not in row:
                row = sealed_dice(table, row)
            fits = all(isinstance(row.get(name), type_) for name, type_ in columns.items())
            if fits or (table == "matches" and row.keys() >= columns.keys()):
                yield {name: row[name] for name in columns}
            else:
                self._unread.add(table)

    def _last(self, table: str) -> int:
        """Give the largest number of a row; if that can't be read, one that it does not reach."""
        indexes = self._file.execute("SELECT name FROM pragma_index_list(?)", (table,)).fetchall()
        for way in ("NOT INDEXED", *(f'INDEXED BY "{name}"' for (name,) in indexes)):
            counted = f"SELECT max(number) FROM (SELECT +rowid AS number FROM {table} {way})"
            try:
                return int(self._file.execute(counted).fetchone()[0] or 0)
            except ERRORS:
                continue
        pages, size = (
            int(self._file.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "page_size")
        )
        return pages * size // _SMALLEST_ROW

    def _between(self, table: str, first: int, last: int) -> Iterator[dict[str, Value]]:
        """Read rows in the order of their numbers; halve what can't be read until it is one row."""
        statement = (
            f"SELECT rowid AS number, * FROM {table} NOT INDEXED "
            "WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        )
        waiting = [(first, last)]
        while waiting:
            first, last = waiting.pop()
            try:
                found = self._file.execute(statement, (first, last))
                names = [column[0] for column in found.description]
                for row in found:
                    yield dict(zip(names, row, strict=True))
                    first = max(first, int(row[0]) + 1)
            except ERRORS:
                self._unread.add(table)
                if first < last:
                    middle = (first + last) // 2
                    waiting += [(middle + 1, last), (first, middle)]

    # -------------------------------------------------------------- keeping

    def _keep(self, row: Row, belonging: Mapping[str, list[Row]]) -> bool:
        """Keep as much of a match as its checksums confirm."""
        id_ = str(row["id"])
        try:
            kept, sound = _kept(row, belonging)
        except Damaged as damage:
            self._lost.append(damage)
            return False
        answers, head = _confirmed(kept, belonging["answers"])
        if not sound and not answers and head != kept.head:  # nothing confirms its scenario
            self._lost.append(Damaged(id_, say("its checksum does not fit")))
            return False
        whole = head == kept.head
        if sound and whole:
            insert_row(self._store.database, "matches", row)
        else:
            kept = self._shortened(kept, answers, head)
            insert(self._store.database, kept)
            self._store.database.run(
                "UPDATE matches SET latest = ? WHERE id = ?", _number(row["latest"]), id_
            )
        self._keep_belonging(id_, answers, belonging)
        if whole:
            self._keep_halves(id_, belonging["halves"])
        if self._has_dice(kept, belonging) and not (whole and self._dice_fit(id_)):
            kept = renew(self._store, id_)
        if kept.id != id_ or not (sound and whole):
            self._cut.append(Cut(kept, len(answers), id_))
        return True

    def _has_dice(self, kept: Kept, belonging: Mapping[str, list[Row]]) -> bool:
        """Whether both sides may have made dice; where rows can't be read, nobody knows."""
        return kept.apart and any(belonging[table] or table in self._unread for table in _SEALED)

    def _dice_fit(self, id_: str) -> bool:
        """Whether the dice of a match are as the pages of both sides know them."""
        return next(dice_problems(self._store, id_), None) is None

    def _shortened(self, kept: Kept, answers: Sequence[AnswerRow], head: str) -> Kept:
        """Give a match that lost answers, or parts of its row, as a match of its own."""
        whole = StoredMatch(
            kept,
            tuple(read(kept.id, answer.answer, object) for answer in answers),
            tuple(answer.source for answer in answers),
            {},
        )
        return replace(
            kept,
            name=self._faces.name(kept.name, len(answers)),
            version=kept.version + 1,
            news=kept.news + 1,
            undone=kept.undone + 1,  # pages must read all of it again
            undo_asked=None,
            standing=self._faces.standing(whole),
            head=head,
        )

    def _keep_belonging(
        self, id_: str, answers: Sequence[AnswerRow], belonging: Mapping[str, list[Row]]
    ) -> None:
        database = self._store.database
        for answer in answers:
            insert_row(database, "answers", {"match": id_, **msgspec.structs.asdict(answer)})
        for table, rows in belonging.items():
            if table not in _CHECKED:
                for row in rows:
                    insert_row(database, table, row, or_skip=True)

    def _keep_halves(self, id_: str, halves: Sequence[Row]) -> None:
        for row in halves:
            if digest(id_, row["side"], row["option"]) == row["seal"]:
                insert_row(self._store.database, "halves", row)


# ------------------------------------------------------------------ rows


def _by_match(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[str(row["match"])].append(row)
    return found


def _confirmed(kept: Kept, rows: Sequence[Row]) -> tuple[list[AnswerRow], str]:
    """Give the answers up to the last one that the chain of checksums confirms, and its link."""
    found: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["n"]].append(row)
    answers: list[AnswerRow] = []
    head = first_head(kept)
    while True:
        for row in found[len(answers)]:
            link = next_link(head, str(row["nonce"]), str(row["source"]), str(row["answer"]))
            if link == row["seal"]:
                answers.append(msgspec.convert(row, AnswerRow))
                head = link
                break
        else:
            return answers, head


def _kept(row: Row, belonging: Mapping[str, list[Row]]) -> tuple[Kept, bool]:
    """Read the row of a match; of a damaged one what makes sense. Tell whether it is sound."""
    try:
        return kept_of(row), True
    except Damaged:
        pass
    id_, name = str(row["id"]), row["name"]
    try:
        autos = read(id_, str(row["autos"]), tuple[str, ...])
    except Damaged:
        autos = ()
    # Rather closed than open: nobody may take a seat that was another's.
    seats = {str(held["seat"]) for table in ("links", "holders") for held in belonging[table]}
    kept = Kept(
        id=id_,
        name=name if isinstance(name, str) else id_,
        scenario=str(row["scenario"]),
        options=read(id_, str(row["options"]), dict[str, str]),
        autos=autos,
        level=str(row["level"]),
        apart=row["apart"] != 0 or bool(seats - {"table"}),
        origin="imported",
        created=str(row["created"]),
        changed=str(row["changed"]),
        version=_number(row["version"]),
        news=_number(row["news"]),
        undone=_number(row["undone"]),
        undo_asked=None,
        standing=Standing(),
        head=str(row["head"]),
    )
    return kept, False


def _number(value: Value) -> int:
    """Read a number that may be damaged."""
    return value if isinstance(value, int) and 0 <= value < _LARGEST else 0
