"""Panzer Grenadier on the map: expectations worked out by hand from the card and the scenario."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.games.panzer_grenadier.battle import fires, shoots
from grognard.games.panzer_grenadier.conditions import (
    Shot,
    Volley,
    anti_tank_setup,
    crossfire,
    direct_setup,
)
from grognard.games.panzer_grenadier.field import PanzerGrenadierField
from grognard.games.panzer_grenadier.ground import apart, hexsides
from grognard.games.panzer_grenadier.march import march, opportunities
from grognard.games.panzer_grenadier.segment import Segment, SegmentOrders
from grognard.games.panzer_grenadier.stated import AntiTankFire, DirectFire
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches import match as matches
from grognard.matches.match import Match
from grognard.matches.protocol import END, Doing, Order, Verdict, Words
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS
from tests.tiers import sized

SCENARIO = scenarios.load("steppe")
FIELD = PanzerGrenadierField(SCENARIO)
START = SCENARIO.board()


def at(number: str) -> Hex:
    return START.map.hex(number)


def with_options(**options: str) -> PanzerGrenadierField:
    return PanzerGrenadierField(msgspec.structs.replace(SCENARIO, options=options))


def two(total: int) -> tuple[int, int]:
    return (1, total - 1) if total <= 7 else (6, total - 6)


# ------------------------------------------------------------------ setting scenes


def scene(**places: str) -> Board:
    """Put the named units (with `_` for a blank or hyphen) into hexes, and no others."""
    wanted = {_plain(name): number for name, number in places.items()}
    assert wanted.keys() <= {_plain(piece.name) for piece in START.pieces}
    pieces = [
        replace(
            piece, at=at(wanted[name]) if name in wanted else None, arrives=0, states=frozenset()
        )
        for piece in START.pieces
        for name in [_plain(piece.name)]
    ]
    return START.changed(*pieces)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def mark(board: Board, name: str, *states: str) -> Board:
    return board.changed(board.piece(name).marked(*states))


class Ran(NamedTuple):
    """What a part of the rules gave, told and had resolved."""

    value: Any
    lines: list[Line]
    fights: list[Fight]
    asked: list[Order | Choose | Roll]

    @property
    def ids(self) -> list[str]:
        return [line.id for line in self.lines]


def run(doing: Doing[Any], *answers: Answer) -> Ran:
    """Run a part of the rules with the answers in order; none may be missing or left over."""
    waiting, ran = list(answers), Ran(None, [], [], [])
    sent: Answer | Play | None = None
    while True:
        try:
            said = doing.send(sent)
        except StopIteration as end:
            assert not waiting
            return ran._replace(value=end.value)
        sent = None
        match said:
            case Line():
                ran.lines.append(said)
            case Fight():
                play = Play(said)
                while play.asking is not None:
                    play.answer(waiting.pop(0))
                ran.lines.extend(told.line for told in play.told)
                ran.fights.append(said)
                sent = play
            case Order() | Choose() | Roll():
                ran.asked.append(said)
                sent = waiting.pop(0)


def segment(board: Board, side: str = "german", turn: int = 1, *used: str) -> Segment:
    starts = {piece.name: piece.at for piece in board.of(side) if piece.at}
    return Segment(side, turn, starts, frozenset(map(at, used)))


def orders(
    board: Board,
    side: str = "german",
    turn: int = 1,
    *used: str,
    field: PanzerGrenadierField = FIELD,
) -> SegmentOrders:
    return SegmentOrders(field, board, segment(board, side, turn, *used))


def refused(given: SegmentOrders, *order: str) -> str:
    with pytest.raises(Refusal) as refusal:
        given.check(order)
    return str(refusal.value.problem)


# ------------------------------------------------------------------ lines of sight


def hidden(here: str, there: str, field: PanzerGrenadierField = FIELD) -> set[str]:
    return {START.map.number(hex_) for hex_ in field.hidden_by(START, at(here), at(there))}


def test_open_ground_hides_nothing() -> None:
    assert hidden("0101", "0701") == set()


def test_the_houses_of_a_town_hide_what_lies_behind() -> None:
    assert hidden("0604", "0607") == {"0605"}


def test_one_sees_into_a_town_and_out_of_it() -> None:
    assert hidden("0604", "0605") == set()
    assert hidden("0605", "0603") == set()


def test_a_hill_hides_the_ground_behind_it() -> None:
    assert hidden("0802", "0805") == {"0803"}


def test_a_higher_hill_is_seen_over_a_lower_one() -> None:
    assert hidden("0902", "0904") == set()  # level 1 stands below the line from 0 to 2


def test_a_wood_between_a_hill_and_low_ground_hides_by_the_slope() -> None:
    # from level 2 in 0904 over the wood of 0902 (top 1) to 0901: the line is at 2/3 there
    assert hidden("0904", "0901") == {"0902"}
    assert hidden("0904", "0901", with_options(sight_over="highest")) == set()


def test_sight_is_the_same_both_ways() -> None:
    hexes = sorted(START.map.places)[::3]
    for here in hexes:
        for there in hexes:
            assert bool(FIELD.hidden_by(START, here, there)) == bool(
                FIELD.hidden_by(START, there, here)
            )


def test_neighbours_always_see_each_other() -> None:
    for here, around in START.map.around.items():
        assert all(not FIELD.hidden_by(START, here, there) for there in around)


def test_a_line_along_a_hexside_is_blocked_by_both_hexes_or_by_option_by_one() -> None:
    # 0505 to 0705 runs between 0604 (clear) and 0605 (town)
    assert hidden("0505", "0705") == set()
    assert hidden("0505", "0705", with_options(sight_along="either_blocks")) == {"0605"}


# ------------------------------------------------------------------ hexsides and crossfire


def test_a_fire_comes_through_the_last_hexside_of_its_line() -> None:
    target = at("0505")
    assert hexsides(target.step(0), target) == {0}
    assert hexsides(target.step(2).step(2), target) == {2}
    assert hexsides(target.step(0).step(1), target) == {0, 1}  # through the corner


@pytest.mark.parametrize(
    ("some", "others", "expected"),
    [
        ({0}, {0}, False),
        ({0}, {1}, False),
        ({0}, {5}, False),
        ({0}, {2}, True),
        ({1}, {4}, True),
        ({0, 1}, {2}, True),
    ],
)
def test_hexsides_are_apart_when_they_do_not_touch(
    some: set[int], others: set[int], expected: bool
) -> None:
    assert apart(frozenset(some), frozenset(others), FIELD.options) is expected


@pytest.mark.parametrize(("choice", "enough"), [("either_side", True), ("both_sides", False)])
def test_option_corner_fire(choice: str, enough: bool) -> None:
    """A shot through the corner of two hexsides, after one through a side beside the corner."""
    rules, there = with_options(corner_fire=choice), at("0505")
    board = scene(pziv="0505")
    corner = there.step(0).step(1)
    for side, expected in ((2, enough), (3, True), (4, True), (5, enough), (0, False)):
        shot = mark(board, "Pz IV", f"shot-{board.map.number(there.step(side))}-{side}")
        found = crossfire(rules, shot, corner, shot.piece("Pz IV"))
        assert (found is not None and not found[1]) is expected, side


# ------------------------------------------------------------------ movement

CHART = {row.id: row for row in SCENARIO.terrain}


def plain_cost(unit_class: str, here: Hex, there: Hex, *, first: bool) -> Fraction | None:
    """Read a step from the scenario's chart, a second way."""
    costs: list[Fraction] = []
    open_ = True
    for id_ in START.map.places[there].terrain:
        words = CHART[id_].cost[unit_class]
        if words in ("no", "way"):
            open_ = False
        elif words != "other":
            costs.append(Fraction(words.split()[0]))
    ground = max(costs, default=Fraction(0))
    for id_ in START.map.between(here, there):
        words = CHART[id_].cost[unit_class]
        if words == "no" or (words.endswith("adjacent") and not first):
            open_ = False
        else:
            ground += Fraction(words.split()[0].removeprefix("+"))
    by_road = [Fraction(CHART[w].cost[unit_class]) for w in START.map.ways_between(here, there)]
    return min([*by_road, *([ground] if open_ else [])], default=None)


