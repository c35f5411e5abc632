"""docs/design.md draws the packages as they are; docs/rules.md lists the files of the games."""

import re

from tests import floor_plan


def test_the_floor_plan_is_the_tree() -> None:
    on_disk = floor_plan.FILE.read_text(encoding="utf-8")
    assert floor_plan.written() == on_disk, "run `make floor-plan`"


def test_the_index_of_rules_is_the_tree() -> None:
    on_disk = floor_plan.INDEX.read_text(encoding="utf-8")
    assert floor_plan.index() == on_disk, "run `make floor-plan`"


def test_the_floor_plan_has_the_order_of_the_contract() -> None:
    text = floor_plan.FILE.read_text(encoding="utf-8")
    drawn = text.partition(floor_plan.BEGIN)[2].partition(floor_plan.END)[0]
    order = [package for layer in floor_plan.layers() for package in layer]
    assert re.findall(r"^\| `(\w+)` \|", drawn, re.MULTILINE) == order
    packages = {file.parent.name for file in floor_plan.SOURCES.glob("*/__init__.py")}
    assert set(order) == packages


def test_every_arrow_points_down() -> None:
    level = {name: height for height, layer in enumerate(floor_plan.layers()) for name in layer}
    arrows = list(floor_plan.necessary(floor_plan.imports()))
    assert len(arrows) >= len(level) - 1  # a package without an arrow would be no part of the house
    assert [(above, below) for above, below in arrows if level[above] >= level[below]] == []


def test_an_import_that_follows_from_others_is_not_drawn() -> None:
    found = {"top": {"middle", "bottom"}, "middle": {"bottom"}, "bottom": set[str]()}
    assert list(floor_plan.necessary(found)) == [("top", "middle"), ("middle", "bottom")]
