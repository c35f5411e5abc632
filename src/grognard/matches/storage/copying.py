"""Copies of stores: into another database, and as a backup while a server runs."""

import sqlite3
from contextlib import closing
from pathlib import Path

from grognard.files.atomic_file import make_private, whole_file
from grognard.matches.storage.checking import damaged_matches, existing
from grognard.matches.storage.database import Database, insert_row
from grognard.matches.storage.databases import is_file
from grognard.matches.storage.rows import Damaged, Unusable
from grognard.matches.storage.sqlite_check import ERRORS, refusal_of
from grognard.matches.storage.store import Store
from grognard.matches.storage.tables import BELONGING
from grognard.words.message import say


def copy(source: Path | str, target: Path | str) -> tuple[int, list[Damaged]]:
    """Copy the matches of a store into an empty one; give their number, and those left out."""
    if is_file(source):
        existing(Path(source))
    with Store(source) as old, Store(target) as new:
        return copy_matches(old, new)


def copy_matches(old: Store, new: Store) -> tuple[int, list[Damaged]]:
    """Copy all that is sound, all or nothing; damaged matches are left out and named."""
    copied = 0
    with old.database.transaction(write=False), new.database.transaction(write=True):
        if new.database.rows("SELECT id FROM matches LIMIT 1"):
            raise Unusable(say("there are matches already; choose an empty store"))
        damaged = list(damaged_matches(old))
        hurt = {damage.id for damage in damaged}
        for row in old.database.rows("SELECT id FROM matches ORDER BY latest"):
            id_ = str(row["id"])
            if id_ not in hurt:
                _copy_match(old.database, new.database, id_)
                copied += 1
    return copied, damaged


def _copy_match(old: Database, new: Database, id_: str) -> None:
    for row in old.rows("SELECT * FROM matches WHERE id = ?", id_):
        insert_row(new, "matches", row)
    for table in BELONGING:
        for row in old.rows(f"SELECT * FROM {table} WHERE match = ?", id_):
            insert_row(new, table, row)


def backup(source: Path | str, target: Path) -> list[Damaged]:
    """Write a store into a file, whole or not at all, while a server uses it.

    Gives the damaged matches. A backup of SQLite has them as they are, one of PostgreSQL not.
    """
    if target.with_name(f"{target.name}-wal").exists():
        raise Unusable(say("can't be replaced: it is in use"), source=str(target))
    with whole_file(target) as beside:
        make_private(beside)
        if not is_file(source):
            return copy(source, beside)[1]
        try:
            with (
                closing(sqlite3.connect(existing(Path(source)))) as old,
                closing(sqlite3.connect(beside)) as new,
            ):
                old.backup(new)
        except ERRORS as error:
            raise Unusable(refusal_of(error).problem, source=str(source)) from None
        with Store(beside) as made:
            return list(damaged_matches(made))
