"""What may be ordered now, laid out for taps: units that act, targets to aim at, and the rest.

An order that begins with a unit of one's own is a deed of that unit; one that begins with a hex or
an enemy is aimed; whatever else may be ordered is offered as it is. So every order of every game
has a place on the page.
"""

from collections.abc import Iterator
from fractions import Fraction
from json import dumps
from typing import NamedTuple

from grognard.board import Board
from grognard.field import Order, Words
from grognard.match import Match
from grognard.match_json import verb_text
from grognard.movement import Reached
from grognard.text import Lang


class Plain(NamedTuple):
    """A whole order behind one button."""

    text: str
    order: str  # as JSON


class Aim(NamedTuple):
    """A target, and who may be named against it."""

    verb: str
    text: str
    target: str  # a hex or a unit
    hex: str  # where it is tapped
    units: tuple[str, ...]
    many: bool  # whether several units may be named together


class Go(NamedTuple):
    """A hex to which a deed may lead, and what it costs."""

    hex: str
    place: str
    cost: str
    order: str  # as JSON


class Deed(NamedTuple):
    """Something that a unit may do: at once, or in a hex to be chosen."""

    id: str
    text: str
    order: str | None  # as JSON
    goes: tuple[Go, ...]


class Menu(NamedTuple):
    """Everything that may be ordered now."""

    ends: tuple[Plain, ...]
    plain: tuple[Plain, ...]
    aims: tuple[Aim, ...]
    acting: frozenset[str]  # units with deeds of their own


NOTHING = Menu((), (), (), frozenset())


def menu(match: Match, lang: Lang) -> Menu:
    """Lay out what may be ordered; nothing where no order is asked for."""
    ask = match.asking
    if not isinstance(ask, Order):
        return NOTHING
    ends, plain, aimed, acting = list[Plain](), list[Plain](), list[Words](), set[str]()
    for order in ask.orders.all():
        if len(order) == 1:
            ends.append(_plain(match, order, lang))
        elif _is_aimed(ask, order):
            aimed.append(order)
        elif _is_own(ask, order[1]):
            acting.add(order[1])
        else:
            plain.append(_plain(match, order, lang))
    return Menu(tuple(ends), tuple(plain), tuple(_aims(match, aimed, lang)), frozenset(acting))


def _plain(match: Match, order: Words, lang: Lang) -> Plain:
    card = match.field.card
    words = [verb_text(card, order[0], lang), *order[1:]]
    return Plain(" ".join(words), dumps(order))


def _is_own(ask: Order, word: str) -> bool:
    return _side(ask.board, word) == ask.side


def _is_aimed(ask: Order, order: Words) -> bool:
    """Tell whether an order names a target first, and after it nothing but one's own units."""
    target = order[1]
    enemy = _side(ask.board, target) not in (None, ask.side)
    return (enemy or ask.board.map.has(target)) and all(_is_own(ask, word) for word in order[2:])


def _side(board: Board, word: str) -> str | None:
    return next((piece.side for piece in board.pieces if piece.name == word), None)


def _aims(match: Match, orders: list[Words], lang: Lang) -> Iterator[Aim]:
    board, groups = match.board, dict[tuple[str, str], list[Words]]()
    for order in orders:
        groups.setdefault((order[0], order[1]), []).append(order[2:])
    for (verb, target), parties in groups.items():
        units = dict.fromkeys(name for party in parties for name in party)
        many = any(len(party) > 1 for party in parties)
        text = verb_text(match.field.card, verb, lang)
        yield Aim(verb, text, target, _where(board, target), tuple(units), many)


def _where(board: Board, word: str) -> str:
    """Give the hex of a unit, or the hex itself; nothing for a unit that is not on the map."""
    at = next((piece.at for piece in board.pieces if piece.name == word), None)
    if at is not None:
        return board.map.number(at)
    return word if board.map.has(word) else ""


# ------------------------------------------------------------------ one unit


def deeds(match: Match, name: str, lang: Lang) -> tuple[Deed, ...]:
    """Give what a unit of the side that orders may do now."""
    ask = match.asking
    if not isinstance(ask, Order) or not _is_own(ask, name):
        return ()
    groups: dict[Words, list[Words]] = {}
    for order in ask.orders.all():
        if order[1:2] == (name,):
            leads = len(order) > 2 and ask.board.map.has(order[-1])
            groups.setdefault(order[:-1] if leads else order, []).append(order)
    ways = _ways(match, name)
    return tuple(_deed(match, key, found, ways, lang) for key, found in groups.items())


def _ways(match: Match, name: str) -> dict[str, Reached]:
    board = match.board
    reached = match.field.reach(board, board.piece(name))
    return {board.map.number(hex_): way for hex_, way in reached.items()}


def _deed(
    match: Match, key: Words, orders: list[Words], ways: dict[str, Reached], lang: Lang
) -> Deed:
    text = " + ".join([verb_text(match.field.card, key[0], lang), *key[2:]])
    if orders == [key]:
        return Deed("-".join(key), text, dumps(key), ())
    moved = key[0] == "move" and len(key) == 2  # with a load or otherwise it may cost more
    goes = [
        Go(
            order[-1],
            place_name(match, order[-1], lang),
            _cost(ways[order[-1]].cost) if moved and order[-1] in ways else "",
            dumps(order),
        )
        for order in orders
    ]
    if moved:
        goes.sort(key=lambda go: ways[go.hex].sixths if go.hex in ways else 0)
    return Deed("-".join(key), text, None, tuple(goes))


_PARTS = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 6): "⅙"}


def _cost(points: Fraction) -> str:
    """Write movement points as the hobby does: `5½`."""
    whole, part = divmod(points, 1)
    if not part:
        return str(whole)
    return f"{whole or ''}{_PARTS.get(part) or f' {part}'}".strip()


def place_name(match: Match, number: str, lang: Lang) -> str:
    """Give the name of a hex, if it has one."""
    place = match.board.map.places[match.board.map.hex(number)]
    return place.name.in_(lang) if place.name else ""
