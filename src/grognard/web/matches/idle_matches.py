"""Idle matches: on an open server, those that nobody has changed for long are thrown away."""

import logging
from datetime import UTC, datetime, timedelta

from anyio import sleep, to_thread

from grognard.matches.storage.store import Store
from grognard.words.refusal import Refusal

LOG = logging.getLogger("grognard.server")
EVERY = 3600.0  # seconds


async def purge_idle(store: Store, days: int, every: float = EVERY) -> None:
    """Throw idle matches away, now and again, as long as the server runs."""
    while True:
        before = datetime.now(UTC) - timedelta(days=days)
        written = before.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        try:
            gone = await to_thread.run_sync(store.purge, written)
        except Refusal as refusal:  # the store is busy or can't be written: next time
            LOG.warning("idle matches stay: %s", type(refusal).__name__)
        else:
            if gone:
                LOG.info("idle matches thrown away: %d", gone)
        await sleep(every)
