"""White October: effects and who applies them, advance, no way back, odds."""

from collections.abc import Iterable
from fractions import Fraction

import pytest

from grognard.fights.doctrine import BEST
from grognard.fights.fight_analysis import Analysis
from grognard.games.white_october import results
from grognard.games.white_october.stated import TrimmedCounter
from grognard.rules.fight import Fight, Outcome, Unit
from grognard.testing.conformance import check_game
from grognard.words.refusal import Refusal
from tests.games.white_october_fights import GAME, MIXED, Stated, asked, at, end, fight, told, unit

# ------------------------------------------------------------------ who applies what, and when


def test_the_loser_applies_his_results_first() -> None:
    # Column 6, m4 against m4: both have r/d; column 9: 1a1/d and rd/r2.
    assert asked(at(6, 4, 4))[0] == "attacker"
    assert asked(at(9, 4, 4))[0] == "defender"


def test_the_owner_chooses_at_a_stroke_and_the_defender_at_a_d() -> None:
    assert asked(at(5, 4, 6)) == ("attacker", "own-result", (("1",), ("r", "d")))
    assert asked(at(5, 3, 6)) == ("defender", "imposed-result", (("1",), ("r", "d")))


def test_the_owner_spreads_even_imposed_losses() -> None:
    play = at(1, 4, 2, attackers=[unit("a"), unit("b", pe=1)])
    play.answer(("2", "r"))
    assert asked(play) == ("attacker", "who-loses", (("a", "a"), ("a", "b")))
    play.answer(("a", "b"))
    assert [u.steps for u in play.fight.attackers] == [2, 0]


def test_every_way_to_spread_losses_is_offered() -> None:
    # Column 15, m5: 2dr, and the mandatory loss.
    theirs = [unit("d", pe=3), unit("e", pe=2), unit("f", pe=1)]
    play = at(15, 5, 5, attackers=[unit("a", pe=4)], defenders=theirs)
    ways = ("ddd", "dde", "ddf", "dee", "def", "eef")
    assert asked(play) == ("defender", "who-loses", tuple(tuple(way) for way in ways))


def test_losses_beyond_the_last_pe_are_ignored() -> None:
    outcome = at(15, 5, 5, defenders=[unit("d", pe=1)]).outcome
    assert outcome.defender_steps_lost == 1
    assert outcome.defender_eliminated
    assert outcome.vacated
    assert outcome.details == ()


BIG = {"attackers": [unit("a", pe=4)], "defenders": [unit("d", pe=4)]}


def test_a_large_combat_costs_each_side_a_mandatory_loss() -> None:
    outcome = at(7, 4, 4, **BIG).outcome
    assert (outcome.attacker_steps_lost, outcome.defender_steps_lost) == (1, 1)
    # Column 10: rd for the defender, and the attacker chooses no effect.
    outcome = end(at(10, 4, 4, **BIG), ("-",))
    assert (outcome.attacker_steps_lost, outcome.defender_steps_lost) == (1, 1)
    # Column 14: 1dr and a.
    outcome = at(14, 4, 4, **BIG).outcome
    assert (outcome.attacker_steps_lost, outcome.defender_steps_lost) == (1, 2)


def test_the_mandatory_loss_may_need_a_column_with_an_effect() -> None:
    chosen = {"mandatory_loss": "only_with_effect"}
    assert at(7, 4, 4, chosen, **BIG).outcome == Outcome(result="-|-")
    outcome = end(at(10, 4, 4, chosen, **BIG), ("-",))
    assert (outcome.attacker_steps_lost, outcome.defender_steps_lost) == (1, 1)


@pytest.mark.parametrize(
    "few",
    [
        {"attackers": [unit("a", pe=3)], "defenders": [unit("d", pe=9)]},
        {"attackers": [unit("a", pe=9)], "defenders": [unit("d", pe=3)]},
        {
            "attackers": [unit("a", pe=3), unit("hq", pe=1, combat=False)],
            "defenders": [unit("d", pe=4)],
        },
    ],
)
def test_both_sides_need_4_pe_of_combat_units_for_the_mandatory_loss(few: Stated) -> None:
    assert at(7, 4, 4, **few).outcome == Outcome(result="-|-")


def test_pe_of_several_combat_units_add_up_to_4() -> None:
    ours = [unit("a", pe=2), unit("b", pe=2)]
    play = at(7, 4, 4, attackers=ours, defenders=[unit("d", pe=4)])
    assert asked(play) == ("attacker", "who-loses", (("a",), ("b",)))


# ------------------------------------------------------------------ effects


def test_a_retreat_of_one_hex_vacates() -> None:
    outcome = at(8, 3, 3).outcome  # 1d|r
    assert outcome.vacated
    assert not outcome.taken
    assert outcome.attacker_shaken == 1
    assert outcome.details == ("D retreat 1", "A disorganised")