@pytest.mark.parametrize("name", [piece.name for piece in START.pieces if piece.move and piece.at])
def test_a_path_costed_by_hand_gives_the_same_cost(name: str) -> None:
    board = scene(**{_plain(name): START.map.number(START.piece(name).at or at("0101"))})
    piece = board.piece(name)
    found = FIELD.reach(board, piece)
    assert len(found) > 1
    for hex_, way in found.items():
        assert way.path[0] == piece.at
        assert way.path[-1] == hex_
        assert len(set(way.path)) == len(way.path)
        if name == "Pioneers" and len(way.path) == 2 and "river" in START.map.between(*way.path):
            continue  # engineers help themselves across
        steps = [
            plain_cost(piece.unit_class, here, there, first=here == piece.at)
            for here, there in pairwise(way.path)
        ]
        assert None not in steps
        assert sum(step for step in steps if step is not None) == way.cost
        assert way.cost <= piece.move


def cost(
    board: Board, name: str, number: str, field: PanzerGrenadierField = FIELD
) -> Fraction | None:
    found = field.reach(board, board.piece(name)).get(at(number))
    return found.cost if found else None


def test_a_truck_on_the_road_pays_half_and_crosses_by_the_bridge() -> None:
    board = scene(Opel="0304")
    assert cost(board, "Opel", "0305") == 1
    assert cost(board, "Opel", "0404") == Fraction(3, 2)  # a marsh, on the road
    assert cost(board, "Opel", "0505") == 2
    assert cost(board, "Opel", "0605") == Fraction(5, 2)


def test_a_truck_stays_out_of_woods_and_marsh() -> None:
    board = scene(Opel="0203")
    assert cost(board, "Opel", "0202") is None
    assert cost(board, "Opel", "0307") is None


def test_foot_pays_for_marsh_wood_and_hill() -> None:
    assert cost(scene(gren1="0306"), "Gren 1", "0307") == 3
    assert cost(scene(gren1="0203"), "Gren 1", "0202") == 2
    assert cost(scene(gren1="0703"), "Gren 1", "0803") == 2
    assert cost(scene(gren1="0703"), "Gren 1", "0904") is None


def test_foot_does_not_cross_the_river_alone_but_riders_wade_it_at_the_start_of_a_move() -> None:
    assert cost(scene(gren1="0402"), "Gren 1", "0502") is None
    assert cost(scene(cossacks="0402"), "Cossacks", "0502") == 3
    assert cost(scene(cossacks="0502"), "Cossacks", "0402") == 3
    board = scene(cossacks="0602")  # not beside the river: by the bridge, or not at all
    assert cost(board, "Cossacks", "0402") is None  # 5 1/2 by the bridge
    assert at("0505") in FIELD.route(board, board.piece("Cossacks"), ("0404",)).path


@pytest.mark.parametrize("bank", ["0402", "0502"])
def test_engineers_on_either_bank_help_across_and_the_move_ends_there(bank: str) -> None:
    board = scene(gren1="0402", pioneers=bank)
    assert cost(board, "Gren 1", "0502") == 1
    assert cost(board, "Gren 1", "0602") is None
    assert cost(mark(board, "Pioneers", "disrupted"), "Gren 1", "0502") is None


def test_by_option_engineers_help_only_from_the_hex_of_the_unit() -> None:
    strict = with_options(crossing_help="same_hex")
    assert cost(scene(gren1="0402", pioneers="0402"), "Gren 1", "0502", strict) == 1
    assert cost(scene(gren1="0402", pioneers="0502"), "Gren 1", "0502", strict) is None


def test_engineers_help_tanks_too_and_themselves() -> None:
    assert cost(scene(pziv="0402", pioneers="0402"), "Pz IV", "0502") == 1
    assert cost(scene(pioneers="0402"), "Pioneers", "0502") == 1


def test_engineers_help_nobody_into_forbidden_ground_and_into_mines_only_at_their_cost() -> None:
    board = scene(pziv="0504", pioneers="0504")
    assert cost(board, "Pz IV", "0404") == Fraction(3, 2)  # a marsh: round by the bridge
    assert cost(scene(gren1="0505", pioneers="0505"), "Gren 1", "0405") == 1
    assert cost(scene(gren1="0405", pioneers="0405"), "Gren 1", "0506") == 2


def test_enemy_engineers_help_nobody() -> None:
    board = scene(rifles1="0502", pioneers="0402")
    assert cost(board, "Rifles 1", "0402") is None


def test_a_helped_unit_is_crossing_until_the_turn_ends() -> None:
    board = scene(gren1="0402", pioneers="0402")
    ran = run(march(FIELD, board, ("Gren 1",), (at("0402"), at("0502")), 1))
    assert "crosses" in ran.ids
    assert "crossing" in ran.value.piece("Gren 1").states
    after = run(FIELD._turn_ends(ran.value)).value
    assert after.piece("Gren 1").states == frozenset()


