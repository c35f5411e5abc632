"""Room for deep recursion on the interpreter's stack."""

from collections.abc import Callable
from functools import wraps
from threading import local
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_WORDS = 1 << 15  # CPython gives a frame of this size a chunk of 512 KB, half of it for its calls


def with_stack_room(work: Callable[P, T]) -> Callable[P, T]:
    """Run a function so that all calls below it share one chunk of the interpreter's stack.

    CPython's chunks have 16 KB, and one is given back as soon as its first frame ends: where a
    recursion stands at the edge of a chunk, every call asks the system for memory. Below a call
    that has made room, nothing more is done.
    """

    def roomy(*args: P.args, **kwargs: P.kwargs) -> T:
        return work(*args, **kwargs)

    roomy.__code__ = roomy.__code__.replace(co_stacksize=_WORDS)

    @wraps(work)
    def once(*args: P.args, **kwargs: P.kwargs) -> T:
        if _room.made:
            return work(*args, **kwargs)
        _room.made = True
        try:
            return roomy(*args, **kwargs)
        finally:
            _room.made = False

    return once


class _Room(local):
    """Whether room has been made on the stack of this thread."""

    made = False


_room = _Room()