def test_a_retreat_of_two_hexes() -> None:
    outcome = end(at(9, 2, 6), ("r2",))
    assert outcome.vacated
    assert outcome.details == ("D retreat 2",)


def test_a_rout_goes_two_hexes_and_routs_all_units() -> None:
    play = at(9, 2, 2, defenders=[unit("d"), unit("e", disorganised=True)])  # 1|dr
    assert routed(play.fight.defenders) == [True, True]
    assert play.outcome.details == ("D rout 2",)
    assert play.outcome.defender_shaken == 2 + 1  # e was disorganised before
    assert play.outcome.vacated


def routed(units: Iterable[Unit]) -> list[bool]:
    return [unit_.routed for unit_ in units if isinstance(unit_, TrimmedCounter)]


def disorganised(units: Iterable[Unit]) -> list[bool]:
    return [unit_.disorganised for unit_ in units if isinstance(unit_, TrimmedCounter)]


def test_disorganisation_strikes_all_engaged_units_that_are_left() -> None:
    play = at(10, 1, 6, attackers=[unit("a"), unit("b")])  # d|1/rd/r2
    outcome = end(play, ("1",))
    assert disorganised(play.fight.attackers) == [True, True]
    assert outcome.attacker_shaken == 2


def test_a_unit_that_is_disorganised_already_is_not_shaken_anew() -> None:
    play = at(10, 1, 6, attackers=[unit("a", strength=8, disorganised=True)])
    assert end(play, ("1",)).attacker_shaken == 0


def test_0r_captures_everything_and_1r_what_one_loss_leaves() -> None:
    all_captured, rest_captured = at(13, 1, 1), at(13, 1, 2)
    assert [e.line.kind for e in all_captured.events if e.line.unit == "d"] == ["captured"]
    assert [e.line.kind for e in rest_captured.events if e.line.unit == "d"] == [
        "loss",
        "captured",
    ]
    for play in (all_captured, rest_captured):
        assert play.outcome.defender_steps_lost == 3
        assert play.outcome.details == ("D captured",)
        assert play.outcome.taken


def test_an_attacker_may_surrender_too() -> None:
    outcome = at(1, 1, 1).outcome  # 1R|-
    assert outcome.attacker_steps_lost == 3
    assert outcome.attacker_left
    assert not outcome.defender_advanced


def test_the_players_may_settle_a_surrender() -> None:
    outcome = at(13, 1, 2, {"surrender": "players"}).outcome
    assert outcome.defender_steps_lost == 1
    assert not outcome.defender_eliminated
    assert outcome.vacated
    assert outcome.taken
    assert outcome.details == ("D surrenders",)


def test_a_winning_defender_may_have_to_leave_his_hex() -> None:
    outcome = end(at(6, 4, 4), ("d",), ("r",))
    assert outcome.vacated
    assert not outcome.taken
    assert not outcome.attacker_left


# ------------------------------------------------------------------ advance


def test_one_unit_must_advance_and_its_owner_names_it() -> None:
    play = at(14, 4, 4, attackers=[unit("a"), unit("b")])  # a|1dr
    assert asked(play) == ("attacker", "who-advances", ("a", "b"))
    outcome = end(play, "b")
    assert outcome.taken
    assert [e.line.unit for e in play.events if e.line.kind == "advance"] == ["b"]


def test_a_second_hex_where_its_condition_is_stated() -> None:
    play = at(14, 4, 4, second_hex_allowed=True)
    assert asked(play) == ("attacker", "how-far", (1, 2))
    assert end(play, 2).details == ("D rout 2", "advance 2")
    assert at(14, 4, 4).outcome.details == ("D rout 2",)


def test_a1_is_limited_to_one_hex() -> None:
    outcome = end(at(13, 2, 6, second_hex_allowed=True), ("1", "r2"))  # a1|1r2/1rd
    assert outcome.taken
    assert outcome.details == ("D retreat 2",)


def test_no_advance_while_the_loser_holds_his_hex() -> None:
    play = at(12, 6, 6)  # 1a/da|1r/1d
    outcome = end(play, ("1", "d"), ("1", "a"))
    assert outcome.attacker_steps_lost == 1
    assert not outcome.taken
    assert "nobody-advances" in told(play)


def test_a_destroyed_loser_has_left_his_hex() -> None:
    outcome = end(at(12, 6, 6, defenders=[unit("d", pe=1)]), ("1", "d"), ("1", "a"))
    assert outcome.vacated
    assert outcome.taken


def test_nobody_is_left_to_advance() -> None:
    outcome = at(11, 4, 4, attackers=[unit("a", pe=1)]).outcome  # 1a|1dr
    assert outcome.attacker_eliminated
    assert outcome.vacated
    assert not outcome.taken


