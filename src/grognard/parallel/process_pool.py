"""A pool of processes on this machine.

Each process has one task at a time. If a process is killed, only this task is lost, and it is
started again in a new process.
"""

import pickle
from collections.abc import Callable
from multiprocessing.connection import Connection, wait

from grognard.parallel import worker_pool
from grognard.parallel.worker_pool import R, T, WorkerPool
from grognard.parallel.worker_process import WorkerProcess
from grognard.words.message import Message, say


def _work(pipe: Connection) -> None:
    """Run tasks until the other end of the pipe is closed."""
    try:
        while True:
            pipe.send_bytes(worker_pool.attempt(pipe.recv_bytes()))
    except (EOFError, OSError):
        return


class ProcessPool(WorkerPool[T, R]):
    """Processes that run tasks; they are started when they are needed."""

    def __init__(self, function: Callable[[T], R], size: int) -> None:
        self.size = size
        self._function = function
        self._idle: list[WorkerProcess] = []
        self._busy: dict[int, WorkerProcess] = {}  # by the number of the task
        self._tasks: dict[int, T] = {}
        self._tries: dict[int, int] = {}

    def free(self) -> bool:
        return len(self._busy) < self.size

    def begin(self, number: int, task: T) -> None:
        self._tasks[number] = task
        self._tries[number] = 0
        self._hand_over(number)

    def _hand_over(self, number: int) -> None:
        """Send a task to a worker; the death of an idle worker does not count as an attempt."""
        data = pickle.dumps((self._function, self._tasks[number]))
        self._tries[number] += 1
        while self._idle:
            worker = self._idle.pop()
            self._busy[number] = worker
            if worker.process.is_alive() and worker.sent(data):
                return
            self._busy.pop(number).end()
        self._busy[number] = WorkerProcess(_work)
        self._busy[number].sent(data)  # if it died at once, `finished` finds out

    def finished(self) -> list[tuple[int, worker_pool.TaskResult[R]]]:
        numbers = {worker.pipe: number for number, worker in self._busy.items()}
        found: list[tuple[int, worker_pool.TaskResult[R]]] = []
        ready = wait(list(numbers))
        for number in [number for pipe, number in numbers.items() if pipe in ready]:
            data = self._busy[number].received()
            if data is None:
                self._lost(number)
            else:
                self._idle.append(self._busy.pop(number))
                del self._tasks[number], self._tries[number]
                found.append((number, worker_pool.read_result(data)))
        return found

    def _lost(self, number: int) -> None:
        """Start the task of a dead worker again, unless it has used up its attempts."""
        worker = self._busy.pop(number)
        worker.process.join()
        status = worker.process.exitcode
        worker.end()
        if self._tries[number] >= worker_pool.TRIES:
            raise worker_pool.given_up(number, self._tasks[number], _cause(status))
        self._hand_over(number)

    def __exit__(self, *_: object) -> None:
        for worker in (*self._idle, *self._busy.values()):
            worker.end()
        self._idle, self._busy = [], {}


def _cause(status: int | None) -> Message:
    if status is not None and status < 0:
        return say("killed by signal {signal}", signal=-status)
    return say("exit status {status}", status=status)
