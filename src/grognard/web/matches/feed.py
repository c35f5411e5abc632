"""News of a match apart as an Atom feed, by a secret link of its own that only reads."""

import re
from functools import partial
from uuid import UUID
from xml.etree import ElementTree

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.draw.json.steps import StepFightJson, steps_json
from grognard.draw.json.structs import JsonStruct
from grognard.maps.labels import labelled, labels_of
from grognard.matches.recap import Reader, shown_events
from grognard.matches.storage.seals import digest
from grognard.matches.storage.seats import Place
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.language import language
from grognard.web.matches.actions import GONE
from grognard.web.matches.live_matches import Live
from grognard.web.matches.seat_links import NO_TRACE, own_place
from grognard.web.matches.seen_match import Seen
from grognard.web.templating import page_route
from grognard.words.message import Message, say
from grognard.words.text import Lang, colon

ATOM = "http://www.w3.org/2005/Atom"
LAST = 10  # events that an entry tells
# What XML 1.0 has no place for.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class FeedAnswer(JsonStruct):
    """The link of a feed, which is told only here; a former one has ended."""

    feed: str


@Endpoint(
    "POST",
    "/api/matches/{id}/feed",
    say("A secret link to an Atom feed: when it is your turn, and what happened"),
    refuses=GONE,
)
def _new_feed(live: Live, call: Call) -> FeedAnswer:
    secret = live.links.new_link(own_place(live, call), "feed")
    return FeedAnswer(feed=f"/feed/{secret}?lang={call.lang}")


def _feed(live: Live, request: Request) -> Response:
    place = live.links.place_of(request.path_params["secret"], "feed")
    if place is None:
        raise HTTPException(404)
    base = str(request.base_url).rstrip("/")
    with live.opened(place.match, place.seat) as seen:
        text = _atom(seen, place, f"{base}/matches/{place.match}", language(request))
    return Response(text, media_type="application/atom+xml", headers=NO_TRACE)


def _atom(seen: Seen, place: Place, address: str, lang: Lang) -> str:
    """Write the feed: one entry that tells how the match stands, if that concerns the reader."""
    kept = seen.kept
    feed = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": lang})
    _element(feed, "id", _urn(place, "feed"))
    _element(feed, "title", f"{kept.name} · Grognard")
    _element(feed, "updated", kept.changed)
    ElementTree.SubElement(feed, "link", href=address)
    _element(ElementTree.SubElement(feed, "author"), "name", "Grognard")
    told = _news(seen)
    if told is not None:
        entry = ElementTree.SubElement(feed, "entry")
        _element(entry, "id", _urn(place, told.template, _since(seen)))
        _element(entry, "title", f"{told.in_(lang)} – {kept.name}")
        _element(entry, "updated", kept.changed)
        ElementTree.SubElement(entry, "link", href=address)
        content = "\n".join(_events(seen, lang)) or told.in_(lang)
        _element(entry, "content", content).set("type", "text")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(feed, "unicode")


def _news(seen: Seen) -> Message | None:
    """Say what concerns the reader now; None: nothing."""
    if seen.match.asking is None:
        return say("The match is over")
    if seen.kept.undo_asked not in (None, seen.seat):
        return say("The other side asks to take its last answer back")
    return say("Your turn") if seen.to_move else None


def _since(seen: Seen) -> int:
    """Number what the reader is told by the last answer that is not his own."""
    replies = list(enumerate(seen.match.replies, 1))
    return next((n for n, reply in reversed(replies) if reply.side != seen.seat), 0)


def _events(seen: Seen, lang: Lang) -> list[str]:
    """Put the last events into words, as the seat may know them."""
    match, reader = seen.match, Reader(seen.kept.autos, seen.seat)
    labels = labels_of([match.field.scenario], lang)
    names = {side.id: side.name.in_(lang) for side in match.field.scenario.sides}
    return [
        labelled(
            " ".join([f"{names[step.side]}{colon(lang)}{step.text}", *_outcomes(step.fights)]),
            labels,
        )
        for step in steps_json(match, shown_events(match)[-LAST:], reader, lang)
    ]


def _outcomes(fights: list[StepFightJson]) -> list[str]:
    return [fight.outcome for fight in fights]


def _urn(place: Place, *parts: object) -> str:
    return UUID(digest("feed", *place, *parts)[:32]).urn


def _element(above: ElementTree.Element, name: str, text: str) -> ElementTree.Element:
    made = ElementTree.SubElement(above, name)
    made.text = _NO_XML.sub("", text)
    return made


def pages(live: Live) -> list[Route]:
    """Make the route of feeds."""
    return [page_route("/feed/{secret}", partial(_feed, live))]


ENDPOINTS = (_new_feed,)
