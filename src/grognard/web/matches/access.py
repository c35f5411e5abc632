"""Who asks: a browser with its cookie, or a program with a link; and what sets the cookie."""

import re
from collections.abc import Mapping

from starlette.requests import HTTPConnection
from starlette.responses import Response

from grognard.matches.storage.seats import Holder, SeatTables, hashed, new_secret

COOKIE = "visitor"
# Behind TLS, browsers take this name only from this server itself, and only behind TLS.
HOST_COOKIE = "__Host-visitor"
YEAR = 365 * 24 * 3600  # seconds
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
_BEARER = re.compile(r"bearer +(\S+)", re.IGNORECASE)


def holder_of(request: HTTPConnection) -> Holder:
    """Tell who asks. A link that a program sends counts alone."""
    sent = _BEARER.fullmatch(request.headers.get("authorization", "").strip())
    if sent:
        return Holder(link=hashed(sent[1].rpartition("/")[2]))
    cookie = _cookie(request)
    return Holder(cookie=hashed(cookie) if cookie else None)


def cookie_for(request: HTTPConnection, links: SeatTables, response: Response) -> str:
    """Make sure that a browser has its cookie, and give the cookie's hash.

    One that holds nothing is replaced: somebody else may have put it there, and know it.
    """
    cookie = _cookie(request)
    if cookie is None or not links.all_held_by(Holder(hashed(cookie))):
        cookie = new_secret()
    name, secure = _name(request), _is_secure(request)
    response.set_cookie(
        name, cookie, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure
    )
    return hashed(cookie)


def with_cookies(answer: Response, cookies: Response, headers: Mapping[str, str]) -> Response:
    """Give an answer the cookies that another one sets, and headers."""
    answer.raw_headers += [pair for pair in cookies.raw_headers if pair[0] == b"set-cookie"]
    answer.headers.update(headers)
    return answer


def _cookie(request: HTTPConnection) -> str | None:
    cookie = request.cookies.get(_name(request), "")
    return cookie if _SECRET.fullmatch(cookie) else None


def _name(request: HTTPConnection) -> str:
    return HOST_COOKIE if _is_secure(request) else COOKIE


def _is_secure(request: HTTPConnection) -> bool:
    # Behind a trusted proxy the server has put the scheme of the browser's address into `scope`.
    return request.url.scheme == "https"
