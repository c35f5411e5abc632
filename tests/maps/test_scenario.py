"""Scenario files: what they hold, and what is refused."""

from pathlib import Path

import pytest

from grognard import Refusal
from grognard.maps import scenario
from grognard.maps.hexes import hexside

TEXT = scenario.ids()["weissenberg"].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_every_scenario_sets_its_board_up(name: str) -> None:
    battle = scenario.load(name)
    board = battle.board()
    assert len(board.pieces) == len(battle.units)
    assert all(unit.at in board.map.places for unit in board.pieces if unit.at)
    assert {unit.side for unit in board.pieces} == {side.id for side in battle.sides}
    assert all(board.map.hex(objective.hex) for objective in battle.objectives)


def test_a_map_is_what_its_letters_say() -> None:
    board = scenario.load("weissenberg").board()
    sheet = board.map
    assert len(sheet.places) == 63
    assert sheet.places[sheet.hex("1811")].terrain == {"difficult", "wood"}
    assert sheet.between(sheet.hex("1910"), sheet.hex("1911")) == {"river"}
    assert sheet.ways_between(sheet.hex("1910"), sheet.hex("1911")) == {"road"}
    name = sheet.places[sheet.hex("1910")].name
    assert name is not None
    assert name.fr == "Weissenberg"
    river = sheet.names[hexside(sheet.hex("1910"), sheet.hex("1911"))]
    assert river.en == "Löbauer Wasser"
    assert [unit.name for unit in board.stack(sheet.hex("1810"))] == ["21/20", "50/20"]


def test_a_unit_shows_the_face_of_its_steps() -> None:
    unit = scenario.load("weissenberg").board().piece("21/20")
    assert (unit.steps, unit.number("attack")) == (2, 6)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("format = 1", "format = 9", "scenario format 9 is not known; expected 1"),
        ('game = "bautzen"', 'game = "bauzen"', "near matches: bautzen"),
        ("        .  .  w  .  .  w  .\n", "        .  .  w  .  .  w\n", "hexes; expected"),
        ("        .  .  w  .  .  w  .\n", "        .  .  q  .  .  w  .\n", "letter 'q'"),
        ('w = ["wood"]', 'w = ["woods"]', "there is no terrain 'woods'; near matches: wood"),
        ('kind = "river"', 'kind = "rivver"', "near matches: river"),
        ('"1910 1911"', '"1910 1912"', "no neighbours"),
        ('"1914", "1913", "1912"', '"1914", "1912"', "no neighbours"),
        ('"1914", "1913"', '"1915", "1913"', "there is no hex 1915"),
        ('"2208" = { en = "Strohmberg"', '"3008" = { en = "Strohmberg"', "no hex 3008"),
        ('german = ["1914", "1613"]', 'german = ["1999"]', "no hex 1999"),
        ('name = "50/20"', 'name = "21/20"', "two units are named '21/20'"),
        ('side = "german"', 'side = "germans"', "near matches: german"),
        ('unit_class = "other"', 'unit_class = "tracked"', "no unit class 'tracked'"),
        ("move = 8", "mov = 8", "unknown key 'mov'"),
        ("turns = 4", 'turns = "four"', "expected"),
        ('{ en = "Germans", fr = "Allemands" }', '{ en = "Germans" }', "'fr' is missing"),
    ],
)
def test_a_wrong_scenario_is_refused_with_its_line(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(Refusal) as refused:
        scenario.read(TEXT.replace(old, new, 1), "battle.toml")
    message = str(refused.value)
    assert words in message
    assert message.startswith("battle.toml:") or "bautzen" in words


def test_an_unknown_scenario_is_refused_with_near_matches() -> None:
    with pytest.raises(Refusal, match="near matches: weissenberg"):
        scenario.load("wissenberg")


def test_a_scenario_can_come_from_any_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert scenario.load(str(file)).id == "weissenberg"