def test_a_disrupted_unit_moves_one_hex() -> None:
    board = mark(scene(gren1="0306"), "Gren 1", "disrupted")
    found = FIELD.reach(board, board.piece("Gren 1"))
    assert set(found) == {at("0306"), *START.map.around[at("0306")]}


def test_guns_without_movement_stay() -> None:
    board = mark(scene(flak88="0304"), "Flak 88", "disrupted")
    assert FIELD.reach(board, board.piece("Flak 88")) == {}


def test_there_are_no_zones_of_control() -> None:
    board = scene(gren1="0305", rifles1="0304")
    assert FIELD.zoc(board, "soviet") == frozenset()


def test_by_option_combat_units_stop_who_comes_beside_them() -> None:
    board = scene(cossacks="0306", gren1="0304")
    stop = with_options(zones="stop")
    assert at("0305") in stop.zoc(board, "german")
    assert FIELD.reach(board, board.piece("Cossacks"))[at("0303")].path[1] == at("0305")
    beyond = stop.reach(board, board.piece("Cossacks"))
    assert at("0305") in beyond
    assert all(at("0305") not in way.path[1:-1] for way in beyond.values())
    shaken = mark(board, "Gren 1", "demoralised")
    assert stop.zoc(shaken, "german") == frozenset()
    leader = scene(krause="0304")
    assert stop.zoc(leader, "german") == frozenset()


def test_a_minefield_ends_a_move() -> None:
    board = scene(gren1="0505")
    assert cost(board, "Gren 1", "0506") == 2
    assert START.map.number(FIELD.route(board, board.piece("Gren 1"), ("0507",)).path[1]) != "0506"


def test_nobody_moves_into_enemies() -> None:
    board = scene(gren1="0306", rifles1="0305")
    assert cost(board, "Gren 1", "0305") is None


# ------------------------------------------------------------------ stacking


def test_three_combat_units_stack_with_leaders_and_transport() -> None:
    board = scene(
        gren1="0305", gren2="0305", gren3="0305", krause="0305", weber="0305", opel="0305",
        mg34="0306", wagon="0306",
    )  # fmt: skip
    hex_ = at("0305")
    assert FIELD.stacking_problem(board, hex_, board.stack(hex_)) is None
    assert cost(board, "MG 34", "0305") is None
    assert cost(board, "Wagon", "0305") == 1
    assert cost(board, "MG 34", "0304") is not None  # a full hex may be passed


def test_transport_has_a_limit_of_its_own() -> None:
    board = scene(opel="0305")
    truck = board.piece("Opel")
    assert FIELD.stacking_problem(board, at("0305"), (truck,) * 3) is None
    problem = FIELD.stacking_problem(board, at("0305"), (truck,) * 4)
    assert "more than 3 trucks" in str(problem)


def test_a_move_halted_in_a_full_hex_falls_back() -> None:
    board = scene(
        gren1="0303", gren2="0304", gren3="0304", mg34="0304", rifles1="0404", maxim="0403"
    )
    path = (at("0303"), at("0304"), at("0305"))
    fire = ("fire", "Maxim")
    ran = run(march(FIELD, board, ("Gren 1",), path, 1), fire, two(4), two(11))
    assert "falls-back" in ran.ids
    assert ran.value.piece("Gren 1").at == at("0303")
    stays = with_options(halted_full="stays")
    ran = run(march(stays, board, ("Gren 1",), path, 1), fire, two(4), two(11))
    assert "falls-back" not in ran.ids
    assert ran.value.piece("Gren 1").at == at("0304")
    assert len(ran.value.stack(at("0304"))) == 4


# ------------------------------------------------------------------ direct fire from the board


def test_by_option_mortars_and_artillery_do_not_fire() -> None:
    board = scene(grw34="0305", lefh18="0305", gren1="0305", rifles1="0304")
    silent = with_options(heavy_weapons="silent")
    for name, heavy in (("GrW 34", True), ("leFH 18", True), ("Gren 1", False)):
        order = ("fire", "0304", name)
        assert order in orders(board).all()
        assert (order in orders(board, field=silent).all()) is not heavy
    assert "no fire value" in refused(orders(board, field=silent), "fire", "0304", "GrW 34")


def setup_of(
    board: Board, target: str, *names: str, turn: int = 1, field: PanzerGrenadierField = FIELD
) -> Ran:
    firers = tuple(map(board.piece, names))
    return run(
        direct_setup(field, board, Volley(at(target), firers, board.stack(at(target)), turn))
    )


def test_range_and_adjacency() -> None:
    board = scene(gren1="0504", mg34="0503", rifles1="0505")
    alone = setup_of(board, "0505", "Gren 1")
    assert (alone.value.range, alone.value.adjacent_to_all) == (1, True)
    assert "target-adjacent" in alone.ids
    both = setup_of(board, "0505", "Gren 1", "MG 34")
    assert (both.value.range, both.value.adjacent_to_all) == (2, False)
    assert "range-counts" in both.ids
    near = setup_of(board, "0505", "Gren 1", "MG 34", field=with_options(group_range="nearest"))
    assert (near.value.range, near.value.adjacent_to_all) == (1, False)


@pytest.mark.parametrize(
    ("hex_", "terrain", "entrenched"),
    [
        ("0605", ("town",), False),
        ("0606", ("town",), True),
        ("0806", ("clear",), True),
        ("0803", ("hill",), False),
        ("0404", ("marsh",), False),
        ("0902", ("wood",), False),
    ],
)
def test_terrain_and_entrenchment(hex_: str, terrain: tuple[str, ...], entrenched: bool) -> None:
    board = scene(rifles1=hex_, lefh18="0204")
    ran = setup_of(board, hex_, "leFH 18")
    assert ran.value.terrain == terrain
    assert ran.value.entrenched is entrenched
    assert ("target-terrain" in ran.ids) is (terrain != ("clear",))
    assert ("target-entrenched" in ran.ids) is entrenched


def test_a_minefield_helps_its_owner_only() -> None:
    board = scene(gren1="0506", rifles1="0605")
    assert setup_of(board, "0506", "Rifles 1").value.minefield_of_firer is True
    board = scene(rifles1="0506", gren1="0505")
    assert setup_of(board, "0506", "Gren 1").value.minefield_of_firer is False


def test_night_is_the_fifth_turn() -> None:
    board = scene(gren1="0504", rifles1="0505")
    assert setup_of(board, "0505", "Gren 1", turn=4).value.night is False
    dark = setup_of(board, "0505", "Gren 1", turn=5)
    assert dark.value.night is True
    assert "is-night" in dark.ids


