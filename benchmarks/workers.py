"""Efficiency of many workers: a pool of processes, and Ray.

A chunk is a thousand tasks of a millisecond each. Efficiency is useful time / (wall-clock time x
workers). The useful time is the time that workers spend inside chunks, by their own clock; the
wall-clock time runs from the start of the first chunk to the end of the last. Other load on the
machine is in both. The overhead of a task is measured with tasks that do nothing, from the first
result to the last.
"""

import time
from collections import deque
from itertools import repeat
from typing import NamedTuple

from benchmarks.timing import duration, table
from grognard.parallel import workers

TASKS, MILLISECOND = 1000, 0.001
CHUNKS = 20
NOTHINGS = 2000


class Span(NamedTuple):
    """Start and end of a chunk, by the clock that all processes of a machine share."""

    begin: float
    end: float


def chunk(tasks: int) -> Span:
    """Run a number of tasks, each busy for a millisecond."""
    begin = time.monotonic()
    for _ in range(tasks):
        end = time.monotonic() + MILLISECOND
        while time.monotonic() < end:
            pass
    return Span(begin, time.monotonic())


def report() -> str:
    size = workers.cores()
    rows = [_row("a pool of processes", None, size), _row("Ray on this machine", "local", size)]
    head = [
        f"{CHUNKS} chunks, {size} workers",
        "start",
        "wall clock",
        "useful",
        "efficiency",
        "a task that does nothing",
    ]
    return table(head, rows)


def _row(name: str, on: str | None, size: int) -> list[str]:
    called = time.monotonic()
    spans = list(workers.run(chunk, repeat(TASKS, CHUNKS), on=on, workers=size))
    first = min(span.begin for span in spans)
    wall = max(span.end for span in spans) - first
    useful = sum(span.end - span.begin for span in spans)
    share = f"{useful / (wall * size):.1%}"
    times = [first - called, wall, useful]
    return [name, *map(duration, times), share, duration(_nothing(on, size))]


def _nothing(on: str | None, size: int) -> float:
    """Measure the time of a task that does nothing."""
    running = workers.run(abs, range(NOTHINGS + 1), on=on, workers=size)
    next(running)
    begin = time.monotonic()
    deque(running, maxlen=0)
    return (time.monotonic() - begin) / NOTHINGS
