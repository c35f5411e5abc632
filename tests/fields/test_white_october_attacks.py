"""White October on the map: attacks from the board, and who may not."""

import pytest
from msgspec.structs import replace

from grognard.games.white_october.field import Attacks
from grognard.rules.ask import Choose
from grognard.words.refusal import Refusal
from grognard.words.typography import spaced
from tests.fields.white_october_board import (
    FIELD,
    OPEN,
    START,
    attacked,
    field,
    only,
    plan,
    run,
    stated,
)

# ------------------------------------------------------------------ an attack from the board


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
