"""Building blocks of JSON answers: joined structs, unions, numbers.

An answer is a struct: it is written as JSON with its fields in their order, and the OpenAPI
description is generated from it. Later versions may add keys, and take none away.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, dataclass_transform

import msgspec
from msgspec import UNSET, Meta, Struct, StructMeta

from grognard.rules.ask import Answer

COMPONENTS = "#/components/schemas/"  # where an OpenAPI description keeps its schemas

Exact = Annotated[str, Meta(pattern=r"^-?\d+(/\d+)?$", description="an exact fraction, as 5/6")]
NumberJson = int | str | None  # a fraction is text, such as 9/2

M = TypeVar("M", bound=StructMeta)
T = TypeVar("T", bound=Struct)


class _JsonMeta(StructMeta):
    """Metaclass that makes every answer immutable, with named fields."""

    def __new__(
        cls: type[M],
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        frozen: bool = True,
        rename: Mapping[str, str] | None = None,
    ) -> M:
        return StructMeta.__new__(
            cls, name, bases, namespace, frozen=frozen, kw_only=True, rename=rename
        )


@dataclass_transform(kw_only_default=True, frozen_default=True)
class JsonStruct(Struct, frozen=True, metaclass=_JsonMeta):
    """A part of an answer. A field that may be UNSET is left out of the JSON then."""


class Joined(_JsonMeta):
    """Metaclass of a struct that has the fields of several others, one after the other.

    Its own fields come last; one that others have too keeps its place and gets another type. All
    fields must be given, except those that may be UNSET.
    """

    def __new__(cls: type[M], name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> M:
        fields = [field for base in bases for field in msgspec.structs.fields(base)]
        own = namespace.get("__annotations__", {})
        unset = {field.name: UNSET for field in fields if field.default is UNSET}
        annotations = {field.name: field.type for field in fields} | own
        whole = {**unset, **namespace, "__annotations__": annotations}
        return _JsonMeta.__new__(cls, name, (Struct,), whole)


def joined(type_: type[T], *parts: object, **more: object) -> T:
    """Make a struct from the attributes of things that are named like its fields, and from more.

    Where several things have such an attribute, that of the last counts.
    """
    names = [name for name in type_.__struct_fields__ if name not in more]
    found = {name: getattr(p, name) for p in parts for name in names if hasattr(p, name)}
    return type_(**found, **more)


def one_of(*types: type | None) -> object:
    """Describe a value that is one of several structs; msgspec itself describes only tagged ones.

    The description must be given these structs besides, see `openapi.described`.
    """
    choices = [
        {"type": "null"} if type_ is None else {"$ref": f"{COMPONENTS}{type_.__name__}"}
        for type_ in types
    ]
    return Annotated[Any, Meta(extra_json_schema={"anyOf": choices})]


ANSWER_SCHEMA = {
    "anyOf": [
        {"type": "integer"},
        {"type": "string"},
        {"type": "array", "items": {"$ref": f"{COMPONENTS}Answer"}},
    ]
}
# Checked against what is asked, not by its type; msgspec does not describe a type that contains
# itself.
PostedAnswer = Annotated[Any, Meta(extra_json_schema={"$ref": f"{COMPONENTS}Answer"})]
# A fight as a file states it. The types of the games read it, and are its description.
FightJson = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{COMPONENTS}Fight"})]
if TYPE_CHECKING:
    AnswerJson = Answer
else:
    AnswerJson = PostedAnswer


def number(value: int | Fraction | str | None) -> NumberJson:
    """Write whole numbers as such and fractions as `9/2`."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return value
