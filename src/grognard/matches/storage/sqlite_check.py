"""Damage of an SQLite file: what its own check finds, and what can be mended."""

import re
import sqlite3
from contextlib import closing

from grognard.matches.storage.rows import Full, Unusable
from grognard.words.foreign import foreign
from grognard.words.message import Message, say

# What SQLite raises; the message of an error may itself be damaged text.
ERRORS = (sqlite3.Error, UnicodeDecodeError)
_MOST = 10_000  # problems that one check names
# Problems of single rows: the checksum of the match does not fit, and it alone is damaged.
_ROW = re.compile(r"NULL value in \S+")
# An index says where rows are; it can be made again from them.
_INDEX = re.compile(
    r"row \d+ missing from index|non-unique entry in index|wrong # of entries in index|"
    r"row \d+ values differ from index|rowid not at end-of-record for row \d+ of index"
)


def text_of_bytes(found: bytes) -> str:
    """Read a text; one with damaged characters too, whose checksum then does not fit."""
    return found.decode(errors="replace")


def problems(file: sqlite3.Connection) -> list[str]:
    """Give what is wrong with the pages and the indexes of a file."""
    found = [row[0] for row in file.execute(f"PRAGMA integrity_check({_MOST})")]
    return [problem for problem in found if problem != "ok" and not _ROW.match(problem)]


def check_pages(file: sqlite3.Connection) -> bool:
    """Refuse a file with broken pages; tell whether its indexes fit its rows."""
    found = problems(file)
    for problem in found:
        if not _INDEX.match(problem):
            raise broken(problem)
    return not found


def mend_indexes(file: sqlite3.Connection) -> None:
    """Make the indexes again from the rows, all or none."""
    file.execute("BEGIN IMMEDIATE")
    try:
        file.execute("REINDEX")
        left = problems(file)
        if left:
            raise broken(left[0])
        file.execute("COMMIT")
    except BaseException:
        if file.in_transaction:
            file.execute("ROLLBACK")
        raise


def broken(problem: str) -> Unusable:
    """Make the refusal of a file that SQLite can't read as a whole."""
    return _damaged(foreign(problem.splitlines()[-1]))


def _damaged(problem: Message) -> Unusable:
    return Unusable(
        say(
            "the file is damaged: {problem}; `grognard store salvage` reads what is left of it",
            problem=problem,
        )
    )


def refusal_of(error: Exception) -> Unusable:
    """Make a refusal of an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_CORRUPT or isinstance(error, UnicodeDecodeError):
        return _damaged(reason_of(error))
    kind = Full if code == sqlite3.SQLITE_FULL else Unusable
    return kind(say("the matches can't be used: {problem}", problem=reason_of(error)))


def reason_of(error: Exception) -> Message:
    """Say what an error of SQLite says."""
    return foreign("malformed database schema" if isinstance(error, UnicodeDecodeError) else error)


def has_shape(file: sqlite3.Connection, tables: str) -> bool:
    """Tell whether a file has these tables, with their columns and keys."""
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(tables)
        return _shape(model) <= _shape(file)


def _shape(file: sqlite3.Connection) -> set[tuple[object, ...]]:
    """Give the columns, keys and indexes of all tables."""
    found: set[tuple[object, ...]] = set()
    tables = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        for listing in ("table_info", "foreign_key_list", "index_list"):
            rows = file.execute("SELECT * FROM " + f"pragma_{listing}(?)", (table,)).fetchall()
            found |= {(table, listing, *row) for row in rows}
    return found
