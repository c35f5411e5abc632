"""The lane of expensive work: other processes, turns, budgets; work ends with its client."""

import os
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import anyio
import psutil
import pytest

from grognard.web.lanes import lane as lanes
from grognard.web.lanes import workers
from grognard.web.lanes.lane import Lane, LaneLimits
from grognard.web.lanes.worker import OutOfTime
from grognard.web.lanes.workers import Dropped
from grognard.web.responses import HttpRefusal
from grognard.words.refusal import Refusal
from tests.processes import until

pytestmark = pytest.mark.process

T = TypeVar("T")


# ------------------------------------------------------------------ jobs, run in a worker


def whoami(*_: object) -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def noted(file: Path, word: str) -> None:
    with file.open("a") as opened:
        opened.write(f"{word} ")


def busy(file: Path) -> None:
    """Burn processor time for ever, once it is known who does it."""
    file.write_text(str(os.getpid()))
    while True:
        pass


def deaf(file: Path) -> None:
    """Burn processor time, and listen to nobody."""
    file.write_text(str(os.getpid()))
    while True:
        try:
            while True:
                pass
        except BaseException:  # that is what it is for
            continue


def refusing() -> None:
    raise Refusal(workers_problem)


workers_problem = OutOfTime(1).problem


def fat(size: int) -> int:
    kept.append(bytearray(os.urandom(1024)) * (size // 1024))
    return os.getpid()


kept: list[bytearray] = []


# ------------------------------------------------------------------ asking


async def stays() -> None:
    await anyio.sleep_forever()


def asked(run: Callable[[], Awaitable[T]]) -> T:
    """Run in a thread of its own: a browser test may have left a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, run).result()


async def there(file: Path) -> None:
    with anyio.fail_after(60):
        while not (file.exists() and file.read_text()):
            await anyio.sleep(0.01)


def spent(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def test_it_is_done_in_another_process_of_low_priority() -> None:
    async def ask() -> tuple[int, int]:
        found: tuple[int, int] = await Lane().run("", stays, whoami)
        return found

    (pid, niceness), (again, _) = asked(ask), asked(ask)
    assert pid != os.getpid()
    assert niceness >= min(os.nice(0) + lanes.NICENESS, 19)
    assert again == pid  # a worker is used again, by whoever asks


def test_what_the_work_raises_is_raised() -> None:
    async def ask() -> None:
        await Lane().run("", stays, refusing)

    with pytest.raises(Refusal, match="processor time"):
        asked(ask)


@pytest.mark.parametrize("work", [busy, deaf], ids=["listening", "deaf"])
def test_work_ends_when_its_client_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Path], None]
) -> None:
    """The worker stops at once; one that does not listen is killed."""
    monkeypatch.setattr(lanes, "PATIENCE", 0.2 if work is deaf else 60)
    file, lane = tmp_path / "worker", Lane()

    async def ask() -> None:
        await lane.run("", lambda: there(file), work, file)

    with pytest.raises(Dropped):
        asked(ask)
    pid = int(file.read_text())
    assert (lane.running, lane.waiting, lane.dropped) == (0, 0, 1)
    if work is deaf:
        until(lambda: not psutil.pid_exists(pid))
    else:
        before = spent(pid)
        time.sleep(0.3)
        assert spent(pid) - before < 0.1

        async def again() -> int:
            found: tuple[int, int] = await lane.run("", stays, whoami)
            return found[0]

        assert asked(again) == pid


def test_nothing_is_done_for_somebody_who_leaves_while_he_waits(tmp_path: Path) -> None:
    lane, file = Lane(LaneLimits(workers=1)), tmp_path / "busy"

    async def ask() -> None:
        left = anyio.Event()

        async def waits() -> None:
            with pytest.raises(Dropped):
                await lane.run("", left.wait, busy, file)

        async def leaves() -> None:
            await there(file)
            with pytest.raises(Dropped):
                await lane.run("", anyio.lowlevel.checkpoint, noted, tmp_path / "done", "x")
            left.set()

        async with anyio.create_task_group() as both:
            both.start_soon(waits)
            both.start_soon(leaves)

    asked(ask)
    assert not (tmp_path / "done").exists()
    assert (lane.running, lane.waiting) == (0, 0)


def test_work_has_a_budget_of_processor_time(tmp_path: Path) -> None:
    lane = Lane(LaneLimits(seconds=0.3))

    async def ask() -> None:
        await lane.run("", stays, busy, tmp_path / "worker")

    with pytest.raises(Refusal, match=r"more than 0\.3 seconds of processor time"):
        asked(ask)


def test_visitors_take_turns(tmp_path: Path) -> None:
    """Somebody with much to do does not keep others waiting for all of it."""
    lane, file, first = Lane(LaneLimits(workers=1)), tmp_path / "order", tmp_path / "first"

    async def ask() -> None:
        go = anyio.Event()

        async def begin() -> None:
            with pytest.raises(Dropped):
                await lane.run("nobody", go.wait, busy, first)

        async with anyio.create_task_group() as all_:
            all_.start_soon(begin)
            await there(first)
            for word in ("a1", "a2", "a3", "b1", "c1", "b2"):
                all_.start_soon(lane.run, word[0], stays, noted, file, word)
                await anyio.sleep(0.01)
            assert lane.waiting == 6
            go.set()

    asked(ask)
    assert file.read_text().split() == ["a1", "b1", "c1", "a2", "b2", "a3"]


@pytest.mark.parametrize(
    "limits", [LaneLimits(1, waiting=2), LaneLimits(1, of_visitor=3)], ids=["in all", "a visitor"]
)
def test_a_full_queue_refuses_and_says_when_to_ask_again(
    tmp_path: Path, limits: LaneLimits
) -> None:
    lane, file = Lane(limits), tmp_path / "worker"

    async def ask() -> HttpRefusal:
        async with anyio.create_task_group() as all_:
            leave = anyio.Event()

            async def one() -> None:
                with pytest.raises(Dropped):
                    await lane.run("a", leave.wait, busy, file)

            for _ in range(3):
                all_.start_soon(one)
            await there(file)
            with pytest.raises(HttpRefusal) as refused:
                await lane.run("a", stays, whoami)
            leave.set()
        return refused.value

    refused = asked(ask)
    assert refused.status == 503
    assert refused.headers == {"retry-after": "5"}
    assert lane.refused == 1


def test_a_worker_that_has_grown_too_large_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MEMORY", 150 * 1024 * 1024)

    async def ask() -> list[int]:
        return [await Lane().run("", stays, fat, 200 * 1024 * 1024) for _ in range(2)]

    first, second = asked(ask)
    assert first != second
    until(lambda: not psutil.pid_exists(first))
