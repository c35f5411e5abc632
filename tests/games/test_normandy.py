"""Normandy '44: expectations worked out by hand from the card."""

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.fights.prospects import prospects
from grognard.fights.record import record, replay
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight, units_of
from grognard.rules.game import load
from grognard.rules.line import Line
from grognard.rules.wording import answered
from grognard.testing.conformance import check_game
from grognard.words.refusal import Refusal
from grognard.words.typography import spaced

GAME = load("normandy")
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("normandy*.toml"))

Stated = dict[str, Any]  # what a player may write, right or wrong
Options = Mapping[str, str]


def main(factor: int, name: str = "A", **facts: object) -> Stated:
    """A unit of the main force, with enough steps to survive."""
    return {"name": name, "factor": factor, "steps": 3, "main_force": True, **facts}


def defender(factor: int = 1, name: str = "D", **facts: object) -> Stated:
    return {"name": name, "factor": factor, "steps": 2, **facts}


def attack(
    factor: int | list[Stated],
    defence: int | list[Stated] = 1,
    options: Options | None = None,
    **facts: object,
) -> Fight:
    """Set up an attack: lists of units, or one unit a side with the given factor."""
    attackers = [main(factor)] if isinstance(factor, int) else factor
    defenders = [defender(defence)] if isinstance(defence, int) else defence
    return GAME.fight({"attackers": attackers, "defenders": defenders, **facts}, options=options)


def totals(fight: Fight) -> tuple[object, object]:
    found = fight.explain().totals()
    return found["attack"], found["defence"]


def basic(fight: Fight) -> object:
    return fight.explain().column()["basic"]


def final(fight: Fight) -> object:
    return fight.explain().column()["final"]


def shift(fight: Fight) -> int:
    """The sum of the column shifts told."""
    lines = [line for line in fight.explain().lines if line.changes == "column"]
    return sum(int(str(line.value)) for line in lines if line.kind == "modifier")


def played(fight: Fight, *answers: int | str | tuple[str, ...]) -> Play:
    return go_on(fight.play(), *answers)


def go_on(play: Play, *answers: int | str | tuple[str, ...]) -> Play:
    """Answer the questions in turn; a number is a die where one is asked."""
    for answer in answers:
        is_die = isinstance(play.asking, Roll) and isinstance(answer, int)
        play.answer((answer,) if is_die else answer)
    return play


def asked(play: Play) -> tuple[str, str, tuple[Answer, ...]]:
    """Who is asked, what, and the legal answers."""
    assert isinstance(play.asking, Choose)
    return play.asking.side, play.asking.what, play.asking.options


def steps_left(play: Play) -> dict[str, int]:
    units = [*units_of(play.fight, "attacker"), *units_of(play.fight, "defender")]
    return {unit.name: unit.steps for unit in units}


def told(play: Play, id_: str) -> list[Line]:
    return [entry.line for entry in play.told if entry.line.id == id_]


# Attacks of one unit on one defender of factor 1 (or less than even: the defence)
ODDS = {
    "1-3": (1, 3),
    "1-2": (1, 2),
    "1-1": (1, 1),
    "2-1": (2, 1),
    "3-1": (3, 1),
    "4-1": (4, 1),
    "5-1": (5, 1),
    "6-1": (6, 1),
    "7-1+": (7, 1),
}
DIAGONAL = ["A1"] * 4 + ["A1/DR", "EX", "DR", "DR", "A1/D1", "D1", "D1", "A1/D2", "DH", "DH"]
# Odds and die that give a result
RESULTS = {
    "A1": (1, 1),
    "A1/DR": (3, 1),
    "EX": (4, 1),
    "DR": (4, 2),
    "A1/D1": (4, 4),
    "D1": (4, 5),
    "A1/D2": (7, 4),
    "DH": (7, 6),
}


def after(
    result: str,
    attackers: list[Stated] | None = None,
    defenders: list[Stated] | None = None,
    options: Options | None = None,
    **facts: object,
) -> Play:
    """Play an attack in the open up to where the given result has been rolled.

    The first attacker brings the factors: 4 times the defence or 7 times, as the result needs."""
    ratio, die = RESULTS[result]
    theirs = defenders or [defender()]
    strength = sum(int(str(unit["factor"])) for unit in theirs) * ratio
    ours = attackers or [main(0)]
    ours = [{**ours[0], "factor": strength}, *({**unit, "factor": 0} for unit in ours[1:])]
    play = played(attack(ours, theirs, options, **facts), die)
    assert play.fight.result == result
    return play


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


