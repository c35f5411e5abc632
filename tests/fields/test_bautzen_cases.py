"""The cases K1, K6, K10, K11 and K13 of the reading of Bautzen 1945, in matches and on the map."""

import pytest
from msgspec.structs import replace

from grognard.maps.board import Board
from grognard.matches.match import Match, begin
from grognard.matches.orders import typed
from grognard.matches.protocol import END, Words
from grognard.rules.line import Line
from tests.fields.bautzen_board import Run
from tests.fields.campaign_board import FIELD, at, only, put

ASSAULT = typed('attack 1910 with 21/20Pz 59/20Pz 112/20Pz "QG 20 Pz" "QG 57 PzK"')
# Where the units of the printed example stand (8.2).
EXAMPLE = {
    "21/20Pz": "1810",
    "59/20Pz": "1810",
    "112/20Pz": "1911",
    "QG 20 Pz": "1911",
    "QG 57 PzK": "1912",
    "861/294": "1910",
    "QG 294 RD": "1808",
    "CL A1": "1909",
}


def told(lines: list[Line]) -> dict[str, object]:
    return {line.id: line.value for line in lines}


def check_the_example(lines: list[Line]) -> None:
    """26 : 6 is 4/1, less a column for the defender's CL; village and formation cancel out."""
    found = told(lines)
    assert (found["attack-total"], found["defence-total"]) == (26, 6)
    modifiers = {line.id: line.value for line in lines if line.kind == "modifier"}
    assert modifiers == {"defender-cl": -1, "village": -1, "formation": 1}
    assert found["final-column"] == "3/1"
    looked_up = [line.in_("en") for line in lines if line.id == "look-up"]
    assert looked_up == ["Row 5, column 3/1: 1/2"]


def test_k1_the_printed_example_in_a_match_of_weissenberg() -> None:
    match = begin("weissenberg")
    for answer in (END, ASSAULT, ("QG 294 RD",), ((0, 0), (1, 0)), (5,)):
        match.answer(answer)
    check_the_example([entry for entry in match.log if isinstance(entry, Line)])


def test_k1_the_printed_example_on_the_whole_map() -> None:
    run = Run(
        FIELD.carry_out(only(*EXAMPLE.items()), "german", ASSAULT),
        defender_support=("QG 294 RD",),
        commit_cl=((0, 0), (1, 0)),
        combat_roll=5,
    )
    check_the_example(run.lines)


@pytest.mark.parametrize(("turn", "rolls"), [(1, 0), (2, 0), (3, 1), (6, 1)])
def test_k6_the_germans_roll_for_columns_from_turn_3(turn: int, rolls: int) -> None:
    run = Run(FIELD.supply_phase(only(("21/20Pz", "1812")), "german", turn), cl_income_roll=6)
    assert run.asked.count("cl-income-roll") == rolls
    assert sum(piece.kind == "cl" for piece in run.board.of("german")) == 2 * rolls


def test_k6_in_a_match_of_the_whole_game() -> None:
    """No die is rolled before the first Allied reinforcement roll of turn 2."""
    match = begin("bautzen-1945")
    for _ in range(2):
        match.answer(END)
    asked = [asked_by_ending(match) for _ in range(8)]
    assert "cl-income-roll" not in asked[: asked.index("reinforcement-roll")]


def asked_by_ending(match: Match) -> str:
    """Give what is asked, and answer it: phases end, dice show a 1."""
    ask = match.asking
    assert ask is not None
    phase = getattr(ask, "phase", "")
    match.answer(END if phase else (1,))
    return phase or str(getattr(ask, "what", ""))


def defence(board: Board, order: Words, side: str) -> object:
    return told(Run(FIELD.carry_out(board, side, order)).lines)["defence-total"]


@pytest.mark.parametrize(
    ("unsupplied", "total"), [pytest.param(False, 5, id="fed"), pytest.param(True, 3, id="cut")]
)
def test_k10_the_hq_of_hg2_alone(unsupplied: bool, total: int) -> None:
    board = only(("QG HG2", "1609"), ("24/7Gd", "1608"))
    if unsupplied:
        board = board.changed(board.piece("QG HG2").marked("unsupplied"))
    assert defence(board, typed("attack 1609 with 24/7Gd"), "allied") == total


def test_k11_the_hq_of_5_dp_alone() -> None:
    board = only(("QG 5 DP", "1609"), ("21/20Pz", "1608"))
    assert defence(board, typed("attack 1609 with 21/20Pz"), "german") == 3


@pytest.mark.parametrize(
    ("name", "steps", "attack", "defends", "move"),
    [
        pytest.param("112/20Pz", 1, 1, 2, 5, id="k13"),
        pytest.param("21/20Pz", 2, 3, 2, 5, id="k12"),
    ],
)
def test_k13_and_k12_unsupplied_armour(
    name: str, steps: int, attack: int, defends: int, move: int
) -> None:
    board = only((name, "1609"), ("24/7Gd", "1608"))
    board = board.changed(replace(board.piece(name), steps=steps).marked("unsupplied"))
    run = Run(FIELD.carry_out(board, "german", typed(f"attack 1608 with {name}")))
    assert told(run.lines)["attack-total"] == attack
    assert defence(board, typed("attack 1609 with 24/7Gd"), "allied") == defends
    assert FIELD.allowance(board, board.piece(name)) == move * 6


def test_weissenberg_is_cut_out_of_the_whole_map() -> None:
    part, whole = begin("weissenberg").board, put(only(), "KG 72", "2012")
    for hex_, place in part.map.places.items():
        number = part.map.number(hex_)
        there = at(whole, number)
        assert place.terrain == whole.map.places[there].terrain, number
        for near in part.map.around[hex_]:
            other = at(whole, part.map.number(near))
            assert part.map.between(hex_, near) == whole.map.between(there, other)
            assert part.map.ways_between(hex_, near) == whole.map.ways_between(there, other)
    printed = {piece.name: piece for piece in whole.pieces}
    for piece in part.pieces:
        other_piece = printed[piece.name]
        assert (piece.faces, piece.move, piece.kind, piece.size, piece.formation) == (
            other_piece.faces,
            other_piece.move,
            other_piece.kind,
            other_piece.size,
            other_piece.formation,
        )