def test_three_combat_units_are_counted_and_told() -> None:
    board = scene(rifles1="0605", rifles2="0605", maxim="0605", orlov="0605", gren1="0504")
    ran = setup_of(board, "0605", "Gren 1")
    line = next(line for line in ran.lines if line.id == "target-stack")
    assert dict(line.blanks)["count"] == 3
    fight = FIELD.game.fight(ran.value, options=FIELD.options)
    assert "three-units" in {line.id for line in fight.explain().lines}


def test_targets_bring_their_kind_state_and_digging() -> None:
    board = mark(scene(zis2="0803", gren1="0703"), "ZiS-2", "dug-in", "disrupted")
    ran = setup_of(board, "0803", "Gren 1")
    (target,) = ran.value.defenders
    assert (target.kind, target.dug_in, target.state, target.morale) == (
        "anti-tank", True, "disrupted", 7,
    )  # fmt: skip
    assert "is-dug-in" in ran.ids


def test_a_crossing_is_told_with_the_river() -> None:
    board = mark(scene(gren1="0502", rifles1="0602"), "Gren 1", "crossing")
    ran = setup_of(board, "0502", "Rifles 1")
    assert ran.value.defenders[0].engineers_crossing
    assert "Oserka" in next(line for line in ran.lines if line.id == "is-crossing").in_("en")


def test_leaders_help_their_hex_and_the_adjacent_ones() -> None:
    board = scene(rifles1="0605", orlov="0606", sokol="0904", gren1="0604")
    helped = {
        unit.name: unit.distance for unit in setup_of(board, "0605", "Gren 1").value.defenders
    }
    assert helped == {"Rifles 1": 0, "Orlov": 1}
    shaken = setup_of(mark(board, "Orlov", "demoralised"), "0605", "Gren 1").value
    assert [unit.name for unit in shaken.defenders] == ["Rifles 1"]


def test_a_strike_is_an_air_attack_disturbed_by_anti_aircraft_units_nearby() -> None:
    board = scene(gren1="0305", flak88="0304")
    ran = setup_of(board, "0305", "Il-2", turn=2)
    facts = ran.value
    assert (facts.air_attack, facts.aa_unit, facts.aa_distance, facts.range) == (True, True, 1, 0)
    assert "aa-near" in ran.ids
    assert not facts.adjacent_to_all
    shaken = setup_of(mark(board, "Flak 88", "demoralised"), "0305", "Il-2", turn=2).value
    assert not shaken.aa_unit
    far = setup_of(scene(gren1="0305", flak88="0701"), "0305", "Il-2", turn=2).value
    assert not far.aa_unit


def test_a_fire_is_brought_back_to_the_board() -> None:
    board = scene(rifles1="0505", gren1="0504", gren2="0504")
    volley = Volley(
        at("0505"), (board.piece("Gren 1"), board.piece("Gren 2")), board.stack(at("0505")), 1
    )
    # 10 fires on column 7, +2 for adjacency: column 16; a 3 is X, then M2: 6 + 2 is 1 over 7
    ran = run(fires(FIELD, board, volley), two(3), two(6))
    rifles = ran.value.piece("Rifles 1")
    assert (rifles.steps, rifles.states) == (1, {"disrupted"})
    assert rifles.number("fire") == 2  # the reverse face
    assert "acted" in ran.value.piece("Gren 1").states
    assert ran.lines[0].id == "fires-from"


def test_an_eliminated_unit_leaves_the_board() -> None:
    board = scene(rifles1="0505", gren1="0504", gren2="0504")
    board = board.changed(replace(board.piece("Rifles 1"), steps=1))
    firers = (board.piece("Gren 1"), board.piece("Gren 2"))
    after = run(fires(FIELD, board, Volley(at("0505"), firers, board.stack(at("0505")), 1)), two(3))
    assert after.value.piece("Rifles 1").at is None
    assert FIELD.steps_lost(after.value, "soviet") == 2


# ------------------------------------------------------------------ anti-tank fire from the board


def shot_of(board: Board, target: str, firer: str) -> Ran:
    shot = Shot(board.piece(firer), board.piece(target), 1)
    return run(anti_tank_setup(FIELD, board, shot))


def test_anti_tank_range_terrain_and_movement() -> None:
    board = mark(scene(t34="0605", flak88="0304"), "T-34", "moved-before")
    ran = shot_of(board, "T-34", "Flak 88")
    assert (ran.value.range, ran.value.terrain) == (3, ("town",))
    assert ran.value.target_moved
    assert "has-moved" in ran.ids
    assert not ran.value.crossfire


def test_a_target_on_a_higher_hill() -> None:
    board = scene(t34="0904", flak88="0704", marder="0903")
    assert shot_of(board, "T-34", "Flak 88").value.target_higher
    assert shot_of(board, "T-34", "Marder").value.target_higher
    level = scene(t34="0903", marder="0803")
    assert not shot_of(level, "T-34", "Marder").value.target_higher


def test_crossfire_needs_an_earlier_shot_through_a_hexside_that_does_not_touch() -> None:
    board = scene(t34="0604", flak88="0601", marder="0503", pziv="0607")
    board = run(
        shoots(FIELD, board, Shot(board.piece("Flak 88"), board.piece("T-34"), 1)), two(2)
    ).value
    assert {s for s in board.piece("T-34").states if s.startswith("shot")} == {"shot-0601-0"}
    beside = shot_of(board, "T-34", "Marder")  # from the north-west: the hexsides touch
    assert beside.value.crossfire
    assert beside.value.crossfire_hexes_only
    assert "is-crossfire-by-hexes" in beside.ids
    opposite = shot_of(board, "T-34", "Pz IV")
    assert opposite.value.crossfire
    assert not opposite.value.crossfire_hexes_only
    assert "is-crossfire" in opposite.ids


def test_crossfire_is_forgotten_when_the_turn_ends() -> None:
    board = mark(scene(t34="0604"), "T-34", "shot-0601-0")
    assert run(FIELD._turn_ends(board)).value.piece("T-34").states == frozenset()


def test_an_anti_tank_hit_is_brought_back() -> None:
    board = scene(t34="0604", flak88="0601", sokol="0603")
    # 7 − 5 + 8 = 10: a step, then M2 against 7 + 1 of Sokol next to it: 7 + 2 is 1 over
    ran = run(
        shoots(FIELD, board, Shot(board.piece("Flak 88"), board.piece("T-34"), 1)), two(8), two(7)
    )
    tank = ran.value.piece("T-34")
    assert tank.steps == 1
    assert "disrupted" in tank.states
    assert "leader-near" in ran.ids


