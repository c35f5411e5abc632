"""Sides that play themselves: a few threads answer for them.

Each answer goes into the store like a person's, so nothing is lost when the server stops. Matches
take turns, an answer each, so that a long match does not keep the others waiting; while a general
thinks, other threads answer for the other matches.
"""

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from random import SystemRandom
from threading import Lock, Thread, current_thread
from time import monotonic

from grognard.matches.seats import plays_itself, together
from grognard.matches.storage.rows import Stale, Unknown
from grognard.matches.storage.store import Store
from grognard.players.bot import Bot
from grognard.players.levels import Level, automatic_player, known_level
from grognard.rules.ask import Answer, Commit, Roll
from grognard.web.matches.match_cache import Copies, Copy

# Function that gives an answer to a version of a match
Give = Callable[[str, int, Answer], None]
LOG = logging.getLogger(__name__)
MOST = 8  # matches in memory
THREADS = 4
PATIENCE = 2  # seconds in which an answer may be finished when the server stops
DICE = SystemRandom()


def rolled(ask: Roll) -> Answer:
    """Roll the requested dice."""
    return ask.dice.draw(DICE)


class Bots:
    """The automatic players of the matches that were played last; they keep plans."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, Level], Bot] = OrderedDict()
        self._lock = Lock()

    def of(self, copy: Copy) -> Bot:
        key = copy.kept.id, known_level(copy.kept.level)
        with self._lock:
            bot = self._bots.pop(key, None) or automatic_player(DICE.getrandbits(32), key[1])
            self._bots[key] = bot
            if len(self._bots) > MOST:
                self._bots.popitem(last=False)
            return bot


class Players:
    """Answers for sides that play themselves while any match waits for them."""

    def __init__(self, store: Store, give: Give) -> None:
        self._copies = Copies(store, MOST)
        self._give = give
        self._bots = Bots()
        self._waiting: deque[str] = deque()
        self._played: set[str] = set()  # matches for which a thread answers now
        self._threads: set[Thread] = set()
        self._lock = Lock()
        self._stopped = False

    def start(self) -> None:
        """Begin to answer, also after `stop`."""
        with self._lock:
            self._stopped = False
            self._begin()

    def wake(self, id_: str) -> None:
        """Queue a match."""
        with self._lock:
            if id_ not in self._waiting:
                self._waiting.append(id_)
            self._begin()

    def _begin(self) -> None:
        """Begin a thread for each match that none answers for, up to the limit."""
        free = sum(id_ not in self._played for id_ in self._waiting)
        idle = len(self._threads) - len(self._played)  # about to take a match, or to end
        for _ in range(min(free - idle, THREADS - len(self._threads))):
            if self._stopped:
                return
            thread = Thread(target=self._run, name="automatic players", daemon=True)
            self._threads.add(thread)
            thread.start()

    def stop(self) -> None:
        """Stop after the present answers; those that take long are dropped."""
        with self._lock:
            self._stopped, threads = True, tuple(self._threads)
        until = monotonic() + PATIENCE
        for thread in threads:
            thread.join(max(0.0, until - monotonic()))

    def _run(self) -> None:
        while (id_ := self._next()) is not None:
            try:
                self._step(id_)
            except Unknown:
                LOG.info("match %s was deleted while it was played", id_)
            except Stale:  # somebody else answered first: look again
                self.wake(id_)
            except Exception:
                LOG.exception("match %s can't be played on", id_)
            finally:
                with self._lock:
                    self._played.discard(id_)

    def _next(self) -> str | None:
        with self._lock:
            free = (id_ for id_ in self._waiting if id_ not in self._played)
            if self._stopped or (id_ := next(free, None)) is None:
                self._threads.discard(current_thread())
                return None
            self._waiting.remove(id_)
            self._played.add(id_)
            return id_

    def _step(self, id_: str) -> None:
        """Answer one question, if it is for a side that plays itself."""
        with self._copies.seen(id_) as copy:
            if plays_itself(copy.match, copy.seats):
                answer = self._answer(copy)
                if self._stopped:
                    self.wake(id_)
                else:
                    self._give(id_, copy.kept.version, answer)

    def _answer(self, copy: Copy) -> Answer:
        match = copy.match
        if isinstance(match.asking, Roll):
            return rolled(match.asking)
        answer = self._bots.of(copy).answer(match)
        return together(match, answer, copy.halves) if isinstance(match.asking, Commit) else answer
