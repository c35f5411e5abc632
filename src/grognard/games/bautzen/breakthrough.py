"""Bautzen 1945 on the map: breakthroughs (4.3), and the orders of a movement phase."""

from collections.abc import Iterator

from grognard.games.bautzen.ground import Ground
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import POINT
from grognard.matches.field import Playing, Words
from grognard.matches.orders import MoveOrders
from grognard.rules.rolls import code_at
from grognard.words.message import say
from grognard.words.refusal import Refusal


def breaks_through(ground: Ground, board: Board, piece: Piece) -> Playing:
    """4.3: through enemy zones towards the nearest source, a die for each hex in them."""
    zone = ground.zoc(board, ground.enemy(piece.side))
    path = breakthrough(ground, board, piece)
    board = board.changed(piece.marked("moved"))
    for hex_ in path:
        board = board.moved([piece.name], hex_)
        if hex_ in zone:
            die = yield from ground.roll("breakthrough-roll", 1, "4.3", piece.name)
            if code_at(ground.card.table("zoc-breakthrough"), die) == "1":
                board = yield from ground.loses(board, "attacker", piece.name, "4.3")
        if not board.piece(piece.name).alive:
            return board
    number = board.map.number(path[-1])
    yield ground.tell("remark", "breaks-through", "4.3", unit=piece.name, value=number)
    return board


def breakthrough(ground: Ground, board: Board, piece: Piece) -> tuple[Hex, ...]:
    """Give the way on which a piece would break through, to where it may stand."""
    zone = ground.zoc(board, ground.enemy(piece.side))
    start = piece.at
    sources = ground.sources(board, piece.side)
    if start is None or start not in zone or not sources:
        return ()
    goal = min(sources, key=start.distance)
    left, here, path = ground.allowance(board, piece), start, list[Hex]()
    while here != goal:
        steps = [
            (there.distance(goal), there, entry.sixths + (POINT if here in zone else 0))
            for there in board.map.around[here]
            if board.side_of(there) != ground.enemy(piece.side)
            and there.distance(goal) < here.distance(goal)
            and (entry := ground.entry(board, piece, here, there, first=here == start))
        ]
        affordable = [step for step in steps if step[2] <= left]
        if not affordable:
            break
        _, here, cost = min(affordable)
        left -= cost
        path.append(here)
    while path and ground.stacking_problem(board, path[-1], (*board.stack(path[-1]), piece)):
        path.pop()
    return tuple(path) if any(hex_ in zone for hex_ in path) else ()


class Moves(MoveOrders):
    """4.3 adds the breakthrough to what may be moved."""

    field: Ground

    def check(self, order: Words) -> None:
        """Refuse a move that is not legal."""
        match order:
            case ("break", name):
                if not breakthrough(self.field, self.board, self.movable(name)):
                    raise Refusal(say("{unit} has no enemy zone to break through", unit=name))
            case _:
                super().check(order)

    def deeds(self) -> Iterator[Words]:
        """Give every breakthrough."""
        for piece in self.pieces():
            if breakthrough(self.field, self.board, piece):
                yield ("break", piece.name)

    def all(self) -> Iterator[Words]:
        """Give the orders worth naming: moves over the stacking limit can be ordered too."""
        return (order for order in super().all() if not self._too_many(order))

    def _too_many(self, order: Words) -> bool:
        """5.2: tell whether an order is a move that ends over the stacking limit."""
        if order[0] != "move":
            return False
        hex_ = self.board.map.hex(order[2])
        there = self.board.stack(hex_)
        together = (*there, self.board.piece(order[1]))
        return bool(there) and self.field.limit_problem(self.board, hex_, together) is not None