def test_an_eliminated_tank_leaves_the_board() -> None:
    board = scene(t34="0604", flak88="0601")
    shot = Shot(board.piece("Flak 88"), board.piece("T-34"), 1)
    after = run(shoots(FIELD, board, shot), two(11)).value
    assert after.piece("T-34").at is None
    assert FIELD.steps_lost(after, "soviet") == 2


# ------------------------------------------------------------------ moves under fire


def test_opportunity_fire_is_asked_hex_by_hex_and_once_in_a_move() -> None:
    board = scene(gren1="0503", maxim="0605", rifles1="0605")
    path = (at("0503"), at("0504"), at("0505"))
    held = run(march(FIELD, board, ("Gren 1",), path, 1), ("hold",), ("hold",))
    assert [ask.what for ask in held.asked if not isinstance(ask, Order)] == ["opportunity"] * 2
    fired = run(march(FIELD, board, ("Gren 1",), path, 1), ("fire", "Maxim"), two(7))
    assert len(fired.asked) == 1
    assert fired.value.piece("Gren 1").at == at("0505")
    assert "acted" in fired.value.piece("Maxim").states
    assert fired.fights[0].case.setup.opportunity_fire
    each = with_options(opportunity="each_hex")
    again = run(
        march(each, board, ("Gren 1",), path, 1),
        ("fire", "Maxim"), two(7), ("fire", "Rifles 1"), two(7),
    )  # fmt: skip
    assert len(again.fights) == 2


def test_opportunity_fire_offers_each_hex_together_and_each_unit() -> None:
    board = scene(pziv="0504", maxim="0605", rifles1="0605", zis2="0803", marder="0101")
    targets = (board.piece("Pz IV"),)
    ways = set(opportunities(FIELD, board, "soviet", targets, at("0504"), 1))
    assert ways == {
        ("fire", "Rifles 1", "Maxim"),
        ("fire", "Rifles 1"),
        ("fire", "Maxim"),
        ("fire", "ZiS-2"),
        ("shoot", "Pz IV", "ZiS-2"),
    }


def test_who_has_acted_or_is_demoralised_gives_no_opportunity_fire() -> None:
    board = scene(gren1="0504", maxim="0605", rifles1="0605")
    board = mark(mark(board, "Maxim", "acted"), "Rifles 1", "demoralised")
    assert (
        list(opportunities(FIELD, board, "soviet", (board.piece("Gren 1"),), at("0504"), 1)) == []
    )


def test_a_unit_disrupted_on_the_move_halts() -> None:
    board = scene(gren1="0503", maxim="0605")
    path = (at("0503"), at("0504"), at("0505"))
    # 6 fires on column 4, +1: column 7; a 4 is M1; 9 + 1 is 2 over 8
    ran = run(march(FIELD, board, ("Gren 1",), path, 1), ("fire", "Maxim"), two(4), two(9))
    assert "halts" in ran.ids
    gren = ran.value.piece("Gren 1")
    assert gren.at == at("0504")
    assert {"disrupted", "acted", "moving"} <= gren.states


def test_a_move_fills_in_the_dug_out() -> None:
    board = mark(scene(gren1="0101"), "Gren 1", "dug-in")
    after = run(march(FIELD, board, ("Gren 1",), (at("0101"), at("0102")), 1)).value
    assert "dug-in" not in after.piece("Gren 1").states
    assert after.holders[at("0102")] == "german"


def test_leaders_alone_draw_no_opportunity_fire() -> None:
    board = scene(krause="0503", maxim="0605")
    after = run(march(FIELD, board, ("Krause",), (at("0503"), at("0504")), 1))
    assert after.asked == []


def test_a_minefield_attacks_enemies_who_enter() -> None:
    board = scene(gren1="0505", krause="0505")
    path = (at("0505"), at("0506"))
    ran = run(march(FIELD, board, ("Gren 1",), path, 1), two(12), two(2))
    assert "enters-mines" in ran.ids
    setup = ran.fights[0].case.setup
    assert [unit.fire for unit in setup.attackers] == [4]
    assert {unit.name: unit.distance for unit in setup.defenders} == {"Gren 1": 0, "Krause": 1}
    assert not run(march(with_options(minefields="no_attack"), board, ("Gren 1",), path, 1)).fights
    own = scene(rifles1="0505")
    assert not run(march(FIELD, own, ("Rifles 1",), path, 1)).fights


def test_leaders_and_transport_alone_are_captured() -> None:
    board = scene(gren1="0101", sokol="0102", gaz="0102")
    assert cost(board, "Gren 1", "0102") == 1
    ran = run(march(FIELD, board, ("Gren 1",), (at("0101"), at("0102")), 1))
    assert ran.ids.count("is-captured") == 2
    assert ran.value.piece("GAZ").at is None
    truck = scene(opel="0101", sokol="0102")
    assert cost(truck, "Opel", "0102") is None
    block = with_options(undefended="block")
    assert at("0102") not in block.reach(board, board.piece("Gren 1"))


def test_a_truck_carries_a_gun_of_its_hex() -> None:
    board = scene(opel="0304", flak88="0304", gren1="0303", pziv="0304")
    given = orders(board)
    given.check(("move", "Opel", "Flak 88", "0105"))
    assert "is not in the hex" in refused(given, "move", "Opel", "Gren 1", "0105")
    assert "can't be carried" in refused(given, "move", "Opel", "Pz IV", "0105")
    assert "is no truck" in refused(given, "move", "Pz IV", "Flak 88", "0105")
    assert ("move", "Opel", "Flak 88", "0105") in set(given.all())
    after = run(FIELD.carry_out(board, "german", ("move", "Opel", "Flak 88", "0105"))).value
    assert [after.piece(name).at for name in ("Opel", "Flak 88")] == [at("0105")] * 2
    assert "acted" in after.piece("Flak 88").states


