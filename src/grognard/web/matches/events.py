"""Server-sent events that tell open pages when a match has changed."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import NamedTuple

from anyio import sleep, to_thread
from starlette.responses import StreamingResponse

from grognard.matches.storage.rows import Unknown, Unusable
from grognard.matches.storage.seats import Place
from grognard.matches.storage.store import Store
from grognard.web.matches.presence import Presence


class Pace(NamedTuple):
    """Seconds between two looks at the file, and looks without news until a sign of life."""

    pause: float = 0.5
    beat: int = 20


class _Heard(NamedTuple):
    """What a page has heard of a match."""

    version: int
    news: int
    here: tuple[str, ...]  # the seats that have a page open

    def since(self, before: "_Heard | None") -> Iterator[str]:
        """Give the events for what has changed."""
        if before is None or before.version != self.version:
            yield f"event: version\nid: {self.version}\ndata: {self.version}\n\n"
        if before is not None and before.news != self.news:
            yield f"event: news\ndata: {self.news}\n\n"
        if self.here and (before is None or before.here != self.here):
            yield f"event: here\ndata: {' '.join(self.here)}\n\n"


class Follower(NamedTuple):
    """The page that follows a match: its seat, and how to see that it still may look."""

    presence: Presence = Presence()
    place: Place | None = None  # None: at one table
    check: Callable[[], object] = bool  # refuses if the seat is lost


def events(
    store: Store,
    id_: str,
    pace: Pace,
    page: Follower = Follower(),  # noqa: B008  # immutable
) -> StreamingResponse:
    """Send the version of a match now and after every change, whoever makes it."""
    headers = {"cache-control": "no-store"}
    return StreamingResponse(_told(store, id_, pace, page), 200, headers, "text/event-stream")


async def _told(store: Store, id_: str, pace: Pace, page: Follower) -> AsyncIterator[str]:
    heard, quiet = None, 0
    with page.presence.here(page.place):
        while True:
            try:
                kept = await to_thread.run_sync(store.get, id_)
                if heard is not None and heard.news != kept.news:  # the seat may be lost
                    await to_thread.run_sync(page.check)
            except Unknown:
                yield "event: gone\ndata:\n\n"
                return
            except Unusable:  # the page tries again by itself
                return
            now = _Heard(kept.version, kept.news, page.presence.seats(id_))
            quiet = 0 if now != heard else quiet + 1
            for event in now.since(heard):
                yield event
            if quiet and quiet % pace.beat == 0:
                yield ": still here\n\n"
            heard = now
            await sleep(pace.pause)
