"""Garbage is looked for when nobody waits."""

import gc
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest

from grognard.web.process_settings import Rest


class Watched:
    """A rest whose tidying is counted, and waited for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rest, self.tidied = Rest(), 0
        monkeypatch.setattr(gc, "collect", self._count)

    def _count(self) -> None:
        self.tidied += 1

    async def until(self, count: int) -> None:
        with anyio.fail_after(30):
            while self.tidied < count:
                await anyio.sleep(0.001)


def test_all_is_tidied_once_after_something_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)

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

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(anyio.run, ask).result()


def test_nothing_is_tidied_while_people_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)

    async def ask() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watched.rest.tidy, 30.0)
            for _ in range(50):
                watched.rest.asked += 1
                await anyio.sleep(0.001)
            assert watched.tidied == 0
            tasks.cancel_scope.cancel()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(anyio.run, ask).result()
