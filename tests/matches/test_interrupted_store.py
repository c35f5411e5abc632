"""A worker is interrupted at any step of a transaction: the store has the whole of it, or nothing,
and can be used afterwards."""

import signal
import time
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from grognard.matches.storage.rows import New, Standing
from grognard.matches.storage.store import Store
from grognard.parallel.undisturbed import interrupt, undisturbed
from grognard.web.lanes import workers
from tests.processes import PATIENCE
from tests.tiers import sized

pytestmark = pytest.mark.process

NEW = New(name="Sunday", scenario="weissenberg", options={})
LONGEST = 0.002  # seconds to an interrupt: about twice what a transaction takes


class Interrupt(BaseException):
    pass


def interrupted(_number: int, _frame: FrameType | None) -> None:
    interrupt(Interrupt())


def storm(address: Path | str, times: int, seed: int) -> tuple[int, int, int]:
    """Store answers and be interrupted, in a worker: how many were told to be stored, how many
    are, and how many interrupts came."""
    random = Random(seed)
    told = came = 0
    before = signal.signal(signal.SIGALRM, interrupted)
    try:
        with Store(address) as store:
            kept = store.keep(NEW)
            for _ in range(times):
                try:
                    signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-6, LONGEST))
                    store.append(kept.id, kept.version, [["end"]], Standing())
                    told += 1
                    time.sleep(LONGEST)
                except Interrupt:
                    came += 1
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                kept = store.get(kept.id)
        with Store(address) as store:
            return told, len(store.whole(kept.id).answers), came
    finally:
        signal.signal(signal.SIGALRM, before)


def test_an_interrupted_transaction_is_whole_or_not_there(address: Path | str) -> None:
    worker = workers.taken(0)
    try:
        times = sized(400)
        told, stored, came = worker.do(PATIENCE * 10, storm, address, times, 1)
    finally:
        workers.given_back(worker)
    assert came > times / 10
    assert told <= stored <= told + came


def interrupted_work(done: list[str]) -> None:
    with undisturbed():
        with undisturbed():
            interrupt(Interrupt())
            done.append("inner")
        done.append("outer")
    done.append("more")


def test_an_interrupt_waits_for_the_end_of_undisturbed_work() -> None:
    done = list[str]()
    with pytest.raises(Interrupt):
        interrupted_work(done)
    assert done == ["inner", "outer"]
    with pytest.raises(Interrupt):
        interrupt(Interrupt())
