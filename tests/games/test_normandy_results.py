"""Normandy '44: results and who chooses, Determined Defence, retreat, advance."""

import pytest
from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.fights.prospects import prospects
from grognard.fights.record import record, replay
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.wording import answered
from grognard.words.refusal import Refusal
from tests.games.normandy_fights import (
    DIAGONAL,
    GAME,
    ODDS,
    Options,
    Stated,
    after,
    asked,
    attack,
    defender,
    final,
    go_on,
    main,
    played,
    shift,
    steps_left,
    told,
)

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
