"""Bautzen 1945, the whole game: deployment, reinforcements, supply, victory, by printed cases."""

import pytest

from grognard import Refusal
from grognard.games.bautzen import campaign
from grognard.games.bautzen.ground import HELD
from grognard.maps.board import Board
from grognard.matches.match import begin
from grognard.matches.protocol import END, Order
from grognard.testing.random_matches import check_match, random_match
from tests.fields.campaign_board import (
    FIELD,
    NAME,
    START,
    area_of,
    at,
    came,
    field,
    only,
    put,
    roll_of,
)

# ------------------------------------------------------------------ 12 deployment


def test_the_allies_deploy_first_and_the_usual_set_up_is_legal_hex_by_hex() -> None:
    match = begin(NAME)
    sides = []
    while isinstance(match.asking, Order) and match.asking.phase == "phase-deployment":
        sides.append(match.asking.side)
        for force in FIELD.scenario.units:
            waits = force.area and force.side == sides[-1]
            if (
                waits
                and match.board.piece(force.name).at is None
                and not force.area.startswith("german-")
            ):
                match.answer(("place", force.name, force.hex or ""))
        match.answer(END)
    assert sides == ["allied", "german"]
    on_map = [piece for piece in match.board.pieces if piece.at is not None and piece.kind != "cl"]
    assert sum(piece.side == "allied" for piece in on_map) == 53
    assert sum(piece.side == "german" for piece in on_map) == 32


AREAS = {
    "776/214": "2005 2006 2007 2105 2106 2107 2108 2204 2205 2206 2207 2208 2305 2306 2307 2308",
    "857/294": "1809 1810 1909 1910 1911 2009 2010",
    "929/254": (
        "1108 1109 1110 1111 1207 1208 1209 1210 1211 1307 1308 1309 1310 1311 1312 1406 1407 1408 "
        "1409 1410 1411 1412 1507 1508 1509 1510 1511 1512 1513 1607 1608 1609 1610 1611 1612 1708 "
        "1709 1710 1711 1712 1808 1809 1810 1811"
    ),
    "33/7DP": "1903 1904 2002 2003 2004 2103 2104",
    "25/10DP": "1801 1802 1901 1902 1903 2001 2002",
    "36/14Gd": "1601 1602 1701 1702 1703 1801 1802",
    "44/15Gd": "0801 0802 0901 0902 0903 1001 1002",
    "13/5DP": "1507 1508 1606 1607 1608 1707 1708",
    "26/9DP": "0808 0809 0908 0909 0910 1008 1009",
    "32/8DP": "0410 0411 0510 0511 0512 0610 0611",
    "KG 72": "2109 2110 2208 2209 2210 2309 2310",
    "KG 1/464": "1804 1805 1904 1905 1906 2004 2005",
    "732": "1401 1402 1501 1502 1503 1601 1602",
    "KG/615": "1603 1604 1703 1704 1705 1803 1804",
}


@pytest.mark.parametrize(("name", "numbers"), AREAS.items())
def test_the_areas_are_the_printed_ones(name: str, numbers: str) -> None:
    assert area_of(name) == set(numbers.split())


def test_the_germans_of_the_south_have_79_hexes() -> None:
    numbers = area_of("21/20Pz")
    assert len(numbers) == 79
    assert {"1213", "0401", "0512", "1713"} - numbers == {"1213"}  # even columns have 12 rows


def test_areas_follow_the_options() -> None:
    assert "1902" in area_of("QG 464", start_464="1902")
    assert "0409" in area_of("QG 8 DP", start_8dp="0510")
    assert "1713" in area_of("24/7Gd", places="numbers")


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        (("place", "13/5DP", "0101"), "13/5DP is deployed elsewhere: within a hex of 1607"),
        (("place", "21/20Pz", "1812"), "21/20Pz is not yours to use here"),
        (("place", "6L", "1607"), "6L is deployed elsewhere: with or beside another Polish unit"),
        (("place", "284/95Gd", "2001"), "284/95Gd comes later"),
        (("place", "13/5DP", "9999"), "there is no hex 9999 on this map"),
        (("move", "13/5DP", "1607"), "'move 13/5DP 1607' is not an order here"),
    ],
)
def test_a_wrong_place_is_refused(order: tuple[str, ...], problem: str) -> None:
    match = begin(NAME)
    with pytest.raises(Refusal, match=problem.replace("?", r"\?")):
        match.answer(order)
    assert not match.answers


