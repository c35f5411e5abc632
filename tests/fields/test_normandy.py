"""Normandy '44 on the map: zones, movement, supply, the derived attack, retreats, whole matches."""

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.games.normandy import battle, conditions, pursuit, support
from grognard.games.normandy.allied_phases import LandingOrders, StrafingOrders, lands, strafes
from grognard.games.normandy.battle import Attacks
from grognard.games.normandy.field import Moves, NormandyField, ReserveOrders
from grognard.games.normandy.ground import WEATHER
from grognard.games.normandy.stated import Attack
from grognard.games.normandy.support import Effort
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import POINT
from grognard.matches import match as matches
from grognard.matches.attack_field import Engagement
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Doing, Order, Roles, Words
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.refusal import Refusal
from tests.fields import normandy_records
from tests.fields.recording import recorded
from tests.tiers import sized

NAME = "carrefour"
BEACH = "0501"
CUT_OFF = {"505/82": "0304", "Pz 100": "0403", "III/919": "0103", "1058/91": "0505"}


@cache
def _field(options: tuple[tuple[str, str], ...] = ()) -> NormandyField:
    scenario = replace(scenarios.load(NAME), options=dict(options))
    return NormandyField(scenario)


def field(**options: str) -> NormandyField:
    return _field(tuple(options.items()))


@cache
def _whole() -> Board:
    return scenarios.load(NAME).board()


def board(where: Mapping[str, str], weather: str = "overcast", **pools: int) -> Board:
    """Set up a board with these units only."""
    whole = _whole()
    pieces = [
        replace(piece, at=whole.map.hex(where[piece.name]) if piece.name in where else None)
        for piece in whole.pieces
    ]
    assert set(where) <= {piece.name for piece in pieces}
    return replace(whole, pieces=tuple(pieces), pools={"weather": WEATHER.index(weather), **pools})


def at(board_: Board, number: str) -> Hex:
    return board_.map.hex(number)


def numbers(board_: Board, hexes: object) -> set[str]:
    assert isinstance(hexes, list | tuple | set | frozenset | dict)
    return {board_.map.number(hex_) for hex_ in hexes}


def marked(board_: Board, name: str, *states: str) -> Board:
    return board_.changed(board_.piece(name).marked(*states))


class Run:
    """Rules run to their end with answers by question; the first option and a 1 otherwise."""

    def __init__(self, playing: Doing[Board], answers: Mapping[str, object] | None = None) -> None:
        self.lines: list[Line] = []
        self.asked: list[str] = []
        self.roles: list[Roles] = []
        self._answers = {
            what: iter(given) if isinstance(given, list) else given
            for what, given in (answers or {}).items()
        }
        sent: Answer | Play | None = None
        while True:
            try:
                said = playing.send(sent)
            except StopIteration as end:
                self.board: Board = end.value
                return
            sent = None
            match said:
                case Line():
                    self.lines.append(said)
                case Board():
                    pass
                case Roles():
                    self.roles.append(said)
                case Fight():
                    sent = self._fight(said)
                case _:
                    sent = self._answer(said)

    def _fight(self, fight: Fight) -> Play:
        play = Play(fight)
        while play.asking is not None:
            play.answer(self._answer(play.asking))
        self.lines += [told.line for told in play.told]
        return play

    def _answer(self, ask: Order | Roll | Choose | Commit) -> Answer:
        what = ask.phase if isinstance(ask, Order) else ask.what
        self.asked.append(what)
        given = self._answers.get(what)
        if isinstance(given, Iterator):
            given = next(given, None)
        if given is None:
            match ask:
                case Order():
                    return END
                case Roll():
                    return (1,) * ask.dice.count
                case Choose():
                    return ask.options[0]
                case Commit():
                    return ask.attacker[0], ask.defender[0]
        if isinstance(ask, Order):
            assert isinstance(given, tuple)
            ask.orders.check(given)
        return given  # type: ignore[return-value]

    def told(self, id_: str) -> list[str]:
        return [line.in_("en") for line in self.lines if line.id == id_]


def engaged(where: Board, target: str, *names: str, on: NormandyField | None = None) -> Engagement:
    side = where.piece(names[0]).side
    return (on or field()).engagement(where, side, ("attack", target, *names))


def setup(where: Board, target: str, *names: str, main: str = "", **options: str) -> Attack:
    rules = field(**options)
    plan = engaged(where, target, *names, on=rules)
    mains = battle.main_forces(rules, where, plan)
    return conditions.setup(rules, where, plan, Effort(main or mains[0]))


def fought(
    where: Board,
    target: str,
    *names: str,
    answers: Mapping[str, object] | None = None,
    **options: str,
) -> Run:
    rules = field(**options)
    return Run(battle.attack(rules, where, engaged(where, target, *names, on=rules)), answers)


# ------------------------------------------------------------------ the scenario


def test_the_map_has_every_row_of_the_terrain_chart() -> None:
    sheet = _whole().map
    used = {id_ for place in sheet.places.values() for id_ in place.terrain}
    used |= {
        id_ for features in (*sheet.hexsides.values(), *sheet.ways.values()) for id_ in features
    }
    chart = {row.id for row in field().card.terrain if row.on in ("hex", "hexside", "way")}
    assert chart <= used
    assert {"strongpoint", "entrenchment", "coast"} <= used


def test_every_reinforcement_of_the_table_can_land() -> None:
    rows = {str(piece.face["row"]) for piece in _whole().pieces if "row" in piece.face}
    table = field().card.table("reinforcements")
    assert rows | {"supply-point"} == set(table.row_labels)


def test_the_scenario_is_small() -> None:
    assert 60 <= len(_whole().map.places) <= 110
    assert len(_whole().pieces) == 25


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
    b = _scattered(random.Random(seed))
    for piece in b.pieces:
        for hex_, way in field().reach(b, piece).items():
            assert way.path[-1] == hex_
            assert way.cost == _by_hand(b, piece, way.path), (piece.name, numbers(b, way.path))


