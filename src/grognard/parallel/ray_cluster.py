"""A pool of workers on a Ray cluster: a running one, or one started here for the job.

Only this module uses Ray; it is imported when a cluster is asked for.
"""

import os
import re
import socket
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Self

from grognard.parallel import worker_pool
from grognard.parallel.worker_pool import R, T, WorkerPool
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal

if TYPE_CHECKING:
    from ray import ObjectRef

LOCAL, AUTO, CLIENT = "local", "auto", "ray://"
QUEUED = 4  # tasks submitted per worker, so that none waits for the next
STORE = 100 * 2**20  # bytes of memory for objects; tasks and results are small
PATIENCE = 5  # seconds for a machine to answer

_ADDRESS = re.compile(r"(?:ray://)?(?P<host>[\w.-]+|\[[\da-fA-F:]+\]):(?P<port>\d{1,5})")
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # Ray sends no statistics
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # Ray prints nothing between our lines
    "RAY_NUM_REDIS_GET_RETRIES": "1",  # otherwise it tries for many minutes
}


class RayCluster(WorkerPool[T, R]):
    """The workers of a Ray cluster; a program that is already connected stays connected."""

    def __init__(self, function: Callable[[T], R], on: str, workers: int | None) -> None:
        self.size = 0
        self._function = function
        self._on, self._workers = on, workers
        self._host = _host(on)
        self._ray = _ray(on)
        self._own = False
        self._tasks: dict[ObjectRef[bytes], tuple[int, T]] = {}

    def __enter__(self) -> Self:
        if not self._ray.is_initialized():
            self._own = True
            self._connect()
        found = int(self._ray.cluster_resources().get("CPU", 1))
        self.size = min(self._workers or found, found)
        self._attempt = self._ray.remote(max_retries=worker_pool.TRIES - 1, retry_exceptions=False)(
            worker_pool.attempt
        )
        return self

    def _connect(self) -> None:
        start = {
            "num_cpus": self._workers,
            "include_dashboard": False,
            "object_store_memory": STORE,
        }
        try:
            if self._host:  # an address where nothing listens fails long before Ray would give up
                socket.create_connection(self._host, PATIENCE).close()
            self._ray.init(
                self._on,
                log_to_driver=False,
                logging_level="ERROR",
                **(start if self._on == LOCAL else {}),
            )
        except (self._ray.exceptions.RayError, OSError, RuntimeError, ValueError) as error:
            raise _no_answer(self._on, error) from None

    def free(self) -> bool:
        return len(self._tasks) < QUEUED * self.size

    def begin(self, number: int, task: T) -> None:
        # Ray's own pickle, which can also send functions of the main program.
        data = self._ray.cloudpickle.dumps((self._function, task))
        self._tasks[self._attempt.remote(data)] = number, task

    def finished(self) -> list[tuple[int, worker_pool.TaskResult[R]]]:
        ready, _ = self._ray.wait(list(self._tasks), num_returns=1)
        number, task = self._tasks.pop(ready[0])
        errors = self._ray.exceptions
        try:
            return [(number, worker_pool.read_result(self._ray.get(ready[0])))]
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
            raise worker_pool.given_up(number, task, _short(error)) from None
        except (errors.RayError, ConnectionError) as error:
            raise _no_answer(self._on, error) from None

    def __exit__(self, *_: object) -> None:
        for left in self._tasks:
            self._ray.cancel(left, force=True)
        self._tasks.clear()
        if self._own:
            self._ray.shutdown()


def _host(on: str) -> tuple[str, int] | None:
    """Parse host and port of an address; None for `local` and `auto`."""
    if on in (LOCAL, AUTO):
        return None
    found = _ADDRESS.fullmatch(on)
    if not found or int(found["port"]) > 65535:
        problem = say(
            "'{on}' is no cluster; expected local, auto, ray://HOST:PORT or HOST:PORT", on=on
        )
        raise Refusal(problem)
    return found["host"].strip("[]"), int(found["port"])


def _ray(on: str) -> ModuleType:
    """Import Ray; refuse if it, or the package of its client, is not installed."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        if on.startswith(CLIENT) and find_spec("grpc") is None:
            raise ImportError
        return import_module("ray")
    except ImportError:
        problem = say("clusters need Ray, which is not installed: pip install grognard[cluster]")
        raise Refusal(problem) from None


def _no_answer(on: str, error: Exception) -> Refusal:
    problem = foreign(getattr(error, "strerror", None) or _short(error))
    return Refusal(say("no Ray cluster at {on}: {problem}", on=on, problem=problem))


def _short(error: Exception) -> str:
    """Shorten an error of Ray to its first line, with the last one if the first ends in `:`."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return f"{lines[0]} {lines[-1]}" if lines[0].endswith(":") else lines[0]
