"""Normandy '44 on the map: Allied aircraft strafe units that have moved (19.1.3)."""

from collections.abc import Iterable, Iterator

from grognard.games.normandy.air_and_supply import Strafing, StrafingFight, Target
from grognard.games.normandy.ground import GERMAN, Ground
from grognard.games.normandy.support import flak_near, flying
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Playing, Words
from grognard.matches.orders import PhaseOrders, no_such_order
from grognard.rules.fight import Unit
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal


def column(board: Board, hex_: Hex) -> tuple[Piece, ...]:
    """Give the German units in a hex that have moved and were not strafed yet."""
    return tuple(
        piece
        for piece in board.stack(hex_)
        if piece.side == GERMAN and "moved" in piece.states and "strafed" not in piece.states
    )


def strafes(ground: Ground, board: Board, hex_: Hex) -> Playing:
    """19.1.3: one roll against a column, worse under Flak, better in strategic movement."""
    moved, number = column(board, hex_), board.map.number(hex_)
    names = ", ".join(piece.name for piece in moved)
    yield ground.tell("note", "strafes", "19.1.3", value=number, targets=names)
    flak = flak_near(ground, board, moved)
    for piece in flak:
        here = board.map.number(piece.at or hex_)
        yield ground.tell("note", "flak-near", "19.1.4", unit=piece.name, value=here)
    strategic = [piece for piece in moved if "strategic" in piece.states]
    for piece in strategic:
        yield ground.tell("note", "column-strategic", "9.8", unit=piece.name)
    stated = Strafing(
        targets=tuple(
            Target(name=p.name, steps=p.steps, armoured=p.kind == "armour") for p in moved
        ),
        flak_present=bool(flak),
        strafed_strategic=bool(strategic),
    )
    _, fight = yield from ground.fought(stated, StrafingFight, "strafing")
    board = board.changed(*(piece.marked("strafed") for piece in moved))
    board = worn(board, fight.defenders)
    board = board.pooled("strafings", -1)
    yield board
    return board


def worn(board: Board, units: Iterable[Unit]) -> Board:
    """Bring the steps that units have left to the board."""
    for unit in units:
        board = board.with_steps(unit.name, unit.steps)
    return board


class StrafingOrders(PhaseOrders):
    """What may be ordered when the Germans have moved: `strafe HEX`."""

    def __init__(self, field: Ground, board: Board) -> None:
        self.field, self.board = field, board

    def check(self, order: Words) -> None:
        """Refuse a strafing that is not legal."""
        match order:
            case ("end",):
                return
            case ("strafe", number):
                self.field.refuse(self._may_strafe(self.board.map.hex(number), number))
            case _:
                raise Refusal(no_such_order(order, ("strafe HEX", "end")))

    def _may_strafe(self, hex_: Hex, number: str) -> Message | None:
        if not flying(self.field, self.board):
            return say("aircraft do not fly in this weather")
        if self.board.pools.get("strafings", 0) < 1:
            return say("no strafing is left in this turn")
        if not any(piece.kind == "armour" for piece in column(self.board, hex_)):
            return say("no armour has moved in {hex} that could be strafed", hex=number)
        return None

    def deeds(self) -> Iterator[Words]:
        """Give every hex that may be strafed."""
        for hex_ in self.board.stacks():
            number = self.board.map.number(hex_)
            if self._may_strafe(hex_, number) is None:
                yield ("strafe", number)