def _scattered(rng: random.Random) -> Board:
    """Scatter the units over hexes that they can stand in, sides apart."""
    whole = _whole()
    dry = [h for h, place in whole.map.places.items() if not place.terrain & {"marsh", "flooded"}]
    taken: dict[Hex, str] = {}
    where: dict[str, str] = {}
    for piece in whole.pieces:
        hex_ = rng.choice(dry)
        if taken.setdefault(hex_, piece.side) == piece.side and rng.random() < 0.8:
            where[piece.name] = whole.map.number(hex_)
    return board(where)


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
    b = _scattered(random.Random(seed))
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
    run = Run(field().check_supply(_whole(), "allied"))
    (line,) = [line for line in run.lines if line.id == "stays-supplied"]
    assert (line.unit, line.reading.option, line.rule) == ("22/4", "supply_zoc", "18.4")
    assert line.reading.doubtful
    cut = marked(_whole(), "22/4", "unsupplied")
    never = Run(field(supply_zoc="never").check_supply(cut, "allied"))
    assert never.told("stays-unsupplied") == ["22/4 stays unsupplied, as its line is read"]
    assert not never.told("stays-supplied")


# ------------------------------------------------------------------ the attack from the board


def test_terrain_and_fortification_of_the_target() -> None:
    b = board({"8/4": "0502", "I/919": "0503"})
    stated = setup(b, "0503", "8/4")
    assert stated.terrain == ("bocage",)
    assert stated.fortification == "entrenchment"
    lost = replace(b, pools={**b.pools, "fallen 0503": 1})
    assert setup(lost, "0503", "8/4").fortification == "none"
    village = board({"8/4": "0604", "1058/91": "0505"})
    assert setup(village, "0505", "8/4").terrain == ("bocage", "village")
    beach = board({"I/919": "0502", "8/4": "0501"})
    assert setup(beach, "0501", "I/919").terrain == ("clear",)


def test_a_fortification_shelters_germans_only() -> None:
    b = board({"FJ 6": "0703", "8/4": "0702"})
    assert setup(b, "0702", "FJ 6").fortification == "none"


@pytest.mark.parametrize(
    ("unit", "start", "defender", "target", "crosses"),
    [
        ("8/4", "0502", "I/919", "0503", ("causeway",)),
        ("8/4", "0602", "I/919", "0503", ("flooded-hexside",)),
        ("8/4", "0405", "FJ 6", "0406", ("major-river",)),
        ("8/4", "0806", "FJ 6", "0805", ("minor-river",)),
        ("69 Bde", "0803", "Flak 30", "0903", ("runway",)),
        ("8/4", "0104", "III/919", "0103", ("cherbourg-perimeter",)),
        ("8/4", "0504", "1058/91", "0505", ()),
    ],
)
def test_what_an_attacker_crosses(
    unit: str, start: str, defender: str, target: str, crosses: tuple[str, ...]
) -> None:
    b = board({unit: start, defender: target})
    assert setup(b, target, unit).attackers[0].crosses == crosses
    run = fought(b, target, unit)
    assert bool(run.told("across")) == bool(crosses)
    assert all(start in line and unit in line for line in run.told("across"))


def test_an_attack_from_a_flooded_hex() -> None:
    b = board({"8/4": "0402", "I/919": "0503"})
    (unit,) = setup(b, "0503", "8/4").attackers
    assert unit.from_flooded
    assert fought(b, "0503", "8/4").told("from-flooded")


def test_marks_of_an_attacker() -> None:
    b = board({"8/4": "0504", "70 Tk": "0504", "1058/91": "0505"})
    b = marked(marked(b, "8/4", "unsupplied"), "70 Tk", "landed")
    foot, tanks = setup(b, "0505", "8/4", "70 Tk").attackers
    assert (foot.unsupplied, foot.landing, foot.mechanised, foot.by_road) == (
        True,
        False,
        False,
        True,
    )
    assert (tanks.unsupplied, tanks.landing, tanks.mechanised) == (False, True, True)
    assert (foot.nationality, foot.factor, foot.steps) == ("us", 6, 2)
    run = fought(b, "0505", "8/4", "70 Tk")
    assert run.told("attacks-unsupplied") == ["Unsupplied: 8/4 in 0504"]
    assert run.told("attacks-landing") == ["Landed this turn: 70 Tk in 0504"]
    assert len(run.told("by-road")) == 2


def test_the_main_force_is_a_formation_and_independent_units() -> None:
    b = board({"8/4": "0504", "39/9": "0604", "70 Tk": "0504", "1058/91": "0505"})
    plan = engaged(b, "0505", "8/4", "39/9", "70 Tk")
    assert battle.main_forces(field(), b, plan) == ["4 DI", "9 DI"]
    stated = setup(b, "0505", "8/4", "39/9", "70 Tk", main="9 DI")
    assert [unit.main_force for unit in stated.attackers] == [False, True, True]
    run = fought(b, "0505", "8/4", "39/9", "70 Tk", answers={"main-force": "9 DI"})
    assert run.told("in-main-force") == ["In the main force: 39/9, 70 Tk"]
    assert run.told("out-of-main-force") == ["Outside the main force: 8/4"]


def test_the_main_force_may_be_a_hex() -> None:
    b = board({"8/4": "0504", "22/4": "0604", "1058/91": "0505"})
    plan = engaged(b, "0505", "8/4", "22/4", on=field(main_force_of="hex"))
    assert battle.main_forces(field(main_force_of="hex"), b, plan) == ["0504", "0604"]
    stated = setup(b, "0505", "8/4", "22/4", main="0604", main_force_of="hex")
    assert [unit.main_force for unit in stated.attackers] == [False, True]


def test_qualities_are_compared() -> None:
    b = board({"8/4": "0504", "39/9": "0604", "1058/91": "0505"})
    assert setup(b, "0505", "8/4", "39/9", main="4 DI").quality_advantage == 0
    assert setup(b, "0505", "8/4", "39/9", main="9 DI").quality_advantage == 1
    worse = board({"8/4": "0604", "FJ 6": "0504", "Pz 100": "0504"})
    assert setup(worse, "0504", "8/4").quality_advantage == -1
    assert setup(worse, "0504", "8/4", quality_compared="worst").quality_advantage == 1


def test_armour_is_compared() -> None:
    b = board({"70 Tk": "0504", "8/4": "0504", "Pz 100": "0505"})
    assert setup(b, "0505", "70 Tk").armour_advantage == 1
    assert setup(b, "0505", "8/4").armour_advantage == -1
    even = board({"8/4": "0504", "1058/91": "0505"})
    assert setup(even, "0505", "8/4").armour_advantage == 0


