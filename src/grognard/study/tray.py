"""The tray: the counters of a game's scenarios that may be put into a fight."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from grognard.card.rows import Value
from grognard.maps import scenario
from grognard.maps.board import Piece
from grognard.maps.scenario import Scenario
from grognard.rules.game_places import GamePlace
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet, UnitList
from grognard.study.player_sheet import Control


class TrayCounter(NamedTuple):
    """A counter, as the unit that it is in a list, or as the facts that it adds to."""

    piece: Piece
    battle: Scenario
    army: int  # 0 or 1: the side of its scenario
    unit: Mapping[str, object] | None
    adds: Mapping[str, int | bool]


def battles(game_id: str) -> tuple[Scenario, ...]:
    """Give the scenarios of a game, whose counters are in the tray."""
    return scenario.of_game(game_id)


@cache
def tray(place: GamePlace, procedure: str, list_: str) -> Mapping[str, TrayCounter]:
    """Give the counters that may be put into a list, by their names, army by army."""
    game_id = place.id
    units = player_sheet.load(game_id).sheet(procedure).unit_list(list_)
    known = player_sheet.controls(game_id, procedure)
    found: dict[str, TrayCounter] = {}
    for fought in battles(game_id):
        armies = {side.id: army for army, side in enumerate(fought.sides)}
        for piece in fought.board().pieces:
            unit, adds = _unit(units, piece, known), _adds(units, piece)
            if unit is not None or adds:
                counter = TrayCounter(piece, fought, armies[piece.side], unit, adds)
                found.setdefault(piece.name, counter)
    return dict(sorted(found.items(), key=lambda item: item[1].army))


def attacking_army(
    place: GamePlace, sheet: PlayerSheet, stated: Mapping[str, object]
) -> int | None:
    """Tell which army attacks, by the first stated counter of the tray."""
    for units in sheet.units:
        counters = tray(place, sheet.procedure, units.list)
        entries = stated.get(units.list)
        for entry in entries if isinstance(entries, list | tuple) else ():
            name = str(entry.get("name")) if isinstance(entry, Mapping) else ""
            if (counter := counters.get(name)) is not None:
                return counter.army if units.side == "attacker" else 1 - counter.army
    return None


def _unit(units: UnitList, piece: Piece, known: Mapping[str, Control]) -> dict[str, object] | None:
    """Convert a counter to a unit of a list; None if it is none there."""
    foreign = units.kinds is not None and piece.kind not in units.kinds
    if not units.faces or foreign or piece.kind in units.adds:
        return None
    given = dict((units.kinds or {}).get(piece.kind, {}))
    printed: dict[str, Value] = {
        **piece.face,
        "kind": piece.kind,
        "size": piece.size,
        "nation": piece.nation,
        "steps": piece.steps,
    }
    named = {field: printed[key] for field, key in units.faces.items() if key in printed}
    controls = [control for control in known.values() if control.list == units.list]
    stated: dict[str, object] = {"name": piece.name, **named, **given}
    stated = {c.field: stated[c.field] for c in controls if _can_show(c, stated)}
    return stated if _fights(units, controls, stated) else None


def _can_show(control: Control, stated: Mapping[str, object]) -> bool:
    """Tell whether a control has the value; an optional word that is not known stays open."""
    if control.field not in stated:
        return False
    word = control.kind == "word" and control.optional
    return not word or stated[control.field] in dict(control.values)


def _fights(units: UnitList, controls: list[Control], stated: Mapping[str, object]) -> bool:
    """Tell whether a unit has what the list needs: every required field, and some factor."""
    words = [c for c in controls if c.kind == "word" and c.field in stated]
    complete = all(control.field in stated for control in controls if control.required)
    fits = all(stated[word.field] in dict(word.values) for word in words)
    counts = not units.factor or any(field in stated for field in units.shows)
    return complete and fits and counts


def _adds(units: UnitList, piece: Piece) -> dict[str, int | bool]:
    """Give the facts that a supporting counter adds to."""
    added: dict[str, int | bool] = {}
    for fact, value in units.adds.get(piece.kind, {}).items():
        if isinstance(value, str):
            factor = piece.number(value.removeprefix("-"))
            added[fact] = -factor if value.startswith("-") else factor
        elif isinstance(value, int):
            added[fact] = value
    return added
