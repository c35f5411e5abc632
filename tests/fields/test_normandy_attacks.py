"""Normandy '44 on the map: attacks from the board, and who may not."""

import pytest
from msgspec.structs import replace

from grognard.games.normandy import battle, support
from grognard.games.normandy.battle import Attacks
from grognard.games.normandy.ground import WEATHER
from grognard.words.refusal import Refusal
from tests.fields.normandy_board import Run, board, engaged, field, fought, marked, setup

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
