"""docs/design.md names every module, in the map of which module knows which."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SOURCES = PROJECT / "src" / "grognard"
CORE, WEB = (
    (PROJECT / "docs" / "design.md")
    .read_text(encoding="utf-8")
    .partition("## Which module knows which")[2]
    .split("```")[1]
    .split("\nweb/\n")
)


@pytest.mark.parametrize(("folder", "map_"), [(SOURCES, CORE), (SOURCES / "web", WEB)])
def test_the_map_names_every_module_and_no_other(folder: Path, map_: str) -> None:
    chains = [line.partition("  ")[0] for line in map_.splitlines()]
    named = {word for chain in chains for word in re.findall(r"[^ ,;→]+", chain)}
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    assert named - {"games/<game>/rules"} == modules
