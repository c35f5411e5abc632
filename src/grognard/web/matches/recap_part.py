"""The recap of the other side's turn on a match's page, and the frames to show it again."""

from collections.abc import Mapping

import msgspec

from grognard.draw.json.frames import FramesJson, frames_json
from grognard.draw.json.steps import recap_json
from grognard.draw.json.structs import JsonStruct
from grognard.maps.labels import labelled_html, labels_of
from grognard.matches.recap import recap_due, recap_events, seen_boards, step_boards
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.matches.actions import GONE
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_list import Badge, badges
from grognard.web.matches.seen_match import Seen
from grognard.web.templating import fill
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang

OF = {"of": say("`recap`: what the recap tells; `match`: all of it")}


def recap_context(seen: Seen, lang: Lang, *, due: bool = True) -> dict[str, object]:
    """Give the template the recap; nothing while it is not due."""
    match, reader = seen.match, seen.reader
    if due and not recap_due(match, reader.others):
        return {"recap": None, "recap_told": "", "recap_until": 0}
    told = recap_json(match, reader, lang)
    colours = liveries(badges(match.field.scenario, lang))
    drawn = msgspec.json.encode({"steps": told.steps, "colours": colours}).decode()
    return {"recap": told, "recap_told": drawn, "recap_until": len(match.answers)}


def liveries(sides: Mapping[str, Badge]) -> dict[str, dict[str, str]]:
    """Give the colours in which the ways of each side are drawn."""
    return {
        id_: {"fill": side.livery.fill, "edge": side.livery.edge} for id_, side in sides.items()
    }


class RecapPart(JsonStruct):
    """The recap as HTML; empty if there is nothing to tell."""

    html: str


@Endpoint("GET", "/matches/{id}/recap", say("The recap, for the page of its match"), refuses=GONE)
def _recap_part(live: Live, call: Call) -> RecapPart:
    with live.seen(call.request) as seen:
        scenario = seen.match.field.scenario
        context = recap_context(seen, call.lang, due=False)
        html = fill("match_recap.html", call.lang, badges=badges(scenario, call.lang), **context)
        return RecapPart(html=labelled_html(html, labels_of([scenario], call.lang)).strip())


@Endpoint(
    "GET",
    "/matches/{id}/frames",
    say("The counters at each step of a match, for its page"),
    query=OF,
    refuses=GONE,
)
def _frames(live: Live, call: Call) -> FramesJson:
    """Draw the board before the first step, and after each."""
    of = call.query("of") or "match"
    if of not in ("recap", "match"):
        raise Refusal(say("'{of}' is unknown; {near}", of=of, near=near(of, ["recap", "match"])))
    with live.seen(call.request) as seen:
        match, reader = seen.match, seen.reader
        if of == "recap":
            events = recap_events(match, reader.others, reader.since)
            boards = seen_boards(match, events, seen.viewer)
        else:
            boards = step_boards(match, seen.viewer)
        return frames_json(boards, match.field.scenario, call.lang)


ENDPOINTS = (_recap_part, _frames)