def german(options: Options | None = None, **facts: object) -> Fight:
    return attack(6, 1, options, attacker_camp="german", **facts)


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


# ------------------------------------------------------------------ results, and who chooses


def pair_attacking() -> list[Stated]:
    """Two units of the main force and one outside it."""
    return [main(0), main(0, "B"), {"name": "C", "factor": 0, "steps": 3}]


PAIR = [defender(1), defender(1, "E")]


@pytest.mark.parametrize(
    ("result", "opponent"),
    [("A1", False), ("A1/DR", False), ("A1/D1", False), ("EX", True), ("A1/D2", True)],
)
def test_the_attackers_step_comes_from_the_main_force(result: str, opponent: bool) -> None:
    chooser = "defender" if opponent else "attacker"
    assert asked(after(result, pair_attacking())) == (chooser, "which-loses", ("A", "B"))
    by_option = after(result, pair_attacking(), options={"loss_choice": "opponent"})
    assert asked(by_option) == ("defender", "which-loses", ("A", "B"))


@pytest.mark.parametrize("result", ["DR", "D1", "DH"])
def test_other_results_cost_the_attacker_nothing(result: str) -> None:
    play = after(result)
    while play.asking is not None:
        play.answer(asked(play)[2][0])
    assert play.outcome.attacker_steps_lost == 0


def test_a1_is_a_step_and_nothing_else() -> None:
    play = after("A1")
    assert play.asking is None
    assert play.outcome.attacker_steps_lost == 1
    assert not play.outcome.vacated


def test_ex_costs_both_a_step_and_there_is_no_retreat() -> None:
    play = after("EX", defenders=PAIR)
    assert asked(play) == ("attacker", "which-loses", ("D", "E"))
    play.answer("E")
    assert play.asking is None
    assert steps_left(play) == {"A": 2, "D": 2, "E": 1}
    assert not play.outcome.vacated


def test_ex_against_one_step_allows_a_limited_advance_against_more_none() -> None:
    play = after("EX", defenders=[defender(steps=1)])
    assert asked(play) == ("attacker", "who-advances", (("A",), ()))
    play.answer(("A",))
    assert play.outcome.taken
    assert told(play, "advance-ends")
    two = go_on(after("EX", defenders=[defender(steps=1), defender(1, "E", steps=1)]), "D")
    assert two.asking is None, "two steps were engaged"


@pytest.mark.parametrize("result", ["D1", "A1/D1"])
def test_the_owner_picks_the_defenders_step_unless_played_otherwise(result: str) -> None:
    assert asked(after(result, defenders=PAIR)) == ("defender", "which-loses", ("D", "E"))
    play = after(result, defenders=PAIR, options={"loss_choice": "opponent"})
    assert asked(play) == ("attacker", "which-loses", ("D", "E"))


@pytest.mark.parametrize("result", ["A1/DR", "DR", "D1", "A1/D1"])
def test_two_hexes_are_retreated_or_the_defender_stands(result: str) -> None:
    play = after(result)
    assert asked(play) == ("defender", "retreat-or-stand", ("retreat", "stand"))
    gone = go_on(play, "retreat", ("A",))
    assert gone.outcome.details == ("retreat 2",)
    assert gone.outcome.taken
    assert gone.outcome.defender_shaken == 0


def test_a_retreat_of_two_hexes_disorganises_by_option() -> None:
    play = go_on(after("DR", options={"disorganised_two_hexes": "yes"}), "retreat", ())
    assert play.outcome.defender_shaken == 1
    assert play.outcome.details == ("retreat 2", "disorganised")


def test_a1_d2_the_attacker_picks_the_first_step_the_owner_the_second() -> None:
    play = after("A1/D2", defenders=PAIR)
    assert asked(play) == ("attacker", "which-loses", ("D", "E"))
    play.answer("D")
    assert asked(play) == ("defender", "which-loses", ("D", "E"))
    play.answer("D")
    assert steps_left(play) == {"A": 2, "D": 0, "E": 2}
    assert asked(play)[1] == "who-advances", "no Determined Defence is possible"
    play = go_on(play, (), ())
    assert play.outcome.details == ("retreat 4", "disorganised")
    assert play.outcome.defender_shaken == 1


