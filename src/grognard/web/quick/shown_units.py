"""The units of a fight as counters, and the game's counters that may be added."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from json import dumps
from typing import Any, NamedTuple

from grognard.card.card import Card
from grognard.maps import scenario
from grognard.rules.fight import Fight
from grognard.study import player_sheet
from grognard.study.player_sheet import Control, PlayerSheet, UnitList
from grognard.web.limits import limited_fight
from grognard.words.text import Text

StatedJson = dict[str, Any]  # JSON of a fight or a unit; the types of the game read it


class ShownUnit(NamedTuple):
    """A stated unit."""

    id: str
    place: int
    name: Text
    numbers: tuple[tuple[Text, object], ...]
    values: tuple[object, ...] | None  # of every control; None unless the unit is being edited


class OfferedCounter(NamedTuple):
    """A counter of the game that may be added."""

    name: str
    army: int  # 0 or 1: the side of its scenario
    side: Text
    stated: str  # as JSON
    numbers: tuple[object, ...]


class ShownList(NamedTuple):
    """A list of units with its total, and the counters that may be added."""

    units: UnitList
    shown: tuple[ShownUnit, ...]
    controls: tuple[Control, ...]
    total: int | None
    counters: tuple[OfferedCounter, ...]
    new: str  # defaults of a new unit, as JSON


def fight_on(game_id: str, sheet: PlayerSheet, stated: StatedJson) -> Fight:
    """Set up the fight that is stated on a sheet; lists of units may be missing."""
    nobody: StatedJson = {units.list: [] for units in sheet.units}
    named = {"game": game_id, "procedure": sheet.procedure}
    return limited_fight({**nobody, **stated, **named})


def shown_lists(
    sheet: PlayerSheet, stated: StatedJson, card: Card, open_: Collection[str] = ()
) -> tuple[ShownList, ...]:
    """Lay out the lists of units."""
    lists = {units.list: _entries(stated, units.list) for units in sheet.units}
    taken = {str(entry.get("name")) for entries in lists.values() for entry in entries}
    first = _army(sheet, lists, card)
    return tuple(
        _layout(card.id, sheet.procedure, units.list).filled(
            lists[units.list], _offered(units, sheet, card, taken, first), open_
        )
        for units in sheet.units
    )


def _entries(stated: StatedJson, list_: str) -> list[StatedJson]:
    entries = stated.get(list_)
    return [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []


def _army(sheet: PlayerSheet, lists: Mapping[str, list[StatedJson]], card: Card) -> int:
    """Tell which army attacks, by the first stated counter of the game."""
    for units in sheet.units:
        counters = _counters(card.id, sheet.procedure, units.list)
        for entry in lists[units.list]:
            if (counter := counters.get(str(entry.get("name")))) is not None:
                return counter.army if units.side == "attacker" else 1 - counter.army
    return 0


def _offered(
    units: UnitList, sheet: PlayerSheet, card: Card, taken: Collection[str], attacks: int
) -> tuple[OfferedCounter, ...]:
    """Offer the counters that are not stated yet, the list's own army first."""
    army = 1 - attacks if units.side == "defender" and len(sheet.units) > 1 else attacks
    counters = _counters(card.id, sheet.procedure, units.list)
    free = [counter for name, counter in counters.items() if name not in taken]
    return tuple(sorted(free, key=lambda counter: counter.army != army))


class _ListLayout:
    """The fixed part of a list of units."""

    def __init__(self, units: UnitList, known: Iterable[Control]) -> None:
        self.units = units
        self.controls = tuple(control for control in known if control.list == units.list)
        self.fields = {control.field: control for control in self.controls}
        self.shows = [self.fields[field] for field in units.shows]
        self.words = {value: text for control in self.controls for value, text in control.values}
        self.new = dumps(dict(units.new))

    def filled(
        self,
        entries: list[StatedJson],
        counters: tuple[OfferedCounter, ...],
        open_: Collection[str],
    ) -> ShownList:
        shown = tuple([self._unit(place, entry, open_) for place, entry in enumerate(entries)])
        units, total = self.units, None
        if units.factor:
            factors = [_value(entry, self.fields[units.factor]) for entry in entries]
            total = sum(factor for factor in factors if isinstance(factor, int))
        return ShownList(units, shown, self.controls, total, counters, self.new)

    def _unit(self, place: int, entry: StatedJson, open_: Collection[str]) -> ShownUnit:
        id_, name = f"unit-{self.units.list}-{place}", str(_value(entry, self.controls[0]))
        shown = [(control.text, _value(entry, control)) for control in self.shows]
        return ShownUnit(
            id_,
            place,
            self.words.get(name) or Text(name, name),
            tuple([(text, value) for text, value in shown if value]),
            tuple([_value(entry, control) for control in self.controls]) if id_ in open_ else None,
        )


def _value(entry: StatedJson, control: Control) -> object:
    return entry.get(control.field, control.default)


@cache
def _layout(game_id: str, procedure: str, list_: str) -> _ListLayout:
    units = next(u for u in player_sheet.load(game_id).sheet(procedure).units if u.list == list_)
    return _ListLayout(units, player_sheet.controls(game_id, procedure).values())


@cache
def _counters(game_id: str, procedure: str, list_: str) -> Mapping[str, OfferedCounter]:
    """Offer the counters of the game's scenarios, by their names."""
    sheet = player_sheet.load(game_id).sheet(procedure)
    units = next(units for units in sheet.units if units.list == list_)
    known = player_sheet.controls(game_id, procedure)
    found: dict[str, OfferedCounter] = {}
    for name in scenario.ids():
        battle = scenario.load(name)
        if battle.game != game_id:
            continue
        sides = {side.id: (army, side.name) for army, side in enumerate(battle.sides)}
        for piece in battle.board().pieces:
            stated = player_sheet.counter(units, piece, known)
            if stated is None:
                continue
            numbers = tuple(stated[field] for field in units.shows if stated.get(field))
            found.setdefault(
                piece.name, OfferedCounter(piece.name, *sides[piece.side], dumps(stated), numbers)
            )
    return found
