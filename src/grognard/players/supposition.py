"""What a player supposes of stacks that it may not look into."""

from collections import Counter

from msgspec.structs import replace

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.players.plans import FAR


def supposed(field: Field, board: Board, viewer: str) -> Board:
    """Deal the enemies hidden from a side to the places where it sees that some lie.

    A side knows which enemies it does not see, and how many lie under each top counter. Where they
    really lie changes nothing: they go near the comrades that it sees, where they may stand.
    """
    hidden = field.hidden(board, viewer)
    if not hidden:
        return board
    waiting = {name: board.piece(name) for name in sorted(hidden)}
    room = Counter(piece.place for piece in waiting.values())
    stacks = {
        hex_: tuple(piece for piece in board.stack(hex_) if piece.name not in hidden)
        for hex_ in sorted(room)
    }
    seen = [piece for piece in board.of(field.enemy(viewer)) if piece.name not in hidden]
    pairs = sorted(
        (_strangeness(piece, hex_, seen), name, hex_)
        for name, piece in waiting.items()
        for hex_ in stacks
    )
    dealt: list[Piece] = []
    for strict in (True, False):  # what may stand nowhere is dealt to the places left
        for _, name, hex_ in pairs:
            if name not in waiting or not room[hex_]:
                continue
            stack = (*stacks[hex_], waiting[name])
            if strict and field.stacking_problem(board, hex_, stack) is not None:
                continue
            stacks[hex_] = stack
            room[hex_] -= 1
            dealt.append(replace(waiting.pop(name), at=hex_))
    return board.changed(*dealt)


def _strangeness(piece: Piece, hex_: Hex, seen: list[Piece]) -> int:
    """Rank how unlikely a piece is in a hex: by its distance from comrades that are seen; a piece
    without formation comes after comrades of the same hex."""
    if not piece.formation:
        return 1
    comrades = (one for one in seen if one.formation == piece.formation)
    return 2 * min((one.place.distance(hex_) for one in comrades), default=FAR)