def test_a1_d2_the_second_step_is_the_attackers_choice_too_by_option() -> None:
    play = go_on(after("A1/D2", defenders=PAIR, options={"loss_choice": "opponent"}), "D")
    assert asked(play) == ("attacker", "which-loses", ("D", "E"))


def test_dh_takes_half_of_all_steps_and_the_survivors_retreat_4_hexes_disorganised() -> None:
    three = [defender(1), defender(1, "E"), defender(1, "F", steps=1)]  # 5 steps, 3 of them lost
    play = after("DH", defenders=three)
    assert asked(play) == ("defender", "which-loses", ("D", "E", "F"))
    play = go_on(play, "F", "D", "E")
    assert steps_left(play) == {"A": 3, "D": 1, "E": 1, "F": 0}
    assert asked(play)[1] == "who-advances", "Determined Defence is not mentioned"
    play = go_on(play, (), ())
    assert play.outcome.details == ("retreat 4", "disorganised")
    assert play.outcome.defender_shaken == 2


def test_dh_picked_by_the_opponent_by_option() -> None:
    play = after("DH", defenders=PAIR, options={"loss_choice": "opponent"})
    assert asked(play)[0] == "attacker"


# ------------------------------------------------------------------ Determined Defence


def test_the_lead_unit_is_the_defenders_choice_after_his_losses() -> None:
    play = go_on(after("D1", defenders=[defender(1, steps=1), *PAIR[1:]]), "D", "stand")
    assert isinstance(play.asking, Roll), "only E is left to lead"
    play = go_on(after("DR", defenders=PAIR), "stand")
    assert asked(play) == ("defender", "lead-unit", ("D", "E"))


def test_a_doubt_about_the_lead_unit_is_told_once_whoever_leads() -> None:
    theirs = [defender(factor, name, quality=1) for factor, name in ((1, "D"), (3, "E"))]
    doubts = attack([main(8)], theirs).odds().doubts
    assert [line.unit for line in doubts if line.id == "lead-quality"] == ["D"]


@pytest.mark.parametrize(
    ("facts", "support", "modifier"),
    [
        ({"quality": 2}, 0, 2),
        ({"quality": -1}, 0, -1),
        ({"quality": 1}, 1, 2),
        ({"quality": 1}, 3, 2),
        ({"quality": 2, "armour": -1, "lead_uses_armour": True}, 0, -1),
        ({"quality": -2, "armour": 1, "lead_uses_armour": True}, 1, 2),
        ({"quality": 0, "armour": 2}, 0, 0),
    ],
)
def test_quality_or_armour_of_the_lead_unit_and_one_support_modify_the_roll(
    facts: Stated, support: int, modifier: int
) -> None:
    theirs = [defender(1, **facts)]
    play = go_on(after("DR", defenders=theirs, defensive_support=support), "stand")
    assert told(play, "die-modifier")[0].value == modifier


# The table row by row: codes in the four columns
STAND = {
    1: ("-", "-", "-", "-"),
    2: ("-", "-", "-", "-"),
    3: ("-", "-", "-", "● -1"),
    4: ("-", "-", "● -1", "● EX"),
    5: ("-1", "● -1", "● EX", "● EX"),
    6: ("● EX", "● EX", "● PA *", "● PA"),
    7: ("● PA", "● PA", "● PA", "● PA"),
}
HEXES: list[Stated] = [
    {"terrain": ["clear"]},
    {"terrain": ["bocage"]},
    {"terrain": ["wood"], "fortification": "entrenchment"},
    {"terrain": ["clear"], "fortification": "strongpoint"},
]
LOST = {"-": (0, 0), "-1": (0, 1), "● -1": (0, 1), "● EX": (1, 1), "● PA": (1, 0), "● PA *": (1, 0)}


def standing(hex_: Stated, quality: int = 0, options: Options | None = None) -> Fight:
    """18 factors of one unit against enough for 3-1 in the given hex; a 3 is then DR."""
    bdc = {"clear": 0, "flooded": 0, "bocage": 3, "wood": 2, "town": 5, "village": 4, "mixed": 2}
    terrain = hex_["terrain"]
    assert isinstance(terrain, list)
    factor = 6 - max(bdc.get(word, 0) for word in terrain)
    return attack(18, [defender(factor, quality=quality)], options, **hex_)


