"""Normandy '44 on the map: landing, strafing, the turn, whole matches."""

import random
from collections.abc import Mapping
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from grognard.games.normandy.allied_phases import LandingOrders, StrafingOrders, lands, strafes
from grognard.games.normandy.field import Moves
from grognard.maps.board import Board
from grognard.matches import match as matches
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order, Roles, Words
from grognard.rules.ask import Choose, Commit, Roll
from grognard.words.refusal import Refusal
from tests.fields import normandy_records
from tests.fields.normandy_board import (
    BEACH,
    NAME,
    Run,
    at,
    board,
    engaged,
    field,
    fought,
    marked,
    setup,
    whole_of,
)
from tests.fields.recording import recorded
from tests.tiers import sized

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
        Moves(field(), whole_of(), "allied").check(order)


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
    b = whole_of()
    assert field().verdict(b).points == {"allied": 0 + 1, "german": 14}
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
    before = whole_of().pieces
    assert [piece.name for piece in end.pieces] == [piece.name for piece in before]
    for piece, was in zip(end.pieces, before, strict=True):
        assert 0 <= piece.steps <= was.steps
        assert piece.alive or piece.at is None
        assert piece.side == was.side
    rules = field()
    for hex_, stack in end.stacks().items():
        assert rules.stacking_problem(end, hex_, stack) is None
        assert "marsh" not in end.map.places[hex_].terrain
    assert sum(played.verdict().points.values()) == 14 + 1
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
    sheet = whole_of().map
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
