"""Connections: how many there may be, and how long each may take to ask and to be answered.

A connection that does not send its whole request in time, or does not take its answer, is closed.
"""

from collections import Counter
from collections.abc import Iterable
from time import monotonic
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from grognard.web.server_config import Limits
from grognard.web.visitors import visitor_of


class GuardedProtocol(HttpToolsProtocol):
    """HTTP on one connection, with limits."""

    limits = Limits()
    proxies: frozenset[str] = frozenset()
    open: Counter[str]  # connections of each visitor

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401  # as uvicorn has it
        super().connection_made(transport)
        self.asking: float | None = monotonic()  # since when a request is coming
        self._head = 0  # bytes since the request began
        self._unsent, self._stuck = 0, monotonic()
        self.visitor = visitor_of(str((self.client or ("", 0))[0]))
        self.open[self.visitor] += 1
        own = 0 if self.visitor in self.proxies else self.limits.visitor_connections
        most = self.limits.connections
        if (own and self.open[self.visitor] > own) or (most and self.open.total() > most):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.open[self.visitor] -= 1
        if not self.open[self.visitor]:
            del self.open[self.visitor]

    def data_received(self, data: bytes) -> None:
        if self.asking is None:
            self.asking = monotonic()
        self._head += len(data)
        super().data_received(data)
        if self._head > self.limits.head_bytes:
            self.transport.abort()

    def on_headers_complete(self) -> None:
        self._head = -(1 << 62)  # the guard of requests counts the body
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.asking, self._head = None, 0
        super().on_message_complete()

    def overdue(self, now: float) -> bool:
        """Tell whether a request takes too long to come, or an answer to be taken."""
        unsent = self.transport.get_write_buffer_size()
        if unsent != self._unsent or not unsent:
            self._unsent, self._stuck = unsent, now
        if now - self._stuck > self.limits.answer_seconds:
            return True
        return self.asking is not None and now - self.asking > self.limits.request_seconds


def guarded(limits: Limits, proxies: Iterable[str] = ()) -> type[GuardedProtocol]:
    """Make the protocol of a server with its limits."""
    given = {"limits": limits, "proxies": frozenset(map(visitor_of, proxies)), "open": Counter()}
    return type("GuardedProtocol", (GuardedProtocol,), given)


def close_overdue(connections: Iterable[object]) -> None:
    """Close the connections that are overdue."""
    now = monotonic()
    for one in tuple(connections):
        if isinstance(one, GuardedProtocol) and one.overdue(now):
            one.transport.abort()
