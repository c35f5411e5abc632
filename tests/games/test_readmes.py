"""The README of each game says where which rule is: every module is named, and no other."""

import re
from pathlib import Path

import pytest

from grognard.rules import game

SOURCES = Path(game.__file__).parents[1]


@pytest.mark.parametrize("id_", game.ids())
def test_the_table_of_rules_names_every_module_of_the_game(id_: str) -> None:
    folder = game.place(id_).folder
    text = (folder / "README.md").read_text(encoding="utf-8")
    section = text.partition("## Where is which rule")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z_/]+\.py)`", section))
    shared = {name for name in named if "/" in name}
    assert {name for name in shared if not (SOURCES / name).is_file()} == set()
    assert named - shared == {file.name for file in folder.glob("*.py")} - {"__init__.py"}
