"""A file of matches, opened behind the program's back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the file, keep what is changed, and close it."""
    with closing(sqlite3.connect(file)) as connection, connection:
        yield connection


def change(file: Path, statement: str, *values: object) -> None:
    """Run one statement on the file."""
    with opened(file) as connection:
        connection.execute(statement, values)
