"""Room for matches: how many the store may hold, and how many may have automatic sides."""

from grognard.matches.storage.rows import Unknown
from grognard.matches.storage.store import Store
from grognard.web.responses import HttpRefusal
from grognard.web.server_config import Limits
from grognard.web.visitors import VISITOR
from grognard.words.message import say
from grognard.words.refusal import Refusal

RETRY = 600  # seconds


class MatchRoom:
    """Refuses a match that is one too many."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._begun: dict[str, set[str]] = {}  # visitor -> his matches with automatic sides

    def check(self, autos: tuple[str, ...], *, new: bool) -> None:
        """Refuse a new match, or automatic sides, beyond the limits."""
        limits = self._limits
        if new and limits.matches and self._store.count() >= limits.matches:
            raise HttpRefusal(503, Refusal(say("this server holds no more matches")), RETRY)
        if not autos:
            return
        own = self._begun.get(VISITOR.get(), set())
        own.intersection_update({id_ for id_ in own if self._plays(id_)})
        if limits.visitor_automatic and len(own) >= limits.visitor_automatic:
            problem = say("you have {n} matches with automatic sides; end one first", n=len(own))
            raise HttpRefusal(429, Refusal(problem), RETRY)
        if limits.automatic and self._store.count(automatic=True) >= limits.automatic:
            problem = say("the automatic players have enough to do; ask again later")
            raise HttpRefusal(503, Refusal(problem), RETRY)

    def note(self, id_: str) -> None:
        """Note that the visitor has a match with automatic sides."""
        if self._limits.visitor_automatic:
            self._begun.setdefault(VISITOR.get(), set()).add(id_)

    def _plays(self, id_: str) -> bool:
        try:
            kept = self._store.get(id_)
        except Unknown:
            return False
        return bool(kept.autos) and not kept.standing.over
