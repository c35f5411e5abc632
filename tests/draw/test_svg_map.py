"""The picture of a board: whole, well-formed, true to the map, readable without colours."""

import re
from collections import Counter
from itertools import combinations, pairwise
from math import cos, hypot, pi, sin, sqrt
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard.card.card import Terrain
from grognard.card.terrain_look import LOOKS, TerrainLook
from grognard.cli.map import command as map_command
from grognard.draw.svg import counter as svg_counter
from grognard.draw.svg import map as svg_map
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.layout import HALF, Layout
from grognard.maps import scenario
from grognard.maps.board import Board, Map, Piece, Place
from grognard.maps.hexes import Hex, Numbering
from grognard.maps.labels import labelled_html, labels_of
from grognard.maps.scenario import Scenario
from grognard.matches import match as matches
from grognard.words.text import LANGS, Lang, Text
from tests.example_games import BATTLE, finds_examples

SVG = "{http://www.w3.org/2000/svg}"
NAMES = (*scenario.ids(), BATTLE)
pytestmark = finds_examples
LARGE = "bautzen-1945"  # `test_printed_map.py` looks at it in `make quick`
each = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == LARGE else n for n in NAMES]
)
Point = tuple[float, float]


def _scenario(name: str) -> Scenario:
    return scenario.load(name)


def _picture(name: str, lang: Lang = "en") -> ET.Element:
    loaded = _scenario(name)
    return _drawn(loaded.board(), loaded, lang)


def _drawn(board: Board, loaded: Scenario, lang: Lang = "en") -> ET.Element:
    return ET.fromstring(svg_map.draw(board, loaded, lang))


def _layer(picture: ET.Element, name: str) -> ET.Element:
    found = [g for g in picture.iter(f"{SVG}g") if g.get("class") == f"layer {name}"]
    assert len(found) == 1
    return found[0]


def _with(element: ET.Element, attribute: str) -> list[ET.Element]:
    return [child for child in element.iter() if child.get(attribute)]


def _texts(element: ET.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def _corners(picture: ET.Element) -> dict[str, list[Point]]:
    hexes = {}
    for group in _with(_layer(picture, "hexes"), "data-hex"):
        polygon = group.find(f"{SVG}polygon")
        assert polygon is not None
        pairs = (pair.split(",") for pair in (polygon.get("points") or "").split())
        hexes[group.get("data-hex") or ""] = [(float(x), float(y)) for x, y in pairs]
    return hexes


def _near(one: Point, other: Point, apart: float = 0.2) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) < apart


def _shared(one: list[Point], other: list[Point]) -> list[Point]:
    return [p for p in one if any(_near(p, q) for q in other)]


