"""Rows of the store as values: written with their checksums, and checked when they are read."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from grognard.matches.storage.database import Database, Row, Value
from grognard.matches.storage.rows import Damaged, Kept, Origin, Source, Standing
from grognard.matches.storage.seals import digest, first_link, new_nonce, next_link
from grognard.words.message import say

T = TypeVar("T")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
# Columns of a match that its checksum covers, in the order of the checksum.
_COLUMNS = (
    "id",
    "name",
    "scenario",
    "options",
    "autos",
    "level",
    "apart",
    "origin",
    "created",
    "changed",
    "version",
    "news",
    "undone",
    "undo_asked",
    "turn",
    "over",
    "winner",
    "head",
)
_INSERT = (
    f"INSERT INTO matches ({', '.join(_COLUMNS)}, seal) "
    f"VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})"
)
_UPDATE = f"UPDATE matches SET {', '.join(f'{name} = ?' for name in _COLUMNS)}, seal = ?"
# It comes first in lists then, whatever the clock says.
_LATEST = ", latest = (SELECT max(latest) + 1 FROM matches)"


class Answered(NamedTuple):
    """An answer with its source, and when it was given."""

    answer: object
    source: Source
    at: str


def text_of(data: object) -> str:
    """Write data as JSON."""
    return msgspec.json.encode(data).decode()


# ------------------------------------------------------------------ matches


def insert(database: Database, kept: Kept) -> None:
    """Write a new match."""
    values = _values(kept)
    database.run(_INSERT, *values, digest(*values))


def update(database: Database, kept: Kept, *, latest: bool = False) -> None:
    """Write a match that is there already; perhaps as the one that changed last."""
    values = _values(kept)
    statement = f"{_UPDATE}{_LATEST if latest else ''} WHERE id = ?"
    database.run(statement, *values, digest(*values), kept.id)
    database.note(kept.id)


def _values(kept: Kept) -> tuple[Value, ...]:
    return (
        kept.id,
        kept.name,
        kept.scenario,
        text_of(kept.options),
        text_of(kept.autos),
        kept.level,
        int(kept.apart),
        kept.origin,
        kept.created,
        kept.changed,
        kept.version,
        kept.news,
        kept.undone,
        kept.undo_asked,
        kept.standing.turn,
        int(kept.standing.over),
        kept.standing.winner,
        kept.head,
    )


class _MatchRow(msgspec.Struct, frozen=True):
    """A row of a match in its types."""

    id: str
    name: str
    scenario: str
    options: str
    autos: str
    level: str
    apart: int
    origin: Origin
    created: str
    changed: str
    version: int
    news: int
    undone: int
    undo_asked: str | None
    turn: int
    over: int
    winner: str | None
    head: str


def kept_of(row: Row) -> Kept:
    """Read the row of a match; refuse a damaged one."""
    id_ = str(row["id"])
    if digest(*(row[name] for name in _COLUMNS)) != row["seal"]:
        raise Damaged(id_, say("its checksum does not fit"))
    try:
        found = msgspec.convert(row, _MatchRow)
    except msgspec.ValidationError:
        raise Damaged(id_, say("its row can't be read")) from None
    return Kept(
        id=found.id,
        name=found.name,
        scenario=found.scenario,
        options=read(id_, found.options, dict[str, str]),
        autos=read(id_, found.autos, tuple[str, ...]),
        level=found.level,
        apart=bool(found.apart),
        origin=found.origin,
        created=found.created,
        changed=found.changed,
        version=found.version,
        news=found.news,
        undone=found.undone,
        undo_asked=found.undo_asked,
        standing=Standing(found.turn, bool(found.over), found.winner),
        head=found.head,
    )


def read(id_: str, text: str, type_: type[T]) -> T:
    """Decode JSON of a match; refuse a damaged value."""
    try:
        return msgspec.json.decode(text, type=type_)
    except (msgspec.DecodeError, UnicodeError):
        raise Damaged(id_, say("its row can't be read")) from None


# ------------------------------------------------------------------ answers


def first_head(kept: Kept) -> str:
    """Give the beginning of the chain of a match."""
    return first_link(kept.id, kept.scenario, text_of(kept.options), kept.created)


def add_answers(database: Database, id_: str, head: str, answers: Iterable[Answered]) -> str:
    """Write the next answers of a match, and give the new last link of their chain."""
    for answer, source, at in answers:
        text, nonce = text_of(answer), new_nonce()
        head = next_link(head, nonce, source, text)
        database.run(
            "INSERT INTO answers (match, n, answer, source, nonce, seal, at) "
            "SELECT ?, coalesce(max(n) + 1, 0), ?, ?, ?, ?, ? FROM answers WHERE match = ?",
            id_,
            text,
            source,
            nonce,
            head,
            at,
            id_,
        )
    return head


class AnswerRow(msgspec.Struct, frozen=True):
    """An answer as the store has it, with its link of the chain."""

    n: int
    answer: str  # JSON
    source: Source
    nonce: str
    seal: str
    at: str = ""


def answers_of(database: Database, kept: Kept, first: int = 0) -> list[AnswerRow]:
    """Read the answers of a match from number `first` on; refuse a broken chain."""
    before = max(first - 1, 0)  # the link before the first one is read with them
    rows = database.rows(
        "SELECT n, answer, source, nonce, seal, at FROM answers WHERE match = ? AND n >= ? "
        "ORDER BY n",
        kept.id,
        before,
    )
    try:
        found = [msgspec.convert(row, AnswerRow) for row in rows]
    except msgspec.ValidationError:
        raise Damaged(kept.id, say("its row can't be read")) from None
    if first and not found:  # answers before `first` were taken back
        answers_of(database, kept)
        return []
    head = found.pop(0).seal if first else first_head(kept)
    _check_chain(kept, head, first, found)
    return found


def moment_of(text: str) -> str:
    """Read the time of an answer, which no checksum covers; empty if it is none."""
    return text if _TIME.fullmatch(text) else ""


def _check_chain(kept: Kept, head: str, first: int, answers: Sequence[AnswerRow]) -> None:
    for n, row in enumerate(answers, first):
        head = next_link(head, row.nonce, row.source, row.answer)
        if row.n != n or row.seal != head:
            raise Damaged(kept.id, say("the checksum of its answer {n} does not fit", n=n))
    if head != kept.head:
        raise Damaged(kept.id, say("its last answers are missing"))


# ------------------------------------------------------------------ halves


def add_half(database: Database, id_: str, side: str, option: object) -> None:
    """Write a side's half of a secret commitment."""
    text = text_of(option)
    database.run(
        "INSERT INTO halves (match, side, option, seal) VALUES (?, ?, ?, ?)",
        id_,
        side,
        text,
        digest(id_, side, text),
    )


