"""What a player supposes of hidden stacks: it knows who is hidden and where, not who is where."""

from random import Random

from msgspec.structs import replace

from grognard.maps.board import Board
from grognard.matches.deployment import usual
from grognard.matches.match import begin
from grognard.players.supposition import supposed
from tests.tiers import sized

SHUFFLES = sized(30)


def deployed(name: str) -> Board:
    field = (match := begin(name)).field
    return usual(field, usual(field, match.board, "allied"), "german")


def counts(board: Board, side: str) -> dict[str, int]:
    return {
        board.map.number(hex_): len(stack)
        for hex_, stack in board.stacks().items()
        if stack[0].side == side
    }


def test_as_many_lie_in_each_place_as_are_seen_there() -> None:
    field, board = begin("bautzen-1945").field, deployed("bautzen-1945")
    for side in ("german", "allied"):
        hidden = field.hidden(board, side)
        guess = supposed(field, board, side)
        assert hidden
        assert counts(guess, field.enemy(side)) == counts(board, field.enemy(side))
        changed = {
            old.name for old, new in zip(board.pieces, guess.pieces, strict=True) if old != new
        }
        assert changed
        assert changed <= hidden


def test_where_hidden_units_really_are_changes_nothing() -> None:
    field, board = begin("bautzen-1945").field, deployed("bautzen-1945")
    hidden = field.hidden(board, "german")
    seen = [piece for piece in board.pieces if piece.name not in hidden]  # stay on top
    below = [board.piece(name) for name in sorted(hidden)]
    expected = supposed(field, replace(board, pieces=(*seen, *below)), "german")
    for seed in range(SHUFFLES):
        places = [piece.at for piece in below]
        Random(seed).shuffle(places)
        moved = [replace(piece, at=at) for piece, at in zip(below, places, strict=True)]
        other = replace(board, pieces=(*seen, *moved))
        assert field.hidden(other, "german") == hidden
        assert supposed(field, other, "german") == expected


def test_hidden_units_lie_with_their_comrades() -> None:
    field, board = begin("bautzen-1945").field, deployed("bautzen-1945")
    guess = supposed(field, board, "german")
    assert guess.piece("QG 294 RD").place.distance(board.map.hex("1910")) <= 2


def test_nothing_is_supposed_of_open_stacks() -> None:
    match = begin("weissenberg")
    assert supposed(match.field, match.board, "german") is match.board
