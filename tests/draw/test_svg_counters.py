"""The map as SVG: parts for a page, looks told apart, legend, counters."""

import re
from itertools import combinations
from typing import Any, Literal
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from grognard.card.card import Terrain
from grognard.card.terrain_look import LOOKS, TerrainLook
from grognard.draw.svg import counter as svg_counter
from grognard.draw.svg import map as svg_map
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.layout import Layout
from grognard.maps.board import Piece
from grognard.words.text import LANGS, Lang, Text
from tests.draw.drawn_maps import (
    SVG,
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

# ------------------------------------------------------------------ parts for a page


@each
def test_the_pieces_alone_are_those_of_the_whole_picture(name: str) -> None:
    loaded = scenario_of(name)
    board = loaded.board()
    whole, part = svg_map.draw(board, loaded, "fr"), svg_map.pieces(board, loaded, "fr")
    assert part in whole
    group = ET.fromstring(part)
    assert group.get("class") == "pieces"
    units = {e.get("data-unit") for e in having(group, "data-unit")}
    assert units == {piece.name for piece in board.pieces if piece.at is not None}
    assert not having(group, "data-terrain")


@each
def test_pieces_of_another_board_need_only_what_the_picture_defines(name: str) -> None:
    loaded = scenario_of(name)
    board = loaded.board()
    ids = {e.get("id") for e in having(drawn_of(board, loaded), "id")}
    land = next(iter(board.map.places))
    later = board.changed(*(replace(piece, at=land) for piece in board.pieces))
    used = set(re.findall(r'href="#([\w-]+)', svg_map.pieces(later, loaded, "en")))
    assert used
    assert used <= ids


def test_who_holds_an_objective_is_among_the_pieces() -> None:
    loaded = scenario_of("weissenberg")
    board = loaded.board()
    taken = board.moved(["21/20Pz"], board.map.hex("1910"))
    for now, side in ((board, "allied"), (taken, "german")):
        group = ET.fromstring(svg_map.pieces(now, loaded, "en"))
        holders = {e.get("data-holder"): e.get("data-side") for e in having(group, "data-holder")}
        assert holders["1910"] == side
        assert set(holders) == {o.hex for o in loaded.objectives}


@each
def test_a_counter_alone_is_whole_and_shows_the_same(name: str) -> None:
    loaded = scenario_of(name)
    picture = picture_of(name)
    for piece in loaded.board().pieces:
        text = svg_map.counter(piece, loaded, "en")
        alone, there = ET.fromstring(text), counter_of(picture, piece.name)
        assert (alone.tag, alone.get("data-unit")) == (f"{SVG}svg", piece.name)
        assert texts_of(alone) == texts_of(there)
        assert alone.findtext(f"{SVG}title") == there.findtext(f"{SVG}title")
        assert "href" not in text
        assert " id=" not in text, "many of them stand on one page"


@each
def test_the_centres_of_hexes_are_told(name: str) -> None:
    sheet = scenario_of(name).board().map
    picture = picture_of(name)
    corners = corners_of(picture)
    for group in having(layer_of(picture, "hexes"), "data-hex"):
        number = group.get("data-hex") or ""
        told = float(group.get("data-x") or 0), float(group.get("data-y") or 0)
        assert near_of(told, middle_of(corners[number]))
        assert near_of(told, Layout(sheet).centre(sheet.hex(number)))


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
    board = scenario_of(name).board()
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
    sheet = scenario_of(name).board().map
    picture = picture_of(name, lang)
    legend = next(g for g in picture.findall(f"{SVG}g") if g.get("class") == "legend")
    words = [text.casefold() for text in texts_of(legend)]
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
    texts = {lang: texts_of(picture_of("weissenberg", lang)) for lang in LANGS}
    assert {"Wood", "River (stream)", "headquarters"} <= set(texts["en"])
    assert {"Bois", "Rivière (ruisseau)", "quartier général"} <= set(texts["fr"])
    forms = {"attack-defence-movement", "support(range)-movement", "movement"}
    assert {f"below: {form}" for form in forms} <= set(texts["en"])


# ------------------------------------------------------------------ counters


def _weissenberg(*pieces: Piece) -> ET.Element:
    loaded = scenario_of("weissenberg")
    return drawn_of(loaded.board().changed(*pieces), loaded)


def test_a_counter_shows_name_size_factors_and_formation() -> None:
    counter = counter_of(_weissenberg(), "21/20Pz")
    assert texts_of(counter) == ["21/20Pz", "III", "6-4-10"]
    assert "formation" in classes(counter)
    assert "reduced" not in classes(counter)
    assert [use.get("href") for use in counter.iter(f"{SVG}use")] == ["#symbol-armour"]
    title = counter.findtext(f"{SVG}title")
    assert title == "21/20Pz: armour, regiment, 20 Pz, attack 6, defence 4, movement 10"


def test_a_reduced_counter_has_its_band_and_its_other_face() -> None:
    piece = replace(scenario_of("weissenberg").board().piece("21/20Pz"), steps=1)
    counter = counter_of(_weissenberg(piece), "21/20Pz")
    assert "reduced" in classes(counter)
    assert "4-3-10" in texts_of(counter)


def test_states_are_letters_in_a_corner_and_acts_a_dot() -> None:
    piece = scenario_of("weissenberg").board().piece("21/20Pz").marked("unsupplied", "moved", "odd")
    picture = _weissenberg(piece)
    counter = counter_of(picture, "21/20Pz")
    assert {"state", "acted"} <= set(classes(counter))
    assert "UO" in texts_of(counter)
    assert {"unsupplied", "odd", "has moved or acted"} <= set(texts_of(picture))


def test_a_stack_shows_its_sum() -> None:
    picture = _weissenberg()
    sums = [e.text for e in picture.iter(f"{SVG}text") if e.get("class") == "sum"]
    assert "×2 Σ10-9" in sums


def test_the_lost_are_not_drawn() -> None:
    loaded = scenario_of("weissenberg")
    picture = drawn_of(loaded.board().removed("21/20Pz"), loaded)
    assert "21/20Pz" not in {e.get("data-unit") for e in having(picture, "data-unit")}
