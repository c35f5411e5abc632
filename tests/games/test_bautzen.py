"""Bautzen 1945: what the printed rules say, worked out by hand."""

import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grognard.fights.play import Play
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.game import load
from grognard.words.refusal import Refusal

GAME = load("bautzen")
EXAMPLE = Path(__file__).parents[2] / "examples" / "bautzen.toml"

Stated = dict[str, Any]  # what a player writes, as it is read from a file


def unit(name: str, **stated: object) -> Stated:
    return {"name": name, **stated}


def hq(name: str, support: int, **stated: object) -> Stated:
    return {**unit(name, kind="hq", size="division-hq", support=support), **stated}


# 12 against 4 is column 3/1, read 1/0, 1/0, 1/1, 1/2, 1/2, 1/2 with dice 1 to 6, then 1/2, 1/3.
TWELVE = [unit("A", attack=12)]
FOUR = [unit("D", defence=4)]


def attack(
    attackers: list[Stated] | None = None,
    defenders: list[Stated] | None = None,
    options: dict[str, str] | None = None,
    **stated: object,
) -> Fight:
    sides = {"attackers": attackers or TWELVE, "defenders": defenders or FOUR}
    return GAME.fight({**sides, **stated}, options=options)


def play(fight: Fight, *answers: Answer) -> Play:
    """Give every answer; the attack must be over with the last."""
    played = Play(fight, answers)
    assert played.asking is None
    return played


def asked(fight: Fight, *answers: Answer) -> tuple[Answer, ...]:
    """Give the options of the choice that follows the answers."""
    asking = Play(fight, answers).asking
    assert isinstance(asking, Choose)
    return asking.options


def steps(played: Play) -> dict[str, int]:
    return {unit.name: unit.steps for unit in (*played.fight.attackers, *played.fight.defenders)}


def totals(fight: Fight) -> tuple[object, object]:
    found = fight.explain().totals()
    return found["attack"], found["defence"]


def columns(fight: Fight) -> tuple[object, object]:
    found = fight.explain().column()
    return found["basic"], found["final"]


def result(fight: Fight, die: int) -> str:
    """The table's result: the same whatever the sides decide after the roll."""
    return fight.resolve(dice=[die], seed=1).outcome.result


# ------------------------------------------------------------------ cases to build on

DIVISION = [
    unit("21/20Pz", kind="armour", attack=6),
    unit("59/20Pz", kind="mechanised", attack=4),
    unit("112/20Pz", kind="mechanised", attack=4),
    hq("QG 20 Pz", 6),
    hq("QG 57 PzK", 6, size="army-hq", at_distance=True),
]
WEISSENBERG = [unit("861/294", defence=4), hq("QG 294 RD", 2, at_distance=True)]


def printed_example(**stated: object) -> Fight:
    return attack(DIVISION, WEISSENBERG, None, defender_cl=1, **stated)


def test_b1_the_example_as_written() -> None:
    fight = printed_example()
    assert totals(fight) == (26, 6)
    assert columns(fight) == ("4/1", "3/1")
    assert fight.explain().die_modifier == 0
    assert result(fight, 5) == "1/2"


def test_b2_the_example_with_town_and_formation() -> None:
    fight = printed_example(terrain=["town"], formation_complete=True)
    assert columns(fight) == ("4/1", "2/1")
    assert fight.explain().die_modifier == 1
    assert result(fight, 5) == "1/2"


def test_b3_the_example_with_town_only() -> None:
    fight = printed_example(terrain=["town"])
    assert columns(fight) == ("4/1", "2/1")
    assert result(fight, 5) == "1/1"


def test_b4_ten_to_one_is_the_last_column() -> None:
    fight = attack([unit("A", attack=20)], [unit("D", defence=2)])
    assert columns(fight) == ("7/1+", "7/1+")
    assert result(fight, 6) == "0/5"


def test_b5_less_than_one_half_is_the_first_column() -> None:
    fight = attack([unit("A", attack=5)], [unit("D", defence=11)])
    assert columns(fight) == ("1/2-", "1/2-")
    assert result(fight, 1) == "3/0"


def test_b6_difficult_ground_and_wood_add_up() -> None:
    fight = attack(terrain=["difficult", "wood"])
    assert columns(fight) == ("3/1", "3/1")
    assert fight.explain().die_modifier == -2
    assert result(fight, 3) == "1/0"


def test_b7_complete_formation_against_an_unsupplied_unit() -> None:
    fight = attack(None, [unit("D", defence=4, unsupplied=True)], formation_complete=True)
    assert columns(fight) == ("3/1", "3/1")
    assert fight.explain().die_modifier == 2
    assert result(fight, 6) == "1/3"


def test_b8_support_counts_no_more_than_the_units_that_it_supports() -> None:
    assert totals(attack([unit("A", attack=5), hq("H", 8)])) == (10, 4)


def test_b9_an_hq_alone_defends_with_half_its_support_rounded_up() -> None:
    assert totals(attack(None, [hq("H", 5)])) == (12, 3)


def test_b10_one_step_of_two_is_traded() -> None:
    fight = attack(None, [unit("D", defence=2), unit("E", defence=2)])
    played = play(fight, (4,), 1, "E", ("A",))
    assert steps(played) == {"A": 1, "D": 2, "E": 1}
    assert played.outcome.result == "1/2"
    assert played.outcome.defender_steps_lost == 1
    assert played.outcome.details == ("retreat 1",)
    assert played.outcome.vacated


