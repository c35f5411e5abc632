"""Answers to the questions of a fight and after it, chosen by the boards to which they lead.

The odds do not tell who loses a step, who advances, or where a stack retreats: for them these
answers are alike. On the board they are not.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from grognard.fights.automatic import decide
from grognard.fights.doctrine import BEST
from grognard.fights.fight_analysis import Analysis
from grognard.fights.play import Play
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.match import Match, run_on
from grognard.matches.protocol import END, Order, Words, side_of
from grognard.players.known_attacks import Comers, KnownAttacks
from grognard.players.outlook import Outlook
from grognard.players.plans import safest
from grognard.players.simulation import Standing
from grognard.players.stakes import STEP, stakes
from grognard.players.supposition import supposed
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Fight
from grognard.words.refusal import Refusal

MOST = 40  # answers that are compared; of more, the first ones
NEAR = 2  # hexes around a difference within which stacks are looked at
FACTOR = 60  # value of a printed factor of a unit, beside that of its steps
NOT_STRENGTH = ("range", "morale", "quality", "bonus")  # numbers that a lost step does not weaken


class _Uncertain(Exception):
    """A roll decides to which board an answer leads."""


def best_by_board(match: Match, ask: Choose) -> Answer | None:
    """Give the answer that leads to the best board for the side that is asked; None where that is
    not certain, where all lead to the same, or where no order is being carried out."""
    if match.ordered is None or (match.play is None and match.fought is None):
        return None
    asked, order, given = match.ordered
    side = match.asked
    if order == END or side is None:
        return None
    ahead = _Ahead(match.field, asked, order)
    boards: dict[Answer, Board] = {}
    for option in ask.options[:MOST]:
        try:
            boards[option] = supposed(match.field, ahead.board_after((*given, option)), side)
        except _Uncertain:
            return None
        except Refusal:  # by rules that come after the choice
            continue
    places = _differences([*boards.values()])
    if not places:
        return None
    values = _Values(match.field, side, asked.turn, places)
    return max(boards, key=lambda option: values.of(boards[option]))


class _Ahead:
    """Carries an order out in thought, with answers that are given and doctrines after them."""

    def __init__(self, field: Field, asked: Order, order: Words) -> None:
        self._field, self._asked, self._order = field, asked, order

    def board_after(self, given: Sequence[Answer]) -> Board:
        """Give the board after the order."""
        field, asked = self._field, self._asked
        standing, known = Standing(field, asked.board, asked.side), iter(given)
        playing = field.carry_out(asked.board, asked.side, self._order)
        sent: Answer | Play | None = None
        try:
            while (said := run_on(playing, sent, standing.note)) is not None:
                if isinstance(said, Fight):
                    sent = self._fought(said, known)
                elif (sent := next(known, None)) is None:
                    if not isinstance(said, Choose):
                        raise _Uncertain
                    side = side_of(standing.roles, said.side)
                    sent = safest(field, standing.board, side, said)
        finally:
            playing.close()
        return standing.board

    def _fought(self, fight: Fight, known: Iterator[Answer]) -> Play:
        play, analysis = Play(fight), Analysis(fight, BEST, BEST)
        while play.asking is not None:
            answer = next(known, None)
            if answer is None:
                if not isinstance(play.asking, Choose):
                    raise _Uncertain
                answer = decide(play, analysis, Random(0))
            play.answer(answer)
        return play


def _differences(boards: Sequence[Board]) -> set[Hex]:
    """Give the hexes of pieces that differ between boards."""
    found = set[Hex]()
    for first, board in pairwise(boards):
        for one, other in zip(first.pieces, board.pieces, strict=True):
            if one is not other and one != other:
                found |= {hex_ for hex_ in (one.at, other.at) if hex_ is not None}
    return found


class _Values:
    """Values of boards that differ around some hexes."""

    def __init__(self, field: Field, side: str, turn: int, places: set[Hex]) -> None:
        self._field, self._side, self._turn, self._places = field, side, turn, places
        self._outlooks: dict[tuple[tuple[int, frozenset[str]], ...], Outlook] = {}
        self._comers: Comers | None = None

    def of(self, board: Board) -> int:
        return self._material(board) + self._outlook(board).value_around(board, self._near(board))

    def _outlook(self, board: Board) -> Outlook:
        """Give an outlook; boards on which all units are as strong share one. On all of them the
        enemy comes as far as on the first: where he can go hardly differs, and takes long to
        find."""
        strengths = tuple([(piece.steps, piece.states) for piece in board.pieces])
        if strengths not in self._outlooks:
            known = KnownAttacks(self._field, board, self._side, self._comers)
            self._comers = known.comers(board)
            weights = stakes(self._field, board, self._side, self._turn)
            outlook = Outlook(self._field, board, self._side, weights, known=known)
            self._outlooks[strengths] = outlook
        return self._outlooks[strengths]

    def _near(self, board: Board) -> list[Hex]:
        return [
            hex_
            for hex_ in board.stacks()
            if any(hex_.distance(place) <= NEAR for place in self._places)
        ]

    def _material(self, board: Board) -> int:
        enemy = self._field.enemy(self._side)
        return sum(
            _strength(piece) * ((piece.side == self._side) - (piece.side == enemy))
            for piece in board.pieces
            if piece.alive
        )


def _strength(piece: Piece) -> int:
    """Value the steps and the factors of a unit."""
    factors = sum(
        number
        for name, number in piece.face.items()
        if isinstance(number, int) and not name.endswith(NOT_STRENGTH)
    )
    return piece.steps * STEP + factors * FACTOR
