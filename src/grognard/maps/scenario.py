"""Scenario files: map, units, sides and objectives, to be read and edited as text."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.card import Card, Terrain, decode_hook
from grognard.card.rows import Value
from grognard.files import toml_file
from grognard.files.source import is_file, read_source
from grognard.files.struct_types import prepare
from grognard.files.toml_file import refuse_at
from grognard.files.value_path import Problem, ValuePath
from grognard.maps.board import Board, Map, Piece, Place
from grognard.maps.hexes import Hex, Hexside, Numbering, hexside
from grognard.rules import game
from grognard.rules.fight import Name
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Text

FORMAT = 1
MARKS = ("■", "○")  # of the first side and the second; ▶ and ◆ say who attacks whom


class ScenarioPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a scenario file."""


class Player(ScenarioPart, frozen=True, kw_only=True):
    """A side: its name, and the colour of its counters."""

    id: str
    name: Text
    colour: Literal["red", "blue", "grey", "brown", "green"] = "blue"


class Feature(ScenarioPart, frozen=True, kw_only=True):
    """A feature of hexsides: each pair of neighbours as "1910 1911"."""

    kind: str
    name: Text | None = None
    between: tuple[str, ...]


class Way(ScenarioPart, frozen=True, kw_only=True):
    """A road or railway from hex to neighbouring hex."""

    kind: str
    through: tuple[str, ...]


class MapText(ScenarioPart, frozen=True, kw_only=True):
    """The map as text: one letter for each hex, row by row, and a legend of the letters."""

    lower: Literal["odd", "even"] = "even"  # the columns that stand half a hex lower
    first: str  # the number of the first letter
    grid: str
    legend: Mapping[str, tuple[str, ...]]
    heights: Mapping[str, int] = MappingProxyType({})  # letter -> level
    hexsides: tuple[Feature, ...] = ()
    ways: tuple[Way, ...] = ()
    names: Mapping[str, Text] = MappingProxyType({})
    sources: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # side -> supply sources


class Force(ScenarioPart, frozen=True, kw_only=True):
    """A unit of a scenario. Its steps are those of its faces unless more are stated."""

    name: Name
    side: str
    kind: str
    unit_class: str
    hex: str | None = None
    size: str = ""
    formation: str = ""
    nation: str = ""
    move: int = 0
    faces: tuple[Mapping[str, Value], ...]
    steps: int | None = None
    states: tuple[str, ...] = ()
    arrives: int = 0
    entry: tuple[str, ...] = ()


class Objective(ScenarioPart, frozen=True, kw_only=True):
    """A hex worth points to the side that holds it at the end."""

    hex: str
    points: int
    text: Text


class Scenario(ScenarioPart, frozen=True, kw_only=True, dict=True):
    """A battle ready to be played."""

    format: int
    id: str
    game: str
    name: Text
    about: Text
    turns: int
    sides: tuple[Player, Player]  # in the order of play
    options: Mapping[str, str] = MappingProxyType({})
    terrain: tuple[Terrain, ...] = ()  # rows that the card does not print
    map: MapText
    units: tuple[Force, ...]
    objectives: tuple[Objective, ...]
    holders: Mapping[str, str] = MappingProxyType({})  # hex -> side at the beginning
    pools: Mapping[str, int] = MappingProxyType({})  # of the sides, off the map
    values: Mapping[str, Value] = MappingProxyType({})  # further values for the game's rules

    @cached_property
    def built_map(self) -> Map:
        """The map; the same object for all boards of the scenario."""
        return _map(self, game.card(self.game))

    def with_options(self, options: Mapping[str, str]) -> "Scenario":
        """Choose other options; the map is the same one."""
        chosen = {**self.options, **options}
        if chosen == self.options:
            return self
        changed = replace(self, options=chosen)
        changed.__dict__["built_map"] = self.built_map
        return changed

    def board(self) -> Board:
        """Set the battle up."""
        sheet = self.built_map
        return Board(
            sheet,
            tuple(_piece(force, sheet) for force in self.units),
            {sheet.hex(number): side for number, side in self.holders.items()},
            dict(self.pools),
        )


prepare(Scenario, decode_hook)


