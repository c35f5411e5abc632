"""The words between the rules on the map and whoever plays: orders, roles, and what a match yields.

A phase offers its legal `Orders`; the question for one of them is an `Order`, and its answer is
`Words`. `Doing` is the type of every step of a match.
"""

from collections.abc import Generator, Iterator, Mapping
from random import Random
from typing import NamedTuple, TypeVar

from msgspec import Struct

from grognard.card.rows import Side
from grognard.fights.play import Play
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.message import Message, say

Words = tuple[str, ...]  # an order: a verb, then names of units and numbers of hexes


def order_words(answer: Answer) -> Words:
    """Give the words of an answer to the question for an order."""
    return tuple(map(str, answer)) if isinstance(answer, tuple) else (str(answer),)


class Orders:
    """The legal orders of a phase: moves, and the phase's other orders (`deeds`)."""

    def check(self, order: Words) -> None:
        """Refuse an order that is not legal, and say why."""
        raise NotImplementedError

    def all(self) -> Iterator[Words]:
        """Give the legal orders worth listing; the one that ends the phase comes first."""
        yield END
        yield from self.deeds()
        for piece in self.pieces():
            yield from self.sound_moves(piece)

    def kinds(self) -> Iterator[Words]:
        """Give legal orders like `all`, but of each piece only moves that show what it can do."""
        yield END
        yield from self.deeds()
        for piece in self.pieces():
            yield from self.samples(piece)

    def pieces(self) -> Iterator[Piece]:
        """Give the pieces that may be moved now."""
        return iter(())

    def moves(self, piece: Piece) -> Iterator[Words]:  # noqa: ARG002  # a hook
        """Give every move of a piece to another hex."""
        return iter(())

    def sound_moves(self, piece: Piece) -> Iterator[Words]:
        """Give the moves of a piece that are worth listing: all, unless a game knows better."""
        return self.moves(piece)

    def samples(self, piece: Piece) -> Iterator[Words]:
        """Give moves of a piece that show what it can do: at least one of each kind."""
        return self.moves(piece)

    def deeds(self) -> Iterator[Words]:
        """Give the orders worth listing other than moves, such as attacks."""
        return iter(())

    def attacks_on(self, target: Hex) -> Iterator[Words]:  # noqa: ARG002  # a hook
        """Give the attacks on a hex that are worth listing."""
        return iter(())

    def idle(self, piece: Piece) -> Message:
        """Say why a piece that has nothing to do now has nothing to do."""
        return say("{unit} has nothing to do in this phase", unit=piece.name)

    def draw(self, random: Random) -> Words:
        """Draw a random legal order; the end of the phase only if there is no other."""
        raise NotImplementedError


class Order(Struct, frozen=True, eq=False):
    """The question for an order of a side."""

    side: str
    phase: str  # the phrase that names it
    turn: int
    board: Board
    orders: Orders


class Roles(NamedTuple):
    """The attacking and the defending side of the questions that follow."""

    attacker: str
    defender: str


# A match yields orders and questions, lines, the board when it has changed, and fights to resolve;
# it is sent answers, and the finished play of a fight.
Yielded = Order | Choose | Roll | Line | Board | Fight | Roles
T = TypeVar("T")
Doing = Generator[Yielded, Answer | Play | None, T]
Playing = Doing[Board]
END: Words = ("end",)


class Condition(NamedTuple):
    """A condition of victory: whether it holds now, and why."""

    text: Message
    holds: bool
    why: Message


class Verdict(NamedTuple):
    """The points of each side, the winner if there is one, and what decides if not the points."""

    points: Mapping[str, int]
    winner: str | None
    conditions: tuple[Condition, ...] = ()


def side_of(roles: Roles, role: Side) -> str:
    """Give the side of the match that has a role in the fight."""
    return roles.attacker if role == "attacker" else roles.defender