@pytest.mark.parametrize(
    ("choice", "two_guns", "gun_and_leader", "leader"),
    [
        ("one_unit", False, False, False),
        ("two_units", True, False, False),
        ("with_leader", False, True, True),
    ],
)
def test_option_truck_load(choice: str, two_guns: bool, gun_and_leader: bool, leader: bool) -> None:
    rules = with_options(truck_load=choice)
    places = dict.fromkeys(("opel", "flak88", "gren1", "gren2", "krause"), "0304")
    board = scene(**places)
    given = orders(board, field=rules)
    listed = set(map(frozenset, given.all()))
    for allowed, *load in (
        (True, "Flak 88"),
        (two_guns, "Flak 88", "Gren 1"),
        (gun_and_leader, "Flak 88", "Krause"),
        (leader, "Krause"),
        (False, "Flak 88", "Gren 1", "Gren 2"),
        (False, "Flak 88", "Gren 1", "Krause"),
    ):
        order = ("move", "Opel", *load, "0105")
        assert given.legal(order) is allowed, order
        assert (frozenset(order) in listed) is allowed, order
        if allowed:
            after = run(rules.carry_out(board, "german", order)).value
            assert {after.piece(name).at for name in ("Opel", *load)} == {at("0105")}


def test_two_units_on_a_truck_need_room_for_both() -> None:
    rules = with_options(truck_load="two_units")
    board = scene(opel="0304", flak88="0304", gren1="0304", gren2="0204", gren3="0204")
    given = orders(board, field=rules)
    assert given.legal(("move", "Opel", "Flak 88", "0204"))
    assert not given.legal(("move", "Opel", "Flak 88", "Gren 1", "0204"))
    assert "can't carry so much" in refused(
        orders(board), "move", "Opel", "Flak 88", "Gren 1", "0303"
    )


# ------------------------------------------------------------------ recovery and flight


def test_recovery_with_a_leader_nearby() -> None:
    board = mark(scene(gren1="0101", krause="0102"), "Gren 1", "disrupted")
    order: Words = ("recover", "Gren 1")
    good = run(FIELD.carry_out(board, "german", order), two(9))  # 8 + 1
    assert good.value.piece("Gren 1").states == {"acted"}
    bad = run(FIELD.carry_out(board, "german", order), two(10))
    assert bad.value.piece("Gren 1").states == {"acted", "disrupted"}


def test_a_demoralised_unit_recovers_one_level_at_morale_less_one() -> None:
    board = mark(scene(gren1="0101"), "Gren 1", "demoralised")
    order: Words = ("recover", "Gren 1")
    partly = run(FIELD.carry_out(board, "german", order), two(7)).value
    assert partly.piece("Gren 1").states == {"acted", "disrupted"}
    whole = with_options(recovery="good_order")
    after = run(whole.carry_out(board, "german", order), two(7)).value
    assert after.piece("Gren 1").states == {"acted"}


def test_who_stays_demoralised_flees_from_the_enemy() -> None:
    board = mark(scene(gren1="0703", rifles1="0702"), "Gren 1", "demoralised")
    hexes = FIELD.flights(board, board.piece("Gren 1"))
    assert hexes
    assert {hex_.distance(at("0702")) for hex_ in hexes} == {4}
    order: Words = ("recover", "Gren 1")
    where = START.map.number(hexes[0])
    ran = run(FIELD.carry_out(board, "german", order), two(8), where)
    assert ran.value.piece("Gren 1").at == hexes[0]
    assert isinstance(ran.asked[-1], Choose)
    stays = with_options(flight="stays")
    assert run(stays.carry_out(board, "german", order), two(8)).value.piece("Gren 1").at == at(
        "0703"
    )


def test_who_has_not_tried_to_recover_must_at_the_end_of_the_turn() -> None:
    board = mark(scene(gren1="0101", gren2="0101"), "Gren 1", "demoralised")
    board = mark(mark(board, "Gren 2", "demoralised"), "Gren 2", "acted")
    ran = run(FIELD._turn_ends(board), two(7))
    assert ran.value.piece("Gren 1").states == {"disrupted"}
    assert ran.value.piece("Gren 2").states == {"demoralised"}
    assert run(with_options(flight="stays")._turn_ends(board)).asked == []


def test_nobody_flees_into_enemies_or_mines() -> None:
    board = mark(scene(gren1="0505", rifles1="0504"), "Gren 1", "demoralised")
    ways = FIELD.reach(board, board.piece("Gren 1"))
    for hex_ in FIELD.flights(board, board.piece("Gren 1")):
        assert at("0506") not in ways[hex_].path
        assert at("0607") not in ways[hex_].path


# ------------------------------------------------------------------ orders


def test_units_of_one_hex_act_together_or_those_around_a_leader() -> None:
    board = scene(gren1="0305", gren2="0305", gren3="0306", mg34="0103", krause="0305")
    begun = orders(board, "german", 1, "0305")
    begun.check(("dig", "Gren 2"))
    begun.check(("dig", "Gren 3"))  # next to Krause
    assert "only units of one hex" in refused(begun, "dig", "MG 34")
    alone = orders(board, "german", 1, "0305", field=with_options(activation="one_hex"))
    assert "only units of one hex" in refused(alone, "dig", "Gren 3")
    led = mark(board, "Krause", "led")
    assert "only units of one hex" in refused(orders(led, "german", 1, "0305"), "dig", "Gren 3")


def test_a_leader_leads_several_hexes_once_a_turn() -> None:
    board = scene(gren1="0305", gren3="0306", krause="0305")
    after = run(FIELD.segment(board, segment(board)), ("dig", "Gren 1"), ("dig", "Gren 3"), END)
    board, acted = after.value
    assert acted
    assert "led" in board.piece("Krause").states
    assert "led-by" in after.ids


def test_a_unit_acts_once_a_turn() -> None:
    board = mark(scene(gren1="0504", rifles1="0505"), "Gren 1", "acted")
    given = orders(board)
    for order in (
        ("move", "Gren 1", "0503"),
        ("fire", "0505", "Gren 1"),
        ("dig", "Gren 1"),
        ("recover", "Gren 1"),
    ):
        assert "has acted already" in refused(given, *order)


