"""A unit on the page of its match: what it may do, its supply, and why an order is refused."""

import msgspec
from msgspec import Struct

from grognard.draw.json import match_preview
from grognard.draw.json.structs import JsonStruct
from grognard.draw.svg import symbols as svg_symbols
from grognard.maps.board import Piece
from grognard.maps.labels import labelled_html, labels_of
from grognard.matches.match import Match
from grognard.matches.orders import MoveOrders
from grognard.matches.protocol import Order, Words
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.lanes.answering import STEADY
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_list import badges
from grognard.web.matches.order_menu import NOTHING, Menu, deeds, menu, names_ways, place_name
from grognard.web.templating import fill
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


class UnitPart(JsonStruct):
    """A unit as HTML, and what the map shows of it."""

    html: str
    zoc: list[str]
    supply: match_preview.SupplyJson | None
    hex: str | None
    aims: list[str]  # hexes that it may attack
    tries: list[str] | None  # the words of a move without its hex, where units move
    stays: str | None  # why it goes nowhere, where they do not
    refusal: str | None  # of the order that was tried before


@Endpoint("GET", "/matches/{id}/unit", say("A unit, for the page of its match"), work=STEADY)
def _unit(live: Live, call: Call) -> UnitPart:
    """Show a unit; `tried` is an order of another unit that a tap on this one would have been."""
    with live.seen(call.request) as seen:
        match, name, tried = seen.match, call.query("name") or "", call.query("tried")
        told = match_preview.unit_json(match, name, call.lang, seen.seats.autos, seen.seat)
        mine = match.asked is not None and seen.seats.mine(match.asked)
        refusal = _refusal(match, _read_order(tried), call.lang) if tried and mine else None
        piece = match.board.piece(name)
        found = deeds(match, name, call.lang) if mine else ()
        orders = menu(match, call.lang) if mine else NOTHING
        aims = [(place, orders.aims[place]) for place in orders.aims_of(name)]
        supply = told.supply if match.board.map.sources else None  # else there is none to trace
        full = {unit.name: unit.steps or len(unit.faces) for unit in match.field.scenario.forces}
        left = match.field.card.phrase("steps-left").in_(call.lang)
        moves = mine and _moves(match, piece)
        stuck = mine and _asked(match, piece) and not moves and not any(deed.goes for deed in found)
        html = fill(
            "match_unit.html",
            call.lang,
            told=told,
            piece=piece,
            strength=left.format(n=piece.steps, full=full[name]),
            words=svg_symbols.described(piece, call.lang),
            deeds=found,
            aims=aims,
            idle=_idle(orders, told, name),
            own_way=mine and names_ways(match) and any(deed.id == f"move-{name}" for deed in found),
            supply=supply,
            whose=badges(match.field.scenario, call.lang)[piece.side],
            place=place_name(match, told.hex, call.lang) if told.hex else "",
        )
        html = labelled_html(html, labels_of([match.field.scenario], call.lang))
    hexes = [aim.hex for _, aim in aims if aim.hex]
    return UnitPart(
        html=html,
        zoc=told.zoc,
        supply=supply,
        hex=told.hex,
        aims=hexes,
        tries=["move", name] if moves else None,
        stays=told.moves.reason if stuck else None,
        refusal=refusal,
    )


def _asked(match: Match, piece: Piece) -> bool:
    """Tell whether the side of a unit is asked for an order."""
    return isinstance(match.asking, Order) and match.asking.side == piece.side


def _moves(match: Match, piece: Piece) -> bool:
    """Tell whether a unit on the map may be told to move, though perhaps nowhere."""
    moving = isinstance(match.asking, Order) and isinstance(match.asking.orders, MoveOrders)
    return moving and _asked(match, piece) and piece.at is not None


def _idle(orders: Menu, told: match_preview.UnitAnswer, name: str) -> str:
    """Say why a unit has nothing to do; empty if it has."""
    if name in orders.acting or orders.aims_of(name):
        return ""
    return orders.idle.get(name) or told.moves.reason or ""


class TryBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An order that would be given."""

    order: tuple[str, ...]


class TryPart(JsonStruct):
    """Why an order would be refused; nothing for a legal one."""

    refusal: str | None


@Endpoint("POST", "/matches/{id}/try", say("Why an order would be refused"))
def _try(live: Live, call: Call, body: TryBody) -> TryPart:
    with live.seen(call.request) as seen:
        seen.only(seen.match.asked)
        return TryPart(refusal=_refusal(seen.match, body.order, call.lang))


def _refusal(match: Match, order: Words, lang: Lang) -> str | None:
    problem = match_preview.order_problem(match_preview.asked_order(match), order)
    return problem.in_(lang) if problem else None


def _read_order(text: str) -> Words:
    try:
        return msgspec.json.decode(text, type=tuple[str, ...])
    except msgspec.DecodeError as error:
        raise Refusal(say("this is not JSON: {problem}", problem=foreign(error))) from None


ENDPOINTS = (_unit, _try)
