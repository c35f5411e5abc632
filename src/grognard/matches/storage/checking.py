"""Check of a whole store: every match, every checksum, every row that belongs to none."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from grognard.matches.fair_dice import link_problem
from grognard.matches.storage import sqlite_check
from grognard.matches.storage.databases import is_file
from grognard.matches.storage.dice import chains_of, made_reveals, reveals_of
from grognard.matches.storage.rows import Damaged, Unusable
from grognard.matches.storage.seats import SeatTables
from grognard.matches.storage.store import Store
from grognard.matches.storage.tables import BELONGING
from grognard.words.foreign import foreign
from grognard.words.message import Message, say


class Checked(NamedTuple):
    """What is wrong with a store."""

    matches: int  # sound ones
    damaged: list[Damaged]
    problems: list[Message]  # of the file itself, and of what stands beside the answers


def check(address: Path | str) -> Checked:
    """Check a store; one that can't be read as a whole is refused."""
    found = _problems(Path(address)) if is_file(address) else []
    with Store(address) as store:
        damaged = list(damaged_matches(store))
        hurt = {damage.id for damage in damaged}
        sound = [kept for kept in store.matches() if kept.id not in hurt]
        for kept in sound:
            found += _problems_beside(store, kept.id)
    return Checked(len(sound), damaged, found)


def _problems_beside(store: Store, id_: str) -> Iterator[Message]:
    """Check the chat of a match, and the links of its dice; the match itself is sound."""
    for line in SeatTables(store.database).chat(id_):
        if not line.text:
            yield say("line {n} of the chat of match '{id}' is damaged", n=line.n + 1, id=id_)
    for problem in dice_problems(store, id_):
        yield say("the dice of match '{id}' can't be checked: {problem}", id=id_, problem=problem)


def dice_problems(store: Store, id_: str) -> Iterator[Message]:
    """Check the checksums of a match's dice, and that its links belong to its chains."""
    try:
        with store.database.transaction(write=False):
            chains, reveals = chains_of(store.database, id_), reveals_of(store.database, id_)
            made_reveals(store.database, id_)
    except Damaged as damage:
        yield damage.reason
        return
    known = {(one.roll, one.side): one.value for one in reveals}
    for one in reveals:
        before = known.get((one.roll - 1, one.side))
        problem = link_problem(chains, one.side, one.roll, one.value, before)
        if problem is not None:
            yield problem


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
