"""Bautzen 1945: the options of doubtful readings, and what is refused."""

import pytest

from grognard.rules.ask import Answer
from grognard.words.refusal import Refusal
from tests.games.bautzen_fights import (
    FOUR,
    GAME,
    STACK,
    TWELVE,
    Stated,
    asked,
    attack,
    columns,
    groups,
    hq,
    play,
    result,
    steps,
    totals,
    unit,
)

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
