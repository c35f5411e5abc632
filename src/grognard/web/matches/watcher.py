"""Watcher of the store: one look at it serves all open pages of the process."""

import asyncio
import logging
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from threading import Lock, Thread
from time import monotonic, sleep

from grognard.matches.storage.database import Changes
from grognard.matches.storage.rows import News
from grognard.matches.storage.store import Store
from grognard.words.refusal import Refusal

LOG = logging.getLogger(__name__)
WAIT = 0.25  # seconds after which the watcher sees that no page is open any more
QUIET = 60.0  # seconds for which the log says nothing more of a trouble


class Page:
    """An open page that follows a match."""

    def __init__(self, id_: str) -> None:
        self.id = id_
        self.news: News | None = None  # None: the match is gone
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._told = False  # by the watcher

    def wake(self, news: News | None) -> None:
        """Tell the page what the store has now; from any thread."""

        def tell() -> None:
            self.news, self._told = news, True
            self._woken.set()

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(tell)

    def start(self, news: News | None) -> None:
        """Take what the page has seen itself, unless the watcher has told it more already."""
        if not self._told:
            self.news = news

    def stir(self) -> None:
        """Wake the page without news of the store."""
        self._woken.set()

    async def woken(self, seconds: float) -> bool:
        """Wait until the page is woken; tell whether it was."""
        try:
            await asyncio.wait_for(self._woken.wait(), seconds)
        except TimeoutError:
            return False
        self._woken.clear()
        return True


class Watcher:
    """Wakes the pages of matches that change, whichever process changes them.

    Its thread runs while any page is open.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages: dict[str, set[Page]] = {}
        self._lock = Lock()
        self._runs = False

    @contextmanager
    def page(self, id_: str) -> Iterator[Page]:
        """Watch a match for a page."""
        page = Page(id_)
        with self._lock:
            self._pages.setdefault(id_, set()).add(page)
        try:
            self._begin()
            yield page
        finally:
            with self._lock:
                self._pages[id_].discard(page)
                if not self._pages[id_]:
                    del self._pages[id_]

    def _begin(self) -> None:
        with self._lock:
            if not self._runs:
                Thread(target=self._run, name="watcher", daemon=True).start()
                self._runs = True

    def stir(self, id_: str) -> None:
        """Wake the pages of a match on this server; from the event loop."""
        with self._lock:
            pages = tuple(self._pages.get(id_, ()))
        for page in pages:
            page.stir()

    def _run(self) -> None:
        """Watch as long as a page is open, whatever happens: nobody would start it again."""
        quiet = 0.0
        while self._wanted():
            try:
                with closing(self._store.changes()) as changes:
                    self._watch(changes)
            except Exception as error:
                if monotonic() >= quiet:
                    if isinstance(error, Refusal):  # until the store can be used again
                        LOG.warning("%s", error)
                    else:
                        LOG.exception("open pages are not told of changes")
                    quiet = monotonic() + QUIET
                sleep(WAIT)

    def _wanted(self) -> bool:
        with self._lock:
            self._runs = bool(self._pages)
            return self._runs

    def _watch(self, changes: Changes) -> None:
        while self._pages:
            changed = changes.wait(WAIT)
            with self._lock:
                watched = self._watched(changed)
            if watched:
                self._look(watched)

    def _watched(self, changed: Collection[str] | None) -> list[str]:
        """Give the watched matches that have changed, or may have."""
        if changed is None:
            return list(self._pages)
        return [id_ for id_ in changed if id_ in self._pages]

    def _look(self, watched: list[str]) -> None:
        found = self._store.news(watched)
        with self._lock:
            pages = [page for id_ in watched for page in self._pages.get(id_, ())]
        for page in pages:
            if page.news != found.get(page.id):
                page.wake(found.get(page.id))
