"""Work that an interrupt does not cut in two.

A worker is interrupted by a signal, which raises an exception between any two steps of the main
thread. What must be done whole, such as a transaction of a store, is undisturbed: the exception
waits for its end.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


class _Main:
    """The state of the main thread, the only one in which handlers of signals run."""

    undisturbed = False
    waiting: BaseException | None = None


def interrupt(error: BaseException) -> None:
    """Raise an exception in a handler of a signal, or after the undisturbed work."""
    if not _Main.undisturbed:
        raise error
    _Main.waiting = error


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let interrupts wait until this is done."""
    if current_thread() is not main_thread() or _Main.undisturbed:
        yield
        return
    try:
        _Main.undisturbed = True
        yield
    finally:
        _Main.undisturbed = False
        waiting, _Main.waiting = _Main.waiting, None
        if waiting is not None:
            raise waiting
