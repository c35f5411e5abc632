"""Normandy '44: the cases to build on, factors, odds, columns and shifts."""

from fractions import Fraction

import pytest

from grognard.rules.ask import Roll
from grognard.words.refusal import Refusal
from tests.games.normandy_fights import (
    DIAGONAL,
    ODDS,
    Stated,
    after,
    attack,
    basic,
    defender,
    final,
    german,
    go_on,
    main,
    played,
    shift,
    steps_left,
    told,
    totals,
)

# ------------------------------------------------------------------ the cases to build on


def test_n1_every_cell_of_the_table_is_reached() -> None:
    for column, odds in enumerate(ODDS):
        ours, theirs = ODDS[odds]
        fight = attack(ours, theirs)
        assert final(fight) == odds
        for die in range(1, 7):
            assert played(fight, die).fight.result == DIAGONAL[die + column - 1]


def test_n2_in_the_open_a_modified_5_costs_the_lead_unit_a_step_and_the_retreat_stands() -> None:
    play = go_on(after("DR"), "stand", 5, "stay")
    assert steps_left(play) == {"A": 3, "D": 1}
    assert play.outcome.details == ("retreat 2",)
    assert play.outcome.vacated


def test_n3_in_a_town_a_modified_4_cancels_the_retreat_and_is_an_exchange() -> None:
    fight = attack(18, 1, terrain=["town"])  # 18 : 6 is 3-1, where 3 is DR
    play = played(fight, 3, "stand", 4)
    assert steps_left(play) == {"A": 2, "D": 1}
    assert play.outcome.details == ("held",)
    assert not play.outcome.vacated


def test_n4_both_sides_engage_18_factors_at_most_bdc_included() -> None:
    fight = attack(25, 3, terrain=["village"])
    assert totals(fight) == (18, 7)
    assert basic(fight) == "2-1"
    assert totals(attack(20, 16, terrain=["town"])) == (18, 18)


def test_n5_a1_d2_against_a_single_step_costs_the_attacker_nothing() -> None:
    play = go_on(after("A1/D2", defenders=[defender(steps=1)]), "stay")
    assert steps_left(play) == {"A": 3, "D": 0}
    assert told(play, "attacker-spared")


def test_n6_dh_takes_half_of_five_steps_rounded_up() -> None:
    play = go_on(after("DH", defenders=[defender(steps=5)]), "stay")
    assert steps_left(play)["D"] == 2
    assert play.outcome.defender_steps_lost == 3


# ------------------------------------------------------------------ factors


def test_units_outside_the_main_force_are_halved_and_halves_add_up() -> None:
    fight = attack([main(4), {"name": "B", "factor": 5}, {"name": "C", "factor": 3}], 4)
    assert totals(fight) == (8, 4)
    down = attack(
        [main(4), {"name": "B", "factor": 5}, {"name": "C", "factor": 3}],
        4,
        {"half_rounding": "unit_down"},
    )
    assert totals(down) == (4 + 2 + 1, 4)


def test_a_fraction_of_a_factor_stays_in_the_total_and_is_marked_as_a_reading() -> None:
    fight = attack([main(4), {"name": "B", "factor": 5}], 3)
    assert totals(fight) == (Fraction(13, 2), 3)
    line = next(line for line in fight.explain().lines if line.id == "unit-multiplied")
    assert line.reading.option == "half_rounding"


@pytest.mark.parametrize(
    "facts",
    [
        {"main_force": False},
        {"crosses": ["minor-river"]},
        {"crosses": ["major-river"]},
        {"crosses": ["flooded-hexside"]},
        {"crosses": ["runway"]},
        {"crosses": ["cherbourg-perimeter"]},
        {"crosses": ["causeway"]},
        {"from_flooded": True},
        {"unsupplied": True},
        {"landing": True},
    ],
)
def test_each_printed_reason_halves_an_attacker(facts: Stated) -> None:
    assert totals(attack([main(4), main(6, "B", **facts)], 4)) == (7, 4)


def test_a_unit_is_halved_once_however_many_reasons_it_has() -> None:
    wet = main(8, "B", unsupplied=True, landing=True, crosses=["major-river"], from_flooded=True)
    fight = attack([main(4), wet], 4)
    assert totals(fight) == (8, 4)
    assert [line.value for line in fight.explain().lines if line.id == "halving"] == [
        Fraction(1, 2)
    ]