@pytest.mark.parametrize("column", range(4))
def test_every_cell_of_determined_defence(column: int) -> None:
    for modified, codes in STAND.items():
        quality = 1 if modified == 7 else 0
        play = played(standing(HEXES[column], quality), 3, "stand", modified - quality)
        assert told(play, "look-up")[-1].value == codes[column]
        ours, theirs = LOST[codes[column]]
        assert steps_left(play) == {"A": 3 - ours, "D": 2 - theirs}
        held = "●" in codes[column]
        assert (play.asking is None) is held, "else the attacker may advance"
        assert not held or "held" in play.outcome.details


def test_a_modified_die_below_1_is_read_as_1() -> None:
    play = played(standing(HEXES[3], quality=-3), 3, "stand", 1)
    assert told(play, "look-up")[-1].value == "-"


@pytest.mark.parametrize(
    ("terrain", "column"),
    [
        (["clear"], "flooded or clear"),
        (["mixed"], "other"),
        (["village"], "other"),
        (["clear", "hilltop"], "other"),
        (["town"], "strongpoint or town"),
        (["clear", "airfield"], "flooded or clear"),
    ],
)
def test_the_hex_gives_the_column(terrain: list[str], column: str) -> None:
    fight = attack(18, 1, terrain=terrain, offensive_air=2)
    play = played(fight, *_die_for_dr(fight), "stand", 1)
    assert dict(told(play, "look-up")[-1].blanks)["column"] == _named(column)


def _named(column: str) -> object:
    return next(
        text for text in GAME.card.table("determined-defence").columns.names if text.en == column
    )


def _die_for_dr(fight: Fight) -> list[int]:
    """The die that asks the defender to retreat or stand."""
    column = list(ODDS).index(str(final(fight)))
    return [die for die in range(1, 7) if DIAGONAL[die + column - 1] in ("DR", "D1")][:1]


def test_of_several_columns_the_best_for_the_defender_counts_or_by_option_the_worst() -> None:
    best = played(standing(HEXES[2]), 3, "stand", 4)
    assert told(best, "look-up")[-1].value == "● -1"
    assert told(best, "stand-column")[0].reading.option == "dd_column"
    worst = played(standing(HEXES[2], options={"dd_column": "worst"}), 3, "stand", 4)
    assert told(worst, "look-up")[-1].value == "-"


def test_row_five_in_the_open_cancels_the_retreat_by_option() -> None:
    play = played(standing(HEXES[0], options={"dd_row_five": "cancelled"}), 3, "stand", 5)
    assert play.outcome.details == ("held",)
    assert steps_left(play)["D"] == 1


def test_the_star_removes_the_entrenchment_or_by_option_only_a_strongpoint() -> None:
    play = played(standing(HEXES[2]), 3, "stand", 6)
    assert play.outcome.details == ("held", "fortification removed")
    only = played(standing(HEXES[2], options={"dd_star": "strongpoint_only"}), 3, "stand", 6)
    assert only.outcome.details == ("held",)


def test_the_losses_of_determined_defence_are_picked_as_printed() -> None:
    ex = go_on(after("DR", pair_attacking()), "stand", 6)
    assert asked(ex) == ("defender", "which-loses", ("A", "B")), "EX: the main force only"
    for choice in ("owner", "opponent"):
        pa = after("DR", pair_attacking(), [defender(quality=1)], {"loss_choice": choice})
        assert asked(go_on(pa, "stand", 6)) == ("attacker", "which-loses", ("A", "B", "C"))


def test_ex_finds_nobody_when_the_main_force_is_gone() -> None:
    ours = [main(0, steps=1), {"name": "C", "factor": 0}]
    play = go_on(after("A1/DR", ours), "stand", 6)
    assert steps_left(play) == {"A": 0, "C": 1, "D": 1}
    assert told(play, "none-left-to-lose")


def test_a_lead_unit_that_dies_holding_leaves_the_hex_empty() -> None:
    play = go_on(after("DR", defenders=[defender(steps=1)]), "stand", 6, "advance")
    assert play.outcome.defender_eliminated
    assert play.outcome.taken
    assert play.outcome.details == ()


# ------------------------------------------------------------------ retreat, advance, reserve


