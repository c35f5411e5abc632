"""How the interpreter is set for a process that answers many and remembers much."""

import gc
import sys

from anyio import CapacityLimiter, sleep
from starlette.types import ASGIApp, Receive, Scope, Send

# Rules are pure computation: a few threads keep a slow question from holding up all others, and
# more of them would only slow each other down.
THREADS = CapacityLimiter(2)
QUIET = 2.0  # seconds


def settle() -> None:
    """Look for garbage among what is new, and hardly ever among what is remembered.

    That is much and lives long: to look through all of it would hold everybody up.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 500)
    sys.setswitchinterval(0.005)


class Rest:
    """Looks for garbage everywhere when nobody has asked anything for a while."""

    def __init__(self) -> None:
        self.asked = 0

    async def tidy(self, quiet: float = QUIET) -> None:
        """Watch for quiet moments, for as long as the application runs."""
        tidied = self.asked
        while True:
            before = self.asked
            await sleep(quiet)
            if before == self.asked != tidied:
                gc.collect()
                tidied = before


class Counted:
    """Counts the requests, so that others know when there are none."""

    def __init__(self, app: ASGIApp, rest: Rest) -> None:
        self.app = app
        self.rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.rest.asked += 1
        await self.app(scope, receive, send)