def test_armour_of_the_main_force_only() -> None:
    b = board({"39/9": "0504", "CCA/3": "0504", "Pz 100": "0505"})
    names = ("39/9", "CCA/3")
    assert setup(b, "0505", *names, main="9 DI").armour_advantage == 1
    only = setup(b, "0505", *names, main="9 DI", armour_compared="main_force")
    assert only.armour_advantage == -1


def test_armour_that_comes_across_water_has_no_advantage() -> None:
    b = board({"70 Tk": "0502", "8/4": "0502", "746 Tk": "0504", "I/919": "0503"})
    stated = setup(b, "0503", "70 Tk", "8/4")
    assert (stated.armour_advantage, stated.armour_across) == (1, True)
    run = fought(b, "0503", "70 Tk", "8/4")
    assert run.told("armour-is-across") == [
        "The better armour attacks across water or the perimeter: 70 Tk"
    ]
    assert not setup(b, "0503", "746 Tk").armour_across
    assert not setup(b, "0503", "70 Tk", "746 Tk").armour_across  # one of them is free of it


def test_a_tiger_on_either_side() -> None:
    b = board({"8/4": "0504", "101 Tiger": "0505"})
    assert setup(b, "0505", "8/4").tiger_advantage == -1
    assert setup(b, "0504", "101 Tiger").tiger_advantage == 1
    assert fought(b, "0504", "101 Tiger").told("tiger-here") == ["Tiger: 101 Tiger"]


def test_the_weather_and_the_camp() -> None:
    for weather in WEATHER:
        b = board({"8/4": "0504", "1058/91": "0505"}, weather)
        assert setup(b, "0505", "8/4").weather == weather
        assert setup(b, "0505", "8/4").attacker_camp == "allied"
        assert setup(b, "0504", "1058/91").attacker_camp == "german"


def test_jabos_roll_against_a_german_attack_in_clear_weather() -> None:
    b = board({"8/4": "0504", "1058/91": "0505"}, "clear")
    assert "jabo-roll" in fought(b, "0504", "1058/91").asked
    assert "jabo-roll" not in fought(b, "0505", "8/4").asked


def test_flak_protects_in_its_hex_and_beside_it() -> None:
    near = board({"8/4": "0504", "1058/91": "0505", "Flak 30": "0506"})
    assert setup(near, "0504", "1058/91").flak_present
    assert fought(near, "0504", "1058/91").told("flak-near")
    far = board({"8/4": "0504", "1058/91": "0505", "Flak 30": "0507"})
    assert not setup(far, "0504", "1058/91").flak_present


def test_a_defender_in_strategic_movement() -> None:
    b = marked(board({"8/4": "0504", "1058/91": "0505"}), "1058/91", "strategic")
    assert setup(b, "0505", "8/4").defender_strategic
    assert fought(b, "0505", "8/4").told("caught-strategic")


def test_the_lead_unit_counts_quality_or_armour() -> None:
    b = board({"70 Tk": "0505", "8/4": "0505", "101 Tiger": "0504", "1058/91": "0504"})
    defenders = {unit.name: unit for unit in setup(b, "0504", "70 Tk", "8/4").defenders}
    tiger, foot = defenders["101 Tiger"], defenders["1058/91"]
    assert (tiger.quality, tiger.armour, tiger.lead_uses_armour) == (1, 3, True)
    assert (foot.quality, foot.armour, foot.lead_uses_armour) == (0, -2, False)
    plain = setup(b, "0504", "70 Tk", "8/4", lead_compares="quality")
    assert not any(unit.lead_uses_armour for unit in plain.defenders)


def test_an_hq_in_range_gives_defensive_support() -> None:
    b = board({"8/4": "0504", "1058/91": "0505", "QG 91": "0507"})
    assert setup(b, "0505", "8/4").defensive_support == 1
    assert fought(b, "0505", "8/4").told("hq-defends")
    other = board({"8/4": "0504", "I/919": "0505", "QG 91": "0507"})
    assert setup(other, "0505", "8/4").defensive_support == 0  # another formation
    cut = marked(b, "QG 91", "unsupplied")
    assert setup(cut, "0505", "8/4").defensive_support == 0


@pytest.mark.parametrize(("choice", "again"), [("every_time", 1), ("once", 0)])
def test_how_often_an_hq_gives_defensive_support(choice: str, again: int) -> None:
    b = board({"8/4": "0504", "1058/91": "0505", "QG 91": "0507", "22/4": "0504"})
    answers = {"combat-roll": (1,)}  # A1: the defender stands
    first = fought(b, "0505", "8/4", answers=answers, defensive_hq=choice)
    assert first.told("hq-defends")
    assert setup(first.board, "0505", "22/4", defensive_hq=choice).defensive_support == again
    rules = field(defensive_hq=choice)
    next_turn = Run(rules.side_turn(first.board, "german", 2)).board
    assert setup(next_turn, "0505", "22/4", defensive_hq=choice).defensive_support == 1


def test_hqs_support_their_formation_or_their_army_within_range() -> None:
    where = {"8/4": "0504", "1058/91": "0505", "QG 4": "0502", "QG VII": "0501", "QG 50": "0604"}
    b = board(where)
    plan = engaged(b, "0505", "8/4")
    groups = support.supporting_hqs(field(), b, plan)
    assert groups == [("QG 4", "QG VII"), ("QG 4",), ("QG VII",), ()]
    far = board({**where, "QG 4": "0801"})
    assert ("QG 4",) not in support.supporting_hqs(field(), far, plan)
    other = board({**where, "39/9": "0504"})
    ninth = engaged(other, "0505", "39/9")
    assert support.supporting_hqs(field(), other, ninth) == [("QG VII",), ()]


def test_an_hq_supports_again_for_a_supply_point() -> None:
    b = board({"8/4": "0504", "1058/91": "0505", "QG 4": "0502"})
    used = marked(b, "QG 4", "supported")
    plan = engaged(b, "0505", "8/4")
    assert support.supporting_hqs(field(), used, plan) == [()]
    paid = replace(used, pools={**used.pools, "supply us": 1})
    assert support.supporting_hqs(field(), paid, plan) == [("QG 4",), ()]
    run = fought(paid, "0505", "8/4")
    assert run.board.pools["supply us"] == 0
    assert run.told("supply-spent")
    assert support.supporting_hqs(field(supply_points="every_time"), b, plan) == [()]


