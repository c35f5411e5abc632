"""What a fight does to the board, where the card says how: losses, states, retreats, advance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grognard.card.rows import SIDES, Side
from grognard.fights.play import Play
from grognard.maps.board import Board, Piece
from grognard.maps.card_needs import attack_row
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement, RetreatPath
from grognard.matches.card_attack import by_hex
from grognard.matches.protocol import Playing
from grognard.rules.fight import enemy_of, units_of
from grognard.rules.stages.state import CardFight, standing

if TYPE_CHECKING:
    from grognard.matches.card_field import CardField

NOBODY = "nobody"


def aftermath(field: CardField, board: Board, plan: Engagement, play: Play) -> Playing:
    """Bring the outcome of a fight to the board."""
    fight = play.fight
    if not isinstance(fight, CardFight):
        raise TypeError("a fight by the card ends as one")
    board = _applied(field, board, fight)
    yield board
    gone = set[str]()
    for side, name, hexes in ordered_back(play):
        units = units_of(fight, side)
        exposed = [u.name for u in units if not u.unharmed]
        names = [u for u in exposed if u not in gone and name in ("", u)]
        gone.update(names)
        board = yield from _fall_back(field, board, side, names, hexes)
    for place, side in enumerate(SIDES):
        if fight.advanced[place]:
            names = [unit.name for unit in standing(fight, side)]
            board = yield from _advance(field, board, plan, side, names)
    yield board
    return board


def _applied(field: CardField, board: Board, fight: CardFight) -> Board:
    """Bring steps and states from the fight to the board, and mark who has fought."""
    known = {state.id for state in field.card.states}
    for side, mark in zip(SIDES, ("attacked", "defended"), strict=True):
        for unit in units_of(fight, side):
            board = board.with_steps(unit.name, unit.steps, mark)
            piece = board.piece(unit.name)
            if piece.alive:
                states = (piece.states - known) | set(unit.states)
                board = board.changed(replace(piece, states=states))
    return board


def ordered_back(play: Play) -> list[tuple[Side, str, int]]:
    """Give who must retreat and how far, in the order of the fight: a unit, or ("") a side."""
    lines = (told.line for told in play.told if told.line.kind == "retreat")
    return [(line.side, line.unit, int(line.value or 0)) for line in lines if line.side]


# ------------------------------------------------------------------ retreat


def _fall_back(
    field: CardField, board: Board, side: Side, names: Iterable[str], hexes: int
) -> Playing:
    """Let units retreat, stack by stack."""
    alive = (piece for piece in map(board.piece, names) if piece.alive)
    for stack in by_hex(alive).values():
        board = yield from _stack_goes(field, board, side, stack, hexes)
    return board


def _stack_goes(
    field: CardField, board: Board, side: Side, stack: Sequence[Piece], hexes: int
) -> Playing:
    """A stack goes together, hex by hex; where it has no room, the card says what becomes of it."""
    able, _ = field.longest_retreat(board, stack, (stack[0].place,), hexes)
    missing, blocked = hexes - able, attack_row(field.card).blocked
    if missing:
        yield field.tell("remark", "retreat-blocked", side=side, value=missing)
        if blocked == "stays":
            return board
        for piece in stack:
            lost = piece.steps if blocked == "lost" else min(missing, piece.steps)
            for _ in range(lost):
                board = yield from field.loses(board, side, piece.name)
        yield board
    left = [piece for piece in (board.piece(one.name) for one in stack) if piece.alive]
    if not left:
        return board
    by = side if field.rules.retreat_by == "owner" else enemy_of(side)
    path: RetreatPath = (left[0].place,)
    return (yield from _walk(field, board, side, by, left, path, able))


def _walk(
    field: CardField,
    board: Board,
    side: Side,
    by: Side,
    stack: Sequence[Piece],
    path: RetreatPath,
    hexes: int,
) -> Playing:
    names = [piece.name for piece in stack]
    for left in range(hexes, 0, -1):
        ways = field.retreats(board, [board.piece(name) for name in names], path, left)
        here = yield from field.choose_hex(board, by, "retreat-where", ways, ", ".join(names))
        board, path = board.moved(names, here), (*path, here)
        number = board.map.number(here)
        yield field.tell("retreat", "retreats-to", side=side, unit=", ".join(names), value=number)
        yield board
    return board


# ------------------------------------------------------------------ advance


def _advance(
    field: CardField, board: Board, plan: Engagement, side: Side, names: Sequence[str]
) -> Playing:
    """Let the units that still stand advance into a hex that the others have left."""
    starts = dict.fromkeys(piece.place for piece in plan.attackers)
    hexes = [plan.target] if side == "attacker" else list(starts)
    free = [hex_ for hex_ in hexes if _able(field, board, names, hex_)]
    if not free:
        yield field.tell("remark", "nobody-advances", side=side)
        return board
    hex_ = yield from field.choose_hex(board, side, "advance-where", free)
    able = _able(field, board, names, hex_)
    name = yield from field.choose(side, "who-advances", able)
    board = yield from _enters(field, board, side, name, hex_)
    while field.rules.advance == "any" and (able := _able(field, board, names, hex_)):
        name = yield from field.choose(side, "who-follows", (*able, NOBODY))
        if name == NOBODY:
            break
        board = yield from _enters(field, board, side, name, hex_)
    return board


def _able(field: CardField, board: Board, names: Sequence[str], hex_: Hex) -> tuple[str, ...]:
    """Name who can enter a hex: beside it, over ground and with room for it, without enemies."""
    pieces = [board.piece(name) for name in names]
    return tuple(
        piece.name
        for piece in pieces
        if piece.alive
        and board.side_of(hex_) in (None, piece.side)
        and field.enters(board, piece, hex_)
        and field.fits(board, hex_, [piece])
    )


def _enters(field: CardField, board: Board, side: Side, name: str, hex_: Hex) -> Playing:
    board = board.moved([name], hex_)
    number = board.map.number(hex_)
    yield field.tell("advance", "advances-to", side=side, unit=name, value=number)
    yield board
    return board
