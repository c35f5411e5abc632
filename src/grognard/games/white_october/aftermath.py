"""White October on the map: retreat, rout, and the advance of the winner."""

from collections.abc import Iterable, Sequence

from grognard.card.rows import Side
from grognard.games.white_october.ground import Ground, troops
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement, RetreatPath
from grognard.matches.protocol import Playing

NOBODY = "nobody"


def furthest(ground: Ground, board: Board, stack: Sequence[Piece], hexes: int) -> int:
    """Tell how many of so many hexes a stack can retreat."""
    return ground.longest_retreat(board, stack, (stack[0].place,), hexes)[0]


def way_open(ground: Ground, board: Board, units: Iterable[Piece]) -> bool:
    """Tell whether any of these units can retreat a hex."""
    return any(furthest(ground, board, [unit], 1) for unit in units)


# ------------------------------------------------------------------ retreat and rout


def withdraw(
    ground: Ground, board: Board, side: Side, names: Iterable[str], hexes: int, *, rout: bool
) -> Playing:
    """Let the beaten units go, stack by stack."""
    for stack in stacks_of(map(board.piece, names)).values():
        gone = [unit.name for unit in stack]
        board = yield from _goes(ground, board, side, gone, hexes, rout=rout)
    return board


def _goes(
    ground: Ground, board: Board, side: Side, names: Sequence[str], hexes: int, *, rout: bool
) -> Playing:
    """A stack goes together as far as it must; where it can't, each unit by itself, and what
    is missing is paid for."""
    stack = [board.piece(name) for name in names]
    able = furthest(ground, board, stack, hexes)
    apart = ground.options["retreat_apart"] == "apart"
    if able < hexes and len(stack) > 1 and apart:
        for name in names:
            board = yield from _goes(ground, board, side, [name], hexes, rout=rout)
        return board
    left = able
    path: RetreatPath = (stack[0].place,)
    while left:
        ways = ground.retreats(board, stack, path, left)
        ways = towards_supply(ground, board, stack[0].side, ways) if rout else ways
        here = yield from ground.choose_hex(board, side, "retreat-where", ways, ", ".join(names))
        board, path = board.moved(names, here), (*path, here)
        number = board.map.number(here)
        yield ground.tell("retreat", "retreats-to", side=side, unit=", ".join(names), value=number)
        yield board
        left -= 1
        if not left and ground.stacking_problem(board, here, board.stack(here)):
            left = 1
    if able < hexes:
        board = yield from _pays(ground, board, side, names, hexes - able)
    return board


def towards_supply(ground: Ground, board: Board, side: str, ways: list[Hex]) -> list[Hex]:
    """A rout runs towards the nearest own supply source."""
    sources = board.map.sources_of(side)
    if not sources or ground.options["rout_path"] == "owner":
        return ways
    far = {way: min(way.distance(source) for source in sources) for way in ways}
    return [way for way in ways if far[way] == min(far.values())]


def _pays(ground: Ground, board: Board, side: Side, names: Sequence[str], hexes: int) -> Playing:
    """Pay for each hex that can't be retreated with a loss, or with all that is left."""
    yield ground.tell("remark", "no-way-on", side=side, unit=", ".join(names), value=hexes)
    if ground.options["no_retreat"] == "eliminated":
        for name in names:
            yield ground.tell("eliminated", "is-eliminated", side=side, unit=name)
        return board.removed(*names)
    for _ in range(hexes * int(ground.card.number("no_retreat_loss"))):
        left = tuple(name for name in names if board.piece(name).alive)
        if left:
            board = yield from ground.one_loses(board, side, left)
    yield board
    return board


# ------------------------------------------------------------------ advance


def advances(
    ground: Ground, board: Board, side: Side, plan: Engagement, name: str, hexes: int
) -> Playing:
    """The unit that must advances into a hex that the loser has left; others may follow; then
    perhaps a second hex. An advance minds no zone of control."""
    ours = plan.engaged(side)
    starts = (unit.at for unit in plan.attackers if unit.at)
    left = [plan.target] if side == "attacker" else list(dict.fromkeys(starts))
    piece = board.piece(name)
    open_ = [
        hex_ for hex_ in left if board.side_of(hex_) is None and ground.enters(board, piece, hex_)
    ]
    if not open_:
        yield ground.tell("remark", "advance-blocked", side=side, unit=name)
        return board
    hex_ = yield from ground.choose_hex(board, side, "advance-where", open_, name)
    board = yield from _steps_to(ground, board, side, name, hex_)
    if ground.options["followers"] == "may":
        board = yield from _follow(ground, board, side, [unit.name for unit in ours], hex_)
    if hexes > 1:
        board = yield from _second_hex(ground, board, side, name, piece.at)
    return board


def _steps_to(ground: Ground, board: Board, side: Side, name: str, hex_: Hex) -> Playing:
    board = board.moved([name], hex_)
    number = board.map.number(hex_)
    yield ground.tell("advance", "advances-to", side=side, unit=name, value=number)
    yield board
    return board


def _follow(ground: Ground, board: Board, side: Side, names: list[str], hex_: Hex) -> Playing:
    """Others of the engaged units may follow, as stacking allows."""
    while True:
        able = tuple(
            name
            for name in names
            if (unit := board.piece(name)).alive
            and ground.enters(board, unit, hex_)
            and ground.fits(board, hex_, [unit])
        )
        if not able:
            return board
        name = yield from ground.choose(side, "who-follows", (NOBODY, *able))
        if name == NOBODY:
            return board
        board = yield from _steps_to(ground, board, side, name, hex_)


def _second_hex(ground: Ground, board: Board, side: Side, name: str, start: Hex | None) -> Playing:
    """8.2.7: on into a hex that is free of enemies."""
    ways = [way for way in second_hexes(ground, board, board.piece(name)) if way != start]
    if not ways:
        yield ground.tell("remark", "second-hex-blocked", "8.2.7", side=side, unit=name)
        return board
    hex_ = yield from ground.choose_hex(board, side, "advance-where", ways, name)
    return (yield from _steps_to(ground, board, side, name, hex_))


def second_hexes(ground: Ground, board: Board, piece: Piece) -> list[Hex]:
    """Give the hexes around a piece into which it could go on."""
    enemy = ground.enemy(piece.side)
    closed = ground.options["second_hex_zoc"] == "closed"
    zone = ground.zoc(board, enemy) if closed else frozenset()
    return [
        there
        for there in board.map.around[piece.place]
        if board.side_of(there) != enemy
        and there not in zone
        and ground.enters(board, piece, there)
        and ground.fits(board, there, [piece])
    ]


def stacks_of(units: Iterable[Piece]) -> dict[Hex, list[Piece]]:
    """Sort units by the hexes in which they stand."""
    found: dict[Hex, list[Piece]] = {}
    for unit in troops(unit for unit in units if unit.at is not None):
        found.setdefault(unit.place, []).append(unit)
    return found
