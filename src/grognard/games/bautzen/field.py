"""Bautzen 1945 on the map: the turn and its phases."""

from grognard.games.bautzen import aftermath, arrivals, battle, breakthrough
from grognard.games.bautzen.ground import Ground
from grognard.games.bautzen.stated import SUPPORTS
from grognard.maps.board import Board, Piece
from grognard.matches.attack_field import Engagement
from grognard.matches.field import Orders, Playing, Words
from grognard.matches.orders import AttackOrders

FRESH = ("moved", "attacked", "supported", "defended", "retreated")  # states of one segment


class BautzenField(Ground):
    """2: the turn: supply, movement, combat."""

    def turn_ends(self, board: Board) -> Board:
        """10: the Allied air markers are back for the next turn."""
        return board.pooled("air_used", -board.pools.get("air_used", 0))

    def supply_phase(self, board: Board, side: str, turn: int) -> Playing:
        """7: reinforcements, logistic columns, and who is supplied."""
        return arrivals.supply_phase(self, board, side, turn)

    def move_orders(self, board: Board, side: str) -> Orders:
        """4: moves and breakthroughs."""
        return breakthrough.Moves(self, board, side)

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """4: one unit after the other; then the stacking limits are looked at (5.2)."""
        board = yield from super().movement_phase(board, side, turn)
        return (yield from aftermath.segment_ends(self, board, side))

    def attack_orders(self, board: Board, side: str) -> Orders:
        """8: any number of attacks; a unit attacks once."""
        return AttackOrders(self, board, side)

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """8: both sides look at their supply (7.1), then the attacks."""
        for player in (side, self.enemy(side)):
            board = yield from self.check_supply(board, player)
        board = yield from super().combat_phase(board, side, turn)
        board = board.changed(*(piece.cleared(*FRESH) for piece in board.pieces))
        return (yield from aftermath.segment_ends(self, board, side))

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Do what was ordered: an attack (8.2), a breakthrough (4.3) or a move (4)."""
        if order[0] == "break":
            return breakthrough.breaks_through(self, board, board.piece(order[1]))
        return super().carry_out(board, side, order)

    def attack(self, board: Board, plan: Engagement) -> Playing:
        """8.2: carry an attack out."""
        return battle.attack(self, board, plan)

    def fights(self, piece: Piece) -> bool:
        """HQs, artillery and logistic columns follow behind."""
        return piece.kind not in (*SUPPORTS, "cl")


FIELD = BautzenField