def test_a_defender_who_cannot_retreat_is_eliminated_or_by_option_loses_a_step() -> None:
    play = go_on(after("DR", can_retreat=False), "retreat", "advance")
    assert play.outcome.defender_eliminated
    assert play.outcome.taken
    stays = after("DR", defenders=PAIR, options={"cannot_retreat": "step_lost"}, can_retreat=False)
    play = go_on(stays, "retreat")
    assert steps_left(play) == {"A": 3, "D": 1, "E": 1}
    assert not play.outcome.vacated
    assert play.asking is None


def test_terrain_on_the_way_may_end_a_retreat_or_by_option_must() -> None:
    way: Stated = {"retreat_path": ["clear", "bocage", "wood"]}
    play = after("DH", defenders=[defender(steps=4)], retreat_path=way["retreat_path"])
    assert asked(play) == ("defender", "retreat-hexes", (4, 2, 3))
    assert go_on(play, 3, (), ()).outcome.details == ("retreat 3", "disorganised")
    must = after("DH", defenders=[defender(steps=4)], options={"retreat_stop": "must"}, **way)
    assert go_on(must, (), ()).outcome.details == ("retreat 2", "disorganised")
    short = go_on(after("DR", retreat_path=["strongpoint-or-entrenchment"]), "retreat")
    assert asked(short)[2] == (2, 1)


def test_any_group_of_attackers_advances() -> None:
    play = go_on(after("DR", pair_attacking()), "retreat")
    assert asked(play)[:2] == ("attacker", "who-advances")
    groups = asked(play)[2]
    assert (groups[0], groups[-1], len(groups)) == (("A", "B", "C"), (), 8)
    play = go_on(play, ("C",))
    assert play.outcome.taken
    assert [line.unit for line in told(play, "advances")] == ["C"]
    nobody = go_on(after("DR"), "retreat", ())
    assert not nobody.outcome.taken
    assert told(nobody, "nobody-advances")


def test_records_that_answer_unit_by_unit_are_still_played() -> None:
    play = go_on(after("DR", pair_attacking()), "retreat", "stay")
    assert asked(play) == ("attacker", "after-combat", ("advance", "stay"))
    assert prospects(play).options["attacker"][0].odds.chance("taken") == 1
    old = record(go_on(play, "stay", "advance"))
    kinds = [replace(answer, what="after-combat") for answer in old.answers[-3:]]
    again = replay(replace(old, answers=(*old.answers[:-3], *kinds)))
    assert again.outcome.taken
    assert [line.unit for line in told(again, "advances")] == ["C"]
    assert "Stay" in answered(again.start.case.card, *_first_way(again), "en")
    with pytest.raises(Refusal, match="expected one of"):
        go_on(after("DR", pair_attacking()), "retreat", "reserve")


def _first_way(play: Play) -> tuple[Choose, Answer]:
    given = next(given for given in play.given if given.ask.what == "who-advances")
    assert isinstance(given.ask, Choose)
    return given.ask, given.answer


def test_more_than_eight_attackers_are_asked_one_by_one() -> None:
    many = [main(2, name) for name in "ABCEFGHIJ"]
    assert asked(go_on(after("DR", many), "retreat"))[1] == "after-combat"


@pytest.mark.parametrize("result", ["A1/D2", "DH"])
def test_two_results_allow_reserve_instead_of_advance(result: str) -> None:
    play = after(result, defenders=[defender(steps=3)])
    assert asked(play) == ("attacker", "who-advances", (("A",), ()))
    play.answer(())
    assert asked(play) == ("attacker", "who-reserves", (("A",), ()))
    play.answer(("A",))
    assert not play.outcome.taken
    assert play.outcome.details == ("retreat 4", "disorganised", "reserve")
    assert told(play, "into-reserve")


def test_mechanised_units_do_not_advance_into_water_without_a_road() -> None:
    wet: Stated = {"crosses": ["flooded-hexside"]}
    ours = [
        main(0, mechanised=True, **wet),
        main(0, "B", **wet),
        main(0, "C", mechanised=True, by_road=True, **wet),
    ]
    fight = attack(
        [{**ours[0], "factor": 18}, {**ours[1], "factor": 18}, {**ours[2], "factor": 0}], 2
    )
    play = played(fight, 2)  # 18 : 2, 9-1 less 1 is 7-1+: D1
    play = go_on(play, "retreat")
    assert isinstance(play.asking, Choose)
    assert play.asking.options == (("B", "C"), ("B",), ("C",), ()), "nothing is open to A"
    play = go_on(play, ("B", "C"))
    assert [line.unit for line in told(play, "advances")] == ["B", "C"]
    assert [line.unit for line in told(play, "advance-ends")] == ["B"]


