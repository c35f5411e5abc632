"""Expected results of the attacks that both sides could make in one phase, each worked out once.

All plans of the phase share them, whatever they value: where the pieces near an attack stand alike,
its odds are alike.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.protocol import Words
from grognard.players.forecast import Expected, expected, foreseen
from grognard.players.stakes import Stakes
from grognard.rules.fight import Fight

FORECAST = 2  # work of an attack that is looked at
AROUND = 2  # hexes within which own pieces matter for an attack of the enemy
NEAR = 3  # and for his way into an empty hex

Placed = tuple[tuple[str, Hex], ...]
States = tuple[tuple[str, frozenset[str]], ...]  # of the pieces of a stack
USUAL_STAKES = Stakes()


class Foreseen(NamedTuple):
    """An attack that could be ordered, and its expected result."""

    order: Words
    hex: Hex  # that is attacked
    expected: Expected


class KnownAttacks:
    """Attacks from boards that differ in where one side's pieces stand."""

    def __init__(self, field: Field, board: Board, side: str) -> None:
        self._field, self._side, self._enemy = field, side, field.enemy(side)
        self._ranges = {piece.name: _range(piece) for piece in board.pieces}
        self._attacks: dict[tuple[Hex, Placed], list[Foreseen]] = {}
        self._prospects: dict[tuple[str, Hex], list[Foreseen]] = {}
        self._fired: dict[tuple[Hex, States, bool], list[Foreseen]] = {}
        self._threats: dict[tuple[Hex, Placed, Placed], Foreseen | None] = {}
        self._open: dict[tuple[Hex, tuple[Hex | None, ...]], bool] = {}
        self.work = 0  # done so far, in the units of `FORECAST`

    def forecast(self, board: Board, side: str, order: Words) -> Expected | None:
        """Give the expectations of an attack; None if the order leads to no fight."""

        def look(fight: Fight) -> Expected:
            self.work += FORECAST
            return expected(fight)

        def worth(found: Expected) -> int:
            return USUAL_STAKES.attack(found, 0)

        return foreseen(self._field, board, side, order, look, worth)

    def _foreseen(
        self, board: Board, side: str, hex_: Hex, orders: Iterable[Words]
    ) -> Iterator[Foreseen]:
        for order in orders:
            found = self.forecast(board, side, order)
            if found is not None:
                yield Foreseen(order, hex_, found)

    # -------------------------------------------------------------- own attacks

    def attacks_on(self, board: Board, target: Hex) -> list[Foreseen]:
        """Give the listed attacks of this side on a hex."""
        near = tuple(
            (piece.name, piece.place)
            for piece in board.of(self._side)
            if piece.place.distance(target) <= self._ranges[piece.name]
        )
        if not near:
            return []
        key = target, near
        if key not in self._attacks:
            orders = self._field.attack_orders(board, self._side).attacks_on(target)
            self._attacks[key] = [*self._foreseen(board, self._side, target, orders)]
        return self._attacks[key]

    def alone(self, board: Board, piece: Piece) -> list[Foreseen]:
        """Give the attacks of a unit alone in the next turn, from where it stands."""
        key = piece.name, piece.place
        if key not in self._prospects:
            self._prospects[key] = [*self._find_alone(board, piece)]
        return self._prospects[key]

    def _find_alone(self, board: Board, piece: Piece) -> Iterator[Foreseen]:
        targets = [
            hex_
            for hex_, stack in board.stacks().items()
            if stack[0].side == self._enemy
            and piece.place.distance(hex_) <= self._ranges[piece.name]
        ]
        if not targets:
            return
        board = self._field.rested(board)
        orders = self._field.attack_orders(board, self._side)
        for hex_ in targets:
            listed = (order for order in orders.attacks_on(hex_) if order[2:] == (piece.name,))
            yield from self._foreseen(board, self._side, hex_, listed)

    # -------------------------------------------------------------- the enemy's replies

    def fires_at(self, board: Board, hex_: Hex, *, rested: bool) -> list[Foreseen]:
        """Give the fires of the enemy at a stack of this side, perhaps in the next turn."""
        states = tuple([(piece.name, piece.states) for piece in board.stack(hex_)])
        key = hex_, states, rested
        if key not in self._fired:
            if rested:
                board = self._field.rested(board)
            orders = self._field.attack_orders(board, self._enemy).attacks_on(hex_)
            self._fired[key] = [*self._foreseen(board, self._enemy, hex_, orders)]
        return self._fired[key]

    def threat(self, board: Board, hex_: Hex, placed: Placed) -> Foreseen | None:
        """Give the attack of all enemies who can come and are placed next to a hex."""
        near = tuple(
            (piece.name, piece.place)
            for piece in board.of(self._side)
            if piece.place.distance(hex_) <= AROUND
        )
        key = hex_, placed, near
        if key not in self._threats:
            for name, there in placed:
                board = board.moved([name], there, held=False)
            orders = self._field.attack_orders(board, self._enemy)
            order = next(orders.attacks_on(hex_), None)  # with all who can
            listed = () if order is None else (order,)
            self._threats[key] = next(self._foreseen(board, self._enemy, hex_, listed), None)
        return self._threats[key]

    def is_open(self, board: Board, hex_: Hex) -> bool:
        """Tell whether an enemy can walk into an empty hex."""
        near = tuple(p.at for p in board.of(self._side) if p.place.distance(hex_) <= NEAR)
        if (hex_, near) not in self._open:
            self._open[hex_, near] = self._walks_into(board, hex_)
        return self._open[hex_, near]

    def _walks_into(self, board: Board, hex_: Hex) -> bool:
        field = self._field
        return any(
            piece.place.distance(hex_) <= piece.move * 2
            and field.takes_hexes(piece)
            and field.may_move(board, piece) is None
            and field.way_to(board, piece, hex_) is not None
            for piece in board.of(self._enemy)
        )


def _range(piece: Piece) -> int:
    """Give the longest range that a counter prints, at least the next hex."""
    return max([1, *(piece.number(name) for name in piece.face if name.endswith("range"))])
