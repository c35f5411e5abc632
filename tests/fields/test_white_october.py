"""White October on the map: zones, movement, stacking, supply, retreats."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from grognard.games.white_october.aftermath import furthest, withdraw
from grognard.games.white_october.field import WhiteOctoberField
from grognard.maps.board import Board
from tests.fields.white_october_board import (
    FIELD,
    at,
    cut_off,
    field,
    hexes,
    numbers,
    only,
    run,
    scattered,
)

# ------------------------------------------------------------------ zones of control


@pytest.mark.parametrize("name", ["Talabsk", "Bulak Horse", "Sailors", "Putilov Militia"])
def test_a_combat_unit_has_the_six_hexes_around_it(name: str) -> None:
    board = only({name: "0605"})
    side = board.piece(name).side
    around = {"0604", "0705", "0706", "0606", "0506", "0505"}
    assert numbers(FIELD.zoc(board, side)) == around


@pytest.mark.parametrize(
    "name", ["Brown Bear", "AB Lenin", "HQ Palen", "1 Battery", "Train No. 6", "Trotsky"]
)
def test_what_is_no_combat_unit_has_no_zone(name: str) -> None:
    board = only({name: "0605"})
    assert FIELD.zoc(board, board.piece(name).side) == frozenset()


def test_fleets_and_routed_units_have_no_zone() -> None:
    assert FIELD.zoc(only({"Sevastopol": "0401"}), "red") == frozenset()
    assert FIELD.zoc(only({"Sailors": "0605"}, Sailors="routed"), "red") == frozenset()
    assert FIELD.zoc(only({"Sailors": "0605"}, Sailors="disorganised"), "red")


# ------------------------------------------------------------------ movement


# who, from, to, and what it costs; None: not in one move
COSTS = [
    ("Talabsk", "0506", "0606", "1"),  # clear
    ("Talabsk", "0808", "0708", "2"),  # wood
    ("1 Battery", "0808", "0708", "3"),
    ("Bulak Horse", "0406", "0407", "2"),  # heights, away from the road
    ("Bulak Horse", "0606", "0506", "3/2"),  # not straight up, but by the road from 0507
    ("Bulak Horse", "0507", "0506", "1/2"),  # along it
    ("Bulak Horse", "0509", "0604", "5/2"),  # five hexes of road over two heights
    ("Talabsk", "0509", "0505", "4"),
    ("Talabsk", "0509", "0604", None),
    ("AB Talab", "0507", "0604", "3/2"),
    ("Talabsk", "0404", "0405", "2"),  # marsh
    ("Talabsk", "1106", "1105", "2"),  # across the Izhora
    ("1 Battery", "1106", "1105", "3"),
    ("Brown Bear", "1106", "1105", "3"),  # by the bridge of Tsarskoe Selo only
    ("Brown Bear", "1006", "1005", "1"),
    ("Train No. 6", "0402", "0601", "3/2"),
    ("Train No. 6", "0402", "0503", None),  # no rails
    ("Sevastopol", "0401", "0301", "1"),
    ("Sevastopol", "0401", "0402", None),
]


@pytest.mark.parametrize(("name", "start", "end", "cost"), COSTS)
def test_a_move_costs_what_the_terrain_asks(
    name: str, start: str, end: str, cost: str | None
) -> None:
    board = only({name: start})
    way = FIELD.reach(board, board.piece(name)).get(board.map.hex(end))
    assert (way and way.cost) == (cost and Fraction(cost))


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("Brown Bear", "0808", "0708"),  # a wood
        ("AB Talab", "0404", "0405"),  # a marsh
        ("1 Battery", "0404", "0405"),
        ("Talabsk", "0303", "0302"),  # the gulf
    ],
)
def test_ground_that_is_closed_to_a_class(name: str, start: str, end: str) -> None:
    board = only({name: start})
    piece = board.piece(name)
    assert not FIELD.enters(board, piece, board.map.hex(end))
    assert board.map.hex(end) not in FIELD.reach(board, piece)


def test_a_move_ends_in_the_marsh() -> None:
    board = only({"Talabsk": "0404"})
    way = FIELD.reach(board, board.piece("Talabsk"))[board.map.hex("0405")]
    assert way.stop


def test_a_move_ends_in_an_enemy_zone_and_goes_from_none_to_none() -> None:
    board = only({"Bulak Horse": "0608", "Sailors": "0605"})
    found = FIELD.reach(board, board.piece("Bulak Horse"))
    assert found[board.map.hex("0606")].stop
    assert board.map.hex("0605") not in found
    inside = only({"Bulak Horse": "0606", "Sailors": "0605"})
    piece, there = inside.piece("Bulak Horse"), inside.map.hex("0706")
    assert len(FIELD.reach(inside, piece)[there].path) > 2, "out, and in again"
    assert len(field(zoc_movement="infiltrate").reach(inside, piece)[there].path) == 2


def test_zones_of_tanks_stop_nobody() -> None:
    board = only({"Sailors": "0605", "Brown Bear": "0606", "First Aid": "0406"})
    assert hexes("0506", "0507") <= set(FIELD.reach(board, board.piece("Sailors")))


def test_a_routed_unit_keeps_away_from_the_enemy() -> None:
    board = only({"Talabsk": "0607", "Sailors": "0605"}, Talabsk="routed")
    piece = board.piece("Talabsk")
    assert board.map.hex("0606") not in FIELD.reach(board, piece)
    assert board.map.hex("0606") in field(routed_units="active").reach(board, piece)


def test_trotsky_ends_a_move_only_with_a_unit() -> None:
    board = only({"Trotsky": "0604", "Sailors": "0603", "Cadets": "0704"})
    found = FIELD.reach(board, board.piece("Trotsky"))
    assert numbers(found) == {"0603", "0604", "0704"}, "where he stands, and where units are"


# ------------------------------------------------------------------ stacking


def test_eight_pe_may_stand_in_a_hex_and_hqs_are_free() -> None:
    limit = FIELD.card.number("stacking_pe")
    full = only({"Talabsk": "0507", "Semenov": "0507", "Bulak Horse": "0507", "HQ Palen": "0507"})
    stack = full.stack(full.map.hex("0507"))
    assert sum(piece.steps for piece in stack if piece.kind != "hq") == limit == 8
    assert FIELD.stacking_problem(full, full.map.hex("0507"), stack) is None
    tank = full.piece("Brown Bear")
    problem = FIELD.stacking_problem(full, full.map.hex("0507"), (*stack, tank))
    assert str(problem) == "9 PE in a hex; at most 8"


def test_a_full_hex_is_passed_but_not_stayed_in() -> None:
    board = only(
        {"Talabsk": "0507", "Semenov": "0507", "Bulak Horse": "0507", "Brown Bear": "0508"}
    )
    found = FIELD.reach(board, board.piece("Brown Bear"))
    assert board.map.hex("0507") not in found
    assert board.map.hex("0506") in found


# ------------------------------------------------------------------ supply


def test_a_supply_line_leads_to_a_source() -> None:
    board = only({"Talabsk": "0506"})
    path = FIELD.supply(board, board.piece("Talabsk")).path
    assert [board.map.number(hex_) for hex_ in path] == ["0506", "0507", "0508", "0509"]


def test_enemies_and_their_zones_cut_a_line_and_are_named() -> None:
    board = only(cut_off())
    line = FIELD.supply(board, board.piece("Sailors"))
    assert not line.traced
    assert hexes("0206", "0107", "0105") <= set(line.cut_by)


def test_friends_keep_a_line_open_in_an_enemy_zone() -> None:
    held = {"Sailors": "0604", "Talabsk": "0503", "Semenov": "0703"}
    board = only(held)
    assert numbers(FIELD.zoc(board, "ano")) >= {"0602", "0603"}
    assert board.map.hex("0603") not in FIELD.supply(board, board.piece("Sailors")).path
    helped = only({**held, "Cadets": "0603", "Vyborg Militia": "0602"})
    path = FIELD.supply(helped, helped.piece("Sailors")).path
    assert hexes("0603", "0602") <= set(path)


def test_no_line_runs_over_water() -> None:
    board = only({"Sailors": "0203", "Talabsk": "0304", "Semenov": "0204"})
    assert not FIELD.supply(board, board.piece("Sailors")).traced


def test_who_is_supplied_is_what_a_plain_search_finds() -> None:
    random = Random(1919)
    found = Counter[bool]()
    for _ in range(25):
        board = scattered(random)
        for piece in board.pieces:
            if piece.at is not None:
                traced = FIELD.supply(board, piece).traced
                assert FIELD.has_supply(board, piece) == traced
                found[traced] += 1
    assert min(found[True], found[False]) > 25


# ------------------------------------------------------------------ encirclement


def test_a_stack_is_encircled_when_every_way_out_is_closed() -> None:
    ring = {"Sailors": "0605", "Talabsk": "0606", "Semenov": "0604"}
    board = only(ring)
    here = board.map.hex("0605")
    closed = numbers(FIELD.zoc(board, "ano"))
    assert {"0505", "0506", "0705", "0706"} <= closed
    assert FIELD.encircled(board, here, "red")
    assert not FIELD.encircled(only({**ring, "Cadets": "0505"}), here, "red"), "a friend"
    assert not FIELD.encircled(only({**ring}, Semenov="routed"), here, "red"), "no zone"


def test_water_and_the_edge_of_the_map_close_a_way_out() -> None:
    board = only({"Sailors": "0203", "Talabsk": "0304", "Semenov": "0204"})
    here = board.map.hex("0203")
    assert FIELD.encircled(board, here, "red"), "the gulf behind it"
    corner = only({"Talabsk": "0109", "Sailors": "0208"})
    here = corner.map.hex("0109")
    assert FIELD.encircled(corner, here, "ano")
    assert not field(encirclement="edge_open").encircled(corner, here, "ano")
    assert not field(encirclement="no_supply").encircled(corner, here, "ano"), "on its source"


def test_encircled_may_mean_without_supply() -> None:
    board = only(cut_off())
    assert field(encirclement="no_supply").encircled(board, board.map.hex("0106"), "red")


# ------------------------------------------------------------------ retreats


def _ways(board: Board, name: str, hexes_: int, rules: WhiteOctoberField = FIELD) -> set[str]:
    piece = board.piece(name)
    assert piece.at is not None
    return numbers(rules.retreats(board, [piece], (piece.at,), hexes_))


def test_a_retreat_leads_away_from_enemies_and_their_zones() -> None:
    board = only({"53 Rifles": "0605", "Talabsk": "0606"})
    assert _ways(board, "53 Rifles", 1) == {"0604", "0505", "0705"}


def test_a_retreat_enters_an_enemy_zone_only_where_friends_stand() -> None:
    board = only({"53 Rifles": "0605", "Talabsk": "0606", "Cadets": "0506"})
    assert "0506" in _ways(board, "53 Rifles", 1)
    assert "0506" not in _ways(board, "53 Rifles", 1, field(retreat_zoc="never"))


def test_a_retreat_does_not_enter_closed_ground() -> None:
    board = only({"AB Talab": "0404", "Sailors": "0304"})
    assert "0405" not in _ways(board, "AB Talab", 1), "a marsh"
    board = only({"Sailors": "0402", "Talabsk": "0403"})
    assert _ways(board, "Sailors", 1) == {"0502"}, "the gulf behind it"


def test_a_retreat_of_two_hexes_needs_a_second_one() -> None:
    board = only({"Sailors": "0402", "Talabsk": "0403", "Semenov": "0603"})
    assert numbers(FIELD.zoc(board, "ano")) & {"0501", "0502", "0602"} == {"0602"}
    assert _ways(board, "Sailors", 2) == {"0502"}
    blocked = only({"Sailors": "0402", "Talabsk": "0403", "Semenov": "0601"})
    assert furthest(FIELD, blocked, [blocked.piece("Sailors")], 2) == 0


def test_a_full_hex_is_passed_by_one_hex_more_or_blocks() -> None:
    board = only(
        {
            "Sailors": "0402",
            "Talabsk": "0403",
            "Latvians": "0502",
            "53 Rifles": "0502",
            "Cadets": "0502",
        }
    )
    assert _ways(board, "Sailors", 1) == {"0502"}
    assert _ways(board, "Sailors", 1, field(overstacking="blocked")) == set()
    ran = run(withdraw(FIELD, board, "defender", ["Sailors"], 1, rout=False))
    here = board.map.hex("0402")
    assert ran.value.piece("Sailors").at.distance(here) == 2
    assert ran.ids.count("retreats-to") == 2


def test_a_rout_runs_towards_the_own_supply_source() -> None:
    board = only({"53 Rifles": "0605", "Talabsk": "0606"})
    ran = run(withdraw(FIELD, board, "defender", ["53 Rifles"], 2, rout=True))
    assert at(ran.value, "53 Rifles") == "0603"
    assert ran.asked == [], "0604 and 0603 lie nearest to 0601"
    ran = run(withdraw(field(rout_path="owner"), board, "defender", ["53 Rifles"], 2, rout=True))
    assert [ask.what for ask in ran.asked] == ["retreat-where"] * 2


def test_hexes_that_cannot_be_retreated_are_paid_for() -> None:
    board = only({"Sailors": "0203", "Talabsk": "0304", "Semenov": "0204"})
    ran = run(withdraw(FIELD, board, "defender", ["Sailors"], 2, rout=False))
    assert at(ran.value, "Sailors") == "0203"
    assert ran.value.piece("Sailors").steps == 1
    ran = run(
        withdraw(field(no_retreat="eliminated"), board, "defender", ["Sailors"], 2, rout=False)
    )
    assert not ran.value.piece("Sailors").alive


def test_units_that_cannot_go_together_go_each_by_itself() -> None:
    board = only({"Train No. 6": "0603", "Sailors": "0603", "Talabsk": "0604"})
    ran = run(withdraw(FIELD, board, "defender", ["Train No. 6", "Sailors"], 1, rout=False))
    assert ran.value.piece("Sailors").at != board.map.hex("0603")
    assert not ran.value.piece("Train No. 6").alive, "no rails: it pays with its only PE"


def test_no_retreat_on_random_boards_is_forbidden() -> None:
    random = Random(7)
    seen = 0
    for _ in range(25):
        board = scattered(random)
        for piece in list(board.pieces):
            if piece.at is None:
                continue
            enemy = FIELD.enemy(piece.side)
            for way in FIELD.retreats(board, [piece], (piece.at,), 2):
                seen += 1
                assert board.side_of(way) != enemy
                assert way not in FIELD.zoc(board, enemy) or board.side_of(way) == piece.side
                assert FIELD.entry(board, piece, piece.at, way, first=True) is not None
    assert seen > 100