# ------------------------------------------------------------------ the printed example, whole


def as_example_file() -> Fight:
    stated = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert stated.pop("game") == "bautzen"
    return GAME.fight(stated)


@pytest.mark.parametrize(
    "stated_as",
    [
        printed_example,
        lambda: printed_example(terrain=["town"], formation_complete=True),
        as_example_file,
    ],
    ids=["as written", "with all modifiers", "the file"],
)
def test_the_printed_example_is_played_to_its_end(stated_as: Callable[[], Fight]) -> None:
    fight = stated_as()
    # The attacker's choice is among the three regiments, not among the HQs.
    assert asked(fight, (5,)) == ("21/20Pz", "59/20Pz", "112/20Pz")
    assert asked(fight, (5,), "112/20Pz") == (0, 1, 2)
    played = play(fight, (5,), "112/20Pz", 2, ("21/20Pz", "59/20Pz"))
    assert steps(played) == {
        "21/20Pz": 2,
        "59/20Pz": 2,
        "112/20Pz": 1,
        "QG 20 Pz": 2,
        "QG 57 PzK": 2,
        "861/294": 2,
        "QG 294 RD": 2,
    }
    end = played.outcome
    assert end.result == "1/2"
    assert (end.attacker_steps_lost, end.defender_steps_lost) == (1, 0)
    assert end.details == ("retreat 2",)
    assert end.vacated
    assert end.taken
    assert (end.attacker_spent, end.defender_spent) == (0, 1)


def test_the_example_file_is_the_example_with_all_modifiers() -> None:
    fight = as_example_file()
    assert totals(fight) == (26, 6)
    assert columns(fight) == ("4/1", "3/1")
    assert fight.explain().die_modifier == 0  # the village and the complete formation


# ------------------------------------------------------------------ 8.2: order, secrecy


def test_the_steps_come_in_the_printed_order() -> None:
    fight = attack(
        [unit("A", attack=6), unit("B", attack=6)],
        attacker_cl_at_hand=1,
        defender_cl_at_hand=1,
    )
    played = play(fight, ((0, 0), (0, 0)), (5,), "A", 1, ("A", "B"))
    assert [(type(given.ask), given.ask.what) for given in played.given] == [
        (Commit, "commit-cl"),
        (Roll, "combat-roll"),
        (Choose, "which-loses"),
        (Choose, "trade"),
        (Choose, "who-advances"),
    ]


def test_commitments_are_offered_to_both_at_once_and_only_the_allies_fly() -> None:
    fight = attack(
        allied="defender", attacker_cl_at_hand=2, defender_cl_at_hand=1, defender_air_at_hand=1
    )
    asking = fight.play().asking
    assert isinstance(asking, Commit)
    assert asking.attacker == ((0, 0), (1, 0), (2, 0))
    assert asking.defender == ((0, 0), (0, 1), (1, 0), (1, 1))


def test_what_is_committed_shifts_the_column_and_is_spent() -> None:
    # 3/1, two CLs right, one CL and one air marker left: 3/1 again. A 4 gives 1/2.
    fight = attack(attacker_cl_at_hand=2, defender_cl_at_hand=1, defender_air_at_hand=1)
    end = play(fight, ((2, 0), (1, 1)), (4,), 2, ("A",)).outcome
    assert end.result == "1/2"
    assert (end.attacker_spent, end.defender_spent) == (2, 2)


def test_the_secret_commitment_is_solved_as_the_simultaneous_game_it_is() -> None:
    # Two attackers of two steps against one of two: the attacker can always advance, so a result
    # is worth to the defender -4 a step of 1, -6 (retreat, hex taken) from 2 on; and -4 a step to
    # the attacker. Sum of these over the six dice: 8 on column 4/1, 12 on 5/1, 20 on 6/1; and the
    # difference of both sides' points is a third of it. A CL costs its owner 2. From 5/1:
    #                 no CL            CL
    #   no CL         4                8/3 + 2 = 14/3
    #   CL            20/3 - 2 = 14/3  4
    # Each side takes its CL every other time; the value is (4 + 14/3) / 2 = 13/3.
    fight = attack(
        [unit("A", attack=5), unit("B", attack=5)],
        [unit("D", defence=2)],
        attacker_cl_at_hand=1,
        defender_cl_at_hand=1,
    )
    odds = fight.odds("best", "best")
    (commitment,) = odds.commitments
    half = Fraction(1, 2)
    assert commitment.attacker == (half, half)
    assert commitment.defender == (half, half)
    assert commitment.solution is not None
    assert commitment.solution.value == Fraction(13, 3)
    assert odds.expected("attacker_spent") == half
    assert odds.expected("defender_spent") == half
    # 8+ never; 0/4 only from 6/1 with a 6: CL against none, and the die.
    assert odds.by_result()["0/4"].total * 24 == odds.total


@pytest.mark.parametrize(
    ("doctrine", "spent"), [("hold", 2), ("take", 2), ("spare", 0)], ids=["hold", "take", "spare"]
)
def test_other_doctrines_commit_all_or_nothing(doctrine: str, spent: int) -> None:
    fight = attack(attacker_cl_at_hand=2, defender_cl_at_hand=1, defender_air_at_hand=1)
    odds = fight.odds(doctrine, doctrine)
    assert odds.spread("attacker_spent") == {spent: 1}
    assert odds.spread("defender_spent") == {spent: 1}


