"""Who asks: a browser with its cookie, or a program with a link; and what sets the cookie."""

import re

from starlette.requests import HTTPConnection
from starlette.responses import Response

from grognard.matches.storage.seats import Holder, hashed, new_secret

COOKIE = "visitor"
YEAR = 365 * 24 * 3600  # seconds
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
_BEARER = re.compile(r"bearer +(\S+)", re.IGNORECASE)


def holder_of(request: HTTPConnection) -> Holder:
    """Tell who asks. A link that a program sends counts alone."""
    sent = _BEARER.fullmatch(request.headers.get("authorization", "").strip())
    if sent:
        return Holder(link=hashed(sent[1].rpartition("/")[2]))
    cookie = request.cookies.get(COOKIE, "")
    return Holder(cookie=hashed(cookie) if _SECRET.fullmatch(cookie) else None)


def cookie_for(request: HTTPConnection, response: Response) -> str:
    """Make sure that a browser has its cookie, and give the cookie's hash."""
    cookie = request.cookies.get(COOKIE, "")
    if not _SECRET.fullmatch(cookie):
        cookie = new_secret()
    # Behind a trusted proxy the server has put the scheme of the browser's address into `scope`.
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, cookie, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure
    )
    return hashed(cookie)