def test_stacking_holds_while_deploying() -> None:
    match = begin(NAME)
    for name in ("13/5DP", "15/5DP", "17/5DP"):
        match.answer(("place", name, "1607"))
    with pytest.raises(Refusal, match="9 stacking points; at most 6"):
        match.answer(("place", "QG 5 DP", "1607"))


def test_a_unit_may_be_placed_again_and_leaves_nothing_behind() -> None:
    match = begin(NAME)
    match.answer(("place", "13/5DP", "1607"))
    match.answer(("place", "13/5DP", "1608"))
    match.answer(("place", "15/5DP", "1608"))
    match.answer(END)
    match.answer(END)
    assert match.board.side_of(at(match.board, "1608")) == "allied"
    held = {match.board.map.number(h) for h, side in match.board.holders.items()}
    assert held == {match.board.map.number(h) for h in match.board.stacks()}


# ------------------------------------------------------------------ 11 reinforcements


def test_k2_turn_2_a_6_releases_one_division() -> None:
    after, told = roll_of(START, 2, 6)
    assert campaign.guards(START) == ("14 GRD", "15 GRD")
    assert campaign.guards(after) == ("15 GRD",)
    assert came(START, after) == set()
    assert told == ["reinforcement-result", "released"]


def test_k3_turn_4_a_6_with_bautzen_german_brings_4_gtc_and_an_air_marker() -> None:
    board = START.held([at(START, "1409")], "german").removed("929/254", "QG 254 RD")
    after, _ = roll_of(board, 4, 6)
    assert came(board, after) == {"4 GTC"}
    assert sum(p.formation == "4 GTC" and p.at is not None for p in after.pieces) == 6
    assert after.pools["air"] == 2


def test_k4_turn_3_a_6_with_bautzen_and_weissenberg_german() -> None:
    board = START.removed("933/254", "26/7Gd", "861/294")
    board = board.held([at(board, "1510"), at(board, "1910")], "german")
    after, _ = roll_of(board, 3, 6)
    assert came(board, after) == {"95 GRD"}
    assert after.pools["air"] == 2
    assert came(board, roll_of(board, 3, 6, reinforcement_modifiers="added")[0]) == {"4 GTC"}


def test_k5_in_play_already_nothing_comes() -> None:
    board, _ = roll_of(START, 5, 5)
    assert came(START, board) == {"95 GRD"}
    after, told = roll_of(board, 5, 6)
    assert after == board
    assert told == ["reinforcement-result", "in-play-already"]
    assert roll_of(board, 5, 6, in_play_already="air_still_comes")[0].pools["air"] == 2


def test_a_second_result_for_the_guards() -> None:
    board, _ = roll_of(START, 4, 3)
    assert campaign.guards(roll_of(board, 4, 4)[0]) == ()
    assert campaign.guards(roll_of(board, 4, 4, second_guards="nothing")[0]) == ("15 GRD",)


def test_nobody_rolls_on_turn_1() -> None:
    assert roll_of(START, 1, 6) == (START, [])


def test_k14_a_division_that_is_held_back_stays_north_of_row_05() -> None:
    board = only(("36/14Gd", "1703"))
    reached = {board.map.number(h) for h in FIELD.reach(board, board.piece("36/14Gd"))}
    assert "1704" in reached
    assert not {number for number in reached if int(number[2:]) >= 5}
    free = board.changed(board.piece("36/14Gd").cleared(HELD))
    assert {
        n for h in FIELD.reach(free, free.piece("36/14Gd")) if (n := free.map.number(h))[2:] == "05"
    }


# ------------------------------------------------------------------ 3, 5, 7, 10


def test_k7_and_k15_a_height_shuts_lines_only_while_it_is_occupied() -> None:
    board = only(("21/20Pz", "1811"))
    on_it, left = board, put(board, "21/20Pz", "1813" if board.map.has("1813") else "1912")
    assert at(board, "1809") in FIELD.dominated(on_it, "german")
    assert at(board, "1809") in FIELD.dominated(left, "german")  # 10.2: control is enough
    assert at(board, "1809") in FIELD.shut(on_it, "allied")
    assert at(board, "1809") not in FIELD.shut(left, "allied")
    there = only(("21/20Pz", "1611"))
    assert at(there, "1609") in FIELD.shut(there, "allied")
    gone = put(there, "21/20Pz", "1713")
    assert gone.holders[at(gone, "1611")] == "german"
    assert at(gone, "1609") not in FIELD.shut(gone, "allied")