# ------------------------------------------------------------------ totals


def test_support_of_hqs_and_artillery_is_added_on_both_sides() -> None:
    guns = unit("G", kind="artillery", support=3, at_distance=True)
    theirs = unit("T", kind="artillery", support=2)
    fight = attack([*TWELVE, hq("H", 4), guns], [*FOUR, theirs, hq("I", 1, at_distance=True)])
    assert totals(fight) == (12 + 4 + 3, 4 + 2 + 1)


def test_the_limit_of_support_is_for_hqs_and_artillery_together() -> None:
    guns = unit("G", kind="artillery", support=3)
    assert totals(attack([unit("A", attack=5), hq("H", 4), guns]))[0] == 10


def test_the_limit_of_support_looks_at_factors_as_they_count() -> None:
    assert totals(attack([unit("A", attack=5, unsupplied=True), hq("H", 4)]))[0] == 2 + 2


def test_an_hq_near_a_dominant_position_gives_two_more() -> None:
    fight = attack([*TWELVE, hq("H", 4, near_dominant=True)], [*FOUR, hq("I", 3)])
    assert totals(fight) == (18, 7)


def test_a_dominant_position_gives_nothing_to_artillery() -> None:
    guns = unit("G", kind="artillery", support=3, near_dominant=True)
    assert totals(attack([*TWELVE, guns]))[0] == 15


def test_an_unsupplied_hq_gives_no_support_even_near_a_dominant_position() -> None:
    lost = hq("H", 4, unsupplied=True, near_dominant=True)
    assert totals(attack([*TWELVE, lost]))[0] == 12


def test_an_hq_stacked_with_others_defends_with_its_full_support() -> None:
    assert totals(attack(None, [*FOUR, hq("H", 5)]))[1] == 9


def test_an_unsupplied_hq_alone_is_halved_once_more_rounded_up() -> None:
    # 5 -> 3 (8.6.1, up) -> 2 (7.3, up)
    assert totals(attack(None, [hq("H", 5, unsupplied=True)]))[1] == 2


def test_anti_tank_units_add_their_factor_to_their_stack() -> None:
    gun = {"kind": "anti-tank", "attack": 2, "defence": 2}
    assert totals(attack([*TWELVE, unit("G", **gun)], [*FOUR, unit("T", **gun)])) == (14, 6)


@pytest.mark.parametrize("kind", ["anti-tank", "artillery"])
def test_guns_attacked_alone_defend_with_one(kind: str) -> None:
    assert totals(attack(None, [unit("G", kind=kind, defence=3, support=5)]))[1] == 1


@pytest.mark.parametrize("kind", ["infantry", "armour", "motorised", "mechanised", "engineers"])
def test_unsupplied_units_attack_with_half_rounded_down(kind: str) -> None:
    assert totals(attack([unit("A", kind=kind, attack=5, unsupplied=True)]))[0] == 2


@pytest.mark.parametrize(
    ("kind", "factor"),
    [("infantry", 5), ("armour", 3), ("motorised", 3), ("mechanised", 3), ("engineers", 3)],
)
def test_unsupplied_units_defend_by_their_kind(kind: str, factor: int) -> None:
    assert totals(attack(None, [unit("D", kind=kind, defence=5, unsupplied=True)]))[1] == factor


def test_over_stacked_units_are_halved_rounded_down() -> None:
    stack = [unit("D", defence=5, overstacked=True), unit("E", defence=3, overstacked=True)]
    assert totals(attack([unit("A", attack=7, overstacked=True)], stack)) == (3, 2 + 1)


def test_over_stacked_and_unsupplied_is_halved_twice() -> None:
    assert totals(attack([unit("A", attack=7, overstacked=True, unsupplied=True)]))[0] == 1


# ------------------------------------------------------------------ ratio, shifts, die modifiers


@pytest.mark.parametrize(
    ("ours", "theirs", "column"),
    [
        (3, 4, "1/2-"),
        (4, 4, "1/1"),
        (7, 4, "1/1"),
        (8, 4, "2/1"),
        (15, 4, "3/1"),
        (26, 6, "4/1"),
        (31, 4, "7/1+"),
        (60, 4, "7/1+"),
        (0, 4, "1/2-"),
    ],
)
def test_the_ratio_is_rounded_down_and_kept_on_the_table(
    ours: int, theirs: int, column: str
) -> None:
    assert columns(attack([unit("A", attack=ours)], [unit("D", defence=theirs)]))[0] == column


