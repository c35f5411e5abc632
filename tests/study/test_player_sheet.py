"""Player sheets: each procedure has its sheet, each modifier its row, each tap its effect."""

import json
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from grognard.fights.fight_file import stated_fight
from grognard.rules import game
from grognard.rules.procedure import Trim
from grognard.study import player_sheet, sheet_rows
from grognard.study.player_sheet import Control
from grognard.study.sheet_rows import ModifierRow, Statement
from grognard.study.tray import battles, tray
from grognard.words.refusal import Refusal

EXAMPLES = Path(__file__).parents[2] / "examples"
PROCEDURES = [(id_, procedure.id) for id_ in game.ids() for procedure in game.load(id_).procedures]
FIGHTS = sorted(file.stem for file in EXAMPLES.glob("*.toml"))


def example(name: str) -> tuple[str, str, dict[str, Any]]:
    stated = tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))
    id_ = stated.pop("game")
    procedure = stated.pop("procedure", game.load(id_).procedures[0].id)
    return id_, procedure, stated


def rows(id_: str, procedure: str, stated: dict[str, Any]) -> dict[str, ModifierRow]:
    card = game.card(id_)
    fight = stated_fight({**stated, "game": id_, "procedure": procedure})
    statement = Statement(
        card=card,
        sheet=player_sheet.load(id_).sheet(procedure),
        stated=stated,
        options=card.chosen(stated.get("options", {})),
        explanation=fight.explain(),
    )
    return {row.modifier.id: row for group in sheet_rows.groups(statement) for row in group.rows}


@pytest.mark.parametrize(("id_", "procedure"), PROCEDURES)
def test_every_procedure_has_a_sheet_with_words_for_all_that_it_states(
    id_: str, procedure: str
) -> None:
    controls = player_sheet.controls(id_, procedure)
    assert player_sheet.load(id_).sheet(procedure).units
    assert all(control.values for control in controls.values() if control.kind == "word")
    steps = game.load(id_).procedure(procedure).steps
    telling = {step.__name__ for step in steps if not isinstance(step, Trim)}
    assert telling <= player_sheet.load(id_).steps.keys()


@pytest.mark.parametrize("id_", game.ids())
def test_every_modifier_of_a_card_is_a_row_of_some_sheet(id_: str) -> None:
    shown = {group for sheet in player_sheet.load(id_).sheets for group in sheet.groups}
    assert {modifier.group for modifier in game.card(id_).modifiers} <= shown


@pytest.mark.parametrize(("id_", "procedure"), PROCEDURES)
def test_what_is_stated_stands_in_one_place_of_the_sheet(id_: str, procedure: str) -> None:
    card, sheet = game.card(id_), player_sheet.load(id_).sheet(procedure)
    plain = {control.place for control in sheet_rows.others(card, sheet)}
    assert plain.isdisjoint(sheet.first)
    tapped = {
        control.place
        for group in sheet_rows.groups(Statement(card=card, sheet=sheet, options=card.chosen({})))
        for row in group.rows
        for control in row.controls
    }
    everything = {c.place for c in player_sheet.controls(id_, procedure).values() if not c.list}
    assert plain | set(sheet.first) | tapped >= everything


@pytest.mark.parametrize("name", FIGHTS)
def test_the_rows_that_count_are_those_that_the_explanation_names(name: str) -> None:
    id_, procedure, stated = example(name)
    fight = stated_fight({**stated, "game": id_, "procedure": procedure})
    counted = {line.id for line in fight.explain().modifiers}
    found = rows(id_, procedure, stated)
    assert {row_id for row_id, row in found.items() if row.state == "counts"} == counted


@pytest.mark.parametrize("name", FIGHTS)
def test_tapping_an_open_row_makes_it_count_or_says_why_not(name: str) -> None:
    id_, procedure, stated = example(name)
    for row_id, row in rows(id_, procedure, stated).items():
        if row.state != "open" or not row.controls or row.modifier.group == "determined-defence":
            continue
        after = tapped(stated, row.controls[0])
        if after is None:
            continue
        try:
            now = rows(id_, procedure, after)[row_id]
        except Refusal:
            continue
        limited = row.modifier.limit is not None
        assert now.state == "counts" or now.why or limited, row_id


def tapped(stated: dict[str, Any], control: Control) -> dict[str, Any] | None:
    """Tap a control, of the first unit if it belongs to units; None if it is not a box."""
    after = deepcopy(stated)
    holder = after
    if control.list:
        holder = after[control.list][0]
    value = holder.get(control.field, control.default)
    match control.kind:
        case "flag":
            holder[control.field] = not value
        case "set" if len(control.values) == 1:
            holder[control.field] = [*(value or ()), control.values[0][0]]
        case "number" if isinstance(value, int) and not control.list:
            holder[control.field] = value + 1
        case _:
            return None
    return after


@pytest.mark.parametrize("id_", game.ids())
def test_every_counter_of_the_tray_is_accepted_by_the_rules(id_: str) -> None:
    checked = 0
    for sheet in player_sheet.load(id_).sheets:
        for units in sheet.units:
            for counter in tray(game.place(id_), sheet.procedure, units.list).values():
                if counter.unit is not None:
                    accepted(id_, sheet.procedure, units.list, dict(counter.unit))
                    checked += 1
    assert checked


@pytest.mark.parametrize("id_", game.ids())
def test_every_kind_of_counter_is_in_the_tray(id_: str) -> None:
    """HQs, guns and aircraft too: as units, or as what they add to the fight."""
    sheet = player_sheet.load(id_).sheets[0]
    offered = {
        name for units in sheet.units for name in tray(game.place(id_), sheet.procedure, units.list)
    }
    for battle in battles(id_):
        assert {piece.name for piece in battle.board().pieces} <= offered


@pytest.mark.parametrize(
    ("id_", "list_", "name", "adds"),
    [
        ("bautzen", "attackers", "CL G1", {"attacker_cl": 1}),
        ("normandy", "attackers", "QG 4", {"hq_support": 1}),
        ("normandy", "defenders", "QG 91", {"defensive_support": 1}),
        ("white-october", "attackers", "1 Battery", {"attacker_support": 3}),
        ("white-october", "defenders", "HQ 7 Army", {"hq_bonus": -1}),
        ("white-october", "attackers", "ANO Flight", {"attacker_support": 2, "attacker_air": True}),
        ("white-october", "defenders", "Trotsky", {"defender_trotsky": True}),
    ],
)
def test_a_counter_that_only_supports_adds_to_the_fight(
    id_: str, list_: str, name: str, adds: dict[str, int]
) -> None:
    counter = tray(game.place(id_), "attack", list_)[name]
    assert counter.unit is None
    assert counter.adds == adds


def accepted(id_: str, procedure: str, list_: str, unit: dict[str, Any]) -> None:
    """A unit alone is not a fight, but no field of the unit itself may be refused."""
    problem = refused({"game": id_, "procedure": procedure, list_: [json.loads(json.dumps(unit))]})
    assert not problem.startswith(f"{list_}[0].")


def refused(stated: dict[str, Any]) -> str:
    """Give the refused place; empty if the fight is accepted."""
    try:
        stated_fight(stated)
    except Refusal as refusal:
        return refusal.place
    return ""
