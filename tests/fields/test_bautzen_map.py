"""The whole map of Bautzen 1945 beside a plain second search: ZOC, supply, reach, what is seen."""

import random

import pytest

from grognard.games.bautzen.field import BautzenField
from grognard.games.bautzen.ground import HELD
from grognard.maps import scenario
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.match import new_field
from tests.oracles import bautzen_map as oracle
from tests.tiers import sized

MADE = new_field(scenario.own("bautzen-1945"))
assert isinstance(MADE, BautzenField)
FIELD = MADE
EMPTY = FIELD.scenario.board()
PIECES = oracle.pieces()
SEEDS = range(sized(20, quick=3, soak=3000))


def drawn(seed: int) -> tuple[oracle.Position, Board]:
    """Draw a position: some units of both sides, close together or far apart, some on heights,
    some hexes that a side has left behind, and divisions that are held back or released."""
    draw = random.Random(seed)
    board = EMPTY
    numbers = sorted(oracle.terrain())
    middle = draw.choice(numbers)
    near = [n for n in numbers if board.map.hex(n).distance(board.map.hex(middle)) <= 5]
    places = [*(near if seed % 3 else numbers), *sorted(oracle.dominant())]
    places += [
        source for sources in oracle.printed()["map"]["sources"].values() for source in sources
    ]
    at: dict[oracle.Piece, str] = {}
    holders: dict[str, str] = {}
    held_back = draw.sample(["14 GRD", "15 GRD"], draw.randint(0, 2))
    for number in draw.sample(numbers, 30):
        holders[number] = draw.choice(oracle.SIDES)
    for piece in draw.sample(PIECES, draw.randint(8, 60)):
        enemies = {there for other, there in at.items() if other.side != piece.side}
        at[piece] = draw.choice([place for place in places if place not in enemies])
    for number, side in holders.items():
        board = board.held([board.map.hex(number)], side)
    for piece, number in at.items():
        board = board.moved([piece.name], board.map.hex(number))
        holders[number] = piece.side
    position = oracle.Position(at, holders, held_back)
    board = board.changed(
        *(p.cleared(HELD) for p in board.pieces if p.formation not in held_back),
    )
    return position, board.changed(
        *(
            board.piece(piece.name).marked("unsupplied")
            for piece, number in at.items()
            if piece.kind != "cl" and number not in oracle.supplied(position, piece.side)
        )
    )


def numbers(board: Board, hexes: frozenset[Hex]) -> set[str]:
    return {board.map.number(hex_) for hex_ in hexes if hex_ in board.map.places}


def test_the_oracle_reads_the_printed_map() -> None:
    assert len(oracle.terrain()) == 288
    assert oracle.neighbours("1308") == {"1207", "1208", "1307", "1309", "1407", "1408"}
    assert oracle.dominant() == {"0407", "0707", "0809", "1006", "1011", "1406", "1611", "1811"}
    assert len(oracle.hexsides("lake")) == 15


@pytest.mark.parametrize("side", oracle.SIDES)
def test_zones_and_lines_are_those_of_the_oracle(side: str) -> None:
    for seed in SEEDS:
        position, board = drawn(seed)
        assert numbers(board, FIELD.zoc(board, side)) == oracle.zone(position, side), seed
        own, enemies = position.hexes(side), position.hexes(oracle.enemy(side))
        felt = oracle.zone(position, oracle.enemy(side)) | oracle.shut(position, side)
        assert numbers(board, FIELD.shut(board, side)) == enemies | (felt - own), seed
        fed = numbers(board, FIELD.supplied(board, side)) - enemies
        newcomer = next(p for p in PIECES if p.side == side and p not in position.at)
        expected = {
            place
            for place in oracle.terrain().keys() - enemies
            if place in oracle.supplied(position.moved(newcomer, place), side)
        }
        assert fed == expected, (seed, fed ^ expected)


@pytest.mark.parametrize("side", oracle.SIDES)
def test_support_and_sight_from_dominant_positions_are_those_of_the_oracle(side: str) -> None:
    for seed in SEEDS:
        position, board = drawn(seed)
        assert numbers(board, FIELD.dominated(board, side)) == oracle.helped(position, side), seed
        hidden = FIELD.hidden(board, side)
        for number in position.hexes(oracle.enemy(side)):
            stack = [piece.name for piece in board.stack(board.map.hex(number))]
            expected = set() if number in oracle.seen(position, side) else set(stack[1:])
            assert hidden.intersection(stack) == expected, (seed, number)
        assert not any(board.piece(name).side == side for name in hidden)


@pytest.mark.slow
def test_the_reach_of_every_unit_is_that_of_the_oracle() -> None:
    for seed in SEEDS:
        position, board = drawn(seed)
        for piece in random.Random(seed).sample(sorted(position.at), 4):
            unit = board.piece(piece.name)
            found = {
                board.map.number(hex_): way.cost * oracle.POINT
                for hex_, way in FIELD.reach(board, unit).items()
                if hex_ != unit.at
            }
            expected = oracle.reach(position, piece)
            assert found == expected, (seed, piece, found.items() ^ expected.items())


def test_the_search_for_one_hex_finds_the_way_of_the_search_for_all() -> None:
    for seed in SEEDS:
        position, board = drawn(seed)
        piece = board.piece(random.Random(seed).choice(sorted(position.at)).name)
        reached = FIELD.find_reach(board, piece)
        for hex_ in random.Random(seed).sample(sorted(board.map.places), 20):
            if hex_ != piece.at:
                assert FIELD.way_to(board, piece, hex_) == reached.get(hex_)