def test_demoralised_units_only_try_to_recover() -> None:
    board = mark(scene(gren1="0504", rifles1="0505"), "Gren 1", "demoralised")
    given = orders(board)
    for order in (("move", "Gren 1", "0503"), ("fire", "0505", "Gren 1"), ("dig", "Gren 1")):
        assert "may only try to recover" in refused(given, *order)
    assert list(given.all()) == [END, ("recover", "Gren 1")]


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (("fire", "0101", "Gren 1"), "there is no enemy in 0101"),
        (("fire", "0605", "Opel"), "has no fire value"),
        (("fire", "0605", "Maxim"), "is not yours"),
        (("fire", "0706", "Gren 1"), "does not see"),
        (("fire", "1004", "Gren 1"), "out of range"),
        (("shoot", "Rifles 1", "Pz IV"), "has no armour"),
        (("shoot", "T-34", "Gren 1"), "has no anti-tank value"),
        (("shoot", "Opel", "Pz IV"), "is no enemy"),
        (("move", "Gren 1", "1101"), "1101: 7 MP of 3"),
        (("move", "Gren 9", "0101"), "there is no unit"),
        (("move", "Gren 1", "7777"), "there is no hex"),
        (("recover", "Gren 1"), "is in good order"),
        (("dig", "Opel"), "only combat units dig in"),
        (("strike", "0605", "Gren 1"), "is no aircraft"),
        (("charge", "0605"), "is not an order here"),
        (("fire", "0605"), "is not an order here"),
    ],
)
def test_what_is_not_legal_is_refused_with_the_reason(order: Words, reason: str) -> None:
    board = scene(
        gren1="0604", opel="0604", pziv="0604", rifles1="0605", maxim="0605", rifles2="0706",
        t34="0603", zis3="1004",
    )  # fmt: skip
    assert reason in refused(orders(board), *order)


def test_sight_ends_after_three_hexes_at_night() -> None:
    board = scene(lefh18="0101", rifles1="0105", rifles2="0104")
    orders(board, turn=4).check(("fire", "0105", "leFH 18"))
    assert "at night" in refused(orders(board, turn=5), "fire", "0105", "leFH 18")
    orders(board, turn=5).check(("fire", "0104", "leFH 18"))


def test_half_a_fire_value_is_too_small() -> None:
    board = mark(scene(gren1="0504", rifles1="0505"), "Gren 1", "disrupted")
    weak = replace(board.piece("Gren 1"), faces=({"fire": 1, "range": 3, "morale": 8},))
    board = board.changed(weak)
    assert "too small" in refused(orders(board), "fire", "0505", "Gren 1")
    below = with_options(fire_below_one="column_1")
    orders(board, field=below).check(("fire", "0505", "Gren 1"))


def test_aircraft_fly_on_their_turns_as_a_segment_of_their_own() -> None:
    board = scene(gren1="0305", rifles1="0605")
    strike = ("strike", "0305", "Il-2")
    assert "does not fly" in refused(orders(board, "soviet", 1), *strike)
    orders(board, "soviet", 2).check(strike)
    assert strike in set(orders(board, "soviet", 2).all())
    assert "of its own" in refused(orders(board, "soviet", 2, "0605"), *strike)
    ran = run(FIELD.segment(board, segment(board, "soviet", 2)), strike, two(7))
    board, acted = ran.value
    assert acted
    assert "has acted" in refused(orders(board, "soviet", 2), *strike)


def test_firing_together_is_offered_by_hex_and_by_leader() -> None:
    board = scene(gren1="0504", gren2="0504", mg34="0404", krause="0504", rifles1="0605")
    fires = {order for order in orders(board).all() if order[0] == "fire"}
    assert fires == {
        ("fire", "0605", "Gren 1", "Gren 2", "MG 34"),
        ("fire", "0605", "Gren 1", "Gren 2"),
        ("fire", "0605", "Gren 1"),
        ("fire", "0605", "Gren 2"),
        ("fire", "0605", "MG 34"),
    }


def test_guns_leaders_and_transport_keep_out_of_the_line() -> None:
    line = {piece.name for piece in START.pieces if FIELD.fights(piece)}
    behind = {piece.name for piece in START.pieces} - line
    assert behind == {
        "Flak 88", "leFH 18", "GrW 34", "Opel", "Wagon", "Krause", "Weber",
        "ZiS-2", "PM-37", "ZiS-3", "GAZ", "Orlov", "Sokol", "Il-2",
    }  # fmt: skip


def test_every_order_that_is_offered_is_legal() -> None:
    match = Match(FIELD)
    assert isinstance(match.asking, Order)
    offered = list(match.asking.orders.all())
    assert offered[0] == END
    assert len(offered) == len(set(offered))
    for order in offered[::7]:
        match.asking.orders.check(order)


# ------------------------------------------------------------------ the sequence of play


def test_the_sides_take_segments_in_turn_until_both_pass() -> None:
    match = Match(FIELD)
    sides = []
    for order in (("dig", "Gren 1"), END, END, ("dig", "Gren 2"), END, END, END):
        assert isinstance(match.asking, Order)
        sides.append((match.asking.turn, match.asking.side))
        match.answer(order)
    first, second = (1, "german"), (1, "soviet")
    assert sides == [first, first, second, first, first, second, first]
    assert isinstance(match.asking, Choose)  # turn 2: where the T-34s arrive
    assert match.asking.what == "arrives-where"
    assert "acted" not in match.board.piece("Gren 1").states
    assert "dug-in" in match.board.piece("Gren 1").states


def test_by_option_who_passes_is_done_for_the_turn() -> None:
    match = Match(with_options(passing="for_the_turn"))
    asked = []
    for order in (END, ("dig", "Rifles 1"), END, ("dig", "Rifles 3"), END, END):
        assert isinstance(match.asking, Order)
        asked.append(match.asking.side)
        match.answer(order)
    assert asked == ["german"] + ["soviet"] * 5


def test_by_option_dice_decide_who_begins() -> None:
    match = Match(with_options(initiative="roll"))
    match.answer((2,))
    match.answer((5,))
    assert isinstance(match.asking, Order)
    assert match.asking.side == "soviet"


def test_who_moved_counts_as_moved_in_the_next_segment_only() -> None:
    match = Match(FIELD)
    match.answer(("move", "Wagon", "0103"))
    while isinstance(match.asking, Choose):
        match.answer(("hold",))
    match.answer(END)
    assert match.board.piece("Wagon").states >= {"acted", "moved-before"}
    match.answer(END)
    assert "moved-before" not in match.board.piece("Wagon").states


def test_by_option_digging_takes_until_the_end_of_the_turn() -> None:
    match = Match(with_options(digging="end_of_turn"))
    match.answer(("dig", "Gren 1"))
    assert "dug-in" not in match.board.piece("Gren 1").states
    for _ in range(3):
        match.answer(END)
    assert "dug-in" in match.board.piece("Gren 1").states


def test_who_is_asked_about_a_second_reinforcement_sees_the_first_on_the_map() -> None:
    board = scene(gren1="0101")
    later = [
        replace(board.piece(name), arrives=2, entry=(at("1104"), at("1108")), at=None)
        for name in ("T-34", "Rifles 1")
    ]
    running = FIELD.reinforced(board.changed(*later), "soviet", 2)
    said: object = next(running)
    while not isinstance(said, Board):
        said = running.send("1104" if isinstance(said, Choose) else None)
    assert [name for name in ("T-34", "Rifles 1") if said.piece(name).at] == ["Rifles 1"]
    assert isinstance(next(running), Choose)