@pytest.mark.parametrize(
    ("stated", "column"),
    [
        ({}, "3/1"),
        ({"concentric": True}, "4/1"),
        ({"terrain": ["dominant-position"]}, "2/1"),
        ({"terrain": ["town"]}, "2/1"),
        ({"terrain": ["town", "dominant-position"]}, "1/1"),
        ({"terrain": ["village", "wood", "difficult", "road", "supply-source"]}, "3/1"),
        ({"attacker_cl": 1}, "4/1"),
        ({"attacker_cl": 3}, "6/1"),
        ({"attacker_cl": 4}, "6/1"),
        ({"defender_cl": 1}, "2/1"),
        ({"defender_cl": 4}, "1/2-"),
        ({"attacker_cl": 4, "defender_cl": 1}, "6/1"),
        ({"attacker_cl": 2, "defender_cl": 2}, "3/1"),
        ({"allied": "attacker", "attacker_air": 1}, "4/1"),
        ({"allied": "attacker", "attacker_air": 3}, "5/1"),
        ({"defender_air": 1}, "2/1"),
        ({"defender_air": 3}, "1/1"),
        ({"attacker_cl": 4, "defender_air": 3, "concentric": True}, "5/1"),
        ({"defender_cl": 3, "terrain": ["town"]}, "1/2-"),
        ({"allied": "attacker", "attacker_cl": 3, "attacker_air": 2}, "7/1+"),
    ],
)
def test_shifts_add_up_within_their_limits(stated: Stated, column: str) -> None:
    assert columns(attack(**stated)) == ("3/1", column)


@pytest.mark.parametrize(
    ("stated", "modifier"),
    [
        ({}, 0),
        ({"formation_complete": True}, 1),
        ({"terrain": ["difficult"]}, -1),
        ({"terrain": ["village"]}, -1),
        ({"terrain": ["wood"]}, -1),
        ({"terrain": ["village", "wood", "difficult"]}, -3),
        ({"terrain": ["town", "dominant-position"]}, 0),
        ({"terrain": ["wood"], "formation_complete": True}, 0),
    ],
)
def test_die_modifiers_add_up(stated: Stated, modifier: int) -> None:
    assert attack(**stated).explain().die_modifier == modifier


def test_one_unit_across_the_river_is_enough_and_two_are_no_worse() -> None:
    dry = unit("A", attack=6)
    wet = [unit(name, attack=3, across_river=True) for name in "BC"]
    assert attack([dry, *wet[:1]]).explain().die_modifier == -1
    assert attack([dry, *wet]).explain().die_modifier == -1


def test_an_hq_that_supports_from_afar_does_not_attack_across_the_river() -> None:
    far = hq("H", 2, at_distance=True, across_river=True)
    assert attack([*TWELVE, far]).explain().die_modifier == 0


def test_one_unsupplied_unit_of_the_attacked_hex_gives_one_to_the_die() -> None:
    lost = [unit(name, defence=2, unsupplied=True) for name in "DE"]
    assert attack(None, [unit("F", defence=2), *lost[:1]]).explain().die_modifier == 1
    assert attack(None, lost).explain().die_modifier == 1


def test_an_unsupplied_hq_outside_the_hex_is_not_attacked() -> None:
    far = hq("H", 2, at_distance=True, unsupplied=True)
    assert attack(None, [*FOUR, far]).explain().die_modifier == 0


# ------------------------------------------------------------------ 8.3 losses


def test_a_step_flips_a_unit_and_a_second_one_eliminates_it() -> None:
    # 1/1 with a 1: 2/0.
    played = play(attack([unit("A", attack=4)]), (1,))
    assert steps(played) == {"A": 0, "D": 2}
    assert played.outcome.attacker_eliminated


def test_steps_that_nobody_is_left_to_lose_are_ignored() -> None:
    # 1/2- with a 1: 3/0.
    end = play(attack([unit("A", attack=1, steps=1)]), (1,)).outcome
    assert end.result == "3/0"
    assert end.attacker_steps_lost == 1


def test_losses_are_spread_and_the_owner_chooses_among_equals() -> None:
    fight = attack([unit(name, attack=1) for name in "ABC"])
    assert asked(fight, (4,)) == ("A", "B", "C")  # 1/2- with a 4: 2/0
    assert asked(fight, (4,), "B") == ("A", "C")
    assert steps(play(fight, (4,), "B", "C")) == {"A": 2, "B": 1, "C": 1, "D": 2}


def test_nobody_dies_while_another_can_take_the_step() -> None:
    # 1/2- with a 4: 2/0. B could take neither step while A or C can; nothing is left to choose.
    fight = attack([unit("A", attack=1), unit("B", attack=1, steps=1), unit("C", attack=1)])
    assert asked(fight, (4,)) == ("A", "C")
    assert steps(play(fight, (4,), "A")) == {"A": 1, "B": 1, "C": 1, "D": 2}


def test_when_somebody_must_die_it_is_one_who_has_lost_least() -> None:
    # 3/0: A and C flip, then B dies, who has not lost a step in this combat.
    fight = attack([unit("A", attack=1), unit("B", attack=1, steps=1), unit("C", attack=1)])
    assert steps(play(fight, (1,), "A")) == {"A": 1, "B": 0, "C": 1, "D": 2}


def test_the_attacker_never_retreats() -> None:
    outcomes = attack([unit("A", attack=1)]).odds().weights
    assert not any(outcome.attacker_left for outcome in outcomes)


def test_an_hq_in_the_attacked_hex_takes_losses_like_the_others() -> None:
    played = play(attack(None, [*FOUR, hq("H", 0)]), (4,), 0, "H")
    assert steps(played) == {"A": 1, "D": 1, "H": 1}


def test_a_logistic_column_in_the_hex_takes_no_loss() -> None:
    played = play(attack(None, [*FOUR, unit("C", kind="cl", size="cl")]), (3,), 0)
    assert steps(played) == {"A": 1, "D": 1, "C": 2}


