"""Endpoints: method, path, types of body and answer, and the function that answers.

Routes and the OpenAPI description are both made from them, so they can't differ.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.card.card import decode_hook
from grognard.files.plain_data import TOO_DEEP, too_large
from grognard.files.toml_file import explain_error
from grognard.files.value_path import written
from grognard.web.lanes.answering import LIGHT_FIRST, Kind, answered
from grognard.web.language import language
from grognard.web.limits import WORD, check_body
from grognard.web.responses import HttpRefusal, json_response, refusal_response
from grognard.words.foreign import HALF_CHARACTER, foreign
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

Schema = Mapping[str, object]
NOTHING: Schema = MappingProxyType({})


class Call(NamedTuple):
    """A request to an endpoint."""

    request: Request
    lang: Lang

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def query(self, name: str) -> str | None:
        return self.request.query_params.get(name)


def _nothing(call: Call) -> object:
    raise NotImplementedError(f"no function answers {call.request.url.path}")


class Endpoint(Struct, frozen=True):
    """A method and a path, and a decorator of the function that answers.

    `run` is given the call, and the body if there is one. It gives data for a JSON answer, or a
    whole response. It runs in a thread; in a worker process if its work is not light.
    """

    method: str
    path: str
    summary: Message
    run: Callable[..., object] = _nothing
    body: object = None  # a type, or nothing
    answer: object = None  # a type, or a schema
    status: int = 200  # of the answer
    media: str = "application/json"  # of the answer
    query: Mapping[str, Message] = MappingProxyType({})  # name -> its meaning
    refuses: Mapping[int, Message] = MappingProxyType({})  # besides what every endpoint refuses
    example: object = None  # a body that is accepted
    word: int = WORD  # characters that a text of the body may have
    work: Kind = LIGHT_FIRST
    shown_at: str = ""  # path of a GET with the same answer, of an endpoint that changes something

    def __call__(self, run: Callable[..., object]) -> "Endpoint":
        """Let a function answer; its annotations are the types of the body and the answer."""
        types = get_type_hints(run, include_extras=True)
        answer = types["return"] if self.answer is None else self.answer
        return replace(self, run=run, body=types.get("body"), answer=answer)

    def bound(self, *first: object) -> "Endpoint":
        """Give the function its first arguments, such as the matches that it serves."""
        return replace(self, run=partial(self.run, *first))


def routes(endpoints: Iterable[Endpoint]) -> list[Route]:
    """Make a route for each path. A refused method is answered with those that are possible."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        if endpoint.body:  # two threads must not both be the first to use a type
            msgspec.json.Decoder(endpoint.body, dec_hook=decode_hook)
        paths.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [_route(path, verbs) for path, verbs in paths.items()]


def _route(path: str, verbs: Mapping[str, Endpoint]) -> Route:
    async def answer(request: Request) -> Response:
        return await _answer(verbs["GET" if request.method == "HEAD" else request.method], request)

    return Route(path, answer, methods=list(verbs))


async def _answer(endpoint: Endpoint, request: Request) -> Response:
    lang = language(request)
    try:
        posted = await request.body() if endpoint.body else b""
        body = [read_body(endpoint.body, posted, endpoint.word)] if endpoint.body else []
        run = partial(endpoint.run, Call(request, lang), *body)
        work = endpoint.work
        if endpoint.shown_at:
            work = work._replace(instead=endpoint.shown_at.format(**request.path_params))
        data = await answered(request, run, posted, work)
    except (HttpRefusal, Refusal) as problem:
        return refusal_response(problem, lang)
    return data if isinstance(data, Response) else json_response(data, endpoint.status)


# The first half of a character, written as \ud800, without its second: the decoder would take the
# end of the body for it.
_HALF_CHARACTER = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])")


def read_body(type_: object, body: bytes, word: int = WORD) -> object:
    """Read a body into its type; a mistake is refused with its place."""
    try:
        data = msgspec.json.decode(body.removeprefix(BOM_UTF8))
    except RecursionError:
        raise Refusal(TOO_DEEP) from None
    except msgspec.ValidationError:  # the one of data without a type: a number beyond all limits
        raise Refusal(too_large()) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        half = _HALF_CHARACTER.search(body)
        problem = HALF_CHARACTER if half else foreign(error)
        raise HttpRefusal(
            400, Refusal(say("this is not JSON: {problem}", problem=problem))
        ) from None
    check_body(data, word)

    def convert(data: object) -> object:
        read: object = msgspec.convert(data, type_, dec_hook=decode_hook)
        return read

    try:
        return convert(data)
    except msgspec.ValidationError as error:
        problem, path = explain_error(error, data, type_, convert)
        raise Refusal(problem, place=written(path)) from None


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Put the part of the body before the place of a refusal."""
    try:
        yield
    except Refusal as refusal:
        whole = ".".join(part for part in (place, refusal.place) if part)
        raise Refusal(refusal.problem, place=whole) from None
