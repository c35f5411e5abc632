"""Sheets of games that are one file: derived from the card, with an example that may be fought."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.rules import game, game_places
from grognard.study import player_sheet, sheet_rows
from grognard.study.analysis import analyse
from grognard.study.sheet_rows import Statement
from grognard.study.tray import tray
from tests.example_games import FOLDER, GAMES

CARD = """
[[procedures]]
[[tables]]
grid = [["die", "1:1", "2:1"], ["1-3", "A", "B"], ["4-6", "B", "B"]]
results = { A = "nothing", B = "defender is eliminated" }
[[terrain]]
id = "town"
[[terrain]]
id = "hill"
[[modifiers]]
id = "hill"
changes = "die"
value = -1
when = ["terrain has hill", "not terrain has town"]
[[modifiers]]
id = "open"
changes = "die"
value = 1
when = "not terrain has town"
"""


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv(game_places.FOLDERS, f"{FOLDER}:{tmp_path}")
    (tmp_path / "towns.toml").write_text(CARD, encoding="utf-8")
    game_places.refresh()
    yield
    game_places.refresh()


def test_the_counters_of_a_scenario_beside_the_card_are_in_the_tray() -> None:
    counters = tray(game.place("river-line"), "attack", "attackers")
    assert len(counters) == 19
    guard = {"name": "Guard", "steps": 2, "attack": 6, "defence": 6}
    assert counters["Guard"].unit == guard


@pytest.mark.parametrize("id_", GAMES)
def test_every_procedure_has_a_sheet_with_a_fight_to_begin_with(id_: str) -> None:
    rules = game.load(id_)
    for sheet in player_sheet.load(id_).sheets:
        fight = rules.fight(sheet.example, procedure=sheet.procedure)
        column = fight.explain().column()["final"]
        table = rules.card.table(sheet.read_by(fight.explain()).table)
        assert column in table.column_labels[1:-1]


@pytest.mark.parametrize("id_", GAMES)
def test_every_row_of_the_card_is_on_the_sheet_and_can_be_analysed(id_: str) -> None:
    rules, (sheet,) = game.load(id_), player_sheet.load(id_).sheets
    statement = Statement(card=rules.card, sheet=sheet, stated=sheet.example)
    shown = [row.modifier.id for group in sheet_rows.groups(statement) for row in group.rows]
    assert sorted(shown) == sorted(modifier.id for modifier in rules.card.modifiers)
    found = analyse(sheet, sheet.example, rules.fight)
    assert len(found.grid.columns) > 1


def test_the_table_is_the_one_that_what_is_stated_chooses() -> None:
    rules, (sheet,) = game.load("two-roads"), player_sheet.load("two-roads").sheets
    for manner in ("assault", "mobile"):
        fight = rules.fight({**sheet.example, "manner": manner})
        assert sheet.read_by(fight.explain()).table == manner
    assert sheet.first == ("manner",)


def test_fire_counts_no_defence_and_has_its_range_above_the_modifiers() -> None:
    (sheet,) = player_sheet.load("fire-lane").sheets
    assert sheet.first == ("range",)
    assert [units.factor for units in sheet.units] == ["fire", ""]
    assert "defence" not in str(sheet.example)


def test_what_a_modifier_must_not_have_is_not_offered_by_it() -> None:
    card, (sheet,) = game.card("towns"), player_sheet.load("towns").sheets
    rows = {
        row.modifier.id: row
        for group in sheet_rows.groups(Statement(card=card, sheet=sheet))
        for row in group.rows
    }
    (hill,) = rows["hill"].controls
    assert [value for value, _ in hill.values] == ["hill"]
    assert rows["open"].controls == ()


@pytest.mark.parametrize(("manner", "other"), [("assault", "mobile"), ("mobile", "assault")])
def test_modifiers_of_a_table_that_is_not_chosen_are_closed(manner: str, other: str) -> None:
    card, (sheet,) = game.card("two-roads"), player_sheet.load("two-roads").sheets
    stated = {**sheet.example, "manner": manner}
    groups = sheet_rows.groups(Statement(card=card, sheet=sheet, stated=stated))
    closed = [row for group in groups for row in group.rows if row.state == "closed"]
    assert {row.modifier.id for row in closed} == {
        row.id for row in card.modifiers if row.table == other
    }
    (why,) = closed[0].why
    assert why.en == f"only on table {card.table(other).text.en}"
