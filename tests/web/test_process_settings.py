"""Garbage is looked for when nobody waits."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import anyio

from grognard.web.process_settings import Rest


class Watched:
    """A rest whose own tidying is counted, and waited for."""

    def __init__(self) -> None:
        self.rest, self.tidied = Rest(self._count), 0

    def _count(self) -> None:
        self.tidied += 1

    async def until(self, count: int) -> None:
        with anyio.fail_after(30):
            while self.tidied < count:
                await anyio.sleep(0.001)


def run(ask: Callable[[], Awaitable[None]]) -> None:
    """Run in a thread: a browser test may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(anyio.run, ask).result()


def test_all_is_tidied_once_after_something_was_asked() -> None:
    watched = Watched()

    async def ask() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watched.rest.tidy, 0.01)
            await anyio.sleep(0.1)
            assert watched.tidied == 0
            for count in (1, 2):
                watched.rest.asked += 1
                await watched.until(count)
                await anyio.sleep(0.1)
                assert watched.tidied == count
            tasks.cancel_scope.cancel()

    run(ask)


def test_nothing_is_tidied_while_people_ask() -> None:
    """Not even while another application of this process has a quiet moment and tidies."""
    watched, other = Watched(), Watched()

    async def ask() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watched.rest.tidy, 30.0)
            tasks.start_soon(other.rest.tidy, 0.01)
            await anyio.sleep(0)
            other.rest.asked += 1
            for _ in range(50):
                watched.rest.asked += 1
                await anyio.sleep(0.001)
            await other.until(1)
            assert watched.tidied == 0
            tasks.cancel_scope.cancel()

    run(ask)
