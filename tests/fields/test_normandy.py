"""Normandy '44 on the map: the scenario, zones, movement, stacking, supply."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from msgspec.structs import replace

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import POINT
from grognard.matches.protocol import Roles
from tests.fields.normandy_board import (
    BEACH,
    Run,
    at,
    board,
    field,
    marked,
    numbers,
    scattered,
    whole_of,
)

CUT_OFF = {"505/82": "0304", "Pz 100": "0403", "III/919": "0103", "1058/91": "0505"}


# ------------------------------------------------------------------ the scenario


def test_the_map_has_every_row_of_the_terrain_chart() -> None:
    sheet = whole_of().map
    used = {id_ for place in sheet.places.values() for id_ in place.terrain}
    used |= {
        id_ for features in (*sheet.hexsides.values(), *sheet.ways.values()) for id_ in features
    }
    chart = {row.id for row in field().card.terrain if row.on in ("hex", "hexside", "way")}
    assert chart <= used
    assert {"strongpoint", "entrenchment", "coast"} <= used


def test_every_reinforcement_of_the_table_can_land() -> None:
    rows = {str(piece.face["row"]) for piece in whole_of().pieces if "row" in piece.face}
    table = field().card.table("reinforcements")
    assert rows | {"supply-point"} == set(table.row_labels)


def test_the_scenario_is_small() -> None:
    assert 60 <= len(whole_of().map.places) <= 110
    assert len(whole_of().pieces) == 25


# ------------------------------------------------------------------ zones of control


def test_a_zone_of_control_is_the_six_hexes_around() -> None:
    b = board({"1058/91": "0504"})
    around = {"0503", "0603", "0604", "0505", "0404", "0403"}
    assert numbers(b, field().zoc(b, "german")) == around


def test_no_zone_of_control_reaches_across_an_impassable_hexside() -> None:
    b = board({"FJ 6": "0805"})
    assert numbers(b, field().zoc(b, "german")) == {"0906", "0806", "0706", "0705"}


def test_an_hq_has_no_zone_of_control() -> None:
    b = board({"QG 91": "0507"})
    assert not field().zoc(b, "german")
    assert len(field(hq_zoc="yes").zoc(b, "german")) == 6


def test_a_disorganised_unit_keeps_its_zone_unless_played_otherwise() -> None:
    b = marked(board({"1058/91": "0504"}), "1058/91", "disorganised")
    assert len(field().zoc(b, "german")) == 6
    assert not field(disorganised="no_zoc").zoc(b, "german")


# ------------------------------------------------------------------ movement


@pytest.mark.parametrize(
    ("unit", "start", "end", "cost"),
    [
        ("8/4", "0502", "0503", "1/2"),  # by the main road over the causeway
        ("70 Tk", "0501", "0504", "1"),  # three hexes of main road at 1/3
        ("101 Tiger", "0508", "0504", "2"),  # German mechanised: 1/2 each (note B)
        ("8/4", "0508", "0504", "2"),  # not mechanised: 1/2 each
        ("70 Tk", "0904", "1004", "2"),  # wood
        ("8/4", "0904", "1004", "1"),
        ("8/4", "0401", "0402", "2"),  # flooded
        ("22/4", "0602", "0703", "2"),  # flooded hexside +1, bocage 1
        ("22/4", "0602", "0603", "3"),  # flooded hexside +1, flooded 2
        ("22/4", "0405", "0406", "2"),  # major river +1, bocage 1
        ("70 Tk", "0405", "0406", "2"),
        ("8/4", "0805", "0806", "1"),  # minor river: nothing on foot
        ("70 Tk", "0805", "0806", "2"),  # +1
        ("8/4", "0504", "0505", "1/2"),  # into the village by road
        ("8/4", "0604", "0505", "1"),  # a village costs its other terrain
        ("8/4", "0706", "0805", "1"),  # so does a hilltop
        ("70 Tk", "0802", "0903", "1"),  # and an airfield
        ("8/4", "0803", "0903", "1"),  # a runway costs nothing
        ("8/4", "0104", "0103", "1"),  # nor does the Cherbourg perimeter
        ("70 Tk", "0304", "0404", "1/2"),  # flooded, along the road
    ],
)
def test_what_a_move_costs(unit: str, start: str, end: str, cost: str) -> None:
    b = board({unit: start})
    assert field().reach(b, b.piece(unit))[at(b, end)].cost == Fraction(cost)


def test_a_flooded_hex_ends_the_move() -> None:
    b = board({"8/4": "0401"})
    way = field().reach(b, b.piece("8/4"))[at(b, "0402")]
    assert way.stop
    for other in field().reach(b, b.piece("8/4")).values():
        assert at(b, "0402") not in other.path[1:-1]


@pytest.mark.parametrize(
    ("unit", "start", "end"),
    [
        ("70 Tk", "0401", "0402"),  # flooded: no mechanised unit
        ("70 Tk", "0602", "0603"),
        ("8/4", "0301", "0201"),  # marsh: nobody
        ("24 Cav", "0601", "0701"),
    ],
)
def test_what_is_forbidden(unit: str, start: str, end: str) -> None:
    b = board({unit: start})
    assert at(b, end) not in field().reach(b, b.piece(unit))


def _steps_across(b: Board, unit: str, feature: str) -> set[bool]:
    """Tell for each crossing of a kind of hexside, off road, if it was the first step of a move."""
    found = set()
    for way in field().reach(b, b.piece(unit)).values():
        for number, (here, there) in enumerate(pairwise(way.path)):
            if feature in b.map.between(here, there) and not b.map.ways_between(here, there):
                found.add(number == 0)
    return found


def test_only_a_unit_that_starts_beside_it_crosses_a_major_river_or_a_flooded_hexside() -> None:
    assert _steps_across(board({"8/4": "0405"}), "8/4", "major-river") == {True}
    assert _steps_across(board({"8/4": "0404"}), "8/4", "major-river") == set()
    assert _steps_across(board({"8/4": "0602"}), "8/4", "flooded-hexside") == {True}
    assert _steps_across(board({"8/4": "0601"}), "8/4", "flooded-hexside") == set()


def test_nobody_crosses_an_impassable_hexside() -> None:
    b = board({"8/4": "0804", "70 Tk": "0905"})
    for unit in ("8/4", "70 Tk"):
        for way in field().reach(b, b.piece(unit)).values():
            for here, there in pairwise(way.path):
                assert "impassable" not in b.map.between(here, there)


def test_german_mechanised_units_in_each_weather() -> None:
    costs = {"clear": Fraction(2), "overcast": Fraction(2), "other": Fraction(4, 3)}
    points = {"clear": 5, "overcast": 7, "other": 7}
    for weather, cost in costs.items():
        b = board({"101 Tiger": "0508"}, weather)
        tiger = b.piece("101 Tiger")
        assert field().allowance(b, tiger) == points[weather] * POINT
        assert field().reach(b, tiger)[at(b, "0504")].cost == cost


def test_the_weather_does_not_slow_others() -> None:
    for unit in ("70 Tk", "FJ 6"):
        b = board({unit: "0508"}, "clear")
        assert field().allowance(b, b.piece(unit)) == b.piece(unit).move * POINT


def test_clear_weather_may_slow_only_on_main_roads() -> None:
    b = board({"101 Tiger": "0608"}, "clear")
    tiger = b.piece("101 Tiger")
    always, sometimes = field(), field(clear_weather_move="by_main_road")
    assert set(always.reach(b, tiger)) < set(sometimes.reach(b, tiger))
    for hex_, way in sometimes.reach(b, tiger).items():
        by_main = any("main-road" in b.map.ways_between(*step) for step in pairwise(way.path))
        limit = 5 if by_main and hex_ not in always.reach(b, tiger) else 7
        assert way.cost <= limit


def test_a_move_ends_in_an_enemy_zone_unless_played_otherwise() -> None:
    b = board({"8/4": "0506", "1058/91": "0504"})
    assert at(b, "0505") in field().reach(b, b.piece("8/4"))
    assert field().reach(b, b.piece("8/4"))[at(b, "0505")].stop
    free = field(zoc_stop="costs_only").reach(b, b.piece("8/4"))
    assert not free[at(b, "0505")].stop
    # 1/2 into the zone, then 1 to leave it and 1/2 by road to the next hex of it
    assert free[at(b, "0404")].cost == 2


def test_leaving_an_enemy_zone_costs_one_more() -> None:
    b = board({"8/4": "0505", "1058/91": "0504"})
    assert field().reach(b, b.piece("8/4"))[at(b, "0506")].cost == Fraction(3, 2)
    assert field().reach(b, b.piece("8/4"))[at(b, "0604")].cost == 2  # from zone to zone


def test_a_unit_that_landed_moves_unless_played_otherwise() -> None:
    b = marked(board({"39/9": BEACH}), "39/9", "landed")
    assert field().may_move(b, b.piece("39/9")) is None
    assert field(landing_move="stays").may_move(b, b.piece("39/9")) is not None


def test_strategic_movement_is_along_roads_and_clear_of_enemy_zones() -> None:
    b = board({"22/21 Pz": "1108", "8/4": "0804"})
    found = field().strategic_reach(b, b.piece("22/21 Pz"))
    zone = field().zoc(b, "allied")
    assert at(b, "0906") in found
    assert not set(found) & zone
    for way in found.values():
        assert way.cost <= 2 * b.piece("22/21 Pz").move
        assert all(b.map.ways_between(*step) for step in pairwise(way.path))


def test_strategic_movement_does_not_begin_in_an_enemy_zone_or_disorganised() -> None:
    b = board({"22/21 Pz": "0905", "8/4": "0904"})
    assert field().strategic_reach(b, b.piece("22/21 Pz")) == {}
    away = marked(board({"22/21 Pz": "1108"}), "22/21 Pz", "disorganised")
    assert field().strategic_reach(away, away.piece("22/21 Pz")) == {}


def _by_hand(b: Board, piece: Piece, path: tuple[Hex, ...]) -> Fraction:
    """Cost a path from the printed chart alone, step by step."""
    ground = {"clear": 1, "mixed": 1, "bocage": 1, "town": 1, "flooded": 2}
    mech = piece.unit_class != "non-mech"
    foe = "german" if piece.side == "allied" else "allied"
    zone = field().zoc(b, foe)
    total = Fraction(0)
    for here, there in pairwise(path):
        names, sides = b.map.places[there].terrain, b.map.between(here, there)
        off = Fraction(max(ground.get(name, 0) for name in names))
        if "wood" in names:
            off = Fraction(2 if mech else 1)
        off += bool(sides & {"major-river", "flooded-hexside"})
        off += mech and "minor-river" in sides
        roads = b.map.ways_between(here, there)
        third = Fraction(1, 3) if piece.unit_class == "mech" else Fraction(1, 2)
        cost = off
        if roads:
            cost = third if "main-road" in roads else Fraction(1, 2)
        total += cost + (here in zone)
    return total


@pytest.mark.parametrize("seed", range(6))
def test_the_path_to_a_hex_costs_by_hand_what_reach_says(seed: int) -> None:
    b = scattered(random.Random(seed))
    for piece in b.pieces:
        for hex_, way in field().reach(b, piece).items():
            assert way.path[-1] == hex_
            assert way.cost == _by_hand(b, piece, way.path), (piece.name, numbers(b, way.path))


# ------------------------------------------------------------------ stacking


def test_three_units_stack_and_hqs_do_not_count() -> None:
    names = ("8/4", "22/4", "70 Tk", "QG 4", "505/82")
    b = board(dict.fromkeys(names, BEACH))
    pieces = [b.piece(name) for name in names]
    assert field().stacking_problem(b, at(b, BEACH), tuple(pieces[:4])) is None
    assert field().stacking_problem(b, at(b, BEACH), tuple(pieces)) is not None
    counted = field(hq_stacking="counted")
    assert counted.stacking_problem(b, at(b, BEACH), tuple(pieces[:3])) is None
    assert counted.stacking_problem(b, at(b, BEACH), tuple(pieces[:4])) is not None


def test_a_move_does_not_end_where_there_is_no_room() -> None:
    b = board({"8/4": "0502", "22/4": "0502", "70 Tk": "0502", "505/82": "0501"})
    assert at(b, "0502") not in field().reach(b, b.piece("505/82"))
    assert at(b, "0503") in field().reach(b, b.piece("505/82"))


# ------------------------------------------------------------------ supply


def test_a_supply_line_is_the_shortest_way_to_a_beach() -> None:
    b = board({"8/4": "0504"})
    line = field().supply(b, b.piece("8/4"))
    assert [b.map.number(hex_) for hex_ in line.path] == ["0504", "0503", "0502", "0501"]


def test_a_supply_line_is_cut_by_enemies_and_their_zones_and_opened_by_friends() -> None:
    b = board(CUT_OFF)
    line = field().supply(b, b.piece("505/82"))
    assert not line.traced
    assert {"0403", "0303", "0203"} <= numbers(b, line.cut_by)
    helped = board({**CUT_OFF, "8/4": "0303"})
    assert field().supply(helped, helped.piece("505/82")).traced
    strict = field(supply_zoc="never")
    assert not strict.supply(helped, helped.piece("505/82")).traced


def test_a_supply_line_has_a_longest_length() -> None:
    b = board({"8/4": "0508"})
    assert field().supply(b, b.piece("8/4")).traced  # seven hexes
    far = board({"8/4": "0108"})
    assert not field().supply(far, far.piece("8/4")).traced


def test_a_source_under_the_enemy_supplies_nobody() -> None:
    one = board({"8/4": "0602", "I/919": "0501"})
    assert one.map.number(field().supply(one, one.piece("8/4")).path[-1]) == "0901"
    both = board({"8/4": "0602", "I/919": "0501", "II/919": "0901"})
    assert not field().supply(both, both.piece("8/4")).traced


@pytest.mark.parametrize("seed", range(8))
def test_who_is_supplied_equals_a_plain_search(seed: int) -> None:
    b = scattered(random.Random(seed))
    for side in ("allied", "german"):
        fed = field().supplied(b, side)
        for piece in b.of(side):
            assert (piece.at in fed) == field().supply(b, piece).traced == _plain(b, piece)


def _plain(b: Board, piece: Piece) -> bool:
    """Search for a supply line by widening circles, from the rules as words."""
    foe = "german" if piece.side == "allied" else "allied"
    zone = field().zoc(b, foe)
    sources = [h for h, owner in b.map.sources.items() if owner == piece.side]
    sources = [h for h in sources if b.side_of(h) != foe]
    assert piece.at
    circle, seen = {piece.at}, {piece.at}
    for _ in range(9):
        if circle & set(sources):
            return True
        wider = set()
        for here in circle:
            for there in b.map.around[here]:
                held = b.side_of(there) == piece.side
                dry = "marsh" not in b.map.places[there].terrain
                across = "impassable" not in b.map.between(here, there)
                blocked = b.side_of(there) == foe or (there in zone and not held)
                if dry and across and not blocked and there not in seen:
                    wider.add(there)
        circle, seen = wider, seen | wider
    return False


@pytest.mark.parametrize(
    ("where", "unit", "aim"),
    [
        ({"FJ 6": "0507"}, "FJ 6", "town"),
        ({"FJ 6": "0905", "QG 91": "0906"}, "FJ 6", "hq"),
        ({"II/919": "0702"}, "II/919", "strongpoint"),
        ({"8/4": "0304"}, "8/4", "coast"),
        (CUT_OFF, "505/82", None),
        ({"QG 91": "0908"}, "QG 91", None),  # not to itself
    ],
)
def test_to_what_an_isolated_unit_traces_its_line(
    where: dict[str, str], unit: str, aim: str | None
) -> None:
    b = replace(board(where), holders={})  # only what is occupied is held
    assert field().supply_line(b, b.piece(unit))[0] == aim
    assert field().isolated(b, b.piece(unit)).supply_line_to == aim


def test_a_lost_strongpoint_and_an_enemy_town_give_no_line() -> None:
    lost = replace(board({"II/919": "0702"}), holders={}, pools={"fallen 0702": 1})
    assert field().supply_line(lost, lost.piece("II/919"))[0] is None
    town = board({"FJ 6": "0607"})
    assert field().supply_line(town, town.piece("FJ 6"))[0] == "town"
    held = replace(town, holders=dict.fromkeys(town.holders, "allied"))
    assert field().supply_line(held, held.piece("FJ 6"))[0] is None


def test_isolated_units_roll_at_the_end_of_their_turn() -> None:
    b = board(CUT_OFF)
    run = Run(field().end_of_turn(b, "allied", 1), {"attrition-roll": (2,)})  # 2 + quality 2 is 4
    assert run.asked == ["attrition-roll"]
    assert run.board.piece("505/82").steps == 1
    assert run.told("is-isolated")
    assert run.told("no-line")
    assert run.roles == [Roles("german", "allied"), Roles("allied", "german")]
    spared = Run(field().end_of_turn(b, "allied", 1), {"attrition-roll": (3,)})
    assert spared.board.piece("505/82").steps == 2


def test_isolation_may_need_a_whole_turn() -> None:
    b = board(CUT_OFF)
    assert not Run(field(isolation="whole_turn").end_of_turn(b, "allied", 1)).asked
    before = Run(field(isolation="whole_turn").check_supply(b, "allied")).board
    assert "unsupplied" in before.piece("505/82").states
    assert Run(field(isolation="whole_turn").end_of_turn(before, "allied", 1)).asked


def test_supply_comes_back() -> None:
    b = marked(board({"8/4": "0502"}), "8/4", "unsupplied")
    run = Run(field().check_supply(b, "allied"))
    assert "unsupplied" not in run.board.piece("8/4").states
    assert run.told("is-supplied")


def test_supply_that_only_a_reading_keeps_as_it_is_carries_its_mark() -> None:
    """The line of 22/4 passes friends in an enemy ZOC: they keep it open, unless played never."""
    run = Run(field().check_supply(whole_of(), "allied"))
    (line,) = [line for line in run.lines if line.id == "stays-supplied"]
    assert (line.unit, line.reading.option, line.rule) == ("22/4", "supply_zoc", "18.4")
    assert line.reading.doubtful
    cut = marked(whole_of(), "22/4", "unsupplied")
    never = Run(field(supply_zoc="never").check_supply(cut, "allied"))
    assert never.told("stays-unsupplied") == ["22/4 stays unsupplied, as its line is read"]
    assert not never.told("stays-supplied")
