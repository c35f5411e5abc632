"""The page of a match: the map with everything around it.

The page is filled in here, part by part. An action is answered with the parts as they are after
it; a page that learns of a change made elsewhere asks for the parts. So everything on every page
comes from the match as the server has it.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.card.rows import Side
from grognard.draw.json.briefing import briefing_json
from grognard.draw.json.match_question import Doctrines, is_advised
from grognard.draw.json.structs import JsonStruct, joined
from grognard.draw.svg import map as svg_map
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg.counter import CounterSheet
from grognard.fights.advised import Advised
from grognard.fights.doctrine import doctrine
from grognard.maps.board import Piece
from grognard.maps.labels import labelled_html, labels_of
from grognard.matches.advised import match_advised
from grognard.matches.protocol import side_of
from grognard.matches.storage.seats import Place
from grognard.rules.ask import Choose, Commit
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.lanes.answering import STEADY
from grognard.web.language import language
from grognard.web.matches import advice_part, recap_part, unit_part
from grognard.web.matches.actions import (
    SINCE,
    action_endpoints,
    asked_doctrines,
    change_endpoint,
)
from grognard.web.matches.chat_part import chat_lines, first_line
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_answer import MatchAnswer, match_answer
from grognard.web.matches.match_fight import arrows, coming, fought, looked
from grognard.web.matches.match_list import SVG, badges
from grognard.web.matches.order_menu import NOTHING, Menu, menu, place_name, place_names
from grognard.web.matches.recap_part import recap_context
from grognard.web.matches.seen_match import Seen
from grognard.web.matches.shown_log import ShownLog, linked
from grognard.web.quick.decision import Decision
from grognard.web.quick.resolution import decisions
from grognard.web.templating import fill, page, page_route
from grognard.words.message import say
from grognard.words.text import Lang

PARTS = ("status", "hint", "recap", "ask", "strip", "fight", "details", "seats", "tools")


class ShownPiece(NamedTuple):
    """A counter of the strip."""

    piece: Piece
    drawn: str
    words: str
    acts: bool
    idle: str  # why it has nothing to do, if it is its side's turn


class ShownStack(NamedTuple):
    """The counters of a hex, or those beside the map."""

    hex: str
    place: str
    pieces: tuple[ShownPiece, ...]


def _match_page(live: Live, request: Request) -> Response:
    lang = language(request)
    with live.seen(request) as seen:
        ways = asked_doctrines(request)
        context = _context(seen, match_answer(seen, lang, doctrines=ways), ways, lang)
        context |= _briefing(seen, lang)
        if seen.seat is not None:  # what happened while the page was closed
            context |= recap_context(seen, lang, due=False)
        place = seen.seat and Place(seen.kept.id, seen.seat)
        context["sent"] = place and live.links.is_sent(place)  # whoever sent it knows the link
        drawn = _drawn(seen, lang)
        labels = labels_of([seen.match.field.scenario], lang)
    return page(request, "match.html", labels=labels, drawn=drawn, **context)


def _briefing(seen: Seen, lang: Lang) -> dict[str, object]:
    """Brief whoever opens the page; at length until a person has answered anything."""
    match, autos = seen.match, seen.seats.autos
    given = any(
        entry.side not in autos and seen.seat in (None, entry.side) for entry in match.replies
    )
    opened = not given and match.asking is not None
    return {"briefing": briefing_json(match.field, autos, lang), "briefing_open": opened}


def _match_picture(live: Live, request: Request) -> Response:
    with live.seen(request) as seen:
        lang = language(request)
        labels = labels_of([seen.match.field.scenario], lang)
        drawn = labelled_html(_drawn(seen, lang), labels)
    return Response(drawn, media_type=SVG)


def _drawn(seen: Seen, lang: Lang) -> str:
    return svg_map.draw(seen.board, seen.match.field.scenario, lang)


def _context(
    seen: Seen, view: MatchAnswer, doctrines: Doctrines, lang: Lang, line: int = 0
) -> dict[str, Any]:
    """Give the templates what they show of a match; of the chat, what was written from a line
    on."""
    match = seen.match
    own = view.asking is not None and not view.asking.automatic and seen.to_move
    orders = menu(match, lang) if own else NOTHING
    play = match.play or match.fought
    shown = fought(match, play, lang, doctrines) if play else None
    # Before the fight, its odds rest on all counters, on those too that a side may not know.
    hides = seen.seat is not None and match.field.hides_stacks()
    before = None if play or hides else coming(match, lang, doctrines)
    return {
        "view": view,
        "menu": orders,
        "badges": badges(match.field.scenario, lang),
        "log": ShownLog(match, view.log, lang),
        "stacks": tuple(_stacks(seen, orders, lang)),
        "linked": partial(linked, match.board.map),
        **recap_context(seen, lang),
        "fought": shown,
        "own_turn": own,
        "lines": chat_lines(seen.beside.links, seen.kept.id, line) if seen.seat else (),
        "decisions": _decisions(seen, view, doctrines, lang),
        "chosen": tuple(map(doctrine, doctrines)),
        "coming": before,
        "arrows": arrows(match, shown or before),
        "arrivals": Counter(p.arrives for p in match.board.pieces if p.at is None and p.alive),
        "places": place_names(match, lang),
    }


def _decisions(
    seen: Seen, view: MatchAnswer, doctrines: Doctrines, lang: Lang
) -> dict[Side, Decision]:
    """Lay out the answers of the sides that have a choice and are who looks, by their roles in the
    fight."""
    match, ask = seen.match, seen.match.asking
    if not isinstance(ask, Choose | Commit) or not view.asking or view.asking.automatic:
        return {}
    advised = match_advised(match, *doctrines) if is_advised(match, seen.seats) else Advised()
    shown = decisions(match.field.card, ask, advised, lang)
    return {one.side: one for one in shown if seen.seats.mine(side_of(match.roles, one.side))}


def _stacks(seen: Seen, orders: Menu, lang: Lang) -> Iterator[ShownStack]:
    """Give the counters by hex, and last those that wait beside the map."""
    match, board = seen.match, seen.board
    sheet = CounterSheet(match.field.scenario)
    acting = orders.acting.union(*(aim.units for aim in orders.aims))

    def shown(pieces: tuple[Piece, ...]) -> tuple[ShownPiece, ...]:
        return tuple(
            ShownPiece(
                piece,
                svg_map.counter_of(sheet, piece, lang),
                svg_symbols.described(piece, lang),
                piece.name in acting,
                orders.idle.get(piece.name, ""),
            )
            for piece in pieces
        )

    for hex_ in sorted(board.stacks(), key=board.map.number):
        number = board.map.number(hex_)
        yield ShownStack(number, place_name(match, number, lang), shown(board.stack(hex_)))
    waiting = tuple(piece for piece in board.pieces if piece.at is None and piece.alive)
    if waiting:
        yield ShownStack("", "", shown(waiting))


# ------------------------------------------------------------------ parts of the page


class LogPart(JsonStruct):
    """New entries of the log, as HTML."""

    whole: bool  # whether they are the whole log
    mark: str
    html: str


class PartsAnswer(JsonStruct):
    """The parts of the page that change, as HTML."""

    version: int
    news: int
    parts: dict[str, str]  # id of the element -> its HTML
    chat: str  # the lines that the page does not show yet
    pieces: str  # the counters of the map, as SVG
    log: LogPart


def _parts(seen: Seen, call: Call) -> PartsAnswer:
    """Fill in the parts of the page that change, and the log since a mark."""
    match, lang = seen.match, call.lang
    ways = asked_doctrines(call.request)
    shown = match_answer(seen, lang, call.query("since"), ways)
    context = _context(seen, shown, ways, lang, first_line(call.query("line")))
    labels = labels_of([match.field.scenario], lang)

    def filled(name: str) -> str:
        return labelled_html(fill(name, lang, **context), labels)

    return PartsAnswer(
        version=shown.version,
        news=shown.news,
        parts={part: filled(f"match_{part}.html") for part in PARTS},
        chat=filled("match_chat.html"),
        pieces=labelled_html(svg_map.pieces(seen.board, match.field.scenario, lang), labels),
        log=joined(LogPart, shown.log, html=filled("match_log.html")),
    )


@Endpoint(
    "GET", "/matches/{id}/parts", say("The pieces of a match's page"), query=SINCE, work=STEADY
)
def _present_parts(live: Live, call: Call) -> PartsAnswer:
    with live.seen(call.request) as seen:
        return _parts(seen, call)


class AimBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An order that is being put together."""

    order: tuple[str, ...]
    attacker: str = "best"  # doctrines for the odds
    defender: str = "best"