def test_air_and_ships_are_asked_for_and_spent() -> None:
    b = board({"8/4": "0504", "1058/91": "0505"}, "clear", air=2, naval=1)
    run = fought(b, "0505", "8/4", answers={"call-air": 1, "call-naval": "yes"})
    assert (run.board.pools["air"], run.board.pools["naval"]) == (1, 0)
    shifts = {line.id: line.value for line in run.lines if line.kind == "modifier"}
    assert (shifts["offensive-air"], shifts["naval"]) == (1, 1)
    assert run.told("naval-called")
    spent = replace(b, pools=run.board.pools)
    none = fought(spent, "0505", "8/4")
    assert "call-naval" not in none.asked
    assert support.sorties(field(), spent, engaged(spent, "0505", "8/4")) == 1


def test_no_air_support_in_bad_weather_or_for_germans_and_no_ships_inland() -> None:
    for weather, columns, also in (("clear", 2, 2), ("overcast", 0, 2), ("other", 0, 0)):
        b = board({"8/4": "0504", "1058/91": "0505"}, weather, air=5, naval=1)
        plan = engaged(b, "0505", "8/4")
        assert support.sorties(field(), b, plan) == columns
        assert support.sorties(field(air_weather="not_other"), b, plan) == also
        assert support.sorties(field(), b, engaged(b, "0504", "1058/91")) == 0
        assert support.ships(field(), b, engaged(b, "0504", "1058/91")) is None
    inland = board({"8/4": "0506", "1058/91": "0507"}, naval=1)
    assert support.ships(field(), inland, engaged(inland, "0507", "8/4")) is None


def test_every_reason_is_a_line_in_both_languages() -> None:
    b = board({"8/4": "0504", "70 Tk": "0504", "1058/91": "0505", "QG 91": "0507"}, "clear")
    run = fought(b, "0505", "8/4", "70 Tk")
    ids = {line.id for line in run.lines if line.kind == "note"}
    assert {"target-is", "weather-clear", "way-open", "in-main-force", "qualities"} <= ids
    assert all(line.in_("fr") and line.in_("en") for line in run.lines)


# ------------------------------------------------------------------ who may not attack


@pytest.mark.parametrize(
    ("where", "order", "state"),
    [
        ({"8/4": "0502", "1058/91": "0505"}, ("0505", "8/4"), ""),  # not adjacent
        ({"8/4": "0804", "FJ 6": "0805"}, ("0805", "8/4"), ""),  # across an impassable hexside
        ({"QG 4": "0504", "1058/91": "0505"}, ("0505", "QG 4"), ""),
        ({"8/4": "0504", "1058/91": "0505"}, ("0505", "8/4"), "attacked"),
        ({"8/4": "0504", "1058/91": "0505"}, ("0505", "8/4"), "disorganised"),
        ({"8/4": "0504", "1058/91": "0505"}, ("0505", "8/4"), "strategic"),
        ({"8/4": "0504", "1058/91": "0505"}, ("0506", "8/4"), ""),  # nobody there
        ({"8/4": "0504", "69 Bde": "0604", "1058/91": "0505"}, ("0505", "8/4", "69 Bde"), ""),
        ({"8/4": "0504", "I/919": "0503", "1058/91": "0505"}, ("0505", "8/4", "I/919"), ""),
        ({"24 Cav": "0504", "1058/91": "0505", "FJ 6": "0505"}, ("0505", "24 Cav"), ""),  # 1-8
    ],
)
def test_attacks_that_are_refused(
    where: dict[str, str], order: tuple[str, ...], state: str
) -> None:
    b = board(where)
    if state:
        b = marked(b, order[1], state)
    words = ("attack", *order)
    with pytest.raises(Refusal):
        Attacks(field(), b, "allied").check(words)
    assert words not in [*Attacks(field(), b, "allied").all()]


def test_by_option_no_unit_attacks_where_it_could_not_go() -> None:
    b = board({"CCA/3": "0504", "8/4": "0504", "II/919": "0404"})  # flooded: no tanks
    order = ("attack", "0404", "CCA/3")
    Attacks(field(), b, "allied").check(order)
    strict = field(attack_across="enterable")
    with pytest.raises(Refusal, match="across this hexside"):
        Attacks(strict, b, "allied").check(order)
    Attacks(strict, b, "allied").check(("attack", "0404", "8/4"))


def test_low_odds_may_be_allowed() -> None:
    b = board({"24 Cav": "0504", "1058/91": "0505", "FJ 6": "0505"})
    Attacks(field(low_odds="clamped"), b, "allied").check(("attack", "0505", "24 Cav"))


# ------------------------------------------------------------------ retreats


def test_a_retreat_goes_farther_each_hex_and_not_into_enemy_zones() -> None:
    b = board({"8/4": "0504", "1058/91": "0505", "22/4": "0705"})
    group = [b.piece("1058/91")]
    steps = field().retreat_steps(b, group, (at(b, "0505"),))
    assert numbers(b, steps) == {"0506", "0405"}  # 0404, 0604 and 0605 are in zones
    free = field(retreat_zoc="free").retreat_steps(b, group, (at(b, "0505"),))
    assert numbers(b, free) == {"0506", "0405", "0404", "0604", "0605"}


def test_by_option_a_retreat_need_not_go_farther() -> None:
    b = board({"8/4": "0504", "1058/91": "0505"})
    group, target, here = [b.piece("1058/91")], at(b, "0505"), at(b, "0506")
    beside = {"0405", "0605"}  # as far from 0505 as 0506 is
    steps = field().retreat_steps(b, group, (target, here))
    assert not beside & numbers(b, steps)
    free = field(retreat_direction="any_hex").retreat_steps(b, group, (target, here))
    assert beside & numbers(b, free)
    assert "0505" not in numbers(b, free)


def test_friends_open_an_enemy_zone_to_a_retreat() -> None:
    b = board({"8/4": "0504", "1058/91": "0505", "FJ 6": "0604"})
    group, here = [b.piece("1058/91")], at(b, "0505")
    assert "0604" in numbers(b, field().retreat_steps(b, group, (here,)))
    strict = field(retreat_zoc="never")
    assert "0604" not in numbers(b, strict.retreat_steps(b, group, (here,)))


