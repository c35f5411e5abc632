"""The whole drawn map of Bautzen 1945 beside its scenario file: hexes, hexsides, ways, marks."""

import re
from itertools import pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command import run
from tests.oracles import bautzen_map as printed

NUMBER = re.compile(r"-?[\d.]+")
NEAR = 10  # units of the picture: a railway beside a road crosses so far from a side's middle

Point = tuple[float, float]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> ElementTree.Element:
    """Draw the map with the command."""
    path: Path = tmp_path_factory.mktemp("map") / "bautzen.svg"
    result = run("map", "bautzen-1945", "-o", path)
    assert result.exit_code == 0, result.output
    return ElementTree.fromstring(path.read_text(encoding="utf-8"))


def found(picture: ElementTree.Element, tag: str, word: str) -> list[ElementTree.Element]:
    """Give the elements of a class, below the map's own layers."""
    return [
        element
        for element in picture.iter(f"{{http://www.w3.org/2000/svg}}{tag}")
        if word in element.get("class", "").split()
    ]


def points(element: ElementTree.Element) -> list[Point]:
    numbers = list(map(float, NUMBER.findall(element.get("d", ""))))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def centres(picture: ElementTree.Element) -> dict[str, Point]:
    return {
        hex_.get("data-hex", ""): (float(hex_.get("data-x", "")), float(hex_.get("data-y", "")))
        for hex_ in found(picture, "g", "hex")
    }


def middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def test_every_hex_is_drawn_once_with_its_number_and_terrain(picture: ElementTree.Element) -> None:
    drawn = found(picture, "g", "hex")
    assert len(drawn) == 288
    terrain = {h.get("data-hex"): set(h.get("data-terrain", "").split()) for h in drawn}
    assert terrain == {number: set(kinds) for number, kinds in printed.terrain().items()}
    (layer,) = found(picture, "g", "numbers")
    centre = centres(picture)
    written = [text for text in layer.iter() if text.text and text.text.strip()]
    assert sorted(str(text.text) for text in written) == sorted(printed.terrain())
    for text in written:
        at = float(text.get("x", "")), float(text.get("y", ""))
        assert min(centre, key=lambda number: dist(centre[number], at)) == text.text


def test_hexes_touch_their_neighbours_and_nobody_else(picture: ElementTree.Element) -> None:
    centre = centres(picture)
    apart = dist(centre["0101"], centre["0102"])
    for number, at in centre.items():
        beside = {other for other, there in centre.items() if 0 < dist(at, there) < apart * 1.1}
        assert beside == printed.neighbours(number), number


@pytest.mark.parametrize("kind", ["river", "lake"])
def test_every_river_and_lake_lies_between_its_hexes(
    picture: ElementTree.Element, kind: str
) -> None:
    centre = centres(picture)
    drawn = set()
    for path in found(picture, "path", kind):
        pair = path.get("data-side")
        if "side" in path.get("class", "").split() and pair:
            one, other = pair.split("-")
            ends = points(path)
            assert dist(middle(ends[0], ends[-1]), middle(centre[one], centre[other])) < 1, pair
            drawn.add(frozenset((one, other)))
    assert drawn == printed.hexsides(kind)


@pytest.mark.parametrize("kind", ["road", "railway"])
def test_every_way_leads_from_hex_to_hex_as_in_the_file(
    picture: ElementTree.Element, kind: str
) -> None:
    centre = centres(picture)
    crossed = set()
    for path in found(picture, "path", kind):
        number = path.get("data-at")
        if number is None:
            continue
        for neighbour in printed.neighbours(number):
            gate = middle(centre[number], centre[neighbour])
            if any(dist(gate, point) < NEAR for point in points(path)):
                crossed.add((number, neighbour))
    expected = {
        step
        for entry in printed.printed()["map"]["ways"]
        if entry["kind"] == kind
        for pair in pairwise(entry["through"])
        for step in (pair, pair[::-1])
    }
    assert crossed == expected


def test_sources_and_names_are_drawn_where_the_file_has_them(picture: ElementTree.Element) -> None:
    sources = [source.get("data-source") for source in found(picture, "g", "source")]
    assert sorted(map(str, sources)) == sorted(
        number for numbers in printed.printed()["map"]["sources"].values() for number in numbers
    )
    (layer,) = found(picture, "g", "names")
    written = sorted(text for text in layer.itertext() if text.strip())
    assert written == sorted(name["en"] for name in printed.printed()["map"]["names"].values())
