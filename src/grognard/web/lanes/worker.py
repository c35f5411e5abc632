"""What runs in a worker process: one job at a time, within a budget of processor time.

A job can be interrupted: by its budget, or because nobody waits for it any more. Both come as a
signal and end the job with an exception, so that the process and what it knows can be used again.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, NamedTuple

from grognard.fights.work_budget import OverBudget
from grognard.parallel.undisturbed import interrupt
from grognard.parallel.worker_pool import attempt
from grognard.rules import game_places
from grognard.web.process_settings import settle
from grognard.words.message import say

INTERRUPT = getattr(signal, "SIGUSR1", None)  # None: the process is killed instead
AGAIN = 0.5  # seconds of processor time after which a job is stopped once more
GRACE = 5.0  # seconds of processor time after which the system ends the process
DROPPED = b""  # the result of an interrupted job


class Interrupted(BaseException):
    """Nobody waits for the job any more."""


class OutOfTime(OverBudget):
    """The job used up its budget of processor time."""

    def __init__(self, seconds: float) -> None:
        problem = say(
            "this takes more than {n} seconds of processor time; ask for less, or ask on the "
            "command line",
            n=f"{seconds:g}",
        )
        super().__init__(problem)


class Games(NamedTuple):
    """Where the server finds games: a worker finds the same."""

    folders: str
    allowed: str
    places: tuple[game_places.GamePlace, ...]

    @classmethod
    def here(cls) -> "Games":
        """Tell where this process finds games."""
        folders = os.pathsep.join(map(str, game_places.folders()))
        allowed = os.environ.get(game_places.ALLOWED, "")
        return cls(folders, allowed, game_places.places())

    def find(self) -> None:
        """Look for games where another process finds them."""
        os.environ[game_places.FOLDERS] = self.folders
        os.environ[game_places.ALLOWED] = self.allowed
        if game_places.places() != self.places:
            game_places.refresh()


class Job(NamedTuple):
    """A function with its arguments, its budget in seconds of processor time, and the games."""

    run: Callable[..., object]
    given: tuple[Any, ...]
    seconds: float
    games: Games


class _Present:
    """The budget of the job that is being done; None between two jobs."""

    seconds: float | None = None


def work(pipe: Connection, niceness: int) -> None:
    """Do jobs until the other end of the pipe is closed."""
    settle()
    if hasattr(os, "nice"):
        os.nice(niceness)
    if INTERRUPT is not None:
        signal.signal(INTERRUPT, _interrupt)
        signal.signal(signal.SIGPROF, _stop)
    try:
        while True:
            data = pipe.recv_bytes()
            try:
                result = attempt(data)
            except Interrupted:
                result = DROPPED
            finally:
                _Present.seconds = None
            pipe.send_bytes(result)
    except (EOFError, OSError):
        return


def carry_out(job: Job) -> object:
    """Do a job, in the worker."""
    job.games.find()
    with _budget(job.seconds):
        return job.run(*job.given)


@contextmanager
def _budget(seconds: float) -> Iterator[None]:
    """Stop the job after so many seconds of processor time; let the system end the process if it
    can't be stopped."""
    if INTERRUPT is None:
        yield
        return
    _Present.seconds = seconds
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds + GRACE)
    try:
        yield
    finally:
        _Present.seconds = None
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if _Present.seconds is not None:
        interrupt(Interrupted())


def _stop(_number: int, _frame: FrameType | None) -> None:
    if _Present.seconds is not None:
        interrupt(OutOfTime(_Present.seconds))