# ------------------------------------------------------------------ 8.5 retreat


@pytest.mark.parametrize(
    ("traded", "left", "hexes"), [(0, 0, 0), (1, 1, 1), (2, 2, 2)], ids=["none", "one", "both"]
)
def test_steps_are_traded_for_hexes_one_for_one(traded: int, left: int, hexes: int) -> None:
    played = play(attack(), (4,), traded, ("A",))
    assert steps(played)["D"] == left
    assert played.outcome.details == ((f"retreat {hexes}",) if hexes else ())
    assert played.outcome.defender_eliminated == (left == 0)
    assert played.outcome.vacated


def test_a_defender_who_trades_nothing_and_lives_keeps_his_hex() -> None:
    end = play(attack(), (3,), 0).outcome  # 1/1
    assert end.defender_steps_lost == 1
    assert not end.vacated
    assert not end.taken


def test_nothing_is_traded_where_nothing_is_lost() -> None:
    end = play(attack(), (1,)).outcome
    assert end.result == "1/0"
    assert not end.vacated


STACK = [unit("D", defence=2), unit("E", defence=2)]


def test_a_stack_that_can_not_retreat_stays_and_each_unit_loses_one_more() -> None:
    # 1/1: nothing to trade; D takes the step of the result, then D and E lose one each.
    played = play(attack(None, STACK, can_retreat=False), (3,), "D")
    assert steps(played) == {"A": 1, "D": 0, "E": 1}
    assert not played.outcome.vacated
    assert played.outcome.details == ()


def test_a_stack_that_can_retreat_and_stays_loses_nothing_more() -> None:
    played = play(attack(None, STACK), (4,), 0, "D")
    assert steps(played) == {"A": 1, "D": 1, "E": 1}


def test_a_surrounded_defender_is_not_protected_by_being_surrounded() -> None:
    """7/1 gives 0/2 to 0/5 with any die: a two-step unit without retreat never lives."""
    lone = [unit("D", defence=2)]
    fight = attack([unit("A", attack=14)], lone, can_retreat=False)
    assert fight.explain().column()["final"] == "7/1+"
    for defender in ("hold", "best"):
        odds = fight.odds("take", defender)
        assert {outcome.defender_eliminated for outcome in odds.weights} == {True}
    assert "no_retreat_loss" in {line.reading.option for line in fight.odds().doubts}
    free = attack([unit("A", attack=14)], lone)
    assert not all(o.defender_eliminated for o in free.odds("take", "best").weights)


def test_a_retreat_out_of_supply_costs_each_unit_one_step() -> None:
    played = play(attack(None, STACK, retreat_unsupplied=True), (4,), 2, ("A",))
    assert steps(played) == {"A": 1, "D": 1, "E": 1}
    assert played.outcome.details == ("retreat 2",)


def test_no_retreat_no_loss_of_supply() -> None:
    played = play(attack(None, STACK, retreat_unsupplied=True), (4,), 0, "D")
    assert steps(played) == {"A": 1, "D": 1, "E": 1}
    assert not played.outcome.vacated


def test_a_stack_that_retreated_before_and_suffers_a_step_is_eliminated() -> None:
    played = play(attack(None, STACK, retreated_before=True), (3,), ("A",))  # 1/1
    assert steps(played) == {"A": 1, "D": 0, "E": 0}
    assert played.outcome.defender_steps_lost == 4
    assert played.outcome.defender_eliminated
    assert played.outcome.taken


def test_a_stack_that_retreated_before_and_suffers_nothing_stays() -> None:
    end = play(attack(None, STACK, retreated_before=True), (2,)).outcome  # 1/0
    assert end.defender_steps_lost == 0
    assert not end.vacated


# ------------------------------------------------------------------ 8.4 advance

COLUMN = [
    unit("A", attack=6, size="brigade"),
    unit("B", attack=3),
    unit("C", attack=3),
    hq("H", 0),
    unit("L", kind="cl", size="cl"),
]


def groups(*words: str) -> set[Answer]:
    return {tuple(word) for word in words}


@pytest.mark.parametrize(
    ("terrain", "die", "fitting"),
    [
        ("clear", 4, groups("", "A", "B", "C", "AB", "AC", "BC")),  # 6 points; ABC is 7
        ("wood", 5, groups("", "A", "B", "C", "BC")),  # 4 points; AB is 5
        ("difficult", 5, groups("", "A", "B", "C", "BC")),
        ("village", 5, groups("", "A", "B", "C", "AB", "AC", "BC")),
    ],
)
def test_participants_advance_within_stacking_and_no_hq_or_cl(
    terrain: str, die: int, fitting: set[Answer]
) -> None:
    fight = attack(COLUMN, terrain=[terrain])
    assert set(asked(fight, (die,), "A", 2)) == fitting


def test_the_dead_and_the_distant_do_not_advance() -> None:
    guns = unit("G", kind="artillery", support=3, at_distance=True)
    fight = attack([unit("A", attack=6, steps=1), unit("B", attack=6, steps=1), guns])
    assert set(asked(fight, (4,), "A", 2)) == groups("", "B")


def test_nobody_needs_to_advance() -> None:
    end = play(attack(), (4,), 2, ()).outcome
    assert end.vacated
    assert not end.taken


