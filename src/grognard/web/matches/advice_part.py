"""Advice on the map: the plan of a phase, and the best attacks of the enemy."""

from msgspec import Struct

from grognard.draw.json.match_advice import (
    AdviceAnswer,
    DangerJson,
    DangersAnswer,
    advice_json,
    dangers_json,
    kept_advice_json,
)
from grognard.draw.json.structs import JsonStruct
from grognard.maps.labels import labelled_html, labels_of
from grognard.matches.match import Match
from grognard.matches.protocol import Order, Words
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.lanes.answering import STEADY_HEAVY
from grognard.web.matches.actions import GONE
from grognard.web.matches.live_matches import Live
from grognard.web.matches.order_menu import place_names
from grognard.web.matches.seen_match import Seen
from grognard.web.templating import fill
from grognard.words.message import say
from grognard.words.refusal import Refusal


def _asked(seen: Seen) -> Match:
    """Give a match in which the person who asks for advice is asked for an order."""
    ask = seen.match.asking
    if not isinstance(ask, Order):
        raise Refusal(say("no order is asked for now"))
    if ask.side in seen.seats.autos:
        raise Refusal(say("the automatic player keeps its plans to itself"))
    seen.only(ask.side)
    return seen.match


@Endpoint(
    "GET",
    "/api/matches/{id}/advice",
    say("A plan of the phase, with its odds"),
    work=STEADY_HEAVY,
    refuses=GONE,
)
def _api_advice(live: Live, call: Call) -> AdviceAnswer:
    with live.seen(call.request) as seen:
        return advice_json(_asked(seen), call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/dangers",
    say("The best attacks of the enemy"),
    work=STEADY_HEAVY,
    refuses=GONE,
)
def _api_dangers(live: Live, call: Call) -> DangersAnswer:
    with live.seen(call.request) as seen:
        return dangers_json(_asked(seen), call.lang)


class AdvicePart(JsonStruct):
    """Advice as HTML."""

    html: str
    orders: list[list[str]]  # of the plan, which the page keeps while it is followed
    time: str  # the side and the turn for which it was made


@Endpoint(
    "GET", "/matches/{id}/advice", say("Advice, for the page of its match"), work=STEADY_HEAVY
)
def _advice(live: Live, call: Call) -> AdvicePart:
    with live.seen(call.request) as seen:
        found = advice_json(_asked(seen), call.lang)
        return _filled(seen, call, plan=found, dangers=found.dangers, kept=False)


class FollowedBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A plan that is followed: its orders, and the side and the turn for which it was made."""

    orders: tuple[Words, ...]
    time: str


@Endpoint(
    "POST",
    "/matches/{id}/advice",
    say("What is left of a plan that is followed"),
    work=STEADY_HEAVY,
)
def _followed(live: Live, call: Call, body: FollowedBody) -> AdvicePart:
    with live.seen(call.request) as seen:
        match, time = _asked(seen), _time(seen)
        if body.time != time:
            return AdvicePart(html="", orders=[], time=time)
        found = kept_advice_json(match, body.orders, call.lang)
        if not (found.first or found.moves or found.attacks):
            return AdvicePart(html="", orders=[], time=time)
        return _filled(seen, call, plan=found, dangers=found.dangers, kept=True)


@Endpoint(
    "GET", "/matches/{id}/dangers", say("What the enemy could do, for the page"), work=STEADY_HEAVY
)
def _dangers(live: Live, call: Call) -> AdvicePart:
    with live.seen(call.request) as seen:
        found = dangers_json(_asked(seen), call.lang)
        return _filled(seen, call, plan=None, dangers=found.dangers, kept=False)


def _filled(
    seen: Seen, call: Call, *, plan: AdviceAnswer | None, dangers: list[DangerJson], kept: bool
) -> AdvicePart:
    labels = labels_of([seen.match.field.scenario], call.lang)
    places = place_names(seen.match, call.lang)
    html = fill(
        "match_advice.html", call.lang, plan=plan, dangers=dangers, kept=kept, places=places
    )
    first = [plan.first.order] if plan and plan.first else []
    moves = [one.order for one in plan.moves] if plan else []
    attacks = [one.order for one in plan.attacks] if plan else []
    shown = labelled_html(html, labels)
    return AdvicePart(html=shown, orders=[*first, *moves, *attacks], time=_time(seen))


def _time(seen: Seen) -> str:
    """Name the side that is asked for an order, and the turn."""
    ask = seen.match.asking
    return f"{ask.side} {ask.turn}" if isinstance(ask, Order) else ""


API = (_api_advice, _api_dangers)
ENDPOINTS = (_advice, _followed, _dangers)
