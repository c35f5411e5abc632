"""A crew of processes on this machine. Each has one task at a time, so a process that is killed
takes just this one with it, which is then begun again in a new process."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Self

from grognard.parallel.worker_pool import (
    TRIES,
    R,
    T,
    TaskResult,
    WorkerPool,
    attempt,
    given_up,
    read_result,
    task_bytes,
)
from grognard.words.message import Message, say

# A process made anew has no threads and locks of ours, on every system.
_CONTEXT = get_context("spawn")


def _work(pipe: Connection) -> None:
    """Carry tasks out until the other end is closed."""
    try:
        while True:
            pipe.send_bytes(attempt(pipe.recv_bytes()))
    except (EOFError, OSError):
        return


class _Worker:
    """A process and our end of its pipe."""

    def __init__(self) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process: SpawnProcess = _CONTEXT.Process(target=_work, args=(theirs,), daemon=True)
        with _keeping_interrupts_from_it():
            self.process.start()
        theirs.close()

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


@contextmanager
def _keeping_interrupts_from_it() -> Iterator[None]:
    """Let only us hear Ctrl-C, which a terminal sends to every process: we end the workers."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # would lift the mask if it began within
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class ProcessPool(WorkerPool[T, R]):
    """Processes that carry tasks out; they are made when there is work for them."""

    def __init__(self, function: Callable[[T], R], size: int) -> None:
        self.size = size
        self._function = function
        self._idle: list[_Worker] = []
        self._busy: dict[int, _Worker] = {}  # by the number of the task
        self._tasks: dict[int, T] = {}
        self._tries: dict[int, int] = {}

    def __enter__(self) -> Self:
        return self

    def free(self) -> bool:
        return len(self._busy) < self.size

    def begin(self, number: int, task: T) -> None:
        self._tasks[number] = task
        self._tries[number] = 0
        self._hand_over(number)

    def _hand_over(self, number: int) -> None:
        """Give a task to a worker. One who died idle is replaced, and the task not blamed."""
        data = task_bytes(self._function, self._tasks[number])
        self._tries[number] += 1
        while self._idle:
            worker = self._idle.pop()
            self._busy[number] = worker
            if worker.process.is_alive() and _sent(worker, data):
                return
            self._busy.pop(number).end()
        self._busy[number] = _Worker()
        _sent(self._busy[number], data)  # one who died at once is found when it is waited for

    def finished(self) -> list[tuple[int, TaskResult[R]]]:
        numbers = {worker.pipe: number for number, worker in self._busy.items()}
        found: list[tuple[int, TaskResult[R]]] = []
        ready = wait(list(numbers))
        for number in [number for pipe, number in numbers.items() if pipe in ready]:
            data = _received(self._busy[number])
            if data is None:
                self._lost(number)
            else:
                self._idle.append(self._busy.pop(number))
                del self._tasks[number], self._tries[number]
                found.append((number, read_result(data)))
        return found

    def _lost(self, number: int) -> None:
        """Begin the task of a dead worker again, unless it has killed too many."""
        worker = self._busy.pop(number)
        worker.process.join()
        status = worker.process.exitcode
        worker.end()
        if self._tries[number] >= TRIES:
            raise given_up(number, self._tasks[number], _how(status))
        self._hand_over(number)

    def __exit__(self, *_: object) -> None:
        for worker in (*self._idle, *self._busy.values()):
            worker.end()
        self._idle, self._busy = [], {}


def _sent(worker: _Worker, data: bytes) -> bool:
    try:
        worker.pipe.send_bytes(data)
    except OSError:
        return False
    return True


def _received(worker: _Worker) -> bytes | None:
    """Take what a worker sent; None where it died before it had sent all."""
    try:
        return worker.pipe.recv_bytes()
    except (EOFError, OSError):
        return None


def _how(status: int | None) -> Message:
    if status is not None and status < 0:
        return say("killed by signal {signal}", signal=-status)
    return say("exit status {status}", status=status)