def test_only_allied_attackers_are_halved_at_the_cherbourg_perimeter() -> None:
    across = [main(8, crosses=["cherbourg-perimeter"])]
    assert totals(attack(across, attacker_camp="german")) == (8, 1)
    assert totals(attack(across)) == (4, 1)


def test_an_attack_into_a_flooded_hex_is_halved_and_out_of_it_by_option() -> None:
    assert totals(attack(8, 2, terrain=["flooded"])) == (4, 2)
    out = [main(8, from_flooded=True)]
    assert totals(attack(out, 2)) == (4, 2)
    assert totals(attack(out, 2, {"flooded_halving": "into_only"})) == (8, 2)


@pytest.mark.parametrize(
    ("terrain", "bdc"),
    [
        (["clear"], 0),
        (["mixed"], 2),
        (["bocage"], 3),
        (["wood"], 2),
        (["village"], 4),
        (["town"], 5),
        (["flooded"], 0),
        (["clear", "hilltop"], 0),
        (["clear", "airfield"], 0),
        (["bocage", "village"], 4),
    ],
)
def test_terrain_adds_its_bdc_to_the_defence(terrain: list[str], bdc: int) -> None:
    assert totals(attack(18, 2, terrain=terrain))[1] == 2 + bdc


def test_bdc_of_several_terrains_add_up_by_option() -> None:
    fight = attack(18, 2, {"bdc_several": "add"}, terrain=["bocage", "village"])
    assert totals(fight) == (18, 9)


def test_bdc_count_for_each_unit_by_option_and_stay_within_the_18() -> None:
    pair = [defender(2), defender(3, "E")]
    assert totals(attack(18, pair, terrain=["bocage"])) == (18, 8)
    each = {"bdc_scope": "unit"}
    assert totals(attack(18, pair, each, terrain=["bocage"])) == (18, 11)
    assert totals(attack(18, [*pair, defender(3, "F")], each, terrain=["village"])) == (18, 18)


# ------------------------------------------------------------------ odds and columns


def test_odds_are_rounded_in_the_defenders_favour_unless_played_otherwise() -> None:
    assert basic(attack([main(9), main(9, "B")], 10)) == "1-1"  # 18 : 10
    assert basic(attack([main(9), main(9, "B")], 10, {"odds_rounding": "attacker"})) == "2-1"
    assert basic(attack(4, 9)) == "1-3"
    assert basic(attack(4, 9, {"odds_rounding": "attacker"})) == "1-2"
    assert basic(attack(12, 6, {"odds_rounding": "attacker"})) == "2-1"


def test_an_attack_below_1_3_is_refused_and_the_odds_are_named() -> None:
    with pytest.raises(Refusal, match=r"3 against 10 is 1-4; an attack needs at least 1-3"):
        attack(3, 10)
    with pytest.raises(Refusal, match=r"is 1-5"):
        attack(2, 10)
    assert final(attack(3, 10, {"low_odds": "clamped"})) == "1-3"


def test_support_does_not_make_refused_odds_legal() -> None:
    with pytest.raises(Refusal, match="1-4"):
        attack(3, 10, offensive_air=2)


def test_shifts_are_counted_beyond_7_1_unless_the_ratio_is_clamped_first() -> None:
    nine = attack(9, 1, quality_advantage=-1)  # 9-1 less one column is 8-1
    assert (basic(nine), final(nine)) == ("7-1+", "7-1+")
    before = attack(9, 1, {"ratio_clamp": "before"}, quality_advantage=-1)
    assert (basic(before), final(before)) == ("7-1+", "6-1")
    assert final(attack(8, 1, terrain=["clear", "hilltop"], quality_advantage=-1)) == "6-1"


def test_left_of_the_table_the_result_is_a1_without_a_die() -> None:
    weak = attack(1, 3, quality_advantage=-1)
    assert final(weak) == "1-4"
    play = weak.play()
    assert play.asking is None
    assert play.outcome.result == "A1"
    assert steps_left(play) == {"A": 2, "D": 2}
    clamped = attack(1, 3, {"low_column": "clamped"}, quality_advantage=-1)
    assert final(clamped) == "1-3"
    assert played(clamped, 6).fight.result == "EX"


