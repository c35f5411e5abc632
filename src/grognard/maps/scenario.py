"""Scenario files: map, units, sides and objectives, to be read and edited as text."""

from collections.abc import Mapping
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from grognard.card.card import Card, Terrain, decode_hook
from grognard.card.rows import Value
from grognard.files import toml_file
from grognard.files.source import is_file, read_source
from grognard.files.struct_types import prepare
from grognard.files.toml_file import refuse_at
from grognard.maps.board import Board, Map, Piece, Place
from grognard.maps.hexes import Hexside, Numbering, hexside
from grognard.maps.scenario_checks import Needs, problems
from grognard.rules import game
from grognard.rules.fight import Name, Steps
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Text

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
    move: Annotated[int, Meta(ge=0, le=100)] = 0
    faces: Annotated[tuple[Mapping[str, Value], ...], Meta(min_length=1, max_length=100)]
    steps: Steps | None = None
    states: tuple[str, ...] = ()
    arrives: Annotated[int, Meta(ge=0, le=100)] = 0  # the turn
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
    turns: Annotated[int, Meta(ge=1, le=100)]
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
        for hex_, letter in numbering.lettered(sheet.first, sheet.grid)
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
    try:
        card = game.card(found.game)
    except Refusal as refusal:
        raise refuse_at(refusal.problem, ("game",), text, source) from None
    needs: Needs = game.module(found.game, "field").FIELD.needs(card)
    for problem, path in problems(found, card, needs):
        raise refuse_at(problem, path, text, source)
    return found
