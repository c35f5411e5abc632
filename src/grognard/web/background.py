"""Background work in a low-priority process."""

import os
from collections.abc import Callable
from functools import cache
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_process
from starlette.requests import Request

from grognard.web.process_settings import settle

_ONE = CapacityLimiter(1)
T = TypeVar("T")
Args = TypeVarTuple("Args")


async def beside(asked: Request, work: Callable[[*Args], T], *given: *Args) -> T | None:
    """Run work in the background process, which starts with the first work.

    Gives None if the client is gone before its turn comes.
    """
    async with _ONE:
        if await asked.is_disconnected():
            return None
        return await to_process.run_sync(_gently, work, given)


def _gently(work: Callable[[*Args], T], given: tuple[*Args]) -> T:
    _give_way()
    return work(*given)


@cache
def _give_way() -> None:
    """Lower the priority of this process, once."""
    settle()
    if hasattr(os, "nice"):
        os.nice(10)
