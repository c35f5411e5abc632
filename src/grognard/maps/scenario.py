"""Scenario files: map, units, sides and objectives, to be read and edited as text."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from grognard.card.card import Card, Terrain, decode_hook
from grognard.card.defaults import words_of
from grognard.card.rows import Value
from grognard.files import toml_file
from grognard.files.source import is_file, read_source
from grognard.files.struct_types import prepare
from grognard.files.toml_file import refuse_at
from grognard.maps import card_needs
from grognard.maps.board import Board, Map, Piece, Place
from grognard.maps.hexes import Hexside, Numbering, hexside
from grognard.maps.scenario_checks import FORMAT, Needs, problems
from grognard.rules import game
from grognard.rules.fight import Name, Steps
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import NO_WORDS, Text

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


class OptionalPart(ScenarioPart, frozen=True, kw_only=True):
    """A part that counts only under some choices of the game's options."""

    when: Mapping[str, str] = MappingProxyType({})  # option -> choice


class Area(OptionalPart, frozen=True, kw_only=True):
    """Where units are deployed: near some hexes, in whole rows and columns, or with companions.

    `hexes` names single ones; `rows` and `columns` are printed numbers. Of several areas with one
    id that counts whose options (`when`) are chosen; where none does, the unit waits off the map.
    """

    id: str
    text: Text
    around: tuple[str, ...] = ()
    within: Annotated[int, Meta(ge=0, le=100)] = 0  # hexes from those in `around`
    hexes: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    beside: str = ""  # with or next to a placed unit of this nation, or of its side: "any"
    of_formations: bool = False  # whether only units of a formation count for `beside`


class Force(OptionalPart, frozen=True, kw_only=True):
    """A unit of a scenario. Its steps are those of its faces unless more are stated.

    A unit with an area is deployed there by its player; its hex is that of the usual set-up. Of
    several units with one name that counts whose options (`when`) are chosen.
    """

    name: Name
    label: Text | None = None  # what readers see in its place, in their language
    side: str
    kind: str
    unit_class: str = ""  # "": the only one of the card
    hex: str | None = None
    area: str = ""
    size: str = ""
    formation: str = ""
    nation: str = ""
    move: Annotated[int, Meta(ge=0, le=100)] = 0
    faces: Annotated[tuple[Mapping[str, Value], ...], Meta(min_length=1, max_length=100)]
    steps: Steps | None = None
    states: tuple[str, ...] = ()
    arrives: Annotated[int, Meta(ge=0, le=100)] = 0  # the turn
    entry: tuple[str, ...] = ()


