"""Sides that play themselves: worker processes answer for them, never the server itself.

Each answer goes into the store like a person's, so nothing is lost when the server stops. Matches
take turns, a while each, so that a long match does not keep the others waiting; while a general
thinks, other workers answer for the other matches.
"""

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from threading import Event, Lock, Thread, current_thread
from time import monotonic
from typing import NamedTuple

from grognard.matches.seats import together
from grognard.matches.storage.rows import Unusable
from grognard.matches.storage.seats import Place
from grognard.players.bot import Bot
from grognard.players.levels import Level, automatic_player, known_level
from grognard.rules.ask import Answer, Commit, Roll
from grognard.web.lanes import workers
from grognard.web.lanes.workers import Dropped, Worker
from grognard.web.matches.match_cache import Copy
from grognard.web.matches.webhook import TellTurn, nobody
from grognard.words.refusal import Refusal

LOG = logging.getLogger(__name__)
MOST = 8  # matches whose plans are kept
WORKERS = 2
NICENESS = 10
AWHILE = 0.5  # seconds for which a match is played on before it is another's turn
BUDGET = 120.0  # seconds of processor time for that; a general's longest thought is far below
PATIENCE = 2  # seconds in which a worker has to stop with the server
PAUSE = 5.0  # seconds after which a store that could not be used is tried again
TRIES = 3  # before a match that ends its worker is left alone
DICE = SystemRandom()


class PlayedOn(NamedTuple):
    """How far a worker has come with a match."""

    more: bool  # whether its automatic sides have more to do
    turns: tuple[Place, ...] = ()  # seats of persons whose turn it has become


# Function of a module: plays a match of a store on for so many seconds.
PlayOn = Callable[[Path | str, str, float], PlayedOn]


def rolled(ask: Roll) -> Answer:
    """Roll the requested dice."""
    return ask.dice.draw(DICE)


class Bots:
    """The automatic players of the matches that were played last; they keep plans."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, Level], Bot] = OrderedDict()

    def answer(self, copy: Copy) -> Answer:
        """Answer the open question for a side that plays itself."""
        match = copy.match
        if isinstance(match.asking, Roll):
            return rolled(match.asking)
        answer = self._of(copy).answer(match)
        return together(match, answer, copy.halves) if isinstance(match.asking, Commit) else answer

    def _of(self, copy: Copy) -> Bot:
        key = copy.kept.id, known_level(copy.kept.level)
        bot = self._bots.pop(key, None) or automatic_player(DICE.getrandbits(32), key[1])
        self._bots[key] = bot
        if len(self._bots) > MOST:
            self._bots.popitem(last=False)
        return bot


class Players:
    """Lets workers play while any match waits for a side that plays itself."""

    def __init__(
        self,
        store: Path | str,
        play_on: PlayOn,
        size: int = WORKERS,
        tell_turn: TellTurn = nobody,
    ) -> None:
        self._store, self._play_on, self._size = store, play_on, size
        self._tell_turn = tell_turn
        self._waiting: deque[str] = deque()
        self._played: dict[str, Worker | None] = {}  # matches that are played now
        self._failed: dict[str, int] = {}  # how often a match has ended its worker
        self._threads: set[Thread] = set()
        self._lock = Lock()
        self._stopped = Event()

    @property
    def waiting(self) -> int:
        """The number of matches that wait for their turn."""
        return len(self._waiting)

    @property
    def playing(self) -> int:
        """The number of matches that are played now."""
        return len(self._played)

    def start(self) -> None:
        """Begin to answer, also after `stop`."""
        with self._lock:
            self._stopped.clear()
            self._begin()

    def wake(self, id_: str) -> None:
        """Queue a match."""
        with self._lock:
            if id_ not in self._waiting:
                self._waiting.append(id_)
            self._begin()

    def _begin(self) -> None:
        """Begin a thread for each match that is not played, up to the limit."""
        free = sum(id_ not in self._played for id_ in self._waiting)
        idle = len(self._threads) - len(self._played)  # about to take a match, or to end
        for _ in range(min(free - idle, self._size - len(self._threads))):
            if self._stopped.is_set():
                return
            thread = Thread(target=self._run, name="automatic players", daemon=True)
            self._threads.add(thread)
            thread.start()

    def stop(self) -> None:
        """Stop at once: an answer that is not ready is worked out again after the next start."""
        until = monotonic() + PATIENCE
        with self._lock:
            threads = tuple(self._threads)
            self._stopped.set()
        for thread in threads:
            while thread.is_alive() and monotonic() < until:
                self._interrupt()
                thread.join(0.1)

    def _interrupt(self) -> None:
        with self._lock:
            for worker in self._played.values():
                if worker is not None:
                    worker.interrupt()

    def _run(self) -> None:
        while (id_ := self._next()) is not None:
            try:
                more = self._step(id_)
            except Unusable as refusal:  # the store, for a while
                LOG.warning("matches wait for the store: %s", type(refusal).__name__)
                self._stopped.wait(PAUSE)
                more = True
            except Refusal as refusal:
                LOG.warning("a match can't be played on: %s", type(refusal).__name__)
                more = False
            except Exception:
                LOG.exception("a match can't be played on")
                more = False
            finally:
                with self._lock:
                    self._played.pop(id_, None)
            if more:
                self.wake(id_)

    def _next(self) -> str | None:
        with self._lock:
            free = (id_ for id_ in self._waiting if id_ not in self._played)
            if self._stopped.is_set() or (id_ := next(free, None)) is None:
                self._threads.discard(current_thread())
                return None
            self._waiting.remove(id_)
            self._played[id_] = None
            return id_

    def _step(self, id_: str) -> bool:
        """Let a worker play a match for a while; tell whether there is more to do."""
        worker = workers.taken(NICENESS)
        try:
            with self._lock:
                self._played[id_] = worker
                if self._stopped.is_set():
                    return True
            played: PlayedOn = worker.do(BUDGET, self._play_on, self._store, id_, AWHILE)
            self._failed.pop(id_, None)
            for place in played.turns:
                self._tell_turn(place)
            return played.more
        except Dropped:
            if self._stopped.is_set():
                return True
            self._failed[id_] = self._failed.get(id_, 0) + 1
            if self._failed[id_] < TRIES:
                return True
            LOG.warning("a match can't be played on: it has ended its worker %d times", TRIES)
            return False
        finally:
            with self._lock:
                self._played[id_] = None
            workers.given_back(worker)
