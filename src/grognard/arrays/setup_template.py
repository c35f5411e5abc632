"""Set-up templates: the values that many fights share, and the columns of those that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grognard.arrays.tracing import TracePath
from grognard.files.toml_file import unknown_key
from grognard.files.value_path import ValuePath, parsed
from grognard.rules.fight import SETUP_LIMITS, Fight, Setup
from grognard.rules.procedure import Game, Procedure
from grognard.words.message import say
from grognard.words.refusal import Refusal

# Numbers and truths are traced; words separate the fights from the start; a count says how many of
# the units in the template take part.
ColumnKind = Literal["number", "truth", "word", "words", "count"]
TRACED: tuple[ColumnKind, ...] = ("number", "truth")
TOGETHER = "+"  # joins words that hold at once: village+wood


class InputColumn(Struct, frozen=True):
    """A place of the set-up at which each fight has its own value."""

    name: str  # as in refusals: attackers[0].factor
    path: ValuePath
    kind: ColumnKind
    least: int | None = None  # of a number
    most: int | None = None


class SetupTemplate:
    """A set-up in which some values are left to columns.

    Columns hold whole numbers: a number itself, 0 or 1 for a truth, and for a word its index in
    the column's vocabulary, which grows with each new word.
    """

    def __init__(
        self,
        game: Game,
        stated: Mapping[str, object],
        columns: Iterable[str],
        *,
        procedure: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.game = game
        self.procedure: Procedure = game.procedure(procedure)
        self.options = game.card.chosen(options or {})
        self.stated = deepcopy(dict(stated))
        self.columns = tuple(self._input_column(name) for name in columns)
        if not self.columns:
            raise Refusal(say("name at least one column; a single fight needs none"))
        self._words: dict[str, dict[str, int]] = {f.name: {} for f in self.columns}

    def _input_column(self, name: str) -> InputColumn:
        path = parsed(name)
        type_ = _type_at(self.procedure.setup, name, path, self.stated)
        kind = None if path[-1:] == ("name",) else _kind_of(type_)
        if kind is None:
            raise Refusal(say("this holds no single value; a column can't state it"), place=name)
        return InputColumn(name, path, kind, *(_bounds(type_) if kind == "number" else ()))

    def code(self, column: InputColumn, word: str) -> int:
        known = self._words[column.name]
        return known.setdefault(word, len(known))

    def value(self, column: InputColumn, number: int) -> object:
        """Give the value that a number in a column stands for."""
        if column.kind == "truth":
            return bool(number)
        if column.kind in ("word", "words"):
            word = list(self._words[column.name])[number]
            return word.split(TOGETHER) if column.kind == "words" else word
        return number

    def setup(self, row: Mapping[str, int]) -> Setup:
        """Make the set-up of one row; refuse a value of the wrong type or out of its bounds."""
        data: dict[str, Any] = deepcopy(self.stated)
        counts: list[tuple[InputColumn, int]] = []
        for column in self.columns:
            if column.kind == "count":
                counts.append((column, row[column.name]))
            else:
                put(data, column.path, self.value(column, row[column.name]))
        for column, count in counts:
            data[column.name] = _first(data[column.name], count, column)
        return self.game.setup(self.procedure, data)

    def traced(self, path: TracePath, row: Mapping[str, int]) -> Setup:
        for column in self.columns:
            number = path.column(column.name, row[column.name])
            if column.kind not in TRACED:
                number.settled()
            elif (column.least is not None and number < column.least) or (
                column.most is not None and number > column.most
            ):
                break  # `setup` refuses it, as it refuses every other value beyond the bound
        setup = self.setup(row)
        for column in self.columns:
            if column.kind in TRACED:
                setup = _with(setup, column.path, path.column(column.name, row[column.name]))
        return setup

    def fight(self, setup: Setup, *, traced: bool = False) -> Fight:
        return self.game.begun(self.procedure, setup, self.options, traced=traced)


def _first(units: Sequence[object], count: int, column: InputColumn) -> Sequence[object]:
    if not 0 <= count <= len(units):
        problem = say(
            "{count} units take part, but {named} are named", count=count, named=len(units)
        )
        raise Refusal(problem, place=column.name)
    return units[:count]


def put(data: dict[str, Any], path: ValuePath, value: object) -> None:
    """Set the value at a path of plain data."""
    place: Any = data  # a table or a list
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value


def _with(value: Any, path: Sequence[str | int], new: object) -> Any:  # noqa: ANN401  # struct or tuple
    """Replace the value at a path of a set-up; a unit that does not take part is passed over."""
    if not path:
        return new
    step, *rest = path
    if isinstance(step, str):
        return replace(value, **{step: _with(getattr(value, step), rest, new)})
    if step >= len(value):
        return value
    return (*value[:step], _with(value[step], rest, new), *value[step + 1 :])


@cache
def _described_setup(setup: type[Setup]) -> msgspec.inspect.StructType:
    described = msgspec.inspect.type_info(setup)
    assert isinstance(described, msgspec.inspect.StructType)
    return described


def _type_at(
    setup: type[Setup], name: str, path: ValuePath, stated: Mapping[str, object]
) -> msgspec.inspect.Type:
    unnamed = say("the set-up names no unit here; name each that may take part")
    type_: msgspec.inspect.Type = _described_setup(setup)
    place: Any = stated
    for step in path:
        if isinstance(step, str):
            type_ = _of_field(type_, name, step)
            place = place.get(step) if isinstance(place, Mapping) else None
        elif not isinstance(type_, msgspec.inspect.VarTupleType):
            raise Refusal(say("this is no list; a column can't state a part of it"), place=name)
        elif not isinstance(place, Sequence) or step >= len(place):
            raise Refusal(unnamed, place=name)
        else:
            type_, place = type_.item_type, place[step]
    if _kind_of(type_) == "count" and not isinstance(place, Sequence):
        raise Refusal(unnamed, place=name)
    return type_


def _bounds(type_: msgspec.inspect.Type) -> tuple[int, int]:
    """Give the least and the most of a number."""
    least, most = -SETUP_LIMITS.number, SETUP_LIMITS.number
    match type_:
        case msgspec.inspect.Metadata():
            return _bounds(type_.type)
        case msgspec.inspect.UnionType():
            return _bounds(next(part for part in type_.types if _kind_of(part) == "number"))
        case msgspec.inspect.IntType():
            return least if type_.ge is None else type_.ge, most if type_.le is None else type_.le
    return least, most


def _of_field(type_: msgspec.inspect.Type, name: str, step: str) -> msgspec.inspect.Type:
    if not isinstance(type_, msgspec.inspect.StructType):
        raise Refusal(say("this holds no single value; a column can't state it"), place=name)
    known = {field.encode_name: field.type for field in type_.fields}
    if step not in known:
        raise Refusal(unknown_key(step, known), place=name)
    return known[step]


def _kind_of(type_: msgspec.inspect.Type) -> ColumnKind | None:
    match type_:
        case msgspec.inspect.Metadata():
            return _kind_of(type_.type)
        case msgspec.inspect.VarTupleType(item_type=msgspec.inspect.StructType()):
            return "count"
        case msgspec.inspect.VarTupleType():
            return "words" if _kind_of(type_.item_type) == "word" else None
        case msgspec.inspect.UnionType():
            kinds = {_kind_of(part) for part in type_.types} - {None}
            return kinds.pop() if len(kinds) == 1 else None
    return _KINDS.get(type(type_))


_KINDS: Mapping[type[msgspec.inspect.Type], ColumnKind] = {
    msgspec.inspect.IntType: "number",
    msgspec.inspect.BoolType: "truth",
    msgspec.inspect.StrType: "word",
    msgspec.inspect.LiteralType: "word",
}
