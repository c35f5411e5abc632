"""The jobs of workers: answer a request, play a match on, close a store."""

import asyncio
from contextvars import Context
from functools import cache, cached_property
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import Message, Scope

from grognard.fights.work_budget import OverBudget
from grognard.matches.storage.rows import Stale, Unknown
from grognard.matches.storage.store import Store
from grognard.web.lanes.answering import Handed, Handled, ServerState
from grognard.web.matches.automatic_players import PlayedOn
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_room import MatchRoom
from grognard.web.visitors import VISITOR

MOST = 4  # stores that are open


class _Opened:
    """A store that this worker has open: its matches, and the application on it."""

    def __init__(self, address: Path | str) -> None:
        self.store = Store(address)
        self.live = Live(self.store)

    @cached_property
    def app(self) -> Starlette:
        from grognard.web.app import inside_worker  # noqa: PLC0415  # the server imports this module

        return inside_worker(self.live)


_opened: dict[Path | str, _Opened] = {}


def _open(address: Path | str) -> _Opened:
    if address not in _opened:
        if len(_opened) >= MOST:
            close(next(iter(_opened)))
        _opened[address] = _Opened(address)
    return _opened[address]


def close(address: Path | str) -> None:
    """Close a store."""
    if address in _opened:
        _opened.pop(address).store.close()


@cache
def _runner() -> asyncio.Runner:
    return asyncio.Runner()


def handle(address: Path | str, state: ServerState, handed: Handed) -> Handled:
    """Answer a request."""
    opened, before = _open(address), OverBudget.count
    opened.app.state.workshop = state.workshop
    opened.live.room = room = MatchRoom(opened.store, state.limits)
    room.note(handed.begun, handed.visitor)
    opened.live.open_to_strangers = state.open
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": handed.method,
        "scheme": handed.scheme,
        "path": handed.path,
        "raw_path": handed.path.encode(),
        "query_string": handed.query,
        "root_path": "",
        "headers": list(handed.headers),
        "state": {},
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": handed.body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async def ask() -> None:
        VISITOR.set(handed.visitor)
        await opened.app(scope, receive, send)

    _runner().run(ask(), context=Context())  # the budget of another request is not its own
    body = b"".join(message.get("body", b"") for message in sent[1:])
    over = OverBudget.count > before
    return Handled(
        sent[0]["status"],
        tuple(sent[0]["headers"]),
        body,
        over,
        opened.live.take_woken(),
        opened.live.take_turns(),
        room.begun(handed.visitor),
    )


def play_on(address: Path | str, id_: str, seconds: float) -> PlayedOn:
    """Answer for the automatic sides of a match for a while."""
    live = _open(address).live
    try:
        more = live.play_on(id_, seconds)
    except Unknown:  # it was deleted meanwhile
        more = False
    except Stale:  # somebody else answered first: look again
        more = True
    return PlayedOn(more, live.take_turns())
