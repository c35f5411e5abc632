"""The units of a fight as counters, and the game's counters that may be added."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from json import dumps
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.rules.game_places import GamePlace
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet, UnitList
from grognard.study.player_sheet import Control
from grognard.study.tray import attacking_army, tray
from grognard.web.limits import limited_fight
from grognard.web.quick.drawn_counters import ListedUnit, counter_id, drawn_unit, key_of
from grognard.words.text import Lang, Text

StatedJson = dict[str, Any]  # JSON of a fight or a unit; the types of the game read it


class ShownUnit(NamedTuple):
    """A stated unit."""

    id: str
    place: int
    name: Text
    numbers: tuple[tuple[Text, object], ...]
    drawing: Markup
    values: tuple[object, ...] | None  # of every control; None unless the unit is being edited


class Supporter(NamedTuple):
    """A counter that only adds to facts of the fight."""

    name: str
    id: str  # of its drawing
    adds: str  # as JSON


class OfferedCounter(NamedTuple):
    """A counter of the tray."""

    name: str
    id: str  # of its drawing
    army: Text
    stated: str  # as JSON: a unit, or the facts that it adds to
    supports: bool
    taken: bool


class ShownList(NamedTuple):
    """A list of units with its total, and the tray with the counters that may be put in."""

    units: UnitList
    army: int  # whose livery a unit has that no counter of the game prints
    shown: tuple[ShownUnit, ...]
    supporters: tuple[Supporter, ...]
    controls: tuple[Control, ...]
    total: str | None
    counters: tuple[OfferedCounter, ...]
    new: str  # defaults of a new unit, as JSON


def fight_on(game_id: str, sheet: PlayerSheet, stated: StatedJson) -> Fight:
    """Set up the fight that is stated on a sheet; lists of units may be missing."""
    nobody: StatedJson = {units.list: [] for units in sheet.units}
    named = {"game": game_id, "procedure": sheet.procedure}
    return limited_fight({**nobody, **stated, **named})


class ListRequest(NamedTuple):
    """What else the lists depend on."""

    lang: Lang
    open: Collection[str] = ()  # ids of the units that are being edited
    beside: Mapping[str, Collection[str]] = MappingProxyType({})  # list -> its supporters
    totals: Mapping[Side, str | None] = MappingProxyType({})  # of the sides, as the rules count


def shown_lists(
    sheet: PlayerSheet, stated: StatedJson, card: Card, request: ListRequest
) -> tuple[ShownList, ...]:
    """Lay out the lists of units."""
    place = game.place(card.id)
    attacks = attacking_army(place, sheet, stated)
    usual = attacking_army(place, sheet, sheet.example) or 0
    taken = {
        units.list: {str(entry.get("name")) for entry in _entries(stated, units.list)}
        | set(request.beside.get(units.list, ()))
        for units in sheet.units
    }

    def army(attacks: int, units: UnitList) -> int:
        return 1 - attacks if units.side == "defender" else attacks

    return tuple(
        _layout(place, sheet.procedure, units.list).filled(
            _entries(stated, units.list),
            army(usual if attacks is None else attacks, units),
            offered_counters(place, sheet, units, taken, army(usual, units)),
            request,
        )
        for units in sheet.units
    )


def _entries(stated: StatedJson, list_: str) -> list[StatedJson]:
    entries = stated.get(list_)
    return [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []


def offered_counters(
    place: GamePlace,
    sheet: PlayerSheet,
    units: UnitList,
    taken: Mapping[str, Collection[str]],
    first: int,
) -> tuple[OfferedCounter, ...]:
    """Lay out a list's tray. Its order never depends on what is stated: nothing moves on a tap."""
    elsewhere = {name for list_, names in taken.items() if list_ != units.list for name in names}
    counters = tray(place, sheet.procedure, units.list).values()
    return tuple(
        OfferedCounter(
            counter.piece.name,
            counter_id(counter.piece.name),
            counter.battle.sides[counter.army].name,
            dumps(dict(counter.unit or counter.adds)),
            counter.unit is None,
            counter.piece.name in taken[units.list],
        )
        for counter in sorted(counters, key=lambda counter: counter.army != first)
        if counter.piece.name not in elsewhere
    )


class _ListLayout:
    """The fixed part of a list of units."""

    def __init__(self, place: GamePlace, procedure: str, units: UnitList) -> None:
        self.place, self.procedure, self.units = place, procedure, units
        known = player_sheet.controls(place.id, procedure).values()
        self.controls = tuple(control for control in known if control.list == units.list)
        self.fields = {control.field: control for control in self.controls}
        self.shows = [self.fields[field] for field in units.shows]
        self.words = {value: text for control in self.controls for value, text in control.values}
        self.new = dumps(dict(units.new))

    def filled(
        self,
        entries: list[StatedJson],
        army: int,
        counters: tuple[OfferedCounter, ...],
        request: ListRequest,
    ) -> ShownList:
        shown = [self._unit(place, entry, army, request) for place, entry in enumerate(entries)]
        return ShownList(
            self.units,
            army,
            tuple(shown),
            tuple(self._supporters(request)),
            self.controls,
            self._total(entries, request),
            counters,
            self.new,
        )

    def _total(self, entries: list[StatedJson], request: ListRequest) -> str | None:
        """Give the total as the rules count it; before they can, the sum of the factors."""
        if not self.units.factor:
            return None
        counted = request.totals.get(self.units.side) if self.units.side else None
        factors = [_value(entry, self.fields[self.units.factor]) for entry in entries]
        return counted or str(sum(factor for factor in factors if isinstance(factor, int)))

    def _supporters(self, request: ListRequest) -> Iterator[Supporter]:
        known = tray(self.place, self.procedure, self.units.list)
        for name in request.beside.get(self.units.list, ()):
            if (counter := known.get(name)) is not None and counter.unit is None:
                yield Supporter(name, counter_id(name), dumps(dict(counter.adds)))

    def _unit(self, place: int, entry: StatedJson, army: int, request: ListRequest) -> ShownUnit:
        id_, name = f"unit-{self.units.list}-{place}", str(_value(entry, self.controls[0]))
        shown = [(control.text, _value(entry, control)) for control in self.shows]
        edited = id_ in request.open
        listed = ListedUnit(self.procedure, self.units.list, key_of(entry), army)
        return ShownUnit(
            id_,
            place,
            self.words.get(name) or Text(name, name),
            tuple([(text, value) for text, value in shown if value]),
            drawn_unit(self.place, listed, request.lang),
            tuple([_value(entry, control) for control in self.controls]) if edited else None,
        )


def _value(entry: StatedJson, control: Control) -> object:
    return entry.get(control.field, control.default)


@cache
def _layout(place: GamePlace, procedure: str, list_: str) -> _ListLayout:
    units = player_sheet.load(place.id).sheet(procedure).unit_list(list_)
    return _ListLayout(place, procedure, units)
