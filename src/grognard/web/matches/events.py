"""Server-sent events that tell open pages when a match has changed."""

from collections.abc import AsyncIterator

from anyio import to_thread
from starlette.responses import StreamingResponse

from grognard.matches.storage.rows import News, Unusable
from grognard.matches.storage.store import Store
from grognard.web.matches.watcher import Page, Watcher

BEAT = 10.0  # seconds without news until a sign of life


def events(store: Store, watcher: Watcher, id_: str, beat: float = BEAT) -> StreamingResponse:
    """Send the version of a match now and after every change, whoever makes it.

    The number of its news is sent too; it also counts what is no change of the match itself.
    """
    headers = {"cache-control": "no-store"}
    told = _told(store, watcher, id_, beat)
    return StreamingResponse(told, 200, headers, "text/event-stream")


async def _told(store: Store, watcher: Watcher, id_: str, beat: float) -> AsyncIterator[str]:
    with watcher.page(id_) as page:  # before the first look, so that no change is missed
        try:
            page.start((await to_thread.run_sync(store.news, [id_])).get(id_))
        except Unusable:  # the page tries again by itself
            return
        async for event in _events(page, beat):
            yield event


async def _events(page: Page, beat: float) -> AsyncIterator[str]:
    told: News | None = None
    while (news := page.news) is not None:
        if told is None or news.version != told.version:
            yield f"event: version\nid: {news.version}\ndata: {news.version}\n\n"
        if told is None or news.news != told.news:
            yield f"event: news\ndata: {news.news}\n\n"
        told = news
        while not await page.woken(beat):
            yield ": still here\n\n"
    yield "event: gone\ndata:\n\n"
