"""Panzer Grenadier: the cases of the reading, column modifiers, columns, dice."""

from fractions import Fraction

import pytest

from grognard.fights.explain import Explanation
from grognard.rules.fight import Fight
from grognard.words.refusal import Refusal
from tests.games.panzer_grenadier_fights import (
    Stated,
    anti_tank,
    checks,
    direct,
    offered,
    rolled,
    shifts,
    steps,
    unit,
)


def final_columns(explanation: Explanation) -> dict[str, str]:
    lines = [line for line in explanation.lines if line.id == "final-column"]
    return {line.unit: str(line.value) for line in lines}


# ------------------------------------------------------------------ the cases of the reading


def test_p1_three_columns_right_of_7_roll_7_is_m() -> None:
    fight = direct(fire=10, range=1, opportunity_fire=True)
    assert fight.explain().column() == {"basic": "7", "final": "22"}
    assert rolled(fight, 7).fight.result == "M"


def test_p2_minus_five_is_limited_to_minus_two() -> None:
    explanation = direct(entrenched=True, terrain=["wood"], night=True, range=4).explain()
    values = {line.id: line.value for line in explanation.modifiers}
    assert values == {"entrenchment": -1, "town-or-wood": -2, "night": -1, "range": -1}
    assert [line.value for line in explanation.lines if line.kind == "limit"] == [-2]
    assert explanation.column() == {"basic": "11", "final": "4"}


def test_p3_artillery_stands_on_a_column_of_its_own() -> None:
    fight = direct(
        unit("INF"), unit("ART", "artillery"), unit("Lkw", "truck"),
        terrain=["town"], opportunity_fire=True,
    )  # fmt: skip
    assert shifts(fight.explain()) == {"ART": 1, "INF, Lkw": -1}
    assert final_columns(fight.explain()) == {"ART": "16", "INF, Lkw": "7"}


def test_p4_adjacent_anti_tank_11_costs_a_step_and_a_check_at_m2() -> None:
    play = rolled(anti_tank(range=1), 8)
    assert play.fight.result == "step"
    assert steps(play) == {"T": 1}
    assert checks(play) == {"T": (8, "+2")}


def test_p5_a_truck_has_armour_minus_one() -> None:
    play = rolled(anti_tank(unit("Lkw", "truck"), value=3), 9)
    assert play.fight.result == "eliminated"
    assert steps(play) == {"Lkw": 0}
    assert play.outcome.defender_eliminated


def test_p6_2x_takes_two_steps_of_each_category_one_of_an_open_top() -> None:
    fight = direct(
        unit("INF"), unit("SPW", "afv-open"), unit("Lkw", "truck"), fire=22
    )  # column 22, roll 2: 2X
    play = rolled(fight, 2)
    assert play.fight.result == "2X"
    assert offered(play) == [("INF", "SPW"), ("SPW", "SPW")]
    play.answer(("INF", "SPW"))
    assert steps(play) == {"INF": 1, "SPW": 1, "Lkw": 0}
    assert checks(play) == {"INF": (8, "+2"), "SPW": (8, "+2")}


def test_p6_a_truck_with_steps_left_checks_too() -> None:
    fight = direct(unit("INF", steps=4), unit("Lkw", "truck", steps=3), fire=22)
    play = rolled(fight, 2)
    assert steps(play) == {"INF": 2, "Lkw": 1}
    assert checks(play) == {"INF": (8, "+2"), "Lkw": (8, "+2")}


# ------------------------------------------------------------------ column modifiers


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"entrenched": True}, -2),
        ({"entrenched": True, "terrain": ["hill"]}, -2),  # -3, limited
        ({"terrain": ["town"]}, -2),
        ({"terrain": ["wood"]}, -2),
        ({"night": True}, -1),
        ({"terrain": ["hill"]}, -1),
        ({"range": 2}, 0),
        ({"range": 3}, -1),
        ({"air_attack": True, "aa_unit": True, "aa_distance": 2}, -1),
        ({"air_attack": True, "aa_unit": True, "aa_distance": 3}, -1),
        ({"air_attack": True, "aa_unit": True, "aa_distance": 4}, 0),
        ({"aa_unit": True, "aa_distance": 1}, 0),
        ({"air_attack": True, "aa_distance": 1}, 0),
        ({"minefield_of_firer": True}, 1),
        ({"opportunity_fire": True}, 1),
        ({"terrain": ["marsh"]}, 1),
        ({"terrain": ["clear"]}, 0),
        ({"range": 1}, 2),  # a single firer
        ({"range": 1, "adjacent_to_all": True}, 2),
        ({"range": 0}, 0),
        ({"range": 1, "terrain": ["marsh"], "opportunity_fire": True}, 3),  # +4, limited
        ({"terrain": ["town"], "range": 1, "opportunity_fire": True, "night": True}, 0),
    ],
)
def test_modifiers_of_the_whole_hex(facts: Stated, expected: int) -> None:
    assert shifts(direct(stated=facts).explain()) == {"A": expected}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (unit("A", dug_in=True), -1),
        (unit("A", "mortar"), 1),
        (unit("A", "anti-aircraft"), 1),
        (unit("A", "anti-tank"), 1),
        (unit("A", "cavalry"), 1),
        (unit("A", "artillery"), 2),
        (unit("A", "engineers"), 0),
        (unit("A", "other"), 0),
        (unit("A", "afv-open"), 0),
        (unit("A", "leader"), 0),
    ],
)
def test_modifiers_of_a_unit_leave_the_others_alone(target: Stated, expected: int) -> None:
    explanation = direct(unit("B", "wagon"), target).explain()
    assert shifts(explanation) == ({"B": 0, "A": expected} if expected else {"B, A": 0})


