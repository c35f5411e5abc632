"""Moves and attacks that both sides could make in one phase, each worked out once.

All plans of the phase share them, whatever they value: where the pieces near an attack stand alike,
its odds are alike.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.match import look_ahead
from grognard.matches.protocol import Orders, Words
from grognard.players.forecast import Expected, expected, foreseen
from grognard.players.stakes import Stakes
from grognard.players.work import COMER, FORECAST, LISTED, WAY, size
from grognard.rules.fight import Fight

AROUND = 2  # hexes within which own pieces matter for an attack of the enemy
NEAR = 3  # and for his way into an empty hex

Placed = tuple[tuple[str, Hex], ...]
States = tuple[tuple[str, frozenset[str]], ...]  # of the pieces of a stack
Comers = Mapping[Hex, Sequence[tuple[str, Sequence[Hex]]]]  # next to a hex: who, into which hexes
Ways = Mapping[str, Mapping[Hex, Words]]  # the move of each piece to each hex
USUAL_STAKES = Stakes()


class Foreseen(NamedTuple):
    """An attack that could be ordered, and its expected result."""

    order: Words
    hex: Hex  # that is attacked
    expected: Expected


class Drawn(NamedTuple):
    """Fire that a move draws on its way, and its expected result."""

    firers: frozenset[str]
    expected: Expected


class KnownAttacks:
    """Moves and attacks on boards that differ in where one side's pieces stand.

    `comers` are those on the first board, where they are known from one like it.
    """

    def __init__(self, field: Field, board: Board, side: str, comers: Comers | None = None) -> None:
        self._field, self._side, self._enemy = field, side, field.enemy(side)
        self._first = board
        self._ranges = {piece.name: _range(piece) for piece in board.pieces}
        own = (piece.name for piece in board.pieces if piece.side == side)
        self._far = [name for name in own if self._ranges[name] > 1]
        self._attacks: dict[tuple[Hex, Placed], list[Foreseen]] = {}
        self._own: dict[tuple[Words, tuple[Hex, ...], tuple[Hex | None, ...]], Foreseen | None] = {}
        self._drawn: dict[Words, Drawn | None] = {}
        self._prospects: dict[tuple[str, Hex], list[Foreseen]] = {}
        self._fired: dict[tuple[Hex, States, bool], list[Foreseen]] = {}
        self._threats: dict[tuple[Hex, Placed, Placed], Foreseen | None] = {}
        self._open: dict[tuple[Hex, tuple[Hex | None, ...]], bool] = {}
        self._comers = comers  # on the first board
        self._ways: Ways | None = None
        self.work = 0  # done so far

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

    # -------------------------------------------------------------- own moves and attacks

    def ways(self, orders: Orders) -> Ways:
        """Give the moves of the phase, of each piece that has any."""
        if self._ways is None:
            found = dict[str, dict[Hex, Words]]()
            for piece in orders.pieces():
                for order in orders.sound_moves(piece):
                    ways = found.setdefault(piece.name, {})
                    ways.setdefault(self._first.map.hex(order[-1]), order)
            self._ways = found
        return self._ways

    def attacks_on(self, board: Board, target: Hex) -> list[Foreseen]:
        """Give the listed attacks of this side on a hex."""
        near = self._within_range(board, target)
        if not near:
            return []
        key = target, near
        if key not in self._attacks:
            orders = [*self._field.attack_orders(board, self._side).attacks_on(target)]
            self.work += LISTED * len(orders)
            around = board.map.around[target]
            held = tuple([hex_ for hex_ in around if board.side_of(hex_) == self._side])
            found = (self._own_attack(board, target, held, order) for order in orders)
            self._attacks[key] = [one for one in found if one is not None]
        return self._attacks[key]

    def _own_attack(
        self, board: Board, target: Hex, held: tuple[Hex, ...], order: Words
    ) -> Foreseen | None:
        """Foresee an attack; it is the same where its units stand alike and this side holds the
        same hexes around the target, whoever holds them."""
        names = filter(board.has, order[2:])
        key = order, held, tuple([board.piece(name).at for name in names])
        if key not in self._own:
            found = self.forecast(board, self._side, order)
            self._own[key] = None if found is None else Foreseen(order, target, found)
        return self._own[key]

    def range_of(self, piece: Piece) -> int:
        """Give the hexes within which a piece matters for an attack of its side."""
        return self._ranges[piece.name]

    def _within_range(self, board: Board, target: Hex) -> Placed:
        """Give the pieces of this side that matter for its attacks on a hex."""
        beside = (piece for hex_ in board.map.around[target] for piece in board.stack(hex_))
        far = (piece for piece in map(board.piece, self._far) if piece.at)
        return tuple(
            [(piece.name, piece.place) for piece in beside if piece.side == self._side]
            + [
                (piece.name, piece.place)
                for piece in far
                if 1 < piece.place.distance(target) <= self._ranges[piece.name]
            ]
        )

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

    def drawn(self, order: Words) -> Drawn | None:
        """Give the fire that a move of the phase draws, if the enemy fires as soon as he can."""
        if order not in self._drawn:
            playing = self._field.carry_out(self._first, self._side, order)
            ahead = look_ahead(playing, self._side)
            self.work += FORECAST
            self._drawn[order] = None
            if ahead.fight is not None and ahead.attacker == self._enemy:
                firers = frozenset(unit.name for unit in ahead.fight.attackers)
                self._drawn[order] = Drawn(firers, expected(ahead.fight))
        return self._drawn[order]

    def comers(self, board: Board) -> Comers:
        """Give for each hex the enemies who can come next to it, and into which hexes."""
        if board is not self._first:
            return self._find_comers(board)
        if self._comers is None:
            self._comers = self._find_comers(board)
        return self._comers

    def _find_comers(self, board: Board) -> Comers:
        self.work += len(board.of(self._enemy)) * size(board) * COMER
        around, found = board.map.around, dict[Hex, list[tuple[str, list[Hex]]]]()
        for piece in board.of(self._enemy):
            if not self._field.fights(piece):
                continue
            beside = dict[Hex, list[Hex]]()
            for there in dict.fromkeys((piece.place, *self._reach(board, piece))):
                for hex_ in around[there]:
                    beside.setdefault(hex_, []).append(there)
            for hex_, hexes in beside.items():
                found.setdefault(hex_, []).append((piece.name, hexes))
        return found

    def _reach(self, board: Board, piece: Piece) -> Iterable[Hex]:
        """Give where an enemy could go."""
        if self._field.may_move(board, piece) is not None:
            return ()
        return self._field.reach(board, piece)

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

    def is_open(self, board: Board, hex_: Hex, comers: Iterable[str]) -> bool:
        """Tell whether one of the enemies who can come next to an empty hex can walk into it."""
        near = tuple([p.at for p in board.of(self._side) if p.place.distance(hex_) <= NEAR])
        if (hex_, near) not in self._open:
            enemies = sorted(map(board.piece, comers), key=lambda p: p.place.distance(hex_))
            self._open[hex_, near] = any(self._walks_into(board, p, hex_) for p in enemies)
        return self._open[hex_, near]

    def _walks_into(self, board: Board, piece: Piece, hex_: Hex) -> bool:
        self.work += WAY
        return (
            self._field.takes_hexes(piece)
            and self._field.may_move(board, piece) is None
            and self._field.way_to(board, piece, hex_) is not None
        )


def _range(piece: Piece) -> int:
    """Give the longest range that a counter prints, at least the next hex."""
    return max([1, *(piece.number(name) for name in piece.face if name.endswith("range"))])
