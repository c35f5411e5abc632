"""The units of a fight as counters: those that are stated, and those that may be taken up."""

from collections.abc import Collection, Mapping
from functools import cache
from json import dumps
from typing import Any, NamedTuple

from grognard import aid, scenario
from grognard.aid import Control, Sheet, UnitList
from grognard.card import Card
from grognard.fight import Fight
from grognard.show_card import MARKS
from grognard.text import Text
from grognard.web.limits import limited_fight

Stated = dict[str, Any]  # as JSON; the game's own types read it


class ShownUnit(NamedTuple):
    """A counter of a list, as stated."""

    place: int
    name: Text
    numbers: tuple[tuple[Text, object], ...]
    values: Mapping[str, object]  # of every control, stated or by default


class Counter(NamedTuple):
    """A counter that comes with the game, ready to be taken up."""

    name: str
    army: int  # 0 or 1: the side of its scenario
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


def fight_on(game_id: str, sheet: Sheet, stated: Stated) -> Fight:
    """Set up the fight that is stated on a sheet; nobody need be named on it."""
    nobody: Stated = {units.list: [] for units in sheet.units}
    named = {"game": game_id, "procedure": sheet.procedure}
    return limited_fight({**nobody, **stated, **named})


def shown_lists(sheet: Sheet, stated: Stated, card: Card) -> tuple[ShownList, ...]:
    """Lay the lists of units out, as far as they are stated."""
    lists = {units.list: _entries(stated, units.list) for units in sheet.units}
    taken = {str(entry.get("name")) for entries in lists.values() for entry in entries}
    first = _army(sheet, lists, card)
    return tuple(
        _list(units, lists[units.list], sheet, card)._replace(
            counters=_offered(units, sheet, card, taken, first)
        )
        for units in sheet.units
    )


def _entries(stated: Stated, list_: str) -> list[Stated]:
    entries = stated.get(list_)
    return [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []


def _army(sheet: Sheet, lists: Mapping[str, list[Stated]], card: Card) -> int:
    """Tell which army attacks: that of the first counter that was taken up."""
    for units in sheet.units:
        armies = {c.name: c.army for c in _counters(card.id, sheet.procedure, units.list)}
        for entry in lists[units.list]:
            if (army := armies.get(str(entry.get("name")))) is not None:
                return army if units.side == "attacker" else 1 - army
    return 0


def _offered(
    units: UnitList, sheet: Sheet, card: Card, taken: Collection[str], attacks: int
) -> tuple[Counter, ...]:
    """Offer what is not taken up yet, the list's own army first."""
    army = 1 - attacks if units.side == "defender" and len(sheet.units) > 1 else attacks
    free = [c for c in _counters(card.id, sheet.procedure, units.list) if c.name not in taken]
    return tuple(sorted(free, key=lambda counter: counter.army != army))


def _list(units: UnitList, entries: list[Stated], sheet: Sheet, card: Card) -> ShownList:
    controls = _controls(card.id, sheet.procedure, units.list)
    shown = tuple(_unit(place, entry, units, controls) for place, entry in enumerate(entries))
    total = None
    if units.factor:
        factors = [unit.values[units.factor] for unit in shown]
        total = sum(factor for factor in factors if isinstance(factor, int))
    new = dumps(dict(units.new))
    return ShownList(units, MARKS[units.side], shown, controls, total, (), new)


@cache
def _controls(game_id: str, procedure: str, list_: str) -> tuple[Control, ...]:
    known = aid.controls(game_id, procedure)
    return tuple(control for control in known.values() if control.list == list_)


def _unit(place: int, entry: Stated, units: UnitList, controls: tuple[Control, ...]) -> ShownUnit:
    values = {c.field: entry.get(c.field, c.default) for c in controls}
    labels = {c.field: c.text for c in controls}
    name_field = controls[0].field
    words = {value: text for c in controls for value, text in c.values}
    numbers = tuple((labels[field], values[field]) for field in units.shows if values[field])
    name = str(values[name_field])
    return ShownUnit(place, words.get(name, Text(name, name)), numbers, values)


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
        sides = {side.id: (army, side.name) for army, side in enumerate(battle.sides)}
        for piece in battle.board().pieces:
            stated = aid.counter(units, piece, known)
            if stated is None:
                continue
            numbers = tuple(stated[field] for field in units.shows if stated.get(field))
            found.setdefault(
                piece.name, Counter(piece.name, *sides[piece.side], dumps(stated), numbers)
            )
    return tuple(found.values())