# ------------------------------------------------------------------ 8.6.3 logistic columns alone

LOAD = unit("L", kind="cl", size="cl")


@pytest.mark.parametrize(
    ("die", "on_map", "fate"),
    [(1, 0, "D"), (3, 0, "D"), (4, 0, "C"), (6, 0, "C"), (4, 3, "C"), (4, 4, "D")],
)
def test_a_logistic_column_alone_is_destroyed_or_captured(die: int, on_map: int, fate: str) -> None:
    fight = attack(None, [LOAD], attacker_cl_on_map=on_map)
    end = fight.resolve(dice=[die], seed=1).outcome
    assert end.result == fate
    assert end.vacated
    assert (end.attacker_steps_lost, end.defender_steps_lost) == (0, 0)


def test_the_second_capture_finds_no_room() -> None:
    fight = attack(None, [LOAD, unit("M", kind="cl", size="cl")], attacker_cl_on_map=3)
    assert fight.resolve(dice=[5, 5], seed=1).outcome.result == "C+D"


def test_there_is_no_combat_against_columns_alone_and_nothing_is_committed() -> None:
    fight = attack(None, [LOAD], attacker_cl_at_hand=2, attacker_cl=1)
    asking = fight.play().asking
    assert isinstance(asking, Roll)
    assert asking.what == "cl-roll"
    assert fight.odds().expected("attacker_spent") == 0


# ------------------------------------------------------------------ options


def test_the_defaults_are_those_of_the_reading() -> None:
    assert GAME.card.chosen({}) == {
        "ratio_clamp": "before",
        "column_cap": "columns_of_supply",
        "low_die": "row_1",
        "zero_defence": "last_column",
        "support_cap": "attacker",
        "support_losses": "engaged_only",
        "no_retreat_loss": "nothing_traded",
        "reattacked": "inflicted",
        "reattacked_units": "those_that_retreated",
        "map_edge": "open",
        "zoc_units": "all_but_columns",
        "stacking_check": "segment_end",
        "overstacked": "stays",
        "retreat_overstacking": "not_on_friends",
        "retreat_direction": "any_hex",
        "retreat_short": "each_unit",
        "lost_escort": "on_entry",
        "advance_together": "all",
        "advance_ground": "open",
        "complete_formation": "two_or_more",
        "own_hex_support": "always",
        "cl_arrival": "source",
        "cl_supply": "free",
        "late_arrival": "waits",
        "dominant_in_zoc": "other_terrain",
        "lake_railway": "by_rail",
        "hill_wood_cost": "dearest",
        "breakthrough": "from_anywhere",
        "breakthrough_dice": "each_hex",
        "control": "passing",
        "cl_occupies": "yes",
        "supply_check": "own_phase",
        "unsupplied_entry": "every_hex",
        "pocket_moves": "free",
        "line_test": "after_step",
        "dominant_lines": "within_two",
        "source_in_zoc": "closed",
        "village_cost": "one",
        "at_alone": "no_attack",
        "joint_attacks": "together",
        "gun_nation": "any",
        "guest_nation": "any",
        "cl_nation": "none",
        "independents_support": "corps_or_army",
        "soviet_corps": "own_formation",
        "cl_command": "formation_hq",
        "unsupplied_guns": "unaffected",
        "start_columns": "allied",
        "deployment_stacking": "both_sides",
        "german_start": "free_hexes",
        "kg_615": "one",
        "places": "names",
        "start_464": "1905",
        "start_8dp": "0511",
        "start_independents": "any_polish",
        "reinforcement_roll": "compulsory",
        "reinforcement_entry": "free_of_units",
        "reinforcement_modifiers": "larger_only",
        "in_play_already": "nothing",
        "second_guards": "the_other",
        "guards_line": "enter",
        "victory": "all_three",
        "encircled": "no_supply_line",
        "hidden_stacks": "top_counter",
    }


@pytest.mark.parametrize(("clamp", "column"), [("before", "6/1"), ("after", "7/1+")])
def test_option_ratio_clamp(clamp: str, column: str) -> None:
    # 26 against 2 is 13/1, less one column.
    fight = attack(
        [unit("A", attack=26)], [unit("D", defence=2)], {"ratio_clamp": clamp}, defender_cl=1
    )
    assert columns(fight)[1] == column


@pytest.mark.parametrize(("cap", "column"), [("columns_of_supply", "6/1"), ("all_shifts", "4/1")])
def test_option_column_cap(cap: str, column: str) -> None:
    # 1/1 and five columns to the right: three CLs, one air marker, concentric.
    fight = attack(
        [unit("A", attack=4)],
        None,
        {"column_cap": cap},
        allied="attacker",
        attacker_cl=3,
        attacker_air=1,
        concentric=True,
    )
    assert columns(fight) == ("1/1", column)


@pytest.mark.parametrize(("cap", "column"), [("columns_of_supply", "1/1"), ("all_shifts", "2/1")])
def test_option_column_cap_to_the_left(cap: str, column: str) -> None:
    # 5/1 and four columns to the left: three CLs and a town.
    fight = attack(
        [unit("A", attack=20)], None, {"column_cap": cap}, defender_cl=3, terrain=["town"]
    )
    assert columns(fight) == ("5/1", column)


