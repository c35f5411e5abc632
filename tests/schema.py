"""Write the JSON Schema of the card format from its types (`make schema`)."""

from fractions import Fraction
from functools import partial
from inspect import cleandoc
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from grognard.card.card import FORMAT, Card, encode_hook
from grognard.card.modifier_rows import Condition

FILE = Path(__file__).parent.parent / "src" / "grognard" / "card" / "card.schema.json"

_TEST = r"(not )?[a-z_0-9]+( (=|has) \S+| (>=|<=) -?\d+)?"


def _words_of(type_: type) -> dict[str, Any]:
    """Describe the types that TOML does not have."""
    if type_ is Fraction:
        fraction = {"type": "string", "pattern": r"^[+-]?\d+(/0*[1-9]\d*)?$"}
        return {
            "description": "A whole number, or a fraction such as '1/2'.",
            "anyOf": [{"type": "integer"}, fraction],
        }
    if type_ is Condition:
        return {
            "description": "A fact in words, such as 'night' or 'range >= 3'.",
            "type": "string",
            "pattern": f"^{_TEST}( or {_TEST})*$",
        }
    raise NotImplementedError(type_)


def generated() -> dict[str, Any]:
    """Make the schema from the types."""
    # msgspec writes defaults without asking for a hook; those of mappings need ours.
    builtins = partial(msgspec.to_builtins, enc_hook=encode_hook)
    with patch("msgspec._json_schema.to_builtins", builtins):
        schema = msgspec.json.schema(Card, schema_hook=_words_of)
    for type_ in schema["$defs"].values():
        if "description" in type_:  # a docstring, which Python 3.13 and older ones indent otherwise
            type_["description"] = cleandoc(type_["description"])
    _relax(schema["$defs"])
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = f"A Grognard card, format {FORMAT}"
    return schema


# Keys that a card which says how its fights run may leave out: card/defaults fills them in.
_DEFAULTS = {
    "Card": ("format", "id", "name"),
    "Table": ("id", "rows", "columns"),
    "Modifier": ("group",),
    "Terrain": ("on",),
    "ProcedureRow": ("id",),
}
_WORDS = {"type": "string", "pattern": r"\S"}


def _relax(types: dict[str, Any]) -> None:
    """Allow what `card/defaults` and a card in one language may write in short."""
    for name, type_ in types.items():
        left_out = ("text", *_DEFAULTS.get(name, ()))
        if "required" in type_:
            type_["required"] = [key for key in type_["required"] if key not in left_out]
    text = types["Text"]
    del text["required"]
    types["Text"] = {"anyOf": [{**text, "minProperties": 1}, _WORDS]}
    table, result = types["Table"]["properties"], {"$ref": "#/$defs/Result"}
    table["grid"] = {"anyOf": [table["grid"], _WORDS]}
    by_code = {
        "type": "object",
        "additionalProperties": {"anyOf": [_WORDS, result]},
    }
    table["results"] = {"anyOf": [table["results"], by_code]}
    types["Result"]["required"] = []
    terrain, costs = types["Terrain"]["properties"], [_WORDS, {"type": "integer"}]
    by_class = {"type": "object", "additionalProperties": {"anyOf": costs}}
    terrain["cost"] = {"anyOf": [by_class, *costs]}
    modifier = types["Modifier"]["properties"]
    modifier["when"] = {"anyOf": [modifier["when"], modifier["when"]["items"]]}


def written() -> bytes:
    """Give the schema as it should be on disk."""
    order = msgspec.json.encode(generated(), order="sorted")
    return msgspec.json.format(order, indent=2) + b"\n"


if __name__ == "__main__":
    FILE.write_bytes(written())
