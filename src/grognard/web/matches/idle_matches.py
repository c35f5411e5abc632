"""Idle matches: on an open server, those that nobody has changed for long are thrown away, and
sooner those that nobody has begun to play."""

import logging
from datetime import UTC, datetime, timedelta

from anyio import sleep, to_thread

from grognard.matches.storage.store import Store
from grognard.words.refusal import Refusal

LOG = logging.getLogger("grognard.server")
EVERY = 3600.0  # seconds


async def purge_idle(store: Store, days: int, unplayed: int, every: float = EVERY) -> None:
    """Throw idle matches away, now and again, as long as the server runs; 0 days: never."""
    while True:
        try:
            gone = await to_thread.run_sync(_purge, store, days, unplayed)
        except Refusal as refusal:  # the store is busy or can't be written: next time
            LOG.warning("idle matches stay: %s", type(refusal).__name__)
        else:
            if gone:
                LOG.info("idle matches thrown away: %d", gone)
        await sleep(every)


def _purge(store: Store, days: int, unplayed: int) -> int:
    gone = store.purge(_before(days)) if days else 0
    return gone + (store.purge(_before(unplayed), unplayed=True) if unplayed else 0)


def _before(days: int) -> str:
    """Give the time so many days ago, as the store writes it."""
    before = datetime.now(UTC) - timedelta(days=days)
    return before.isoformat(timespec="milliseconds").replace("+00:00", "Z")
