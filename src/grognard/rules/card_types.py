"""Types of the set-ups of a card: made from its unit fields, states and facts."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, cast

from msgspec import Meta, defstruct

from grognard.card.card import Card
from grognard.card.modifier_rows import Fact
from grognard.card.procedures import LARGEST, ProcedureRow, UnitField
from grognard.rules.fight import Count, Setup, Unit
from grognard.rules.stages.state import needs

FieldType = tuple[str, Any, Any]  # name, type and default, as msgspec takes them


def setup_type(card: Card, row: ProcedureRow) -> type[Setup]:
    """Make the type of what is stated for a procedure."""
    name = "".join(word.capitalize() for word in f"{card.id} {row.id}".replace("-", " ").split())
    unit = defstruct(
        f"{name}Unit",
        [*_unit_fields(card, row)],
        bases=(Unit,),
        module=__name__,
        frozen=True,
        kw_only=True,
    )
    units = Annotated[tuple[unit, ...], Meta(min_length=1)]  # type: ignore[valid-type]  # made here
    fields: list[Any] = [("attackers", units), ("defenders", units), *map(_fact, _facts(card))]
    if needs(card).retreat:
        fields += [(f"{side}_room", Count | None, None) for side in ("attacker", "defender")]
    made = defstruct(
        name,
        fields,
        bases=(Setup,),
        module=__name__,
        frozen=True,
        kw_only=True,
        namespace={"__doc__": "What is stated before a fight."},
    )
    return cast(type[Setup], made)


def _unit_fields(card: Card, row: ProcedureRow) -> Iterator[FieldType]:
    yield "steps", Annotated[int, Meta(ge=1, le=LARGEST)], 1
    yield from printed_fields(card, row)
    yield from ((state.id, bool, False) for state in card.states)


def printed_fields(card: Card, row: ProcedureRow) -> Iterator[FieldType]:
    """Give the values of a counter besides its steps: what is added up, and what is declared."""
    declared = [field.id for field in card.unit_fields]
    for name in dict.fromkeys((row.attack, row.defence)):
        if name not in declared:
            yield name, Annotated[int, Meta(ge=0, le=LARGEST)], 0
    yield from (_field(field) for field in card.unit_fields)


def _field(field: UnitField) -> FieldType:
    match field.kind:
        case "flag":
            return field.id, bool, bool(field.default)
        case "word":
            return field.id, Literal[field.values], field.default or field.values[0]
    most = LARGEST if field.most is None else field.most
    type_ = Annotated[int, Meta(ge=field.least, le=most)]
    return field.id, type_, field.least if field.default is None else field.default


def _facts(card: Card) -> Iterator[Fact]:
    """Give the facts that are stated for the fight; those of units are fields of theirs."""
    return (fact for fact in card.facts if fact.of != "unit")


def _fact(fact: Fact) -> FieldType:
    match fact.kind:
        case "flag":
            return fact.id, bool, False
        case "number":
            least = -LARGEST if fact.least is None else fact.least
            most = LARGEST if fact.most is None else fact.most
            default = min(max(0, least), most)
            return fact.id, Annotated[int, Meta(ge=least, le=most)], default
        case "word" if fact.values:
            return fact.id, Literal[fact.values], fact.values[0]
        case "set" if fact.values:
            word: Any = Literal[fact.values]
            return fact.id, tuple[word, ...], ()
    return fact.id, tuple[str, ...], ()
