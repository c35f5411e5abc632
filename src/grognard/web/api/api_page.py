"""The JSON interface as a page to read, made from its OpenAPI description."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.web.api.endpoint import Endpoint
from grognard.web.api.openapi import JsonSchema, described, refusals
from grognard.web.templating import page, page_route
from grognard.words.message import Message


class ShownKey(NamedTuple):
    """A key of a body or of an answer."""

    name: str
    kind: str  # the JSON Schema type; empty if there are several
    needed: bool


class ShownEndpoint(NamedTuple):
    """An endpoint with everything that a caller has to know."""

    anchor: str
    endpoint: Endpoint
    takes: tuple[ShownKey, ...]
    gives: tuple[ShownKey, ...]
    curl: str


def pages(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Make the route of the page that describes these endpoints."""

    @cache
    def entries() -> tuple[ShownEndpoint, ...]:
        return tuple(_entries(endpoints, described(endpoints)))

    def show(request: Request) -> Response:
        base = str(request.base_url).rstrip("/")
        return page(
            request, "api.html", entries=entries(), refused=_everywhere(endpoints), base=base
        )

    return [page_route("/api", show)]


def _entries(endpoints: Sequence[Endpoint], description: JsonSchema) -> Iterator[ShownEndpoint]:
    schemas = description["components"]["schemas"]
    for one in endpoints:
        operation = description["paths"][one.path][one.method.lower()]
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        answer = operation["responses"][str(one.status)]["content"][one.media]
        yield ShownEndpoint(
            operation["operationId"],
            one,
            tuple(_parts(body.get("schema", {}), schemas)),
            tuple(_parts(answer["schema"], schemas)),
            _curl(one),
        )


def _parts(schema: JsonSchema, schemas: JsonSchema) -> Iterator[ShownKey]:
    """Give the keys of an object; of a list, those of its items; of a choice, the common ones."""
    objects = [*_objects(schema, schemas)]
    for name, part in objects[0].items() if objects else ():
        if all(name in other for other in objects):
            needed = all(other[name].needed for other in objects)
            yield part._replace(needed=needed)


def _objects(schema: JsonSchema, schemas: JsonSchema) -> Iterator[dict[str, ShownKey]]:
    """Give the keys of every object that a schema allows."""
    if "$ref" in schema:
        yield from _objects(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    elif "anyOf" in schema:
        for choice in schema["anyOf"]:
            yield from _objects(choice, schemas)
    elif schema.get("type") == "array":
        yield from _objects(schema.get("items", {}), schemas)
    else:
        needed = schema.get("required", ())
        properties = schema.get("properties") or {name: {} for name in needed}
        if properties:
            yield {
                name: ShownKey(name, _kind(part, schemas), name in needed)
                for name, part in properties.items()
            }


def _kind(schema: JsonSchema, schemas: JsonSchema) -> str:
    if "$ref" in schema:
        return _kind(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    return str(schema.get("type", ""))


def _everywhere(endpoints: Sequence[Endpoint]) -> Mapping[int, Message]:
    """Give the refusals that are common to all endpoints."""
    every = {
        status: reason
        for one in endpoints
        for status, reason in refusals(one).items()
        if status not in one.refuses
    }
    return dict(sorted(every.items()))


def _curl(one: Endpoint) -> str:
    """Write a command that calls the endpoint; the page puts its own address before the path."""
    path = one.path.replace("{game}", "bautzen").replace("{id}", "ID")
    verb = "" if one.method in ("GET", "POST") else f"-X {one.method} "
    if one.body is None:
        return f"{verb}{{base}}{path}"
    posted = "@FILE" if one.example is None else json.dumps(one.example, ensure_ascii=False)
    return f"{verb}{{base}}{path} -H 'content-type: application/json' -d '{posted}'"
