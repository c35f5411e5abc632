"""Bautzen 1945 on the map: the supply phase with reinforcements and new logistic columns."""

from msgspec.structs import replace

from grognard.games.bautzen.ground import ALLIED, Ground
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.field import Doing, Playing
from grognard.rules.rolls import code_at


def supply_phase(ground: Ground, board: Board, side: str, turn: int) -> Playing:
    """7: reinforcements, logistic columns, and who is supplied."""
    board = yield from ground.reinforced(board, side, turn, "2")
    income = yield from _income(ground, side, turn)
    board = yield from _columns(ground, board, side, income)
    return (yield from ground.check_supply(board, side))


def _income(ground: Ground, side: str, turn: int) -> Doing[int]:
    """7.2: four a turn for the Allies, a die for the Germans from turn 3."""
    if side == ALLIED:
        return int(ground.card.number("cl_allied_income"))
    if turn < 3:
        return 0
    die = yield from ground.roll("cl-income-roll", 1, "7.2")
    code = code_at(ground.card.table("cl-income"), die)
    yield ground.tell("result", "cl-income", "7.2", value=code)
    return int(code)


def _columns(ground: Ground, board: Board, side: str, income: int) -> Playing:
    """7.2: new columns, four of a side on the map at most."""
    room = int(ground.card.number("cl_on_map")) - sum(p.kind == "cl" for p in board.of(side))
    waiting = [p for p in board.pieces if p.side == side and p.kind == "cl" and p.at is None]
    for piece in waiting[: max(min(income, room), 0)]:
        at_hqs = ground.options["cl_arrival"] == "hq"
        places = _hqs(ground, board, side) if at_hqs else board.map.sources_of(side)
        free = [hex_ for hex_ in places if ground.may_end(board, piece, hex_) is None]
        if free:
            back = replace(piece, steps=1, arrives=0, states=frozenset())
            board = yield from ground.comes_on(board, back, free, "7.2")
            yield board
    return board


def _hqs(ground: Ground, board: Board, side: str) -> list[Hex]:
    """Give the hexes of a side's supplied HQs."""
    fed = ground.supplied(board, side)
    hqs = (hq.at for hq in board.of(side) if hq.kind == "hq" and hq.at in fed)
    return list(dict.fromkeys(hex_ for hex_ in hqs if hex_))
