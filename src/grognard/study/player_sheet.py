"""Player sheets: how a player states the fights of a game, laid out as on its card.

`games/<id>/aid.toml` adds to the card what is not printed on it: the table and the groups of
modifiers of each procedure, the fields behind each fact, and short labels for the fields of units.
Everything else is derived from the card and from the types of the procedure.
"""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Literal

from msgspec import NODEFAULT, Struct, inspect
from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.modifier_rows import Fact
from grognard.card.rows import CERTAIN, Reading, Row, Value
from grognard.files import toml_file
from grognard.rules import game
from grognard.rules.game_places import GamePlace
from grognard.rules.procedure import Game, Procedure
from grognard.study.aid import Aid, PlayerSheet, in_words, shared_words
from grognard.study.derived_sheet import derived_sheet
from grognard.words.message import say
from grognard.words.text import Text

ControlKind = Literal["flag", "number", "word", "set", "name"]


def load(id_: str) -> Aid:
    """Load the aid of a game: its file, checked against the game, and what is derived."""
    return _load(game.place(id_))


@cache
def _load(place: GamePlace) -> Aid:
    rules = game.load(place.id)
    aid = _written(place, rules)
    known = {sheet.procedure for sheet in aid.sheets}
    sheets = {sheet.procedure: sheet for sheet in aid.sheets}
    for procedure in rules.procedures:
        if procedure.id not in known:
            sheets[procedure.id] = derived_sheet(rules, procedure)
        elif not sheets[procedure.id].example:
            example = derived_sheet(rules, procedure).example
            sheets[procedure.id] = replace(sheets[procedure.id], example=example)
    facts, shared = {fact.id for fact in rules.card.facts}, shared_words()
    labels = {field: text for field, text in shared.labels.items() if field not in facts}
    rows: tuple[Row, ...] = (*rules.card.unit_fields, *rules.card.states)
    labels |= {row.id: row.text for row in rows}
    return replace(
        aid,
        labels={**labels, **aid.labels},
        steps={**shared.steps, **aid.steps},
        sheets=tuple(sheets.values()),
    )


def _written(place: GamePlace, rules: Game) -> Aid:
    """Read the aid file of a game; one without it has an empty aid."""
    file, id_ = place.folder / "aid.toml", rules.id
    if not file.is_file():
        return Aid()
    name = f"games/{file.parent.name}/aid.toml" if place.shipped else str(file)
    text = file.read_text(encoding="utf-8")
    aid = toml_file.read(text, Aid, name)
    for number, sheet in enumerate(aid.sheets):
        for field, known in _named(sheet, rules):
            if not known:
                path = ("sheets", number)
                problem = say("{game} has nothing named '{field}'", game=id_, field=field)
                raise toml_file.refuse_at(problem, path, text, name)
    return aid


def rolled(id_: str) -> tuple[PlayerSheet, ...]:
    """Give the sheets of a game whose table is rolled on."""
    card = game.card(id_)
    return tuple(sheet for sheet in load(id_).sheets if card.table(sheet.table).dice is not None)


def _named(sheet: PlayerSheet, rules: Game) -> Iterator[tuple[str, bool]]:
    """Give every name that a sheet uses, with whether the game knows it."""
    card, procedure = rules.card, rules.procedure(sheet.procedure)
    yield sheet.table, sheet.table in {table.id for table in card.tables}
    groups = {group.id for group in card.groups}
    yield from ((group, group in groups) for group in sheet.groups)
    places = {place for place, _ in _fields(procedure)}
    yield from ((field, field in places) for field in (*sheet.first, *sheet.together))
    facts = {fact.id for fact in card.facts}
    for fact, fields in sheet.by.items():
        yield fact, fact in facts
        yield from ((field, field in places) for field in fields)
    for units in sheet.units:
        named = (units.factor, *units.shows, *units.new, *units.faces)
        yield from ((name, f"{units.list}.{name}" in places) for name in named if name)
        yield from ((fact, fact in places) for added in units.adds.values() for fact in added)


class Control(Struct, frozen=True, kw_only=True, cache_hash=True, dict=True):
    """A value that a player states: a box to tick, a number, a word, several words."""

    place: str  # `terrain`, or `attackers.unsupplied` for each unit of a list
    kind: ControlKind
    text: Text
    rule: str | None = None
    reading: Reading = CERTAIN
    values: tuple[tuple[str, Text], ...] = ()
    least: int | None = None
    most: int | None = None
    default: Value | tuple[str, ...] | None = None
    optional: bool = False  # it may be left open
    required: bool = False  # it must be stated

    @cached_property
    def list(self) -> str:
        return self.place.rpartition(".")[0]

    @cached_property
    def field(self) -> str:
        return self.place.rpartition(".")[2]


def controls(id_: str, procedure: str) -> Mapping[str, Control]:
    """Give every control of a procedure by its place, in the order of the set-up's fields."""
    return _controls(game.place(id_), procedure)