def test_k8_a_zone_of_control() -> None:
    board = only(("PzG3/HG2", "1308"))
    zone = {board.map.number(hex_) for hex_ in FIELD.zoc(board, "german")}
    assert zone == {"1207", "1208", "1307", "1309", "1407", "1408"}


def test_k9_stacking_points() -> None:
    board = only()
    stack = tuple(board.piece(name) for name in ("13/5DP", "15/5DP", "17/5DP"))
    column = board.piece("CL A1")
    clear, wood = (
        at(board, "1609"),
        at(board, "1506" if "wood" in terrain(board, "1506") else "1505"),
    )
    assert "wood" in board.map.places[wood].terrain
    assert FIELD.stacking_problem(board, clear, stack) is None
    assert str(FIELD.stacking_problem(board, clear, (*stack, column))).startswith(
        "7 stacking points"
    )
    assert str(FIELD.stacking_problem(board, wood, stack)).startswith(
        "6 stacking points; at most 4"
    )


def terrain(board: Board, number: str) -> frozenset[str]:
    return board.map.places[at(board, number)].terrain


def test_k12_an_unsupplied_tank_regiment_moves_half() -> None:
    board = only(("21/20Pz", "1609"))
    piece = board.piece("21/20Pz").marked("unsupplied")
    assert FIELD.allowance(board, piece) == 5 * 6


# ------------------------------------------------------------------ 13 victory


def conditions(board: Board, **options: str) -> list[bool]:
    return [one.holds for one in field(**options).verdict(board).conditions]


def winner(board: Board, victory: str) -> str | None:
    return field(victory=victory).verdict(board).winner


def test_the_germans_win_by_as_many_conditions_as_the_option_asks() -> None:
    assert conditions(START) == [False, False, True]
    cleared = START.removed("929/254", "QG 254 RD", "933/254", "26/7Gd", "861/294", "780/214")
    towns = cleared.held([at(START, "1409"), at(START, "1510")], "german")
    assert conditions(towns) == [True, False, True]
    assert winner(towns, "all_three") == "allied"
    assert winner(towns, "either_and_dresden") == "german"
    both = towns.held([at(START, "1910"), at(START, "2108")], "german")
    assert conditions(both) == [True, True, True]
    assert winner(both, "all_three") == "german"
    fallen = put(both, "13/5DP", "0113")
    assert conditions(fallen) == [True, True, False]
    assert winner(fallen, "all_three") == winner(fallen, "either_and_dresden") == "allied"
    assert winner(fallen, "one_is_enough") == "german"
    lost = put(START, "13/5DP", "0113")
    assert conditions(lost) == [False, False, False]
    assert winner(lost, "one_is_enough") == "allied"


def test_the_scenario_is_balanced_unless_the_printed_conditions_are_chosen() -> None:
    assert FIELD.options["victory"] == "one_is_enough"
    assert FIELD.card.chosen({})["victory"] == "all_three"


@pytest.mark.parametrize("victory", ["all_three", "either_and_dresden", "one_is_enough"])
def test_the_automatic_player_wants_every_hex_of_the_conditions(victory: str) -> None:
    one = field(victory=victory)
    wanted = {START.map.number(hex_) for hex_ in one.aims(START)}
    assert wanted == {"1409", "1510", "1910", "2108", "2206", "1009", "0510", "0113"}


def test_bautzen_is_encircled_when_no_allied_line_leads_from_it() -> None:
    ring = [("21/20Pz", "1408"), ("59/20Pz", "1310"), ("112/20Pz", "1411"), ("Pz1/HG1", "1511")]
    ring += [("PzG1/HG1", "1610"), ("PzG2/HG1", "1509")]
    board = only(*ring, ("929/254", "1409"), ("933/254", "1510"))
    assert conditions(board)[0]
    open_ = board.removed("PzG1/HG1", "PzG2/HG1", "Pz1/HG1")
    assert not conditions(open_)[0]
    assert conditions(board, encircled="ring")[0]
    assert not conditions(open_, encircled="ring")[0]


# ------------------------------------------------------------------ whole campaigns


@pytest.mark.slow
def test_a_random_campaign_comes_to_its_end() -> None:
    check_match(random_match(NAME, 3))