@pytest.mark.parametrize("seed", range(10))
def test_no_legal_retreat_enters_a_forbidden_hex(seed: int) -> None:
    b = _scattered(random.Random(seed))
    for target, stack in b.stacks().items():
        side, foe = stack[0].side, field().enemy(stack[0].side)
        zone = field().zoc(b, foe)
        for hexes in (1, 2, 4):
            for there in field().longest_retreat(b, stack, (target,), hexes)[1]:
                names, sides = b.map.places[there].terrain, b.map.between(target, there)
                assert "marsh" not in names
                assert "impassable" not in sides
                assert b.side_of(there) != foe
                assert there not in zone or b.side_of(there) == side
                if any(p.unit_class != "non-mech" for p in stack):
                    road = b.map.ways_between(target, there)
                    assert road or ("flooded" not in names and "flooded-hexside" not in sides)


def test_a_retreat_ends_within_stacking() -> None:
    full = {"FJ 6": "0506", "Pz 100": "0506", "Flak 30": "0506"}
    b = board({"1058/91": "0505", "8/4": "0504", **full})
    group, here = [b.piece("1058/91")], at(b, "0505")
    assert "0506" not in numbers(b, field().retreats(b, group, (here,), 1))
    assert "0506" in numbers(b, field().retreats(b, group, (here,), 2))  # through it


# 6 against 2 and 2 for mixed ground: 1-1, less a column for the better armour; DR with a 6
TO_THE_BOCAGE: dict[str, object] = {
    "combat-roll": (6,),
    "retreat-where": ["0704"],
    "who-advances": (),
}


def test_a_retreat_is_asked_for_hex_by_hex() -> None:
    b = board({"8/4": "0504", "Flak 30": "0604"})
    run = fought(b, "0604", "8/4", answers={**TO_THE_BOCAGE, "retreat-on": "go"})
    assert run.told("way-open") == ["The defender can retreat to 0704 0705 0605"]
    assert run.asked.count("retreat-where") == 2
    assert run.asked.count("retreat-on") == 1  # the bocage of 0704
    flak = run.board.piece("Flak 30")
    assert flak.at is not None
    assert flak.at.distance(at(b, "0604")) == 2


def test_a_retreat_stops_in_shelter_if_the_defender_likes_or_must() -> None:
    b = board({"8/4": "0504", "Flak 30": "0604"})
    stopped = fought(b, "0604", "8/4", answers={**TO_THE_BOCAGE, "retreat-on": "stop"})
    assert stopped.board.piece("Flak 30").at == at(b, "0704")
    assert stopped.told("retreat-stops") == ["The retreat of Flak 30 ends in 0704: Bocage"]
    must = fought(b, "0604", "8/4", answers=TO_THE_BOCAGE, retreat_stop="must")
    assert must.board.piece("Flak 30").at == at(b, "0704")
    assert "retreat-on" not in must.asked


def test_units_without_a_way_are_eliminated_or_lose_a_step() -> None:
    where = {"8/4": "1007", "22/4": "1106", "39/9": "1107", "1058/91": "1108"}
    b = board(where)
    names = ("8/4", "39/9")
    assert not setup(b, "1108", *names).can_retreat
    answers = {"combat-roll": (6,), "main-force": "4 DI"}
    run = fought(b, "1108", *names, answers=answers)
    assert run.told("way-closed")
    assert not run.board.piece("1058/91").alive


def test_a_stack_without_a_common_way_goes_back_each_its_own() -> None:
    # Around 0403 only flooded hexes are open, which tanks can't enter.
    b = board({"Pz 100": "0403", "I/919": "0403", "8/4": "0504", "22/4": "0503", "39/9": "0304"})
    stack, target = b.stack(at(b, "0403")), at(b, "0403")
    rules = field(retreat_zoc="free")
    assert [len(group) for group in pursuit.groups(rules, b, stack, target)] == [1, 1]
    assert pursuit.can_retreat(rules, b, stack, target)
    run = fought(
        b,
        "0403",
        *("8/4", "22/4", "39/9"),
        answers={"main-force": "4 DI", "combat-roll": (4,), "who-advances": ()},
        retreat_zoc="free",
    )
    assert run.board.piece("I/919").at not in (None, target)
    assert not run.board.piece("Pz 100").alive
    assert run.told("retreat-blocked") == ["The retreat of Pz 100 is blocked in 0403"]
    together = field(retreat_zoc="free", retreat_apart="together")
    assert [len(group) for group in pursuit.groups(together, b, stack, target)] == [2]
    assert not pursuit.can_retreat(together, b, stack, target)


def test_a_stack_with_a_common_way_goes_back_together() -> None:
    b = board({"Pz 100": "0403", "I/919": "0403", "8/4": "0304"})
    stack, target = b.stack(at(b, "0403")), at(b, "0403")
    assert [len(group) for group in pursuit.groups(field(), b, stack, target)] == [2]


def test_a_retreat_cut_short_costs_a_step_unless_played_otherwise() -> None:
    b = board({"1058/91": "0505", "8/4": "0605", "22/4": "0405", "39/9": "0507"})
    b = b.moved(["1058/91"], at(b, "0505"))
    for choice, left in (("step_lost", 1), ("stop", 2)):
        rules = field(retreat_short=choice, retreat_zoc="free")
        blocked = Run(pursuit.retreat(rules, b, ["1058/91"], at(b, "0505"), 12))
        assert blocked.told("retreat-blocked")
        assert blocked.board.piece("1058/91").steps == left


# ------------------------------------------------------------------ outcomes on the board


def test_losses_marks_retreat_and_advance_come_to_the_board() -> None:
    b = board({"8/4": "0905", "Flak 30": "0904"})
    answers = {"combat-roll": (5,), "retreat-where": ["0803"], "who-advances": ("8/4",)}
    run = fought(b, "0904", "8/4", answers=answers)
    eight, flak = run.board.piece("8/4"), run.board.piece("Flak 30")
    assert eight.at == at(b, "0904")
    assert "attacked" in eight.states
    assert flak.at is not None
    assert flak.at.distance(at(b, "0904")) == 2
    assert run.board.holders[at(b, "0904")] == "allied"


def test_eliminated_units_leave_the_map() -> None:
    b = board({"8/4": "0905", "22/4": "0905", "QG 91": "0904"})
    run = fought(b, "0904", "8/4", "22/4", answers={"combat-roll": (6,)})
    assert run.board.piece("QG 91").at is None
    assert not run.board.piece("QG 91").alive


