"""Normandy '44 on the map: the retreat (13) and the advance after combat (14), hex by hex."""

from collections.abc import Iterable, Sequence

from grognard.games.normandy.ground import FORTS, NON_MECH, Ground
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.protocol import Playing
from grognard.words.text import Text

Group = Sequence[Piece]  # pieces that retreat together

# ------------------------------------------------------------------ retreat


def groups(ground: Ground, board: Board, pieces: Group, target: Hex) -> list[Group]:
    """Keep a stack together if it has a common way or must be, or else let each find its own."""
    together = ground.options["retreat_apart"] == "together"
    if together or ground.retreats(board, pieces, (target,), 1):
        return [pieces]
    return [[piece] for piece in pieces]


def can_retreat(ground: Ground, board: Board, pieces: Group, target: Hex) -> bool:
    """13: tell whether any of the pieces has a hex to go to."""
    return any(
        ground.retreats(board, group, (target,), 1)
        for group in groups(ground, board, pieces, target)
    )


def retreat(ground: Ground, board: Board, names: Iterable[str], target: Hex, hexes: int) -> Playing:
    """13: all that are left go back, together if they can."""
    pieces = [board.piece(name) for name in names]
    for group in groups(ground, board, pieces, target):
        board = yield from _go_back(ground, board, group, target, hexes)
    return board


def _go_back(ground: Ground, board: Board, group: Group, target: Hex, hexes: int) -> Playing:
    names = [piece.name for piece in group]
    units, here = ", ".join(names), target
    for gone in range(1, hexes + 1):
        _, ways = ground.longest_retreat(board, group, (target, here), hexes - gone + 1)
        if not ways:
            return (yield from _blocked(ground, board, group, here, gone - 1))
        here = yield from ground.choose_hex(board, "defender", "retreat-where", ways, units)
        board = board.moved(names, here)
        number = board.map.number(here)
        yield ground.tell(
            "retreat", "retreats-to", "13", side="defender", value=number, units=units
        )
        yield board
        shelter = _shelter(ground, board, here, group[0].side)
        if gone < hexes and shelter and ground.fits(board, here, group):
            asked = ("stop",) if ground.options["retreat_stop"] == "must" else ("go", "stop")
            answer = yield from ground.choose("defender", "retreat-on", asked, "13.3", units)
            if answer == "stop":
                yield ground.tell(
                    "remark", "retreat-stops", "13.3", value=number, units=units, terrain=shelter
                )
                break
    return board


def _shelter(ground: Ground, board: Board, hex_: Hex, side: str) -> Text | None:
    """13.3: name the terrain of a hex that stops a retreat."""
    for row in board.map.rows(hex_):
        standing = row.id not in FORTS or ground.fortification(board, hex_, side) == row.id
        if row.values.get("retreat_stop") and standing:
            return row.text
    return None


def _blocked(ground: Ground, board: Board, group: Group, here: Hex, gone: int) -> Playing:
    """Nowhere to go at all, or cut short on the way: what the options say."""
    number, units = board.map.number(here), ", ".join(piece.name for piece in group)
    yield ground.tell("remark", "retreat-blocked", "13", value=number, units=units)
    if gone and ground.options["retreat_short"] == "stop":
        return board
    every = not gone and ground.options["cannot_retreat"] == "eliminated"
    for piece in group:
        for _ in range(piece.steps if every else 1):
            board = yield from ground.loses(board, "defender", piece.name, "13")
    yield board
    return board


# ------------------------------------------------------------------ advance


def advance(
    ground: Ground, board: Board, names: Sequence[str], target: Hex, further: Sequence[str], on: int
) -> Playing:
    """14: into the hex as far as there is room, then on, one unit after the other."""
    number, entered = board.map.number(target), list[str]()
    for name in names:
        piece = board.piece(name)
        if not ground.fits(board, target, [piece]):
            yield ground.tell("remark", "no-room", "14", side="attacker", unit=name, value=number)
            continue
        board = board.moved([name], target)
        entered.append(name)
        board = yield from ground.trampled(board, board.piece(name))
    for name in entered:
        if name in further:
            board = yield from _goes_on(ground, board, name, on)
    return board


def _goes_on(ground: Ground, board: Board, name: str, hexes: int) -> Playing:
    for _ in range(hexes):
        piece = board.piece(name)
        ways = advances(ground, board, piece)
        if not ways:
            break
        numbers = [*map(board.map.number, ways)]
        answer = yield from ground.choose(
            "attacker", "advance-on", ("stop", *numbers), "14", piece.name
        )
        if answer == "stop":
            break
        there = ways[numbers.index(answer)]
        ends = _ends(board, piece, there)
        board = board.moved([name], there)
        yield ground.tell("advance", "advances-to", "14", side="attacker", unit=name, value=answer)
        board = yield from ground.trampled(board, board.piece(name))
        if ends:
            yield ground.tell("remark", "advance-ends", "14.4", side="attacker", unit=name)
            break
    return board


def advances(ground: Ground, board: Board, piece: Piece) -> list[Hex]:
    """14, 14.4: where a unit may go on after the first hex of its advance."""
    enemy = ground.enemy(piece.side)
    here, zone = piece.place, ground.zoc(board, enemy)
    if here in zone and ground.options["advance_zoc"] == "stops":
        return []
    return [
        there
        for there in board.map.around[here]
        if board.side_of(there) in (None, piece.side)
        and ground.fits(board, there, [piece])
        and ground.enters(board, piece, there)
        and not _closed(board, piece, here, there)
    ]


def _closed(board: Board, piece: Piece, here: Hex, there: Hex) -> bool:
    """14.4: what an advance never crosses, or only with its first hex, unless by road."""
    met = _notes(board, piece, here, there)
    if "no" in met:
        return True
    by_road = bool(board.map.ways_between(here, there))
    return not by_road and bool(met & {"first-hex-without-road", "no-without-road"})


def _ends(board: Board, piece: Piece, there: Hex) -> bool:
    """14.4: bocage that the defender did not vacate ends an advance, unless by road."""
    if board.map.ways_between(piece.place, there):
        return False
    return "stop-unless-vacated-or-road" in _notes(board, piece, piece.place, there)


def _notes(board: Board, piece: Piece, here: Hex, there: Hex) -> set[object]:
    key = "advance_non_mech" if piece.unit_class == NON_MECH else "advance_mech"
    sides = [board.map.terrain[id_] for id_ in board.map.between(here, there)]
    return {row.values.get(key) for row in (*board.map.rows(there), *sides)}
