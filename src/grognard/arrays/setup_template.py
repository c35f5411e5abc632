"""What very many fights have in common, and what each of them states for itself, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grognard.arrays.tracing import Path
from grognard.card.card import decode_hook
from grognard.files.toml_file import Path as Steps
from grognard.files.toml_file import explain_error, parsed, unknown_key, written
from grognard.rules.fight import Fight, Setup
from grognard.rules.procedure import Game, Procedure
from grognard.words.message import say
from grognard.words.refusal import Refusal

# A number or a truth is traced; words part the fights from the first; a count says how many of the
# units that the form names take part.
Sort = Literal["number", "truth", "word", "words", "count"]
TRACED: tuple[Sort, ...] = ("number", "truth")
TOGETHER = "+"  # between words that hold at once, as of terrain


class Field(Struct, frozen=True):
    """A place of the set-up for which each fight has its own value."""

    name: str  # as in a refusal: attackers[0].factor
    steps: Steps
    sort: Sort
    least: int | None = None  # of a number
    most: int | None = None


class Form:
    """A set-up with some of its places left to columns.

    Columns hold whole numbers: the number itself, 0 or 1 for what holds or not, and for words their
    place in the field's vocabulary, which grows as new words are met.
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
        self.fields = tuple(self._field(name) for name in columns)
        if not self.fields:
            raise Refusal(say("name at least one column; a single fight needs none"))
        self._words: dict[str, dict[str, int]] = {f.name: {} for f in self.fields}

    def _field(self, name: str) -> Field:
        steps = parsed(name)
        type_ = _type_at(self.procedure.setup, name, steps, self.stated)
        sort = None if steps[-1:] == ("name",) else _sort_of(type_)
        if sort is None:
            raise Refusal(say("this holds no single value; a column can't state it"), place=name)
        return Field(name, steps, sort, *_bounds(type_))

    def code(self, field: Field, word: str) -> int:
        """Give the number of a word."""
        known = self._words[field.name]
        return known.setdefault(word, len(known))

    def value(self, field: Field, number: int) -> object:
        """Give what a number of a column states."""
        if field.sort == "truth":
            return bool(number)
        if field.sort in ("word", "words"):
            word = list(self._words[field.name])[number]
            return word.split(TOGETHER) if field.sort == "words" else word
        return number

    def setup(self, row: Mapping[str, int]) -> Setup:
        """State one fight; refused where a value is of the wrong sort or out of its bounds."""
        data: dict[str, Any] = deepcopy(self.stated)
        counts: list[tuple[Field, int]] = []
        for field in self.fields:
            if field.sort == "count":
                counts.append((field, row[field.name]))
            else:
                put(data, field.steps, self.value(field, row[field.name]))
        for field, count in counts:
            data[field.name] = _first(data[field.name], count, field)
        try:
            return msgspec.convert(data, self.procedure.setup, dec_hook=decode_hook)
        except msgspec.ValidationError as error:
            problem, path = explain_error(error, data, self.procedure.setup)
            raise Refusal(problem, place=written(path)) from None

    def traced(self, path: Path, row: Mapping[str, int]) -> Setup:
        """State one fight with numbers that remember where they come from."""
        for field in self.fields:
            number = path.column(field.name, row[field.name])
            if field.sort not in TRACED:
                number.settled()
            elif (field.least is not None and number < field.least) or (
                field.most is not None and number > field.most
            ):
                break  # refused with the next line, and so is every other beyond the bound
        setup = self.setup(row)
        for field in self.fields:
            if field.sort in TRACED:
                setup = _with(setup, field.steps, path.column(field.name, row[field.name]))
        return setup

    def fight(self, setup: Setup) -> Fight:
        """Begin a fight."""
        return self.game.fight(setup, procedure=self.procedure.id, options=self.options)


def _first(units: Sequence[object], count: int, field: Field) -> Sequence[object]:
    if not 0 <= count <= len(units):
        problem = say(
            "{count} units take part, but {named} are named", count=count, named=len(units)
        )
        raise Refusal(problem, place=field.name)
    return units[:count]