Handicap = Annotated[int, Meta(ge=1, le=1000)]


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
    about: Text = NO_WORDS
    briefing: Text = NO_WORDS  # what the sides should know before the first turn
    turns: Annotated[int, Meta(ge=1, le=100)]
    sides: tuple[Player, Player]  # in the order of play
    deploys: tuple[str, ...] = ()  # sides in the order of deployment; else the order of play
    areas: tuple[Area, ...] = ()
    options: Mapping[str, str] = MappingProxyType({})
    terrain: tuple[Terrain, ...] = ()  # rows that the card does not print
    map: MapText
    units: tuple[Force, ...]
    objectives: tuple[Objective, ...] = ()
    holders: Mapping[str, str] = MappingProxyType({})  # hex -> side at the beginning
    handicap: Mapping[str, Handicap] = MappingProxyType({})  # side -> points from the start
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

    def has(self, part: OptionalPart) -> bool:
        """Tell whether an area or a unit counts under the options that are chosen."""
        return not part.when or part.when.items() <= self._chosen.items()

    @cached_property
    def forces(self) -> tuple[Force, ...]:
        """The units that take part under the options that are chosen."""
        return tuple(filter(self.has, self.units))

    @cached_property
    def _chosen(self) -> Mapping[str, str]:
        return game.card(self.game).chosen(self.options)

    def board(self) -> Board:
        """Set the battle up."""
        sheet = self.built_map
        classes = game.card(self.game).unit_classes
        usual = classes[0].id if classes else ""
        return Board(
            sheet,
            tuple(_piece(force, sheet, usual) for force in self.forces),
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


def _piece(force: Force, sheet: Map, usual: str) -> Piece:
    return Piece(
        name=force.name,
        side=force.side,
        kind=force.kind,
        unit_class=force.unit_class or usual,
        size=force.size,
        formation=force.formation,
        nation=force.nation,
        move=force.move,
        faces=force.faces,
        steps=force.steps or len(force.faces),
        at=sheet.hex(force.hex) if force.hex and not (force.arrives or force.area) else None,
        states=frozenset(force.states),
        arrives=force.arrives,
        entry=tuple(map(sheet.hex, force.entry)),
    )


# ------------------------------------------------------------------ finding and checking


class ScenarioFile(Struct, frozen=True):
    """The file of a scenario of a game, as it was when it was found."""

    file: Path
    changed: int  # so that a file that was edited is another one
    shipped: bool

    @property
    def name(self) -> str:
        return self.file.stem

    @property
    def source(self) -> str:
        """The name of the file in messages."""
        return self.file.name if self.shipped else str(self.file)


class BrokenScenario(Struct, frozen=True):
    """A scenario that can't be used, and why."""

    id: str
    problem: Refusal


class ScenarioLibrary(Struct, frozen=True):
    """The scenarios of all games: those that work by name, and those that do not."""

    works: Mapping[str, ScenarioFile]
    broken: tuple[BrokenScenario, ...]


def library() -> ScenarioLibrary:
    """Find every scenario. One that is broken is named with its problem, and the others work."""
    return _library(tuple(file for id_ in game.ids() for file in _files(id_)))


def _files(game_id: str) -> Iterator[ScenarioFile]:
    place = game.place(game_id)
    for file in place.scenarios:
        changed = 0 if place.shipped else file.stat().st_mtime_ns
        yield ScenarioFile(file, changed, place.shipped)


@lru_cache(maxsize=8)
def _library(files: tuple[ScenarioFile, ...]) -> ScenarioLibrary:
    works: dict[str, ScenarioFile] = {}
    broken: list[BrokenScenario] = []
    for found in sorted(files, key=lambda each: not each.shipped):
        try:
            if found.name in works:
                place = works[found.name].source
                problem = say(
                    "there is another scenario '{name}' in {place}", name=found.name, place=place
                )
                raise Refusal(problem, source=found.source)
            if not found.shipped:
                _own(found)
        except Refusal as refusal:
            broken.append(BrokenScenario(found.name, refusal))
        else:
            works[found.name] = found
    return ScenarioLibrary(works, tuple(broken))


def ids() -> dict[str, Path]:
    """Find every scenario that works, of all games."""
    return {name: found.file for name, found in library().works.items()}


def of_game(game_id: str) -> tuple[Scenario, ...]:
    """Give the scenarios of a game that work."""
    works = library().works
    return tuple(_own(found) for found in _files(game_id) if works.get(found.name) == found)


def load(name: str) -> Scenario:
    """Load a scenario by its name, or from a file."""
    file = f"{name}.toml"
    if name not in ids() and is_file(name):
        return read(read_source(name).text, name)
    try:
        return own(name)
    except Refusal as refusal:
        if name in ids() or not is_file(file):
            raise
        here = say("{problem}; {file} is here: add --games .", problem=refusal.problem, file=file)
        raise Refusal(here) from None


def own(name: str) -> Scenario:
    """Load a scenario that is beside the card of a game, by its name; never any other file.

    Threads may share it, with its map: both are immutable.
    """
    found = library()
    if name in found.works:
        return _own(found.works[name])
    for broken in found.broken:
        if broken.id == name:
            raise broken.problem
    problem = say("there is no scenario '{name}'; {near}", name=name, near=near(name, found.works))
    raise Refusal(problem)


@lru_cache(maxsize=256)
def _own(found: ScenarioFile) -> Scenario:
    text = read_source(str(found.file)).text
    made = read(text, found.source)
    if made.id != found.name:
        problem = say(
            "the id '{id}' differs from the name of the file; expected '{name}'",
            id=made.id,
            name=found.name,
        )
        raise refuse_at(problem, ("id",), text, found.source)
    return made


def read(text: str, source: str) -> Scenario:
    """Read a scenario from TOML text; refuse a wrong one with file, line, key and reason."""
    data = {**_by_name(Path(source)), **toml_file.parse(text, source)}
    found = toml_file.read_data(data, Scenario, text, source, decode_hook)
    try:
        card = game.card(found.game)
        needs = _needs(card)
    except Refusal as refusal:
        raise refuse_at(refusal.problem, ("game",), text, source) from None
    for problem, path in problems(found, card, needs):
        raise refuse_at(problem, path, text, source)
    return found


def _by_name(file: Path) -> dict[str, object]:
    """Give what a file's name says: `GAME.SCENARIO.toml`, or `GAME/scenarios/SCENARIO.toml`."""
    game_id, _, own = file.stem.rpartition(".")
    known: dict[str, object] = {"format": FORMAT, "id": file.stem, "name": words_of(own)}
    if game_id:
        return known | {"game": game_id}
    if file.parent.name == "scenarios":
        return known | {"game": file.parent.parent.name.replace("_", "-")}
    return known


def _needs(card: Card) -> Needs:
    """Give what the rules of a game must find: those in Python, or those of its card."""
    if game.place(card.id).has_module("field"):
        needs: Needs = game.module(card.id, "field").FIELD.needs(card)
        return needs
    if card.map is None:
        problem = say(
            "the card of {game} has no part [map], which says how it is played on a map; an empty "
            "one is enough",
            game=card.id,
        )
        raise Refusal(problem)
    return card_needs.needs(card)
