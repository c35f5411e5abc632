"""What a side sees of a match whose rules hide stacks: top counters, how many lie under them."""

from collections.abc import Collection

from msgspec.structs import replace

from grognard.maps.board import FACE_DOWN, Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.labels import Labels
from grognard.matches.field import Field
from grognard.matches.match import Match
from grognard.matches.protocol import Order
from grognard.matches.seats import WATCH
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

UNNAMED = "?"


def viewer(match: Match, autos: Collection[str] = (), seat: str | None = None) -> str | None:
    """Name who looks: the seat of a match apart; at one table the side of the only person, or whose
    turn it is. None sees all: when the match is over, or where nobody plays."""
    if seat is not None:
        return None if match.asking is None else seat
    persons = [side.id for side in match.field.scenario.sides if side.id not in autos]
    if match.asking is None or not persons:
        return None
    return persons[0] if len(persons) == 1 else match.asked or match.roles.attacker


def hidden_from(match: Match, side: str | None) -> frozenset[str]:
    """Name the counters that a side may not look at; who watches sees what both sides see."""
    return hidden_on(match.field, match.board, side)


def hidden_on(field: Field, board: Board, side: str | None) -> frozenset[str]:
    """Name the counters of a board that a side, or who watches, may not look at."""
    if side is None:
        return frozenset()
    if side == WATCH:
        return frozenset[str]().union(*(field.hidden(board, s.id) for s in field.scenario.sides))
    return field.hidden(board, side)


def shown_board(match: Match, side: str | None) -> Board:
    """Give the board as a side sees it: what is hidden from it lies face down."""
    return with_backs(match.board, hidden_from(match, side))


def with_backs(board: Board, hidden: frozenset[str]) -> Board:
    """Lay the named counters face down, as far as they are on the map.

    They come last, by their hexes: their place in the list would tell who they are.
    """
    if not hidden:
        return board
    order: dict[Hex, int] = {}
    pieces, backs = list[Piece](), list[Piece]()
    for piece in board.pieces:
        if piece.name in hidden and piece.at is not None:
            order[piece.at] = order.get(piece.at, 0) + 1
            number = board.map.number(piece.at)
            backs.append(_face_down(piece, f"{number}.{order[piece.at]}"))
        else:
            pieces.append(piece)
    return replace(board, pieces=(*pieces, *sorted(backs, key=lambda back: back.name)))


def _face_down(piece: Piece, name: str) -> Piece:
    return Piece(
        name=name,
        side=piece.side,
        kind=FACE_DOWN,
        unit_class="",
        size="",
        formation="",
        nation="",
        move=0,
        faces=({},),
        steps=1,
        at=piece.at,
    )


def visible(match: Match, side: str | None, name: str) -> Piece:
    """Find a counter by its name; refuse one that is hidden from a side."""
    hidden = hidden_from(match, side)
    backs = {p.name for p in shown_board(match, side).pieces if p.kind == FACE_DOWN}
    if name in hidden | backs:
        raise Refusal(say("this counter is hidden: its owner alone may look at it"))
    return match.board.piece(name)


def unnamed(hidden: frozenset[str]) -> Labels:
    """Give what stands in the place of the names of hidden counters."""
    return tuple((name, UNNAMED) for name in sorted(hidden))


# ------------------------------------------------------------------ looking ahead


def as_seen(field: Field, ask: Order) -> Order:
    """Give an order that is asked for on the board as its side sees it."""
    return replace(ask, board=field.seen(ask.board, ask.side))


def left_out(field: Field, ask: Order, target: Hex) -> Message | None:
    """Say what odds on a hex leave out, as it is hidden from the side that looks; None: nothing."""
    hidden = field.hidden(ask.board, ask.side)
    here = sum(piece.name in hidden for piece in ask.board.stack(target))
    if here:
        number = ask.board.map.number(target)
        return say("hidden counters are left out, {n} of them in {hex}", n=here, hex=number)
    return say("hidden HQs and guns elsewhere are left out") if hidden else None
