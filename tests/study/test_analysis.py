"""The analysis: every place of the grid equals the fight that a player could state there."""

from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.fights.fight_file import stated_fight
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.rules.procedure import Game
from grognard.study import player_sheet
from grognard.study.analysis import AnalysisSheet, analyse
from grognard.study.figures import MEASURES, Figures, figures
from grognard.study.grid import HERE, Grid, GridPlace
from grognard.study.modifier_worth import ShiftWorth

SHEETS = [(id_, sheet.procedure) for id_ in game.ids() for sheet in player_sheet.load(id_).sheets]
NOTHING = Figures(*[Fraction(0)] * len(Figures._fields))
LOSSES = MEASURES[0]


def example(id_: str, procedure: str) -> dict[str, Any]:
    return deepcopy(dict(player_sheet.load(id_).sheet(procedure).example))


def fight(id_: str, procedure: str, stated: Mapping[str, object]) -> Fight:
    return stated_fight({**stated, "game": id_, "procedure": procedure})


def analysed(id_: str, procedure: str, *doctrines: str, **more: object) -> AnalysisSheet:
    stated = {**example(id_, procedure), **more}
    sheet = player_sheet.load(id_).sheet(procedure)
    return analyse(sheet, stated, lambda stated: fight(id_, procedure, stated), *doctrines)


# ------------------------------------------------------------------ the grid


@pytest.mark.parametrize(("id_", "procedure"), SHEETS)
def test_the_rules_accept_the_example_of_every_sheet(id_: str, procedure: str) -> None:
    stated = example(id_, procedure)
    assert stated
    assert fight(id_, procedure, stated).explain().lines


@pytest.mark.parametrize("low_column", ["automatic_a1", "clamped"])
@pytest.mark.parametrize(("factor", "shift"), [(1, -6), (18, 6)])
def test_a_fight_beyond_the_table_has_all_its_columns_beside_it(
    low_column: str, factor: int, shift: int
) -> None:
    stated = {
        "attackers": [{"name": "A", "factor": factor, "main_force": True}],
        "defenders": [{"name": "D", "factor": 2}],
        "quality_advantage": shift,
        "options": {"low_odds": "clamped", "low_column": low_column},
    }
    sheet = player_sheet.load("normandy").sheet("attack")
    found = analyse(sheet, stated, lambda stated: fight("normandy", "attack", stated))
    assert found.grid.cells[HERE] == figures(fight("normandy", "attack", stated).odds())
    columns = range(9) if shift < 0 else range(-8, 1)
    assert found.grid.columns == tuple(columns)
    printed = game.card("normandy").table("combat").column_labels
    assert found.grid.column_labels in (printed, None)


@pytest.mark.parametrize("doctrines", [("best", "best"), ("take", "hold")])
@pytest.mark.parametrize(("id_", "procedure"), SHEETS)
def test_the_grid_s_own_place_is_the_fight_itself(
    id_: str, procedure: str, doctrines: tuple[str, str]
) -> None:
    found = analysed(id_, procedure, *doctrines)
    odds = fight(id_, procedure, example(id_, procedure)).odds(*doctrines)
    assert found.grid.cells[HERE] == found.as_stated == figures(odds)
    assert found.as_stated.defender_steps_lost == odds.expected("defender_steps_lost")
    assert found.as_stated.taken == odds.chance("taken")


@pytest.mark.parametrize(
    ("id_", "procedure", "stated", "place"),
    [
        ("bautzen", "attack", {"concentric": True}, GridPlace(1, 0)),
        ("bautzen", "attack", {"terrain": ["village", "wood"]}, GridPlace(0, -1)),
        (
            "bautzen",
            "attack",
            {"concentric": True, "terrain": ["village", "wood"]},
            GridPlace(1, -1),
        ),
        (
            "bautzen",
            "attack",
            {"concentric": True, "defender_cl": 0, "terrain": []},
            GridPlace(2, 1),
        ),
        (
            "bautzen",
            "attack",
            {"terrain": ["town"], "formation_complete": False},
            GridPlace(-1, 0),
        ),
        ("normandy", "attack", {"naval_support": True}, GridPlace(1)),
        ("normandy", "attack", {"quality_advantage": -1, "offensive_air": 0}, GridPlace(-3)),
        ("panzer-grenadier", "direct-fire", {"night": True}, GridPlace(-1)),
        ("panzer-grenadier", "direct-fire", {"minefield_of_firer": True}, GridPlace(1)),
        ("panzer-grenadier", "anti-tank", {"crossfire": True}, GridPlace(0, 2)),
        ("panzer-grenadier", "anti-tank", {"target_higher": True}, GridPlace(0, -1)),
        ("white-october", "attack", {"attacker_air": True, "terrain_value": 0}, GridPlace(0, 4)),
        ("white-october", "attack", {"terrain_value": 5}, GridPlace(0, -2)),
    ],
)
def test_a_place_of_the_grid_is_the_fight_with_the_modifiers_that_lead_there(
    id_: str, procedure: str, stated: dict[str, object], place: GridPlace
) -> None:
    there = fight(id_, procedure, {**example(id_, procedure), **stated})
    assert analysed(id_, procedure).grid.cells[place] == figures(there.odds())


