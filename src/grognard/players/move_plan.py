"""The plan of a movement phase: where each unit goes, planned from the attacks that follow."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.protocol import Orders, Words
from grognard.players.outlook import LOWEST, Outlook
from grognard.players.plans import Plans
from grognard.players.work import PLAN, size

SWEEPS = 4  # times that each unit is looked at
PLACES = 12  # hexes tried for one unit in a sweep


class Moves(NamedTuple):
    """Orders in the order in which they were chosen, and the board after them."""

    orders: list[Words]
    board: Board
    work: int = 0  # that the search has taken
    value: int = 0  # of the board


class MovePlan:
    """A search for the moves of a phase: first whole attacks, then unit after unit.

    Each change is kept only if the board after it is worth more.
    """

    def __init__(
        self,
        field: Field,
        board: Board,
        side: str,
        orders: Orders,
        outlook: Outlook,
        work: int | None = None,
        since: Moves | None = None,
        random: Random | None = None,
    ) -> None:
        self._field, self._start, self._side = field, board, side
        self._outlook, self._plans = outlook, Plans(field, board, side)
        self._ways = outlook.known.ways(orders)
        self._names = [*self._ways]
        if random is not None:  # another order of the units finds other plans
            random.shuffle(self._names)
        self._board = board
        usual = PLAN * size(board)
        self._most = usual if work is None else min(work, usual)
        self._moved: dict[str, Hex] = {}
        if since is not None:  # goes on from another plan of the phase
            self._board = since.board
            self._moved = {order[1]: board.map.hex(order[-1]) for order in since.orders}
            outlook.rebased(self._board)
        self._value = self._worth(self._board, self._moved)

    def run(self, *, masses: bool = True) -> Moves:
        """Find the moves; `masses` says whether units are brought together for attacks.

        Where own units stand changes how far the enemy can move, which is worked out anew after
        each sweep. So the best of the boards after a sweep is taken.
        """
        best = self._value, self._board, self._moved
        for target in self._targets() if masses else ():
            self._mass(target)
        for sweep in range(SWEEPS):
            before = self._moved
            for name in self._names:
                self._improve(name)
            if sweep and before is self._moved:
                break
            self._outlook.rebased(self._board)
            self._value = self._worth(self._board, self._moved)
            if self._value > best[0]:
                best = self._value, self._board, self._moved
        value, board, moved = best
        orders = [self._ways[name][hex_] for name, hex_ in moved.items()]
        return Moves(orders, board, self._outlook.work, value)

    # -------------------------------------------------------------- whole attacks

    def _targets(self) -> list[Hex]:
        """Give the hexes of enemies that could be attacked after a move, the most wanted first."""
        board = self._start
        reached = {hex_ for ways in self._ways.values() for hex_ in ways}
        found = [
            hex_
            for hex_, stack in board.stacks().items()
            if stack[0].side != self._side and not reached.isdisjoint(board.map.around[hex_])
        ]
        points = self._outlook.objectives
        return sorted(found, key=lambda hex_: -points.get(hex_, 0))

    def _mass(self, target: Hex) -> None:
        """Bring units next to a target, as long as the attack gains by each."""
        if self._outlook.work >= self._most:
            return
        board, moved = self._board, dict(self._moved)
        worth = self._outlook.attack_on(board, target)
        around = board.map.around[target]
        for name in self._names:
            piece, ways = board.piece(name), self._ways[name]
            if name in moved or piece.place in around or not self._field.fights(piece):
                continue
            best: tuple[int, Board, Hex] | None = None
            for hex_ in around:
                if hex_ in ways and self._field.fits(board, hex_, (piece,)):
                    after = self._moved_to(board, piece, hex_)
                    value = self._outlook.attack_on(after, target)
                    if value > worth and (best is None or value > best[0]):
                        best = value, after, hex_
            if best is not None:
                worth, board, moved[name] = best
        self._take(board, moved)

    # -------------------------------------------------------------- unit after unit

    def _improve(self, name: str) -> None:
        """Move one unit to the best of a few hexes."""
        piece = self._board.piece(name)
        for hex_ in self._places(piece):
            if hex_ != piece.place and self._field.fits(self._board, hex_, (piece,)):
                moved = {**self._moved, name: hex_}
                if hex_ == self._start.piece(name).at:
                    del moved[name]
                self._take(self._moved_to(self._board, piece, hex_), moved)

    def _places(self, piece: Piece) -> Sequence[Hex]:
        """Give the hexes worth trying: where it began, objectives, next to enemies, good ones."""
        board, ways = self._start, self._ways[piece.name]
        start = board.piece(piece.name).place
        scores = {hex_: self._plans.score(piece, hex_) for hex_ in ways}
        good = sorted(scores, key=lambda hex_: -scores[hex_])[:PLACES]
        goals = [hex_ for hex_ in self._outlook.objectives if hex_ in ways]
        return list(dict.fromkeys((start, *goals, *good)))

    def _moved_to(self, board: Board, piece: Piece, hex_: Hex) -> Board:
        return board.moved([piece.name], hex_, held=self._field.takes_hexes(piece))

    def _take(self, board: Board, moved: Mapping[str, Hex]) -> None:
        """Keep a board that is worth more than the one so far."""
        if self._outlook.work >= self._most or moved == self._moved:
            return
        value = self._worth(board, moved, self._value)
        if value > self._value:
            self._board, self._moved, self._value = board, dict(moved), value

    def _worth(self, board: Board, moved: Mapping[str, Hex], least: int = LOWEST) -> int:
        """Value a board after moves, less the fire that they draw."""
        fire = self._outlook.drawn_fire(self._ways[name][hex_] for name, hex_ in moved.items())
        return self._outlook.value(board, moved, least + fire) - fire
