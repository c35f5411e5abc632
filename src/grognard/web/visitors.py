"""Visitors, told apart by their addresses, and the limits of what one of them may do.

A visitor is an IPv4 address, or the first 64 bits of an IPv6 address: a household has all of
those. Behind a proxy it is the address that the proxy tells, if the proxy is one that is believed.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic
from typing import NamedTuple

from anyio import CancelScope
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.web.language import language
from grognard.web.request_guard import HEADERS
from grognard.web.responses import HttpRefusal, refusal_response
from grognard.web.server_config import Limits
from grognard.words.message import say
from grognard.words.refusal import Refusal

KNOWN = 10_000  # visitors whose requests are counted
HOUR = 3600
VISITOR: ContextVar[str] = ContextVar("VISITOR", default="")  # who asks, in a thread or a worker
NEW_MATCHES = ("/api/matches", "/api/matches/import")


class Origin(NamedTuple):
    """Where a request comes from."""

    visitor: str
    scheme: str
    near: bool  # from this machine itself, not through a proxy


def visitor_of(address: str) -> str:
    """Give the visitor who has an address."""
    try:
        found = ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(found) if found.is_loopback else str(ip_network((found, 64), strict=False))
    return str(found)


def origin_of(scope: Scope, proxies: Collection[str]) -> Origin:
    """Tell who asks. Forwarded headers count only if they come from a proxy that is believed."""
    address = (scope.get("client") or ("", 0))[0]
    headers, plain = Headers(scope=scope), scope.get("scheme", "http")
    forwarded = _last(headers, "x-forwarded-for")
    if proxies and visitor_of(address) in proxies and forwarded:
        scheme = _last(headers, "x-forwarded-proto").lower()
        known = scheme if scheme in ("http", "https") else plain
        return Origin(visitor_of(forwarded), known, near=False)
    near = "x-forwarded-for" not in headers and _is_loopback(address)
    return Origin(visitor_of(address), plain, near)


def _last(headers: Headers, name: str) -> str:
    """Give the last value of a header: the proxy has written it, in the same line or in one of its
    own; the others may be invented."""
    return ",".join(headers.getlist(name)).rpartition(",")[2].strip()


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


class Bucket:
    """Tokens that come back at a steady rate: one for each thing that a visitor does."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when

    def take(self, visitor: str) -> float:
        """Take a token; give 0, or the seconds until there is one."""
        now = self._clock()
        left, since = self._left.pop(visitor, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        wait = 0.0 if left >= 1 else (1 - left) / self.rate
        self._left[visitor] = (left if wait else left - 1, now)
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return wait


class Visitors:
    """What visitors do at the moment, and whether one more may be begun."""

    def __init__(self, limits: Limits, proxies: Collection[str] = ()) -> None:
        self.limits, self.proxies = limits, frozenset(map(visitor_of, proxies))
        rate = limits.visitor_requests_a_second
        self._requests = Bucket(rate, limits.visitor_burst) if rate else None
        matches = limits.visitor_matches_an_hour
        self._matches = Bucket(matches / HOUR, matches) if matches else None
        self.at_once: Counter[str] = Counter()
        self.streams: Counter[str] = Counter()
        self.refused = 0
        self._open: set[CancelScope] = set()

    def check(self, visitor: str, scope: Scope) -> None:
        """Refuse a request that is one too many."""
        limits = self.limits
        answered = self.at_once.total() - self.streams.total()
        if limits.requests_at_once and answered >= limits.requests_at_once:
            raise self._too_much(503, 1)
        own = limits.visitor_requests_at_once
        if own and self.at_once[visitor] - self.streams[visitor] >= own:
            raise self._too_much(429, 1)
        if self._requests and (wait := self._requests.take(visitor)):
            raise self._too_much(429, wait)
        begins = scope["method"] == "POST" and scope["path"] in NEW_MATCHES
        if begins and self._matches and (wait := self._matches.take(visitor)):
            raise self._too_much(429, wait)

    def check_stream(self, visitor: str) -> None:
        """Refuse a page that would follow one match too many."""
        limits = self.limits
        if limits.visitor_streams and self.streams[visitor] >= limits.visitor_streams:
            raise self._too_much(429, 30)
        if limits.streams and self.streams.total() >= limits.streams:
            raise self._too_much(503, 30)

    def _too_much(self, status: int, wait: float) -> HttpRefusal:
        self.refused += 1
        problem = say("too many requests; ask again in a moment")
        return HttpRefusal(status, Refusal(problem), max(1, round(wait + 0.5)))

    def end_streams(self) -> None:
        """Let all pages go that follow a match: the server stops."""
        for scope in self._open:
            scope.cancel()


class VisitorLimits:
    """Middleware that tells visitors apart, and keeps each within its limits."""

    def __init__(self, app: ASGIApp, visitors: Visitors) -> None:
        self.app = app
        self.visitors = visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        known = self.visitors
        origin = origin_of(scope, known.proxies)
        visitor = scope["visitor"] = origin.visitor
        VISITOR.set(visitor)
        scope["near"], scope["scheme"] = origin.near, origin.scheme
        streams = scope["path"].endswith("/events")
        try:
            known.check(visitor, scope)
            if streams:
                known.check_stream(visitor)
        except HttpRefusal as problem:
            await _refused(problem, scope, receive, send)
            return
        known.at_once[visitor] += 1
        known.streams[visitor] += streams
        try:
            if streams:
                await self._stream(scope, receive, send)
            else:
                await self.app(scope, receive, send)
        finally:
            for counter, count in ((known.at_once, 1), (known.streams, int(streams))):
                counter[visitor] -= count
                if not counter[visitor]:
                    del counter[visitor]

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream, which can be ended from outside."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        with CancelScope() as open_:
            self.visitors._open.add(open_)
            try:
                await self.app(scope, receive, noted)
            finally:
                self.visitors._open.discard(open_)
        if open_.cancelled_caught and begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _refused(problem: HttpRefusal, scope: Scope, receive: Receive, send: Send) -> None:
    answer = refusal_response(problem, language(HTTPConnection(scope)))
    answer.headers.update(HEADERS)
    await answer(scope, receive, send)
