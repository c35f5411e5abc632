"""Bautzen 1945 on the map: the turn with its phases."""

from grognard.games.bautzen.arrivals import Arrivals
from grognard.games.bautzen.battle import Battle
from grognard.games.bautzen.breakthrough import Breakthrough, Moves
from grognard.games.bautzen.stated import SUPPORTS
from grognard.maps.board import Board, Piece
from grognard.matches.field import Orders, Playing, Words
from grognard.matches.orders import AttackOrders

FRESH = ("moved", "attacked", "supported", "defended", "retreated")  # states of one segment


class BautzenField(Arrivals, Breakthrough, Battle):
    """2: the turn: supply, movement, combat."""

    move_rule = "4"

    def turn_ends(self, board: Board) -> Board:
        """10: the Allied air markers are back for the next turn."""
        return board.pooled("air_used", -board.pools.get("air_used", 0))

    def move_orders(self, board: Board, side: str) -> Orders:
        """4: moves and breakthroughs."""
        return Moves(self, board, side)

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """4: one unit after the other; then the stacking limits are looked at (5.2)."""
        board = yield from super().movement_phase(board, side, turn)
        return (yield from self.segment_ends(board, side))

    def attack_orders(self, board: Board, side: str) -> Orders:
        """8: any number of attacks; a unit attacks once."""
        return AttackOrders(self, board, side)

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """8: both sides look at their supply (7.1), then the attacks."""
        for player in (side, self.enemy(side)):
            board = yield from self.check_supply(board, player)
        board = yield from super().combat_phase(board, side, turn)
        board = board.changed(*(piece.cleared(*FRESH) for piece in board.pieces))
        return (yield from self.segment_ends(board, side))

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Do what was ordered: an attack (8.2), a breakthrough (4.3) or a move (4)."""
        if order[0] == "break":
            return self.breaks_through(board, board.piece(order[1]))
        return super().carry_out(board, side, order)

    def fights(self, piece: Piece) -> bool:
        """HQs, artillery and logistic columns follow behind."""
        return piece.kind not in (*SUPPORTS, "cl")


FIELD = BautzenField
