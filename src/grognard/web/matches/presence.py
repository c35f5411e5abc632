"""Which seats of a match have a page open on this server now."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from grognard.matches.storage.seats import Place


class Presence:
    """Counts the open pages of every seat."""

    def __init__(self) -> None:
        self._open: dict[str, Counter[str]] = {}  # by match
        self._lock = Lock()

    @contextmanager
    def here(self, place: Place | None) -> Iterator[None]:
        """Count a page of a seat as long as it is open; nothing at one table."""
        if place is None:
            yield
            return
        with self._lock:
            self._open.setdefault(place.match, Counter())[place.seat] += 1
        try:
            yield
        finally:
            with self._lock:
                left = self._open[place.match]
                left[place.seat] -= 1
                if not +left:
                    del self._open[place.match]

    def seats(self, match: str) -> tuple[str, ...]:
        """Give the seats of a match that have a page open."""
        with self._lock:
            return tuple(sorted(+self._open.get(match, Counter[str]())))
