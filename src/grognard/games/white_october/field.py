"""White October on the map: the turn, its phases, and what may be ordered in them.

The card has no sequence of play: day and night turns take turns, and in each of them each side
recovers, moves and fights, as the hobby commonly does.
"""

from collections.abc import Iterator

from grognard.card.rows import joined_readings
from grognard.games.white_october import battle
from grognard.games.white_october.ground import (
    DISORGANISED,
    DRY,
    FIGHTS,
    ISOLATED,
    LEADER,
    ROUTED,
    Ground,
)
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.orders import AttackOrders, MoveOrders
from grognard.matches.protocol import Orders, Playing, Words

FRESH = ("moved", "attacked", "defended")  # states of one phase


class WhiteOctoberField(Ground):
    """A battle of White October."""

    attack = battle.attack

    # -------------------------------------------------------------- the turn

    def beaten(self, board: Board, side: str) -> bool:
        """Tell whether a side has nothing left that fights, nor awaits it."""
        return not any(
            piece.side == side and piece.alive and piece.kind in FIGHTS for piece in board.pieces
        )

    def turn_begins(self, board: Board, turn: int) -> Playing:
        """Night turns alternate with day turns; aircraft are ready again."""
        rest = {"even": 0, "odd": 1}.get(self.options["night_turns"])
        night = rest == turn % 2
        board = board.pooled("night", night - board.pools.get("night", 0))
        planes = (piece for piece in board.pieces if piece.kind == "aircraft")
        board = board.changed(*(piece.cleared("fired") for piece in planes))
        phrase, doubt = "night-falls" if night else "day-breaks", self.doubt("night_turns")
        yield self.tell("remark", phrase, value=turn, reading=doubt)
        yield board
        return board

    # -------------------------------------------------------------- supply and recovery

    def supply_phase(self, board: Board, side: str, turn: int) -> Playing:
        """Reinforcements, supply and ammunition, then the recovery of shaken units."""
        board = yield from super().supply_phase(board, side, turn)
        for piece in board.of(side):
            board = yield from self._recovers(board, piece)
        yield board
        return board

    def check_supply(self, board: Board, side: str) -> Playing:
        """Fill up who has a supply line; mark who has none, with what cuts it."""
        before = board
        for piece in [piece for piece in board.of(side) if piece.kind != LEADER]:
            if self.has_supply(before, piece):
                if DRY in piece.states:
                    source = before.map.number(self.supply(before, piece).path[-1])
                    yield self.tell("state", "fills-up", unit=piece.name, value=source)
                if piece.states & {DRY, ISOLATED}:
                    board = board.changed(piece.cleared(DRY, ISOLATED))
            else:
                cut = self.cut_at(before, piece)
                doubts = (self.doubt("isolation"), self.supply_doubt(before, piece))
                doubt = joined_readings(doubts)
                yield self.tell("state", "is-isolated", unit=piece.name, cut=cut, reading=doubt)
                board = yield from self._isolated(board, piece)
        return board

    def _isolated(self, board: Board, piece: Piece) -> Playing:
        """From the second turn in a row an isolated unit may suffer for it."""
        if ISOLATED in piece.states and self.options["isolation"] == "loss":
            for _ in range(int(self.card.number("isolation_loss"))):
                if board.piece(piece.name).alive:
                    board = yield from self.loses(board, "attacker", piece.name)
        left = board.piece(piece.name)
        return board.changed(left.marked(ISOLATED)) if left.alive else board

    def _recovers(self, board: Board, piece: Piece) -> Playing:
        """Routed, then disorganised, then in good order; not beside the enemy."""
        if not piece.states & {ROUTED, DISORGANISED}:
            return board
        if piece.at in self.zoc(board, self.enemy(piece.side)):
            yield self.tell("remark", "too-near", unit=piece.name)
            return board
        doubt = self.doubt("recovery")
        if self.options["recovery"] == "roll":
            die = yield from self.roll("recovery-roll", unit=piece.name)
            if die > piece.number("morale"):
                yield self.tell("remark", "stays-shaken", unit=piece.name, value=die, reading=doubt)
                return board
        better = piece.cleared(ROUTED, DISORGANISED)
        if ROUTED in piece.states and self.options["recovery"] != "whole":
            yield self.tell("state", "rallies", unit=piece.name, reading=doubt)
            better = better.marked(DISORGANISED)
        else:
            yield self.tell("state", "recovers", unit=piece.name, reading=doubt)
        return board.changed(better)

    # -------------------------------------------------------------- movement

    def move_orders(self, board: Board, side: str) -> Orders:
        """Moves only."""
        return MoveOrders(self, board, side)

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """One unit after the other; then leaders who are left alone join a unit."""
        board = yield from super().movement_phase(board, side, turn)
        return (yield from self.gather(board, side))

    # -------------------------------------------------------------- combat

    def attack_orders(self, board: Board, side: str) -> Orders:
        """Attacks, with support fires."""
        return Attacks(self, board, side)

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """Any number of attacks; a unit attacks once, a gun fires once."""
        board = yield from super().combat_phase(board, side, turn)
        guns = (piece.cleared("fired") for piece in board.pieces if piece.kind != "aircraft")
        board = board.changed(*guns)
        return board.changed(*(piece.cleared(*FRESH) for piece in board.pieces))

    # -------------------------------------------------------------- what players ask for

    def fights(self, piece: Piece) -> bool:
        """Guns, HQs and leaders follow behind."""
        return piece.kind in FIGHTS


class Attacks(AttackOrders):
    """All that can attack a hex with all support, guns and aircraft among it, and each alone."""

    def groups(self, target: Hex) -> Iterator[Words]:
        """Name the groups that could attack a hex."""
        able = [piece.name for piece in self.able(target)]
        if able:
            guns = [gun.name for gun in self.supports(target, ())]
            yield from dict.fromkeys(((*able, *guns), *((name,) for name in able)))


FIELD = WhiteOctoberField
