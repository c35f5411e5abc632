"""How a request is answered: lightly in this process, or by a worker in the lane.

A worker has the same application on the same store. A request whose work is not light is handed to
it as it came, and its response is passed on.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response

from grognard.fights.work_budget import TooHeavy, allow_light
from grognard.matches.storage.seats import Place
from grognard.rules import game_places
from grognard.web.lanes.lane import Lane
from grognard.web.lanes.workers import Dropped
from grognard.web.language import language
from grognard.web.limits import LIGHT
from grognard.web.matches.webhook import TellTurn
from grognard.web.process_settings import THREADS
from grognard.web.responses import HttpRefusal
from grognard.web.server_config import Limits
from grognard.words.message import say
from grognard.words.refusal import Refusal

T = TypeVar("T")
# A long match is replayed beside the threads that answer taps, one at a time.
REPLAYS = CapacityLimiter(1)
GONE = 499  # status for a client that has left; nobody reads it
REMEMBERED = 4 * 1024 * 1024  # bytes of responses that exceeded their budget


class Handed(NamedTuple):
    """A request for a worker: plain data."""

    method: str
    path: str
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    scheme: str
    visitor: str
    begun: tuple[str, ...]  # matches that the visitor has begun
    body: bytes


class Handled(NamedTuple):
    """The response of a worker."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    over_budget: bool  # whether something was refused for lack of budget
    woken: tuple[str, ...] = ()  # matches whose automatic players have to answer
    turns: tuple[Place, ...] = ()  # seats whose turn it has become
    begun: tuple[str, ...] = ()  # matches that the visitor has begun by now


class ServerState(NamedTuple):
    """What a worker has to know of the server."""

    workshop: bool
    limits: Limits
    open: bool  # whether strangers reach it


class Room(Protocol):
    """What the server remembers of the matches that visitors have begun."""

    def begun(self, visitor: str) -> tuple[str, ...]:
        """Give the matches that a visitor has begun, or let play themselves."""

    def note(self, ids: Iterable[str], visitor: str) -> None:
        """Note that a visitor has begun matches, or lets them play themselves."""


class Cold(Exception):  # it says where the work belongs, not that it failed
    """A long match has to be replayed: not in a thread that answers taps."""


_patient: ContextVar[bool] = ContextVar("_patient", default=True)


def impatient() -> bool:
    """Tell whether this context must not replay a long match."""
    return not _patient.get()