def test_modifiers_of_a_unit_add_up() -> None:
    explanation = direct(unit("A", "anti-tank", dug_in=True), unit("B")).explain()
    assert shifts(explanation) == {"A": 0, "B": 0}
    assert final_columns(explanation) == {"A, B": "11"}


def test_several_firers_are_adjacent_only_if_all_are() -> None:
    two: list[Stated] = [{"name": "F", "fire": 6}, {"name": "G", "fire": 5}]
    assert shifts(direct(attackers=two, range=1).explain()) == {"A": 0}
    assert shifts(direct(attackers=two, range=1, adjacent_to_all=True).explain()) == {"A": 2}


def test_three_stacked_combat_units_are_a_better_target() -> None:
    three = [unit(name) for name in "ABC"]
    assert shifts(direct(*three[:2], unit("L", "leader"), unit("W", "wagon")).explain()) == {
        "A, B, L, W": 0
    }
    assert shifts(direct(*three).explain()) == {"A, B, C": 1}


def test_option_three_stacked() -> None:
    four = [unit(name) for name in "ABCD"]
    assert shifts(direct(*four).explain()) == {"A, B, C, D": 1}
    exactly = direct(*four, options={"three_stacked": "exactly"})
    assert shifts(exactly.explain()) == {"A, B, C, D": 0}
    told = [line for line in exactly.explain().lines if line.id == "over-stacked"]
    assert [line.value for line in told] == [4]


def test_option_aa_range() -> None:
    facts: Stated = {"air_attack": True, "aa_unit": True, "aa_distance": 3}
    under = {"aa_range": "under_three"}
    assert shifts(direct(stated=facts).explain()) == {"A": -1}
    assert shifts(direct(options=under, stated=facts).explain()) == {"A": 0}
    assert shifts(direct(options=under, stated={**facts, "aa_distance": 2}).explain()) == {"A": -1}


def test_option_crossing_scope() -> None:
    units = [unit("A", engineers_crossing=True), unit("B")]
    assert shifts(direct(*units).explain()) == {"A, B": 1}
    apart = direct(*units, options={"crossing_scope": "those_units"})
    assert shifts(apart.explain()) == {"A": 1, "B": 0}


# ------------------------------------------------------------------ columns


@pytest.mark.parametrize(
    ("fire", "lower", "higher"),
    [(1, "1", "1"), (3, "2", "4"), (4, "4", "4"), (10, "7", "11"), (44, "30", "45+"),
     (45, "45+", "45+"), (60, "45+", "45+")],
)  # fmt: skip
def test_option_fire_between(fire: int, lower: str, higher: str) -> None:
    assert direct(fire=fire).explain().column()["basic"] == lower
    other = direct(fire=fire, options={"fire_between": "higher"})
    assert other.explain().column()["basic"] == higher


def test_a_value_between_two_headings_is_doubtful_and_one_on_a_heading_is_not() -> None:
    assert [line.reading.option for line in direct(fire=10).explain().doubts] == ["fire_between"]
    assert direct(fire=11).explain().doubts == ()


def test_option_fire_below_one() -> None:
    with pytest.raises(Refusal, match="fire value of 0 can't attack"):
        direct(fire=0)
    fight = direct(fire=0, options={"fire_below_one": "column_1"})
    assert fight.explain().column() == {"basic": "1", "final": "1"}


def test_option_off_table() -> None:
    clamped = direct(fire=1, terrain=["town"])
    assert clamped.explain().column() == {"basic": "1", "final": "1"}
    assert rolled(clamped, 2).fight.result == "M"
    left = direct(fire=1, terrain=["town"], options={"off_table": "left_no_effect"})
    assert left.play().asking is None
    assert left.play().outcome.result == "-"
    right = direct(fire=45, range=1, options={"off_table": "left_no_effect"})
    assert right.explain().column()["final"] == "45+"


def test_left_of_the_table_only_those_units_are_spared() -> None:
    units = [unit("A"), unit("G", "artillery")]  # -2 and 0
    for each in ("one_roll", "roll_each"):
        options = {"off_table": "left_no_effect", "separate_columns": each}
        play = rolled(direct(*units, fire=2, terrain=["town"], options=options), 2)
        assert play.fight.result == "-/M1"
        assert checks(play) == {"G": (8, "+1")}


