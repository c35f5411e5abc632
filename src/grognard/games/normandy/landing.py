"""Normandy '44 on the map: Allied reinforcements land for points (6.5)."""

from collections.abc import Iterator

from grognard.games.normandy.ground import ALLIED, Ground
from grognard.games.normandy.reinforcements import Purchase, PurchaseFight, Wanted, price
from grognard.games.normandy.stated import Army
from grognard.games.normandy.support import ARMIES, army_of, pool
from grognard.maps.board import Board, Piece
from grognard.matches.field import Playing, Words
from grognard.matches.orders import PhaseOrders, no_such_order
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near

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
                known = ("land UNIT HEX", "land supply-point ARMY", "end")
                raise Refusal(no_such_order(order, known))
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
