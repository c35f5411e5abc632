"""The pages of matches: their list, and the map of each.

The map's page is filled in here, piece by piece; after every answer its module asks for the pieces
anew. So whatever is shown comes from the match as the server has it, on every page that looks.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.draw.json import match as match_json
from grognard.draw.json.fight import Json
from grognard.draw.svg import map as svg_map
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg.counter import CounterSheet, Livery
from grognard.maps import scenario as scenarios
from grognard.maps.board import Piece
from grognard.maps.scenario import Scenario
from grognard.matches.match import Match
from grognard.matches.store import Kept, Stale, Unknown, Unusable
from grognard.rules import game
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.api.matches import STATUS, view
from grognard.web.language import language
from grognard.web.matches.live import Live, Seen
from grognard.web.matches.orders import deeds, menu, names_ways, place_name
from grognard.web.matches.panel import fought, looked
from grognard.web.refused import Refused
from grognard.web.templating import fill, page, page_route
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

SVG = "image/svg+xml"


class Badge(NamedTuple):
    """A side as its counters show it: its mark on its colour."""

    mark: str
    name: str
    livery: Livery


def badges(scenario: Scenario, lang: Lang) -> dict[str, Badge]:
    """Give the badges of both sides."""
    made = CounterSheet(scenario).liveries
    return {
        str(side["id"]): Badge(str(side["mark"]), str(side["name"]), made[str(side["id"])])
        for side in match_json.sides_json(scenario, lang)
    }


@contextmanager
def _seen(live: Live, id_: str) -> Iterator[Seen]:
    """Look at a match; say with the right status why it can't be looked at."""
    try:
        with live.seen(id_) as seen:
            yield seen
    except (Unknown, Stale, Unusable) as refusal:
        raise Refused(STATUS[type(refusal)], refusal) from None


# ------------------------------------------------------------------ the list


class Listed(NamedTuple):
    """A match in the list."""

    kept: Kept
    scenario: Scenario | None  # None where it is not there any more
    game: str
    badges: dict[str, Badge]


def _list_page(live: Live, request: Request) -> Response:
    """Show the matches, and what a new one may be."""
    lang = language(request)
    known = scenarios.ids()
    found = [
        _listed(kept, scenarios.own(kept.scenario) if kept.scenario in known else None, lang)
        for kept in live.store.matches()
    ]
    offered = [scenarios.own(name) for name in known]
    cards = {scenario.id: game.card(scenario.game) for scenario in offered}
    sides = {scenario.id: badges(scenario, lang) for scenario in offered}
    return page(request, "matches.html", matches=found, scenarios=offered, cards=cards, sides=sides)


def _listed(kept: Kept, scenario: Scenario | None, lang: Lang) -> Listed:
    name = game.card(scenario.game).name.in_(lang) if scenario else ""
    return Listed(kept, scenario, name, badges(scenario, lang) if scenario else {})


def _scenario_picture(request: Request) -> Response:
    """Draw the map of a scenario as it begins."""
    name = request.path_params["scenario"]
    if name not in scenarios.ids():
        raise Refused(404, Refusal(say("there is no scenario '{name}'", name=name)))
    scenario = scenarios.own(name)
    return Response(svg_map.draw(scenario.board(), scenario, language(request)), media_type=SVG)


def _match_picture(live: Live, request: Request) -> Response:
    """Draw the map of a match as it stands."""
    with _seen(live, request.path_params["id"]) as seen:
        match = seen.match
        drawn = svg_map.draw(match.board, match.field.scenario, language(request))
    return Response(drawn, media_type=SVG)


# ------------------------------------------------------------------ one match


class ShownPiece(NamedTuple):
    """A counter of the strip."""

    piece: Piece
    drawn: str
    words: str
    acts: bool


class Stack(NamedTuple):
    """The counters of a hex, or those beside the map."""

    hex: str
    place: str
    pieces: tuple[ShownPiece, ...]


def _match_page(live: Live, request: Request) -> Response:
    """Show the map of a match with everything around it."""
    lang = language(request)
    with _seen(live, request.path_params["id"]) as seen:
        match = seen.match
        context = _context(seen, lang)
        drawn = svg_map.draw(match.board, match.field.scenario, lang)
    return page(request, "match.html", drawn=drawn, **context)


def _context(seen: Seen, lang: Lang, since: str | None = None) -> dict[str, Any]:
    """Give the templates what they show of a match."""
    match, scenario = seen.match, seen.match.field.scenario
    shown = view(seen, lang, since)
    orders = menu(match, lang)
    play = match.play or match.fought
    return {
        "view": shown,
        "menu": orders,
        "badges": badges(scenario, lang),
        "verb": partial(match_json.verb_text, match.field.card, lang=lang),
        "word_of": partial(match_json.word_text, match.field.card, lang=lang),
        "stacks": tuple(_stacks(match, orders.acting, lang)),
        "fought": fought(match, play, lang) if play else None,
        "arrivals": Counter(p.arrives for p in match.board.pieces if p.at is None and p.alive),
        "places": {
            match.board.map.number(hex_): place.name.in_(lang)
            for hex_, place in match.board.map.places.items()
            if place.name
        },
    }


