"""Garbage-collector and thread settings of the server."""

import gc
import sys
from collections.abc import Callable

from anyio import CapacityLimiter, sleep
from starlette.types import ASGIApp, Receive, Scope, Send

# Rules are pure computation. A second thread keeps a slow request from holding up the others;
# more threads would only slow each other down.
THREADS = CapacityLimiter(2)
QUIET = 2.0  # seconds


def settle() -> None:
    """Let the garbage collector look mostly at new objects.

    The caches are large and live long: a full collection would hold up every request.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 500)
    sys.setswitchinterval(0.005)


class Rest:
    """Runs a full garbage collection when no request has come for a while."""

    def __init__(self, collect: Callable[[], object] = gc.collect) -> None:
        self.asked = 0
        self._collect = collect

    async def tidy(self, quiet: float = QUIET) -> None:
        """Collect in quiet moments, as long as the application runs."""
        tidied = self.asked
        while True:
            before = self.asked
            await sleep(quiet)
            if before == self.asked != tidied:
                self._collect()
                tidied = before


class Counted:
    """Middleware that counts the requests."""

    def __init__(self, app: ASGIApp, rest: Rest, look: Callable[[], None]) -> None:
        self.app = app
        self.rest = rest
        self.look = look  # at the memory

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.rest.asked += 1
        await self.app(scope, receive, send)
        self.look()
