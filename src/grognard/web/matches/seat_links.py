"""Secret links: the address that turns one into a cookie, and what their holders may do.

A guessed link or one that has ended is answered like any address that does not exist.
"""

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from grognard.draw.json.structs import JsonStruct
from grognard.maps import scenario as scenarios
from grognard.matches.seats import WATCH
from grognard.matches.storage.rows import NotYours
from grognard.matches.storage.seats import Place, own_place
from grognard.web.api.endpoint import Call, Endpoint, routes
from grognard.web.matches.access import cookie_for, holder_of, with_cookies
from grognard.web.matches.actions import NOT_YOURS, Body
from grognard.web.matches.live_matches import Live
from grognard.web.responses import HttpRefusal, json_response
from grognard.web.templating import page, page_route
from grognard.words.message import say
from grognard.words.refusal import Refusal

NO_TRACE = {"referrer-policy": "no-referrer", "cache-control": "no-store"}
NO_SEAT = say("a match at one table has no seats")


def seat_path(secret: str) -> str:
    """Give the path of a secret link."""
    return f"/seat/{secret}"


# ------------------------------------------------------------------ taking a seat


def _open_link(live: Live, request: Request) -> Response:
    """Let a browser take the seat of a link, and lead it to the match; ask first one that would
    lose the other side."""
    secret = request.path_params["secret"]
    place = live.links.place_of(secret, "sent", "seat", "ended")
    held = place and live.links.held_by(holder_of(request), place.match)
    if place is None or (held != place.seat and live.links.place_of(secret) is None):
        raise HTTPException(404)
    if held not in (None, WATCH, place.seat) and place.seat != WATCH:
        return _question(live, request, place, held)
    answer = RedirectResponse(f"/matches/{place.match}", 303, NO_TRACE)
    coming = held is None or (held == WATCH and place.seat != WATCH)
    if coming and request.method == "GET":
        _let_take(live, request, secret, answer)
    return answer


def _question(live: Live, request: Request, place: Place, held: str) -> Response:
    """Ask whether a browser should take the other side."""
    kept = live.store.get(place.match)
    sides = {side.id: side.name for side in scenarios.own(kept.scenario).sides}
    shown = page(
        request, "seat.html", match_name=kept.name, side=sides[place.seat], loses=sides[held]
    )
    shown.headers.update(NO_TRACE)
    return shown


def _let_take(live: Live, request: Request, secret: str, cookies: Response) -> Place:
    taken = live.links.take(secret, cookie_for(request, live.links, cookies))
    if taken is None:
        raise HttpRefusal(404, Refusal(say("there is no such link, or it has ended")))
    if taken.news:
        live.store.tell(taken.place.match)
    return taken.place


class TakenAnswer(JsonStruct):
    """The seat that a browser has taken."""

    match: str
    seat: str


@Endpoint(
    "POST",
    "/seat/{secret}",
    say("Take the seat that a link opens, for a browser"),
    answer=TakenAnswer,
)
def _take(live: Live, call: Call) -> Response:
    cookies = Response()
    place = _let_take(live, call.request, call.path("secret"), cookies)
    answer = json_response(TakenAnswer(match=place.match, seat=place.seat))
    return with_cookies(answer, cookies, NO_TRACE)


# ------------------------------------------------------------------ what holders may do


class LinkAnswer(JsonStruct):
    """A new link, which is told only here."""

    link: str


class RevokedAnswer(JsonStruct):
    """The seat whose links have ended."""

    revoked: str


def place_of(live: Live, call: Call) -> Place:
    """Give the seat of who asks; refuse a match at one table."""
    place = live.seated(call.request)
    if place is None:
        raise Refusal(NO_SEAT)
    return place


def _ruled(live: Live, call: Call) -> tuple[Place, str]:
    """Give the seat of who asks, and that which the address names, if he may change its links: his
    own side, and for both sides the right to watch."""
    own, seat = place_of(live, call), call.path("seat")
    if own.seat == WATCH or seat not in (own.seat, WATCH):
        raise NotYours
    return own, seat


@Endpoint(
    "POST",
    "/api/matches/{id}/seats/{seat}/link",
    say("A new link to your seat, or to watch; the former link and all who came by it are out"),
    refuses=NOT_YOURS,
)
def _exchange(live: Live, call: Call) -> LinkAnswer:
    own, seat = _ruled(live, call)
    link = seat_path(live.links.exchange(own, seat, holder_of(call.request)))
    live.store.tell(own.match)
    return LinkAnswer(link=link)


@Endpoint(
    "DELETE",
    "/api/matches/{id}/seats/{seat}",
    say("Give your seat up, or end the right to watch"),
    refuses=NOT_YOURS,
)
def _revoke(live: Live, call: Call) -> RevokedAnswer:
    own, seat = _ruled(live, call)
    live.links.revoke(own, seat, holder_of(call.request))
    live.store.tell(own.match)
    return RevokedAnswer(revoked=seat)


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
    place = place_of(live, call)
    with live.seen(call.request) as seen:
        answers = min(max(body.answers, 0), len(seen.match.answers))
    live.links.looked(own_place(place, holder_of(call.request)), answers)
    return LookedAnswer(answers=answers)


def pages(live: Live) -> list[Route]:
    """Make the routes of secret links."""
    return [
        page_route("/seat/{secret}", partial(_open_link, live)),
        *routes([_take.bound(live)]),
    ]


def endpoints(live: Live) -> list[Endpoint]:
    """Make the endpoints of holders."""
    return [one.bound(live) for one in (_exchange, _revoke, _looked)]
