"""The map as text: every hex and unit, in its place, within the width of a terminal."""

import re
from itertools import groupby, pairwise

import click
import pytest
from msgspec.structs import replace

from grognard.draw.text import map as text_map
from grognard.maps import scenario
from grognard.maps.board import Board, Map, Place
from grognard.maps.hexes import Hex
from grognard.maps.scenario import Scenario
from grognard.words.text import LANGS, Lang

each = pytest.mark.parametrize("name", tuple(scenario.ids()))


def _lines(board: Board, loaded: Scenario, lang: Lang = "en", width: int = 100) -> list[str]:
    return [click.unstyle(line) for line in text_map.draw(board, loaded, lang, width)]


def _split(lines: list[str]) -> tuple[list[str], list[str]]:
    """Part the map from the legend below."""
    legend = next(n for n, line in enumerate(lines) if line in ("Legend", "Légende"))
    return lines[: legend - 1], lines[legend:]


def _strips(lines: list[str]) -> list[list[str]]:
    """Part the strips of a map, each of which ends with an empty line."""
    return [list(strip) for blank, strip in groupby(lines, lambda line: line == "") if not blank]


def _map(name: str, lang: Lang = "en") -> tuple[list[str], list[str]]:
    loaded = scenario.load(name)
    return _split(_lines(loaded.board(), loaded, lang))


def _spots(lines: list[str]) -> dict[str, tuple[int, int]]:
    """Find where each number is written."""
    return {
        found[0]: (row, found.start())
        for row, line in enumerate(lines)
        for found in re.finditer(r"(?<=[^0-9a-z★▲+ ])\d{4}(?= )", line)
    }


NEIGHBOURS = ((-4, 0), (-2, 8), (2, 8), (4, 0), (2, -8), (-2, -8))  # rows and columns away


def _stand_as_numbered(sheet: Map, spots: dict[str, tuple[int, int]]) -> None:
    """Every hex stands beside those of its neighbours that are drawn with it."""
    for number, (row, column) in spots.items():
        hex_ = sheet.hex(number)
        for other in sheet.around[hex_]:
            if sheet.number(other) in spots:
                down, across = spots[sheet.number(other)]
                assert (down - row, across - column) == NEIGHBOURS[hex_.direction(other)]


@each
@pytest.mark.parametrize("width", [80, 100])
def test_every_hex_stands_as_numbered(name: str, width: int) -> None:
    loaded = scenario.load(name)
    sheet = loaded.board().map
    strips = [
        _spots(lines) for lines in _strips(_split(_lines(loaded.board(), loaded, "en", width))[0])
    ]
    assert set().union(*strips) == set(map(sheet.number, sheet.places))
    for spots in strips:
        _stand_as_numbered(sheet, spots)
    for left, right in pairwise(strips):
        assert len({number[: sheet.numbering.digits] for number in left.keys() & right}) == 1


@each
@pytest.mark.parametrize("lang", LANGS)
def test_it_fits_a_terminal(name: str, lang: Lang) -> None:
    above, below = _map(name, lang)
    assert max(map(len, above)) <= 100
    assert max(map(len, below)) <= 100 or any("," in line for line in below if len(line) > 100)


@each
def test_it_is_drawn_in_strips_that_fit_a_narrow_terminal(name: str) -> None:
    loaded = scenario.load(name)
    above, _ = _split(_lines(loaded.board(), loaded, "en", 80))
    assert max(map(len, above)) <= 80


@pytest.mark.parametrize(
    ("width", "columns"),
    # A column takes 8 characters, the slant at the end 2 more: 12 fit into 100, 9 into 80.
    [(100, [(1, 12), (12, 23)]), (80, [(1, 9), (9, 17), (17, 23)]), (186, [(1, 23)])],
)
def test_strips_repeat_a_column(width: int, columns: list[tuple[int, int]]) -> None:
    sheet = scenario.load("bautzen-1945").board().map
    assert [(strip[0], strip[-1]) for strip in text_map.strips(sheet, width)] == columns


def test_a_window_shows_a_hex_its_surroundings_and_their_units() -> None:
    loaded = scenario.load("bautzen-1945")
    board = loaded.board()
    sheet = board.map
    board = board.moved(["861/294"], sheet.hex("1910")).moved(["21/20Pz"], sheet.hex("0112"))
    lines = [
        click.unstyle(line) for line in text_map.window(board, loaded, "en", sheet.hex("1910"), 80)
    ]
    above, below = lines[: lines.index("")], lines[lines.index("") + 1 :]
    spots = _spots(above)
    assert max(map(len, above)) <= 80
    assert {number[:2] for number in spots} == {str(column) for column in range(15, 24)}
    assert {number[2:] for number in spots if number[:2] == "19"} == {
        f"{n:02}" for n in range(7, 14)
    }
    _stand_as_numbered(sheet, spots)
    assert below == ["Units on the map", "  1910 ○ 861/294 2-4-8"]