class Lanes:
    """The lane of an application, and what it remembers of earlier requests."""

    def __init__(
        self,
        lane: Lane,
        handle: Callable[[Path | str, ServerState, Handed], Handled],  # a function of a module
        store: Path | str,
        wake: Callable[[str], None],
        tell_turn: TellTurn,
        state: ServerState,
        stamp: Callable[[Request], str],
        room: Room,
    ) -> None:
        self.lane = lane
        self.store = store
        self._state = state
        self._handle = handle
        self._wake, self._tell_turn = wake, tell_turn
        self._stamp = stamp  # what an answer depends on besides its request; in a thread
        self._room = room
        self._heavy: OrderedDict[bytes, None] = OrderedDict()  # requests whose work is not light
        self._refused: OrderedDict[bytes, Handled] = OrderedDict()
        self._kept = 0  # bytes of these

    async def answered(
        self, request: Request, run: Callable[[], T], body: bytes, kind: "Kind"
    ) -> T | Response:
        """Answer lightly if possible, else in the lane."""
        if kind.instead is not None:
            return await self._done(request, run, kind.instead)
        key = _key(request, body)
        if not kind.heavy and key not in self._heavy:
            try:
                return await _light(run)
            except TooHeavy:
                self._heavy[key] = None
                if len(self._heavy) > 4096:
                    self._heavy.popitem(last=False)
        handed = self._handed(request, body)
        return _response(await self._handed_on(request, handed, steady=kind.steady))

    async def _done(self, request: Request, run: Callable[[], T], shown_at: str) -> T | Response:
        """Do an action here, each time that it is asked for; let a worker only show the result."""
        try:
            return await _light(run)
        except TooHeavy:
            handed = self._handed(request, b"")._replace(method="GET", path=shown_at)
        try:
            return _response(await self._handed_on(request, handed, steady=True))
        except HttpRefusal as refusal:
            problem = say("this was done and counts; it can be shown in a moment")
            raise HttpRefusal(refusal.status, Refusal(problem), refusal.retry) from None

    def _handed(self, request: Request, body: bytes) -> Handed:
        scope = request.scope
        visitor = scope.get("visitor", "")
        return Handed(
            request.method,
            scope["path"],
            scope["query_string"],
            tuple(scope["headers"]),
            scope["scheme"],
            visitor,
            self._room.begun(visitor),
            body,
        )

    async def _handed_on(self, request: Request, handed: Handed, *, steady: bool) -> Handled:
        key = None
        if steady:
            stamp = await to_thread.run_sync(self._stamp, request, limiter=THREADS)
            key = _key(request, handed.body, handed.method, handed.path, stamp)
            if (known := self._refused.get(key)) is not None:
                return known
        gone = partial(_gone, request)
        visitor = request.scope.get("visitor", "")
        try:
            handled: Handled = await self.lane.run(
                visitor, gone, self._handle, self.store, self._state, handed
            )
        except Dropped:
            return Handled(GONE, (), b"", over_budget=False)
        self._room.note(handled.begun, visitor)
        for id_ in handled.woken:
            self._wake(id_)
        for place in handled.turns:
            self._tell_turn(place)
        if handled.over_budget and key is not None:
            self._remember(key, handled)
        return handled

    def _remember(self, key: bytes, handled: Handled) -> None:
        earlier = self._refused.pop(key, None)  # of two equal requests at once
        self._kept += len(handled.body) - len(earlier.body if earlier else b"")
        self._refused[key] = handled
        while self._kept > REMEMBERED:
            self._kept -= len(self._refused.popitem(last=False)[1].body)


class Kind(NamedTuple):
    """What kind of work a request is."""

    heavy: bool = False  # it never is light
    steady: bool = False  # the same request has the same answer, until its match changes
    instead: str | None = None  # path of a GET that shows what an action has done


LIGHT_FIRST = Kind()
STEADY = Kind(steady=True)
STEADY_HEAVY = Kind(heavy=True, steady=True)


async def answered(
    request: Request, run: Callable[[], T], body: bytes = b"", kind: Kind = LIGHT_FIRST
) -> T | Response:
    """Answer a request: in a worker itself at once, in the server in the fitting lane."""
    lanes: Lanes | None = getattr(request.app.state, "lanes", None)
    if lanes is None:
        return run()
    return await lanes.answered(request, run, body, kind)


async def _light(run: Callable[[], T]) -> T:
    try:
        return await to_thread.run_sync(_lightly, run, False, limiter=THREADS)
    except Cold:
        return await to_thread.run_sync(_lightly, run, True, limiter=REPLAYS)


def _lightly(run: Callable[[], T], patient: bool) -> T:  # a thread is given places
    allow_light(LIGHT)
    _patient.set(patient)
    return run()


def _key(request: Request, body: bytes, method: str = "", path: str = "", stamp: str = "") -> bytes:
    """Give what the answer to a request depends on, as a digest; or to one in its place."""
    games = str(hash(game_places.places()))  # a card may change
    asked = (method or request.method, path or request.url.path, request.url.query)
    parts = (*asked, language(request), games, stamp)
    return sha256("\0".join(parts).encode() + b"\0" + body).digest()


def _response(handled: Handled) -> Response:
    response = Response(handled.body, handled.status)
    response.raw_headers = list(handled.headers)
    return response


async def _gone(request: Request) -> None:
    """Wait until the client is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
