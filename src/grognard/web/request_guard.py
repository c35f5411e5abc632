"""Checks of every request: its host, its origin, its type and its length."""

import re
from collections.abc import Collection
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.web.language import language
from grognard.web.limits import BODY
from grognard.web.responses import HttpRefusal, refusal_response
from grognard.words.message import say
from grognard.words.refusal import Refusal

SAFE = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?:\[([^][/?#@]*)\]|([^][/?#@:]*))(?::[0-9]*)?")  # and a port
# Pages load everything from this server; widths of bars are style attributes.
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # What a page shows depends on its visitor; files that do not say so themselves.
    "cache-control": "private, no-cache",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Middleware that checks every request, and adds security headers to every answer."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self.app = app
        self.hosts = hosts  # names of this server; None: any

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._look(scope)
            body = await _whole_body(scope, receive)
        except HttpRefusal as problem:
            answer = refusal_response(problem, language(HTTPConnection(scope)))
            await answer(scope, receive, send_guarded)
            return
        if body is not None:
            await self.app(scope, body, send_guarded)

    def _look(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._ours(host):
            raise HttpRefusal(
                421, Refusal(say("this server does not answer for '{host}'", host=host))
            )
        if scope["method"] in SAFE:
            if _embedded(headers) and not scope["path"].startswith("/static/"):
                problem = say("a page of another site may not ask for this")
                raise HttpRefusal(403, Refusal(problem))
            return
        if _foreign(headers):
            raise HttpRefusal(403, Refusal(say("a page of another site may not post here")))
        kind = headers.get("content-type", "").split(";")[0].strip().lower()
        sent = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        if kind != "application/json" and (kind or sent):
            problem = say("expected a body of type application/json, found '{kind}'", kind=kind)
            raise HttpRefusal(415, Refusal(problem))

        if (packed := headers.get("content-encoding", "identity")) != "identity":
            problem = say("a body packed with '{packed}' is not unpacked here", packed=packed)
            raise HttpRefusal(415, Refusal(problem))

    def _ours(self, host: str) -> bool:
        """Tell whether the server answers for a host: one of its names, or an IP address.

        Another site can point a name of its own at this machine, but never an IP address.
        """
        if self.hosts is None:
            return True
        found = _HOST.fullmatch(host)
        name = (found[1] or found[2] or "").lower() if found else ""
        return name in self.hosts or _is_address(name)


def _foreign(headers: Headers) -> bool:
    """Tell whether a page of another site asks."""
    origin, host = headers.get("origin"), headers.get("host", "").lower()
    if origin is not None and origin.partition("://")[2].lower() != host:
        return True
    return headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")


def _embedded(headers: Headers) -> bool:
    """Tell whether a page of another site asks for a part of itself, such as a picture.

    A link on another site that a person follows is no such request.
    """
    if "sec-fetch-site" not in headers:  # an old browser, or no secure connection
        referer, host = headers.get("referer", "").lower(), headers.get("host", "").lower()
        elsewhere = bool(referer) and referer.split("/")[2:3] != [host]
        return _foreign(headers) or (elsewhere and "text/html" not in headers.get("accept", ""))
    followed = headers.get("sec-fetch-mode") == "navigate"
    return _foreign(headers) and not (
        followed and headers.get("sec-fetch-dest", "document") == "document"
    )


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def _whole_body(scope: Scope, receive: Receive) -> Receive | None:
    """Read the body up to the limit, and pass it on in one piece.

    None if the client is gone before its end.
    """
    if scope["method"] in SAFE:
        return receive
    declared = Headers(scope=scope).get("content-length", "0")
    if declared.isdigit() and (len(declared) > len(str(BODY)) or int(declared) > BODY):
        raise _too_long()
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > BODY:
            raise _too_long()
    given = False

    async def once() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    return once


def _too_long() -> HttpRefusal:
    return HttpRefusal(413, Refusal(say("the body is too long; at most {n} bytes", n=BODY)))