def test_a_rout_disorganises_until_the_end_of_the_next_turn() -> None:
    b = board(
        {"8/4": "0905", "22/4": "0905", "39/9": "0803", "Flak 30": "0904", "192/21 Pz": "0904"}
    )
    b = b.changed(replace(b.piece("192/21 Pz"), steps=1))
    two = b.changed(
        replace(b.piece("192/21 Pz"), faces=({"defence": 0, "attack": 1},) * 2, steps=2)
    )
    run = fought(two, "0904", "8/4", "22/4", answers={"combat-roll": (6,)})
    left = list(run.board.of("german"))
    assert left
    assert all("disorganised" in piece.states for piece in left)
    after = Run(field().end_of_turn(run.board, "german", 1)).board
    assert not any("disorganised" in piece.states for piece in after.of("german"))


def test_an_advance_goes_on_as_far_as_the_retreat() -> None:
    b = board({"8/4": "0905", "Flak 30": "0904"})
    answers = {"combat-roll": (5,), "retreat-where": ["0803", "0802"], "who-advances": ("8/4",)}
    on = fought(b, "0904", "8/4", answers={**answers, "advance-on": ["1003"]})
    assert on.asked.count("advance-on") == 1
    assert on.board.piece("8/4").at == at(b, "1003")
    short = fought(b, "0904", "8/4", answers=answers, advance_length="one_hex")
    assert "advance-on" not in short.asked


def test_an_advance_ends_in_an_enemy_zone_unless_played_otherwise() -> None:
    b = board({"8/4": "0904", "FJ 6": "0803"})
    assert pursuit.advances(field(), b, b.piece("8/4")) == []
    assert pursuit.advances(field(advance_zoc="free"), b, b.piece("8/4"))


@pytest.mark.parametrize(
    ("unit", "here", "there", "open_"),
    [
        ("8/4", "0405", "0406", False),  # a major river only with the first hex
        ("8/4", "0505", "0506", True),  # but by road
        ("8/4", "0602", "0703", False),  # a flooded hexside
        ("8/4", "0401", "0402", False),  # a flooded hex
        ("70 Tk", "0304", "0404", True),  # by road
        ("70 Tk", "0401", "0402", False),
        ("8/4", "0804", "0805", False),  # impassable
        ("8/4", "0805", "0806", True),  # a minor river is no bar
    ],
)
def test_where_an_advance_goes_on(unit: str, here: str, there: str, open_: bool) -> None:
    b = board({unit: here})
    assert (there in numbers(b, pursuit.advances(field(), b, b.piece(unit)))) == open_


def test_bocage_ends_an_advance_unless_by_road() -> None:
    # from 0604: 0703 and 0605 are bocage, the second way is by road from 0505
    off = Run(pursuit._goes_on(field(), board({"8/4": "0604"}), "8/4", 3), {"advance-on": ["0605"]})
    assert off.told("advance-ends")
    road = Run(
        pursuit._goes_on(field(), board({"8/4": "0505"}), "8/4", 2), {"advance-on": ["0605"]}
    )
    assert not road.told("advance-ends")


def test_no_more_units_advance_than_there_is_room_for() -> None:
    names = ("8/4", "22/4", "39/9", "70 Tk")
    b = board({**dict.fromkeys(names[:2], "0905"), **dict.fromkeys(names[2:], "0804")})
    run = Run(pursuit.advance(field(), b, names, at(b, "0904"), (), 0))
    assert len(run.board.stack(at(b, "0904"))) == 3
    assert run.told("no-room") == ["No room for 70 Tk in 0904; it stays"]


def test_a_fortification_is_lost_when_an_enemy_enters() -> None:
    b = board({"8/4": "0602"})
    run = Run(field().moves(b, ("move", "8/4", "0702")))
    assert field().fortification(run.board, at(b, "0702")) == "none"
    assert run.told("fort-falls")
    standing = field(fort_entered="kept")
    run = Run(standing.moves(b, ("move", "8/4", "0702")))
    assert standing.fortification(run.board, at(b, "0702")) == "strongpoint"
    assert standing.fortification(run.board, at(b, "0702"), "allied") == "none"
    assert not run.told("fort-falls")
    kept = Run(field().moves(board({"II/919": "0703"}), ("move", "II/919", "0702")))
    assert field().fortification(kept.board, at(b, "0702")) == "strongpoint"


def test_the_star_removes_the_entrenchment_from_the_board() -> None:
    b = board({"39/9": "0504", "8/4": "0504", "CCA/3": "0504", "I/919": "0503", "QG 91": "0404"})
    answers = {
        "main-force": "4 DI",
        "combat-roll": (6,),
        "retreat-or-stand": "stand",
        "determined-roll": (6,),
    }
    b = b.changed(replace(b.piece("I/919"), faces=({"attack": 3, "defence": 4, "quality": 0},) * 2))
    run = fought(b, "0503", "39/9", "8/4", "CCA/3", answers=answers)
    assert "determined-roll" in run.asked
    assert field().fortification(run.board, at(b, "0503")) == "none"
    assert run.board.piece("I/919").at == at(b, "0503")


def test_units_in_reserve_move_again_with_half_their_points() -> None:
    b = marked(board({"8/4": "0504", "70 Tk": "0504"}), "8/4", "reserve", "moved")
    run = Run(field().reserve_phase(b, "allied", 1), {"phase-reserve": [("move", "8/4", "0506")]})
    assert run.asked == ["phase-reserve"]
    assert run.board.piece("8/4").at == at(b, "0506")
    ready = b.changed(b.piece("8/4").cleared("moved"))
    assert field().allowance(ready, ready.piece("8/4")) == 2 * POINT
    with pytest.raises(Refusal):
        ReserveOrders(field(), ready, "allied").check(("move", "70 Tk", "0506"))
    assert not Run(field(reserve="marked").reserve_phase(b, "allied", 1)).asked


# ------------------------------------------------------------------ landing


def test_landing_is_paid_by_the_table_and_marked() -> None:
    b = board({}, points=4)
    orders = LandingOrders(field(), b, 1)
    land = ("land", "39/9", BEACH)
    assert land in [*orders.all()]
    orders.check(land)
    run = Run(lands(field(), b, land, 1))
    assert run.board.pools["points"] == 1
    assert run.board.piece("39/9").at == at(b, BEACH)
    assert "landed" in run.board.piece("39/9").states
    assert (
        setup(
            run.board.changed(replace(run.board.piece("I/919"), at=at(b, "0502"))), "0502", "39/9"
        )
        .attackers[0]
        .landing
    )


