"""The webhook: tells an address that the server's owner has set whose turn it is.

A notice names no match and no player, only the opaque reference of a seat. A thread of its own
sends the notices, so nobody waits for the address; what it can't deliver is dropped.
"""

import json
import logging
from collections.abc import Callable
from http.client import HTTPException
from queue import Full, Queue
from threading import Event, Thread
from typing import Self
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from grognard.matches.storage.seals import digest
from grognard.matches.storage.seats import Place
from grognard.words.message import say
from grognard.words.refusal import Refusal

LOG = logging.getLogger(__name__)
WAITING = 1_000  # notices that may wait
TRIES = 3
PAUSE = 2.0  # seconds before the second try; twice as long before the third
PATIENCE = 5.0  # seconds for one try


TellTurn = Callable[[Place], None]  # tells that it is the turn of a seat


def nobody(_: Place) -> None:
    """Tell nobody."""


def reference(place: Place) -> str:
    """Give the opaque reference of a seat; nobody finds the match or the link from it."""
    return digest("seat", *place)[:16]


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect: the owner has named one address, and no other is asked."""

    def redirect_request(self, *_: object) -> None:
        return None


class Webhook:
    """Sends notices to one address, one after the other."""

    def __init__(self, url: str, pause: float = PAUSE) -> None:
        found = urlsplit(url)
        if found.scheme not in ("http", "https") or not found.hostname:
            raise Refusal(say("'{url}' is no address for a webhook; expected https://…", url=url))
        self._url, self._pause = url, pause
        self._notices: Queue[str | None] = Queue(WAITING)
        self._opener = build_opener(_NoRedirect, ProxyHandler({}))
        self._stopped = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        """Begin to send."""
        self._stopped.clear()
        self._thread = Thread(target=self._run, name="webhook", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop after the present try; notices that wait are dropped."""
        self._stopped.set()
        self._put(None)
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def tell_turn(self, place: Place) -> None:
        """Note that it is the turn of a seat; never waits."""
        self._put(reference(place))

    def _put(self, notice: str | None) -> None:
        try:
            self._notices.put_nowait(notice)
        except Full:
            LOG.warning("the webhook does not keep up; a notice is dropped")

    def _run(self) -> None:
        while not self._stopped.is_set():
            seat = self._notices.get()
            if seat is not None:
                self._send({"seat": seat, "event": "your turn"})

    def _send(self, notice: dict[str, str]) -> None:
        body = json.dumps(notice).encode()
        headers = {"content-type": "application/json", "user-agent": "grognard"}
        for tried in range(TRIES):
            if tried and self._stopped.wait(self._pause * 2 ** (tried - 1)):
                return
            try:
                asked = Request(self._url, body, headers, method="POST")
                with self._opener.open(asked, timeout=PATIENCE):
                    return
            except HTTPError as error:  # a redirect too
                problem = str(error)
                error.close()
            except (OSError, HTTPException, ValueError) as error:  # no answer, or a broken one
                problem = str(error) or type(error).__name__
        LOG.warning("the webhook does not answer: %s", problem)