def test_a_winning_defender_may_advance_into_the_hex_of_the_attacker() -> None:
    advanced = end(at(1, 3, 3), ("a1",))  # 2dr|-/a1
    assert advanced.attacker_left
    assert advanced.defender_advanced
    assert not advanced.vacated
    assert not end(at(1, 3, 3), ("-",)).defender_advanced


def test_a_defender_does_not_advance_on_an_attacker_who_stays() -> None:
    outcome = end(at(4, 6, 6), ("2",), ("a1",))
    assert not outcome.attacker_left
    assert not outcome.defender_advanced


def test_da1_disorganises_even_where_no_advance_is_possible() -> None:
    outcome = end(at(2, 6, 6), ("1", "d"), ("d", "a1"))
    assert outcome.defender_shaken == 1
    assert not outcome.defender_advanced


# ------------------------------------------------------------------ no way back


def test_a_retreat_that_is_not_possible_costs_a_loss_for_each_hex() -> None:
    outcome = end(at(9, 6, 3, defender_can_retreat=False), ("1", "a"))  # 1a/d|rd
    assert outcome.defender_steps_lost == 1
    assert outcome.defender_shaken == 1
    assert not outcome.vacated
    assert not outcome.taken


def test_a_rout_that_is_not_possible_costs_two_losses_and_routs() -> None:
    outcome = at(9, 2, 2, defender_can_retreat=False).outcome  # 1|dr
    assert outcome.defender_steps_lost == 2
    assert outcome.defender_shaken == 2
    assert not outcome.vacated


def test_units_without_a_way_back_may_be_eliminated() -> None:
    play = at(9, 2, 2, {"no_retreat": "eliminated"}, defender_can_retreat=False)
    assert play.outcome.defender_steps_lost == 3
    assert play.outcome.defender_eliminated
    assert play.outcome.vacated


def test_the_attacker_too_may_have_no_way_back() -> None:
    stated = {"attacker_can_retreat": False}
    stays = end(at(6, 2, 6, **stated), ("r",))  # D:r/d|-
    assert (stays.attacker_steps_lost, stays.attacker_left) == (1, False)
    dead = end(at(6, 2, 6, {"no_retreat": "eliminated"}, **stated), ("r",))
    assert (dead.attacker_steps_lost, dead.attacker_left) == (3, True)


# ------------------------------------------------------------------ PE and steps


def test_losses_are_taken_in_pe_or_in_steps() -> None:
    ours = [unit("a", pe=5, steps=2)]
    outcome = at(9, 2, 2, {"losses_in": "steps"}, attackers=ours).outcome  # 1|dr
    assert (outcome.attacker_steps_lost, outcome.attacker_eliminated) == (1, False)
    ours = [unit("a", pe=5, steps=1)]
    assert at(9, 2, 2, {"losses_in": "steps"}, attackers=ours).outcome.attacker_eliminated
    texts = [e.line.in_("fr") for e in at(9, 2, 2).events]
    assert "a perd 1 PE (reste 2)" in texts


def test_the_mandatory_loss_looks_at_pe_also_where_losses_are_steps() -> None:
    stated = {name: [unit(name, pe=4, steps=2)] for name in ("attackers", "defenders")}
    outcome = at(7, 4, 4, {"losses_in": "steps"}, **stated).outcome
    assert (outcome.attacker_steps_lost, outcome.defender_steps_lost) == (1, 1)


def test_steps_alone_are_pe() -> None:
    stated = {name: [unit(name, pe=0, steps=4)] for name in ("attackers", "defenders")}
    assert at(7, 4, 4, **stated).outcome.attacker_steps_lost == 1


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ({"attackers": []}, "nobody attacks"),
        ({"defenders": []}, "nobody is attacked"),
        ({"defenders": [unit("a")]}, "two units are named 'a'"),
        ({"attackers": [unit("a", strength=0)]}, "no combat strength"),
        ({"attackers": [unit("a", strength=-1)]}, r"attackers\[0\].strength"),
        ({"attackers": [unit("a", pe=0)]}, "'a' has no PE"),
        ({"attackers": [unit("a", pe=3, steps=2)]}, "3 PE and 2 steps"),
        ({"attackers": [unit("a", morale=7)]}, "morale of 7; expected 1 to 6"),
        ({"defenders": [unit("d", morale=0)]}, "morale of 0; expected 1 to 6"),
        ({"defender_morale": 8}, "defender_morale: .*morale of 8"),
        ({"terrain_value": -1}, "terrain_value"),
        ({"attacker_trotsky": True, "defender_trotsky": True}, "one side only"),
        ({"weather": "snow"}, "unknown key 'weather'"),
    ],
)
def test_what_is_refused(stated: Stated, message: str) -> None:
    with pytest.raises(Refusal, match=message):
        fight(**stated)


