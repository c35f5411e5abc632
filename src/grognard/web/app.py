"""The web application: pages, JSON interface and static files behind the request guard."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from os import stat_result
from pathlib import Path

from anyio import create_task_group
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from grognard.matches.storage.store import Store
from grognard.rules import game
from grognard.web import front_page
from grognard.web.api import api_page, fights, matches, openapi, plans
from grognard.web.api.endpoint import routes
from grognard.web.language import language
from grognard.web.matches import feed, match_list, match_page, seat_links, story_page
from grognard.web.matches.live_matches import Live, nobody
from grognard.web.matches.webhook import Webhook
from grognard.web.planner import plan_page
from grognard.web.process_settings import Counted, Rest
from grognard.web.quick import picture, quick_page
from grognard.web.report import analysis_page
from grognard.web.request_guard import Guard
from grognard.web.responses import HttpRefusal, refusal_response
from grognard.web.templating import STATIC, error_page, switch_language
from grognard.web.workshop import workshop_page
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

LOCAL = ("localhost", "127.0.0.1", "::1")


class _Static(StaticFiles):
    """Static files. Browsers must check their copies: scripts import each other by plain names, and
    all must be of one version."""

    def file_response(
        self, full_path: PathLike, stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.setdefault("cache-control", "no-cache")
        return response


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


@asynccontextmanager
async def _running(
    live: Live, rest: Rest, hook: Webhook | None, app: Starlette
) -> AsyncIterator[None]:
    """Load everything before the first request; tidy up while the application runs."""
    quick_page.prepare()
    for id_ in game.ids():
        game.heading(id_)
    async with create_task_group() as beside:
        beside.start_soon(rest.tidy)
        async with live.running(app):  # it waits when it ends: before anything is cancelled
            with hook or nullcontext():
                yield
        beside.cancel_scope.cancel()


def create(
    store: Path | str,
    hosts: Collection[str] | None = LOCAL,
    *,
    workshop: bool = False,
    open_: bool = False,
    webhook: str | None = None,
) -> Starlette:
    """Build the application; it keeps matches in `store`, a file or `postgresql://…`, open while it
    runs.

    With the workshop, whoever reaches the server can write games into the user's folder. On an
    open server each visitor sees his own matches only. The webhook is told whose turn it is.
    """
    hook = Webhook(webhook) if webhook else None
    with Store(store) as matches_:  # one that can't be used is refused now
        live = Live(matches_, open_=open_, tell_turn=hook.tell_turn if hook else nobody)
        rest = Rest()
    endpoints = [*fights.ENDPOINTS, *plans.ENDPOINTS, *matches.endpoints(live)]
    interface = [*endpoints, openapi.endpoint(endpoints)]
    all_routes = [
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
        Mount("/static", _Static(directory=STATIC)),
    ]
    app = Starlette(
        routes=all_routes,
        middleware=[Middleware(Counted, rest=rest), Middleware(Guard, hosts=hosts)],
        exception_handlers={HTTPException: _http_problem, Exception: _http_problem},
        lifespan=partial(_running, live, rest, hook),
    )
    app.state.workshop = workshop  # pages link to it
    return app
