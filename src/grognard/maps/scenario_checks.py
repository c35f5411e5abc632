"""Checks of a scenario when it is read: whatever would fail while playing or drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from grognard.card.card import Card
from grognard.card.checks import terrain_problems
from grognard.card.rows import Value
from grognard.files.plain_data import too_large
from grognard.files.toml_file import converted, unknown_key
from grognard.files.value_path import Problem, ValuePath
from grognard.maps.hexes import Numbering, grid_lines
from grognard.rules.fight import SETUP_LIMITS
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near

if TYPE_CHECKING:
    from grognard.maps.scenario import OptionalPart, Scenario

FORMAT = 1
NUMBERS: tuple[str, ...] = ("0",)  # of a key in `Needs.values`: whole numbers
NUMBER: tuple[str, ...] = ("1",)  # a single one


class Needs(NamedTuple):
    """What the rules of a game must find in its scenarios; empty: anything will do."""

    sides: tuple[str, ...] = ()  # the ids that the rules know
    kinds: tuple[str, ...] = ()  # of units
    sizes: tuple[str, ...] = ()
    face_words: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # key of a face -> its words
    face_types: Mapping[str, type] = MappingProxyType({})  # every key that a face may have
    states: tuple[str, ...] = ()
    # key -> its words, or NUMBERS, or NUMBER
    values: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    terrain_numbers: tuple[str, ...] = ()  # keys of terrain values that are whole numbers
    entry_hexes: bool = False  # whether units that arrive must name where


def problems(scenario: Scenario, card: Card, needs: Needs) -> Iterator[Problem]:
    """Find the mistakes of a scenario. Later checks rely on what earlier ones have found good."""
    if scenario.format != FORMAT:
        found = say(
            "scenario format {found} is not known; expected {known}",
            found=scenario.format,
            known=FORMAT,
        )
        yield found, ("format",)
    yield from _options(scenario, card)
    yield from _sides(scenario, needs)
    yield from _terrain(scenario, card, needs)
    yield from _first(scenario)
    yield from _grid(scenario, card)
    numbering = Numbering(scenario.map.lower)
    letters = numbering.lettered(scenario.map.first, scenario.map.grid)
    yield from _hexes(scenario, {numbering.number(hex_) for hex_, _ in letters})
    yield from _pairs(scenario)
    yield from _units(scenario, card, needs)
    yield from _areas(scenario, card)
    yield from _stacks(scenario)
    yield from _values(scenario, needs)


def _one_of(
    word: str, known: Iterable[str], problem: Message, path: ValuePath
) -> Iterator[Problem]:
    """Refuse a word that is not known; without known words any will do."""
    words = tuple(known)
    if words and word not in words:
        yield say("{problem}; {near}", problem=problem, near=near(word, words)), path


def _options(scenario: Scenario, card: Card) -> Iterator[Problem]:
    for id_, choice in scenario.options.items():
        try:
            card.chosen({id_: choice})
        except Refusal as refusal:
            yield refusal.problem, ("options", id_)


def _sides(scenario: Scenario, needs: Needs) -> Iterator[Problem]:
    ids = [side.id for side in scenario.sides]
    for index, id_ in enumerate(ids):
        path: ValuePath = ("sides", index, "id")
        unknown = say("the rules of this game know no side '{id}'", id=id_)
        yield from _one_of(id_, needs.sides, unknown, path)
        if id_ in ids[:index]:
            yield say("two sides have the id '{id}'", id=id_), path
    named = [
        *((side, ("map", "sources", side)) for side in scenario.map.sources),
        *((side, ("holders", number)) for number, side in scenario.holders.items()),
        *((side, ("handicap", side)) for side in scenario.handicap),
        *((unit.side, ("units", n, "side")) for n, unit in enumerate(scenario.units)),
        *((side, ("deploys", n)) for n, side in enumerate(scenario.deploys)),
    ]
    for side, path in named:
        yield from _one_of(side, ids, say("there is no side '{id}'", id=side), path)


def _terrain(scenario: Scenario, card: Card, needs: Needs) -> Iterator[Problem]:
    yield from terrain_problems(card, scenario.terrain)
    for index, row in enumerate(scenario.terrain):
        if row.id in [other.id for other in scenario.terrain[:index]]:
            problem = say("'{id}' stands twice among the {part}", id=row.id, part="terrain")
            yield problem, ("terrain", index, "id")
        for key in needs.terrain_numbers:
            if type(value := row.values.get(key, 0)) is not int:
                problem = say("expected a whole number, found {found}", found=repr(value))
                yield problem, ("terrain", index, "values", key)


def _first(scenario: Scenario) -> Iterator[Problem]:
    """Check that every hex of the grid has a number of four digits."""
    sheet, numbering = scenario.map, Numbering(scenario.map.lower)
    try:
        numbering.hex(sheet.first)
    except Refusal as refusal:
        yield refusal.problem, ("map", "first")
        return
    lines = grid_lines(sheet.grid)
    if not "".join(lines).strip("_"):
        yield say("the map has no hex"), ("map", "grid")
    last = 10**numbering.digits - 1
    columns, rows = int(sheet.first[:2]) + max(map(len, lines), default=0) - 1, int(sheet.first[2:])
    if columns > last or rows + len(lines) - 1 > last:
        problem = say("the map is too large: columns and rows are numbered up to {last}", last=last)
        yield problem, ("map", "grid")


def _grid(scenario: Scenario, card: Card) -> Iterator[Problem]:
    sheet = scenario.map
    terrain = [row.id for row in (*card.terrain, *scenario.terrain)]
    for letter, features in sheet.legend.items():
        for feature in features:
            if feature not in terrain:
                close = near(feature, terrain)
                problem = say("there is no terrain '{word}'; {near}", word=feature, near=close)
                yield problem, ("map", "legend", letter)
    lines = grid_lines(sheet.grid)
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
        *((n, ("areas", i)) for i, area in enumerate(scenario.areas) for n in area.around),
        *((n, ("areas", i)) for i, area in enumerate(scenario.areas) for n in area.hexes),
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


def _units(scenario: Scenario, card: Card, needs: Needs) -> Iterator[Problem]:
    classes = [row.id for row in card.unit_classes]
    for index, unit in enumerate(scenario.units):
        path: ValuePath = ("units", index)
        if any(unit.name == other.name and _both(unit, other) for other in scenario.units[:index]):
            yield say("two units are named '{name}'; each needs its own name", name=unit.name), path
        yield from _when(unit.when, card, path)
        if needs.entry_hexes and unit.arrives and not unit.entry:
            yield say("{unit} arrives; it needs the hexes of its entry", unit=unit.name), path
        only = classes[0] if len(classes) == 1 else ""
        for key, word, known, problem in (
            ("unit_class", unit.unit_class or only, classes, say("there is no unit class '{id}'")),
            ("kind", unit.kind, needs.kinds, say("there is no kind of unit '{id}'")),
            ("size", unit.size, needs.sizes, say("no unit has the size '{id}'")),
        ):
            unknown = Message(problem.template, {"id": word})
            yield from _one_of(word, known, unknown, (*path, key))
        for place, state in enumerate(unit.states):
            unknown = say("there is no state '{id}'", id=state)
            yield from _one_of(state, needs.states, unknown, (*path, "states", place))
        for place, face in enumerate(unit.faces):
            yield from _face(face, needs, (*path, "faces", place))


def _areas(scenario: Scenario, card: Card) -> Iterator[Problem]:
    """Refuse an area that nobody knows, and a unit of an area without its usual hex."""
    known = [area.id for area in scenario.areas]
    for index, unit in enumerate(scenario.units):
        if not unit.area:
            continue
        path: ValuePath = ("units", index, "area")
        if unit.area not in known:
            yield (
                say("there is no area '{id}'; {near}", id=unit.area, near=near(unit.area, known)),
                path,
            )
        if unit.hex is None or unit.arrives:
            problem = say(
                "{unit} has an area; it also needs the hex of the usual set-up, and no turn in "
                "which it arrives",
                unit=unit.name,
            )
            yield problem, path
    for index, area in enumerate(scenario.areas):
        if any(area.id == other.id and _both(area, other) for other in scenario.areas[:index]):
            yield say("two areas have the id '{id}'", id=area.id), ("areas", index, "id")
        yield from _when(area.when, card, ("areas", index))


def _both(one: OptionalPart, other: OptionalPart) -> bool:
    """Tell whether two parts can count at the same time, under some choice of the options."""
    return all(other.when.get(option, choice) == choice for option, choice in one.when.items())


def _when(when: Mapping[str, str], card: Card, path: ValuePath) -> Iterator[Problem]:
    """Refuse options and choices that the card does not have."""
    for option, choice in when.items():
        try:
            card.chosen({option: choice})
        except Refusal as refusal:
            yield refusal.problem, (*path, "when", option)


def _face(face: Mapping[str, Value], needs: Needs, path: ValuePath) -> Iterator[Problem]:
    for key, value in face.items():
        if needs.face_types and key not in needs.face_types:
            yield unknown_key(key, needs.face_types), (*path, key)
        elif key in needs.face_types:
            try:
                converted(value, needs.face_types[key])
            except Refusal as refusal:
                yield refusal.problem, (*path, key)
        elif key in needs.face_words:
            word = str(value)
            problem = say("no counter has '{word}' here", word=word)
            yield from _one_of(word, needs.face_words[key], problem, (*path, key))
        elif isinstance(value, int) and abs(value) > SETUP_LIMITS.number:
            yield too_large(SETUP_LIMITS.number), (*path, key)


def _stacks(scenario: Scenario) -> Iterator[Problem]:
    """Refuse a hex in which both sides begin."""
    holders: dict[str, str] = {}
    for index, unit in enumerate(scenario.units):
        if (
            unit.hex
            and not (unit.arrives or unit.area)
            and holders.setdefault(unit.hex, unit.side) != unit.side
        ):
            yield say("units of both sides stand in {hex}", hex=unit.hex), ("units", index, "hex")


def _values(scenario: Scenario, needs: Needs) -> Iterator[Problem]:
    for key, value in scenario.values.items():
        path: ValuePath = ("values", key)
        yield from _one_of(key, needs.values, say("unknown key '{key}'", key=key), path)
        known = needs.values.get(key, ())
        words = str(value).split() or [""]
        if known is NUMBER and len(words) > 1:
            yield say("expected a whole number, found {found}", found=repr(value)), path
        for word in words:
            if known in (NUMBERS, NUMBER):
                if not (word.isascii() and word.isdigit() and len(word) < 7):
                    problem = say("expected whole numbers, found {found}", found=repr(value))
                    yield problem, path
            else:
                yield from _one_of(
                    word, known, say("'{word}' is not possible here", word=word), path
                )
    for pool in scenario.pools:
        if not 0 <= scenario.pools[pool] <= SETUP_LIMITS.number:
            yield too_large(SETUP_LIMITS.number), ("pools", pool)