def put(data: dict[str, Any], steps: Steps, value: object) -> None:
    """Put a value at a place of what is stated."""
    place: Any = data  # a table or a list
    for step in steps[:-1]:
        place = place[step]
    place[steps[-1]] = value


def _with(value: Any, steps: Sequence[str | int], new: object) -> Any:  # noqa: ANN401  # struct or tuple
    """Put a value at a place of a set-up; nothing changes where a unit is not there."""
    if not steps:
        return new
    step, *rest = steps
    if isinstance(step, str):
        return replace(value, **{step: _with(getattr(value, step), rest, new)})
    if step >= len(value):
        return value
    return (*value[:step], _with(value[step], rest, new), *value[step + 1 :])


# ------------------------------------------------------------------ what a place may hold


@cache
def _described(setup: type[Setup]) -> msgspec.inspect.StructType:
    described = msgspec.inspect.type_info(setup)
    assert isinstance(described, msgspec.inspect.StructType)
    return described


def _type_at(
    setup: type[Setup], name: str, steps: Steps, stated: Mapping[str, object]
) -> msgspec.inspect.Type:
    """Find out what may be stated at a place."""
    type_: msgspec.inspect.Type = _described(setup)
    place: Any = stated
    for step in steps:
        if isinstance(step, str):
            type_ = _of_field(type_, name, step)
            place = place.get(step) if isinstance(place, Mapping) else None
        else:
            type_ = _of_list(type_, name)
            if not isinstance(place, Sequence) or step >= len(place):
                raise Refusal(
                    say("the form names no unit at this place; name each that may take part"),
                    place=name,
                )
            place = place[step]
    if _sort_of(type_) == "count" and not isinstance(place, Sequence):
        raise Refusal(
            say("the form names no unit at this place; name each that may take part"), place=name
        )
    return type_


def _bounds(type_: msgspec.inspect.Type) -> tuple[int | None, int | None]:
    """Give the least and the most that a number may be."""
    match type_:
        case msgspec.inspect.Metadata():
            return _bounds(type_.type)
        case msgspec.inspect.UnionType():
            parts = [part for part in type_.types if _sort_of(part) == "number"]
            return _bounds(parts[0]) if parts else (None, None)
        case msgspec.inspect.IntType():
            return type_.ge, type_.le
    return None, None


def _of_field(type_: msgspec.inspect.Type, name: str, step: str) -> msgspec.inspect.Type:
    if not isinstance(type_, msgspec.inspect.StructType):
        raise Refusal(say("this holds no single value; a column can't state it"), place=name)
    known = {field.encode_name: field.type for field in type_.fields}
    if step not in known:
        raise Refusal(unknown_key(step, known), place=name)
    return known[step]


def _of_list(type_: msgspec.inspect.Type, name: str) -> msgspec.inspect.Type:
    if not isinstance(type_, msgspec.inspect.VarTupleType):
        raise Refusal(say("this is no list; a column can't state a part of it"), place=name)
    return type_.item_type


def _sort_of(type_: msgspec.inspect.Type) -> Sort | None:
    match type_:
        case msgspec.inspect.Metadata():
            return _sort_of(type_.type)
        case msgspec.inspect.VarTupleType(item_type=msgspec.inspect.StructType()):
            return "count"
        case msgspec.inspect.VarTupleType():
            return "words" if _sort_of(type_.item_type) == "word" else None
        case msgspec.inspect.UnionType():
            sorts = {_sort_of(part) for part in type_.types} - {None}
            return sorts.pop() if len(sorts) == 1 else None
    return _SORTS.get(type(type_))


_SORTS: Mapping[type[msgspec.inspect.Type], Sort] = {
    msgspec.inspect.IntType: "number",
    msgspec.inspect.BoolType: "truth",
    msgspec.inspect.StrType: "word",
    msgspec.inspect.LiteralType: "word",
}
