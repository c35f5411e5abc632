"""The units of a fight as counters: those that are stated, and those that may be taken up."""

from collections.abc import Mapping
from functools import cache
from json import dumps
from typing import Any, NamedTuple

from grognard import aid, scenario
from grognard.aid import Control, UnitList
from grognard.card import Card
from grognard.text import Text
from grognard.web.panel import MARKS

Stated = dict[str, Any]  # as JSON; the game's own types read it


class ShownUnit(NamedTuple):
    """A counter of a list, as stated."""

    place: int
    name: str
    numbers: tuple[tuple[Text, object], ...]
    values: Mapping[str, object]  # of every control, stated or by default


class Counter(NamedTuple):
    """A counter that comes with the game, ready to be taken up."""

    name: str
    side: Text
    stated: str  # as JSON
    numbers: tuple[object, ...]


class ShownList(NamedTuple):
    """A list of units with its total, and what may be added."""

    units: UnitList
    mark: str
    shown: tuple[ShownUnit, ...]
    controls: tuple[Control, ...]
    total: int | None
    counters: tuple[Counter, ...]
    new: str  # what goes without saying of a new unit, as JSON


def shown_list(units: UnitList, stated: Stated, card: Card, procedure: str) -> ShownList:
    """Lay a list of units out, as far as it is stated."""
    known = aid.controls(card.id, procedure)
    controls = tuple(control for control in known.values() if control.list == units.list)
    entries = stated.get(units.list)
    entries = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    shown = tuple(_unit(place, entry, units, controls) for place, entry in enumerate(entries))
    total = None
    if units.factor:
        factors = [unit.values[units.factor] for unit in shown]
        total = sum(factor for factor in factors if isinstance(factor, int))
    taken = {unit.name for unit in shown}
    offered = tuple(c for c in _counters(card.id, procedure, units.list) if c.name not in taken)
    new = dumps(dict(units.new))
    return ShownList(units, MARKS[units.side], shown, controls, total, offered, new)


def _unit(place: int, entry: Stated, units: UnitList, controls: tuple[Control, ...]) -> ShownUnit:
    values = {c.field: entry.get(c.field, c.default) for c in controls}
    labels = {c.field: c.text for c in controls}
    name_field = controls[0].field
    words = {value: text for c in controls for value, text in c.values}
    numbers = tuple((labels[field], values[field]) for field in units.shows if values[field])
    name = str(values[name_field])
    shown_name = words[name].en if name in words else name
    return ShownUnit(place, shown_name, numbers, values)


@cache
def _counters(game_id: str, procedure: str, list_: str) -> tuple[Counter, ...]:
    """Offer the counters of the game's scenarios."""
    sheet = aid.load(game_id).sheet(procedure)
    units = next(units for units in sheet.units if units.list == list_)
    known = aid.controls(game_id, procedure)
    found: dict[str, Counter] = {}
    for name in scenario.ids():
        battle = scenario.load(name)
        if battle.game != game_id:
            continue
        sides = {side.id: side.name for side in battle.sides}
        for piece in battle.board().pieces:
            stated = aid.counter(units, piece, known)
            if stated is None:
                continue
            numbers = tuple(stated[field] for field in units.shows if stated.get(field))
            found.setdefault(
                piece.name, Counter(piece.name, sides[piece.side], dumps(stated), numbers)
            )
    return tuple(found.values())