# ------------------------------------------------------------------ shifts


@pytest.mark.parametrize(
    ("facts", "columns"),
    [
        ({"quality_advantage": 3}, 1),
        ({"quality_advantage": -2}, -1),
        ({"armour_advantage": 2}, 1),
        ({"armour_advantage": -1}, -1),
        ({"armour_advantage": 1, "tiger_advantage": 1}, 2),
        ({"armour_advantage": -1, "tiger_advantage": -1}, -2),
        ({"offensive_air": 1}, 1),
        ({"offensive_air": 2}, 2),
        ({"naval_support": True}, 1),
        ({"defender_strategic": True}, 1),
        ({"hq_support": 2}, 2),
        ({"terrain": ["clear", "hilltop"]}, -1),
        ({"offensive_air": 2, "naval_support": True, "quality_advantage": -1}, 2),
    ],
)
def test_each_printed_shift(facts: Stated, columns: int) -> None:
    fight = attack(3, 1, **facts)
    assert shift(fight) == columns
    assert final(fight) == list(ODDS)[4 + columns]


@pytest.mark.parametrize(
    "facts",
    [
        {"terrain": ["wood"]},
        {"terrain": ["town"]},
        {"terrain": ["clear"], "fortification": "strongpoint"},
        {"terrain": ["clear"], "fortification": "entrenchment"},
        {"terrain": ["bocage"], "armour_across": True},
    ],
)
def test_terrain_takes_the_armour_advantage_from_the_attacker_only(facts: Stated) -> None:
    ours = attack(18, 1, armour_advantage=1, tiger_advantage=1, **facts)
    assert shift(ours) == 0
    lost = [line.rule for line in ours.explain().lines if line.id == "does-not-count"]
    assert lost == ["11.4", "11.9"]
    assert shift(attack(18, 1, armour_advantage=-1, **facts)) == -1
    both = {"armour_shift": "both_need_terrain"}
    assert shift(attack(18, 1, both, armour_advantage=-1, **facts)) == 0


@pytest.mark.parametrize("terrain", ["clear", "mixed", "bocage", "village"])
def test_other_terrain_leaves_the_armour_advantage(terrain: str) -> None:
    assert shift(attack(18, 1, terrain=[terrain], armour_advantage=1)) == 1


@pytest.mark.parametrize(
    ("facts", "columns"),
    [
        ({"crosses": ["minor-river"]}, 1),
        ({"crosses": ["runway"]}, 1),
        ({"crosses": ["cherbourg-perimeter"]}, 0),
        ({"crosses": ["major-river"]}, -1),
        ({"crosses": ["flooded-hexside"]}, -1),
        ({"crosses": ["causeway"]}, -1),
        ({"from_flooded": True}, -1),
    ],
)
def test_armour_that_all_comes_by_a_barred_way_has_no_advantage(
    facts: Stated, columns: int
) -> None:
    assert shift(attack([main(18, **facts)], 1, armour_advantage=1)) == columns


def test_a_tiger_needs_the_armour_advantage_unless_played_otherwise() -> None:
    assert shift(attack(3, 1, tiger_advantage=1)) == 0
    assert shift(attack(3, 1, tiger_advantage=1, armour_advantage=-1)) == -1
    assert shift(attack(3, 1, {"tiger_shift": "always"}, tiger_advantage=1)) == 1
    assert shift(attack(3, 1, {"tiger_shift": "always"}, tiger_advantage=-1)) == -1


@pytest.mark.parametrize("way", [{"crosses": ["major-river"]}, {"crosses": ["flooded-hexside"]}])
def test_water_shifts_only_if_the_whole_main_force_crosses_it(way: Stated) -> None:
    assert shift(attack([main(8, **way), main(8, "B", from_flooded=True)], 2)) == -1
    assert shift(attack([main(8, **way), main(8, "B")], 2)) == 0
    beside = {"name": "C", "factor": 2}
    assert shift(attack([main(8, **way), beside], 2)) == -1


def test_a_minor_river_halves_but_does_not_shift() -> None:
    fight = attack([main(8, crosses=["minor-river"])], 2)
    assert totals(fight) == (4, 2)
    assert shift(fight) == 0


