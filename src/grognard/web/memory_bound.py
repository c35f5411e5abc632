"""A bound in bytes on what the server process keeps in its caches.

Each cache has a bound on its entries, but entries of the odds of large fights are large. So the
memory of the process itself is measured: beyond the bound all caches of odds and drawn parts are
cleared. What is in use stays, and is worked out again at the cost of light work.
"""

import os
from collections.abc import Callable

from grognard.fights.odds import forget
from grognard.web.lanes.workers import resident

MEMORY = 400 * 1024 * 1024  # bytes
STEP = 64 * 1024 * 1024  # bytes; what a system does not take back is no reason to clear again
EVERY = 32  # requests between two looks


class MemoryBound:
    """Looks at the memory of this process after some requests."""

    def __init__(
        self,
        measure: Callable[[], int] = lambda: resident(os.getpid()),
        clear: Callable[[], None] = forget,
    ) -> None:
        self._measure, self._clear = measure, clear
        self._most = MEMORY
        self._asked = 0
        self.cleared = 0

    def look(self) -> None:
        """Count a request; clear the caches where the process has grown beyond the bound."""
        self._asked += 1
        if self._asked % EVERY or self._measure() <= self._most:
            return
        self._clear()
        self.cleared += 1
        self._most = max(MEMORY, self._measure() + STEP)