def test_the_columns_are_the_whole_table_and_named_as_printed() -> None:
    grid = analysed("bautzen", "attack").grid
    table = game.card("bautzen").table("combat")
    assert grid.column_labels == table.column_labels
    assert table.column_labels[grid.columns.index(0)] == "3/1"  # as printed with rule 8.2
    assert [grid.die + die for die in grid.dice] == [-3, -2, -1, 0, 1, 2, 3]


def test_units_on_several_columns_leave_them_without_a_name() -> None:
    targets = [{"name": "INF", "morale": 7}, {"name": "PaK", "morale": 7, "kind": "anti-tank"}]
    grid = analysed("panzer-grenadier", "direct-fire", defenders=targets).grid
    assert grid.column_labels is None
    assert len(grid.columns) == 10  # one more: the gun stands a column to the right


@pytest.mark.parametrize(
    ("id_", "procedure", "columns", "dice"),
    [
        ("normandy", "attack", 9, 1),
        ("panzer-grenadier", "direct-fire", 9, 1),
        ("panzer-grenadier", "anti-tank", 1, 11),
        ("white-october", "attack", 1, 11),
        ("normandy", "attrition", 1, 1),
    ],
)
def test_what_can_t_be_shifted_makes_no_axis(
    id_: str, procedure: str, columns: int, dice: int
) -> None:
    grid = analysed(id_, procedure).grid
    assert (len(grid.columns), len(grid.dice)) == (columns, dice)
    assert len(grid.cells) == columns * dice


def test_what_may_be_committed_in_secret_is_left_out_of_the_grid() -> None:
    doctrines = ("take", "hold")  # both commit everything
    open_ = analysed("bautzen", "attack", *doctrines, attacker_cl_at_hand=1)
    assert open_.grid.cells == analysed("bautzen", "attack", *doctrines).grid.cells
    assert (
        open_.as_stated.taken
        == open_.grid.cells[GridPlace(1)].taken
        != open_.grid.cells[HERE].taken
    )


def test_measures_that_say_nothing_new_are_not_shown() -> None:
    grid = analysed("bautzen", "attack").grid
    shown = [measure.id for measure in grid.shown()]
    assert shown == ["attacker_steps_lost", "defender_steps_lost", "taken"]
    assert [(left.id, same.id) for left, same in grid.alike()] == [("vacated", "taken")]


# ------------------------------------------------------------------ uneven places


def lost(attacker: int, worth: int) -> Figures:
    return NOTHING._replace(attacker_steps_lost=Fraction(attacker), worth=Fraction(worth))


def test_a_place_is_uneven_where_the_attacker_was_better_off_one_before() -> None:
    grid = Grid(
        columns=(0, 1),
        dice=(0, 1),
        cells={
            GridPlace(0, 0): lost(2, worth=0),
            GridPlace(1, 0): lost(1, worth=3),
            GridPlace(0, 1): lost(1, worth=1),
            GridPlace(1, 1): lost(3, worth=2),
        },
    )
    signs = {
        place: [(dip.axis, dip.all_in_all) for dip in grid.dips(LOSSES, place)]
        for place in grid.cells
    }
    assert {place: found for place, found in signs.items() if found} == {
        # One column to the left the attacker loses less, but only that; one less on the die all in
        # all.
        GridPlace(1, 1): [("column", False), ("die", True)]
    }


def made_up(column: str, cell: str) -> Game:
    """Make Bautzen with all cells of one column changed."""
    real = game.load("bautzen")
    table = real.card.table("combat")
    place = table.column_labels.index(column) + 1
    rows = tuple((*row[:place], cell, *row[place + 1 :]) for row in table.grid[1:])
    changed = replace(table, grid=(table.grid[0], *rows))
    tables = tuple(changed if t.id == "combat" else t for t in real.card.tables)
    return Game(replace(real.card, tables=tables), real.procedures)


