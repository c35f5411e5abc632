"""Health and figures of a running server, for those who watch over it."""

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from hmac import compare_digest
from itertools import accumulate
from time import monotonic, perf_counter

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.matches.storage.store import Store
from grognard.web.lanes.lane import Lane
from grognard.web.lanes.workers import resident
from grognard.web.matches.automatic_players import Players
from grognard.web.responses import HttpRefusal, json_response, refusal_response
from grognard.web.server_config import ServerConfig
from grognard.web.structured_log import ACCESS, visitor_code
from grognard.web.visitors import Visitors
from grognard.words.message import say
from grognard.words.refusal import Refusal

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
ELSE = "other"  # the route of addresses at which there is nothing


class Figures:
    """Counts of the requests since the start."""

    def __init__(self) -> None:
        self.begun = monotonic()
        self.answers: Counter[tuple[str, str, int]] = Counter()  # method, route, status
        self.times = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Note an answer."""
        self.answers[method, route, status] += 1
        self.times[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class Watched:
    """Middleware that counts and logs the requests; streams are counted when they end."""

    def __init__(self, app: ASGIApp, figures: Figures, *, logged: bool) -> None:
        self.app, self.figures, self.logged = app, figures, logged

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status, sent = perf_counter(), 500, 0

        async def noted(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            seconds, method, route = perf_counter() - begun, _verb(scope["method"]), _pattern(scope)
            self.figures.count(method, route, status, seconds)
            if self.logged:
                fields = {
                    "method": method,
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                    "bytes": sent,
                    "visitor": visitor_code(scope.get("visitor", "")),
                }
                ACCESS.info("request", extra={"fields": fields})


def _verb(method: str) -> str:
    """Give the method, if it is one of those that have a meaning here."""
    return method if method in ("GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS") else ELSE


def _pattern(scope: Scope) -> str:
    """Give the pattern of the path, such as `/matches/{id}`: never what a visitor has written."""
    route = scope.get("route")
    if isinstance(route, Mount):
        return route.path
    return route.path if isinstance(route, Route) else ELSE


class Watch:
    """The endpoints `/health` and `/metrics`."""

    def __init__(
        self,
        figures: Figures,
        visitors: Visitors,
        lane: Lane,
        players: Players,
        store: Store,
        config: ServerConfig,
    ) -> None:
        self.figures, self.visitors, self.lane, self.players = figures, visitors, lane, players
        self.store, self.config = store, config

    def routes(self) -> list[Route]:
        """Make the routes."""
        return [
            Route("/health", self._health, methods=["GET"]),
            Route("/metrics", self._metrics, methods=["GET"]),
        ]

    def _health(self, _: Request) -> Response:
        """Tell whether the server answers and its store can be read."""
        try:
            self.store.count()
        except Refusal:
            return json_response({"status": "the matches can't be used"}, 503)
        return json_response({"status": "ok"})

    def _metrics(self, request: Request) -> Response:
        if not self._allowed(request):
            problem = say("there is nothing at {path}", path=request.url.path)
            return refusal_response(HttpRefusal(404, Refusal(problem)), "en")
        text = "\n".join(self._lines()) + "\n"
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    def _allowed(self, request: Request) -> bool:
        """On an open server, figures are for this machine, or for who has the token."""
        token = self.config.metrics_token
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token and compare_digest(given.encode(), token.encode()):
            return True
        return not self.config.open or bool(request.scope.get("near"))

    def _lines(self) -> Iterator[str]:
        """Write the figures in the text format of Prometheus."""
        figures = self.figures
        yield "# TYPE grognard_requests_total counter"
        for (method, route, status), count in sorted(figures.answers.items()):
            labels = f'method="{method}",route="{route}",status="{status}"'
            yield f"grognard_requests_total{{{labels}}} {count}"
        yield "# TYPE grognard_request_seconds histogram"
        totals = list(accumulate(figures.times))
        for bound, total in zip((*BOUNDS, "+Inf"), totals, strict=True):
            yield f'grognard_request_seconds_bucket{{le="{bound}"}} {total}'
        yield f"grognard_request_seconds_sum {figures.seconds}"
        yield f"grognard_request_seconds_count {totals[-1]}"
        lane = self.lane
        for name, kind, value in (
            ("up_seconds", "gauge", round(monotonic() - figures.begun, 3)),
            ("requests_at_once", "gauge", self.visitors.at_once.total()),
            ("streams", "gauge", self.visitors.streams.total()),
            ("refused_requests_total", "counter", self.visitors.refused),
            ("work_running", "gauge", lane.running),
            ("work_waiting", "gauge", lane.waiting),
            ("work_done_total", "counter", lane.done),
            ("work_refused_total", "counter", lane.refused),
            ("work_dropped_total", "counter", lane.dropped),
            ("automatic_playing", "gauge", self.players.playing),
            ("automatic_waiting", "gauge", self.players.waiting),
            ("matches", "gauge", self.store.count()),
            ("resident_bytes", "gauge", resident(os.getpid())),
        ):
            yield f"# TYPE grognard_{name} {kind}"
            yield f"grognard_{name} {value}"
