"""Panzer Grenadier: step losses, morale, odds, anti-tank fire, refusals."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from grognard.fights.play import Play
from grognard.rules.game import load
from grognard.testing.conformance import check_game
from grognard.words.refusal import Refusal
from tests.games.panzer_grenadier_fights import (
    GAME,
    Stated,
    anti_tank,
    checks,
    direct,
    offered,
    rolled,
    shifts,
    steps,
    two_dice,
    unit,
)

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("panzer-grenadier*.toml"))


def states(play: Play) -> dict[str, str]:
    return {unit.name: getattr(unit, "state", "") for unit in play.fight.defenders}


# ------------------------------------------------------------------ step losses


def test_x_takes_a_step_of_each_category_and_the_owner_chooses() -> None:
    transport = [unit("W", "wagon"), unit("S", "sledge")]
    fight = direct(unit("A", morale=7), unit("B"), *transport, unit("P", "afv-closed"))
    play = rolled(fight, 3)  # three combat units: column 16
    assert play.fight.result == "X"
    assert offered(play) == [("A",), ("B",)]
    play.answer(("B",))
    assert offered(play) == [("W",), ("S",)]
    play.answer(("S",))
    assert steps(play) == {"A": 2, "B": 1, "W": 2, "S": 1, "P": 2}
    assert checks(play) == {
        "A": (7, "+2"), "B": (8, "+2"), "W": (8, "+2"), "S": (8, "+2"), "P": (8, "0"),
    }  # fmt: skip


def test_closed_top_afvs_alone_lose_nothing_and_check_at_m() -> None:
    play = rolled(direct(unit("P", "afv-closed"), fire=22), 2)
    assert play.fight.result == "2X"
    assert steps(play) == {"P": 2}
    assert checks(play) == {"P": (8, "0")}


def test_a_missing_category_is_ignored() -> None:
    assert steps(rolled(direct(unit("W", "wagon")), 2)) == {"W": 1}
    assert steps(rolled(direct(unit("A"), unit("L", "leader")), 2)) == {"A": 1, "L": 2}


def test_a_single_x_does_not_oblige_an_open_top() -> None:
    play = rolled(direct(unit("A"), unit("O", "afv-open")), 2)
    assert play.fight.result == "X"
    assert offered(play) == [("A",), ("O",)]


def test_2x_and_3x_oblige_an_open_top_only_where_there_is_one() -> None:
    units = [unit("A"), unit("B", morale=7)]
    play = rolled(direct(*units, fire=22), 2)
    assert offered(play) == [("A", "A"), ("A", "B"), ("B", "B")]
    three = rolled(direct(*units, unit("O", "afv-open", steps=1), fire=22), 2)  # column 30: 3X
    assert three.fight.result == "3X"
    assert all("O" in option for option in offered(three))


def test_no_more_steps_are_lost_than_there_are() -> None:
    play = rolled(direct(unit("A", steps=1), unit("W", "wagon", steps=1), fire=22), 2)
    assert play.asking is None
    assert steps(play) == {"A": 0, "W": 0}
    assert play.outcome.defender_steps_lost == 2
    assert play.outcome.vacated


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("free", [("A", "A"), ("A", "B"), ("B",) * 2]),
        ("one_each", [("A", "B")]),
        ("one_unit", [("A", "A"), ("B", "B")]),
    ],
)
def test_option_step_losses(way: str, expected: list[tuple[str, ...]]) -> None:
    units = [unit("A"), unit("B", morale=7)]
    play = rolled(direct(*units, fire=22, options={"step_losses": way}), 2)
    if len(expected) > 1:
        assert offered(play) == expected
    else:
        assert steps(play) == {"A": 1, "B": 1}


def test_all_on_one_unit_means_an_open_top_as_far_as_it_has_steps() -> None:
    units = [unit("A"), unit("O", "afv-open", steps=1)]
    play = rolled(direct(*units, fire=22, options={"step_losses": "one_unit"}), 2)
    assert steps(play) == {"A": 2, "O": 0}


def test_one_step_each_takes_fewer_steps_from_few_units() -> None:
    play = rolled(direct(unit("A"), fire=22, options={"step_losses": "one_each"}), 2)
    assert steps(play) == {"A": 1}


def test_units_that_are_alike_are_offered_once() -> None:
    units = [unit("A"), unit("B"), unit("C", morale=7)]
    play = rolled(direct(*units, fire=7), 2)  # column 11: X
    assert offered(play) == [("A",), ("C",)]
    two = rolled(direct(*units, fire=11), 2)  # column 16: 2X
    assert offered(two) == [("A", "A"), ("A", "B"), ("A", "C"), ("C", "C")]


def test_dead_units_do_not_check() -> None:
    play = rolled(direct(unit("A", steps=1), unit("P", "afv-closed")), 2)
    assert steps(play) == {"A": 0, "P": 2}
    assert checks(play) == {"P": (8, "0")}


# ------------------------------------------------------------------ morale


@pytest.mark.parametrize(
    ("way", "after"),
    [
        ("three_over", {8: "good-order", 9: "disrupted", 10: "disrupted", 11: "demoralised"}),
        ("four_over", {9: "disrupted", 11: "disrupted", 12: "demoralised"}),
        ("two_over", {8: "good-order", 9: "disrupted", 10: "demoralised"}),
    ],
)
def test_option_morale_thresholds(way: str, after: dict[int, str]) -> None:
    for total, state in after.items():
        play = rolled(direct(options={"morale_thresholds": way}), 5, total)  # M
        assert states(play) == {"A": state}


def test_what_the_result_adds_counts() -> None:
    assert states(rolled(direct(), 3, 6)) == {"A": "good-order"}  # M2
    assert states(rolled(direct(), 3, 7)) == {"A": "disrupted"}
    play = rolled(direct(), 3, 9)
    assert states(play) == {"A": "demoralised"}
    assert [told.line.value for told in play.told if told.line.id == "modified-roll"] == [11]


def test_a_disrupted_unit_that_fails_is_demoralised() -> None:
    disrupted = unit("A", state="disrupted")
    assert states(rolled(direct(disrupted), 5, 8)) == {"A": "disrupted"}
    play = rolled(direct(disrupted), 5, 9)
    assert states(play) == {"A": "demoralised"}
    assert play.outcome.defender_shaken == 2


def test_a_demoralised_unit_checks_at_one_less_and_stays_so() -> None:
    fight = direct(unit("A", state="demoralised"))
    play = rolled(fight, 5, 12)
    assert checks(play) == {"A": (7, "0")}
    assert states(play) == {"A": "demoralised"}
    assert (play.outcome.defender_shaken, play.outcome.details) == (0, ())


def test_a_leader_helps_his_hex_and_the_next_one() -> None:
    for distance in (0, 1):
        leader = unit("L", "leader", morale=9, bonus=1, distance=distance)
        play = rolled(direct(unit("A"), leader), 5)
        assert checks(play)["A"] == (9, "0")
        assert ("L" in checks(play)) == (distance == 0)


def test_a_demoralised_leader_helps_nobody() -> None:
    leader = unit("L", "leader", bonus=1, state="demoralised")
    assert checks(rolled(direct(unit("A"), leader), 5))["A"] == (8, "0")


def test_the_bonus_is_explained_before_the_dice() -> None:
    explanation = direct(unit("A"), unit("L", "leader", bonus=2)).explain()
    told = [(line.unit, line.value) for line in explanation.lines if line.id == "leader-bonus"]
    assert told == [("L", 2)]


def test_option_leader_bonus() -> None:
    units = [unit("A"), unit("K", "leader", bonus=1), unit("L", "leader", bonus=2, distance=1)]
    assert checks(rolled(direct(*units), 5))["A"] == (10, "0")
    both = direct(*units, options={"leader_bonus": "sum"})
    assert checks(rolled(both, 5))["A"] == (11, "0")


def test_option_leaders_check() -> None:
    units = [unit("A"), unit("L", "leader")]
    assert set(checks(rolled(direct(*units), 5))) == {"A", "L"}
    exempt = direct(*units, options={"leaders_check": "exempt"})
    assert set(checks(rolled(exempt, 5))) == {"A"}
    assert set(checks(rolled(exempt, 2))) == {"A"}


def test_option_leaders_helped() -> None:
    units = [unit("A"), unit("L", "leader", bonus=1)]
    assert checks(rolled(direct(*units), 5))["L"] == (8, "0")
    helped = direct(*units, options={"leaders_helped": "yes"})
    assert checks(rolled(helped, 5))["L"] == (9, "0")


def test_every_unit_checks_for_itself() -> None:
    play = rolled(direct(unit("A"), unit("B", morale=7), unit("L", "leader")), 5, 10, 10, 7)
    assert states(play) == {"A": "disrupted", "B": "demoralised", "L": "good-order"}
    assert play.outcome.details == ("A disrupted", "B demoralised")
    assert play.outcome.defender_shaken == 3


def test_a_leader_stays_when_his_hex_is_lost() -> None:
    fight = direct(unit("A", steps=1), unit("L", "leader"), options={"leaders_check": "exempt"})
    outcome = rolled(fight, 2).outcome
    assert outcome.defender_eliminated
    assert not outcome.vacated
    alone = rolled(direct(unit("L", "leader")), 7).outcome
    assert not alone.defender_eliminated


# ------------------------------------------------------------------ odds


def test_exact_odds_of_fire_on_one_unit() -> None:
    odds = direct(fire=1).odds()  # column 1: M on 2, 3, 11, 12
    checked = Fraction(6, 36)
    parts = {outcome.details: p for outcome, p in odds.outcomes() if outcome.result == "M"}
    assert parts == {
        (): checked * Fraction(26, 36),
        ("A disrupted",): checked * Fraction(7, 36),
        ("A demoralised",): checked * Fraction(3, 36),
    }
    assert odds.expected("defender_shaken") == checked * Fraction(13, 36)


def test_exact_odds_of_fire_on_three_units() -> None:
    fight = direct(unit("A"), unit("B", morale=7), unit("C", morale=6))  # column 16
    odds = fight.odds()
    assert Fraction(odds.by_result()["X"].total, odds.total) == Fraction(3, 36)  # 3, 12
    assert odds.expected("defender_steps_lost") == Fraction(3 * 1 + 1 * 2, 36)
    # M2: each passes with at most 6, 5 and 4
    passed = sum(
        p for outcome, p in odds.outcomes() if outcome.result == "M2" and not outcome.details
    )
    m2 = Fraction(5, 36)  # 4, 11
    assert passed == m2 * Fraction(15, 36) * Fraction(10, 36) * Fraction(6, 36)
    assert len(odds.weights) < 300


def test_the_owner_gives_up_the_unit_that_would_break_anyway() -> None:
    fight = direct(unit("A", morale=12), unit("B", morale=2, steps=1))
    after_x = [o for o, _ in fight.odds().outcomes() if o.result == "X"]
    assert after_x
    assert all("B eliminated" in outcome.details for outcome in after_x)


def test_opportunity_fire_counts_in_both_kinds_of_fire() -> None:
    assert shifts(direct(opportunity_fire=True).explain()) == {"A": 1}
    assert anti_tank(opportunity_fire=True).explain().die_modifier == -1


# ------------------------------------------------------------------ anti-tank fire


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, 0),
        ({"target_moved": True}, -1),
        ({"opportunity_fire": True}, -1),
        ({"terrain": ["town"]}, -1),
        ({"terrain": ["wood"]}, -1),
        ({"terrain": ["hill"]}, 0),
        ({"target_higher": True, "terrain": ["hill"]}, -1),
        ({"range": 5}, 0),
        ({"range": 6}, -1),
        ({"range": 1}, 1),
        ({"range": 0}, 0),  # the same hex is not adjacent
        ({"crossfire": True}, 2),
        ({"crossfire": True, "crossfire_hexes_only": True}, 0),
        (
            {
                "target_moved": True, "opportunity_fire": True, "terrain": ["wood", "hill"],
                "target_higher": True, "range": 8,
            },
            -5,
        ),  # no limit
    ],
)  # fmt: skip
def test_anti_tank_modifiers(facts: Stated, expected: int) -> None:
    assert anti_tank(stated=facts).explain().die_modifier == expected


def test_anti_tank_modifiers_of_the_target() -> None:
    dug_in = unit("T", "afv-closed", armour=3, dug_in=True)
    assert anti_tank(dug_in).explain().die_modifier == -1
    assert anti_tank(dug_in, terrain=["town"]).explain().die_modifier == -1  # once
    crossing = unit("T", "afv-open", armour=3, engineers_crossing=True)
    assert anti_tank(crossing).explain().die_modifier == 1
    assert anti_tank(crossing, crossfire=True, range=1).explain().die_modifier == 4


def test_option_crossfire_lines() -> None:
    facts: Stated = {"crossfire": True, "crossfire_hexes_only": True}
    hexes = anti_tank(options={"crossfire_lines": "hexes"}, stated=facts)
    assert hexes.explain().die_modifier == 2


@pytest.mark.parametrize(
    ("total", "code", "left"),
    [(7, "none", 2), (8, "step", 1), (10, "step", 1), (11, "eliminated", 0)],
)
def test_anti_tank_rows(total: int, code: str, left: int) -> None:
    play = rolled(anti_tank(), total)  # +2
    assert (play.fight.result, steps(play)) == (code, {"T": left})
    assert set(checks(play)) == ({"T"} if code == "step" else set())
    assert [t.line.value for t in play.told if t.line.id == "modified-roll"] == [total + 2]


def test_a_target_that_its_last_step_kills_does_not_check() -> None:
    play = rolled(anti_tank(unit("T", "afv-open", armour=3, steps=1)), 8)
    assert play.asking is None
    outcome = play.outcome
    assert (outcome.result, outcome.defender_eliminated, outcome.vacated) == ("step", True, True)


def test_anti_tank_totals_are_explained() -> None:
    explanation = anti_tank(value=6).explain()
    assert explanation.totals()["attack"] == 3
    truck = anti_tank(unit("Lkw", "truck"), value=6).explain()
    assert truck.totals()["attack"] == 7
    told = [line.value for line in truck.lines if line.unit == "Lkw"]
    assert told == [-1]


@pytest.mark.parametrize(("way", "total"), [("kept", "-1/2"), ("down", "-1"), ("up", "0")])
def test_a_disrupted_firer_has_half_its_anti_tank_value(way: str, total: str) -> None:
    firer = [{"name": "F", "anti_tank": 5, "state": "disrupted"}]
    fight = anti_tank(attackers=firer, options={"half_fire": way})
    assert fight.explain().totals()["attack"] == Fraction(total)
    assert rolled(fight, 10).fight.result == ("step" if way == "up" else "none")


def test_the_check_after_a_step_has_the_leaders_bonus() -> None:
    leader = unit("L", "leader", bonus=1)
    play = rolled(anti_tank(None, leader), 8)
    assert checks(play) == {"T": (9, "+2")}
    play.answer(two_dice(8))
    assert states(play) == {"T": "disrupted", "L": "good-order"}
    assert play.outcome.details == ("T disrupted",)


def test_exact_odds_of_anti_tank_fire() -> None:
    odds = anti_tank(unit("T", "afv-closed", armour=3)).odds()  # +2: step on 8-10, dead on 11+
    assert odds.chance("defender_eliminated") == Fraction(3, 36)
    assert odds.expected("defender_steps_lost") == Fraction(12 + 2 * 3, 36)
    shaken = Fraction(12, 36) * Fraction(11 * 1 + 10 * 2, 36)  # 7-8 disrupt, 9 and more demoralise
    assert odds.expected("defender_shaken") == shaken


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"attackers": []}, "nobody fires"),
        ({"defenders": []}, "nobody is fired at"),
        ({"defenders": [unit("L", "leader", distance=1)]}, "nobody is fired at"),
        ({"defenders": [unit("A"), unit("A")]}, "two units are named 'A'"),
        ({"terrain": ["jungle"]}, "no terrain 'jungle'"),
        ({"attackers": [{"name": "F", "fire": 9, "state": "demoralised"}]}, "can't fire"),
        ({"attackers": [{"name": "F", "fire": -1}]}, "-1"),
        ({"adjacent_to_all": True}, "at range 1, not 2"),
        ({"air_attack": True, "aa_unit": True}, "must be stated"),
        ({"defenders": [unit("A", bonus=1)]}, "only leaders have a bonus"),
        ({"defenders": [unit("A", distance=1)]}, "only leaders have a distance"),
        ({"defenders": [unit("A"), unit("L", "leader", distance=2)]}, "too far away"),
        ({"defenders": [unit("A", "truck", armour=0)]}, "armour"),
        ({"defenders": [unit("A", "elephant")]}, "elephant"),
        ({"defenders": [{"name": "A"}]}, "morale"),
    ],
)
def test_direct_fire_that_is_refused(facts: Stated, words: str) -> None:
    with pytest.raises(Refusal) as refused:
        direct(stated=facts)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"attackers": [{"name": "F", "anti_tank": 4}, {"name": "G", "anti_tank": 4}]}, "not 2"),
        ({"attackers": [{"name": "F", "fire": 4}]}, "F has no anti-tank value"),
        ({"defenders": [unit("L", "leader")]}, "one target besides leaders, not 0"),
        ({"defenders": [unit("A", armour=1), unit("B", armour=1)]}, "not 2"),
        ({"defenders": [unit("A")]}, "A has no armour"),
        ({"defenders": [unit("A", "wagon")]}, "A has no armour"),
        ({"defenders": [unit("A", "afv-closed")]}, "A has no armour"),
    ],
)
def test_anti_tank_fire_that_is_refused(facts: Stated, words: str) -> None:
    with pytest.raises(Refusal) as refused:
        anti_tank(stated=facts)
    assert words in str(refused.value)


def test_the_place_of_what_is_wrong_is_named() -> None:
    with pytest.raises(Refusal) as refused:
        direct(unit("A"), unit("B", bonus=1))
    assert refused.value.place == "defenders[1].bonus"


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
def test_an_example_can_be_explained_and_resolved(path: Path) -> None:
    stated = tomllib.loads(path.read_text(encoding="utf-8"))
    game, procedure = stated.pop("game"), stated.pop("procedure", None)
    fight = load(game).fight(stated, procedure=procedure, options=stated.pop("options", {}))
    assert fight.explain().totals()["attack"] is not None
    assert fight.resolve(seed=1).outcome in fight.odds().weights


def test_the_game_keeps_its_promises() -> None:
    hex_ = [
        unit("A", dug_in=True), unit("O", "afv-open"), unit("P", "afv-closed", state="disrupted"),
        unit("G", "artillery", steps=1), unit("T", "truck"), unit("L", "leader", bonus=1),
    ]  # fmt: skip
    fights = [
        direct(*hex_[:3], hex_[5], fire=30),
        direct(*hex_[3:], fire=45, options={"separate_columns": "roll_each"}),
        direct(hex_[0], hex_[4], fire=9, terrain=["wood"], night=True),
        anti_tank(None, hex_[5], range=1),
        anti_tank(unit("Lkw", "truck", steps=1), value=1),
    ]
    check_game(GAME, fights)