def _stacks(match: Match, acting: frozenset[str], lang: Lang) -> Iterator[Stack]:
    """Give the counters by hex, and last those that wait beside the map."""
    board, scenario = match.board, match.field.scenario

    def shown(pieces: tuple[Piece, ...]) -> tuple[ShownPiece, ...]:
        return tuple(
            ShownPiece(
                piece,
                svg_map.counter(piece, scenario, lang),
                svg_symbols.described(piece, lang),
                piece.name in acting,
            )
            for piece in pieces
        )

    for hex_ in sorted(board.stacks(), key=board.map.number):
        number = board.map.number(hex_)
        yield Stack(number, place_name(match, number, lang), shown(board.stack(hex_)))
    waiting = tuple(piece for piece in board.pieces if piece.at is None and piece.alive)
    if waiting:
        yield Stack("", "", shown(waiting))


# ------------------------------------------------------------------ pieces of the page

PARTS = ("status", "ask", "strip", "fight", "tools")


def _parts(live: Live, call: Call) -> Json:
    """Give the pieces of a match's page that change, and the log since a mark."""
    with _seen(live, call.path("id")) as seen:
        match = seen.match
        context = _context(seen, call.lang, call.query("since"))
        drawn = svg_map.pieces(match.board, match.field.scenario, call.lang)
    shown = context["view"]
    return {
        "version": shown["version"],
        "parts": {part: fill(f"match_{part}.html", call.lang, **context) for part in PARTS},
        "pieces": drawn,
        "log": {
            "whole": shown["log"]["whole"],
            "mark": shown["log"]["mark"],
            "html": fill("match_log.html", call.lang, **context),
        },
    }


def _unit(live: Live, call: Call) -> Json:
    """Tell of a unit: what it is, what it may do, its zone of control, its supply."""
    with _seen(live, call.path("id")) as seen:
        match, name = seen.match, call.query("name") or ""
        told = match_json.unit_json(match, name, call.lang)
        piece = match.board.piece(name)
        found = deeds(match, name, call.lang)
        supply = told["supply"] if match.board.map.sources else None  # else there is none to trace
        full = {unit.name: unit.steps or len(unit.faces) for unit in match.field.scenario.units}
        html = fill(
            "match_unit.html",
            call.lang,
            told=told,
            piece=piece,
            full=full[name],
            words=svg_symbols.described(piece, call.lang),
            deeds=found,
            own_way=names_ways(match) and any(deed.id == f"move-{name}" for deed in found),
            supply=supply,
            whose=badges(match.field.scenario, call.lang)[piece.side],
            place=place_name(match, str(told["hex"]), call.lang) if piece.at else "",
        )
    return {"html": html, "zoc": told["zoc"], "supply": supply, "hex": told["hex"]}


class Aimed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An order that is being put together."""

    order: tuple[str, ...]
    attacker: str = "best"  # doctrines, by which the odds are worked out
    defender: str = "best"


def _look(live: Live, call: Call) -> Json:
    """Show the fight to which an order would lead."""
    body: Aimed = call.body  # type: ignore[assignment]  # as the endpoint says
    with _seen(live, call.path("id")) as seen:
        doctrines = (body.attacker, body.defender)
        found = looked(seen.match, body.order, doctrines, call.lang)
        names = badges(seen.match.field.scenario, call.lang)
    html = fill("match_look.html", call.lang, looked=found, badges=names)
    return {"html": html, "label": found.label, "by": found.roles.attacker}


# ------------------------------------------------------------------ where it is found


def pages(live: Live) -> list[Route]:
    """Make the routes of the pages and pictures."""
    return [
        page_route("/matches", partial(_list_page, live)),
        page_route("/matches/{id}", partial(_match_page, live)),
        page_route("/matches/{id}/map.svg", partial(_match_picture, live)),
        page_route("/scenarios/{scenario}/map.svg", _scenario_picture),
    ]


def endpoints(live: Live) -> list[Endpoint]:
    """Make the endpoints from which the map's page gets its pieces."""
    return [
        Endpoint(
            method="GET",
            path="/matches/{id}/parts",
            summary=say("The pieces of a match's page"),
            run=partial(_parts, live),
        ),
        Endpoint(
            method="GET",
            path="/matches/{id}/unit",
            summary=say("A unit, for the page of its match"),
            run=partial(_unit, live),
        ),
        Endpoint(
            method="POST",
            path="/matches/{id}/look",
            summary=say("The fight panel for an order that is not given yet"),
            run=partial(_look, live),
            body=Aimed,
        ),
    ]
