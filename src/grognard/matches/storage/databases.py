"""The database of an address: a file of SQLite, or a database of PostgreSQL."""

from collections.abc import Callable, Mapping
from pathlib import Path

from grognard.matches.storage.database import Database
from grognard.matches.storage.rows import Unusable
from grognard.matches.storage.sqlite import SQLite
from grognard.words.message import say

POSTGRESQL = ("postgresql://", "postgres://")
Steps = Mapping[int, Callable[[], int]]


def is_file(address: Path | str) -> bool:
    """Tell whether an address is that of a file."""
    return isinstance(address, Path) or not address.startswith(POSTGRESQL)


def database_at(address: Path | str, tables: str, format_: int, steps: Steps) -> Database:
    """Find the database of an address; nothing is opened yet."""
    if is_file(address):
        return SQLite(Path(address), tables, format_, steps)
    try:
        from grognard.matches.storage.postgres import Postgres  # noqa: PLC0415  # an extra
    except ImportError:
        problem = say("PostgreSQL needs psycopg; install it with: pip install 'grognard[server]'")
        raise Unusable(problem) from None
    return Postgres(str(address), tables, format_, steps)