@pytest.mark.parametrize(
    ("order", "points", "turn"),
    [
        (("land", "39/9", BEACH), 2, 1),  # too few points
        (("land", "39/9", "0901"), 9, 1),  # not its beach
        (("land", "39/9", "0503"), 9, 1),
        (("land", "CCA/3", BEACH), 9, 1),  # too early
        (("land", "8/4", BEACH), 9, 1),  # not bought
        (("land", "101 Tiger", BEACH), 9, 3),  # not Allied
        (("land", "supply-point", "us"), 9, 2),  # no Mulberry yet
        (("land", "supply-point", "us"), 2, 3),
        (("land", "supply-point", "free french"), 9, 3),
        (("land", "39/9"), 9, 1),
        (("swim",), 9, 1),
    ],
)
def test_landings_that_are_refused(order: Words, points: int, turn: int) -> None:
    b = board({}, points=points)
    with pytest.raises(Refusal):
        LandingOrders(field(), b, turn).check(order)
    assert order not in [*LandingOrders(field(), b, turn).all()]


def test_no_landing_on_a_full_or_hostile_beach() -> None:
    full = board({"8/4": BEACH, "22/4": BEACH, "70 Tk": BEACH}, points=9)
    hostile = board({"I/919": BEACH}, points=9)
    for b in (full, hostile):
        with pytest.raises(Refusal):
            LandingOrders(field(), b, 1).check(("land", "39/9", BEACH))


def test_a_supply_point_needs_the_mulberry_and_goes_to_the_army() -> None:
    b = board({}, points=5)
    order = ("land", "supply-point", "us")
    LandingOrders(field(), b, 3).check(order)
    run = Run(lands(field(), b, order, 3))
    assert run.board.pools["supply us"] == 1
    assert run.board.pools["points"] == 2
    assert ("land", "supply-point", "british") not in [*LandingOrders(field(), b, 3).all()]


# ------------------------------------------------------------------ strafing


def test_a_column_that_moved_is_strafed_in_clear_weather() -> None:
    b = marked(board({"22/21 Pz": "0906"}, "clear", strafings=1), "22/21 Pz", "moved", "strategic")
    order = ("strafe", "0906")
    assert order in [*StrafingOrders(field(), b).all()]
    run = Run(
        field().strafing_phase(b, "german", 2), {"phase-strafing": [order], "strafing-roll": (5,)}
    )
    assert run.board.piece("22/21 Pz").steps == 1  # 5 + 1 in strategic movement
    assert run.board.pools["strafings"] == 0
    assert run.asked == ["phase-strafing", "strafing-roll"]
    assert run.roles == [Roles("allied", "german"), Roles("german", "allied")]
    assert run.told("column-strategic")


def test_flak_protects_a_column() -> None:
    b = board({"22/21 Pz": "0906", "Flak 30": "0907"}, "clear", strafings=1)
    b = marked(b, "22/21 Pz", "moved")
    run = Run(strafes(field(), b, at(b, "0906")), {"strafing-roll": (6,)})
    assert run.board.piece("22/21 Pz").steps == 2  # 6 - 1
    assert run.told("flak-near")


@pytest.mark.parametrize(
    ("unit", "weather", "left", "states"),
    [
        ("22/21 Pz", "overcast", 1, ("moved",)),
        ("22/21 Pz", "clear", 0, ("moved",)),
        ("22/21 Pz", "clear", 1, ()),  # it has not moved
        ("22/21 Pz", "clear", 1, ("moved", "strafed")),
        ("1058/91", "clear", 1, ("moved",)),  # no armour
    ],
)
def test_strafings_that_are_refused(
    unit: str, weather: str, left: int, states: tuple[str, ...]
) -> None:
    b = marked(board({unit: "0906"}, weather, strafings=left), unit, *states)
    with pytest.raises(Refusal):
        StrafingOrders(field(), b).check(("strafe", "0906"))
    assert [*StrafingOrders(field(), b).all()] == [END]


# ------------------------------------------------------------------ the turn


def test_the_weather_is_that_of_the_scenario_or_rolled() -> None:
    b = board({})
    stated = [field().weather(Run(field().turn_begins(b, turn)).board) for turn in range(1, 6)]
    assert stated == ["overcast", "clear", "other", "clear", "clear"]
    rolled = field(weather_source="rolled")
    seen = [
        rolled.weather(Run(rolled.turn_begins(b, 1), {"weather-roll": (die,)}).board)
        for die in range(1, 7)
    ]
    assert seen == ["clear"] * 3 + ["overcast"] * 2 + ["other"]


def test_sorties_and_ships_come_back_each_turn() -> None:
    b = board({}, air=0, naval=0, strafings=0)
    pools = Run(field().turn_begins(b, 2)).board.pools
    assert (pools["air"], pools["naval"], pools["strafings"]) == (2, 1, 1)


def test_the_phases_of_a_turn_in_their_order() -> None:
    match = begin(NAME)
    phases: list[tuple[str, str]] = []
    while match.asking is not None and len(phases) < 12:
        if isinstance(match.asking, Order):
            phases.append((match.asking.side, match.asking.phase))
            match.answer(END)
        elif isinstance(match.asking, Roll):
            match.answer((1,) * match.asking.dice.count)
        else:
            assert isinstance(match.asking, Choose)
            match.answer(match.asking.options[0])
    turn = [
        ("allied", "phase-landing"),
        ("allied", "phase-movement"),
        ("allied", "phase-combat"),
        ("german", "phase-movement"),
        ("german", "phase-combat"),
    ]
    assert phases[:10] == turn * 2


def test_a_unit_moves_once_and_attacks_once_in_a_turn() -> None:
    match = begin(NAME)
    match.answer(END)
    match.answer(("move", "22/4", "0601"))
    assert isinstance(match.asking, Order)
    with pytest.raises(Refusal):
        match.answer(("move", "22/4", "0602"))
    b = board({"8/4": "0504", "1058/91": "0505"})
    done = fought(b, "0505", "8/4").board
    with pytest.raises(Refusal):
        engaged(done, "0505", "8/4")


def test_strategic_marks_last_until_the_next_turn_of_the_side() -> None:
    b = board({"22/21 Pz": "1108"})
    run = Run(
        field().side_turn(b, "german", 1),
        {"phase-movement": [_far_by_road(b)]},
    )
    assert "strategic" in run.board.piece("22/21 Pz").states
    again = Run(field().side_turn(run.board, "german", 2))
    assert "strategic" not in again.board.piece("22/21 Pz").states