def test_a_blocked_reinforcement_waits() -> None:
    board = scene(gren1="1107", gren2="1106", gren3="1105")
    board = board.changed(replace(board.piece("T-34"), arrives=2))
    after = run(FIELD.reinforced(board, "soviet", 2))
    assert after.ids == ["arrival-blocked"]
    assert after.value.piece("T-34").arrives == 3
    rules = with_options(late_arrival="nearest_edge")
    assert {board.map.number(hex_) for hex_ in rules.entries(board, board.piece("T-34"))} == {
        "1104",
        "1108",
    }
    after = run(rules.reinforced(board, "soviet", 2), "1108")
    assert after.value.piece("T-34").at == at("1108")
    free = board.changed(replace(board.piece("Gren 2"), at=None))
    assert rules.entries(free, free.piece("T-34")) == [at("1106")]


def test_points_are_for_objectives_and_for_steps() -> None:
    handicap = 1  # of the Soviets
    assert FIELD.verdict(START) == Verdict({"german": 5, "soviet": 5 + handicap}, "soviet")
    lost = START.removed("Rifles 1", "GAZ")  # three steps: a point for each two
    assert FIELD.verdict(lost) == Verdict({"german": 6, "soviet": 5 + handicap}, "soviet")  # even
    taken = START.removed("Rifles 1", "Rifles 2", "Maxim").moved(["Gren 1"], at("0605"))
    assert FIELD.verdict(taken) == Verdict({"german": 11, "soviet": 2 + handicap}, "german")
    bridge = START.moved(["Cossacks"], at("0505"))
    assert FIELD.verdict(bridge) == Verdict({"german": 5, "soviet": 7 + handicap}, "soviet")


def go(match: Match, *given: Words) -> None:
    """Give orders; meanwhile nobody fires at those who move, and dice fall low."""
    for order in given:
        while not isinstance(match.asking, Order):
            match.answer(two(2) if isinstance(match.asking, Roll) else _usual(match.asking))
        match.answer(order)


def _usual(ask: object) -> Answer:
    assert isinstance(ask, Choose)
    return ("hold",) if ask.what == "opportunity" else ask.options[0]


def test_a_tank_that_crosses_with_engineers_and_comes_under_crossfire() -> None:
    match = Match(FIELD)
    told = len(match.log)
    go(match, ("move", "Pz IV", "0503"), END, ("shoot", "Pz IV", "ZiS-2"), END)
    first = {line.id for line in match.log[told:] if isinstance(line, Line)}
    assert first >= {"crosses", "has-moved", "at-moved", "is-crossing", "at-engineers-crossing"}
    go(match, END, END)  # turn 2: a T-34 arrives and goes round the Pz IV
    go(match, END, ("move", "T-34", "0502"), END, END)  # alone in its hex: the segment ends
    told = len(match.log)
    go(match, END, ("shoot", "Pz IV", "ZiS-2"), END, END, ("shoot", "Pz IV", "T-34"), END)
    later = {line.id for line in match.log[told:] if isinstance(line, Line)}
    assert later >= {"is-crossfire", "at-crossfire", "at-adjacent"}
    assert not later & {"at-moved", "at-engineers-crossing"}
    assert isinstance(match.asking, Order)
    assert match.asking.turn == 3


# ------------------------------------------------------------------ random matches


def any_answer(random: Random, ask: object) -> Answer:
    match ask:
        case Order():
            return END if random.random() < 0.35 else random.choice(list(ask.orders.all()))
        case Roll():
            return tuple(random.randint(1, 6) for _ in range(ask.dice.count))
        case Choose():
            return random.choice(ask.options)
        case Commit():
            return random.choice(ask.attacker), random.choice(ask.defender)
    raise TypeError(ask)


def check_board(board: Board) -> None:
    """Nobody vanishes, the dead are off the map, and no stack is too high or mixed."""
    assert [piece.name for piece in board.pieces] == [piece.name for piece in START.pieces]
    for piece in board.pieces:
        assert 0 <= piece.steps <= START.piece(piece.name).steps
        assert piece.alive or piece.at is None
    for hex_, stack in board.stacks().items():
        assert FIELD.stacking_problem(board, hex_, stack) is None


def played(seed: int, field: PanzerGrenadierField) -> Match:
    random, match = Random(seed), Match(field)
    for _ in range(3000):
        if match.asking is None:
            return match
        match.answer(any_answer(random, match.asking))
        if isinstance(match.asking, Order):
            check_board(match.board)
    raise AssertionError("the match does not end")


FIELDS: Mapping[int, PanzerGrenadierField] = {
    7: with_options(opportunity="each_hex", passing="for_the_turn", initiative="roll"),
    8: with_options(activation="one_hex", sight_over="highest", undefended="block"),
}


@pytest.mark.parametrize("seed", range(sized(40)))
def test_random_matches_end_with_units_conserved_and_replay(seed: int) -> None:
    field = FIELDS.get(seed % 10, FIELD)
    match = played(seed, field)
    told = sum(line.kind == "captured" for line in match.log if isinstance(line, Line))
    assert told <= len(match.board.pieces)
    for entry in match.log[:: 1 + seed % 7]:
        if isinstance(entry, Line):
            assert all(entry.in_(lang) for lang in LANGS)
    again = Match(field, match.answers)
    assert again.asking is None
    assert again.board.pieces == match.board.pieces
    assert again.board.holders == match.board.holders
    assert again.verdict() == match.verdict()


def test_a_saved_match_is_read_again(tmp_path: Path) -> None:
    match, random = matches.begin("steppe"), Random(3)
    for _ in range(25):
        assert match.asking is not None
        match.answer(any_answer(random, match.asking))
    file = tmp_path / "match.json"
    matches.save(match, file)
    again = matches.load(file.read_text(encoding="utf-8"), file.name)
    assert again.board.pieces == match.board.pieces
    assert [e for e in again.log if isinstance(e, Line)] == [
        e for e in match.log if isinstance(e, Line)
    ]


def test_setups_are_of_the_games_own_kinds() -> None:
    board = scene(gren1="0504", rifles1="0505", t34="0505", pziv="0504")
    assert isinstance(setup_of(board, "0505", "Gren 1").value, DirectFire)
    assert isinstance(shot_of(board, "T-34", "Pz IV").value, AntiTankFire)
