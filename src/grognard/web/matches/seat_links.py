"""Secret links: the address that turns one into a cookie, and what their holders may do.

A guessed link or one that has ended is answered like any address that does not exist.
"""

from functools import partial

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from grognard.draw.json.structs import JsonStruct
from grognard.matches.seats import WATCH
from grognard.matches.storage.rows import NotYours
from grognard.matches.storage.seats import Place
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.matches.access import cookie_for, holder_of
from grognard.web.matches.actions import NOT_YOURS, Body
from grognard.web.matches.live_matches import Live
from grognard.web.process_settings import THREADS
from grognard.words.message import say
from grognard.words.refusal import Refusal

NO_TRACE = {"referrer-policy": "no-referrer", "cache-control": "no-store"}
NO_SEAT = say("a match at one table has no seats")


def seat_path(secret: str) -> str:
    """Give the path of a secret link."""
    return f"/seat/{secret}"


async def _open_link(live: Live, request: Request) -> Response:
    """Let the browser hold the seat of a link, and lead it to the match."""
    place = await to_thread.run_sync(
        live.links.place_of, request.path_params["secret"], limiter=THREADS
    )
    # A page of another site may lead here, but not load the address as a picture or a script.
    if place is None or request.headers.get("sec-fetch-dest", "document") != "document":
        raise HTTPException(404)
    answer = RedirectResponse(f"/matches/{place.match}", 303, NO_TRACE)
    if request.method == "GET":
        cookie = cookie_for(request, answer)
        await to_thread.run_sync(live.links.hold, cookie, place, limiter=THREADS)
        await to_thread.run_sync(live.store.tell, place.match, limiter=THREADS)
    return answer


# ------------------------------------------------------------------ what holders may do


class LinkAnswer(JsonStruct):
    """A new link, which is told only here."""

    link: str


class RevokedAnswer(JsonStruct):
    """The seat whose links have ended."""

    revoked: str


def own_place(live: Live, call: Call) -> Place:
    """Give the seat of who asks; refuse a match at one table."""
    place = live.seated(call.request)
    if place is None:
        raise Refusal(NO_SEAT)
    return place


def _ruled(live: Live, call: Call) -> Place:
    """Give the seat that the address names, if who asks may change its links: his own side, and
    for both sides the right to watch."""
    place, seat = own_place(live, call), call.path("seat")
    if place.seat == WATCH or seat not in (place.seat, WATCH):
        raise NotYours
    return place._replace(seat=seat)


@Endpoint(
    "POST",
    "/api/matches/{id}/seats/{seat}/link",
    say("A new link to your seat, or to watch; the former link and all who came by it are out"),
    refuses=NOT_YOURS,
)
def _exchange(live: Live, call: Call) -> LinkAnswer:
    place = _ruled(live, call)
    link = seat_path(live.links.exchange(place, holder_of(call.request)))
    live.store.tell(place.match)
    return LinkAnswer(link=link)


@Endpoint(
    "DELETE",
    "/api/matches/{id}/seats/{seat}",
    say("Give your seat up, or end the right to watch"),
    refuses=NOT_YOURS,
)
def _revoke(live: Live, call: Call) -> RevokedAnswer:
    place = _ruled(live, call)
    live.links.revoke(place)
    live.store.tell(place.match)
    return RevokedAnswer(revoked=place.seat)


class LookedBody(Body, frozen=True, kw_only=True):
    """The number of answers up to which the recap was read."""

    answers: int


class LookedAnswer(JsonStruct):
    """The number of answers up to which the seat has looked."""

    answers: int


@Endpoint(
    "POST",
    "/api/matches/{id}/looked",
    say("Say that you have seen what happened so far; the next recap begins there"),
    example={"answers": 0},
    refuses=NOT_YOURS,
)
def _looked(live: Live, call: Call, body: LookedBody) -> LookedAnswer:
    place = own_place(live, call)
    with live.seen(call.request) as seen:
        answers = min(max(body.answers, 0), len(seen.match.answers))
    live.links.looked(place, answers)
    return LookedAnswer(answers=answers)


def pages(live: Live) -> list[Route]:
    """Make the route of secret links."""
    return [Route("/seat/{secret}", partial(_open_link, live), methods=["GET"])]


def endpoints(live: Live) -> list[Endpoint]:
    """Make the endpoints of holders."""
    return [one.bound(live) for one in (_exchange, _revoke, _looked)]
