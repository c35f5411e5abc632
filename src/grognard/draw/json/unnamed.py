"""Answers without the names of counters that are hidden from their reader."""

from collections.abc import Mapping
from typing import TypeVar, cast

import msgspec
from msgspec import Struct

from grognard.maps.labels import Labels, labelled

T = TypeVar("T")


def without_names(value: T, hidden: Labels) -> T:
    """Put the labels of hidden counters in the place of their names, in every text of a value."""
    return cast("T", _without(value, hidden)) if hidden else value


def _without(value: object, hidden: Labels) -> object:
    match value:
        case str():
            return labelled(value, hidden)
        case Struct():
            parts = {name: getattr(value, name) for name in value.__struct_fields__}
            return msgspec.structs.replace(
                value, **{name: _without(part, hidden) for name, part in parts.items()}
            )
        case list():
            return [_without(part, hidden) for part in value]
        case tuple():
            return tuple(_without(part, hidden) for part in value)
        case Mapping():
            return {key: _without(part, hidden) for key, part in value.items()}
    return value
