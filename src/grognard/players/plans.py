"""Values of hexes for the pieces of the automatic player."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from grognard.maps.board import Board, Map, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import POINT, steps
from grognard.matches.field import Field
from grognard.matches.protocol import Words
from grognard.rules.ask import Answer, Choose

FAR = 99  # more hexes or movement points than any distance on a map
NEARER = 4  # value of a movement point nearer to an objective; one of its points is worth 1
TOGETHER = 4  # value of standing beside an enemy, and of each friend beside the same one
GUARD = 6  # value of holding an objective alone, for each of its points


class OrderWorth(NamedTuple):
    """The value of an order; only orders worth more than 0 are given."""

    value: int
    order: Words


class Plans:
    """Values of hexes on a board for a side's pieces."""

    def __init__(self, field: Field, board: Board, side: str) -> None:
        self._field, self._board, self._side = field, board, side
        self._enemies = field.occupied(board, field.enemy(side))
        self._line = Counter(p.at for p in board.of(side) if p.at and field.fights(p))
        self._beside = Counter[Hex]()  # how many of the line stand beside an enemy
        for hex_, count in self._line.items():
            for there in board.map.around[hex_]:
                if there in self._enemies:
                    self._beside[there] += count
        self._objectives = field.aims(board)
        self._wanted = self._goals()
        self._ways: dict[str, Mapping[Hex, int]] = {}

    def _goals(self) -> Mapping[Hex, int]:
        """Give the objectives to take or hold; without objectives, the enemy's hexes."""
        holders = self._board.holders
        wanted = {
            hex_: points
            for hex_, points in self._objectives.items()
            if holders.get(hex_) != self._side or self._near(hex_)
        }
        return wanted or self._objectives or dict.fromkeys(self._enemies, 0)

    def _near(self, hex_: Hex) -> bool:
        return any(hex_.distance(enemy) <= 2 for enemy in self._enemies)

    def best(self, piece: Piece, orders: Iterable[Words]) -> OrderWorth:
        """Find the order that brings a piece to its best hex, and the improvement."""
        scores = [(self.score(piece, self._board.map.hex(order[-1])), order) for order in orders]
        value, order = max(scores, key=lambda score: score[0], default=(-FAR, ()))
        here = -FAR if piece.at is None else self.score(piece, piece.at)
        return OrderWorth(value - here, order)

    def score(self, piece: Piece, hex_: Hex) -> int:
        """Value a hex for a piece: near an objective, guarding one, beside enemies."""
        if not self._field.fights(piece):
            return self.behind(piece, hex_)
        return self.towards(piece, hex_) + self._together(piece, hex_) + self._guards(piece, hex_)

    def towards(self, piece: Piece, hex_: Hex) -> int:
        if piece.unit_class not in self._ways:
            goals = frozenset(self._wanted.items())
            self._ways[piece.unit_class] = approach(self._board.map, piece.unit_class, goals)
        return self._ways[piece.unit_class].get(hex_, -NEARER * FAR)

    def _guards(self, piece: Piece, hex_: Hex) -> int:
        """Value guarding an objective where no other unit stands."""
        others = self._line[hex_] - (piece.at == hex_)
        return 0 if others else GUARD * self._objectives.get(hex_, 0)

    def _together(self, piece: Piece, hex_: Hex) -> int:
        """Value standing beside an enemy; friends beside the same enemy raise it."""
        around = self._board.map.around
        already = around[piece.at] if piece.at else ()
        return max(
            (
                TOGETHER * (1 + self._beside[enemy] - (enemy in already))
                for enemy in around[hex_]
                if enemy in self._enemies
            ),
            default=0,
        )

    def behind(self, piece: Piece, hex_: Hex) -> int:
        """Value a hex for HQs, guns and columns: just behind the fighting units; leaders stand
        among them."""
        away = self._from_line.get(hex_, FAR)
        if self._field.leads(piece) and not away:
            return 0
        if hex_ in self._enemies or not self._enemies.isdisjoint(self._board.map.around[hex_]):
            return -FAR
        return -2 * abs(away - (not self._field.leads(piece)))

    @cached_property
    def _from_line(self) -> Mapping[Hex, int]:
        """The distance of each hex from the side's fighting units."""
        found = dict.fromkeys(self._line, 0)
        waiting = list(found)
        for here in waiting:
            for there in self._board.map.around[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    waiting.append(there)
        return found


@lru_cache(maxsize=64)
def approach(sheet: Map, unit_class: str, goals: frozenset[tuple[Hex, int]]) -> Mapping[Hex, int]:
    """Value each hex by its best goal: the goal's points, less the cost of the way there.

    Pieces in the way do not count. Threads may share the result: it depends on the arguments alone.
    """
    chart = steps(sheet, unit_class)
    found: dict[Hex, int] = {}
    waiting = [(-points * POINT, goal) for goal, points in goals]
    heapify(waiting)
    while waiting:
        lost, here = heappop(waiting)
        if here in found:
            continue
        found[here] = -lost // POINT
        for there in sheet.around[here]:
            ways = [way.sixths for way in chart[there, here] if way is not None]
            if ways and there not in found:
                heappush(waiting, (lost + NEARER * min(ways), there))
    return found


def safest(field: Field, board: Board, side: str, ask: Choose) -> Answer:
    """Of hexes choose the one farthest from enemies; otherwise take the first option."""
    hexes = [word for word in ask.options if isinstance(word, str) and board.map.has(word)]
    if len(hexes) != len(ask.options):
        return ask.options[0]
    enemies = [piece.place for piece in board.of(field.enemy(side))]

    def room(word: str) -> int:
        return min(map(board.map.hex(word).distance, enemies), default=FAR)

    return max(hexes, key=room)
