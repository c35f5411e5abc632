"""Work that may wait: done in a second process that gives way, so that no tap waits for it."""

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
    """Have something worked out beside everything else; the process starts with the first.

    None where nobody waits for the answer any more when its turn comes.
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
    """Once in that process: whatever else the machine has to do goes first."""
    settle()
    if hasattr(os, "nice"):
        os.nice(10)
