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
from grognard.matches.match import Saved, from_saved, saved
from grognard.matches.protocol import Order, Words
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.background import beside
from grognard.web.matches.actions import GONE
from grognard.web.matches.live_matches import Live
from grognard.web.templating import fill
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


def _planned(kept: Saved, lang: Lang) -> AdviceAnswer:
    return advice_json(from_saved(kept), lang)


def _kept(kept: Saved, orders: tuple[Words, ...], lang: Lang) -> AdviceAnswer:
    return kept_advice_json(from_saved(kept), orders, lang)


def _feared(kept: Saved, lang: Lang) -> DangersAnswer:
    return dangers_json(from_saved(kept), lang)


def _asked(live: Live, id_: str) -> Saved:
    """Give a match in which a person is asked for an order."""
    with live.seen(id_) as seen:
        ask = seen.match.asking
        if not isinstance(ask, Order):
            raise Refusal(say("no order is asked for now"))
        if ask.side in seen.seats.autos:
            raise Refusal(say("the automatic player keeps its plans to itself"))
        return saved(seen.match)


@Endpoint(
    "GET", "/api/matches/{id}/advice", say("A plan of the phase, with its odds"), refuses=GONE
)
async def _api_advice(live: Live, call: Call) -> AdviceAnswer:
    kept = _asked(live, call.path("id"))
    found = await beside(call.request, _planned, kept, call.lang)
    return found or AdviceAnswer(moves=[], attacks=[], dangers=[])


@Endpoint("GET", "/api/matches/{id}/dangers", say("The best attacks of the enemy"), refuses=GONE)
async def _api_dangers(live: Live, call: Call) -> DangersAnswer:
    kept = _asked(live, call.path("id"))
    return await beside(call.request, _feared, kept, call.lang) or DangersAnswer(dangers=[])


class AdvicePart(JsonStruct):
    """Advice as HTML."""

    html: str
    orders: list[list[str]]  # of the plan, which the page keeps while it is followed
    time: str  # the side and the turn for which it was made


@Endpoint("GET", "/matches/{id}/advice", say("Advice, for the page of its match"))
async def _advice(live: Live, call: Call) -> AdvicePart:
    kept = _asked(live, call.path("id"))
    found = await beside(call.request, _planned, kept, call.lang)
    return _filled(live, call, plan=found, dangers=found.dangers if found else [], kept=False)


class FollowedBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A plan that is followed: its orders, and the side and the turn for which it was made."""

    orders: tuple[Words, ...]
    time: str


@Endpoint("POST", "/matches/{id}/advice", say("What is left of a plan that is followed"))
async def _followed(live: Live, call: Call, body: FollowedBody) -> AdvicePart:
    kept, time = _asked(live, call.path("id")), _time(live, call)
    found = None
    if body.time == time:
        found = await beside(call.request, _kept, kept, body.orders, call.lang)
    if found is None or not (found.moves or found.attacks):
        return AdvicePart(html="", orders=[], time=time)
    return _filled(live, call, plan=found, dangers=found.dangers, kept=True)


@Endpoint("GET", "/matches/{id}/dangers", say("What the enemy could do, for the page"))
async def _dangers(live: Live, call: Call) -> AdvicePart:
    kept = _asked(live, call.path("id"))
    found = await beside(call.request, _feared, kept, call.lang)
    return _filled(live, call, plan=None, dangers=found.dangers if found else [], kept=False)


def _filled(
    live: Live, call: Call, *, plan: AdviceAnswer | None, dangers: list[DangerJson], kept: bool
) -> AdvicePart:
    with live.seen(call.path("id")) as seen:
        labels = labels_of([seen.match.field.scenario], call.lang)
    html = fill("match_advice.html", call.lang, plan=plan, dangers=dangers, kept=kept)
    moves = [one.order for one in plan.moves] if plan else []
    attacks = [one.order for one in plan.attacks] if plan else []
    shown = labelled_html(html, labels)
    return AdvicePart(html=shown, orders=[*moves, *attacks], time=_time(live, call))


def _time(live: Live, call: Call) -> str:
    """Name the side that is asked for an order, and the turn."""
    with live.seen(call.path("id")) as seen:
        ask = seen.match.asking
        return f"{ask.side} {ask.turn}" if isinstance(ask, Order) else ""


API = (_api_advice, _api_dangers)
ENDPOINTS = (_advice, _followed, _dangers)