class AimPart(JsonStruct):
    """The fight panel of an order as HTML, and what stands at the arrows."""

    html: str
    details: str  # what stands below the question
    label: str
    by: str


@Endpoint(
    "POST",
    "/matches/{id}/look",
    say("The fight panel for an order that is not given yet"),
    work=STEADY,
)
def _look(live: Live, call: Call, body: AimBody) -> AimPart:
    with live.seen(call.request) as seen:
        doctrines = (body.attacker, body.defender)
        seen.only(seen.match.asked)
        found = looked(seen.match, body.order, doctrines, call.lang)
        names = badges(seen.match.field.scenario, call.lang)
        labels = labels_of([seen.match.field.scenario], call.lang)
    html, details = (
        labelled_html(fill(part, call.lang, looked=found, badges=names), labels)
        for part in ("match_look.html", "match_look_details.html")
    )
    return AimPart(html=html, details=details, label=found.label, by=found.roles.attacker)


# ------------------------------------------------------------------ routes and endpoints


def pages(live: Live) -> list[Route]:
    """Make the routes of the page and of its picture."""
    return [
        page_route("/matches/{id}", partial(_match_page, live), STEADY),
        page_route("/matches/{id}/map.svg", partial(_match_picture, live)),
    ]


def endpoints(live: Live) -> list[Endpoint]:
    """Make the endpoints from which the page gets its parts."""
    return [
        _present_parts.bound(live),
        *action_endpoints(live, "/matches", _parts, PartsAnswer, _present_parts.path),
        change_endpoint(live, "/matches", _parts, PartsAnswer, _present_parts.path),
        *(endpoint.bound(live) for endpoint in (*unit_part.ENDPOINTS, *recap_part.ENDPOINTS)),
        _look.bound(live),
        *(endpoint.bound(live) for endpoint in advice_part.ENDPOINTS),
    ]
