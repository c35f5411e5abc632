"""The tables of the store by name."""

import re
from pathlib import Path
from typing import Final

TABLES: Final = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")
# All tables but that of the matches: their rows belong to a match.
BELONGING: Final = tuple(
    name for name in re.findall(r"^CREATE TABLE (\w+)", TABLES, re.MULTILINE) if name != "matches"
)
