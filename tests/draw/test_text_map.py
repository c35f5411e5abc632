"""The map as text: every hex and unit, in its place, within the width of a terminal."""

import re

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


def _lines(board: Board, loaded: Scenario, lang: Lang = "en") -> list[str]:
    return [click.unstyle(line) for line in text_map.draw(board, loaded, lang)]


def _split(lines: list[str]) -> tuple[list[str], list[str]]:
    """Part the map from what stands below."""
    blank = lines.index("")
    return lines[:blank], lines[blank + 1 :]


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


@each
def test_every_hex_stands_once_and_as_numbered(name: str) -> None:
    sheet = scenario.load(name).board().map
    spots = _spots(_map(name)[0])
    assert set(spots) == set(map(sheet.number, sheet.places))
    for hex_, others in sheet.around.items():
        row, column = spots[sheet.number(hex_)]
        for other in others:
            down, across = spots[sheet.number(other)]
            moves = ((-4, 0), (-2, 8), (2, 8), (4, 0), (2, -8), (-2, -8))
            assert (down - row, across - column) == moves[hex_.direction(other)]


@each
@pytest.mark.parametrize("lang", LANGS)
def test_it_fits_a_terminal(name: str, lang: Lang) -> None:
    above, below = _map(name, lang)
    assert max(map(len, above)) <= 100
    assert max(map(len, below)) <= 100 or any("," in line for line in below if len(line) > 100)


@each
def test_every_unit_is_named_and_the_first_of_a_stack_on_the_map(name: str) -> None:
    loaded = scenario.load(name)
    board = loaded.board()
    above, below = _map(name)
    spots = _spots(above)
    listed = "\n".join(below)
    for piece in board.pieces:
        assert len(re.findall(rf"(?<![\w/]){re.escape(piece.name)}(?![\w/])", listed)) >= 1
    for hex_, stack in board.stacks().items():
        row, column = spots[board.map.number(hex_)]
        shown = above[row + 1][column - 1 : column + 7]
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
            first = int(loaded.map.first[:2]) + across, int(loaded.map.first[2:]) + down
            row, column = spots[f"{first[0]:02}{first[1]:02}"]
            shown = lines[row][column + 5]
            assert loaded.map.legend[shown] == loaded.map.legend[letter]


def test_rivers_and_roads_are_in_the_sides() -> None:
    lines, _ = _map("weissenberg")
    spots = _spots(lines)
    row, column = spots["1711"]
    assert lines[row - 1][column : column + 6] == "≈≈≈≈≈≈", "1710 1711"
    row, column = spots["1911"]
    assert lines[row - 1][column : column + 6] == "≈≈│≈≈≈", "a bridge to 1910"
    assert lines[row][column - 1] == "≈", "1810 1911"


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
    assert "21/20Pz 6-4-8 [U], 59/20Pz 4-4-7" in below
    assert "1910 Weissenberg ★3○" in below
    assert "■ KG 1/17 4-5-4, turn 2" in below


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
