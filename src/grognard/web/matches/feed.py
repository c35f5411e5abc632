"""News of a match apart as an Atom feed, by a secret link of its own that only reads."""

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID
from xml.etree import ElementTree

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.draw.json.steps import steps_json
from grognard.draw.json.structs import JsonStruct
from grognard.maps.labels import labelled, labels_of
from grognard.matches.history import Event
from grognard.matches.match import Match, Reply
from grognard.matches.recap import Reader, shown_events
from grognard.matches.seats import WATCH, Turn, turns_of
from grognard.matches.storage.rows import Moment
from grognard.matches.storage.seals import digest
from grognard.matches.storage.seats import Place
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.language import language
from grognard.web.matches.access import holder_of
from grognard.web.matches.actions import GONE
from grognard.web.matches.live_matches import Live
from grognard.web.matches.seat_links import NO_TRACE, place_of
from grognard.web.matches.seen_match import Seen
from grognard.web.templating import page_route
from grognard.words.message import Message, say
from grognard.words.text import Lang, colon

ATOM = "http://www.w3.org/2005/Atom"
ENTRIES = 20
LAST = 10  # events that an entry tells
_TURN, _OVER = say("Your turn"), say("The match is over")
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
    secret = live.links.new_feed(place_of(live, call), holder_of(call.request))
    return FeedAnswer(feed=f"/feed/{secret}?lang={call.lang}")


def _feed(live: Live, request: Request) -> Response:
    place = live.links.place_of(request.path_params["secret"], "feed")
    if place is None:
        raise HTTPException(404)
    base = str(request.base_url).rstrip("/")
    with live.opened(place.match, place.seat) as seen:
        text = _atom(seen, place, f"{base}/matches/{place.match}", language(request))
    return Response(text, media_type="application/atom+xml", headers=NO_TRACE)


class _Part(NamedTuple):
    """An event, and whether it had ended then."""

    event: Event
    ended: bool


class _Told(NamedTuple):
    """What an entry tells: what concerns the reader, when, and what happened before."""

    kind: str
    title: Message
    moment: Moment
    parts: Sequence[_Part]


def _atom(seen: Seen, place: Place, address: str, lang: Lang) -> str:
    """Write the feed: an entry for each time that the match concerned its reader."""
    kept, told = seen.kept, _told(seen)
    feed = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": lang})
    _element(feed, "id", _urn(place, "feed"))
    _element(feed, "title", f"{kept.name} · Grognard")
    _element(feed, "updated", told[0].moment.at if told else kept.created)
    ElementTree.SubElement(feed, "link", href=address)
    _element(ElementTree.SubElement(feed, "author"), "name", "Grognard")
    for one in told:
        title = one.title.in_(lang)
        entry = ElementTree.SubElement(feed, "entry")
        _element(entry, "id", _urn(place, one.kind, one.moment.head))
        _element(entry, "title", f"{title} – {kept.name}")
        _element(entry, "updated", one.moment.at)
        ElementTree.SubElement(entry, "link", href=address)
        content = "\n".join(_recap(seen, one.parts, lang)) or title
        _element(entry, "content", content).set("type", "text")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(feed, "unicode")


def _told(seen: Seen) -> list[_Told]:
    """Find what concerned the reader, the newest first. The time of the present is always known;
    what was answered before the store noted times, and what was imported, is left out."""
    kept, match, seat = seen.kept, seen.match, seen.seat or WATCH
    moments = seen.beside.store.moments(kept.id)
    events = shown_events(match)
    found: list[_Told] = []
    if seat != WATCH and kept.undo_asked not in (None, seat):
        last = [_Part(event, ended=True) for event in events[-1:]]
        title = say("The other side asks to take its last answer back")
        found.append(_Told("undo", title, Moment(kept.head, kept.changed), last))
    for turn in reversed(turns_of(match, seat)):
        # The store may have changed since the match was opened.
        moment = moments[turn.answers] if turn.answers < len(moments) else Moment(kept.head, "")
        if turn.entry == len(match.log) and not moment.at:
            moment = moment._replace(at=kept.changed)
        if moment.at and len(found) < ENTRIES:
            over = match.asking is None and turn.entry == len(match.log)
            kind, title = ("over", _OVER) if over else ("turn", _TURN)
            found.append(_Told(kind, title, moment, _between(match, events, turn)))
    return found


def _between(match: Match, events: Sequence[Event], turn: Turn) -> list[_Part]:
    """Give what happened since the reader's last answer before his turn. Of a fight in which he was
    asked only the order, so that an entry stays as it was; its outcome is told the next time."""
    found = []
    for event in events:
        ended = event.until <= turn.entry
        ordered = bool(event.fights) and any(
            isinstance(entry, Reply) for entry in match.log[event.first : turn.entry]
        )
        if event.until > turn.since and (ended or ordered):
            found.append(_Part(event, ended))
    return found


def _recap(seen: Seen, parts: Sequence[_Part], lang: Lang) -> list[str]:
    """Put the last of some events into words, as the seat may know them."""
    match, reader = seen.match, Reader(seen.kept.autos, seen.seat)
    labels = labels_of([match.field.scenario], lang)
    names = {side.id: side.name.in_(lang) for side in match.field.scenario.sides}
    told = parts[-LAST:]
    steps = steps_json(match, [part.event for part in told], reader, lang)
    return [
        labelled(
            " ".join(
                [
                    f"{names[step.side]}{colon(lang)}{step.text}",
                    *(fight.outcome for fight in step.fights if part.ended),
                ]
            ),
            labels,
        )
        for part, step in zip(told, steps, strict=True)
    ]


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
