"""Deep recursion asks the system for no memory at every call."""

from collections.abc import Callable

import pytest

from grognard.fights.stack_room import with_stack_room

resource = pytest.importorskip("resource", reason="page faults are counted on POSIX systems")
DEPTHS, CALLS = 150, 200


def leaf() -> None:
    """Take one more frame."""


def calls_at(depth: int) -> None:
    """Go down so many frames, and call a function many times there."""
    if depth:
        calls_at(depth - 1)
        return
    for _ in range(CALLS):
        leaf()


def page_faults(roomy: Callable[[int], None], depth: int) -> int:
    """Count the pages that the system gives to the process during calls at a depth."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    roomy(depth)
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)


def test_calls_at_the_edge_of_a_chunk_need_no_new_memory() -> None:
    """Without room, one of the depths is at an edge: a page for each of its calls."""
    roomy = with_stack_room(calls_at)
    roomy(DEPTHS)
    assert max(page_faults(roomy, depth) for depth in range(DEPTHS)) < CALLS // 4