def _map(scenario: Scenario, card: Card) -> Map:
    sheet = scenario.map
    numbering = Numbering(sheet.lower)
    places = {
        hex_: Place(frozenset(sheet.legend[letter]), None, sheet.heights.get(letter, 0))
        for hex_, letter in _letters(sheet)
    }
    for number, name in sheet.names.items():
        hex_ = numbering.hex(number)
        place = places[hex_]
        places[hex_] = Place(place.terrain, name, place.height)
    hexsides: dict[Hexside, frozenset[str]] = {}
    names: dict[Hexside, Text] = {}
    for feature in sheet.hexsides:
        for pair in feature.between:
            side = hexside(*(numbering.hex(number) for number in pair.split()))
            hexsides[side] = hexsides.get(side, frozenset()) | {feature.kind}
            if feature.name:
                names[side] = feature.name
    ways: dict[Hexside, frozenset[str]] = {}
    for way in sheet.ways:
        hexes = [numbering.hex(number) for number in way.through]
        for one, other in pairwise(hexes):
            side = hexside(one, other)
            ways[side] = ways.get(side, frozenset()) | {way.kind}
    sources = {numbering.hex(n): side for side, ns in sheet.sources.items() for n in ns}
    rows = {row.id: row for row in (*card.terrain, *scenario.terrain)}
    around = {hex_: tuple(n for n in hex_.neighbours() if n in places) for hex_ in places}
    return Map(numbering, places, hexsides, ways, names, rows, sources, around)


def _letters(sheet: MapText) -> Iterator[tuple[Hex, str]]:
    """Give each letter of the grid with its hex. Blanks between letters are ignored."""
    numbering = Numbering(sheet.lower)
    column, row = int(sheet.first[:2]), int(sheet.first[2:])
    lines = [line.replace(" ", "") for line in sheet.grid.strip().splitlines()]
    for down, line in enumerate(lines):
        for across, letter in enumerate(line):
            if letter != "_":  # no hex here
                yield numbering.hex(f"{column + across:02}{row + down:02}"), letter


def _piece(force: Force, sheet: Map) -> Piece:
    return Piece(
        name=force.name,
        side=force.side,
        kind=force.kind,
        unit_class=force.unit_class,
        size=force.size,
        formation=force.formation,
        nation=force.nation,
        move=force.move,
        faces=force.faces,
        steps=force.steps or len(force.faces),
        at=sheet.hex(force.hex) if force.hex and not force.arrives else None,
        states=frozenset(force.states),
        arrives=force.arrives,
        entry=tuple(map(sheet.hex, force.entry)),
    )


# ------------------------------------------------------------------ finding and checking


def folder(game_id: str) -> Path:
    """Give the folder of a game's scenarios."""
    return game.folder(game_id) / "scenarios"


def ids() -> dict[str, Path]:
    """Find every scenario that comes with the games."""
    return {
        file.stem: file for game_id in game.ids() for file in sorted(folder(game_id).glob("*.toml"))
    }


def load(name: str) -> Scenario:
    """Load a scenario by its name, or from a file."""
    if name not in ids() and is_file(name):
        return read(read_source(name).text, name)
    return own(name)


@cache
def own(name: str) -> Scenario:
    """Load a scenario that comes with the games, by its name; never any other file.

    Threads may share it, with its map: both are immutable.
    """
    known = ids()
    if name not in known:
        problem = say("there is no scenario '{name}'; {near}", name=name, near=near(name, known))
        raise Refusal(problem)
    return read(known[name].read_text(encoding="utf-8"), known[name].name)


def read(text: str, source: str) -> Scenario:
    """Read a scenario from TOML text; refuse a wrong one with file, line, key and reason."""
    found = toml_file.read(text, Scenario, source, decode_hook)
    for problem, path in problems(found):
        raise refuse_at(problem, path, text, source)
    return found


def problems(scenario: Scenario) -> Iterator[Problem]:
    """Find the mistakes of a scenario."""
    if scenario.format != FORMAT:
        found = say(
            "scenario format {found} is not known; expected {known}",
            found=scenario.format,
            known=FORMAT,
        )
        yield found, ("format",)
        return
    card = game.card(scenario.game)
    yield from _grid(scenario, card)
    hexes = {Numbering(scenario.map.lower).number(hex_) for hex_, _ in _letters(scenario.map)}
    yield from _hexes(scenario, hexes)
    yield from _pairs(scenario)
    yield from _units(scenario, card)