@each
def test_every_unit_is_named_and_the_first_of_a_stack_on_the_map(name: str) -> None:
    loaded = scenario.load(name)
    board = loaded.board()
    lines, below = _map(name)
    listed = "\n".join(below)
    for piece in board.pieces:
        assert len(re.findall(rf"(?<![\w/]){re.escape(piece.name)}(?![\w/])", listed)) >= 1
    for hex_, stack in board.stacks().items():
        row, column = _spots(lines)[board.map.number(hex_)]
        shown = lines[row + 1][column - 1 : column + 7]
        assert shown[0] == ("■" if stack[0].side == loaded.sides[0].id else "○")
        assert shown[1:4].strip() == stack[0].name[:3].strip()
        if len(stack) > 1:
            assert shown.rstrip().endswith(f"+{len(stack) - 1}")


@each
def test_the_letters_are_those_of_the_scenario_file(name: str) -> None:
    loaded = scenario.load(name)
    lines = _map(name)[0]
    spots = _spots(lines)
    grid = [line.replace(" ", "") for line in loaded.map.grid.strip().splitlines()]
    for down, letters in enumerate(grid):
        for across, letter in enumerate(letters):
            if letter == "_":  # no hex
                continue
            first = int(loaded.map.first[:2]) + across, int(loaded.map.first[2:]) + down
            row, column = spots[f"{first[0]:02}{first[1]:02}"]
            shown = lines[row][column + 5]
            assert loaded.map.legend[shown] == loaded.map.legend[letter]


def test_rivers_lakes_and_roads_are_in_the_sides() -> None:
    lines, _ = _map("weissenberg")
    spots = _spots(lines)
    row, column = spots["1607"]
    assert lines[row - 1][column : column + 6] == "≈≈≈≈≈≈", "1606 1607"
    row, column = spots["1706"]
    assert lines[row + 2][column - 2] + lines[row + 3][column - 1] == "≈≈", "1606 1706"
    row, column = spots["1708"]
    assert lines[row - 1][column : column + 6] == "≋≋≋≋≋≋", "1707 1708"
    row, column = spots["1610"]
    assert lines[row - 1][column : column + 6] == "__│___", "the road from 1609"
    lines = _strips(_map("bautzen-1945")[0])[1]
    row, column = _spots(lines)["1509"]
    assert lines[row - 1][column : column + 6] == "≈≈│≈≈≈", "a bridge from 1508"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("w Wood", "x Difficult + Wood", "≈≈ River (stream)", "Units on the map")),
        ("fr", ("w Bois", "x Difficile + Bois", "≈≈ Rivière (ruisseau)", "Unités sur la carte")),
    ],
)
def test_the_legend_speaks_both_languages(lang: Lang, words: tuple[str, ...]) -> None:
    below = "\n".join(_map("weissenberg", lang)[1])
    for word in words:
        assert below.count(word) == 1


def test_states_and_places_are_listed() -> None:
    loaded = scenario.load("weissenberg")
    board = loaded.board()
    board = board.changed(board.piece("21/20Pz").marked("unsupplied"))
    below = "\n".join(_split(_lines(board, loaded))[1])
    assert "21/20Pz 6-4-10 [U], 59/20Pz 4-5-10" in below
    assert "1910 Weissenberg ★5○" in below
    assert "■ KG 1/17 2-4-8, turn 2" in below


def test_it_is_coloured_and_the_same_each_time() -> None:
    loaded = scenario.load("weissenberg")
    once, again = (list(text_map.draw(loaded.board(), loaded, "en")) for _ in range(2))
    assert once == again
    assert any("\x1b[" in line for line in once)


def test_ground_that_the_file_has_no_letter_for_gets_a_free_one() -> None:
    loaded = scenario.load("weissenberg")
    sheet = loaded.board().map
    places = {Hex(0, 0): Place(frozenset({"lake", "town"})), Hex(1, 0): Place(frozenset())}
    odd = Map(sheet.numbering, places, {}, {}, {}, sheet.terrain, {}, {})
    lines = _lines(Board(odd, ()), replace(loaded, objectives=()))
    assert "Town + Lake" in "\n".join(lines)
