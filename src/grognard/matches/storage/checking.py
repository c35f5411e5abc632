"""Check of a whole store: every match, every checksum, every row that belongs to none."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from grognard.matches.storage import sqlite_check
from grognard.matches.storage.databases import is_file
from grognard.matches.storage.rows import Damaged, Unusable
from grognard.matches.storage.store import Store
from grognard.matches.storage.tables import BELONGING
from grognard.words.foreign import foreign
from grognard.words.message import Message, say


class Checked(NamedTuple):
    """What is wrong with a store."""

    matches: int  # sound ones
    damaged: list[Damaged]
    problems: list[Message]  # of the file itself


def check(address: Path | str) -> Checked:
    """Check a store; one that can't be read as a whole is refused."""
    found = _problems(Path(address)) if is_file(address) else []
    with Store(address) as store:
        damaged = list(damaged_matches(store))
        hurt = {damage.id for damage in damaged}
        sound = [kept for kept in store.matches() if kept.id not in hurt]
    return Checked(len(sound), damaged, found)


def damaged_matches(store: Store) -> Iterator[Damaged]:
    """Say of each match that is damaged in any part what is wrong."""
    with store.database.transaction(write=False):
        rows = store.database.rows("SELECT id FROM matches ORDER BY latest")
        for row in rows:
            try:
                store.whole(str(row["id"]))
            except Damaged as damage:
                yield damage
        for table in BELONGING:
            for row in store.database.rows(
                f"SELECT match, count(*) AS n FROM {table} "
                "WHERE match NOT IN (SELECT id FROM matches) GROUP BY match ORDER BY match"
            ):
                missing = say(
                    "its row is missing; {n} {n:row|rows} of the table {table} are left",
                    n=int(row["n"] or 0),
                    table=table,
                )
                yield Damaged(str(row["match"]), missing)


def existing(path: Path) -> Path:
    """Refuse a file that is not there, before SQLite makes a new one."""
    if not path.is_file():
        raise Unusable(say("there is no such file"), source=str(path))
    return path


def _problems(path: Path) -> list[Message]:
    """Look at a file before it is opened, which makes damaged indexes again."""
    with closing(sqlite3.connect(existing(path))) as file:
        try:
            found = sqlite_check.problems(file)
        except sqlite_check.ERRORS:  # opening it says why
            return []
    return [foreign(problem) for problem in found]
