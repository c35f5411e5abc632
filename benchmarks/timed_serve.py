"""`grognard serve` with a clock: records the time of each answer inside the server.

The time runs from the call of the application to the return from the write of the last byte.
"""

import sys
import time
from collections.abc import Collection
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from grognard.cli.main import main
from grognard.web import app
from grognard.web.server_config import LOCAL_SERVER, ServerConfig

create = app.create


class Clock:
    """Records the path and the seconds of each request."""

    def __init__(self, inner: ASGIApp, notes: Path) -> None:
        self.inner = inner
        self.notes = notes.open("w", buffering=1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        await self.inner(scope, receive, send)
        if scope["type"] == "http":
            self.notes.write(f"{scope['path']} {time.perf_counter() - begun}\n")


def timed(
    store: Path | str,
    hosts: Collection[str] | None = app.LOCAL,
    *,
    workshop: bool = False,
    config: ServerConfig = LOCAL_SERVER,
) -> Starlette:
    """Build the application with the clock around it."""
    made = create(store, hosts, workshop=workshop, config=config)
    made.add_middleware(Clock, notes=Path(store).with_suffix(".notes"))
    return made


if __name__ == "__main__":
    app.create = timed
    sys.exit(main(["serve", *sys.argv[1:]]))
