"""Bautzen 1945: the cases to build on, the printed example, totals, ratio, shifts."""

import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from grognard.rules.ask import Choose, Commit, Roll
from grognard.rules.fight import Fight
from tests.games.bautzen_fights import (
    FOUR,
    GAME,
    TWELVE,
    Stated,
    asked,
    attack,
    columns,
    hq,
    play,
    result,
    steps,
    totals,
    unit,
)

EXAMPLE = Path(__file__).parents[2] / "examples" / "bautzen.toml"


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