def _far_by_road(b: Board) -> Words:
    found = field().strategic_reach(b, b.piece("22/21 Pz"))
    return ("strategic", "22/21 Pz", b.map.number(max(found, key=lambda h: found[h].sixths)))


@pytest.mark.parametrize(
    "order",
    [
        ("move", "8/4", "0508"),
        ("move", "1058/91", "0504"),  # not his
        ("move", "8/9", "0501"),
        ("move", "8/4", "9999"),
        ("strategic", "8/4", "0402"),
        ("fly", "8/4", "0501"),
        ("move", "8/4"),
    ],
)
def test_moves_that_are_refused(order: Words) -> None:
    with pytest.raises(Refusal):
        Moves(field(), _whole(), "allied").check(order)


def test_reinforcements_by_land_arrive_or_wait() -> None:
    b = board({})
    run = Run(field().arrivals(b, "german", 2), {"arrives-where": "1108"})
    assert run.board.piece("101 Tiger").at == at(b, "1108")
    assert run.board.piece("192/21 Pz").at is None  # turn 3
    shut = board({"8/4": "0508", "69 Bde": "1108"})
    late = Run(field().arrivals(shut, "german", 2))
    assert len(late.told("arrival-blocked")) == 2
    assert late.board.piece("101 Tiger").at is None
    by_source = Run(field(late_arrival="any_source").arrivals(shut, "german", 2))
    assert by_source.board.piece("101 Tiger").at == at(b, "0101")  # the one source left


def test_who_holds_the_objectives_wins() -> None:
    b = _whole()
    assert field().verdict(b).points == {"allied": 0, "german": 14}
    taken = replace(b, holders=dict.fromkeys(b.holders, "allied"))
    assert field().verdict(taken).winner == "allied"


# ------------------------------------------------------------------ whole matches


def _random_match(seed: int) -> Match:
    rng = random.Random(seed)
    match = begin(NAME)
    for _ in range(3000):
        ask = match.asking
        match ask:
            case None:
                return match
            case Order():
                if rng.random() < 0.2:
                    match.answer(END)
                else:
                    # some legal order, without finding them all
                    *_, order = islice(ask.orders.all(), rng.randint(1, 60))
                    match.answer(order)
            case Roll():
                match.answer(tuple(rng.randint(1, 6) for _ in range(ask.dice.count)))
            case Choose():
                match.answer(rng.choice(ask.options))
            case Commit():
                match.answer((rng.choice(ask.attacker), rng.choice(ask.defender)))
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("seed", range(sized(40)))
def test_a_random_match_ends_conserves_units_and_replays(seed: int, tmp_path: Path) -> None:
    played = _random_match(seed)
    end = played.board
    before = _whole().pieces
    assert [piece.name for piece in end.pieces] == [piece.name for piece in before]
    for piece, was in zip(end.pieces, before, strict=True):
        assert 0 <= piece.steps <= was.steps
        assert piece.alive or piece.at is None
        assert piece.side == was.side
    rules = field()
    for hex_, stack in end.stacks().items():
        assert rules.stacking_problem(end, hex_, stack) is None
        assert "marsh" not in end.map.places[hex_].terrain
    assert sum(played.verdict().points.values()) == 14
    if seed % 5 == 0:
        file = tmp_path / "match.json"
        matches.save(played, file)
        text = file.read_text(encoding="utf-8").removesuffix("\\n")
        again = matches.load(text, "match.json")
        assert again.board.pieces == end.pieces
        assert again.board.holders == end.holders
        assert again.board.pools == end.pools
        assert again.asking is None


# ------------------------------------------------------------------ every rule of the card


@cache
def _found() -> Mapping[str, set[str]]:
    return recorded(normandy_records.FOLDER, normandy_records.used)


def _uses(kind: str) -> set[str]:
    return _found()[kind]


@pytest.mark.slow
def test_the_recorded_matches_use_every_modifier_and_limit() -> None:
    card = field().card
    other_option = {"flak-jabos"}  # option flak
    assert {row.id for row in card.modifiers} - _uses("modifier") == other_option
    assert {row.id for row in card.limits} | {"factor_cap"} == _uses("limit")


@pytest.mark.parametrize("table", ["combat", "determined-defence", "jabo", "strafing", "attrition"])
def test_the_recorded_matches_use_every_result(table: str) -> None:
    roll = {"determined-defence": "determined-roll"}.get(table, f"{table}-roll")
    assert _uses(roll) == set(field().card.table(table).legend)


def test_the_recorded_matches_buy_every_reinforcement() -> None:
    assert _uses("costs") == {text.en for text in field().card.table("reinforcements").rows.names}


def test_the_recorded_matches_fight_in_all_terrain_and_across_all_hexsides() -> None:
    sheet = _whole().map
    rows = {id_ for place in sheet.places.values() for id_ in place.terrain} - {"marsh"}
    assert _uses("target") == {sheet.terrain[id_].text.en for id_ in rows}
    crossed = {
        sheet.names[side].en
        for side, features in sheet.hexsides.items()
        if "impassable" not in features
    }
    assert _uses("across") == crossed


def test_the_recorded_matches_give_every_order_and_use_every_phrase() -> None:
    assert _uses("order") == {"attack", "end", "land", "move", "strafe", "strategic"}
    other_options = {"ratio-read", "fortification-stays", "weather-roll"}
    on_the_way = {"retreat-hexes"}  # the board asks for stops when the retreat comes to them
    other_options |= {"jabos-fly"}
    stated = {"german-support", "bare-ground", "retreat-stop"}  # by players, tested with the fight
    rare = {"arrival-blocked", "stays-unsupplied"} | stated  # tested above
    rare |= {"who-reserves"}  # the matches were recorded when each unit was asked by itself
    verbs = {f"order-{verb}" for verb in _uses("order")}
    names = ("word-", "army-", "pool-", "adds-")  # of what rules and boards hold as plain words
    shared = {"across", "advances-to", "arrives-where", "arrival-blocked", "is-disorganised"}
    shared |= {"is-supplied", "is-unsupplied", "means"}  # of all games
    own = {id_ for id_ in field().card.phrases if "." not in id_ and not id_.startswith(names)}
    phrases = own | shared
    assert phrases - _uses("phrase") - verbs == other_options | on_the_way | rare