def test_an_answer_that_is_not_legal_is_refused() -> None:
    play = at(9, 2, 6)
    with pytest.raises(Refusal, match="not legal"):
        play.answer(("2",))


# ------------------------------------------------------------------ odds


def test_the_odds_of_m1_against_m1_worked_out_by_hand() -> None:
    odds = fight(attacker_morale=1, defender_morale=1).odds()
    # Columns 2 to 6 throw the attacker back: the defender imposes 1r, rd, r rather than the rest.
    assert odds.chance("attacker_left") == Fraction(15, 36)
    # Columns 8 to 10 are routs, 11 and 12 a surrender; only 12 lets the attacker advance.
    assert odds.chance("vacated") == Fraction(15, 36)
    assert odds.chance("taken") == Fraction(1, 36)
    assert odds.expected("defender_steps_lost") == Fraction(3 * 3, 36)
    # 1 PE on 2, 3, 4, 8, 9 and 11; on 12 he is rather disorganised.
    assert odds.expected("attacker_steps_lost") == Fraction(1 + 2 + 3 + 5 + 4 + 2, 36)
    assert Fraction(odds.by_result()["-|-"].total, odds.total) == Fraction(6, 36)


def test_a_doctrine_decides_what_is_chosen() -> None:
    # Column 9, m6: 1, rd or r2 for the defender.
    shown = fight(attacker_morale=2, defender_morale=6)
    holding = shown.resolve(dice=[4, 5], defender="hold").outcome
    sparing = shown.resolve(dice=[4, 5], defender="spare").outcome
    assert (holding.vacated, holding.defender_steps_lost) == (False, 1)
    assert (sparing.vacated, sparing.defender_steps_lost) == (True, 0)


def test_a_unit_is_given_up_before_two_are_routed() -> None:
    # Column 8, m1: dr, and a mandatory loss; without its last PE, e is not there to be routed.
    weak = [unit("d", pe=4), unit("e", pe=1)]
    shown = fight(attackers=[unit("a", pe=4)], defenders=weak, defender_morale=1)
    assert shown.resolve(dice=[4, 4]).fight.defenders[1].steps == 0


MANY: Stated = {
    "attackers": [*MIXED, unit("t", pe=1, tank=True)],
    "defenders": [unit("d", pe=4, disorganised=True), unit("e", pe=1, morale=2)],
    "second_hex_allowed": True,
}


def spread(shown: Fight) -> dict[Outcome, Fraction]:
    ends = Analysis(shown, BEST, BEST).ends()
    chances: dict[Outcome, Fraction] = {}
    for end_, weight in ends.items():
        outcome = end_.case.procedure.outcome(end_)
        chances[outcome] = chances.get(outcome, Fraction(0)) + Fraction(weight, sum(ends.values()))
    return chances


@pytest.mark.parametrize("bonus", [-4, 0, 3])
def test_merging_units_that_are_settled_alike_does_not_change_the_odds(
    bonus: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = fight(**MANY, hq_bonus=bonus)
    merged = spread(shown)
    monkeypatch.setattr(results, "Settled", tuple)
    assert spread(shown) == merged


@pytest.mark.slow
def test_conformance() -> None:
    fights = [
        fight(),
        fight(**MANY),
        fight(**MANY, defender_can_retreat=False),
        fight({"no_retreat": "eliminated"}, **MANY, attacker_can_retreat=False),
        fight({"surrender": "players", "damaged_cells": "legible"}, **MANY, hq_bonus=4),
        fight({"losses_in": "steps", "rounding": "ceil"}, **MANY, hq_bonus=-6),
    ]
    check_game(GAME, fights)


# ------------------------------------------------------------------ a state once more


@pytest.mark.parametrize(
    ("choice", "shaken", "eliminated"), [("unchanged", 0, False), ("worse", 1, False)]
)
def test_a_unit_that_is_disorganised_again(choice: str, shaken: int, eliminated: bool) -> None:
    """The legend gives a state once; by option the disorganised unit is routed."""
    weak = [unit("d", disorganised=True)]
    play = at(10, 4, 4, {"shaken_again": choice}, defenders=weak)  # da/-|rd
    outcome = end(play, ("-",))
    assert (outcome.defender_shaken, outcome.defender_eliminated) == (shaken, eliminated)
    assert "shaken_again" in {entry.line.reading.option for entry in play.told}


@pytest.mark.parametrize(("choice", "lost"), [("unchanged", 0), ("worse", 3)])
def test_a_unit_that_is_routed_again(choice: str, lost: int) -> None:
    """By option it is eliminated."""
    weak = [unit("d", routed=True)]
    play = at(9, 2, 2, {"shaken_again": choice}, defenders=weak)  # 1|dr
    assert play.outcome.defender_steps_lost == lost
    assert play.outcome.defender_eliminated == (lost == 3)
    assert "shaken_again" in {entry.line.reading.option for entry in play.told}