def _grid(scenario: Scenario, card: Card) -> Iterator[Problem]:
    sheet = scenario.map
    terrain = [row.id for row in (*card.terrain, *scenario.terrain)]
    for letter, features in sheet.legend.items():
        for feature in features:
            if feature not in terrain:
                close = near(feature, terrain)
                problem = say("there is no terrain '{word}'; {near}", word=feature, near=close)
                yield problem, ("map", "legend", letter)
    lines = [line.replace(" ", "") for line in sheet.grid.strip().splitlines()]
    for number, line in enumerate(lines):
        if len(line) != len(lines[0]):
            problem = say(
                "row {row} of the map has {found} hexes; expected {expected}, as in the first row",
                row=number + 1,
                found=len(line),
                expected=len(lines[0]),
            )
            yield problem, ("map", "grid")
    for letter in sorted(set("".join(lines)) - {"_"} - set(sheet.legend)):
        known = ", ".join(sheet.legend)
        problem = say(
            "letter '{letter}' is not in the legend; known: {words}", letter=letter, words=known
        )
        yield problem, ("map", "grid")
    for kind, place in (
        *((f.kind, ("map", "hexsides", i, "kind")) for i, f in enumerate(sheet.hexsides)),
        *((w.kind, ("map", "ways", i, "kind")) for i, w in enumerate(sheet.ways)),
    ):
        if kind not in terrain:
            yield (
                say("there is no terrain '{word}'; {near}", word=kind, near=near(kind, terrain)),
                place,
            )


def _hexes(scenario: Scenario, hexes: set[str]) -> Iterator[Problem]:
    sheet = scenario.map
    named: list[tuple[str, ValuePath]] = [
        *((n, ("map", "names", n)) for n in sheet.names),
        *(
            (n, ("map", "sources", s, i))
            for s, ns in sheet.sources.items()
            for i, n in enumerate(ns)
        ),
        *((n, ("holders", n)) for n in scenario.holders),
        *((o.hex, ("objectives", i, "hex")) for i, o in enumerate(scenario.objectives)),
        *((n, ("map", "ways", i)) for i, way in enumerate(sheet.ways) for n in way.through),
        *(
            (n, ("map", "hexsides", i))
            for i, feature in enumerate(sheet.hexsides)
            for pair in feature.between
            for n in pair.split()
        ),
    ]
    for index, unit in enumerate(scenario.units):
        named += [(n, ("units", index)) for n in (unit.hex, *unit.entry) if n]
    for number, path in named:
        if number not in hexes:
            yield say("there is no hex {number} on this map", number=number), path


def _pairs(scenario: Scenario) -> Iterator[Problem]:
    numbering = Numbering(scenario.map.lower)
    for index, feature in enumerate(scenario.map.hexsides):
        for pair in feature.between:
            numbers = pair.split()
            if (
                len(numbers) != 2
                or numbering.hex(numbers[0]).distance(numbering.hex(numbers[1])) != 1
            ):
                yield (
                    say("'{pair}' are no neighbours", pair=pair),
                    ("map", "hexsides", index, "between"),
                )
    for index, way in enumerate(scenario.map.ways):
        for one, other in pairwise(way.through):
            if numbering.hex(one).distance(numbering.hex(other)) != 1:
                problem = say("'{pair}' are no neighbours", pair=f"{one} {other}")
                yield problem, ("map", "ways", index, "through")


def _units(scenario: Scenario, card: Card) -> Iterator[Problem]:
    sides = [side.id for side in scenario.sides]
    classes = [row.id for row in card.unit_classes]
    names: set[str] = set()
    for index, unit in enumerate(scenario.units):
        if unit.name in names:
            yield (
                say("two units are named '{name}'; each needs its own name", name=unit.name),
                ("units", index),
            )
        names.add(unit.name)
        if unit.side not in sides:
            yield (
                say("there is no side '{id}'; {near}", id=unit.side, near=near(unit.side, sides)),
                ("units", index, "side"),
            )
        if classes and unit.unit_class not in classes:
            close = near(unit.unit_class, classes)
            yield (
                say("there is no unit class '{id}'; {near}", id=unit.unit_class, near=close),
                ("units", index, "unit_class"),
            )
