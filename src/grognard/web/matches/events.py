"""Server-sent events that tell open pages when a match has changed."""

from collections.abc import AsyncIterator
from typing import NamedTuple

from anyio import sleep, to_thread
from starlette.responses import StreamingResponse

from grognard.matches.storage.rows import Unknown, Unusable
from grognard.matches.storage.store import Store


class Pace(NamedTuple):
    """Seconds between two looks at the file, and looks without news until a sign of life."""

    pause: float = 0.5
    beat: int = 20


def events(store: Store, id_: str, pace: Pace) -> StreamingResponse:
    """Send the version of a match now and after every change, whoever makes it.

    The number of its news also counts what is no change of the match, such as revealed links.
    """
    headers = {"cache-control": "no-store"}
    return StreamingResponse(_told(store, id_, pace), 200, headers, "text/event-stream")


async def _told(store: Store, id_: str, pace: Pace) -> AsyncIterator[str]:
    told, news, quiet = -1, -1, 0
    while True:
        try:
            kept = await to_thread.run_sync(store.get, id_)
        except Unknown:
            yield "event: gone\ndata:\n\n"
            return
        except Unusable:  # the page tries again by itself
            return
        quiet = 0 if (kept.version, kept.news) != (told, news) else quiet + 1
        if kept.version != told:
            told = kept.version
            yield f"event: version\nid: {told}\ndata: {told}\n\n"
        if news not in (-1, kept.news):
            yield f"event: news\ndata: {kept.news}\n\n"
        news = kept.news
        if quiet and quiet % pace.beat == 0:
            yield ": still here\n\n"
        await sleep(pace.pause)