def test_the_column_of_the_first_target_is_the_one_that_is_explained() -> None:
    inf, gun = unit("INF"), unit("PAK", "anti-tank")
    assert direct(inf, gun).explain().column()["final"] == "11"
    assert direct(gun, inf).explain().column()["final"] == "16"


def test_different_shifts_to_one_column_make_one_group() -> None:
    fight = direct(unit("A", "artillery"), unit("B", "mortar"), fire=30)  # +2 and +1
    assert final_columns(fight.explain()) == {"A, B": "45+"}
    assert rolled(fight, 5).fight.result == "X"


@pytest.mark.parametrize(("way", "total"), [("kept", "11/2"), ("down", "5"), ("up", "6")])
def test_option_half_fire(way: str, total: str) -> None:
    firers = [{"name": n, "fire": f, "state": "disrupted"} for n, f in (("F", 5), ("G", 6))]
    explanation = direct(attackers=firers, options={"half_fire": way}).explain()
    assert explanation.totals()["attack"] == Fraction(total)
    reading = next(line.reading for line in explanation.lines if line.id == "unit-changed")
    assert (reading.status, reading.option) == ("assumed", "half_fire")


def test_halves_of_two_units_add_up() -> None:
    firers = [{"name": n, "fire": 7, "state": "disrupted"} for n in "FG"]
    assert direct(attackers=firers).explain().column()["basic"] == "7"
    down = direct(attackers=firers, options={"half_fire": "down"})
    assert down.explain().column()["basic"] == "4"


def test_the_fire_value_is_told_unit_by_unit() -> None:
    firers = [{"name": "F", "fire": 5}, {"name": "G", "fire": 7}]
    explanation = direct(attackers=firers).explain()
    told = [(line.unit, line.value) for line in explanation.lines if line.id == "unit-factor"]
    assert told == [("F", 5), ("G", 7)]
    assert explanation.totals()["attack"] == 12


# ------------------------------------------------------------------ the dice


def test_one_roll_is_read_on_every_column() -> None:
    play = rolled(direct(unit("A"), unit("G", "artillery")), 4)
    assert play.fight.result == "M1/X"  # columns 11 and 22


def test_option_separate_columns_rolls_for_each() -> None:
    fight = direct(unit("A"), unit("G", "artillery"), options={"separate_columns": "roll_each"})
    play = rolled(fight, 4, 7)
    assert play.fight.result == "M1/M"
    assert checks(play) == {"A": (8, "+1"), "G": (8, "0")}


def test_each_column_takes_its_losses_from_its_own_units() -> None:
    play = rolled(direct(unit("A"), unit("G", "artillery"), unit("W", "wagon")), 4)
    assert play.fight.result == "M1/X"
    assert steps(play) == {"A": 2, "G": 1, "W": 2}
    assert checks(play) == {"A": (8, "+1"), "W": (8, "+1"), "G": (8, "+2")}


def test_no_effect_asks_for_nothing() -> None:
    play = rolled(direct(), 7)
    assert play.asking is None
    assert (play.outcome.result, play.outcome.details) == ("-", ())


@pytest.mark.parametrize(
    ("total", "code", "added"), [(5, "M", "0"), (10, "M1", "+1"), (3, "M2", "+2")]
)
def test_m_results_add_their_number_to_the_check(total: int, code: str, added: str) -> None:
    play = rolled(direct(), total)
    assert play.fight.result == code
    assert checks(play) == {"A": (8, added)}
    assert steps(play) == {"A": 2}


def test_units_with_armour_do_not_check_on_m() -> None:
    units = [unit("A"), unit("B", "afv-closed"), unit("C", "wagon"), unit("D", "sledge")]
    assert checks(rolled(direct(*units), 5)) == {"A": (8, "0"), "C": (8, "0"), "D": (8, "0")}
    guns = [unit("A"), unit("B", "afv-open"), unit("C", armour=0)]  # 0 is an armour value
    assert checks(rolled(direct(*guns, fire=7), 5)) == {"A": (8, "0")}


def test_option_trucks_check() -> None:
    units = [unit("A"), unit("Lkw", "truck")]
    assert set(checks(rolled(direct(*units), 5))) == {"A", "Lkw"}
    exempt = {"trucks_check": "exempt"}
    assert set(checks(rolled(direct(*units, options=exempt), 5))) == {"A"}
    after_x = rolled(direct(*units, options=exempt), 2)
    assert set(checks(after_x)) == {"A", "Lkw"}  # X makes every unit check


def test_the_doubt_about_trucks_is_told_only_where_there_is_one() -> None:
    def doubt(fight: Fight) -> set[str | None]:
        return {t.line.reading.option for t in rolled(fight, 5).told if t.line.id == "look-up"}

    assert doubt(direct(unit("A"))) == {None}
    assert doubt(direct(unit("A"), unit("Lkw", "truck"))) == {"trucks_check"}
