"""Sweep files: a fight file in which single values may be ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from math import prod
from typing import Literal, NamedTuple

from msgspec import Struct

from grognard.arrays.batch import RESULT_COLUMNS
from grognard.arrays.setup_template import TOGETHER, InputColumn, SetupTemplate, put
from grognard.card.rows import SIDES
from grognard.fights.doctrine import DOCTRINES, doctrine
from grognard.fights.fight_file import fight_parts, no_options
from grognard.files.source import Source
from grognard.files.toml_file import unknown_key
from grognard.files.value_path import ValuePath, written
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.rules.procedure import Game
from grognard.study import player_sheet
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

SweptValue = str | int | bool
SweptValues = range | tuple[SweptValue, ...]
RangeKind = Literal["number", "truth", "word", "words", "option", "doctrine"]
RULES: tuple[RangeKind, ...] = ("option", "doctrine")  # select the rules, not the set-up
STEPPED = ("from", "to", "by")
EACH = "each"
ALL = "all"
COMBINATIONS = 10_000_000  # that a sweep has at most, unless more are allowed
MOST_COMBINATIONS = (1 << 63) - 1  # their numbers are 64-bit integers


class Range(Struct, frozen=True):
    """A place that is swept, with all its values in order."""

    name: str  # the place in the file: attackers[0].factor, options.half_rounding
    kind: RangeKind
    values: SweptValues
    path: ValuePath


class FightRules(NamedTuple):
    """The options and doctrines of a combination."""

    options: Mapping[str, str]
    attacker: str
    defender: str


class Sweep(Struct, frozen=True, eq=False):
    """Every combination of some ranges, numbered from 1; the last range changes fastest."""

    game: Game
    procedure: str
    setup: dict[str, object]  # with the first value of each range
    options: dict[str, str]
    doctrines: dict[str, str]
    ranges: tuple[Range, ...]
    give: tuple[str, ...]

    @property
    def count(self) -> int:
        return prod(len(range_.values) for range_ in self.ranges)

    def values(self, number: int) -> dict[str, SweptValue]:
        """Give the value of each range in a combination."""
        left, found = number - 1, {}
        for range_ in reversed(self.ranges):
            left, place = divmod(left, len(range_.values))
            found[range_.name] = range_.values[place]
        return {range_.name: found[range_.name] for range_ in self.ranges}

    def rules(self, values: Mapping[str, SweptValue]) -> FightRules:
        options, doctrines = dict(self.options), dict(self.doctrines)
        for range_ in self.ranges:
            if range_.kind in RULES:
                chosen = options if range_.kind == "option" else doctrines
                chosen[str(range_.path[-1])] = str(values[range_.name])
        return FightRules(options, doctrines["attacker"], doctrines["defender"])

    def units(self) -> tuple[str, int]:
        """Give the name and length of a list of units in the set-up."""
        for name, listed in self.setup.items():
            if isinstance(listed, list) and any(isinstance(entry, dict) for entry in listed):
                return name, len(listed)
        raise Refusal(say("no unit is stated"))

    def fight(self, number: int) -> Fight:
        """Make the fight of a combination; refused if the rules do not allow it."""
        values, setup = self.values(number), deepcopy(self.setup)
        for range_ in self.ranges:
            if range_.kind not in RULES:
                put(setup, range_.path, _stated(range_, values[range_.name]))
        options = self.rules(values).options
        return self.game.fight(setup, procedure=self.procedure, options=options)


def _stated(range_: Range, value: SweptValue) -> object:
    return str(value).split(TOGETHER) if range_.kind == "words" else value


def read_sweep(source: Source, most: int = MOST_COMBINATIONS) -> Sweep:
    """Read a sweep file of at most so many combinations; a refusal names file, line and reason."""
    data = source.data()
    with source.placing():
        return _SweepReader(data).sweep(most)


class _SweepReader:
    def __init__(self, data: dict[str, object]) -> None:
        self.tables = dict(_tables(data))
        settings = data.get("sweep", {})
        if not isinstance(settings, dict) or ("sweep",) in self.tables:
            raise Refusal(say("expected a table [sweep]"), place="sweep")
        _known_keys(("sweep",), settings, (*SIDES, "give"))
        self.settings: dict[str, object] = settings
        self.parts = fight_parts({k: v for k, v in data.items() if k != "sweep"})
        self.game = game.load(self.parts.game)
        self.procedure = self.game.procedure(self.parts.procedure).id
        paths = [path for path in self.tables if path[0] not in ("options", "sweep")]
        self.columns: dict[ValuePath, InputColumn] = {}
        if paths:
            names, setup = map(written, paths), self.parts.setup
            template = SetupTemplate(self.game, setup, names, procedure=self.procedure)
            self.columns = {column.path: column for column in template.columns}

    def sweep(self, most: int) -> Sweep:
        if not self.tables:
            problem = say(
                "there is nothing to sweep; state a range for a value, such as {one} or {two}",
                one="{ from = 4, to = 30 }",
                two='{ each = ["wood", "town"] }',
            )
            raise Refusal(problem)
        ranges = tuple(self._range(path, table) for path, table in self.tables.items())
        setup = deepcopy(self.parts.setup)
        for range_ in ranges:
            if range_.kind not in RULES:
                put(setup, range_.path, _stated(range_, range_.values[0]))
        found = Sweep(
            self.game,
            self.procedure,
            setup,
            self._options(ranges),
            self._doctrines(ranges),
            ranges,
            self._give(),
        )
        if found.count > most:
            problem = say(
                "these are {n} combinations, more than {most}; if you mean it, allow them with "
                "--most {n}",
                n=found.count,
                most=most,
            )
            raise Refusal(problem)
        _check_bounds(found)
        found.units()
        return found

    def _range(self, path: ValuePath, table: dict[str, object]) -> Range:
        kind = self._sort(path)
        _known_keys(path, table, (*STEPPED, EACH))
        values = self._each(path, kind, table) if EACH in table else _stepped(path, kind, table)
        return Range(written(path), kind, values, path)

    def _sort(self, path: ValuePath) -> RangeKind:
        if path[0] == "options":
            if len(path) == 1:
                raise no_options()
            return "option"
        if path[0] == "sweep":
            if path[1] not in SIDES:
                raise Refusal(say("this can't be a range"), place=written(path))
            return "doctrine"
        kind = self.columns[path].kind
        assert kind != "count"  # the template has refused a table in place of a list of units
        return kind

    def _each(self, path: ValuePath, kind: RangeKind, table: dict[str, object]) -> SweptValues:
        place = written((*path, EACH))
        if len(table) > 1:
            problem = say("a range is either 'each', or 'from', 'to' and perhaps 'by'")
            raise Refusal(problem, place=written(path))
        listed = table[EACH]
        if listed == ALL:
            return self._all(path, kind)
        if not isinstance(listed, list) or not listed:
            problem = say('expected a list of values, or "all"; found {found}', found=repr(listed))
            raise Refusal(problem, place=place)
        for number, value in enumerate(listed):
            self._check(kind, path, value, written((*path, EACH, number)))
        _each_once((*path, EACH), listed)
        return tuple(listed)

    def _check(self, kind: RangeKind, path: ValuePath, value: object, place: str) -> None:
        _of_type({"number": int, "truth": bool}.get(kind, str), value, place)
        if kind in ("word", "words") and self._control(path).kind == "set":
            known = self._words(path)
            for word in str(value).split(TOGETHER):
                if word not in known:
                    problem = say(
                        "there is no '{word}' to state; {near}", word=word, near=near(word, known)
                    )
                    raise Refusal(problem, place=place)

    def _words(self, path: ValuePath) -> list[str]:
        """List the words of a set: those of its control, and all terrain."""
        offered = [word for word, _ in self._control(path).values]
        return [*dict.fromkeys([*offered, *(row.id for row in self.game.card.terrain)])]

    def _control(self, path: ValuePath) -> player_sheet.Control:
        controls = player_sheet.controls(self.game.id, self.procedure)
        return controls[".".join(step for step in path if isinstance(step, str))]

    def _all(self, path: ValuePath, kind: RangeKind) -> SweptValues:
        match kind:
            case "truth":
                return (False, True)
            case "doctrine":
                return tuple(DOCTRINES)
            case "option":
                return self._choices(path)
        control = self._control(path)
        if kind == "number" and control.least is not None and control.most is not None:
            return range(control.least, control.most + 1)
        if not control.values:
            problem = say("nobody knows all values of this; list them, or state from and to")
            raise Refusal(problem, place=written((*path, EACH)))
        return tuple(word for word, _ in control.values)

    def _choices(self, path: ValuePath) -> tuple[str, ...]:
        options = {option.id: option for option in self.game.card.options}
        id_ = str(path[-1])
        if id_ not in options:
            self.game.card.chosen({id_: ""})  # refuses it
        return tuple(choice.id for choice in options[id_].choices)

    def _options(self, ranges: Sequence[Range]) -> dict[str, str]:
        """Give the options of all combinations; refuse one that the card does not have."""
        swept = {str(r.path[-1]): r.values for r in ranges if r.kind == "option"}
        found: dict[str, str] = {}
        for id_, choice in self.parts.options.items():
            for value in swept.get(id_, (choice,)):
                if not isinstance(value, str):
                    raise no_options()
                self.game.card.chosen({id_: value})
                found.setdefault(id_, value)
        return found

    def _doctrines(self, ranges: Sequence[Range]) -> dict[str, str]:
        swept = {str(r.path[-1]): r.values for r in ranges if r.kind == "doctrine"}
        found: dict[str, str] = {}
        for side in SIDES:
            for value in swept.get(side, (self.settings.get(side, "best"),)):
                try:
                    found.setdefault(side, doctrine(str(value)).id)
                except Refusal as refusal:
                    raise Refusal(refusal.problem, place=written(("sweep", side))) from None
        return found

    def _give(self) -> tuple[str, ...]:
        given = self.settings.get("give", list(RESULT_COLUMNS))
        if not isinstance(given, list) or not given:
            problem = say(
                "expected a list of results; known: {words}", words=", ".join(RESULT_COLUMNS)
            )
            raise Refusal(problem, place="sweep.give")
        for number, name in enumerate(given):
            if name not in RESULT_COLUMNS:
                problem = say(
                    "there is no result '{word}'; {near}",
                    word=name,
                    near=near(str(name), RESULT_COLUMNS),
                )
                raise Refusal(problem, place=written(("sweep", "give", number)))
        _each_once(("sweep", "give"), given)
        return tuple(given)


def _tables(data: object, path: ValuePath = ()) -> Iterator[tuple[ValuePath, dict[str, object]]]:
    """Find the tables that state a range, in the order of the file."""
    match data:
        case dict() if path and data.keys() & {*STEPPED, EACH}:
            yield path, data
        case dict():
            for key, value in data.items():
                yield from _tables(value, (*path, key))
        case list():
            for number, value in enumerate(data):
                yield from _tables(value, (*path, number))


def _known_keys(path: ValuePath, table: Mapping[str, object], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            raise Refusal(unknown_key(key, known), place=written((*path, key)))


def _of_type(type_: type, value: object, place: str) -> None:
    if type(value) is not type_:
        expected = foreign(f"`{type_.__name__}`")
        problem = say("expected {expected}, found {found}", expected=expected, found=repr(value))
        raise Refusal(problem, place=place)


def _each_once(path: ValuePath, listed: Sequence[object]) -> None:
    for number, value in enumerate(listed):
        if value in listed[:number]:
            problem = say("{value} is listed twice", value=repr(value))
            raise Refusal(problem, place=written((*path, number)))


def _stepped(path: ValuePath, kind: RangeKind, table: dict[str, object]) -> range:
    if kind != "number":
        problem = say("only a number goes from and to; list the values with 'each'")
        raise Refusal(problem, place=written(path))
    bounds = {"by": 1, **table}
    for key in STEPPED:
        if key not in bounds:
            raise Refusal(say("the key '{key}' is missing", key=key), place=written(path))
        _of_type(int, bounds[key], written((*path, key)))
    first, last, step = (int(str(bounds[key])) for key in STEPPED)
    if step < 1:
        problem = say(
            "expected {expected}, found {found}", expected=foreign("`int` >= 1"), found=step
        )
        raise Refusal(problem, place=written((*path, "by")))
    if first > last:
        problem = say("from {first} to {last} there is nothing", first=first, last=last)
        raise Refusal(problem, place=written(path))
    return range(first, last + 1, step)


def _check_bounds(sweep: Sweep) -> None:
    procedure = sweep.game.procedure(sweep.procedure)
    sweep.game.setup(procedure, sweep.setup)
    for range_ in sweep.ranges:
        if range_.kind in RULES:
            continue
        values = range_.values
        for value in (values[0], values[-1]) if isinstance(values, range) else values:
            setup = deepcopy(sweep.setup)
            put(setup, range_.path, _stated(range_, value))
            sweep.game.setup(procedure, setup)
