"""Scenario files: what they hold, and what is refused."""

import re
from pathlib import Path

import pytest

from grognard import Refusal
from grognard.maps import scenario

TEXT = scenario.ids()["weissenberg"].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_every_scenario_sets_its_board_up(name: str) -> None:
    battle = scenario.load(name)
    board = battle.board()
    assert len(board.pieces) == len({unit.name for unit in battle.units})
    assert all(unit.at in board.map.places for unit in board.pieces if unit.at)
    assert {unit.side for unit in board.pieces} == {side.id for side in battle.sides}
    assert all(board.map.hex(objective.hex) for objective in battle.objectives)


def test_a_map_is_what_its_letters_say() -> None:
    board = scenario.load("weissenberg").board()
    sheet = board.map
    assert len(sheet.places) == 7 * 8 - 4  # even columns have no row 13
    assert sheet.places[sheet.hex("1811")].terrain == {"difficult", "dominant-position"}
    assert sheet.between(sheet.hex("1606"), sheet.hex("1607")) == {"river"}
    assert sheet.ways_between(sheet.hex("1809"), sheet.hex("1909")) == {"road"}
    name = sheet.places[sheet.hex("1910")].name
    assert name is not None
    assert name.fr == "Weissenberg"
    assert [unit.name for unit in board.stack(sheet.hex("1810"))] == ["21/20Pz", "59/20Pz"]


