"""The phase in which a side puts its units into their areas before the first turn."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.orders import PhaseOrders, no_such_order
from grognard.matches.protocol import END, Order, Playing, Roles, Words
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

PHASE = "phase-deployment"


class DeployOrders(PhaseOrders):
    """The orders of a deployment: `place UNIT HEX`, again as often as one likes, `usual`, `end`.

    `usual` puts those who are not placed yet where they usually begin; so does the end.
    """

    def __init__(self, field: Field, board: Board, side: str) -> None:
        self.field, self.board, self.side = field, board, side

    def check(self, order: Words) -> None:
        """Refuse a hex that is not in the area of a unit, or has no room for it."""
        match order:
            case ("end",) | ("usual",):
                usual(self.field, self.board, self.side)
            case ("top", name):
                self.check_top(name)
            case ("place", name, number):
                piece = self._own(name)
                self.field.refuse(self.problem(piece, self.board.map.hex(number)))
            case _:
                raise Refusal(no_such_order(order, say("place UNIT HEX; usual")))

    def _own(self, name: str) -> Piece:
        piece = self.board.piece(name)
        if piece.side != self.side:
            raise Refusal(say("{unit} is not yours to use here", unit=name))
        if name not in self.field.areas.forces:
            raise Refusal(self.idle(piece))
        return piece

    def problem(self, piece: Piece, hex_: Hex) -> Message | None:
        """Say why a piece may not be placed in a hex; None where it may."""
        if hex_ not in self.field.areas.hexes(self.board, piece):
            area = self.field.areas.area(piece)
            return say("{unit} is deployed elsewhere: {area}", unit=piece.name, area=area.text)
        others = (other for other in self.board.stack(hex_) if other.name != piece.name)
        return self.field.deployment_problem(self.board, piece, hex_, (*others, piece))

    def idle(self, piece: Piece) -> Message:
        if piece.name in self.field.areas.forces:
            return say("there is no room for {unit} in its area", unit=piece.name)
        if piece.at is not None:
            return say("{unit} has its place already", unit=piece.name)
        return say("{unit} comes later", unit=piece.name)

    def pieces(self) -> Iterator[Piece]:
        """Give the pieces to deploy: those without a place first."""
        return iter(
            sorted(self.field.areas.of(self.board, self.side), key=lambda p: p.at is not None)
        )

    def moves(self, piece: Piece) -> Iterator[Words]:
        for hex_ in self.field.areas.hexes(self.board, piece):
            if hex_ != piece.at and self.problem(piece, hex_) is None:
                yield ("place", piece.name, self.board.map.number(hex_))

    def deeds(self) -> Iterator[Words]:
        if any(piece.at is None for piece in self.pieces()):
            yield ("usual",)
        yield from self.tops()

    def draw(self, random: Random) -> Words:
        """Draw a place for a piece without one; the end where none has room."""
        waiting = [piece for piece in self.pieces() if piece.at is None]
        for piece in random.sample(waiting, len(waiting)):
            if moves := list(self.moves(piece)):
                return random.choice(moves)
        return END


def usual(field: Field, board: Board, side: str) -> Board:
    """Place those without a place where they usually begin, or as near to it as there is room."""
    areas = field.areas
    for piece in areas.of(board, side):
        if piece.at is not None:
            continue
        orders, goal = DeployOrders(field, board, side), areas.usual(piece)
        near = sorted(
            areas.hexes(board, piece), key=lambda h: (goal.distance(h), board.map.number(h))
        )
        hex_ = next((h for h in near if orders.problem(piece, h) is None), None)
        if hex_ is None:
            raise Refusal(orders.idle(piece))
        board = board.changed(replace(piece, at=hex_))
    return board


def whole_match(field: Field, board: Board) -> Playing:
    """Run a match: the deployment of the sides that have units to deploy, then the turns."""
    if field.scenario.areas:
        board = yield from _deployed(field, board)
        yield board
    return (yield from field.sequence(board))


def _deployed(field: Field, board: Board) -> Playing:
    """Let each side deploy its units. Who stands in a hex holds it from the first turn on."""
    scenario = field.scenario
    for side in scenario.deploys or tuple(player.id for player in scenario.sides):
        if any(field.areas.of(board, side)):
            yield Roles(side, field.enemy(side))
            board = yield from _deploys(field, board, side)
    yield field.tell("remark", "deployed", field.deployment_rule, reading=field.setup_doubt())
    for player in scenario.sides:
        taking = filter(field.takes_hexes, board.of(player.id))
        board = board.held([piece.place for piece in taking], player.id)
    return board


def _deploys(field: Field, board: Board, side: str) -> Playing:
    while True:
        orders = DeployOrders(field, board, side)
        words = yield from field.order(side, PHASE, 1, board, orders)
        board = yield from _carry_out(field, board, side, words)
        if words == END:
            return board


def carried_out(field: Field, ask: Order, words: Words) -> Playing:
    """Carry out one order of the deployment or of a phase of the game."""
    if ask.phase == PHASE:
        return _carry_out(field, ask.board, ask.side, words)
    return field.carry_out(ask.board, ask.side, words)


def _carry_out(field: Field, board: Board, side: str, words: Words) -> Playing:
    match words:
        case ("place", name, number):
            yield field.tell("remark", "placed", unit=name, value=number)
            board = board.changed(replace(board.piece(name), at=board.map.hex(number)))
        case ("top", name):
            board = board.on_top(name)
        case _:
            board = usual(field, board, side)
    yield board
    return board