def test_the_uneven_column_of_a_made_up_table_is_found() -> None:
    rules, sheet = made_up("4/1", "6/0"), player_sheet.load("bautzen").sheet("attack")
    grid = analyse(sheet, sheet.example, rules.fight).grid
    labels = grid.column_labels
    assert labels is not None
    worse = {
        labels[grid.columns.index(place.columns)]
        for place in grid.cells
        if any(dip.axis == "column" and dip.all_in_all for dip in grid.dips(LOSSES, place))
    }
    at = GridPlace(grid.columns[labels.index("4/1")], 0)
    assert grid.cells[at].attacker_steps_lost == 6
    assert "4/1" in worse
    assert "5/1" not in worse  # after it, things get better


# ------------------------------------------------------------------ what modifiers are worth


def shift(found: AnalysisSheet, axis: str, amount: int) -> ShiftWorth:
    return next(s for s in found.shifts if (s.axis, s.amount) == (axis, amount))


def test_a_shift_is_worth_the_way_from_one_place_to_the_other() -> None:
    found = analysed("bautzen", "attack")
    cells = found.grid.cells
    right, higher = shift(found, "column", 1), shift(found, "die", 1)
    for place, by_column, by_die in zip(found.grid.row(), right.worth, higher.worth, strict=True):
        if GridPlace(place.columns + 1) in cells:
            assert by_column == cells[GridPlace(place.columns + 1)].since(cells[place])
        assert by_die == cells[GridPlace(place.columns, 1)].since(cells[place])
    assert right.worth[-1] == NOTHING  # nothing lies beyond the last column
    assert right.worth[found.grid.columns.index(0)].taken == Fraction(4 - 3, 6)


def test_every_modifier_of_the_sheet_has_its_worth_somewhere() -> None:
    for id_, procedure in SHEETS:
        groups = player_sheet.load(id_).sheet(procedure).groups
        printed = {row.id for row in game.card(id_).modifiers if row.group in groups}
        found = analysed(id_, procedure)
        shifting = {row.id for s in found.shifts for row in s.modifiers}
        others = {other.modifier.id for other in found.others}
        assert shifting | others == printed
        assert shifting.isdisjoint(others)


def test_a_modifier_of_both_signs_stands_on_both_sides() -> None:
    found = analysed("normandy", "attack")
    for amount in (1, -1):
        assert "quality" in {row.id for row in shift(found, "column", amount).modifiers}
    assert "naval" not in {row.id for row in shift(found, "column", -1).modifiers}


def worth(found: AnalysisSheet, id_: str, place: str) -> Figures:
    (one,) = (
        other.worth
        for other in found.others
        if other.modifier.id == id_ and other.control and other.control.place == place
    )
    assert one is not None
    return one


def test_other_modifiers_are_worth_what_stating_them_changes() -> None:
    stated = example("normandy", "attack")

    def odds(**more: object) -> Figures:
        return figures(fight("normandy", "attack", {**stated, **more}).odds())

    found = analysed("normandy", "attack")
    supplied, unsupplied = (
        [{**unit, "unsupplied": flag} for unit in stated["attackers"]] for flag in (False, True)
    )
    assert worth(found, "unsupplied", "attackers.unsupplied") == odds(attackers=unsupplied).since(
        odds(attackers=supplied)
    )
    assert worth(found, "bdc-village", "terrain") == odds(terrain=["village"]).since(
        odds(terrain=["clear"])
    )
    assert worth(found, "defensive-support", "defensive_support") == odds(
        defensive_support=1
    ).since(odds())


@pytest.mark.parametrize(("list_", "side"), [("attackers", "attacker"), ("defenders", "defender")])
def test_what_both_sides_may_suffer_is_told_for_each(list_: str, side: Side) -> None:
    found = worth(analysed("white-october", "attack"), "routed", f"{list_}.routed")
    assert (found.worth < 0) == (side == "attacker")


def test_what_can_t_be_stated_here_says_so() -> None:
    others = {other.modifier.id: other for other in analysed("normandy", "attack").others}
    assert others["outside-main-force"].worth is None
    jabos = {other.modifier.id: other for other in analysed("normandy", "strafing").others}
    assert jabos["flak-jabos"].why  # the option that makes it count is not chosen
    assert jabos["flak"].worth == NOTHING._replace(
        defender_steps_lost=Fraction(-1, 6), worth=Fraction(-4, 6)
    )
