"""Answers to an attack before it is rolled for: support and fire where they are worth their use.

A unit that supports or fires now can't do it again in the phase or turn, so a little gain is left.
"""

from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.before_fight import match_advice
from grognard.matches.field import Field
from grognard.matches.match import Match
from grognard.matches.protocol import END
from grognard.players.forecast import expected_of
from grognard.players.known_attacks import KnownAttacks
from grognard.players.stakes import Stakes, objectives, points_named, stakes
from grognard.rules.ask import Answer, Choose
from grognard.words.refusal import Refusal

SPARED = 10  # value of a unit that can still support another fight


def best_use(match: Match, ask: Choose) -> Answer | None:
    """Give the answer that is worth most to the side that the enemy's order concerns; None if it
    is asked about an order of its own, or no fight follows."""
    if match.play is not None or match.fought is not None or match.ordered is None:
        return None
    asked, order, _ = match.ordered
    side = match.asked
    if side is None or order == END or side == asked.side:
        return None
    behind = match_advice(match)
    if behind is None or isinstance(behind, Refusal):
        return None
    field, board = match.field, match.board
    weights = stakes(field, board, side, asked.turn)
    points = points_named(field, board, order)
    uses = _Uses(field, board, side, weights)
    values = list[int]()
    for option in behind.options[ask.side]:
        found = expected_of(option.odds.found)
        attacks = (option.role or ask.side) == "attacker"
        gain = weights.attack(found, 0) if attacks else -weights.attack(found, points)
        values.append(gain - uses.cost(option.answer))
    return ask.options[max(range(len(values)), key=values.__getitem__)]


class _Uses:
    """What units could do otherwise."""

    def __init__(self, field: Field, board: Board, side: str, weights: Stakes) -> None:
        self._board, self._side, self._weights = board, side, weights
        self._known = KnownAttacks(field, board, side)
        self._objectives: dict[Hex, int] = objectives(field, board)
        self._found: dict[str, int] = {}

    def cost(self, answer: Answer) -> int:
        """Value what the units that an answer names can't do any more."""
        words = answer if isinstance(answer, tuple) else (answer,)
        return sum(self._other(word) for word in words if isinstance(word, str) and self._own(word))

    def _own(self, word: str) -> bool:
        return self._board.has(word) and self._board.piece(word).side == self._side

    def _other(self, name: str) -> int:
        """Value the best attack of a unit alone, at least that it is spared."""
        if name not in self._found:
            piece = self._board.piece(name)
            attacks = self._known.alone(self._board, piece) if piece.at else ()
            values = (
                self._weights.attack(one.expected, self._objectives.get(one.hex, 0))
                for one in attacks
            )
            self._found[name] = max([SPARED, *values])
        return self._found[name]