def test_a_unit_shows_the_face_of_its_steps() -> None:
    unit = scenario.load("weissenberg").board().piece("21/20Pz")
    assert (unit.steps, unit.number("attack")) == (2, 6)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("format = 1", "format = 9", "scenario format 9 is not known; expected 1"),
        ('game = "bautzen"', 'game = "bauzen"', "near matches: bautzen"),
        ("        .  .  w  .  w  v  v\n", "        .  .  w  .  w  v\n", "hexes; expected"),
        ("        .  .  w  .  w  v  v\n", "        .  .  q  .  w  v  v\n", "letter 'q'"),
        ('w = ["wood"]', 'w = ["woods"]', "there is no terrain 'woods'; near matches: wood"),
        ('kind = "river"', 'kind = "rivver"', "near matches: river"),
        ('"1606 1607"', '"1606 1608"', "no neighbours"),
        ('"1811", "1912", "1913"', '"1811", "1913"', "no neighbours"),
        ('"1912", "1913"]', '"1912", "1915"]', "there is no hex 1915"),
        ('"2211" = { en = "Reichenbach"', '"3008" = { en = "Reichenbach"', "no hex 3008"),
        ('german = ["1713", "1812", "1913"]', 'german = ["1999"]', "no hex 1999"),
        ('name = "59/20Pz"', 'name = "21/20Pz"', "two units are named '21/20Pz'"),
        ('side = "german"', 'side = "germans"', "near matches: german"),
        ('unit_class = "other"', 'unit_class = "tracked"', "no unit class 'tracked'"),
        ("move = 8", "mov = 8", "unknown key 'mov'"),
        ("turns = 4", 'turns = "four"', "expected"),
        ('{ en = "Germans", fr = "Allemands" }', "{}", "'en' is missing"),
        ('first = "1606"', 'first = "160u"', "map.first: '160u' is not a hex number"),
        ('first = "1606"', 'first = "9706"', "numbered up to 99"),
        ("turns = 4", "turns = 0", "turns: expected a whole number of at least 1"),
        ("turns = 4", "turns = 100000", "turns: expected a whole number of at most 100"),
        ('allied = ["1906", "1606"]', '"Hill 194" = ["1906"]', "there is no side 'Hill 194'"),
        (
            '"1910" = "allied"',
            '"1910" = "II/919"',
            "there is no side 'II/919'; known: german",
        ),
        ('size = "army-hq"', 'size = "battalion"', "no unit has the size 'battalion'; known: cl,"),
        ('size = "army-hq"', "", "no unit has the size ''; known: cl, regiment"),
        ('kind = "artillery"', 'kind = "guns"', "there is no kind of unit 'guns'; known: infantry"),
        ('id = "allied"', 'id = "allies"', "the rules of this game know no side 'allies'; near"),
        ('id = "allied"', 'id = "german"', "two sides have the id 'german'"),
        ("move = 8", "move = -8", "move: expected a whole number of at least 0"),
        ("air = 1", "air = -1", "pools.air: the number is too large"),
    ],
)
def test_a_wrong_scenario_is_refused_with_its_line(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(Refusal) as refused:
        scenario.read(TEXT.replace(old, new, 1), "battle.toml")
    message = str(refused.value)
    assert words in message
    assert message.startswith("battle.toml:") or "bautzen" in words


ADDED = """
[[terrain]]
id = "dune"
on = "hex"
text = { en = "Dune", fr = "Dune" }
"""


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("weissenberg", "[map]", f'{ADDED}cost = {{ other = " " }}\n[map]', "' ' is not a cost"),
        ("weissenberg", "[map]", f'{ADDED}cost = {{ other = "1/0" }}\n[map]', "is not a cost"),
        ("weissenberg", "[map]", f'{ADDED}combat = ["wet"]\n[map]', "there is no modifier 'wet'"),
        ("weissenberg", "[map]", f"{ADDED}{ADDED}[map]", "'dune' stands twice among the terrain"),
        ("weissenberg", "[options]", '[options]\nzoc_units = "all"', "zoc_units is never 'all'"),
        (
            "carrefour",
            'row = "us-regiment"',
            'row = "us-army"',
            "no counter has 'us-army' here; near",
        ),
        ("carrefour", '"overcast clear', '"sunny clear', "values.weather: 'sunny' is not possible"),
        ("carrefour", 'points = "4 6', 'points = "4 six', "values.points: expected whole numbers"),
        ("carrefour", "allied = 1", "prussian = 1", "there is no side 'prussian'; known: allied"),
        ("carrefour", "allied = 1", "allied = 0", "handicap.allied: expected a whole number of at"),
        ("carrefour", "air = 2", "aire = 2", "values.aire: unknown key 'aire'; near matches: air"),
        (
            "steppe",
            'night_turns = "5"',
            'night_turns = "five"',
            "night_turns: expected whole numbers",
        ),
        (
            "steppe",
            "steps_for_a_point = 2",
            'steps_for_a_point = "2 3"',
            "steps_for_a_point: expected a whole number, found '2 3'",
        ),
        ("steppe", 'entry = ["1107", "1106", "1105"]\n', "", "it needs the hexes of its entry"),
        ("steppe", "obstacle = 1", 'obstacle = "high"', "obstacle: expected a whole number, found"),
        (
            "bautzen-1945",
            'area = "615-id"',
            'area = "615"',
            "there is no area '615'; near matches: 615-id",
        ),
        (
            "bautzen-1945",
            'area = "615-id"\nhex = "1704"',
            'area = "615-id"',
            "KG/615 has an area; it also needs the hex of the usual set-up",
        ),
        (
            "bautzen-1945",
            'when = { start_independents = "formations_only" }',
            'when = { start_independents = "any_polish" }',
            "two areas have the id 'polish'",
        ),
        (
            "bautzen-1945",
            'when = { kg_615 = "two" }',
            'when = { kg_615 = "three" }',
            "when.kg_615",
        ),
        (
            "bautzen-1945",
            'when = { kg_615 = "two" }\n',
            "",
            "two units are named 'KG/615'; each needs its own name",
        ),
        ("pulkovo", 'kind = "tank"', 'kind = "tanks"', "there is no kind of unit 'tanks'; near"),
    ],
)
def test_what_a_game_needs_is_found_when_the_scenario_is_read(
    name: str, old: str, new: str, words: str
) -> None:
    text = scenario.ids()[name].read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(Refusal) as refused:
        scenario.read(text.replace(old, new, 1), "battle.toml")
    assert words in str(refused.value)
    assert str(refused.value).startswith("battle.toml:")


@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_faces_are_not_left_out(name: str) -> None:
    text = scenario.ids()[name].read_text(encoding="utf-8")
    changed = re.sub(r"^faces = .*\]$", "faces = []", text, count=1, flags=re.MULTILINE)
    with pytest.raises(Refusal, match=r"^battle.toml:\d+: units\[\d+\].faces: expected a list"):
        scenario.read(changed, "battle.toml")


def test_both_sides_do_not_begin_in_one_hex() -> None:
    text = re.sub(r'(name = "21/20Pz"\n(?:.*\n)*?hex = )"\d+"', r'\1"1910"', TEXT, count=1)
    assert text != TEXT
    with pytest.raises(Refusal, match="units of both sides stand in 1910"):
        scenario.read(text, "battle.toml")


def test_a_scenario_with_the_mark_of_a_windows_editor_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert scenario.load(str(file)).board().pieces == scenario.load("weissenberg").board().pieces


def test_an_unknown_scenario_is_refused_with_near_matches() -> None:
    with pytest.raises(Refusal, match="near matches: weissenberg"):
        scenario.load("wissenberg")


def test_a_scenario_can_come_from_any_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert scenario.load(str(file)).id == "weissenberg"
