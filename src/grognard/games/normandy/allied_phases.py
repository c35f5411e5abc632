"""Normandy '44 on the map: the Allies land for points (6.5) and strafe what has moved (19.1.3)."""

from collections.abc import Iterable, Iterator

from grognard.games.normandy.air_and_supply import (
    Purchase,
    PurchaseFight,
    Strafing,
    StrafingFight,
    Target,
    Wanted,
    price,
)
from grognard.games.normandy.ground import ALLIED, GERMAN, Ground
from grognard.games.normandy.stated import Army
from grognard.games.normandy.support import ARMIES, army_of, flak_near, flying, pool
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.orders import PhaseOrders, no_such_order
from grognard.matches.protocol import Playing, Words
from grognard.rules.fight import Unit
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near

# ------------------------------------------------------------------ 6.5 landing

SUPPLY_POINT = "supply-point"


def mulberries(ground: Ground, turn: int) -> tuple[Army, ...]:
    """Name the armies whose Mulberry stands."""
    known = {army: int(ground.stated(f"mulberry_{army}")) for army in ARMIES}
    return tuple(army for army, built in known.items() if 0 < built <= turn)


def wanted(board: Board, words: Words) -> Wanted:
    """Name the row of the table by which an order is paid."""
    if words[1] == SUPPLY_POINT:
        return Wanted(what=SUPPLY_POINT, army=army_of(words[2]))
    return Wanted(what=str(board.piece(words[1]).face["row"]))


def lands(ground: Ground, board: Board, words: Words, turn: int) -> Playing:
    """6.5: pay for a unit or a supply point, and bring it ashore."""
    points, item = board.pools.get("points", 0), wanted(board, words)
    bought = Purchase(points=points, wanted=(item,), mulberries=mulberries(ground, turn))
    yield from ground.fought(bought, PurchaseFight, "reinforcements")
    board = board.pooled("points", -price(ground.card, item))
    if item.what == SUPPLY_POINT:
        board = board.pooled(pool(words[2]), 1)
        at_hand, army = board.pools[pool(words[2])], ground.card.phrase(f"army-{words[2]}")
        yield ground.tell("remark", "supply-landed", "6.5", value=at_hand, army=army)
        yield board
        return board
    piece = board.piece(words[1])
    board = board.changed(piece.marked("landed")).moved([piece.name], board.map.hex(words[2]))
    yield ground.tell("remark", "lands", "6.5", unit=piece.name, value=words[2])
    yield board
    return board


class LandingOrders(PhaseOrders):
    """What may be ordered in a landing phase: `land UNIT HEX`, `land supply-point ARMY`."""

    field: Ground

    def __init__(self, field: Ground, board: Board, turn: int) -> None:
        self.field, self.board, self.turn = field, board, turn

    def check(self, order: Words) -> None:
        """Refuse a landing that is not legal."""
        match order:
            case ("end",):
                return
            case ("land", "supply-point", army):
                if army not in ARMIES:
                    close = near(army, ARMIES)
                    raise Refusal(say("there is no army '{army}'; {near}", army=army, near=close))
                self.field.refuse(self._mulberry(army))
            case ("land", name, number):
                self.field.refuse(self._may_land(self.board.piece(name), number))
            case _:
                known = say("land UNIT HEX"), say("land supply-point ARMY")
                raise Refusal(no_such_order(order, *known))
        self.field.refuse(self._price(order))

    def _mulberry(self, army: str) -> Message | None:
        if army in mulberries(self.field, self.turn):
            return None
        return say("the Mulberry of this army is not built yet: {army}", army=army)

    def _may_land(self, piece: Piece, number: str) -> Message | None:
        if not self._waiting(piece):
            return say("{unit} does not wait to land", unit=piece.name)
        hex_ = self.board.map.hex(number)
        if hex_ not in piece.entry:
            return say("{unit} does not land in {hex}", unit=piece.name, hex=number)
        return self.field.may_end(self.board, piece, hex_)

    def _waiting(self, piece: Piece) -> bool:
        ready = piece.at is None and piece.alive and 0 < piece.arrives <= self.turn
        return ready and piece.side == ALLIED and "row" in piece.face

    def _price(self, order: Words) -> Message | None:
        cost = price(self.field.card, wanted(self.board, order))
        points = self.board.pools.get("points", 0)
        if cost <= points:
            return None
        return say("this costs {cost} points; there are {points}", cost=cost, points=points)

    def deeds(self) -> Iterator[Words]:
        """Give every landing that can be paid."""
        for piece in self.board.pieces:
            for hex_ in piece.entry if self._waiting(piece) else ():
                order = ("land", piece.name, self.board.map.number(hex_))
                free = self.field.may_end(self.board, piece, hex_) is None
                if free and self._price(order) is None:
                    yield order
        for army in mulberries(self.field, self.turn):
            if self._price(("land", SUPPLY_POINT, army)) is None:
                yield ("land", SUPPLY_POINT, army)


# ------------------------------------------------------------------ 19.1.3 strafing


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
        here = board.map.number(piece.place)
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

    field: Ground

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
                raise Refusal(no_such_order(order, say("strafe HEX")))

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