@cache
def _controls(place: GamePlace, procedure: str) -> Mapping[str, Control]:
    rules = game.load(place.id)
    maker = _Maker(rules.card, load(place.id))
    found = _fields(rules.procedure(procedure))
    return MappingProxyType({place: maker.control(place, field) for place, field in found})


def _fields(procedure: Procedure) -> Iterator[tuple[str, inspect.Field]]:
    """Give every field of a set-up and of the units in its lists."""
    setup = inspect.type_info(procedure.setup)
    if not isinstance(setup, inspect.StructType):
        raise TypeError(f"a set-up is a struct, not {setup!r}")
    for field in setup.fields:
        if isinstance(field.type, inspect.VarTupleType) and isinstance(
            field.type.item_type, inspect.StructType
        ):
            for unit_field in field.type.item_type.fields:
                yield f"{field.name}.{unit_field.name}", unit_field
        else:
            yield field.name, field


class _Maker:
    """Makes controls from types, with labels and words from card and aid file."""

    def __init__(self, card: Card, aid: Aid) -> None:
        self.facts: dict[str, Fact] = {fact.id: fact for fact in card.facts}
        self.terrain: dict[str, Text] = {row.id: row.text for row in card.terrain}
        self.ground = tuple(row.id for row in card.terrain if row.on == "hex")
        self.rows = card.row_names
        self.card = card
        self.orders = {field.id: field.values for field in card.unit_fields}
        self.aid = aid

    def control(self, place: str, field: inspect.Field) -> Control:
        name = place.rpartition(".")[2]
        type_, optional = _without_none(field.type)
        fact = self.facts.get(name)
        values = self._values(type_, name, fact)
        return Control(
            place=place,
            kind=_kind(type_, values),
            text=self._label(name, fact),
            rule=fact.rule if fact else None,
            reading=fact.reading if fact else CERTAIN,
            values=tuple((value, self._word(value)) for value in values),
            least=_bound(fact.least if fact else None, getattr(type_, "ge", None)),
            most=_bound(fact.most if fact else None, getattr(type_, "le", None)),
            default=None if field.default is NODEFAULT else field.default,
            optional=optional,
            required=field.required,
        )

    def _label(self, name: str, fact: Fact | None) -> Text:
        return self.aid.labels.get(name) or (fact.text if fact else in_words(name))

    def _word(self, value: str) -> Text:
        found = self.aid.values.get(value) or self.terrain.get(value) or self.rows.get(value)
        return found or self.card.find_phrase(f"word-{value}") or in_words(value)

    def _values(self, type_: inspect.Type, name: str, fact: Fact | None) -> tuple[str, ...]:
        """Give the possible words of a field, in the order of the card, else of the aid file."""
        if isinstance(type_, inspect.LiteralType):
            stated = {str(value) for value in type_.values}
            known = fact.values if fact else tuple(self.aid.values)
            known = known or self.orders.get(name, ())
            return tuple(value for value in known if value in stated) or tuple(sorted(stated))
        if isinstance(type_, inspect.VarTupleType):
            inner = self._values(type_.item_type, name, fact)
            return inner or (fact.values if fact and fact.values else self.ground)
        return self.aid.words.get(name, ())


def _without_none(type_: inspect.Type) -> tuple[inspect.Type, bool]:
    if isinstance(type_, inspect.UnionType):
        (inner,) = (t for t in type_.types if not isinstance(t, inspect.NoneType))
        return inner, True
    return type_, False


def _kind(type_: inspect.Type, values: tuple[str, ...]) -> ControlKind:
    match type_:
        case inspect.BoolType():
            return "flag"
        case inspect.IntType():
            return "number"
        case inspect.VarTupleType():
            return "set"
    return "word" if values else "name"


def _bound(card_bound: int | None, type_bound: int | None) -> int | None:
    return card_bound if card_bound is not None else type_bound


def readable(stated: Mapping[str, object], known: Mapping[str, Control]) -> dict[str, object]:
    """Keep the stated values that their controls can show; the rules refuse the others."""
    lists: dict[str, dict[str, Control]] = {}
    for control in known.values():
        lists.setdefault(control.list, {})[control.field] = control
    found = _readable(stated, lists.pop("", {}))
    for list_, fields in lists.items():
        entries = stated.get(list_)
        units = entries if isinstance(entries, list) else []
        found[list_] = [_readable(unit, fields) for unit in units if isinstance(unit, dict)]
    return found


def _readable(stated: Mapping[str, object], fields: Mapping[str, Control]) -> dict[str, object]:
    return {
        field: tuple(value) if isinstance(value, list) else value
        for field, value in stated.items()
        if (control := fields.get(field)) is not None and _shows(control, value)
    }


def _shows(control: Control, value: object) -> bool:
    match control.kind:
        case "flag":
            return isinstance(value, bool)
        case "number":
            return isinstance(value, int) and not isinstance(value, bool)
        case "set":
            return isinstance(value, list) and all(isinstance(word, str) for word in value)
    return isinstance(value, str)
