"""A lane: expensive work, in a few worker processes of low priority, fair between visitors.

Work waits in a queue of limited length. Visitors take turns, so that one who asks for much waits
only for himself. Work whose client leaves ends at once, in the queue or in the worker.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from anyio import CapacityLimiter, Event, create_task_group, sleep, to_thread

from grognard.web.lanes import workers
from grognard.web.lanes.workers import Dropped, Worker
from grognard.web.responses import HttpRefusal
from grognard.words.message import say
from grognard.words.refusal import Refusal

NICENESS = 15
PATIENCE = 1.0  # seconds in which an interrupted worker has to answer before it is killed
RETRY = 5  # seconds after which a refused visitor may ask again


class LaneLimits(NamedTuple):
    """How much a lane does at once, and lets wait."""

    workers: int = 2
    seconds: float = 10.0  # of processor time for a job
    waiting: int = 64  # jobs in all
    of_visitor: int = 64  # jobs of one visitor, running and waiting


class _Turn:
    """A job in the queue."""

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self.called = Event()
        self.left = False  # its client is gone
        self.worker: Worker | None = None

    async def leave(self) -> None:
        """End the job: nobody waits for it any more."""
        self.left = True
        self.called.set()
        if self.worker is not None:
            self.worker.interrupt()
            await sleep(PATIENCE)
            if self.worker is not None:
                self.worker.process.kill()


class Lane:
    """Worker processes and the queue before them."""

    def __init__(self, limits: LaneLimits = LaneLimits()) -> None:  # noqa: B008  # immutable
        self.limits = limits
        self._threads = CapacityLimiter(limits.workers)
        self._running: list[_Turn] = []
        self._waiting: dict[str, deque[_Turn]] = {}  # visitors in the order of their turns
        self.done = self.refused = self.dropped = 0

    @property
    def waiting(self) -> int:
        """The number of jobs in the queue."""
        return sum(map(len, self._waiting.values()))

    @property
    def running(self) -> int:
        """The number of jobs that workers do now."""
        return len(self._running)

    async def run(
        self,
        visitor: str,
        gone: Callable[[], Awaitable[None]],
        work: Callable[..., Any],
        *given: object,
    ) -> Any:  # noqa: ANN401  # what the work gives
        """Run a function of a module in a worker; it ends when `gone` returns.

        Raises what the function raises, `Dropped` if the client is gone, and a refusal with status
        503 if the queue is full.
        """
        turn = self._queued(visitor)
        outcome: list[Any] = []

        async def leave() -> None:
            await gone()
            await turn.leave()

        async def serve() -> None:
            try:
                outcome.append(await self._served(turn, work, given))
            except Exception as error:  # raised again, outside the group
                outcome.append(error)
            finally:
                turn.worker = None
                both.cancel_scope.cancel()

        try:
            async with create_task_group() as both:
                both.start_soon(leave)
                both.start_soon(serve)
        finally:
            self._over(turn)
        if isinstance(outcome[0], Exception):
            raise outcome[0]
        self.done += 1
        return outcome[0]

    async def _served(
        self, turn: _Turn, work: Callable[..., Any], given: tuple[object, ...]
    ) -> object:
        await turn.called.wait()
        if turn.left:
            raise Dropped
        worker = await to_thread.run_sync(workers.taken, NICENESS, limiter=self._threads)
        try:
            if turn.left:
                raise Dropped
            turn.worker = worker
            return await to_thread.run_sync(
                worker.do, self.limits.seconds, work, *given, limiter=self._threads
            )
        except Dropped:
            self.dropped += 1
            if not turn.left:
                raise HttpRefusal(503, Refusal(say("the work was stopped")), RETRY) from None
            raise
        finally:
            turn.worker = None
            workers.given_back(worker)

    def stop(self) -> None:
        """End all jobs."""
        for turn in self._running:
            turn.left = True
            turn.called.set()
            if turn.worker is not None:
                turn.worker.interrupt()

    # -------------------------------------------------------------- turns

    def _queued(self, visitor: str) -> _Turn:
        """Put a job into the queue; refuse it where the queue is full."""
        own = len(self._waiting.get(visitor, ())) + sum(
            turn.visitor == visitor for turn in self._running
        )
        if self.waiting >= self.limits.waiting or own >= self.limits.of_visitor:
            self.refused += 1
            problem = say("too much is being worked out now; ask again in a moment")
            raise HttpRefusal(503, Refusal(problem), RETRY)
        turn = _Turn(visitor)
        self._waiting.setdefault(visitor, deque()).append(turn)
        self._call()
        return turn

    def _call(self) -> None:
        """Call the next job if a worker is free; its visitor goes to the end of the line."""
        while self._waiting and len(self._running) < self.limits.workers:
            visitor = next(iter(self._waiting))
            queue = self._waiting.pop(visitor)
            turn = queue.popleft()
            if queue:
                self._waiting[visitor] = queue
            self._running.append(turn)
            turn.called.set()

    def _over(self, turn: _Turn) -> None:
        """Take a job out, wherever it is."""
        if turn in self._running:
            self._running.remove(turn)
        elif turn.visitor in self._waiting:
            self._waiting[turn.visitor].remove(turn)
            if not self._waiting[turn.visitor]:
                del self._waiting[turn.visitor]
        self._call()
