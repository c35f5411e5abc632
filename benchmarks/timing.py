"""Timing of functions, and tables of the results."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def best_of(run: Callable[[], object], repeats: int, loops: int = 1) -> float:
    """Give the shortest time of one run, in seconds: the run that was least disturbed."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(loops):
            run()
        best = min(best, (time.perf_counter() - start) / loops)
    return best


def best_each(run: Callable[[T], object], things: Sequence[T], loops: int = 5) -> float:
    """Give the shortest mean time of `loops` runs in a row, each with another argument."""
    best = float("inf")
    for begin in range(0, len(things), loops):
        part = things[begin : begin + loops]
        start = time.perf_counter()
        for thing in part:
            run(thing)
        best = min(best, (time.perf_counter() - start) / len(part))
    return best


def duration(seconds: float) -> str:
    """Write a time in a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Make a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def growth(turns: Iterable[tuple[int, Callable[[], object]]]) -> Iterator[list[str]]:
    """Time automatic turns with more and more units, each as a row of a table."""
    before = 0.0
    for units, turn in turns:
        seconds = best_of(turn, 3)
        times = f", {seconds / before:.1f} times the one before" if before else ""
        yield [f"an automatic turn with {units} units{times}", duration(seconds), ""]
        before = seconds
