"""The OpenAPI description of the JSON interface, generated from the endpoints."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from grognard import card
from grognard.draw.json.card import CellJson
from grognard.draw.json.fight_question import QUESTIONS
from grognard.draw.json.match_log import ENTRIES
from grognard.draw.json.match_question import MATCH_QUESTIONS
from grognard.draw.json.structs import ANSWER_SCHEMA, COMPONENTS
from grognard.fights.record import Record
from grognard.files.plain_data import NUMBER
from grognard.rules import game
from grognard.rules.procedure import Game
from grognard.web.api.endpoint import Endpoint
from grognard.web.limits import BODY, UNITS, WORD
from grognard.web.request_guard import SAFE
from grognard.web.responses import RefusalAnswer
from grognard.words.message import Message, say

JsonSchema = dict[str, Any]  # its values are of many types
# Structs that no endpoint names directly: members of unions, parts of cards, refusals.
_PARTS = (*QUESTIONS, *MATCH_QUESTIONS, *ENTRIES, CellJson, Record, RefusalAnswer)

_CARD_SCHEMA = Path(card.__file__).parent / "card.schema.json"
_BOUNDS = {
    "integer": {"minimum": -NUMBER, "maximum": NUMBER},
    "string": {"maxLength": WORD},
    "array": {"maxItems": UNITS},
}
_REFUSAL = {"$ref": f"{COMPONENTS}RefusalAnswer"}
_ABOUT = (
    "The combat rules of hex-and-counter wargames. Fights are stated as in the files that the "
    "command reads, and the answers have the keys of its `--json`. docs/web.md shows each by "
    "example, with the limits of what is accepted."
)


def described(endpoints: Sequence[Endpoint]) -> JsonSchema:
    """Describe endpoints: paths, parameters, bodies, and every possible answer."""
    types = [type_ for one in endpoints for type_ in (one.body, _type(one.answer))]
    schemas, components = msgspec.json.schema_components(
        [*types, *_PARTS], ref_template=f"{COMPONENTS}{{name}}"
    )
    components["Answer"] = ANSWER_SCHEMA
    paths: JsonSchema = {}
    for one, body, answer in zip(endpoints, schemas[::2], schemas[1::2], strict=False):
        gives = one.answer if isinstance(one.answer, Mapping) else answer
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, body, gives)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Grognard", "version": version("grognard"), "description": _ABOUT},
        "paths": paths,
        "components": {"schemas": {**components, **_card_schemas(), **_fight_schemas()}},
    }


def _type(answer: object) -> object:
    """Give the type of an answer; None for one that is stated as a schema."""
    return None if isinstance(answer, Mapping) else answer


def endpoint(endpoints: Sequence[Endpoint]) -> Endpoint:
    """Make the endpoint of the description; it describes itself too."""

    @cache
    def whole() -> JsonSchema:
        return described([*endpoints, itself])

    answer = {"type": "object", "required": ["openapi", "info", "paths", "components"]}
    summary = say("This description")
    itself = Endpoint("GET", "/api/openapi.json", summary, lambda _: whole(), answer=answer)
    return itself


# ------------------------------------------------------------------ operations


def _operation(one: Endpoint, body: JsonSchema, answer: Mapping[str, object]) -> JsonSchema:
    answers = {str(one.status): _answer("The answer", one.media, answer)}
    for status, reason in sorted(refusals(one).items()):
        answers[str(status)] = _answer(str(reason), "application/json", _REFUSAL)
    path = one.path.removeprefix("/api")
    operation: JsonSchema = {
        "operationId": "_".join([one.method.lower(), *re.findall(r"[a-z]+", path)]),
        "summary": str(one.summary),
        "parameters": [*_parameters(one)],
        "responses": answers,
    }
    if one.body is not None:
        stated = {} if one.example is None else {"example": one.example}
        content = {"application/json": {"schema": body, **stated}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _answer(description: str, media: str, schema: Mapping[str, object]) -> JsonSchema:
    return {"description": description, "content": {media: {"schema": dict(schema)}}}


def refusals(one: Endpoint) -> dict[int, Message]:
    """Give the refusals of the request guard, of reading the body, and of the endpoint."""
    found = {
        421: say("this server does not answer for the host"),
        422: say("the rules or a limit refuse it"),
    }
    if one.method not in SAFE:
        found[403] = say("a page of another site may not post here")
        found[413] = say("the body is longer than {n} bytes", n=BODY)
        found[415] = say("the body is not of type application/json")
    if one.body is not None:
        found[400] = say("the body is not JSON")
    return {**found, **one.refuses}


def _parameters(one: Endpoint) -> Iterator[JsonSchema]:
    for name in re.findall(r"{(\w+)}", one.path):
        schema = {"type": "string", "minLength": 1}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name, description in one.query.items():
        meaning = {"description": str(description), "schema": {"type": "string"}}
        yield {"name": name, "in": "query", **meaning}
    yield {
        "name": "lang",
        "in": "query",
        "description": "language of the answer; otherwise as the cookie or the browser says",
        "schema": {"enum": ["en", "fr"]},
    }


# ------------------------------------------------------------------ what a game adds


def _card_schemas() -> JsonSchema:
    """Give the card's published schema; each table also has its parsed cells."""
    text = _CARD_SCHEMA.read_text(encoding="utf-8").replace("#/$defs/", f"{COMPONENTS}Card.")
    parts: JsonSchema = msgspec.json.decode(text)["$defs"]
    cells = {"type": "array", "items": {"$ref": f"{COMPONENTS}CellJson"}}
    parts["Table"]["properties"]["read"] = cells
    parts["Table"]["required"].append("read")
    whole = parts.pop("Card")
    return {"Card": whole, **{f"Card.{name}": part for name, part in parts.items()}}


def _fight_schemas() -> JsonSchema:
    """Give the schema of a fight: any procedure of any game."""
    found: JsonSchema = {}
    refs: list[JsonSchema] = []
    for loaded in map(game.load, game.ids()):
        setups = [procedure.setup for procedure in loaded.procedures]
        stated, components = msgspec.json.schema_components(
            setups, ref_template=f"{COMPONENTS}{loaded.id}.{{name}}"
        )
        for setup, procedure in zip(setups, loaded.procedures, strict=True):
            _state(components[setup.__name__], loaded, procedure.id)
        found |= {f"{loaded.id}.{name}": schema for name, schema in components.items()}
        refs += stated
    _limit(found)
    return {**found, "Fight": {"anyOf": refs}}


def _state(schema: JsonSchema, loaded: Game, procedure: str) -> None:
    """Add game, procedure and options to the schema of a set-up."""
    first = procedure == loaded.procedures[0].id
    options = {
        option.id: {"enum": [choice.id for choice in option.choices]}
        for option in loaded.card.options
    }
    schema["properties"] = {
        "game": {"const": loaded.id},
        "procedure": {"const": procedure},
        "options": {"type": "object", "properties": options, "additionalProperties": False},
        **schema["properties"],
    }
    stated = ["game"] if first else ["game", "procedure"]
    schema["required"] = [*stated, *schema.get("required", [])]


def _limit(schema: object) -> None:
    """Add the limits of numbers, texts and lists to a schema."""
    if isinstance(schema, dict):
        for word, bounds in _BOUNDS.items():
            if schema.get("type") == word:
                schema.update({key: n for key, n in bounds.items() if key not in schema})
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            _limit(part)
