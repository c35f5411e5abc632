"""Bautzen 1945: losses, retreat, advance, logistic columns alone."""

import pytest

from grognard.rules.ask import Answer, Roll
from tests.games.bautzen_fights import FOUR, STACK, asked, attack, groups, hq, play, steps, unit

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
