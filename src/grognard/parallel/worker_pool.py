"""What every crew of workers shares: how a task is carried out, and what comes back from it.

Tasks and results travel as bytes, so that a process beside us and a machine far away do the same.
"""

import pickle
import reprlib
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, NamedTuple, Self, TypeVar

from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

T = TypeVar("T")
R = TypeVar("R")

TRIES = 4  # how often a task is begun before it is given up: its worker may be killed by chance


class Succeeded(NamedTuple, Generic[R]):
    """What the function gave."""

    value: R


class Failed(NamedTuple):
    """The exception that the function, or what reads or writes its task, raised."""

    error: Exception


TaskResult = Succeeded[R] | Failed


class WorkerPool(ABC, Generic[T, R]):
    """Workers that carry tasks out, in any order, as long as its context lasts."""

    size: int  # how many work at the same time

    @abstractmethod
    def __enter__(self) -> Self: ...

    @abstractmethod
    def free(self) -> bool:
        """Tell whether another task may be handed over now."""

    @abstractmethod
    def begin(self, number: int, task: T) -> None:
        """Hand a task over."""

    @abstractmethod
    def finished(self) -> list[tuple[int, TaskResult[R]]]:
        """Wait until something has happened, and give what is done by its number."""

    @abstractmethod
    def __exit__(self, *_: object) -> None:
        """End the workers, whatever they are doing."""


def attempt(data: bytes) -> bytes:
    """Carry a task out, in the worker. Whatever the function raises goes back to the caller."""
    try:
        function, task = pickle.loads(data)
        return pickle.dumps(Succeeded(function(task)))
    except Exception as error:  # the caller gets it
        return _failure(error)


def _failure(error: Exception) -> bytes:
    """Write an exception; one that can't be read again is replaced by its words."""
    where = "".join(traceback.format_tb(error.__traceback__))
    try:
        written = pickle.dumps(_noted(error, where))
        pickle.loads(written)
    except Exception:  # an exception may refuse in any way
        words = f"{type(error).__name__}: {error}"
        return pickle.dumps(Failed(_noted(RuntimeError(words), where)))
    return pickle.dumps(Failed(error))


def _noted(error: Exception, where: str) -> Exception:
    error.add_note(f"In the worker:\n{where}")
    return error


def read_result(data: bytes) -> "TaskResult[R]":
    """Read what a worker sent."""
    read: TaskResult[R] = pickle.loads(data)
    return read


def task_bytes(function: Callable[[T], R], task: T) -> bytes:
    """Write a task for a worker."""
    return pickle.dumps((function, task))


def given_up(number: int, task: object, how: Message | str) -> Refusal:
    """Refuse a task that ends its worker each time."""
    return Refusal(
        say(
            "task {number} ({task}) ended its worker {tries} times and is given up: {how}",
            number=number + 1,
            task=reprlib.repr(task),
            tries=TRIES,
            how=how,
        )
    )