@pytest.mark.parametrize(("low", "expected"), [("row_1", "1/0"), ("no_effect", "0/0")])
def test_option_low_die(low: str, expected: str) -> None:
    # A 1 in a difficult wood is -1; no row is printed for it.
    fight = attack(options={"low_die": low}, terrain=["difficult", "wood"])
    assert result(fight, 1) == expected
    assert result(fight, 3) == "1/0"  # a modified 1 has its row


@pytest.mark.parametrize(("zero", "column"), [("last_column", "7/1+"), ("counts_as_one", "3/1")])
def test_option_zero_defence(zero: str, column: str) -> None:
    fight = attack([unit("A", attack=3)], [unit("D")], {"zero_defence": zero})
    assert totals(fight) == (3, 0)
    assert columns(fight) == (column, column)


@pytest.mark.parametrize(("cap", "defence"), [("attacker", 7), ("both", 4)])
def test_option_support_cap(cap: str, defence: int) -> None:
    fight = attack(
        [unit("A", attack=5), hq("H", 8)],
        [unit("D", defence=2), hq("I", 5)],
        {"support_cap": cap},
    )
    assert totals(fight) == (10, defence)


GUNS = unit("G", kind="artillery", support=3)


@pytest.mark.parametrize(
    ("cap", "defence"), [("attacker", 5 + 3), ("both", 3 + 1), ("both_strictly", 0)]
)
def test_hqs_and_guns_without_other_units_have_nobody_to_support(cap: str, defence: int) -> None:
    """8.6.1, 8.6.2: an HQ of 5 alone defends with 3, guns alone with 1; together not with less."""
    fight = attack(None, [hq("H", 5), GUNS], {"support_cap": cap})
    assert totals(fight)[1] == defence
    doubts = fight.explain().doubts
    assert {line.reading.option for line in doubts} >= {"support_cap"}
    far = [hq("H", 5), GUNS, hq("I", 9, at_distance=True)]
    assert totals(attack(None, far, {"support_cap": "both"}))[1] == 4 + 4


@pytest.mark.parametrize(
    ("losses", "losers"),
    [("engaged_only", ("A", "B")), ("supports_too", ("A", "B", "H", "G"))],
)
def test_option_support_losses_of_the_attacker(losses: str, losers: tuple[str, ...]) -> None:
    guns = unit("G", kind="artillery", support=0, at_distance=True)
    fight = attack(
        [unit("A", attack=6), unit("B", attack=6), hq("H", 0), guns],
        options={"support_losses": losses},
    )
    assert asked(fight, (1,)) == losers


@pytest.mark.parametrize(("losses", "left"), [("engaged_only", (0, 2)), ("supports_too", (1, 1))])
def test_option_support_losses_of_the_defender(losses: str, left: tuple[int, int]) -> None:
    # 1/1, not traded. D would die of the step; where the distant HQ takes part, it absorbs it.
    fight = attack(
        None,
        [unit("D", defence=4, steps=1), hq("H", 0, at_distance=True)],
        {"support_losses": losses},
    )
    answers: tuple[Answer, ...] = ((3,), 0, ("A",)) if left[0] == 0 else ((3,), 0)
    played = play(fight, *answers)
    assert (steps(played)["D"], steps(played)["H"]) == left
    assert played.outcome.defender_steps_lost == 1


@pytest.mark.parametrize(
    ("loss", "left"), [("added", (0, 1)), ("only", (1, 1)), ("nothing_traded", (0, 0))]
)
def test_option_no_retreat_loss(loss: str, left: tuple[int, int]) -> None:
    # 1/2, one traded: the other is taken by D, and one more by each; or only the one by each; or
    # both steps of the result, one from each unit, and one more by each.
    fight = attack(None, STACK, {"no_retreat_loss": loss}, can_retreat=False)
    answers = {"added": (1, "D"), "only": (1,), "nothing_traded": ("D", ("A",))}
    played = play(fight, (4,), *answers[loss])
    assert (steps(played)["D"], steps(played)["E"]) == left
    assert played.outcome.vacated == (left == (0, 0))


def test_without_a_way_back_steps_can_be_traded_by_the_other_readings_only() -> None:
    for loss in ("added", "only"):
        fight = attack(None, STACK, {"no_retreat_loss": loss}, can_retreat=False)
        assert steps(play(fight, (4,), 0, "D")) == {"A": 1, "D": 1, "E": 1}
    strict = attack(None, STACK, can_retreat=False)
    assert asked(strict, (4,)) == ("D", "E")  # who loses the first step, not how many are traded


def test_a_way_back_that_is_too_short_limits_the_trade() -> None:
    stays = {"retreat_short": "stays"}
    assert asked(attack(None, STACK, stays, retreat_room=1), (4,)) == (0, 1)  # 1/2
    assert asked(attack(None, STACK, stays, retreat_room=0), (4,)) == ("D", "E")
    assert asked(attack(None, STACK, retreat_room=1), (4,)) == (0, 1, 2)


MIXED = [unit("D", defence=2, retreated=True), unit("E", defence=2)]


