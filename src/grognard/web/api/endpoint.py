"""Endpoints: method, path, types of body and answer, and the function that answers.

Routes and the OpenAPI description are both made from them, so they can't differ.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from inspect import iscoroutinefunction
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import msgspec
from anyio import to_thread
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.card.card import decode_hook
from grognard.files.toml_file import explain_error, written
from grognard.web.language import language
from grognard.web.limits import TOO_DEEP, check_body
from grognard.web.process_settings import THREADS
from grognard.web.responses import HttpRefusal, json_response, refusal_response
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

Schema = Mapping[str, object]
NOTHING: Schema = MappingProxyType({})
T = TypeVar("T")


class Call(NamedTuple):
    """A request to an endpoint, its body already read into the endpoint's type."""

    request: Request
    body: object
    lang: Lang

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def query(self, name: str) -> str | None:
        return self.request.query_params.get(name)

    def given(self, type_: type[T]) -> T:
        """Give the body, which the endpoint has read into this type."""
        if not isinstance(self.body, type_):
            raise TypeError(f"the endpoint reads {type_}, not {self.body!r}")
        return self.body


class Endpoint(Struct, frozen=True, kw_only=True):
    """A method and a path.

    `run` gives data for a JSON answer, or a whole response. A plain function runs in a worker
    thread, a coroutine in the event loop.
    """

    method: str
    path: str
    summary: Message
    run: Callable[[Call], object] | Callable[[Call], Awaitable[object]]
    body: object = None  # a type, or nothing
    answer: object = NOTHING  # a type, or a schema
    status: int = 200  # of the answer
    media: str = "application/json"  # of the answer
    query: Mapping[str, Message] = MappingProxyType({})  # name -> its meaning
    refuses: Mapping[int, Message] = MappingProxyType({})  # besides what every endpoint refuses
    example: object = None  # a body that is accepted


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
        body = read_body(endpoint.body, await request.body()) if endpoint.body else None
        call = Call(request, body, lang)
        if iscoroutinefunction(endpoint.run):
            data = await endpoint.run(call)
        else:
            data = await to_thread.run_sync(endpoint.run, call, limiter=THREADS)
    except (HttpRefusal, Refusal) as problem:
        return refusal_response(problem, lang)
    return data if isinstance(data, Response) else json_response(data, endpoint.status)


def read_body(type_: object, body: bytes) -> object:
    """Read a body into its type; a mistake is refused with its place."""
    try:
        data = msgspec.json.decode(body)
    except RecursionError:
        raise Refusal(TOO_DEEP) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = say("this is not JSON: {problem}", problem=str(error))
        raise HttpRefusal(400, Refusal(problem)) from None
    check_body(data)

    def convert(data: object) -> object:
        read: object = msgspec.convert(data, type_, dec_hook=decode_hook)
        return read

    try:
        return convert(data)
    except msgspec.ValidationError as error:
        problem, path = explain_error(error, data, type_, convert)
        raise Refusal(problem, place=written(path)) from None
