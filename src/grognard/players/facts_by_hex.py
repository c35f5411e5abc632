"""Facts about the stacks of a side on boards that differ little from one to the next."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex

T = TypeVar("T")


class FactsByHex(Generic[T]):
    """A fact about each hex in which a side stands.

    `reach` tells how many hexes away a piece changes the fact when it moves. On the next board only
    the facts near pieces that have moved are found again.
    """

    def __init__(
        self, side: str, reach: Callable[[Piece], int], find: Callable[[Board, Hex], T]
    ) -> None:
        self._side, self._reach, self._find = side, reach, find
        self._board: Board | None = None
        self._facts: Mapping[Hex, T] = {}

    def on(self, board: Board) -> Mapping[Hex, T]:
        """Give the facts on a board."""
        if board is not self._board:
            moves, known = self._moves_to(board), self._facts
            self._facts = {
                hex_: known[hex_]
                if hex_ in known and all(hex_.distance(at) > reach for at, reach in moves)
                else self._find(board, hex_)
                for hex_, stack in board.stacks().items()
                if stack[0].side == self._side
            }
            self._board = board
        return self._facts

    def forget(self) -> None:
        """Find all facts again, as something else has changed."""
        self._board, self._facts = None, {}

    def _moves_to(self, board: Board) -> list[tuple[Hex, int]]:
        """Give the hexes that pieces have left or entered since the last board, with their
        reach."""
        if self._board is None:
            return []
        return [
            (hex_, self._reach(old))
            for old, new in zip(self._board.pieces, board.pieces, strict=True)
            if old is not new
            for hex_ in (old.at, new.at)
            if hex_ is not None
        ]
