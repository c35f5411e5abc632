"""Bautzen 1945 on the map: the turn with its phases."""

from functools import partial

from grognard.games.bautzen.arrivals import Arrivals
from grognard.games.bautzen.battle import Attacks, Battle
from grognard.games.bautzen.breakthrough import Breakthrough, Moves
from grognard.games.bautzen.stated import SUPPORTS
from grognard.maps.board import Board, Piece
from grognard.matches.field import Playing, Roles, Words

FRESH = ("moved", "attacked", "supported", "defended", "retreated")  # states of one segment


class BautzenField(Arrivals, Breakthrough, Battle):
    """2: the turn: supply, movement, combat."""

    def sequence(self, board: Board) -> Playing:
        """2: for each side supply, movement, combat."""
        for turn in range(1, self.scenario.turns + 1):
            for player in self.scenario.sides:
                side = player.id
                yield Roles(side, self.enemy(side))
                board = yield from self.supply_phase(board, side, turn)
                board = yield from self.movement_phase(board, side, turn)
                board = yield from self.combat_phase(board, side, turn)
            board = board.pooled("air_used", -board.pools.get("air_used", 0))
        return board

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """4: one unit after the other."""
        board = yield from self.phase(board, side, "phase-movement", turn, partial(Moves, self))
        board = board.changed(*(piece.cleared("moved") for piece in board.of(side)))
        return (yield from self.segment_ends(board, side))

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """8: any number of attacks; a unit attacks once."""
        for player in (side, self.enemy(side)):
            board = yield from self.check_supply(board, player)
        board = yield from self.phase(board, side, "phase-combat", turn, partial(Attacks, self))
        board = board.changed(*(piece.cleared(*FRESH) for piece in board.pieces))
        return (yield from self.segment_ends(board, side))

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Do what was ordered: an attack (8.2), a breakthrough (4.3) or a move (4)."""
        match order[0]:
            case "attack":
                return self.attack(board, self.engagement(board, side, order))
            case "break":
                return self.breaks_through(board, board.piece(order[1]))
        return self.moves(board, order, "4")

    def fights(self, piece: Piece) -> bool:
        """HQs, artillery and logistic columns follow behind."""
        return piece.kind not in (*SUPPORTS, "cl")


FIELD = BautzenField