def test_only_units_that_retreated_are_eliminated_when_attacked_again() -> None:
    # 1/1: D dies, and its two steps are more than the result; E has not retreated.
    assert steps(play(attack(None, MIXED), (3,))) == {"A": 1, "D": 0, "E": 2}
    # 1/3: D's two steps count, and E answers for the third.
    strong = attack([unit("A", attack=20)], MIXED)
    assert asked(strong, (4,)) == (0, 1)  # 5/1, 1/3
    assert steps(play(strong, (4,), 0)) == {"A": 1, "D": 0, "E": 1}


def test_option_reattacked_units_can_take_the_whole_stack() -> None:
    played = play(attack(None, MIXED, {"reattacked_units": "whole_stack"}), (3,), ("A",))
    assert steps(played) == {"A": 1, "D": 0, "E": 0}
    untouched = [unit("D", defence=2), unit("E", defence=2)]
    fight = attack(None, untouched, {"reattacked_units": "whole_stack"})
    assert asked(fight, (3,)) == (0, 1)


def test_option_reattacked_inflicted_gives_no_choice() -> None:
    fight = attack(None, STACK, {"reattacked": "inflicted"}, retreated_before=True)
    assert set(asked(fight, (4,))) == groups("", "A")  # 1/2: dead at once, the attacker advances


@pytest.mark.parametrize(("traded", "left"), [(2, 4), (1, 0), (0, 0)])
def test_option_reattacked_really_lost_spares_who_trades_all(traded: int, left: int) -> None:
    fight = attack(None, STACK, {"reattacked": "really_lost"}, retreated_before=True)
    choice: tuple[Answer, ...] = ("D",) if traded < 2 else ()
    played = play(fight, (4,), traded, *choice, ("A",))
    assert steps(played)["D"] + steps(played)["E"] == left


def test_option_reattacked_really_lost_counts_the_step_for_want_of_supply() -> None:
    fight = attack(
        None,
        STACK,
        {"reattacked": "really_lost"},
        retreated_before=True,
        retreat_unsupplied=True,
    )
    assert play(fight, (4,), 2, ("A",)).outcome.defender_eliminated


def test_an_unknown_choice_of_an_option_is_refused() -> None:
    with pytest.raises(Refusal):
        attack(options={"ratio_clamp": "never"})


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("stated", "place", "message"),
    [
        ({"attackers": [unit("A", attack=-1)]}, "attackers[0].attack", "at least 0"),
        ({"defenders": [unit("D", defence=-2)]}, "defenders[0].defence", "at least 0"),
        ({"attackers": [*TWELVE, hq("H", -3)]}, "attackers[1].support", "at least 0"),
        ({"defenders": [unit("D", steps=3)]}, "defenders[0].steps", "at most 2"),
        ({"terrain": ["vilage"]}, "terrain", "near matches: village"),
        ({"terrain": ["Wood"]}, "terrain", "near matches: wood"),
        ({"terrain": ["lake"]}, "terrain", "lake"),
        ({"defenders": []}, "defenders", "nobody is attacked"),
        ({"defenders": [hq("H", 2, at_distance=True)]}, "defenders", "nobody is attacked"),
        ({"attackers": []}, "attackers", "no unit attacks"),
        ({"attackers": [hq("H", 5)]}, "attackers", "no unit attacks"),
        ({"attacker_air": 1}, "attacker_air", "Allied"),
        ({"attacker_air_at_hand": 1}, "attacker_air_at_hand", "Allied"),
        ({"allied": "attacker", "defender_air": 1}, "defender_air", "Allied"),
        ({"defender_air": 4}, "defender_air", "at most 3"),
        ({"attacker_cl": 5}, "attacker_cl", "at most 4"),
        ({"defender_cl": 3, "defender_cl_at_hand": 2}, "defender_cl", "at most 4"),
        ({"attacker_cl": -1}, "attacker_cl", "at least 0"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(stated: Stated, place: str, message: str) -> None:
    with pytest.raises(Refusal, match=message) as refused:
        GAME.fight({"attackers": TWELVE, "defenders": FOUR, **stated})
    assert refused.value.place == place


def test_a_missing_defender_is_refused() -> None:
    with pytest.raises(Refusal, match="defenders"):
        GAME.fight({"attackers": TWELVE})


@pytest.mark.parametrize("defenders", [[unit("A", defence=4)], [*FOUR, *FOUR]])
def test_two_units_of_one_name_are_refused(defenders: list[Stated]) -> None:
    with pytest.raises(Refusal, match="two units are named"):
        attack(None, defenders)


@pytest.mark.parametrize(
    ("stated", "place"),
    [
        # 8.1: only adjacent units attack; from afar only HQs and artillery take part.
        ({"attackers": [*TWELVE, unit("B", attack=3, at_distance=True)]}, "attackers"),
        ({"defenders": [*FOUR, unit("E", defence=3, at_distance=True)]}, "defenders"),
        # The chart's river is a hexside; in the hex it would silently count for nothing.
        ({"terrain": ["river"]}, "terrain"),
        # 7.2: no more than four on the map.
        ({"attacker_cl_on_map": 5}, "attacker_cl_on_map"),
    ],
    ids=["attacker from afar", "defender from afar", "river as a hex", "five CLs on the map"],
)
def test_what_can_not_be_on_the_map_is_refused(stated: Stated, place: str) -> None:
    with pytest.raises(Refusal) as refused:
        GAME.fight({"attackers": TWELVE, "defenders": FOUR, **stated})
    assert refused.value.place.startswith(place)
