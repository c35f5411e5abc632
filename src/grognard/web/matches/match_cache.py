"""Cache of the matches in use, replayed from the store.

A match and its field belong to one thread at a time: a copy is locked while it is in use.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock, RLock
from types import MappingProxyType

from grognard.fights.record import from_plain
from grognard.fights.work_budget import TooHeavy
from grognard.matches.match import VERSION, Match, Saved, from_saved, replay, told_sources
from grognard.matches.seats import Seats
from grognard.matches.storage.rows import Kept, StoredMatch, Unusable
from grognard.matches.storage.store import Store
from grognard.rules.ask import Answer
from grognard.web.lanes.answering import Cold, impatient
from grognard.web.responses import HttpRefusal
from grognard.words.refusal import Refusal

# Memory of a copy, measured: what it has from the beginning, and what each answer adds.
COPY, ANSWER = 200_000, 20_000
BYTES = 400_000_000  # of all copies of a cache
NO_HALVES: Mapping[str, Answer] = MappingProxyType({})


BRIEFLY = 0.05  # seconds
SHORT = 60  # answers that are replayed in a thread that answers taps


def check_light_replay(answers: int) -> None:
    """Send an impatient request elsewhere that has to replay a long match."""
    if answers > SHORT and impatient():
        raise Cold


def saved(whole: StoredMatch) -> Saved:
    """Give a match of the store in the form of its file."""
    kept = whole.kept
    sources = told_sources(whole.sources)
    return Saved(VERSION, kept.scenario, dict(kept.options), whole.answers, sources)


def _halves(whole: StoredMatch) -> Mapping[str, Answer]:
    return {side: from_plain(half) for side, half in whole.halves.items()}


class Copy:
    """A match replayed from the store."""

    def __init__(self, whole: StoredMatch) -> None:
        self.match: Match = from_saved(saved(whole))
        self.kept: Kept = whole.kept
        self.halves = _halves(whole)
        self.ahead = False  # of the store, until the answer is stored

    @property
    def seats(self) -> Seats:
        return Seats(self.kept.autos, self.halves)

    def keep(self, kept: Kept, halves: Mapping[str, Answer] = NO_HALVES) -> None:
        """Note that the store has everything that was played here."""
        self.kept, self.halves, self.ahead = kept, halves, False

    def follow(self, whole: StoredMatch) -> None:
        """Play the answers that the store got since."""
        replay(self.match, whole.answers, whole.sources)
        self.keep(whole.kept, _halves(whole))


class _Slot:
    """A place in the cache, with its lock."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.copy: Copy | None = None
        self.size = COPY  # bytes, about

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; where somebody needs it for long, an impatient request goes elsewhere."""
        if not self.lock.acquire(timeout=BRIEFLY if impatient() else -1):
            raise Cold
        try:
            yield
        finally:
            self.lock.release()


class Copies:
    """Cache of the matches that were used last."""

    def __init__(self, store: Store, most: int, size: int = BYTES) -> None:
        self.store = store
        self._most, self._size = most, size
        self._places: OrderedDict[str, _Slot] = OrderedDict()
        self._used = 0  # bytes, about
        self._lock = Lock()

    @contextmanager
    def seen(self, id_: str) -> Iterator[Copy]:
        """Give a match as the store has it now.

        The copy stays in the cache if it still equals the store: also after a refusal, and for a
        request that goes elsewhere, but not after any other failure.
        """
        place = self._place(id_)
        with place.held():
            held, place.copy = place.copy, None
            try:
                copy = self._present(id_, held)
            except (Cold, Unusable):  # before anything was played
                place.copy = held
                raise
            try:
                yield copy
            except (Refusal, HttpRefusal, Cold, TooHeavy):
                self._keep(id_, place, copy)
                raise
            self._keep(id_, place, copy)

    def _keep(self, id_: str, place: _Slot, copy: Copy) -> None:
        """Keep a copy that still equals the store."""
        if not copy.ahead:
            place.copy = copy
            self._weigh(id_, place, COPY + ANSWER * len(copy.match.answers))

    def _place(self, id_: str) -> _Slot:
        with self._lock:
            place = self._places.get(id_)
            if place is None:
                place = self._places[id_] = _Slot()
                self._used += place.size
            self._places.move_to_end(id_)
            while len(self._places) > 1 and self._is_full():
                self._used -= self._places.popitem(last=False)[1].size
            return place

    def _is_full(self) -> bool:
        return len(self._places) > self._most or self._used > self._size

    def _weigh(self, id_: str, place: _Slot, size: int) -> None:
        """Note the size of a copy, if it still has its place."""
        with self._lock:
            if self._places.get(id_) is place:
                self._used += size - place.size
                place.size = size

    def _present(self, id_: str, copy: Copy | None) -> Copy:
        if copy is None:
            return self._replayed(id_)
        kept = self.store.get(id_)
        if kept.version != copy.kept.version:
            whole = self.store.whole(id_, len(copy.match.answers))
            if whole.kept.undone != copy.kept.undone:
                return self._replayed(id_)
            check_light_replay(len(whole.answers))
            copy.follow(whole)
        elif kept.news != copy.kept.news:
            copy.kept = kept
        return copy

    def _replayed(self, id_: str) -> Copy:
        whole = self.store.whole(id_)
        check_light_replay(len(whole.answers))
        return Copy(whole)
