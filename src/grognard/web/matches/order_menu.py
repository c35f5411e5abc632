"""The legal orders as a menu for taps: units that act, targets, and all others.

An order that first names an own unit is a deed of that unit. One that first names a hex or an enemy
is aimed at it. All other orders are offered as plain buttons. So every order of every game has a
place on the page.
"""

from collections.abc import Iterator, Mapping
from json import dumps
from types import MappingProxyType
from typing import NamedTuple

from grognard.draw.text.match import verb_text, word_text
from grognard.maps.board import Board
from grognard.maps.movement import Reached
from grognard.matches.match import Match
from grognard.matches.orders import TOP, MoveOrders
from grognard.matches.protocol import Order, Words
from grognard.words.numbers import mixed
from grognard.words.text import Lang


class WholeOrder(NamedTuple):
    """A whole order behind one button."""

    text: str
    order: str  # as JSON


class TargetChoice(NamedTuple):
    """A target, and the units that may attack it."""

    verb: str
    text: str
    target: str  # a hex or a unit
    hex: str  # where it is tapped
    units: tuple[str, ...]
    party: tuple[str, ...]  # the largest group that may attack together


class Go(NamedTuple):
    """A hex to which a deed may lead, and its cost."""

    hex: str
    place: str
    cost: str
    rash: bool  # legal, but not among the advisable orders
    order: str  # as JSON


class Deed(NamedTuple):
    """Something that a unit may do, at once or in one of several hexes."""

    id: str
    text: str
    words: str  # of the order, as JSON; without the hex if it leads to one
    goes: tuple[Go, ...]


class Menu(NamedTuple):
    """All orders that are legal now."""

    ends: tuple[WholeOrder, ...]
    plain: tuple[WholeOrder, ...]
    aims: tuple[TargetChoice, ...]
    acting: frozenset[str]  # units with deeds of their own
    idle: Mapping[str, str] = MappingProxyType({})  # units that have nothing to do -> why

    def aims_of(self, unit: str) -> tuple[int, ...]:
        """Give the places of the targets that a unit may attack."""
        return tuple(place for place, aim in enumerate(self.aims) if unit in aim.units)


NOTHING = Menu((), (), (), frozenset())


def menu(match: Match, lang: Lang) -> Menu:
    """Make the menu; it is empty if no order is asked for."""
    ask = match.asking
    if not isinstance(ask, Order):
        return NOTHING
    ends, plain, aimed, acting = list[WholeOrder](), list[WholeOrder](), list[Words](), set[str]()
    for order in ask.orders.kinds():
        if len(order) == 1:
            ends.append(_plain(match, order, lang))
        elif is_aimed(ask, order):
            aimed.append(order)
        elif _is_own(ask, order[1]):
            if order[0] != TOP:  # who may only be turned over does not act
                acting.add(order[1])
        else:
            plain.append(_plain(match, order, lang))
    aims = tuple(_aims(match, aimed, lang))
    busy = acting.union(*(aim.units for aim in aims))
    idle = {
        piece.name: ask.orders.idle(piece).in_(lang)
        for piece in ask.board.of(ask.side)
        if piece.name not in busy
    }
    return Menu(tuple(ends), tuple(plain), aims, frozenset(acting), idle)


def _plain(match: Match, order: Words, lang: Lang) -> WholeOrder:
    card = match.field.card
    words = [verb_text(card, order[0], lang), *(word_text(card, w, lang) for w in order[1:])]
    return WholeOrder(" ".join(words), dumps(order))


def _is_own(ask: Order, word: str) -> bool:
    return _side(ask.board, word) == ask.side


def is_aimed(ask: Order, order: Words) -> bool:
    """Tell whether an order names a target first, and then only own units."""
    target = order[1]
    enemy = _side(ask.board, target) not in (None, ask.side)
    return (enemy or ask.board.map.has(target)) and all(_is_own(ask, word) for word in order[2:])


