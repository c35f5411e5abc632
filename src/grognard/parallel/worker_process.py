"""A worker process and our end of its pipe."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.context import SpawnProcess

# A spawned process has none of our threads and locks, on every system.
_CONTEXT = get_context("spawn")


class WorkerProcess:
    """A process that runs a function with its end of a pipe; it ends with the pipe."""

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process: SpawnProcess = _CONTEXT.Process(
            target=work, args=(theirs, *given), daemon=True
        )
        with _interrupts_blocked():
            self.process.start()
        theirs.close()

    def sent(self, data: bytes) -> bool:
        """Send a task; tell whether the process could take it."""
        try:
            self.pipe.send_bytes(data)
        except OSError:
            return False
        return True

    def received(self) -> bytes | None:
        """Wait for a result; None if the process died before it had sent all of it."""
        try:
            return self.pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """End the process at once."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C in new processes: a terminal sends it to all, but the parent stops them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # if it started later, it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