def halves_of(database: Database, id_: str) -> dict[str, object]:
    """Read the halves of a match; refuse a damaged one."""
    found: dict[str, object] = {}
    for row in database.rows("SELECT side, option, seal FROM halves WHERE match = ?", id_):
        if digest(id_, row["side"], row["option"]) != row["seal"]:
            raise Damaged(id_, say("the checksum of a secret half does not fit"))
        found[str(row["side"])] = read(id_, str(row["option"]), object)
    return found


# ------------------------------------------------------------------ dice

# Columns that the checksum of a row covers, in the order of the checksum.
_DICE = {
    "chains": ("match", "side", "first", "anchor", "withdrawn", "secret"),
    "reveals": ("match", "roll", "side", "value", "question", "dice"),
}


def sealed_dice(table: str, row: Row) -> Row:
    """Give a row of chains or of reveals with its checksum; older chains have no flag."""
    whole = {**({"withdrawn": 0} if table == "chains" else {}), **row}
    return {**whole, "seal": digest(*(whole[name] for name in _DICE[table]))}


# ------------------------------------------------------------------ older formats


def reseal(database: Database, id_: str) -> None:
    """Give a match of a format without checksums its checksums."""
    (row,) = database.rows("SELECT * FROM matches WHERE id = ?", id_)
    head = first_link(id_, str(row["scenario"]), str(row["options"]), str(row["created"]))
    answers = database.rows("SELECT n, answer FROM answers WHERE match = ? ORDER BY n", id_)
    for answer in answers:
        nonce = new_nonce()
        head = next_link(head, nonce, "unknown", str(answer["answer"]))
        database.run(
            "UPDATE answers SET nonce = ?, seal = ? WHERE match = ? AND n = ?",
            nonce,
            head,
            id_,
            answer["n"],
        )
    for half in database.rows("SELECT side, option FROM halves WHERE match = ?", id_):
        database.run(
            "UPDATE halves SET seal = ? WHERE match = ? AND side = ?",
            digest(id_, half["side"], half["option"]),
            id_,
            half["side"],
        )
    sealed = {**row, "head": head}
    database.run(
        "UPDATE matches SET head = ?, seal = ? WHERE id = ?",
        head,
        digest(*(sealed[name] for name in _COLUMNS)),
        id_,
    )
