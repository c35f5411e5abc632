"""Maps drawn for tests, and what is found in their SVG."""

from math import hypot
from xml.etree import ElementTree as ET

import pytest

from grognard.draw.svg import map as svg_map
from grognard.maps import scenario
from grognard.maps.board import Board
from grognard.maps.scenario import Scenario
from grognard.words.text import Lang
from tests.example_games import BATTLE

SVG = "{http://www.w3.org/2000/svg}"
NAMES = (*scenario.ids(), BATTLE)
LARGE = "bautzen-1945"  # `test_printed_map.py` looks at it in `make quick`
each = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == LARGE else n for n in NAMES]
)
Point = tuple[float, float]


def scenario_of(name: str) -> Scenario:
    return scenario.load(name)


def picture_of(name: str, lang: Lang = "en") -> ET.Element:
    loaded = scenario_of(name)
    return drawn_of(loaded.board(), loaded, lang)


def drawn_of(board: Board, loaded: Scenario, lang: Lang = "en") -> ET.Element:
    return ET.fromstring(svg_map.draw(board, loaded, lang))


def layer_of(picture: ET.Element, name: str) -> ET.Element:
    found = [g for g in picture.iter(f"{SVG}g") if g.get("class") == f"layer {name}"]
    assert len(found) == 1
    return found[0]


def having(element: ET.Element, attribute: str) -> list[ET.Element]:
    return [child for child in element.iter() if child.get(attribute)]


def texts_of(element: ET.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def corners_of(picture: ET.Element) -> dict[str, list[Point]]:
    hexes = {}
    for group in having(layer_of(picture, "hexes"), "data-hex"):
        polygon = group.find(f"{SVG}polygon")
        assert polygon is not None
        pairs = (pair.split(",") for pair in (polygon.get("points") or "").split())
        hexes[group.get("data-hex") or ""] = [(float(x), float(y)) for x, y in pairs]
    return hexes


def near_of(one: Point, other: Point, apart: float = 0.2) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) < apart


def middle_of(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def counter_of(picture: ET.Element, name: str) -> ET.Element:
    return next(e for e in having(picture, "data-unit") if e.get("data-unit") == name)


def classes(element: ET.Element) -> list[str]:
    return [e.get("class") or "" for e in element.iter()]
