"""The web application: pages, JSON interface and static files behind the request guard."""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from anyio import CancelScope, create_task_group, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ExceptionHandler

from grognard.matches.storage.store import Store
from grognard.rules import game
from grognard.web import front_page
from grognard.web.api import api_page, fights, matches, openapi, plans
from grognard.web.api.endpoint import routes
from grognard.web.lanes import jobs
from grognard.web.lanes.answering import Lanes, ServerState
from grognard.web.lanes.lane import Lane
from grognard.web.lanes.workers import tell_idle
from grognard.web.language import language
from grognard.web.matches import feed, match_list, match_page, seat_links, story_page
from grognard.web.matches.automatic_players import Players
from grognard.web.matches.idle_matches import purge_idle
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_room import MatchRoom
from grognard.web.matches.webhook import Webhook, nobody
from grognard.web.memory_bound import MemoryBound
from grognard.web.metrics import Figures, Watch, Watched
from grognard.web.planner import plan_page
from grognard.web.process_settings import Counted, Rest
from grognard.web.quick import picture, quick_page
from grognard.web.report import analysis_page
from grognard.web.request_guard import Guard
from grognard.web.responses import HttpRefusal, refusal_response
from grognard.web.server_config import LOCAL_SERVER, ServerConfig
from grognard.web.static_files import VersionedFiles
from grognard.web.templating import error_page, switch_language
from grognard.web.visitors import VisitorLimits, Visitors
from grognard.web.workshop import workshop_page
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

LOCAL = ("localhost", "127.0.0.1", "::1")


async def _http_problem(request: Request, error: Exception) -> Response:
    """Answer unknown addresses, impossible methods, and errors of the program."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    problems: dict[int, Message] = {
        404: say("there is nothing at {path}", path=request.url.path),
        405: say("{method} is not possible here", method=request.method),
    }
    problem = HttpRefusal(status, Refusal(problems.get(status, say("this did not work"))))
    in_json = request.url.path.startswith("/api/")
    answer = (
        refusal_response(problem, language(request)) if in_json else error_page(request, problem)
    )
    if isinstance(error, HTTPException) and error.headers:  # the possible methods
        answer.headers.update(error.headers)
    return answer


_PROBLEMS: Mapping[Any, ExceptionHandler] = {
    HTTPException: _http_problem,
    Exception: _http_problem,
}


@asynccontextmanager
async def _running(house: "_House", app: Starlette) -> AsyncIterator[None]:
    """Load everything before the first request; tidy up while the application runs."""
    quick_page.prepare()
    for id_ in game.ids():
        game.heading(id_)
    live = house.live
    async with create_task_group() as beside:
        beside.start_soon(house.rest.tidy)
        async with live.running(app):  # it waits for the players when it ends
            if house.config.keep_days or house.config.unplayed_days:
                days = (house.config.keep_days, house.config.unplayed_days)
                beside.start_soon(purge_idle, live.store, *days)
            with house.hook or nullcontext():
                yield
            house.lane.stop()
            beside.cancel_scope.cancel()
        with CancelScope(shield=True):
            await to_thread.run_sync(tell_idle, jobs.close, house.address)


class _House:
    """The parts of an application."""

    def __init__(self, store: Path | str, config: ServerConfig) -> None:
        limits = config.limits
        self.address = store
        self.hook = Webhook(config.webhook) if config.webhook else None
        self.tell_turn = self.hook.tell_turn if self.hook else nobody
        with Store(store) as matches_:  # one that can't be used is refused now
            self.players = Players(store, jobs.play_on, limits.players, self.tell_turn)
            self.live = Live(matches_, self.players, open_=config.open, tell_turn=self.tell_turn)
        self.live.room = MatchRoom(matches_, limits)
        self.config, self.rest, self.figures = config, Rest(), Figures()
        self.memory = MemoryBound()
        self.visitors = Visitors(limits, config.behind_proxy)
        self.lane = Lane(limits.lane)

    def watch(self) -> Watch:
        return Watch(
            self.figures, self.visitors, self.lane, self.players, self.live.store, self.config
        )


def create(
    store: Path | str,
    hosts: Collection[str] | None = LOCAL,
    *,
    workshop: bool = False,
    config: ServerConfig = LOCAL_SERVER,
) -> Starlette:
    """Build the application; it keeps matches in `store`, a file or `postgresql://…`, open while it
    runs.

    With the workshop, whoever reaches the server can write games into the user's folder. On an
    open server each visitor sees his own matches only.
    """
    house = _House(store, config)
    state = ServerState(workshop, config.limits, config.open)
    app = Starlette(
        routes=[*house.watch().routes(), *_routes(house.live, workshop=workshop)],
        middleware=[
            Middleware(Watched, figures=house.figures, logged=config.open),
            Middleware(VisitorLimits, visitors=house.visitors),
            Middleware(Counted, rest=house.rest, look=house.memory.look),
            Middleware(Guard, hosts=hosts),
        ],
        exception_handlers=_PROBLEMS,
        lifespan=partial(_running, house),
    )
    app.state.workshop = workshop  # pages link to it
    live = house.live
    app.state.lanes = Lanes(
        house.lane, jobs.handle, store, live.wake, house.tell_turn, state, live.stamp, live.room
    )
    app.state.visitors = house.visitors
    return app


def inside_worker(live: Live) -> Starlette:
    """Build the application that answers in a worker process what the server hands to it."""
    app = Starlette(routes=_routes(live, workshop=True), exception_handlers=_PROBLEMS)
    app.state.lanes = None
    return app


def _routes(live: Live, *, workshop: bool) -> list[BaseRoute]:
    endpoints = [*fights.ENDPOINTS, *plans.ENDPOINTS, *matches.endpoints(live)]
    interface = [*endpoints, openapi.endpoint(endpoints)]
    return [
        *front_page.pages(live),
        *workshop_page.pages(on=workshop),
        Route("/lang/{lang}", switch_language, methods=["GET"]),
        *analysis_page.PAGES,  # first, or quick combat would take it for a procedure
        *picture.PAGES,
        *quick_page.PAGES,
        *routes(quick_page.ENDPOINTS),
        *plan_page.PAGES,
        *routes(plan_page.ENDPOINTS),
        *match_list.pages(live),
        *match_page.pages(live),
        *story_page.pages(live),
        *seat_links.pages(live),
        *feed.pages(live),
        *routes(match_page.endpoints(live)),
        *routes(interface),
        *api_page.pages(interface),
        Mount("/static", VersionedFiles()),
    ]