def test_an_attack_into_a_flooded_hex_is_shifted_unless_played_otherwise() -> None:
    assert shift(attack(8, 2, terrain=["flooded"])) == -1
    assert shift(attack(8, 2, {"flooded_shift": "from_only"}, terrain=["flooded"])) == 0
    out = [main(8, from_flooded=True)]
    assert shift(attack(out, 2, {"flooded_shift": "from_only"})) == -1


def test_several_waters_are_one_column() -> None:
    wet = [main(16, crosses=["flooded-hexside"], from_flooded=True)]
    fight = attack(wet, 2, terrain=["flooded"])
    assert totals(fight) == (8, 2)
    assert (basic(fight), final(fight)) == ("4-1", "3-1")
    assert [line.value for line in fight.explain().lines if line.kind == "limit"] == [-1]


def test_a_causeway_shifts_the_whole_main_force_unless_played_otherwise() -> None:
    by_causeway = main(8, crosses=["causeway"])
    across = main(8, "B", crosses=["major-river"])
    assert shift(attack([by_causeway], 2)) == -1
    assert shift(attack([by_causeway, across], 2)) == -1
    assert shift(attack([by_causeway, main(8, "B")], 2)) == 0
    assert shift(attack([by_causeway], 2, {"causeway_shift": "none"})) == 0
    assert shift(attack([by_causeway, across], 2, {"causeway_shift": "none"})) == 0


def test_hilltop_and_water_add_up_or_are_one_column_by_option() -> None:
    hill = ["clear", "hilltop"]
    across = [main(16, crosses=["major-river"])]
    assert final(attack(across, 2, terrain=hill)) == "2-1"  # 8 : 2, two columns left
    assert final(attack(across, 2, {"hilltop_and_water": "one"}, terrain=hill)) == "3-1"
    assert final(attack(8, 2, {"hilltop_and_water": "one"}, terrain=hill)) == "3-1"


# ------------------------------------------------------------------ Jabos


@pytest.mark.parametrize(
    ("die", "column"), [(1, "6-1"), (3, "6-1"), (4, "5-1"), (5, "4-1"), (6, "3-1")]
)
def test_jabos_roll_before_the_attack_and_shift_it(die: int, column: str) -> None:
    fight = german(weather="clear")
    assert final(fight) == "6-1", "the column before the Jabos is explained"
    play = fight.play()
    assert isinstance(play.asking, Roll)
    assert play.asking.what == "jabo-roll"
    play.answer((die,))
    assert isinstance(play.asking, Roll)
    assert play.asking.what == "combat-roll"
    assert told(play, "final-column")[-1].value == column


def test_jabos_fly_in_clear_weather_against_german_attacks_only() -> None:
    for fight in (german(weather="overcast"), german(), attack(6, 1, weather="clear")):
        asking = fight.play().asking
        assert isinstance(asking, Roll)
        assert asking.what == "combat-roll"
    any_attack = attack(6, 1, {"jabo_side": "any_attack"}, weather="clear")
    asking = any_attack.play().asking
    assert isinstance(asking, Roll)
    assert asking.what == "jabo-roll"


def test_jabos_can_push_an_attack_off_the_table() -> None:
    fight = attack(1, 2, attacker_camp="german", weather="clear")  # 1-2
    play = played(fight, 5)
    assert play.outcome.result == "A1"
    assert told(play, "final-column")[-1].value == "1-4"


def test_jabo_columns_are_taken_from_the_open_scale() -> None:
    nine = attack(9, 1, attacker_camp="german", weather="clear")
    assert told(played(nine, 6), "final-column")[-1].value == "6-1"
    before = attack(9, 1, {"ratio_clamp": "before"}, attacker_camp="german", weather="clear")
    assert told(played(before, 6), "final-column")[-1].value == "4-1"


def test_flak_counts_against_jabos_only_by_option() -> None:
    assert told(played(german(weather="clear", flak_present=True), 4), "final-column")[
        -1
    ].value == ("5-1")
    also = german({"flak": "also_jabos"}, weather="clear", flak_present=True)
    assert told(played(also, 4), "final-column")[-1].value == "6-1"
    assert told(played(also, 6), "final-column")[-1].value == "4-1"
