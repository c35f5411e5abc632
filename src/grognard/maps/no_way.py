"""Why a piece can't go to a hex, in words: `2010: 9 MP of 8; ZOC at 1910`."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce

from grognard.card.card import Terrain
from grognard.maps.board import Map, Piece
from grognard.maps.hexes import Hex
from grognard.maps.mobility import ENDLESS, Mobility, Obstacle, Unreached
from grognard.maps.movement import POINT, Reached, parsed
from grognard.words.message import Message, say
from grognard.words.numbers import mixed


def no_way(
    sheet: Map, piece: Piece, mobilities: Sequence[Mobility], hex_: Hex, ending: Message | None
) -> Message:
    """Say why a piece can't move to a hex; `ending` is what keeps it from staying there."""
    number = sheet.number(hex_)
    if hex_ == piece.at:
        return say("{unit} is in {hex} already", unit=piece.name, hex=number)
    if not mobilities:
        return say("{unit} does not move", unit=piece.name)
    if any(hex_ in one.closed for one in mobilities):
        return say("{hex}: {reasons}", hex=number, reasons=say("the enemy is there"))
    if ending and all(hex_ in one.barred for one in mobilities):
        return _said(number, [ending])
    mobility, found = min(
        ((one, one.unreached(hex_)) for one in mobilities), key=lambda pair: _missing(*pair)
    )
    reasons = _costs(mobility, found.cheapest, found.obstacle)
    if found.obstacle:
        reasons.append(obstacle_text(sheet, piece, found.obstacle, hex_))
    return _said(number, [*reasons, *([ending] if ending else [])])


def no_walk(
    sheet: Map, piece: Piece, mobility: Mobility, path: tuple[Hex, ...], ending: Message | None
) -> Message:
    """Say why a piece can't move along a path."""
    walked = mobility.walk(path)
    reasons = _costs(mobility, walked.reached, walked.obstacle)
    if walked.obstacle:
        reasons = [obstacle_text(sheet, piece, walked.obstacle, path[-1])]
    return _said(sheet.number(path[-1]), [*reasons, *([ending] if ending else [])])


def _missing(mobility: Mobility, found: Unreached) -> int:
    """Give how many sixths of a movement point are missing to reach a hex."""
    return found.cheapest.sixths - mobility.allowance if found.cheapest else ENDLESS


def _costs(mobility: Mobility, way: Reached | None, obstacle: Obstacle | None) -> list[Message]:
    """Say what a way costs, if that is more than the piece has."""
    if way is None:
        return [] if obstacle else [say("no way leads there")]
    if way.sixths <= mobility.allowance:
        return []
    cost, has = mixed(way.cost), mixed(Fraction(mobility.allowance, POINT))
    if mobility.in_hexes:
        return [say("{cost} hexes of {allowance}", cost=cost, allowance=has)]
    return [say("{cost} MP of {allowance}", cost=cost, allowance=has)]


def _said(number: str, reasons: Iterable[Message]) -> Message:
    joined = reduce(lambda one, more: say("{one}; {more}", one=one, more=more), reasons)
    return say("{hex}: {reasons}", hex=number, reasons=joined)


def obstacle_text(sheet: Map, piece: Piece, obstacle: Obstacle, goal: Hex) -> Message:
    """Say what is in the way to a hex."""
    here, there = map(sheet.number, (obstacle.here, obstacle.there))
    match obstacle.kind:
        case "apart":
            return say("{hex} is not beside {other}", hex=there, other=here)
        case "enemy":
            return say("enemy at {hex}", hex=there)
        case "barred":
            return say("it may not enter {hex}", hex=there)
        case "zoc":
            return say("ZOC at {hex}", hex=there)
        case "stop":
            return _stop(sheet, piece, obstacle)
        case "closed":
            return _closed(sheet, piece, obstacle, goal)


def _stop(sheet: Map, piece: Piece, obstacle: Obstacle) -> Message:
    """Name the terrain that ends a move."""
    number, sides = sheet.number(obstacle.there), sheet.between(obstacle.here, obstacle.there)
    for row in (*sheet.rows(obstacle.there), *(sheet.terrain[id_] for id_ in sorted(sides))):
        if (cost := parsed(_words(row, piece))) and cost.stop:
            return say("{terrain} at {hex} ends the move", terrain=row.text, hex=number)
    return say("the move ends at {hex}", hex=number)


def _closed(sheet: Map, piece: Piece, obstacle: Obstacle, goal: Hex) -> Message:
    """Name the terrain that a piece may not enter or cross."""
    here, there = obstacle.here, obstacle.there
    number, before = sheet.number(there), sheet.number(here)
    for row in sheet.rows(there):
        words = _words(row, piece)
        if words in ("no", "way"):
            where = say("{terrain} at {hex}", terrain=row.text, hex=number)
            what = row.text if there == goal else where
            if words == "no":
                return say("{terrain} is closed to it", terrain=what)
            return say("{terrain} only by road or rail", terrain=what)
    for id_ in sorted(sheet.between(here, there)):
        cost = parsed(_words(sheet.terrain[id_], piece, "0"))
        blanks = {"terrain": sheet.barrier(here, there, id_), "hex": before, "other": number}
        if cost is None:
            return say("{terrain} between {hex} and {other} is closed to it", **blanks)
        if cost.adjacent:
            return say("{terrain} between {hex} and {other} only as the first step", **blanks)
    return say("no road from {hex} to {other}", hex=before, other=number)


def _words(row: Terrain, piece: Piece, unless: str = "other") -> str:
    return row.cost.get(piece.unit_class, unless)
