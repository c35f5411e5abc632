"""Sides that play themselves: one thread answers for them.

Each answer goes into the store like a person's, so nothing is lost when the server stops. Matches
take turns, an answer each, so that a long match does not keep the others waiting.
"""

import logging
from collections import deque
from collections.abc import Callable
from random import SystemRandom
from threading import Lock, Thread

from grognard.matches.seats import plays_itself, together
from grognard.matches.store import Stale, Store, Unknown
from grognard.players.bot import Bot
from grognard.rules.ask import Answer, Commit, Roll
from grognard.web.matches.match_cache import Copies, Copy

# Function that gives an answer to a version of a match
Give = Callable[[str, int, Answer], None]
LOG = logging.getLogger(__name__)
MOST = 8  # matches in memory
DICE = SystemRandom()


def rolled(ask: Roll) -> Answer:
    """Roll the requested dice."""
    return ask.dice.draw(DICE)


class Players:
    """Answers for sides that play themselves while any match waits for them."""

    def __init__(self, store: Store, give: Give) -> None:
        self._copies = Copies(store, MOST)
        self._give = give
        self._bot = Bot(DICE.getrandbits(32))
        self._waiting: deque[str] = deque()
        self._lock = Lock()
        self._thread: Thread | None = None
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
        if self._waiting and self._thread is None and not self._stopped:
            self._thread = Thread(target=self._run, name="automatic players", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop after the present answer."""
        with self._lock:
            self._stopped, thread = True, self._thread
        if thread is not None:
            thread.join()

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

    def _next(self) -> str | None:
        with self._lock:
            if self._stopped or not self._waiting:
                self._thread = None
                return None
            return self._waiting.popleft()

    def _step(self, id_: str) -> None:
        """Answer one question, if it is for a side that plays itself."""
        with self._copies.seen(id_) as copy:
            if plays_itself(copy.match, copy.seats):
                self._give(id_, copy.kept.version, self._answer(copy))

    def _answer(self, copy: Copy) -> Answer:
        match = copy.match
        if isinstance(match.asking, Roll):
            return rolled(match.asking)
        answer = self._bot.answer(match)
        return together(match, answer, copy.halves) if isinstance(match.asking, Commit) else answer
