"""Many tasks at once: in processes on this machine, or on many machines with Ray.

The results are the same as on one core, bit for bit and in the same order, even if a worker dies.
A task should take ten milliseconds or more.
"""

import os
from collections.abc import Callable, Iterable, Iterator

from grognard.parallel.worker_pool import Failed, R, Succeeded, T, TaskResult, WorkerPool
from grognard.words.message import say
from grognard.words.refusal import Refusal

AHEAD = 4  # tasks per worker that are read ahead of the results


def run(
    function: Callable[[T], R],
    tasks: Iterable[T],
    *,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[R]:
    """Apply a top-level function to each task, and yield the results in the order of the tasks.

    Tasks are read as they are needed, so there may be millions. `on` is None for processes on this
    machine, "local" for a Ray cluster on it, or the address of a running cluster: "auto",
    "ray://host:port", "host:port". `workers` is the number of workers (default: all cores).

    An exception of the function is raised in its turn, as on one core, and the remaining tasks are
    dropped. A worker that is killed is replaced and its task is started again; a task whose worker
    dies each time is refused.
    """
    if workers is not None and workers < 1:
        raise Refusal(say("{n} workers can't work; expected 1 or more", n=workers))
    if on is not None:
        from grognard.parallel.ray_cluster import RayCluster  # noqa: PLC0415  # Ray is an extra

        return _in_order(RayCluster(function, on, workers), tasks)
    size = workers or cores()
    if size == 1:
        return map(function, tasks)
    from grognard.parallel.process_pool import ProcessPool  # noqa: PLC0415  # one core needs no processes

    return _in_order(ProcessPool(function, size), tasks)


def cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_order(pool: WorkerPool[T, R], tasks: Iterable[T]) -> Iterator[R]:
    """Keep a pool busy, a few tasks ahead, and yield the results in the order of the tasks."""
    waiting = _read(tasks)
    done: dict[int, TaskResult[R]] = {}
    begun = given = 0
    with pool:
        while True:
            while pool.free() and begun - given < AHEAD * pool.size:
                failed = any(isinstance(result, Failed) for result in done.values())
                if failed or (task := next(waiting, None)) is None:
                    break
                if isinstance(task, Failed):
                    done[begun] = task
                else:
                    pool.begin(begun, task.value)
                begun += 1
            if given == begun:
                return
            while given not in done:
                done.update(pool.finished())
            result = done.pop(given)
            if isinstance(result, Failed):
                raise result.error
            yield result.value
            given += 1


def _read(tasks: Iterable[T]) -> Iterator[Succeeded[T] | Failed]:
    """Read the tasks; an exception of their source comes in its turn, after earlier tasks."""
    try:
        for task in tasks:
            yield Succeeded(task)
    except Exception as error:  # raised in its turn
        yield Failed(error)
