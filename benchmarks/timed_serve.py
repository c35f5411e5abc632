"""`grognard serve` with a clock: writes down how long each answer takes inside the server.

From the call with a request that was read to the return from the write of its last byte.
"""

import sys
import time
from collections.abc import Collection
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from grognard.cli.main import main
from grognard.web import app

create = app.create


class Clock:
    """Writes down what was asked, and how many seconds it took."""

    def __init__(self, inner: ASGIApp, notes: Path) -> None:
        self.inner = inner
        self.notes = notes.open("w", buffering=1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        await self.inner(scope, receive, send)
        if scope["type"] == "http":
            self.notes.write(f"{scope['path']} {time.perf_counter() - begun}\n")


def timed(store: Path, hosts: Collection[str] | None = app.LOCAL) -> Starlette:
    """Build the application with the clock around all of it."""
    made = create(store, hosts)
    made.add_middleware(Clock, notes=store.with_suffix(".notes"))
    return made


if __name__ == "__main__":
    app.create = timed
    sys.exit(main(["serve", *sys.argv[1:]]))