def _middle(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _numbers(path: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", path)]


# ------------------------------------------------------------------ whole and well-formed


@each
@pytest.mark.parametrize("lang", LANGS)
def test_every_hex_name_unit_and_feature_is_there_once(name: str, lang: Lang) -> None:
    loaded, picture = _scenario(name), _picture(name, lang)
    board = loaded.board()
    sheet = board.map
    hexes = Counter(e.get("data-hex") for e in _with(_layer(picture, "hexes"), "data-hex"))
    assert hexes == Counter(map(sheet.number, sheet.places))
    assert sorted(_texts(_layer(picture, "numbers"))) == sorted(map(sheet.number, sheet.places))
    names = [place.name.in_(lang) for place in sheet.places.values() if place.name]
    assert sorted(_texts(_layer(picture, "names"))) == sorted(names)
    units = Counter(e.get("data-unit") for e in _with(picture, "data-unit"))
    assert units == Counter(piece.name for piece in board.pieces if piece.alive)
    sides = Counter(
        (e.get("data-side"), (e.get("class") or "").removeprefix("side "))
        for e in _with(_layer(picture, "sides"), "data-side")
    )
    stated = [
        (f"{sheet.number(side.first)}-{sheet.number(side.second)}", id_)
        for side, ids in sheet.hexsides.items()
        for id_ in ids
    ]
    assert sides == Counter(stated)
    objectives = [e.get("data-objective") for e in _with(picture, "data-objective")]
    assert sorted(map(str, objectives)) == sorted(o.hex for o in loaded.objectives)
    sources = [e.get("data-source") for e in _with(picture, "data-source")]
    assert sorted(map(str, sources)) == sorted(map(sheet.number, sheet.sources))


@each
def test_each_feature_of_a_hex_is_drawn(name: str) -> None:
    loaded, picture = _scenario(name), _picture(name)
    sheet = loaded.board().map
    grounds = {e.get("data-hex"): e for e in _with(_layer(picture, "hexes"), "data-hex")}
    figures = {e.get("data-at"): e for e in _with(_layer(picture, "figures"), "data-at")}
    for hex_, place in sheet.places.items():
        ground = grounds[sheet.number(hex_)]
        assert set((ground.get("data-terrain") or "").split()) == place.terrain
        drawn = {e.get("data-terrain") for e in _with(ground, "data-terrain") if e is not ground}
        figure = figures.get(sheet.number(hex_))
        if figure is not None:
            drawn |= {e.get("data-terrain") for e in _with(figure, "data-terrain")}
        looks = {row.id: svg_terrain.ground(row) for row in sheet.rows(hex_)}
        assert drawn == {
            i for i, made in looks.items() if made.pattern or made.figure or made.corner
        }


@each
def test_nothing_outside_is_needed(name: str) -> None:
    loaded = _scenario(name)
    text = svg_map.draw(loaded.board(), loaded, "en")
    picture = ET.fromstring(text)
    assert not re.search(r"@import|@font-face|url\((?!#)|<script|<image|foreignObject", text)
    assert text.count("http") == 1, "the name of SVG itself"
    ids = [e.get("id") for e in _with(picture, "id")]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:url\(|href=")#([\w-]+)', text))
    assert used <= set(ids)


@each
def test_it_is_the_same_each_time_and_titled(name: str) -> None:
    loaded = _scenario(name)
    once, again = (svg_map.draw(_scenario(name).board(), loaded, "fr") for _ in range(2))
    assert once == again
    picture = ET.fromstring(once)
    assert picture.findtext(f"{SVG}title") == loaded.name.fr
    assert loaded.about.fr in (picture.findtext(f"{SVG}desc") or "")


# ------------------------------------------------------------------ geometry


@each
def test_hexes_are_regular_and_stand_as_numbered(name: str) -> None:
    loaded = _scenario(name)
    hexes = _corners(_picture(name))
    first = loaded.map.first
    left, top = _middle(hexes[first])
    for number, corners in hexes.items():
        x, y = _middle(corners)
        for place, corner in enumerate(corners):
            turn = pi / 3 * place
            assert _near(corner, (x + 50 * cos(turn), y + 50 * sin(turn)))
        column, row = int(number[:2]) - int(first[:2]), int(number[2:]) - int(first[2:])
        lower = (int(number[:2]) % 2 == 1) == (loaded.map.lower == "odd")
        first_lower = (int(first[:2]) % 2 == 1) == (loaded.map.lower == "odd")
        down = row + (lower - first_lower) / 2
        assert abs(x - (left + 75 * column)) < 0.01
        assert abs(y - (top + 50 * sqrt(3) * down)) < 0.1


@each
def test_neighbours_share_exactly_two_corners_and_others_fewer(name: str) -> None:
    sheet = _scenario(name).board().map
    hexes = _corners(_picture(name))
    for one, other in combinations(sheet.places, 2):
        common = _shared(hexes[sheet.number(one)], hexes[sheet.number(other)])
        assert len(common) == (2 if other in one.neighbours() else 0)


@each
def test_sides_lie_where_their_two_hexes_meet(name: str) -> None:
    picture = _picture(name)
    hexes = _corners(picture)
    for path in _with(_layer(picture, "sides"), "data-side"):
        one, other = (path.get("data-side") or "").split("-")
        x1, y1, x2, y2 = _numbers(path.get("d") or "")
        common = _shared(hexes[one], hexes[other])
        ends = ((x1, y1), (x2, y2))
        assert len(common) == 2
        assert all(any(_near(end, corner) for corner in common) for end in ends)


@each
def test_ways_meet_on_the_sides_that_they_cross(name: str) -> None:
    sheet = _scenario(name).board().map
    picture = _picture(name)
    hexes = _corners(picture)
    ends: dict[tuple[str, str], list[Point]] = {}
    for path in _with(_layer(picture, "ways"), "data-at"):
        kind = (path.get("class") or "").removeprefix("way ")
        numbers = _numbers(path.get("d") or "")
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        ends.setdefault((path.get("data-at") or "", kind), []).extend(points)
    for side, kinds in sheet.ways.items():
        one, other = sheet.number(side.first), sheet.number(side.second)
        middle = _middle(_shared(hexes[one], hexes[other]))
        for kind in kinds:
            common = _shared(ends[one, kind], ends[other, kind])
            assert any(_near(point, middle, 8) for point in common), (one, other, kind)


@each
def test_no_way_is_drawn_beyond_the_hexes(name: str) -> None:
    """A line is as wide beyond its end as on both sides of it."""
    picture = _picture(name)
    hexes = _corners(picture)
    for path in _with(_layer(picture, "ways"), "data-at"):
        numbers, width = _numbers(path.get("d") or ""), float(path.get("stroke-width") or 0)
        x, y = _middle(hexes[path.get("data-at") or ""])
        end_x, end_y = numbers[-2:]
        behind = 2 * end_x - x, 2 * end_y - y
        goes_on = any(_near(_middle(corners), behind, 20) for corners in hexes.values())
        assert goes_on or hypot(end_x - x, end_y - y) + width / 2 <= HALF + 0.1


@each
def test_counters_stand_in_their_hexes(name: str) -> None:
    board = _scenario(name).board()
    picture = _picture(name)
    hexes = _corners(picture)
    for group in _with(_layer(picture, "counters"), "data-unit"):
        piece = board.piece(group.get("data-unit") or "")
        assert piece.at is not None
        assert group.get("data-hex") == board.map.number(piece.at)
        x, y = _numbers(group.get("transform") or "")
        assert _near((x, y), _middle(hexes[board.map.number(piece.at)]), 15)


def test_the_top_counter_of_a_stack_is_drawn_last() -> None:
    loaded = _scenario("weissenberg")
    board = loaded.board()
    stacks = _with(_layer(_drawn(board, loaded), "counters"), "data-at")
    for stack in stacks:
        names = [e.get("data-unit") for e in _with(stack, "data-unit")]
        hex_ = board.map.hex(stack.get("data-at") or "")
        assert names[::-1] == [piece.name for piece in board.stack(hex_)]


def _top_and_bottom(stack: ET.Element) -> tuple[float, float]:
    """Give the upper edge of a stack's counters, and its lower edge or the line below it."""
    middles = [_numbers(e.get("transform") or "")[1] for e in _with(stack, "data-unit")]
    sums = [float(e.get("y") or 0) for e in stack.iter(f"{SVG}text") if e.get("class") == "sum"]
    return min(middles) - 22, max([y + 22 for y in middles] + sums)


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("number", ["1910", "2010"])  # Weissenberg, and a hex without a name
def test_counters_cover_neither_the_number_nor_the_name_of_their_hex(
    count: int, number: str
) -> None:
    loaded = _scenario("weissenberg")
    board = loaded.board()
    hex_ = board.map.hex(number)
    side = [piece for piece in board.pieces if piece.side == "german"][:count]
    there = Board(board.map, tuple(replace(piece, at=hex_) for piece in side))
    picture = _drawn(there, loaded)
    (stack,) = _with(_layer(picture, "counters"), "data-at")
    assert len(_with(stack, "data-unit")) == count
    top, bottom = _top_and_bottom(stack)
    numbers = {e.text: e for e in _layer(picture, "numbers").iter(f"{SVG}text")}
    assert top > float(numbers[number].get("y") or 0)
    _, middle = _middle(_corners(picture)[number])
    assert bottom < middle + 43.3, "inside the hex"
    if number == "1910":
        names = {e.text: e for e in _layer(picture, "names").iter(f"{SVG}text")}
        assert bottom < float(names["Weissenberg"].get("y") or 0) - 7, "above the capitals"


def test_the_names_of_all_counters_of_a_small_stack_are_read() -> None:
    """The stripe with the name is 9 high: so far do the counters of two or three stand apart."""
    loaded = _scenario("weissenberg")
    board = loaded.board()
    hex_ = board.map.hex("2010")
    for count in (2, 3):
        some = [replace(p, at=hex_) for p in board.pieces if p.side == "german"][:count]
        picture = _drawn(Board(board.map, tuple(some)), loaded)
        counters = _with(_layer(picture, "counters"), "data-unit")
        heights = [_numbers(e.get("transform") or "")[1] for e in counters]
        assert all(lower - upper >= 9 for upper, lower in pairwise(heights))


# ------------------------------------------------------------------ parts for a page


@each
def test_the_pieces_alone_are_those_of_the_whole_picture(name: str) -> None:
    loaded = _scenario(name)
    board = loaded.board()
    whole, part = svg_map.draw(board, loaded, "fr"), svg_map.pieces(board, loaded, "fr")
    assert part in whole
    group = ET.fromstring(part)
    assert group.get("class") == "pieces"
    units = {e.get("data-unit") for e in _with(group, "data-unit")}
    assert units == {piece.name for piece in board.pieces if piece.at is not None}
    assert not _with(group, "data-terrain")


@each
def test_pieces_of_another_board_need_only_what_the_picture_defines(name: str) -> None:
    loaded = _scenario(name)
    board = loaded.board()
    ids = {e.get("id") for e in _with(_drawn(board, loaded), "id")}
    land = next(iter(board.map.places))
    later = board.changed(*(replace(piece, at=land) for piece in board.pieces))
    used = set(re.findall(r'href="#([\w-]+)', svg_map.pieces(later, loaded, "en")))
    assert used
    assert used <= ids


def test_who_holds_an_objective_is_among_the_pieces() -> None:
    loaded = _scenario("weissenberg")
    board = loaded.board()
    taken = board.moved(["21/20Pz"], board.map.hex("1910"))
    for now, side in ((board, "allied"), (taken, "german")):
        group = ET.fromstring(svg_map.pieces(now, loaded, "en"))
        holders = {e.get("data-holder"): e.get("data-side") for e in _with(group, "data-holder")}
        assert holders["1910"] == side
        assert set(holders) == {o.hex for o in loaded.objectives}


@each
def test_a_counter_alone_is_whole_and_shows_the_same(name: str) -> None:
    loaded = _scenario(name)
    picture = _picture(name)
    for piece in loaded.board().pieces:
        text = svg_map.counter(piece, loaded, "en")
        alone, there = ET.fromstring(text), _counter(picture, piece.name)
        assert (alone.tag, alone.get("data-unit")) == (f"{SVG}svg", piece.name)
        assert _texts(alone) == _texts(there)
        assert alone.findtext(f"{SVG}title") == there.findtext(f"{SVG}title")
        assert "href" not in text
        assert " id=" not in text, "many of them stand on one page"


@each
def test_the_centres_of_hexes_are_told(name: str) -> None:
    sheet = _scenario(name).board().map
    picture = _picture(name)
    corners = _corners(picture)
    for group in _with(_layer(picture, "hexes"), "data-hex"):
        number = group.get("data-hex") or ""
        told = float(group.get("data-x") or 0), float(group.get("data-y") or 0)
        assert _near(told, _middle(corners[number]))
        assert _near(told, Layout(sheet).centre(sheet.hex(number)))


# ------------------------------------------------------------------ told apart


def test_looks_differ_without_their_colours() -> None:
    def plain(ground: svg_terrain.GroundStyle) -> str:
        drawn = (ground.pattern, ground.turned, ground.figure, ground.corner, ground.edge)
        return re.sub(r"#[0-9a-f]{6}", "", f"{drawn}")

    looks = [plain(made) for made in (*svg_terrain.GROUND.values(), svg_terrain.UNKNOWN)]
    assert len(set(looks)) == len(looks)
    for table in (svg_terrain.SIDES, svg_terrain.WAYS):
        shapes = {
            name: [(stroke.width, stroke.dash) for stroke in style.strokes]
            for name, style in table.items()
            if name != "causeway"  # a flooded side with a dam
        }
        assert all(one != other for one, other in combinations(shapes.values(), 2))


def test_a_card_may_name_every_look_and_no_other() -> None:
    assert set(LOOKS["hex"]) == set(svg_terrain.GROUND)
    assert set(LOOKS["hexside"]) == set(svg_terrain.SIDES)
    assert set(LOOKS["way"]) == set(svg_terrain.WAYS)


def _terrain(on: Literal["hex", "hexside", "way"], **look: Any) -> Terrain:  # noqa: ANN401  # as the card writes it
    return Terrain(id="thorn", on=on, text=Text("Thorn", "Épines"), look=TerrainLook(**look))


def test_a_card_says_how_its_terrain_looks() -> None:
    wood, marsh = svg_terrain.GROUND["wood"], svg_terrain.GROUND["marsh"]
    assert svg_terrain.ground(_terrain("hex", like="wood")) == wood
    mixed = svg_terrain.ground(_terrain("hex", like="wood", colour="#123456", pattern="marsh"))
    assert (mixed.fill, mixed.pattern, mixed.figure) == ("#123456", marsh.pattern, wood.figure)
    plain = svg_terrain.ground(_terrain("hex", colour="#123456"))
    assert (plain.fill, plain.pattern) == ("#123456", svg_terrain.UNKNOWN.pattern)
    river, stained = (
        svg_terrain.SIDES["river"],
        svg_terrain.side(_terrain("hexside", like="river", colour="#123456")),
    )
    assert [s.colour for s in stained.strokes] == [river.strokes[0].colour, "#123456"]
    assert svg_terrain.way_look(_terrain("way", like="rail")) == "rail"


def test_a_letter_of_the_card_is_drawn_also_on_a_known_look() -> None:
    assert ">X<" in svg_terrain.initial(_terrain("hex", like="wood", letter="X"), "en", known=True)
    assert not svg_terrain.initial(_terrain("hex", like="wood"), "en", known=True)
    assert ">É<" in svg_terrain.initial(_terrain("hex"), "fr", known=False)


def test_symbols_differ() -> None:
    drawings = [made.drawing for made in (*svg_symbols.SYMBOLS.values(), svg_symbols.UNKNOWN)]
    assert len(set(drawings)) == len(drawings)


@each
def test_every_kind_of_unit_and_terrain_of_the_scenarios_is_known(name: str) -> None:
    board = _scenario(name).board()
    assert {svg_symbols.known(piece.kind) for piece in board.pieces}.isdisjoint({"unknown"})
    rows = board.map.terrain
    features = {id_ for place in board.map.places.values() for id_ in place.terrain}
    assert all(svg_terrain.is_known(rows[id_]) for id_ in features)
    assert all(svg_terrain.side_look(rows[i]) for ids in board.map.hexsides.values() for i in ids)
    assert all(svg_terrain.way_look(rows[i]) for ids in board.map.ways.values() for i in ids)


def _light(colour: str) -> float:
    """Give the relative luminance of a colour, as for the contrast of WCAG."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", ["red", "blue", "grey", "brown", "green"])
@pytest.mark.parametrize("first", [True, False])
def test_counters_have_contrast(colour: str, first: bool) -> None:
    made = svg_counter.livery(colour, first=first)
    low, high = sorted((_light(made.fill), _light(made.ink)))
    assert (high + 0.05) / (low + 0.05) >= 7
    fills = [_light(svg_counter.livery(colour, first=which).fill) for which in (True, False)]
    assert (fills[0] + 0.05) / (fills[1] + 0.05) > 3, "sides differ in a print without colours"


# ------------------------------------------------------------------ legend


@each
@pytest.mark.parametrize("lang", LANGS)
def test_the_legend_names_what_occurs_and_only_that(name: str, lang: Lang) -> None:
    sheet = _scenario(name).board().map
    picture = _picture(name, lang)
    legend = next(g for g in picture.findall(f"{SVG}g") if g.get("class") == "legend")
    words = [text.casefold() for text in _texts(legend)]
    occurring = {
        id_
        for ids in (
            *(place.terrain for place in sheet.places.values()),
            *sheet.hexsides.values(),
            *sheet.ways.values(),
        )
        for id_ in ids
    }
    for id_, row in sheet.terrain.items():
        count = words.count(row.text.in_(lang).casefold())
        same = [i for i in occurring if sheet.terrain[i].text == row.text]
        assert count == len(same) if id_ in occurring or not same else True, id_


def test_the_legend_speaks_both_languages() -> None:
    texts = {lang: _texts(_picture("weissenberg", lang)) for lang in LANGS}
    assert {"Wood", "River (stream)", "headquarters"} <= set(texts["en"])
    assert {"Bois", "Rivière (ruisseau)", "quartier général"} <= set(texts["fr"])
    forms = {"attack-defence-movement", "support(range)-movement", "movement"}
    assert {f"below: {form}" for form in forms} <= set(texts["en"])


# ------------------------------------------------------------------ counters


def _weissenberg(*pieces: Piece) -> ET.Element:
    loaded = _scenario("weissenberg")
    return _drawn(loaded.board().changed(*pieces), loaded)


def _counter(picture: ET.Element, name: str) -> ET.Element:
    return next(e for e in _with(picture, "data-unit") if e.get("data-unit") == name)


def _classes(element: ET.Element) -> list[str]:
    return [e.get("class") or "" for e in element.iter()]


def test_a_counter_shows_name_size_factors_and_formation() -> None:
    counter = _counter(_weissenberg(), "21/20Pz")
    assert _texts(counter) == ["21/20Pz", "III", "6-4-10"]
    assert "formation" in _classes(counter)
    assert "reduced" not in _classes(counter)
    assert [use.get("href") for use in counter.iter(f"{SVG}use")] == ["#symbol-armour"]
    title = counter.findtext(f"{SVG}title")
    assert title == "21/20Pz: armour, regiment, 20 Pz, attack 6, defence 4, movement 10"


def test_a_reduced_counter_has_its_band_and_its_other_face() -> None:
    piece = replace(_scenario("weissenberg").board().piece("21/20Pz"), steps=1)
    counter = _counter(_weissenberg(piece), "21/20Pz")
    assert "reduced" in _classes(counter)
    assert "4-3-10" in _texts(counter)


def test_states_are_letters_in_a_corner_and_acts_a_dot() -> None:
    piece = _scenario("weissenberg").board().piece("21/20Pz").marked("unsupplied", "moved", "odd")
    picture = _weissenberg(piece)
    counter = _counter(picture, "21/20Pz")
    assert {"state", "acted"} <= set(_classes(counter))
    assert "UO" in _texts(counter)
    assert {"unsupplied", "odd", "has moved or acted"} <= set(_texts(picture))


def test_a_stack_shows_its_sum() -> None:
    picture = _weissenberg()
    sums = [e.text for e in picture.iter(f"{SVG}text") if e.get("class") == "sum"]
    assert "×2 Σ10-9" in sums


def test_the_lost_are_not_drawn() -> None:
    loaded = _scenario("weissenberg")
    picture = _drawn(loaded.board().removed("21/20Pz"), loaded)
    assert "21/20Pz" not in {e.get("data-unit") for e in _with(picture, "data-unit")}


# ------------------------------------------------------------------ any map


def test_what_is_not_known_gets_a_letter_and_never_fails() -> None:
    loaded = _scenario("weissenberg")
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
    picture = _drawn(Board(sheet, (odd,)), replace(loaded, objectives=()))
    letters = [e.text for e in picture.iter(f"{SVG}text") if e.get("class") == "letter"]
    assert letters.count("Z") == 2 + 1 + 2 + 1, "two grounds and a side, on the map and below"
    assert '"A&B"' in {e.get("data-unit") for e in _with(picture, "data-unit")}
    assert ET.tostring(_drawn(Board(sheet, ()), replace(loaded, objectives=())))


@given(
    st.sets(st.tuples(st.integers(1, 8), st.integers(1, 8)), min_size=1, max_size=20),
    st.sampled_from(["odd", "even"]),
)
def test_any_shape_of_map_is_drawn(spots: set[tuple[int, int]], lower: str) -> None:
    loaded = _scenario("weissenberg")
    numbering = Numbering("odd" if lower == "odd" else "even")
    hexes = [numbering.hex(f"{column:02}{row:02}") for column, row in spots]
    places = {hex_: Place(frozenset({"wood"})) for hex_ in hexes}
    rows = loaded.board().map.terrain
    sheet = Map(numbering, places, {}, {}, {}, rows, {}, dict.fromkeys(hexes, ()))
    corners = _corners(_drawn(Board(sheet, ()), replace(loaded, objectives=())))
    assert set(corners) == {f"{column:02}{row:02}" for column, row in spots}
    for points in corners.values():
        assert all(x > 0 and y > 0 for x, y in points)
    middles = [_middle(points) for points in corners.values()]
    assert all(not _near(one, other, 80) for one, other in combinations(middles, 2))


# ------------------------------------------------------------------ the command


def test_map_writes_to_standard_output() -> None:
    result = CliRunner().invoke(map_command, ["weissenberg", "--lang", "fr"])
    assert result.exit_code == 0
    assert ET.fromstring(result.stdout).get("lang") == "fr"


def test_map_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    result = CliRunner().invoke(map_command, ["weissenberg", "-o", str(file), "--lang", "en"])
    assert (result.exit_code, result.output) == (0, "")
    loaded = _scenario("weissenberg")
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
    assert _counter(picture, "Talabsk").get("data-hex") == "0306"
    assert "acted" in _classes(_counter(picture, "Talabsk"))
    drawn = svg_map.draw(match.board, match.field.scenario, "fr")
    assert result.stdout == labelled_html(drawn, labels_of([match.field.scenario], "fr"))


def test_map_refuses_a_damaged_match(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text('{"match": 1, "scenario": "pulkovo", "options": {}, "answers": [["fly"]]}')
    result = CliRunner().invoke(map_command, [str(file), "--lang", "en"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{file}: answers[0]: " in result.stderr
