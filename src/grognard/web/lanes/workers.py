"""Worker processes as the server sees them. All applications of a process share them."""

import os
import pickle
import signal
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from grognard.parallel.worker_pool import Failed, read_result
from grognard.parallel.worker_process import WorkerProcess
from grognard.web.lanes.worker import DROPPED, INTERRUPT, Games, Job, OutOfTime, carry_out, work

MEMORY = 400 * 1024 * 1024  # bytes; a worker that has grown beyond it is replaced after its job


class Dropped(Exception):  # nobody waits for the result, so nothing failed
    """The job was interrupted, or its worker was killed."""


class Worker(WorkerProcess):
    """A worker process; it does one job at a time."""

    def __init__(self, niceness: int) -> None:
        super().__init__(work, niceness)
        self.niceness = niceness
        self.jobs = 0

    def do(self, seconds: float, run: Callable[..., Any], *given: object) -> Any:  # noqa: ANN401  # what `run` gives
        """Let the worker run a function of a module; raise what it raises."""
        self.jobs += 1
        job = Job(run, given, seconds, Games.here())
        data = self.received() if self.sent(pickle.dumps((carry_out, job))) else None
        if data is None:
            self.process.join(1)
            if self.process.exitcode == -getattr(signal, "SIGVTALRM", 0):
                raise OutOfTime(seconds)
            raise Dropped
        if data == DROPPED:
            raise Dropped
        result: Any = read_result(data)
        if isinstance(result, Failed):
            raise result.error
        return result.value

    def interrupt(self) -> None:
        """Stop the present job."""
        if INTERRUPT is None:
            self.process.kill()
        elif self.process.pid is not None and self.process.exitcode is None:
            os.kill(self.process.pid, INTERRUPT)

    @property
    def usable(self) -> bool:
        """Whether it lives, and has not grown too large."""
        return self.process.is_alive() and resident(self.process.pid or 0) <= MEMORY


def resident(pid: int | str) -> int:
    """Give the bytes of memory that a process has; 0 where the system does not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


_lock = Lock()
_idle: defaultdict[int, list[Worker]] = defaultdict(list)  # by niceness


def taken(niceness: int) -> Worker:
    """Take an idle worker, or start one."""
    with _lock:
        while _idle[niceness]:
            worker = _idle[niceness].pop()
            if worker.process.is_alive():
                return worker
            worker.end()
        return Worker(niceness)


def given_back(worker: Worker) -> None:
    """Keep a worker for the next job, unless it has died or grown too large."""
    if worker.usable:
        with _lock:
            _idle[worker.niceness].append(worker)
    else:
        worker.end()


def tell_idle(run: Callable[..., object], *given: object) -> None:
    """Run a quick function in every idle worker."""
    with _lock:
        idle = [worker for workers in _idle.values() for worker in workers]
        _idle.clear()
    for worker in idle:
        try:
            worker.do(1, run, *given)
        except Dropped:
            worker.end()
        else:
            given_back(worker)