def _side(board: Board, word: str) -> str | None:
    return board.piece(word).side if board.has(word) else None


def _aims(match: Match, orders: list[Words], lang: Lang) -> Iterator[TargetChoice]:
    board, groups = match.board, dict[tuple[str, str], list[Words]]()
    for order in orders:
        groups.setdefault((order[0], order[1]), []).append(order[2:])
    for (verb, target), parties in groups.items():
        units = dict.fromkeys(name for party in parties for name in party)
        party = max(parties, key=len)
        text = verb_text(match.field.card, verb, lang)
        yield TargetChoice(verb, text, target, place(board, target), tuple(units), party)


def place(board: Board, word: str) -> str:
    """Give the hex of a unit, or the hex itself; empty for a unit that is not on the map."""
    at = next((piece.at for piece in board.pieces if piece.name == word), None)
    if at is not None:
        return board.map.number(at)
    return word if board.map.has(word) else ""


# ------------------------------------------------------------------ one unit


def deeds(match: Match, name: str, lang: Lang) -> tuple[Deed, ...]:
    """Give what a unit may do now; nothing if its side gives no orders."""
    ask = match.asking
    if not isinstance(ask, Order) or not _is_own(ask, name):
        return ()
    listed = [order for order in ask.orders.deeds() if order[1:2] == (name,)]
    own = [piece for piece in ask.orders.pieces() if piece.name == name]
    groups: dict[Words, list[Words]] = {}
    for order in (*listed, *(move for piece in own for move in ask.orders.moves(piece))):
        leads = len(order) > 2 and ask.board.map.has(order[-1])
        groups.setdefault(order[:-1] if leads else order, []).append(order)
    advised = {*listed, *(move for piece in own for move in ask.orders.sound_moves(piece))}
    ways = _ways(match, name)
    found = []
    for key, orders in groups.items():
        goes = () if orders == [key] else tuple(_goes(match, orders, ways, advised, lang))
        found.append(Deed("-".join(key), _deed_text(match, key, lang), dumps(key), goes))
    return tuple(found)


def names_ways(match: Match) -> bool:
    """Tell whether a move may name its way hex by hex now."""
    ask = match.asking
    return isinstance(ask, Order) and isinstance(ask.orders, MoveOrders) and ask.orders.names_ways


def _ways(match: Match, name: str) -> dict[str, Reached]:
    board = match.board
    reached = match.field.reach(board, board.piece(name))
    return {board.map.number(hex_): way for hex_, way in reached.items()}


def _deed_text(match: Match, key: Words, lang: Lang) -> str:
    return " + ".join([verb_text(match.field.card, key[0], lang), *key[2:]])


def _goes(
    match: Match, orders: list[Words], ways: dict[str, Reached], advised: set[Words], lang: Lang
) -> Iterator[Go]:
    """Give the hexes to which orders lead; plain moves begin with the cheapest."""
    plain = len(orders[0]) == 3 and orders[0][0] == "move"  # loads and other verbs may cost more
    known = ways if plain else {}
    for order in sorted(orders, key=lambda o: known[o[-1]].sixths if o[-1] in known else 0):
        hex_ = order[-1]
        cost = str(mixed(known[hex_].cost)) if hex_ in known else ""
        yield Go(hex_, place_name(match, hex_, lang), cost, order not in advised, dumps(order))


def place_names(match: Match, lang: Lang) -> dict[str, str]:
    """Give the names of all hexes that have one, by their numbers."""
    sheet = match.board.map
    named = ((hex_, place.name) for hex_, place in sheet.places.items())
    return {sheet.number(hex_): name.in_(lang) for hex_, name in named if name}


def place_name(match: Match, number: str, lang: Lang) -> str:
    """Give the name of a hex, if it has one."""
    place = match.board.map.places[match.board.map.hex(number)]
    return place.name.in_(lang) if place.name else ""
