"""The map as SVG: whole and well-formed, geometry, any map, the command."""

import re
from collections import Counter
from itertools import combinations, pairwise
from math import cos, hypot, pi, sin, sqrt
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard.card.card import Terrain
from grognard.cli.map import command as map_command
from grognard.draw.svg import map as svg_map
from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.layout import HALF
from grognard.maps.board import Board, Map, Piece, Place
from grognard.maps.hexes import Hex, Numbering
from grognard.maps.labels import labelled_html, labels_of
from grognard.matches import match as matches
from grognard.words.text import LANGS, Lang, Text
from tests.draw.drawn_maps import (
    SVG,
    Point,
    classes,
    corners_of,
    counter_of,
    drawn_of,
    each,
    having,
    layer_of,
    middle_of,
    near_of,
    picture_of,
    scenario_of,
    texts_of,
)
from tests.example_games import finds_examples

pytestmark = finds_examples


def _shared(one: list[Point], other: list[Point]) -> list[Point]:
    return [p for p in one if any(near_of(p, q) for q in other)]


def _numbers(path: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", path)]


# ------------------------------------------------------------------ whole and well-formed


@each
@pytest.mark.parametrize("lang", LANGS)
def test_every_hex_name_unit_and_feature_is_there_once(name: str, lang: Lang) -> None:
    loaded, picture = scenario_of(name), picture_of(name, lang)
    board = loaded.board()
    sheet = board.map
    hexes = Counter(e.get("data-hex") for e in having(layer_of(picture, "hexes"), "data-hex"))
    assert hexes == Counter(map(sheet.number, sheet.places))
    assert sorted(texts_of(layer_of(picture, "numbers"))) == sorted(map(sheet.number, sheet.places))
    names = [place.name.in_(lang) for place in sheet.places.values() if place.name]
    assert sorted(texts_of(layer_of(picture, "names"))) == sorted(names)
    units = Counter(e.get("data-unit") for e in having(picture, "data-unit"))
    assert units == Counter(piece.name for piece in board.pieces if piece.alive)
    sides = Counter(
        (e.get("data-side"), (e.get("class") or "").removeprefix("side "))
        for e in having(layer_of(picture, "sides"), "data-side")
    )
    stated = [
        (f"{sheet.number(side.first)}-{sheet.number(side.second)}", id_)
        for side, ids in sheet.hexsides.items()
        for id_ in ids
    ]
    assert sides == Counter(stated)
    objectives = [e.get("data-objective") for e in having(picture, "data-objective")]
    assert sorted(map(str, objectives)) == sorted(o.hex for o in loaded.objectives)
    sources = [e.get("data-source") for e in having(picture, "data-source")]
    assert sorted(map(str, sources)) == sorted(map(sheet.number, sheet.sources))


@each
def test_each_feature_of_a_hex_is_drawn(name: str) -> None:
    loaded, picture = scenario_of(name), picture_of(name)
    sheet = loaded.board().map
    grounds = {e.get("data-hex"): e for e in having(layer_of(picture, "hexes"), "data-hex")}
    figures = {e.get("data-at"): e for e in having(layer_of(picture, "figures"), "data-at")}
    for hex_, place in sheet.places.items():
        ground = grounds[sheet.number(hex_)]
        assert set((ground.get("data-terrain") or "").split()) == place.terrain
        drawn = {e.get("data-terrain") for e in having(ground, "data-terrain") if e is not ground}
        figure = figures.get(sheet.number(hex_))
        if figure is not None:
            drawn |= {e.get("data-terrain") for e in having(figure, "data-terrain")}
        looks = {row.id: svg_terrain.ground(row) for row in sheet.rows(hex_)}
        assert drawn == {
            i for i, made in looks.items() if made.pattern or made.figure or made.corner
        }


@each
def test_nothing_outside_is_needed(name: str) -> None:
    loaded = scenario_of(name)
    text = svg_map.draw(loaded.board(), loaded, "en")
    picture = ET.fromstring(text)
    assert not re.search(r"@import|@font-face|url\((?!#)|<script|<image|foreignObject", text)
    assert text.count("http") == 1, "the name of SVG itself"
    ids = [e.get("id") for e in having(picture, "id")]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:url\(|href=")#([\w-]+)', text))
    assert used <= set(ids)


@each
def test_it_is_the_same_each_time_and_titled(name: str) -> None:
    loaded = scenario_of(name)
    once, again = (svg_map.draw(scenario_of(name).board(), loaded, "fr") for _ in range(2))
    assert once == again
    picture = ET.fromstring(once)
    assert picture.findtext(f"{SVG}title") == loaded.name.fr
    assert loaded.about.fr in (picture.findtext(f"{SVG}desc") or "")


# ------------------------------------------------------------------ geometry


@each
def test_hexes_are_regular_and_stand_as_numbered(name: str) -> None:
    loaded = scenario_of(name)
    hexes = corners_of(picture_of(name))
    first = loaded.map.first
    left, top = middle_of(hexes[first])
    for number, corners in hexes.items():
        x, y = middle_of(corners)
        for place, corner in enumerate(corners):
            turn = pi / 3 * place
            assert near_of(corner, (x + 50 * cos(turn), y + 50 * sin(turn)))
        column, row = int(number[:2]) - int(first[:2]), int(number[2:]) - int(first[2:])
        lower = (int(number[:2]) % 2 == 1) == (loaded.map.lower == "odd")
        first_lower = (int(first[:2]) % 2 == 1) == (loaded.map.lower == "odd")
        down = row + (lower - first_lower) / 2
        assert abs(x - (left + 75 * column)) < 0.01
        assert abs(y - (top + 50 * sqrt(3) * down)) < 0.1


@each
def test_neighbours_share_exactly_two_corners_and_others_fewer(name: str) -> None:
    sheet = scenario_of(name).board().map
    hexes = corners_of(picture_of(name))
    for one, other in combinations(sheet.places, 2):
        common = _shared(hexes[sheet.number(one)], hexes[sheet.number(other)])
        assert len(common) == (2 if other in one.neighbours() else 0)


@each
def test_sides_lie_where_their_two_hexes_meet(name: str) -> None:
    picture = picture_of(name)
    hexes = corners_of(picture)
    for path in having(layer_of(picture, "sides"), "data-side"):
        one, other = (path.get("data-side") or "").split("-")
        x1, y1, x2, y2 = _numbers(path.get("d") or "")
        common = _shared(hexes[one], hexes[other])
        ends = ((x1, y1), (x2, y2))
        assert len(common) == 2
        assert all(any(near_of(end, corner) for corner in common) for end in ends)


@each
def test_ways_meet_on_the_sides_that_they_cross(name: str) -> None:
    sheet = scenario_of(name).board().map
    picture = picture_of(name)
    hexes = corners_of(picture)
    ends: dict[tuple[str, str], list[Point]] = {}
    for path in having(layer_of(picture, "ways"), "data-at"):
        kind = (path.get("class") or "").removeprefix("way ")
        numbers = _numbers(path.get("d") or "")
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        ends.setdefault((path.get("data-at") or "", kind), []).extend(points)
    for side, kinds in sheet.ways.items():
        one, other = sheet.number(side.first), sheet.number(side.second)
        middle = middle_of(_shared(hexes[one], hexes[other]))
        for kind in kinds:
            common = _shared(ends[one, kind], ends[other, kind])
            assert any(near_of(point, middle, 8) for point in common), (one, other, kind)


@each
def test_no_way_is_drawn_beyond_the_hexes(name: str) -> None:
    """A line is as wide beyond its end as on both sides of it."""
    picture = picture_of(name)
    hexes = corners_of(picture)
    for path in having(layer_of(picture, "ways"), "data-at"):
        numbers, width = _numbers(path.get("d") or ""), float(path.get("stroke-width") or 0)
        x, y = middle_of(hexes[path.get("data-at") or ""])
        end_x, end_y = numbers[-2:]
        behind = 2 * end_x - x, 2 * end_y - y
        goes_on = any(near_of(middle_of(corners), behind, 20) for corners in hexes.values())
        assert goes_on or hypot(end_x - x, end_y - y) + width / 2 <= HALF + 0.1


@each
def test_counters_stand_in_their_hexes(name: str) -> None:
    board = scenario_of(name).board()
    picture = picture_of(name)
    hexes = corners_of(picture)
    for group in having(layer_of(picture, "counters"), "data-unit"):
        piece = board.piece(group.get("data-unit") or "")
        assert piece.at is not None
        assert group.get("data-hex") == board.map.number(piece.at)
        x, y = _numbers(group.get("transform") or "")
        assert near_of((x, y), middle_of(hexes[board.map.number(piece.at)]), 15)


def test_the_top_counter_of_a_stack_is_drawn_last() -> None:
    loaded = scenario_of("weissenberg")
    board = loaded.board()
    stacks = having(layer_of(drawn_of(board, loaded), "counters"), "data-at")
    for stack in stacks:
        names = [e.get("data-unit") for e in having(stack, "data-unit")]
        hex_ = board.map.hex(stack.get("data-at") or "")
        assert names[::-1] == [piece.name for piece in board.stack(hex_)]


def _top_and_bottom(stack: ET.Element) -> tuple[float, float]:
    """Give the upper edge of a stack's counters, and its lower edge or the line below it."""
    middles = [_numbers(e.get("transform") or "")[1] for e in having(stack, "data-unit")]
    sums = [float(e.get("y") or 0) for e in stack.iter(f"{SVG}text") if e.get("class") == "sum"]
    return min(middles) - 22, max([y + 22 for y in middles] + sums)


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("number", ["1910", "2010"])  # Weissenberg, and a hex without a name
def test_counters_cover_neither_the_number_nor_the_name_of_their_hex(
    count: int, number: str
) -> None:
    loaded = scenario_of("weissenberg")
    board = loaded.board()
    hex_ = board.map.hex(number)
    side = [piece for piece in board.pieces if piece.side == "german"][:count]
    there = Board(board.map, tuple(replace(piece, at=hex_) for piece in side))
    picture = drawn_of(there, loaded)
    (stack,) = having(layer_of(picture, "counters"), "data-at")
    assert len(having(stack, "data-unit")) == count
    top, bottom = _top_and_bottom(stack)
    numbers = {e.text: e for e in layer_of(picture, "numbers").iter(f"{SVG}text")}
    assert top > float(numbers[number].get("y") or 0)
    _, middle = middle_of(corners_of(picture)[number])
    assert bottom < middle + 43.3, "inside the hex"
    if number == "1910":
        names = {e.text: e for e in layer_of(picture, "names").iter(f"{SVG}text")}
        assert bottom < float(names["Weissenberg"].get("y") or 0) - 7, "above the capitals"


def test_the_names_of_all_counters_of_a_small_stack_are_read() -> None:
    """The stripe with the name is 9 high: so far do the counters of two or three stand apart."""
    loaded = scenario_of("weissenberg")
    board = loaded.board()
    hex_ = board.map.hex("2010")
    for count in (2, 3):
        some = [replace(p, at=hex_) for p in board.pieces if p.side == "german"][:count]
        picture = drawn_of(Board(board.map, tuple(some)), loaded)
        counters = having(layer_of(picture, "counters"), "data-unit")
        heights = [_numbers(e.get("transform") or "")[1] for e in counters]
        assert all(lower - upper >= 9 for upper, lower in pairwise(heights))


# ------------------------------------------------------------------ any map


def test_what_is_not_known_gets_a_letter_and_never_fails() -> None:
    loaded = scenario_of("weissenberg")
    rows = {
        id_: Terrain(id=id_, on="hex", text=Text(f"Zone {id_} & <co>", f"Zone {id_}"))
        for id_ in ("jungle", "tundra", "wall", "canal")
    }
    one, other = Hex(0, 0), Hex(1, 0)
    side = one.side(one.direction(other))
    places = {
        one: Place(frozenset({"jungle", "tundra"}), Text("<Here>", "Là"), 7),
        other: Place(frozenset()),
    }
    around = {one: (other,), other: (one,)}
    sheet = Map(
        Numbering("odd"), places, {side: frozenset({"wall"})}, {side: frozenset({"canal"})},
        {side: Text("x" * 40, "y")}, rows, {}, around,
    )  # fmt: skip
    odd = Piece(name='"A&B"', side="german", kind="elephants", unit_class="?", at=one, move=3)
    picture = drawn_of(Board(sheet, (odd,)), replace(loaded, objectives=()))
    letters = [e.text for e in picture.iter(f"{SVG}text") if e.get("class") == "letter"]
    assert letters.count("Z") == 2 + 1 + 2 + 1, "two grounds and a side, on the map and below"
    assert '"A&B"' in {e.get("data-unit") for e in having(picture, "data-unit")}
    assert ET.tostring(drawn_of(Board(sheet, ()), replace(loaded, objectives=())))


@given(
    st.sets(st.tuples(st.integers(1, 8), st.integers(1, 8)), min_size=1, max_size=20),
    st.sampled_from(["odd", "even"]),
)
def test_any_shape_of_map_is_drawn(spots: set[tuple[int, int]], lower: str) -> None:
    loaded = scenario_of("weissenberg")
    numbering = Numbering("odd" if lower == "odd" else "even")
    hexes = [numbering.hex(f"{column:02}{row:02}") for column, row in spots]
    places = {hex_: Place(frozenset({"wood"})) for hex_ in hexes}
    rows = loaded.board().map.terrain
    sheet = Map(numbering, places, {}, {}, {}, rows, {}, dict.fromkeys(hexes, ()))
    corners = corners_of(drawn_of(Board(sheet, ()), replace(loaded, objectives=())))
    assert set(corners) == {f"{column:02}{row:02}" for column, row in spots}
    for points in corners.values():
        assert all(x > 0 and y > 0 for x, y in points)
    middles = [middle_of(points) for points in corners.values()]
    assert all(not near_of(one, other, 80) for one, other in combinations(middles, 2))


# ------------------------------------------------------------------ the command


def test_map_writes_to_standard_output() -> None:
    result = CliRunner().invoke(map_command, ["weissenberg", "--lang", "fr"])
    assert result.exit_code == 0
    assert ET.fromstring(result.stdout).get("lang") == "fr"


def test_map_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    result = CliRunner().invoke(map_command, ["weissenberg", "-o", str(file), "--lang", "en"])
    assert (result.exit_code, result.output) == (0, "")
    loaded = scenario_of("weissenberg")
    assert file.read_text(encoding="utf-8") == svg_map.draw(loaded.board(), loaded, "en")


def test_map_refuses_an_unknown_scenario(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    result = CliRunner().invoke(map_command, ["weisenberg", "-o", str(file), "--lang", "en"])
    assert result.exit_code == 2
    assert "there is no scenario 'weisenberg'; near matches: weissenberg" in result.stderr
    assert (result.stdout, file.exists()) == ("", False)


def test_map_refuses_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    for file in (tmp_path / "none" / "map.svg", tmp_path):
        result = CliRunner().invoke(map_command, ["weissenberg", "-o", str(file), "--lang", "en"])
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"grognard: {file}: can't be written: ")


def test_map_draws_a_saved_match_as_it_stands(tmp_path: Path) -> None:
    match = matches.begin("pulkovo", {"night_turns": "none"})
    match.answer(("move", "Talabsk", "0306"))
    file = tmp_path / "match.json"
    matches.save(match, file)
    result = CliRunner().invoke(map_command, [str(file), "--lang", "fr"])
    assert result.exit_code == 0, result.output
    picture = ET.fromstring(result.stdout)
    assert counter_of(picture, "Talabsk").get("data-hex") == "0306"
    assert "acted" in classes(counter_of(picture, "Talabsk"))
    drawn = svg_map.draw(match.board, match.field.scenario, "fr")
    assert result.stdout == labelled_html(drawn, labels_of([match.field.scenario], "fr"))


def test_map_refuses_a_damaged_match(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text('{"match": 1, "scenario": "pulkovo", "options": {}, "answers": [["fly"]]}')
    result = CliRunner().invoke(map_command, [str(file), "--lang", "en"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{file}: answers[0]: " in result.stderr
