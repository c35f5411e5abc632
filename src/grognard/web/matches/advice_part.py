"""Advice on the map: the plan of a phase, and the best attacks of the enemy."""

from grognard.draw.json.match_advice import (
    AdviceAnswer,
    DangersAnswer,
    advice_json,
    dangers_json,
)
from grognard.draw.json.structs import JsonStruct
from grognard.maps.labels import labelled_html, labels_of
from grognard.matches.match import Saved, from_saved, saved
from grognard.matches.protocol import Order
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


def _feared(kept: Saved, lang: Lang) -> DangersAnswer:
    return dangers_json(from_saved(kept), lang)


def _asked(live: Live, call: Call) -> Saved:
    """Give a match in which the person who asks for advice is asked for an order."""
    with live.seen(call.request) as seen:
        ask = seen.match.asking
        if not isinstance(ask, Order):
            raise Refusal(say("no order is asked for now"))
        if ask.side in seen.seats.autos:
            raise Refusal(say("the automatic player keeps its plans to itself"))
        seen.only(ask.side)
        return saved(seen.match)


@Endpoint(
    "GET", "/api/matches/{id}/advice", say("A plan of the phase, with its odds"), refuses=GONE
)
async def _api_advice(live: Live, call: Call) -> AdviceAnswer:
    kept = _asked(live, call)
    found = await beside(call.request, _planned, kept, call.lang)
    return found or AdviceAnswer(moves=[], attacks=[], dangers=[])


@Endpoint("GET", "/api/matches/{id}/dangers", say("The best attacks of the enemy"), refuses=GONE)
async def _api_dangers(live: Live, call: Call) -> DangersAnswer:
    kept = _asked(live, call)
    return await beside(call.request, _feared, kept, call.lang) or DangersAnswer(dangers=[])


class AdvicePart(JsonStruct):
    """Advice as HTML."""

    html: str


@Endpoint("GET", "/matches/{id}/advice", say("Advice, for the page of its match"))
async def _advice(live: Live, call: Call) -> AdvicePart:
    kept = _asked(live, call)
    found = await beside(call.request, _planned, kept, call.lang)
    return _filled(live, call, plan=found, dangers=found.dangers if found else [])


@Endpoint("GET", "/matches/{id}/dangers", say("What the enemy could do, for the page"))
async def _dangers(live: Live, call: Call) -> AdvicePart:
    kept = _asked(live, call)
    found = await beside(call.request, _feared, kept, call.lang)
    return _filled(live, call, plan=None, dangers=found.dangers if found else [])


def _filled(live: Live, call: Call, **shown: object) -> AdvicePart:
    with live.seen(call.request) as seen:
        labels = labels_of([seen.match.field.scenario], call.lang)
    return AdvicePart(html=labelled_html(fill("match_advice.html", call.lang, **shown), labels))


API = (_api_advice, _api_dangers)
ENDPOINTS = (_advice, _dangers)
