"""Server-sent events that tell open pages when a match has changed, and who is there."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from anyio import to_thread
from starlette.responses import StreamingResponse

from grognard.matches.storage.rows import News, Unknown, Unusable
from grognard.matches.storage.seats import Place
from grognard.matches.storage.store import Store
from grognard.web.matches.presence import Presence
from grognard.web.matches.watcher import Page, Watcher

BEAT = 10.0  # seconds without news until a sign of life


class Follower(NamedTuple):
    """The page that follows a match: its seat, and how to see that it still may look."""

    presence: Presence = Presence()
    place: Place | None = None  # None: at one table
    check: Callable[[], object] = bool  # refuses if the seat is lost


class _Heard(NamedTuple):
    """What a page has heard of a match."""

    news: News
    here: tuple[str, ...]  # the seats that have a page open

    def since(self, before: "_Heard | None") -> Iterator[str]:
        """Give the events for what has changed."""
        version, news = self.news.version, self.news.news
        if before is None or before.news.version != version:
            yield f"event: version\nid: {version}\ndata: {version}\n\n"
        if before is None or before.news.news != news:
            yield f"event: news\ndata: {news}\n\n"
        if self.here and (before is None or before.here != self.here):
            yield f"event: here\ndata: {' '.join(self.here)}\n\n"


def events(
    store: Store,
    watcher: Watcher,
    id_: str,
    beat: float = BEAT,
    follower: Follower = Follower(),  # noqa: B008  # immutable
) -> StreamingResponse:
    """Send the version of a match now and after every change, whoever makes it.

    The number of its news is sent too; it also counts what is no change of the match itself, such
    as a line of chat or a link for dice.
    """
    headers = {"cache-control": "no-store"}
    told = _told(store, watcher, id_, beat, follower)
    return StreamingResponse(told, 200, headers, "text/event-stream")


async def _told(
    store: Store, watcher: Watcher, id_: str, beat: float, follower: Follower
) -> AsyncIterator[str]:
    # Watched before the first look, so that no change is missed.
    with watcher.page(id_) as page, _here(watcher, id_, follower):
        try:
            page.start((await to_thread.run_sync(store.news, [id_])).get(id_))
            async for event in _events(page, beat, follower):
                yield event
        except Unknown:  # the seat is lost
            yield "event: gone\ndata:\n\n"
        except Unusable:  # the page tries again by itself
            return


@contextmanager
def _here(watcher: Watcher, id_: str, follower: Follower) -> Iterator[None]:
    """Show the other pages of a match that this one is open."""
    try:
        with follower.presence.here(follower.place):
            watcher.stir(id_)
            yield
    finally:
        watcher.stir(id_)


async def _events(page: Page, beat: float, follower: Follower) -> AsyncIterator[str]:
    heard: _Heard | None = None
    while (news := page.news) is not None:
        if heard is not None and heard.news != news:
            await to_thread.run_sync(follower.check)
        now = _Heard(news, follower.presence.seats(page.id))
        for event in now.since(heard):
            yield event
        heard = now
        while not await page.woken(beat):
            yield ": still here\n\n"
    yield "event: gone\ndata:\n\n"
