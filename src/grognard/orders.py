"""Orders as people type them, and the moves that every game may order."""

import shlex
from collections.abc import Iterator

from grognard.board import Board, Piece
from grognard.field import END, Field, Words
from grognard.hexes import Hex
from grognard.message import Message, say
from grognard.refusal import Refusal

_FOR_THE_EYE = ("with", "avec", "to", "vers", "and", "et", "on", "sur")


def typed(line: str) -> Words:
    """Read `attack 1910 with 21/20 112/20`: names with blanks in quotes, small words left out."""
    try:
        words = shlex.split(line)
    except ValueError:
        raise Refusal(say("a quotation mark is not closed in: {line}", line=line)) from None
    return tuple(word for word in words if word.lower() not in _FOR_THE_EYE)


def written(order: Words) -> str:
    """Write an order so that it can be typed again."""
    return shlex.join(order)


def no_such_order(order: Words, known: tuple[str, ...]) -> Message:
    """Say that an order is not known here, and which are."""
    return say(
        "'{order}' is not an order here; try: {known}",
        order=" ".join(order),
        known="; ".join(known),
    )


class MoveOrders:
    """What may be ordered in a movement phase: `move UNIT HEX`, `end`."""

    def __init__(self, field: Field, board: Board, side: str) -> None:
        self.field, self.board, self.side = field, board, side

    def check(self, order: Words) -> None:
        """Refuse a move that is not legal."""
        match order:
            case ("end",):
                return
            case ("move", name, _, *_):
                self.field.route(self.board, self.movable(name), order[2:])
            case _:
                raise Refusal(no_such_order(order, ("move UNIT HEX", "end")))

    def movable(self, name: str) -> Piece:
        """Find a piece that may be moved now, or refuse it."""
        piece = self.board.piece(name)
        if piece.side != self.side:
            raise Refusal(say("{unit} is not yours to use here", unit=name))
        self.field.refuse(self.field.may_move(self.board, piece))
        return piece

    def pieces(self) -> Iterator[Piece]:
        """Give the pieces that may be moved now."""
        for piece in self.board.of(self.side):
            if self.field.may_move(self.board, piece) is None:
                yield piece

    def all(self) -> Iterator[Words]:
        """Give every move; the end of the phase first."""
        yield END
        for piece in self.pieces():
            for hex_, way in self.field.reach(self.board, piece).items():
                if len(way.path) > 1:
                    yield ("move", piece.name, self.board.map.number(hex_))


class AttackOrders:
    """What may be ordered in a combat phase: `attack HEX UNIT …`, `end`. A game refuses what its
    rules do not allow (`refuse`), and names the groups that are worth considering (`groups`)."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side = board, side

    def check(self, order: Words) -> None:
        """Refuse an attack that is not legal."""
        match order:
            case ("end",):
                return
            case ("attack", _, _, *_):
                self.refuse(order)
            case _:
                raise Refusal(no_such_order(order, ("attack HEX with UNIT …", "end")))

    def refuse(self, order: Words) -> None:
        """Refuse an attack that the rules do not allow."""
        raise NotImplementedError

    def groups(self, target: Hex) -> Iterator[Words]:
        """Name the groups that could attack a hex: all that can, and each unit alone."""
        raise NotImplementedError

    def all(self) -> Iterator[Words]:
        """Give the attacks worth naming; the end of the phase first."""
        yield END
        for target, stack in self.board.stacks().items():
            if stack[0].side != self.side:
                number = self.board.map.number(target)
                for group in self.groups(target):
                    yield ("attack", number, *group)
