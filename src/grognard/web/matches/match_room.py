"""Room for matches: how many the store may hold, and how many may have automatic sides."""

from collections.abc import Iterable
from threading import Lock

from grognard.matches.storage.rows import Damaged, Unknown
from grognard.matches.storage.store import Store
from grognard.web.responses import HttpRefusal
from grognard.web.server_config import Limits
from grognard.web.visitors import VISITOR
from grognard.words.message import say
from grognard.words.refusal import Refusal

RETRY = 600  # seconds
SPARE = 1_000  # matches that may be remembered although they are gone


class MatchRoom:
    """Refuses a match that is one too many.

    The server remembers who has begun which matches. A worker is told those of the visitor whom it
    answers, and tells the server what it has begun for him.
    """

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._begun: dict[str, set[str]] = {}  # visitor -> his matches
        self._most = SPARE  # matches that are remembered before those that are gone are forgotten
        self._lock = Lock()

    def begun(self, visitor: str) -> tuple[str, ...]:
        """Give the matches that a visitor has begun, or let play themselves."""
        with self._lock:
            return tuple(self._begun.get(visitor, ()))

    def check(self, autos: tuple[str, ...], *, new: bool) -> None:
        """Refuse a new match, or automatic sides, beyond the limits."""
        limits, own = self._limits, self.begun(VISITOR.get())
        if new and limits.matches and self._store.count() >= limits.matches:
            raise HttpRefusal(503, Refusal(say("this server holds no more matches")), RETRY)
        if new and limits.visitor_matches and len(own) >= limits.visitor_matches:
            kept = len(self._store.news(own))
            if kept >= limits.visitor_matches:
                problem = say("you have begun {n} matches here; delete one first", n=kept)
                raise HttpRefusal(429, Refusal(problem), RETRY)
        if not autos:
            return
        if limits.visitor_automatic:
            playing = sum(map(self._plays, own))
            if playing >= limits.visitor_automatic:
                problem = say("you have {n} matches with automatic sides; end one first", n=playing)
                raise HttpRefusal(429, Refusal(problem), RETRY)
        if limits.automatic and self._store.count(automatic=True) >= limits.automatic:
            problem = say("the automatic players have enough to do; ask again later")
            raise HttpRefusal(503, Refusal(problem), RETRY)

    def note(self, ids: Iterable[str], visitor: str) -> None:
        """Note that a visitor has begun matches, or lets them play themselves."""
        if self._limits.visitor_automatic or self._limits.visitor_matches:
            with self._lock:
                self._begun.setdefault(visitor, set()).update(ids)
                if sum(map(len, self._begun.values())) > self._most:
                    self._forget()

    def _forget(self) -> None:
        """Forget the matches that are gone, and who has no others."""
        known = self._store.news(tuple({id_ for own in self._begun.values() for id_ in own}))
        left = {visitor: own & known.keys() for visitor, own in self._begun.items()}
        self._begun = {visitor: own for visitor, own in left.items() if own}
        self._most = sum(map(len, left.values())) + SPARE

    def _plays(self, id_: str) -> bool:
        try:
            kept = self._store.get(id_)
        except (Unknown, Damaged):
            return False
        return bool(kept.autos) and not kept.standing.over