def test_a_major_river_without_a_road_ends_the_advance_in_the_hex() -> None:
    fight = attack([main(8, crosses=["major-river"])], 1)  # 4-1 less one column
    play = played(fight, 3, "retreat", ("A",))
    assert told(play, "advance-ends")


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"attackers": []}, "main force"),
        ({"attackers": [{"name": "A", "factor": 4}]}, "no unit is in the main force"),
        ({"defenders": []}, "nobody is attacked"),
        ({"attackers": [main(-1)]}, "factor"),
        ({"attackers": [main(4, steps=0)]}, "steps"),
        ({"attackers": [main(4, "D")]}, "two units are named 'D'"),
        ({"attackers": [main(0)]}, "no combat factor left"),
        ({"defenders": [defender(0)]}, "no odds"),
        ({"terrain": ["swamp"]}, "no terrain 'swamp'"),
        ({"terrain": ["minor-river"]}, "no terrain 'minor-river'"),
        ({"terrain": ["marsh"]}, "no terrain 'marsh'"),
        ({"terrain": []}, "name the terrain"),
        ({"attackers": [main(4, crosses=["impassable"])]}, "no terrain 'impassable'"),
        ({"retreat_path": ["minor-river"]}, "no terrain 'minor-river'"),
        ({"offensive_air": 3}, "offensive_air: 3 is too many; at most 2"),
        ({"hq_support": -1}, "hq_support: −1 is too few; at least 0"),
        ({"tiger_advantage": 2}, "tiger_advantage: 2 is too many; at most 1"),
        ({"defensive_support": -1}, "defensive_support: −1 is too few"),
        ({"fortification": "bunker"}, "fortification"),
        ({"weather": "rain"}, "weather"),
        (
            {"attackers": [main(4, nationality="us"), main(4, "B", nationality="british")]},
            "do not attack together",
        ),
        (
            {"attackers": [main(4, nationality="us")], "attacker_camp": "german"},
            "do not attack with the Germans",
        ),
        (
            {"attackers": [main(4, landing=True)], "attacker_camp": "german"},
            "only Allied reinforcements land",
        ),
        ({"bocage": True}, "bocage"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(facts: Stated, message: str) -> None:
    usual: Stated = {"attackers": [main(4)], "defenders": [defender()]}
    with pytest.raises(Refusal, match=message):
        GAME.fight({**usual, **facts})


# ------------------------------------------------------------------ odds


def test_exact_odds_of_a_small_attack_worked_out_by_hand() -> None:
    # 4-1: EX, DR, DR, A1/D1, D1, D1. The defender has two steps. After DR he stands, and holds
    # with a 6 only (EX); after a loss he has one step and would die standing, so he goes.
    odds = attack(4, 1).odds(attacker="take", defender="hold")
    assert odds.chance("taken") == Fraction(2, 6) * Fraction(5, 6) + Fraction(3, 6)
    assert odds.chance("vacated") == odds.chance("taken")
    assert odds.expected("attacker_steps_lost") == Fraction(14, 36)
    assert odds.expected("defender_steps_lost") == Fraction(28, 36)
    assert {code: part.total for code, part in odds.by_result().items()}.keys() == {
        "EX",
        "DR",
        "A1/D1",
        "D1",
    }


def test_odds_with_jabos_are_those_of_the_four_columns() -> None:
    # 6-1 three times in six, then 5-1, 4-1, 3-1: chance of DH or A1/D2 is 2/6, 1/6, 0, 0
    odds = german(weather="clear").odds()
    rare = sum(chance for outcome, chance in odds.outcomes() if outcome.result in ("DH", "A1/D2"))
    assert rare == Fraction(1, 2) * Fraction(2, 6) + Fraction(1, 6) * Fraction(1, 6)


# ------------------------------------------------------------------ strafing


def strafing(*targets: Stated, options: Options | None = None, **facts: object) -> Fight:
    stated = {"targets": list(targets) or [{"name": "Pz", "steps": 2}], **facts}
    return GAME.fight(stated, procedure="strafing", options=options)


@pytest.mark.parametrize(
    ("facts", "hits"),
    [
        ({}, 1),
        ({"strafed_strategic": True}, 2),
        ({"flak_present": True}, 0),
        ({"flak_present": True, "strafed_strategic": True}, 1),
    ],
)
def test_strafing_hits_with_a_modified_6(facts: Stated, hits: int) -> None:
    odds = strafing(**facts).odds()
    assert odds.expected("defender_steps_lost") == Fraction(hits, 6)


def test_strafing_costs_an_armour_silhouette_a_step_picked_by_its_owner() -> None:
    targets: list[Stated] = [
        {"name": "Pz", "steps": 2},
        {"name": "Gren", "armoured": False},
        {"name": "StuG"},
    ]
    play = played(strafing(*targets), 6)
    assert asked(play) == ("defender", "which-loses", ("Pz", "StuG"))
    play.answer("StuG")
    assert steps_left(play) == {"Pz": 2, "Gren": 1, "StuG": 0}
    assert not play.outcome.defender_eliminated
    other = played(strafing(*targets, options={"loss_choice": "opponent"}), 6)
    assert asked(other)[0] == "attacker"


def test_strafing_without_an_armour_silhouette_is_refused() -> None:
    with pytest.raises(Refusal, match="no armour silhouette"):
        strafing({"name": "Gren", "armoured": False})


# ------------------------------------------------------------------ attrition


def attrition(*units: Stated, camp: str = "german") -> Fight:
    return GAME.fight({"units": list(units), "camp": camp}, procedure="attrition")


@pytest.mark.parametrize(
    ("facts", "lost"),
    [
        ({}, 4),
        ({"quality": 1}, 3),
        ({"quality": -1}, 5),
        ({"supply_line_to": "town"}, 2),
        ({"supply_line_to": "hq", "quality": 2}, 0),
        ({"supply_line_to": "strongpoint", "quality": -2}, 4),
    ],
)
def test_attrition_costs_a_step_with_a_modified_4_or_less(facts: Stated, lost: int) -> None:
    odds = attrition({"name": "U", "steps": 2, **facts}).odds()
    assert odds.expected("defender_steps_lost") == Fraction(lost, 6)


def test_attrition_rolls_for_each_unit() -> None:
    play = played(attrition({"name": "U"}, {"name": "V", "steps": 2, "quality": 2}), 4, 3)
    assert steps_left(play) == {"U": 0, "V": 2}
    assert play.outcome.result == "-1"
    assert not play.outcome.defender_eliminated
    assert [line.unit for line in told(play, "unit-quality")] == ["V"]


def test_attrition_refuses_supply_lines_of_the_other_camp() -> None:
    assert attrition({"name": "U", "supply_line_to": "coast"}, camp="allied")
    with pytest.raises(Refusal, match="only Allied units"):
        attrition({"name": "U", "supply_line_to": "coast"})
    with pytest.raises(Refusal, match="only German units"):
        attrition({"name": "U", "supply_line_to": "strongpoint"}, camp="allied")
    with pytest.raises(Refusal, match="no unit is isolated"):
        attrition()


# ------------------------------------------------------------------ reinforcements


def purchase(points: int, *wanted: Stated, mulberries: tuple[str, ...] = ()) -> Fight:
    stated = {"points": points, "wanted": list(wanted), "mulberries": list(mulberries)}
    return GAME.fight(stated, procedure="reinforcements")


@pytest.mark.parametrize(
    ("what", "cost"),
    [
        ("british-armoured-brigade", 4),
        ("us-combat-command", 4),
        ("us-regiment", 3),
        ("commonwealth-brigade", 3),
        ("hq", 2),
        ("two-step-armour", 2),
        ("one-step-unit", 1),
    ],
)
def test_each_reinforcement_has_its_price(what: str, cost: int) -> None:
    play = purchase(cost, {"what": what}).play()
    assert play.asking is None
    assert play.outcome.attacker_spent == cost
    assert [line.value for line in told(play, "points-left")] == [0]
    with pytest.raises(Refusal, match=f"costs {cost} points; there are {cost - 1}"):
        purchase(cost - 1, {"what": what})


def test_a_purchase_tells_what_arrives_and_what_remains() -> None:
    play = purchase(12, {"what": "us-regiment", "count": 2}, {"what": "hq"}).play()
    assert [entry.line.in_("en") for entry in play.events] == [
        "Arrives: 2 × US regiment",
        "Arrives: 1 × HQ",
        "Reinforcement points left: 4",
    ]
    assert [entry.line.in_("fr") for entry in play.events][1:] == [
        spaced("Arrive : 1 × QG"),
        spaced("Points de renfort restants : 4"),
    ]


def test_a_supply_point_needs_the_mulberry_of_its_army() -> None:
    supply: Stated = {"what": "supply-point", "army": "us"}
    assert purchase(3, supply, mulberries=("us",)).play().outcome.attacker_spent == 3
    with pytest.raises(Refusal, match="Mulberry of this army is not built yet: us"):
        purchase(3, supply, mulberries=("british",))
    with pytest.raises(Refusal, match="for which army"):
        purchase(3, {"what": "supply-point"}, mulberries=("us", "british"))


def test_unknown_or_missing_wishes_are_refused() -> None:
    with pytest.raises(
        Refusal, match=r"no points bring in 'us-regimnt'; near matches: us-regiment"
    ):
        purchase(3, {"what": "us-regimnt"})
    with pytest.raises(Refusal, match="nothing is wanted"):
        purchase(3)
    with pytest.raises(Refusal, match="points"):
        purchase(-1, {"what": "hq"})


# ------------------------------------------------------------------ examples, conformance


def example(file: Path) -> Fight:
    stated = tomllib.loads(file.read_text(encoding="utf-8"))
    assert stated.pop("game") == "normandy"
    procedure = stated.pop("procedure", None)
    return GAME.fight(stated, procedure=procedure, options=stated.pop("options", {}))


def test_there_is_an_example_of_every_procedure() -> None:
    procedures = {example(file).case.procedure.id for file in EXAMPLES}
    assert procedures == {procedure.id for procedure in GAME.procedures}


def test_the_example_is_worked_out_as_its_comments_say() -> None:
    fight = example(EXAMPLES[0].with_name("normandy.toml"))
    assert totals(fight) == (Fraction(33, 2), 8)  # 7 + 7 + 5/2 against 3 + 2 and bocage
    assert (basic(fight), final(fight)) == ("2-1", "5-1")  # quality, air, naval; no armour


def conforming() -> list[Fight]:
    mixed = [main(6), main(4, "B", steps=1), {"name": "C", "factor": 4, "crosses": ["minor-river"]}]
    theirs = [defender(1, quality=1), defender(1, "E", steps=1, armour=1, lead_uses_armour=True)]
    ways: Stated = {"terrain": ["wood"], "fortification": "entrenchment", "retreat_path": ["wood"]}
    return [
        attack(mixed, theirs, weather="clear", attacker_camp="german", hq_support=1),
        attack(mixed, theirs, offensive_air=2, **ways),
        attack(mixed, theirs, {"loss_choice": "opponent"}, can_retreat=False, hq_support=2),
        attack(1, 3, quality_advantage=-1),
        *[example(file) for file in EXAMPLES],
    ]


@pytest.mark.slow
def test_the_game_keeps_what_every_game_must() -> None:
    check_game(GAME, conforming())


# ------------------------------------------------------------------ readings of what is not said


def doubts_of(fight: Fight) -> set[str | None]:
    return {line.reading.option for line in fight.explain().doubts}


@pytest.mark.parametrize(("camp", "columns"), [("either", 3), ("allied_only", 0)])
def test_aircraft_and_ships_of_a_german_attack_are_a_reading(camp: str, columns: int) -> None:
    support = {"offensive_air": 2, "naval_support": True}
    german = attack(18, 6, {"support_camp": camp}, attacker_camp="german", **support)
    assert shift(german) == columns
    assert "support_camp" in doubts_of(german)
    allied = attack(18, 6, {"support_camp": camp}, **support)
    assert shift(allied) == 3
    assert "support_camp" not in doubts_of(allied)


@pytest.mark.parametrize("terrain", [["hilltop"], ["airfield"], ["hilltop", "airfield"]])
def test_a_hilltop_or_an_airfield_alone_lies_in_clear_ground(terrain: list[str]) -> None:
    """The chart reads both as the other terrain of their hex."""
    alone, together = attack(18, 6, terrain=terrain), attack(18, 6, terrain=[*terrain, "clear"])
    assert alone.explain().column() == together.explain().column()
    assert alone.odds().weights == together.odds().weights
    assert "bare_ground" in doubts_of(alone)
    assert "bare_ground" not in doubts_of(together)
    with pytest.raises(Refusal, match="alone is none"):
        attack(18, 6, {"bare_ground": "refused"}, terrain=terrain)
