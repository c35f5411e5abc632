"""The interface of a pool of workers, and how tasks and results are encoded.

Tasks and results are sent as bytes, to processes and to other machines alike.
"""

import pickle
import reprlib
import traceback
from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, Self, TypeVar

from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

T = TypeVar("T")
R = TypeVar("R")

TRIES = 4  # attempts at a task whose worker dies, which may be chance


class Succeeded(NamedTuple, Generic[R]):
    """The value that the function returned."""

    value: R


class Failed(NamedTuple):
    """The exception that the function raised, or the decoding of its task."""

    error: Exception


TaskResult = Succeeded[R] | Failed


class WorkerPool(ABC, Generic[T, R]):
    """Workers that run tasks, in any order, while the context lasts."""

    size: int  # number of tasks that run at the same time

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def free(self) -> bool:
        """Tell whether the pool accepts another task now."""

    @abstractmethod
    def begin(self, number: int, task: T) -> None:
        """Start a task."""

    @abstractmethod
    def finished(self) -> list[tuple[int, TaskResult[R]]]:
        """Wait for workers, and give the finished results with the numbers of their tasks."""

    @abstractmethod
    def __exit__(self, *_: object) -> None:
        """Stop the workers at once."""


def attempt(data: bytes) -> bytes:
    """Run a task, in the worker; an exception of the function goes back to the caller."""
    try:
        function, task = pickle.loads(data)
        return pickle.dumps(Succeeded(function(task)))
    except Exception as error:  # raised again in the caller
        return _failure(error)


def _failure(error: Exception) -> bytes:
    """Encode an exception; one that can't be decoded is replaced by its text."""
    where = "".join(traceback.format_tb(error.__traceback__))
    try:
        written = pickle.dumps(_noted(error, where))
        pickle.loads(written)
    except Exception:  # pickling may fail in any way
        words = f"{type(error).__name__}: {error}"
        return pickle.dumps(Failed(_noted(RuntimeError(words), where)))
    return pickle.dumps(Failed(error))


def _noted(error: Exception, where: str) -> Exception:
    error.add_note(f"In the worker:\n{where}")
    return error


def read_result(data: bytes) -> "TaskResult[R]":
    """Decode the result that a worker sent."""
    read: TaskResult[R] = pickle.loads(data)
    return read


def given_up(number: int, task: object, how: Message | str) -> Refusal:
    """Make the refusal of a task whose worker died each time."""
    problem = say(
        "task {number} ({task}) ended its worker {tries} times and is given up: {how}",
        number=number + 1,
        task=reprlib.repr(task),
        tries=TRIES,
        how=how,
    )
    return Refusal(problem)
