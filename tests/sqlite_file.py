"""A file of matches, opened behind the program's back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from grognard.matches.storage.kept_rows import sealed_dice


@contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the file, keep what is changed, and close it."""
    with closing(sqlite3.connect(file)) as connection, connection:
        yield connection


def change(file: Path, statement: str, *values: object) -> None:
    """Run one statement on the file."""
    with opened(file) as connection:
        connection.execute(statement, values)


def forge(file: Path, statement: str, *values: object) -> None:
    """Change dice as a cheating server does: their checksums fit again."""
    with opened(file) as connection:
        connection.execute(statement, values)
        connection.row_factory = sqlite3.Row
        for table in ("chains", "reveals"):
            for row in connection.execute(f"SELECT rowid AS number, * FROM {table}").fetchall():
                sealed = sealed_dice(table, dict(row))
                connection.execute(
                    f"UPDATE {table} SET seal = ? WHERE rowid = ?", (sealed["seal"], row["number"])
                )
