"""Tasks in many processes: order, laziness, exceptions, killed workers, Ctrl-C."""

import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple, NoReturn

import psutil
import pytest

from grognard.parallel import workers
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.typography import spaced
from tests.processes import PATIENCE, line, running

pytestmark = pytest.mark.process


def square(n: int) -> int:
    return n * n


def slow_first(n: int) -> int:
    if n == 0:
        time.sleep(0.5)
    return n


def where(_: int) -> int:
    return os.getpid()


class Mine(NamedTuple):
    """Kill the worker, but only the first time: a file marks it."""

    number: int
    mark: Path | None


def step_on(mine: Mine) -> int:
    if mine.mark is not None and not mine.mark.exists():
        mine.mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return mine.number * 10


def mined(folder: Path) -> list[Mine]:
    return [Mine(n, folder / f"mark{n}" if n in (2, 3, 7) else None) for n in range(12)]


def deadly(n: int) -> int:
    if n == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def refusing(n: int) -> int:
    if n == 3:
        raise Refusal(say("two rows for '{label}'", label="4"), source="a.toml", line=4, place="x")
    return n


class Stubborn(Exception):
    """An exception that can be pickled but not unpickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def stubborn(n: int) -> NoReturn:
    raise Stubborn(n, n)


def unwritable(n: int) -> object:
    return lambda: n


class Tasks:
    """Numbers that count how many of them were read."""

    def __init__(self) -> None:
        self.read = 0

    def __iter__(self) -> Iterator[int]:
        for n in count():
            self.read += 1
            yield n


def descendants() -> set[int]:
    """List the child processes, without Python's own resource tracker."""
    return {
        child.pid
        for child in psutil.Process().children(recursive=True)
        if not any("resource_tracker" in word for word in child.cmdline())
    }


def test_results_come_in_the_order_of_the_tasks() -> None:
    assert list(workers.run(slow_first, range(9), workers=3)) == list(range(9))
    assert list(workers.run(square, [], workers=2)) == []


def test_one_worker_is_this_process_and_more_are_others() -> None:
    assert set(workers.run(where, range(3), workers=1)) == {os.getpid()}
    others = set(workers.run(where, range(8), workers=2))
    assert 1 <= len(others) <= 2
    assert os.getpid() not in others


def test_by_default_every_usable_core_works() -> None:
    assert workers.cores() == len(os.sched_getaffinity(0))


def test_tasks_are_read_a_few_ahead_and_never_all() -> None:
    tasks, others = Tasks(), descendants()
    results = workers.run(square, tasks, workers=2)
    assert tasks.read == 0
    for n in range(20):
        assert next(results) == n * n
        assert tasks.read <= n + workers.AHEAD * 2 + 1
    assert isinstance(results, Iterator)
    ours = descendants() - others
    assert ours
    results.close()  # type: ignore[attr-defined]  # a generator, which the type does not say
    assert not descendants() & ours


def test_a_slow_task_does_not_let_the_others_run_away() -> None:
    tasks = Tasks()
    results = workers.run(slow_first, tasks, workers=2)
    assert next(results) == 0
    assert tasks.read <= workers.AHEAD * 2


@pytest.mark.parametrize("size", [1, 2])
def test_an_exception_comes_in_its_turn_and_is_the_same(size: int) -> None:
    before, got = descendants(), list[int]()
    with pytest.raises(Refusal) as raised:
        got.extend(workers.run(refusing, count(), workers=size))
    assert got == [0, 1, 2]
    assert raised.value.in_("fr") == spaced("a.toml:4: x: deux lignes pour « 4 »")
    assert descendants() == before


@pytest.mark.parametrize("size", [1, 2])
def test_what_the_source_of_the_tasks_raises_comes_after_the_tasks_before_it(size: int) -> None:
    def broken() -> Iterator[int]:
        yield from range(3)
        raise KeyError("source")

    got = list[int]()
    with pytest.raises(KeyError, match="source"):
        got.extend(workers.run(square, broken(), workers=size))
    assert got == [0, 1, 4]


def test_an_exception_that_can_not_be_sent_is_told_in_words() -> None:
    with pytest.raises(RuntimeError, match="Stubborn: 1 and 1") as raised:
        list(workers.run(stubborn, [1], workers=2))
    assert "in stubborn" in raised.value.__notes__[0]


def test_a_result_that_can_not_be_sent_is_an_exception() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        list(workers.run(unwritable, [1], workers=2))


def test_a_killed_process_costs_no_result(tmp_path: Path) -> None:
    tasks = mined(tmp_path)
    assert list(workers.run(step_on, tasks, workers=2)) == [n * 10 for n in range(12)]
    assert {file.name for file in tmp_path.iterdir()} == {"mark2", "mark3", "mark7"}


def test_a_process_killed_from_outside_between_tasks_is_replaced() -> None:
    results = workers.run(where, count(), workers=2)
    first = next(results)
    os.kill(first, signal.SIGKILL)
    later = list(islice(results, 20))
    assert len(later) == 20
    assert first not in later[-10:]
    results.close()  # type: ignore[attr-defined]  # a generator, which the type does not say


def test_a_task_that_kills_every_worker_is_named() -> None:
    before = descendants()
    with pytest.raises(Refusal) as raised:
        list(workers.run(deadly, range(6), workers=2))
    assert str(raised.value) == (
        "task 3 (2) ended its worker 4 times and is given up: killed by signal 9"
    )
    assert descendants() == before


def test_no_workers_are_refused() -> None:
    with pytest.raises(Refusal, match="expected 1 or more"):
        workers.run(square, [1], workers=0)


INTERRUPTED = """
import sys, time
from grognard.parallel import workers
if __name__ == "__main__":
    try:
        results = workers.run(time.sleep, [0.01] * 2 + [600] * 9, workers=2)
        next(results), next(results)
        print("working", flush=True)
        list(results)
    except KeyboardInterrupt:
        sys.exit(7)
"""


def test_ctrl_c_ends_the_workers_without_a_word(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    with running(sys.executable, script) as process:
        assert line(process) == "working"
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 2
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 7
    assert said == ""
    assert not psutil.wait_procs(children, timeout=PATIENCE)[1]
