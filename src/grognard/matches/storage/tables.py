"""The tables of the store by name."""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

TABLES: Final = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")
# All tables but that of the matches: their rows belong to a match.
BELONGING: Final = tuple(
    name for name in re.findall(r"^CREATE TABLE (\w+)", TABLES, re.MULTILINE) if name != "matches"
)


def columns() -> Mapping[str, Mapping[str, tuple[type, ...]]]:
    """Give the columns of each table with the types that their values may have."""
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(TABLES)
        return {
            table: {
                name: (int if type_ == "INTEGER" else str, *(() if needed else (type(None),)))
                for _, name, type_, needed, *_ in model.execute(f"PRAGMA table_info({table})")
            }
            for table in ("matches", *BELONGING)
        }
