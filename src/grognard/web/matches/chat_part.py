"""The chat of a match apart: short lines between the sides, which those who watch can read."""

from datetime import timedelta
from typing import Annotated

from msgspec import Meta

from grognard.draw.json.structs import JsonStruct
from grognard.matches.seats import WATCH
from grognard.matches.storage.rows import NotYours
from grognard.matches.storage.seats import SeatTables
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.limits import one_line
from grognard.web.matches.actions import NOT_YOURS, Body
from grognard.web.matches.live_matches import Live
from grognard.web.matches.seat_links import place_of
from grognard.web.responses import HttpRefusal
from grognard.words.message import say
from grognard.words.refusal import Refusal

CHARACTERS = 300  # of a line
LINES = 500  # of a match
PACE, WITHIN = 10, timedelta(minutes=1)  # lines of a seat within that time


class ChatLineJson(JsonStruct):
    """A line of the chat."""

    n: int
    seat: str
    at: str
    text: str


class ChatAnswer(JsonStruct):
    """The chat of a match, or its newer lines."""

    lines: list[ChatLineJson]


class ChatBody(Body, frozen=True, kw_only=True):
    """A line to write."""

    text: Annotated[str, Meta(min_length=1, max_length=CHARACTERS)]


@Endpoint(
    "GET",
    "/api/matches/{id}/chat",
    say("The chat of a match apart"),
    query={"first": say("the number of the first line that is wanted")},
    refuses=NOT_YOURS,
)
def _chat(live: Live, call: Call) -> ChatAnswer:
    place, first = place_of(live, call), first_line(call.query("first"))
    return ChatAnswer(lines=chat_lines(live.links, place.match, first))


def first_line(word: str | None) -> int:
    """Read the number of the first line that is wanted; all lines, if it is none."""
    return int(word) if word and word.isascii() and word.isdigit() and len(word) < 7 else 0


def chat_lines(links: SeatTables, match: str, first: int = 0) -> list[ChatLineJson]:
    """Give the chat of a match from a line on."""
    return [
        ChatLineJson(n=line.n, seat=line.seat, at=line.at, text=line.text)
        for line in links.chat(match, first)
    ]


@Endpoint(
    "POST",
    "/api/matches/{id}/chat",
    say("Write a line to the other side"),
    example={"text": "Well played!"},
    refuses={**NOT_YOURS, 429: say("too many lines")},
)
def _write(live: Live, call: Call, body: ChatBody) -> ChatAnswer:
    place = place_of(live, call)
    if place.seat == WATCH:
        raise NotYours
    text = one_line(body.text)
    if not text:
        raise Refusal(say("there is nothing to say in this line"), place="text")
    whole, lately = live.links.written(place, WITHIN)
    if whole >= LINES:
        raise Refusal(say("the chat of a match has at most {n} lines", n=LINES))
    if lately >= PACE:
        raise HttpRefusal(429, Refusal(say("at most {n} lines a minute", n=PACE)))
    line = live.links.write(place, text)
    live.store.tell(place.match)
    return ChatAnswer(lines=chat_lines(live.links, place.match, line.n))


ENDPOINTS = (_chat, _write)
