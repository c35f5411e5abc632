"""White October on the map: what the card and our options say, position by position."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.fights.record import from_plain, plain
from grognard.games.white_october.aftermath import furthest, withdraw
from grognard.games.white_october.conditions import setup
from grognard.games.white_october.field import Attacks, WhiteOctoberField
from grognard.games.white_october.stated import Attack, WhiteOctoberFight
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.match import Match
from grognard.matches.orders import MoveOrders
from grognard.matches.protocol import Doing, Order, Yielded
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.refusal import Refusal
from grognard.words.typography import spaced
from tests.tiers import sized

SCENARIO = scenarios.load("pulkovo")
FIELD = WhiteOctoberField(SCENARIO)
START = SCENARIO.board()


def field(**options: str) -> WhiteOctoberField:
    return WhiteOctoberField(replace(SCENARIO, options=options))


def only(hexes: Mapping[str, str], **states: str) -> Board:
    """Set up these pieces alone; states as `Talabsk="routed"`, names with _ for the blank."""
    marks = {name.replace("_", " "): state for name, state in states.items()}
    pieces = [
        replace(
            piece,
            at=START.map.hex(hexes[piece.name]) if piece.name in hexes else None,
            states=frozenset(marks.get(piece.name, "").split()),
        )
        for piece in START.pieces
    ]
    assert set(hexes) <= {piece.name for piece in pieces}
    return START.changed(*pieces)


def hexes(*numbers: str) -> set[Hex]:
    return {START.map.hex(number) for number in numbers}


def numbers(found: Iterable[Hex]) -> set[str]:
    return {START.map.number(hex_) for hex_ in found}


def at(board: Board, name: str) -> str:
    hex_ = board.piece(name).at
    return board.map.number(hex_) if hex_ else "-"


class Ran(NamedTuple):
    """How a piece of the sequence of play went."""

    value: Any
    lines: list[Line]
    asked: list[Ask]

    @property
    def ids(self) -> list[str]:
        return [line.id for line in self.lines]

    def line(self, id_: str) -> Line:
        return next(line for line in self.lines if line.id == id_)


Choices = Mapping[str, Answer | list[Answer]]


class Driver:
    """Answers choices by their name (else with the first option), the combat dice so that the
    column is read, and other dice as given; ends every phase."""

    def __init__(self, choices: Choices, column: int, die: int) -> None:
        self.left = {key: list(v) if isinstance(v, list) else [v] for key, v in choices.items()}
        self.column, self.die = column, die
        self.lines: list[Line] = []
        self.asked: list[Ask] = []

    def reply(self, said: Yielded) -> Answer | Play | None:
        match said:
            case Line():
                self.lines.append(said)
            case Fight():
                return self.fought(said)
            case Order():
                return ("end",)
            case Roll() | Choose():
                return self.answer(said)
        return None

    def fought(self, fight: Fight) -> Play:
        play = Play(fight)
        while play.asking is not None:
            play.answer(self.answer(play.asking, play))
        self.lines += [told.line for told in play.told]
        return play

    def answer(self, ask: Ask, play: Play | None = None) -> Answer:
        self.asked.append(ask)
        if isinstance(ask, Roll):
            return self.dice(ask, play)
        assert isinstance(ask, Choose)
        known = self.left.get(ask.what)
        if not known:
            return ask.options[0]
        return known.pop(0) if len(known) > 1 else known[0]

    def dice(self, ask: Roll, play: Play | None) -> Answer:
        if play is None:
            return (self.die,) * ask.dice.count
        assert isinstance(play.fight, WhiteOctoberFight)
        total = self.column - play.fight.die_modifier
        assert 2 <= total <= 12, total
        return total // 2, total - total // 2


def run(doing: Doing[object], choices: Choices | None = None, column: int = 7, die: int = 1) -> Ran:
    """Run a part of the rules to its end."""
    driver = Driver(choices or {}, column, die)
    sent: Answer | Play | None = None
    while True:
        try:
            sent = driver.reply(doing.send(sent))
        except StopIteration as end:
            return Ran(end.value, driver.lines, driver.asked)


def plan(board: Board, *words: str, rules: WhiteOctoberField = FIELD) -> Engagement:
    """Give the attack that an order means; the side is that of the first unit."""
    side = board.piece(words[1]).side
    return rules.engagement(board, side, ("attack", *words))


def stated(
    board: Board, *words: str, rules: WhiteOctoberField = FIELD, theirs: tuple[str, ...] = ()
) -> tuple[Attack, Ran]:
    """Derive a fight from the board; `theirs` fire for the defence."""
    guns = tuple(board.piece(name) for name in theirs)
    ran = run(setup(rules, board, plan(board, *words, rules=rules), guns))
    assert isinstance(ran.value, Attack)
    return ran.value, ran


def attacked(
    board: Board,
    *words: str,
    column: int,
    choices: Choices | None = None,
    rules: WhiteOctoberField = FIELD,
) -> tuple[Board, Ran]:
    choices = {"defensive-fires": (), **(choices or {})}
    ran = run(rules.attack(board, plan(board, *words, rules=rules)), choices, column)
    assert isinstance(ran.value, Board)
    return ran.value, ran


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


def _cut_off() -> dict[str, str]:
    """Sailors in the woods by the sea, and Whites on both sides of them."""
    return {"Sailors": "0106", "Talabsk": "0206", "Semenov": "0107", "Ostrov": "0105"}


def test_enemies_and_their_zones_cut_a_line_and_are_named() -> None:
    board = only(_cut_off())
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


def scattered(random: Random) -> Board:
    """Put every unit somewhere on land, never with enemies."""
    land = [h for h, place in START.map.places.items() if "sea" not in place.terrain]
    board = START.changed(*(replace(piece, at=None) for piece in START.pieces))
    for piece in START.pieces:
        if piece.kind in ("aircraft", "fleet", "leader"):
            continue
        free = [h for h in land if board.side_of(h) in (None, piece.side)]
        near = [h for h in free if 3 <= h.q <= 8]
        routed = {"routed"} if random.random() < 0.2 else set()
        board = board.changed(piece.marked(*routed)).moved([piece.name], random.choice(near))
    return board


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
    board = only(_cut_off())
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


# ------------------------------------------------------------------ an attack from the board

OPEN = {"Talabsk": "0606", "53 Rifles": "0605"}  # clear terrain, nothing else near


def test_an_attack_in_the_open_states_nothing_but_that() -> None:
    setup, ran = stated(only(OPEN), "0605", "Talabsk")
    assert setup.clear_terrain
    assert setup.attacker_is_ano
    assert ran.ids == ["ano-attacks", "clear-ground"]
    (ours,), (theirs,) = setup.attackers, setup.defenders
    assert (ours.name, ours.pe, ours.steps, ours.strength) == ("Talabsk", 3, 3, 6)
    assert (ours.quality, ours.morale, ours.combat, ours.cavalry) == (5, 5, True, False)
    assert (theirs.name, theirs.strength, theirs.quality, theirs.morale) == ("53 Rifles", 5, 3, 3)


def test_a_reduced_unit_fights_with_its_present_face() -> None:
    board = only(OPEN)
    board = board.changed(replace(board.piece("Talabsk"), steps=1))
    setup, _ = stated(board, "0605", "Talabsk")
    assert (setup.attackers[0].pe, setup.attackers[0].strength) == (1, 2)


def test_states_go_with_the_counters() -> None:
    board = only(OPEN, Talabsk="disorganised out_of_ammunition")
    unit = stated(board, "0605", "Talabsk")[0].attackers[0]
    assert (unit.disorganised, unit.out_of_ammunition, unit.routed) == (True, True, False)


def test_kinds_go_with_the_counters() -> None:
    board = only({**OPEN, "Brown Bear": "0606", "AB Talab": "0706", "Bulak Horse": "0706"})
    setup, _ = stated(board, "0605", "Talabsk", "Brown Bear", "AB Talab", "Bulak Horse")
    foot, tank, car, horse = setup.attackers
    assert (tank.tank, tank.combat) == (True, False)
    assert (car.armoured_car, car.combat) == (True, False)
    assert (horse.cavalry, horse.combat) == (True, True)
    assert (foot.tank, foot.armoured_car, foot.cavalry) == (False, False, False)


def test_support_fires_are_added_up_and_told() -> None:
    board = only({**OPEN, "1 Battery": "0608", "Pulkovo Guns": "0603", "Sevastopol": "0401"})
    words = ("0605", "Talabsk", "1 Battery", "ANO Flight")
    theirs = ("Pulkovo Guns", "Red Flight")
    setup, ran = stated(board, *words, theirs=theirs)
    assert (setup.attacker_support, setup.defender_support) == (5, 5)
    assert setup.attacker_air
    assert ran.line("fires").in_("en") == "Support fire of 1 Battery from 0608: 3"
    assert ran.line("flies").in_("fr") == spaced("Soutien aérien, ANO Flight : 2")


def test_the_defender_is_asked_for_his_support() -> None:
    board = only({**OPEN, "Pulkovo Guns": "0603", "Train No. 6": "0702"})
    ran = run(FIELD.defensive_support(board, plan(board, "0605", "Talabsk"), "defensive-fires"))
    (ask,) = ran.asked
    assert isinstance(ask, Choose)
    assert (ask.side, ask.what) == ("defender", "defensive-fires")
    assert ask.options[0] == ("Pulkovo Guns", "Red Flight"), "the train is out of range"
    assert () in ask.options


def test_guns_in_the_attacked_hex_defend_with_their_strength() -> None:
    board = only({**OPEN, "Pulkovo Guns": "0605"})
    attacked = plan(board, "0605", "Talabsk")
    able = FIELD.supporters(board, "red", attacked.target, attacked.defenders)
    assert able == [board.piece("Red Flight")]
    setup, _ = stated(board, "0605", "Talabsk")
    assert [unit.name for unit in setup.defenders] == ["53 Rifles", "Pulkovo Guns"]
    assert [unit.combat for unit in setup.defenders] == [True, False]


def test_night_is_stated_and_aircraft_stay_on_the_ground() -> None:
    board = only(OPEN).pooled("night", 1)
    setup, ran = stated(board, "0605", "Talabsk")
    assert setup.night
    assert "by-night" in ran.ids
    with pytest.raises(Refusal, match="does not fly by night"):
        plan(board, "0605", "Talabsk", "ANO Flight")
    plan(board, "0605", "Talabsk", "ANO Flight", rules=field(night_flying="yes"))


def test_the_reds_are_not_the_north_western_army() -> None:
    setup, ran = stated(only(OPEN), "0606", "53 Rifles")
    assert not setup.attacker_is_ano
    assert "ano-attacks" not in ran.ids


def test_an_hq_helps_its_own_corps_within_its_range() -> None:
    near = only({**OPEN, "HQ Palen": "0608"})
    setup, ran = stated(near, "0605", "Talabsk")
    assert setup.hq_bonus == 2
    assert ran.line("commands").in_("en") == "Bonus of HQ Palen in 0608: 2"
    assert stated(only({**OPEN, "HQ Palen": "0609"}), "0605", "Talabsk")[0].hq_bonus == 0
    other = only({"Lieven": "0606", "53 Rifles": "0605", "HQ Palen": "0607"})
    assert stated(other, "0605", "Lieven")[0].hq_bonus == 0, "not of the first corps"


def test_the_bonus_of_both_hqs_is_set_off() -> None:
    board = only({**OPEN, "HQ Palen": "0608", "HQ 7 Army": "0602"})
    assert stated(board, "0605", "Talabsk")[0].hq_bonus == 1
    assert stated(only({**OPEN, "HQ 7 Army": "0602"}), "0605", "Talabsk")[0].hq_bonus == -1
    routed = only({**OPEN, "HQ 7 Army": "0602"}, HQ_7_Army="routed")
    assert stated(routed, "0605", "Talabsk")[0].hq_bonus == 0


def test_several_hqs_count_by_the_best_or_all() -> None:
    board = only({**OPEN, "HQ Palen": "0608", "HQ 7 Army": "0607"})
    board = board.changed(replace(board.piece("HQ 7 Army"), side="ano"))
    assert stated(board, "0605", "Talabsk")[0].hq_bonus == 2
    assert stated(board, "0605", "Talabsk", rules=field(hq_bonuses="sum"))[0].hq_bonus == 3


def test_encirclement_is_stated_of_either_side() -> None:
    ring = {"Sailors": "0605", "Talabsk": "0606", "Semenov": "0604"}
    setup, ran = stated(only(ring), "0605", "Talabsk")
    assert setup.defender_encircled
    assert not setup.attacker_encircled
    assert ran.line("is-encircled").in_("en") == "0605 is encircled"
    setup, ran = stated(only(ring), "0606", "Sailors")
    assert (setup.attacker_encircled, setup.defender_encircled) == (True, False)


def test_most_pe_of_the_attackers_must_be_encircled() -> None:
    ring = {"Sailors": "0605", "Talabsk": "0606", "Semenov": "0604"}
    relief = only({**ring, "Cadets": "0707"})
    assert FIELD.encircled(relief, relief.map.hex("0605"), "red")
    assert stated(relief, "0606", "Sailors", "Cadets")[0].attacker_encircled, "3 PE of 5"
    more = only({**ring, "Cadets": "0707", "53 Rifles": "0707"})
    assert not stated(more, "0606", "Sailors", "Cadets", "53 Rifles")[0].attacker_encircled


def test_trotsky_is_present_with_those_who_share_his_hex() -> None:
    board = only({**OPEN, "Trotsky": "0605"})
    setup, ran = stated(board, "0605", "Talabsk")
    assert setup.defender_trotsky
    assert [unit.name for unit in setup.defenders] == ["53 Rifles"], "he is no unit"
    assert ran.line("leads").in_("en") == "Trotsky is present in 0605"
    assert stated(board, "0606", "53 Rifles")[0].attacker_trotsky


@pytest.mark.parametrize(
    ("hex_", "start", "value", "clear"),
    [
        ("0605", "0606", 0, True),
        ("0708", "0608", 1, False),  # a wood
        ("0506", "0507", 1, False),  # heights
        ("0604", "0605", 2, False),  # heights and entrenchments
        ("0305", "0306", 1, False),  # entrenchments in the open
        ("1005", "1105", 2, False),  # a village and its entrenchments
        ("0405", "0406", 0, False),  # a marsh
        ("1005", "1006", 3, False),  # the same across the Izhora
    ],
)
def test_the_defensive_value_of_the_ground(hex_: str, start: str, value: int, clear: bool) -> None:
    setup, ran = stated(only({"Talabsk": start, "53 Rifles": hex_}), hex_, "Talabsk")
    assert (setup.terrain_value, setup.clear_terrain) == (value, clear)
    told = [line.value for line in ran.lines if line.id == "ground-helps"]
    assert sum(v for v in told if isinstance(v, int)) == value


def test_entrenchments_serve_those_who_dug_them() -> None:
    board = only({"Talabsk": "0604", "53 Rifles": "0605"})
    assert stated(board, "0604", "53 Rifles")[0].terrain_value == 1, "the heights alone"


def test_values_are_added_or_the_best_counts() -> None:
    board = only({"Talabsk": "0605", "53 Rifles": "0604"})
    rules = field(terrain_values="best")
    assert stated(board, "0604", "Talabsk", rules=rules)[0].terrain_value == 1


def test_a_river_counts_if_all_attackers_cross_it() -> None:
    board = only({"Talabsk": "1006", "Bulak Horse": "1004", "53 Rifles": "1005"})
    setup, ran = stated(board, "1005", "Talabsk", "Bulak Horse")
    assert setup.terrain_value == 2
    assert ran.line("across").in_("en") == "Across the Izhora: Talabsk from 1006"
    assert "not-all-across" in ran.ids
    rules = field(river_defence="any_across")
    assert stated(board, "1005", "Talabsk", "Bulak Horse", rules=rules)[0].terrain_value == 3


def test_a_second_hex_is_for_cavalry_and_armoured_cars() -> None:
    board = only({**OPEN, "Bulak Horse": "0706", "AB Talab": "0706"})
    both = ("0605", "Bulak Horse", "AB Talab")
    assert stated(board, *both)[0].second_hex_allowed
    assert not stated(board, *both, rules=field(second_hex="never"))[0].second_hex_allowed
    assert not stated(board, *both, "Talabsk")[0].second_hex_allowed
    assert stated(board, *both, "Talabsk", rules=field(second_hex="any"))[0].second_hex_allowed


def test_who_has_no_way_back_is_stated() -> None:
    board = only({"Sailors": "0203", "Talabsk": "0304", "Semenov": "0204"})
    setup, ran = stated(board, "0203", "Talabsk")
    assert (setup.attacker_can_retreat, setup.defender_can_retreat) == (True, False)
    assert ran.line("no-way-back").in_("en") == "No way back from 0203"
    assert not stated(board, "0204", "Sailors")[0].attacker_can_retreat


def test_units_that_attack_go_before_and_guns_and_hqs_behind() -> None:
    ahead = {piece.kind for piece in START.pieces if FIELD.fights(piece)}
    assert ahead == {"infantry", "cavalry", "tank", "armoured-car"}


# ------------------------------------------------------------------ who may not attack or fire


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("0605", "Semenov"), "is not adjacent"),
        (("0605", "53 Rifles"), "is not yours"),
        (("0605", "HQ Palen"), "does not attack"),
        (("0605", "1 Battery"), "no unit attacks"),
        (("0606", "Talabsk"), "no enemy in 0606"),
        (("0605", "Talabsk", "1 Battery"), "out of range"),
        (("0605", "Talabsk", "Pulkovo Guns"), "is not yours"),
        (("9999", "Talabsk"), "no hex 9999"),
        (("0605", "Talabks"), "no unit 'Talabks'"),
    ],
)
def test_orders_that_are_refused(words: tuple[str, ...], reason: str) -> None:
    board = only(
        {
            **OPEN,
            "Semenov": "0608",
            "HQ Palen": "0606",
            "1 Battery": "0609",
            "Pulkovo Guns": "0603",
        }
    )
    with pytest.raises(Refusal, match=reason):
        Attacks(FIELD, board, "ano").check(("attack", *words))


@pytest.mark.parametrize("order", [("attack", "0605"), ("fire", "0605"), ("move", "Talabsk")])
def test_orders_of_another_form_are_refused(order: tuple[str, ...]) -> None:
    with pytest.raises(Refusal, match="not an order here"):
        Attacks(FIELD, only(OPEN), "ano").check(order)


def test_tanks_attack_where_they_could_go() -> None:
    board = only({"Brown Bear": "0806", "53 Rifles": "0805"})
    with pytest.raises(Refusal, match="can't enter 0805, nor attack it"):
        plan(board, "0805", "Brown Bear")
    plan(board, "0805", "Brown Bear", rules=field(vehicle_attack="anywhere"))
    bridge = only({"Brown Bear": "1006", "53 Rifles": "1005"})
    plan(bridge, "1005", "Brown Bear")
    ship = only({"Talabsk": "0402", "Sevastopol": "0401"})
    with pytest.raises(Refusal, match="can't enter 0401"):
        plan(ship, "0401", "Talabsk")


def test_a_routed_unit_does_not_attack() -> None:
    board = only(OPEN, Talabsk="routed")
    with pytest.raises(Refusal, match="is routed"):
        plan(board, "0605", "Talabsk")
    rules = field(routed_units="active")
    assert stated(board, "0605", "Talabsk", rules=rules)[0].attackers[0].routed


def test_guns_without_ammunition_are_silent() -> None:
    board = only({**OPEN, "1 Battery": "0607"}, **{"1_Battery": "out_of_ammunition"})
    with pytest.raises(Refusal, match="out of ammunition"):
        plan(board, "0605", "Talabsk", "1 Battery")


def test_units_attack_once_and_hexes_are_attacked_once() -> None:
    board = only({**OPEN, "Semenov": "0706", "1 Battery": "0607"})
    after, _ = attacked(board, "0605", "Talabsk", "1 Battery", column=7)
    with pytest.raises(Refusal, match="has attacked already"):
        plan(after, "0605", "Talabsk")
    with pytest.raises(Refusal, match="0605 has been attacked already"):
        plan(after, "0605", "Semenov")
    plan(after, "0605", "Semenov", rules=field(hex_attacked="again"))
    with pytest.raises(Refusal, match="has given its support already"):
        plan(after, "0605", "Semenov", "1 Battery", rules=field(hex_attacked="again"))


def test_all_orders_are_legal_and_end_comes_first() -> None:
    board = only({**OPEN, "Semenov": "0706", "1 Battery": "0607", "HQ Palen": "0607"})
    orders = Attacks(FIELD, board, "ano")
    assert list(orders.all()) == [
        ("end",),
        ("attack", "0605", "Talabsk", "Semenov", "1 Battery", "ANO Flight"),
        ("attack", "0605", "Talabsk"),
        ("attack", "0605", "Semenov"),
    ]
    for order in orders.all():
        orders.check(order)


# ------------------------------------------------------------------ the board after a fight


def test_the_loser_retreats_and_the_winner_advances() -> None:
    choices: Choices = {"own-result": ("1", "d", "a"), "retreat-where": "0705"}
    board, ran = attacked(only(OPEN), "0605", "Talabsk", column=8, choices=choices)
    assert at(board, "53 Rifles") == "0705"
    assert at(board, "Talabsk") == "0605"
    assert board.piece("Talabsk").steps == 2
    assert {"disorganised", "attacked"} <= board.piece("Talabsk").states
    assert board.holders[board.map.hex("0605")] == "ano"
    assert ran.line("advances-to").in_("en") == "Talabsk advances to 0605"


def test_others_may_follow_as_stacking_allows() -> None:
    start = only({**OPEN, "Brown Bear": "0606", "Semenov": "0706"})
    choices: Choices = {"own-result": ("1", "a"), "who-follows": ["Brown Bear", "nobody"]}
    board, ran = attacked(
        start, "0605", "Talabsk", "Brown Bear", "Semenov", column=12, choices=choices
    )
    asked = [ask.options for ask in ran.asked if ask.what == "who-follows"]  # type: ignore[union-attr]
    assert asked == [("nobody", "Brown Bear", "Semenov"), ("nobody", "Semenov")]
    assert (at(board, "Brown Bear"), at(board, "Semenov")) == ("0605", "0706")


def test_a_rout_leaves_its_mark_and_goes_two_hexes() -> None:
    board, _ = attacked(only(OPEN), "0605", "Talabsk", column=10)
    rifles = board.piece("53 Rifles")
    assert "routed" in rifles.states
    assert at(board, "53 Rifles") == "0603"


def test_who_surrenders_is_gone() -> None:
    board, ran = attacked(only(OPEN), "0605", "Talabsk", column=14)
    assert not board.piece("53 Rifles").alive
    assert board.piece("53 Rifles").at is None
    assert at(board, "Talabsk") == "0605", "the advance is mandatory"
    assert "is-captured" in ran.ids


@pytest.mark.parametrize(("how", "where"), [("captured", "-"), ("stay", "0605")])
def test_the_players_may_settle_a_surrender(how: str, where: str) -> None:
    rules = field(surrender="players")
    choices: Choices = {"surrender": how}
    board, ran = attacked(only(OPEN), "0605", "Talabsk", column=14, choices=choices, rules=rules)
    assert at(board, "53 Rifles") == where
    assert ("advance-blocked" in ran.ids) == (how == "stay")


def test_the_defender_may_advance_into_the_ground_of_a_beaten_attacker() -> None:
    start = only({"Talabsk": "0705", "Cadets": "0704"})
    choices: Choices = {"imposed-result": ("1", "r", "d"), "own-result": ("a1",)}
    board, _ = attacked(start, "0704", "Talabsk", column=1, choices=choices)
    assert board.piece("Talabsk").steps == 2
    assert at(board, "Talabsk") != "0705"
    assert at(board, "Cadets") == "0705"


def test_ground_that_others_hold_is_not_taken() -> None:
    start = only({"Talabsk": "0705", "1 Battery": "0705", "Cadets": "0704"})
    choices: Choices = {"imposed-result": ("2", "r"), "own-result": ("a1",)}
    board, ran = attacked(start, "0704", "Talabsk", column=1, choices=choices)
    assert "advance-blocked" in ran.ids
    assert at(board, "Cadets") == "0704"


def test_cavalry_goes_on_to_a_second_hex() -> None:
    start = only({"Bulak Horse": "0606", "Putilov Militia": "0605"})
    choices: Choices = {"how-far": 2, "advance-where": "0505"}
    board, ran = attacked(start, "0605", "Bulak Horse", column=13, choices=choices)
    assert at(board, "Bulak Horse") == "0505"
    assert [line.value for line in ran.lines if line.id == "advances-to"] == ["0605", "0505"]
    assert board.holders[board.map.hex("0605")] == "ano"
    choices = {"how-far": 1}
    assert (
        at(attacked(start, "0605", "Bulak Horse", column=13, choices=choices)[0], "Bulak Horse")
        == "0605"
    )


def test_there_may_be_no_second_hex() -> None:
    start = only(
        {
            "Bulak Horse": "0204",
            "Putilov Militia": "0203",
            "Cadets": "0303",
            "53 Rifles": "0304",
            "AB Lenin": "0104",
        }
    )
    choices: Choices = {"how-far": 2}
    board, ran = attacked(start, "0203", "Bulak Horse", column=13, choices=choices)
    assert at(board, "Bulak Horse") == "0203"
    assert "second-hex-blocked" in ran.ids


def test_only_the_stack_that_cannot_go_pays() -> None:
    start = only(
        {
            "Talabsk": "0203",  # by the sea, the only way back taken
            "Semenov": "0304",
            "Cadets": "0204",
            "Sailors": "0303",
        }
    )
    rules = field(retreat_zoc="never")
    both = ("0204", "Talabsk", "Semenov")
    assert stated(start, *both, rules=rules)[0].attacker_can_retreat, "one of them can"
    choices: Choices = {"own-result": ("r", "d")}
    board, ran = attacked(start, *both, column=5, choices=choices, rules=rules)
    assert (at(board, "Talabsk"), board.piece("Talabsk").steps) == ("0203", 2)
    assert at(board, "Semenov") != "0304"
    assert ran.line("no-way-on").in_("en") == "Hexes that can't be retreated: 1 (Talabsk)"


def test_losses_and_fires_are_marked() -> None:
    start = only({**OPEN, "1 Battery": "0607", "Pulkovo Guns": "0603"})
    choices: Choices = {"defensive-fires": ("Pulkovo Guns",)}
    board, _ = attacked(start, "0605", "Talabsk", "1 Battery", column=7, choices=choices)
    for name in ("1 Battery", "Pulkovo Guns"):
        assert "fired" in board.piece(name).states
    assert "fired" not in board.piece("Red Flight").states
    assert "defended" in board.piece("53 Rifles").states


def test_units_that_fight_without_supply_run_out_of_ammunition() -> None:
    start = only({**_cut_off(), "Pulkovo Guns": "0106"})
    board, ran = attacked(start, "0206", "Sailors", "Pulkovo Guns", column=7)
    for name in ("Sailors", "Pulkovo Guns"):
        assert "out_of_ammunition" in board.piece(name).states
    assert "out_of_ammunition" not in board.piece("Talabsk").states
    assert ran.ids.count("runs-out") == 2
    guns, _ = attacked(
        start, "0206", "Sailors", "Pulkovo Guns", column=7, rules=field(ammunition="guns")
    )
    assert "out_of_ammunition" not in guns.piece("Sailors").states
    assert "out_of_ammunition" in guns.piece("Pulkovo Guns").states
    never = attacked(
        start, "0206", "Sailors", "Pulkovo Guns", column=7, rules=field(ammunition="never")
    )
    assert "runs-out" not in never[1].ids


def test_trotsky_joins_the_nearest_unit_when_his_stack_is_gone() -> None:
    start = only({**OPEN, "Trotsky": "0605", "Cadets": "0602"})
    board, ran = attacked(start, "0605", "Talabsk", column=14)
    assert at(board, "Trotsky") == at(board, "53 Rifles") != "0605"
    assert "joins" in ran.ids
    assert at(board, "Talabsk") == "0605"


def test_trotsky_is_caught_when_nobody_is_left() -> None:
    board = only({"Trotsky": "0605", "Talabsk": "0606"})
    ran = run(FIELD.gather(board, "ano"))
    assert ran.ids == ["is-captured"]
    assert not ran.value.piece("Trotsky").alive


# ------------------------------------------------------------------ the turn


def test_day_and_night_alternate_and_aircraft_are_ready_again() -> None:
    board = only({}, ANO_Flight="fired")
    first = run(FIELD.turn_begins(board, 1))
    assert first.ids == ["day-breaks"]
    assert not FIELD.night(first.value)
    assert not first.value.piece("ANO Flight").states
    second = run(FIELD.turn_begins(first.value, 2))
    assert second.ids == ["night-falls"]
    assert FIELD.night(second.value)
    assert not FIELD.night(run(FIELD.turn_begins(second.value, 3)).value)
    assert FIELD.night(run(field(night_turns="odd").turn_begins(board, 1)).value)
    assert not FIELD.night(run(field(night_turns="none").turn_begins(board, 2)).value)


def test_reinforcements_arrive_at_a_free_entry_or_wait() -> None:
    board = only({"Talabsk": "0508"})
    ran = run(FIELD.supply_phase(board, "ano", 2), {"arrives-where": "1109"})
    assert at(ran.value, "Reval") == "1109"
    blocked = only({"Talabsk": "0508", "Sailors": "0509", "Cadets": "1109"})
    ran = run(FIELD.supply_phase(blocked, "ano", 2))
    assert at(ran.value, "Reval") == "-"
    assert "arrival-blocked" in ran.ids
    assert ran.value.piece("Reval").arrives == 3


@pytest.mark.parametrize(
    ("option", "die", "before", "after"),
    [
        ("step", 6, "routed", {"disorganised"}),
        ("step", 6, "disorganised", set()),
        ("step", 6, "routed disorganised", {"disorganised"}),
        ("whole", 6, "routed disorganised", set()),
        ("roll", 6, "routed", {"routed"}),
        ("roll", 5, "routed", {"disorganised"}),
    ],
)
def test_recovery(option: str, die: int, before: str, after: set[str]) -> None:
    board = only({"Talabsk": "0507"}, Talabsk=before)
    ran = run(field(recovery=option).supply_phase(board, "ano", 1), die=die)
    assert ran.value.piece("Talabsk").states == after


def test_nobody_recovers_beside_the_enemy() -> None:
    board = only({"Talabsk": "0606", "Sailors": "0605"}, Talabsk="disorganised")
    ran = run(FIELD.supply_phase(board, "ano", 1))
    assert "disorganised" in ran.value.piece("Talabsk").states
    assert "too-near" in ran.ids


def test_ammunition_comes_with_a_supply_line() -> None:
    board = only({"Talabsk": "0507"}, Talabsk="out_of_ammunition isolated")
    ran = run(FIELD.supply_phase(board, "ano", 1))
    assert ran.value.piece("Talabsk").states == frozenset()
    assert ran.line("fills-up").value == "0509"


def test_isolated_units_are_told_with_what_cuts_them_and_may_suffer() -> None:
    board = only(_cut_off())
    first = run(FIELD.supply_phase(board, "red", 1))
    assert "isolated" in first.value.piece("Sailors").states
    assert "0206" in first.line("is-isolated").in_("en")
    again = run(FIELD.supply_phase(first.value, "red", 1)).value
    assert again.piece("Sailors").steps == 3
    hungry = run(field(isolation="loss").supply_phase(first.value, "red", 1)).value
    assert hungry.piece("Sailors").steps == 2


def test_a_piece_moves_once_a_phase_and_its_marks_go() -> None:
    match = Match(FIELD)
    match.answer(("move", "Talabsk", "0306"))
    with pytest.raises(Refusal, match="has moved already"):
        match.answer(("move", "Talabsk", "0307"))
    with pytest.raises(Refusal, match="is not yours"):
        match.answer(("move", "Sailors", "0603"))
    with pytest.raises(Refusal, match="0101: Gulf of Finland is closed to it"):
        match.answer(("move", "Semenov", "0101"))
    with pytest.raises(Refusal, match="not an order here"):
        match.answer(("attack", "0305", "Talabsk"))
    match.answer(("end",))
    assert all("moved" not in piece.states for piece in match.board.pieces)
    assert isinstance(match.asking, Order)
    assert (match.asking.side, match.asking.phase) == ("ano", "phase-combat")


def test_the_phases_follow_each_other() -> None:
    match, seen = Match(FIELD), list[tuple[int, str, str]]()
    while isinstance(match.asking, Order) or match.asking is not None:
        if isinstance(match.asking, Order):
            seen.append((match.asking.turn, match.asking.side, match.asking.phase))
            match.answer(("end",))
        else:
            match.answer(_any(match.asking, Random(0)))
    phases = ("phase-movement", "phase-combat")
    assert seen == [(t, s, p) for t in range(1, 7) for s in ("ano", "red") for p in phases]
    assert match.verdict().winner == "red"
    assert match.verdict().points == {"ano": 2, "red": 11}


def test_it_ends_when_a_side_has_nothing_left() -> None:
    board = only({"Talabsk": "0606"})
    gone = [replace(p, steps=0) for p in board.pieces if p.side == "red" and p.kind != "aircraft"]
    board = board.changed(*gone)
    assert FIELD.beaten(board, "red")
    assert not FIELD.beaten(board, "ano")
    ran = run(FIELD.sequence(board))
    assert ran.ids[-1] == "all-gone"


# ------------------------------------------------------------------ whole matches


def _any(ask: Order | Ask, random: Random) -> Answer:
    match ask:
        case Order():
            return _ordered(ask, random)
        case Roll():
            return tuple(random.randint(1, 6) for _ in range(ask.dice.count))
        case Choose():
            return random.choice(ask.options)
        case Commit():
            return random.choice(ask.attacker), random.choice(ask.defender)


def _ordered(ask: Order, random: Random) -> Answer:
    """Most moves go to the enemy and most attacks are made, so that much happens."""
    if not isinstance(ask.orders, MoveOrders):
        end, *attacks = ask.orders.all()
        return random.choice(attacks) if attacks and random.random() < 0.85 else end
    pieces = list(ask.orders.pieces())
    if not pieces or random.random() < 0.12:
        return ("end",)
    piece = random.choice(pieces)
    way = _way(ask, piece, random)
    return ("move", piece.name, ask.board.map.number(way)) if way else ("end",)


def _way(ask: Order, piece: Piece, random: Random) -> Hex | None:
    assert isinstance(ask.orders, MoveOrders)
    reach = ask.orders.field.reach(ask.board, piece)
    found = [hex_ for hex_, way in reach.items() if len(way.path) > 1]
    foes = [foe.at for foe in ask.board.of(FIELD.enemy(piece.side)) if foe.at]
    if not found:
        return None
    if foes and random.random() < 0.6:
        near: Callable[[Hex], int] = lambda hex_: min(map(hex_.distance, foes))  # noqa: E731
        return min(found, key=near)
    return random.choice(found)


def _conserved(match: Match) -> None:
    """Every unit is on the map, on its way, in the air, or dead; none stands with enemies."""
    for piece, before in zip(match.board.pieces, START.pieces, strict=True):
        assert (piece.name, piece.side) == (before.name, before.side)
        assert 0 <= piece.steps <= before.steps
        if not piece.alive:
            assert piece.at is None
        elif piece.at is None:
            assert piece.kind == "aircraft" or piece.arrives
    for hex_, stack in match.board.stacks().items():
        assert len({piece.side for piece in stack}) == 1
        assert FIELD.stacking_problem(match.board, hex_, stack) is None
        led = any(piece.kind != "leader" for piece in stack)
        moving = isinstance(match.asking, Order) and match.asking.phase == "phase-movement"
        assert led or moving, "units may leave their leader; then he joins others"


def _told(match: Match) -> list[Line]:
    return [entry for entry in match.log if isinstance(entry, Line)]


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    """Play matches with random legal answers, watching every unit."""
    return [_played(Random(seed)) for seed in range(sized(40, quick=8, soak=400))]


def _played(random: Random, rules: WhiteOctoberField = FIELD) -> Match:
    match = Match(rules)
    while match.asking is not None:
        match.answer(_any(match.asking, random))
        if match.play is None and isinstance(match.asking, Order):
            _conserved(match)
    _conserved(match)
    return match


def test_random_matches_end_with_every_point_held(matches: list[Match]) -> None:
    for match in matches:
        assert sum(match.verdict().points.values()) == 13
    winners = {match.verdict().winner for match in matches}
    assert {"ano", "red"} <= winners, "either side can win"


def test_replayed_from_their_answers_they_give_the_same_board(matches: list[Match]) -> None:
    for match in matches[::4]:
        answers = json.loads(json.dumps([plain(answer) for answer in match.answers]))
        again = Match(FIELD, [from_plain(answer) for answer in answers])
        assert again.asking is None
        assert again.board.pieces == match.board.pieces
        assert again.board.holders == match.board.holders
        assert _told(again) == _told(match)


def test_every_line_speaks_both_languages(matches: list[Match]) -> None:
    for match in matches:
        for line in _told(match):
            assert line.in_("en")
            assert line.in_("fr")


REFUSED = {("damaged_cells", "refuse"), ("morale_clamp", "refuse")}  # the players decide


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, -1])
def test_matches_end_with_every_other_choice_of_the_options(place: int) -> None:
    others = {}
    for option in FIELD.card.options:
        known = [c.id for c in option.choices if (option.id, c.id) not in REFUSED]
        others[option.id] = known[min(place, len(known) - 1)]
    for seed in range(3):
        assert _played(Random(seed), field(**others)).asking is None
