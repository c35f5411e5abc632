"""White October: what the card says, worked out by hand from its table and modifiers."""

import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from grognard.fights.doctrine import BEST
from grognard.fights.odds import Analysis
from grognard.fights.play import Play
from grognard.games.white_october import results
from grognard.games.white_october.stated import TrimmedCounter
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Fight, Outcome, Unit
from grognard.rules.game import load
from grognard.testing.conformance import check_game
from grognard.words.refusal import Refusal

GAME = load("white-october")
EXAMPLE = Path(__file__).parents[2] / "examples" / "white-october.toml"

Stated = dict[str, object]
Options = Mapping[str, str]


def unit(name: str, **changes: object) -> Stated:
    return {"name": name, "pe": 3, "strength": 4, "quality": 4, "morale": 4, **changes}


def fight(options: Options | None = None, /, **stated: object) -> Fight:
    """One unit against its equal, unless stated otherwise: 1/1, no modifier."""
    stated = {"attackers": [unit("a")], "defenders": [unit("d")], **stated}
    return GAME.fight(stated, options=options or {})


def at(
    column: int, ours: int, theirs: int, options: Options | None = None, /, **stated: object
) -> Play:
    """Roll so that the modified dice are `column`, with these dominant morales."""
    stated = {"attacker_morale": ours, "defender_morale": theirs, **stated}
    others = fight(options, **stated).explain().die_modifier
    play = fight(options, **stated, hq_bonus=column - 7 - others).play()
    play.answer((3, 4))
    return play


def asked(play: Play) -> tuple[str, str, tuple[Answer, ...]]:
    assert isinstance(play.asking, Choose)
    return play.asking.side, play.asking.what, play.asking.options


def end(play: Play, *answers: Answer) -> Outcome:
    for answer in answers:
        play.answer(answer)
    return play.outcome


def result(column: int, ours: int, theirs: int, **options: str) -> str:
    return at(column, ours, theirs, options).fight.result


def told(play: Play) -> list[str]:
    return [entry.line.id for entry in play.told]


def dice_modifiers(shown: Fight) -> dict[str, object]:
    lines = shown.explain().modifiers
    return {line.id: line.value for line in lines if line.changes == "die"}


# ------------------------------------------------------------------ the cases to build on


def test_w1_column_9_attacker_m2_defender_m6() -> None:
    play = at(9, 2, 6)
    assert asked(play) == ("defender", "own-result", (("1",), ("r", "d"), ("r2",)))
    outcome = end(play, ("1",))
    assert (outcome.attacker_steps_lost, outcome.defender_steps_lost) == (1, 1)
    assert not outcome.vacated


def test_w2_column_12_attacker_m6_defender_m1() -> None:
    play = at(12, 6, 1)
    assert [e.line.kind for e in play.events if e.line.unit == "d"] == ["loss", "captured"]
    assert asked(play) == ("attacker", "own-result", (("1", "a"), ("d", "a")))
    outcome = end(play, ("1", "a"))
    assert (outcome.attacker_steps_lost, outcome.defender_steps_lost) == (1, 3)
    assert outcome.defender_eliminated
    assert outcome.taken


def test_w3_a_modified_roll_of_0_is_read_in_column_1() -> None:
    play = at(0, 4, 3)
    assert play.fight.result == "D:2r/1rd|-/a1"
    assert asked(play) == ("defender", "imposed-result", (("2", "r"), ("1", "r", "d")))
    play.answer(("1", "r", "d"))
    assert asked(play) == ("defender", "own-result", (("-",), ("a1",)))


@pytest.mark.parametrize(
    ("attack", "defence", "dice"),
    [
        (3, 2, 1),
        (7, 2, 3),
        (12, 2, 5),
        (1, 5, -4),
        (5, 1, 5),
        (9, 2, 4),
        (4, 1, 4),
        (3, 1, 3),
        (5, 2, 2),
        (2, 1, 2),
        (1, 1, 0),
        (4, 5, -1),
        (2, 3, -1),
        (1, 2, -2),
        (1, 3, -3),
        (3, 10, -4),
        (1, 4, -4),
    ],
)
def test_w4_ratios(attack: int, defence: int, dice: int) -> None:
    assert ratio(attack, defence) == dice


def ratio(attack: int, defence: int, **options: str) -> object:
    ours, theirs = unit("a", strength=attack), unit("d", strength=defence)
    return dice_modifiers(fight(options, attackers=[ours], defenders=[theirs])).get("ratio", 0)


def test_w5_trotsky_with_an_encircled_m5_stack_gives_m6() -> None:
    assert rows(defender_morale=5, defender_encircled=True, defender_trotsky=True)[1] == "m6"


def rows(options: Options | None = None, /, **stated: object) -> tuple[object, object]:
    values = {line.id: line.value for line in fight(options, **stated).explain().lines}
    return values["attacker-row"], values["defender-row"]


@pytest.mark.parametrize("ours", range(1, 7))
@pytest.mark.parametrize("theirs", range(1, 7))
def test_w6_column_7_has_no_effect(ours: int, theirs: int) -> None:
    assert at(7, ours, theirs).outcome == Outcome(result="-|-")


# ------------------------------------------------------------------ strengths and ratio

WORN = [
    unit("a", strength=7, out_of_ammunition=True),  # 7/2
    unit("b", strength=5, routed=True, disorganised=True),  # 5/4
]


@pytest.mark.parametrize(
    ("rounding", "total"),
    [("exact", Fraction(19, 4)), ("floor", 4), ("ceil", 5), ("nearest", 5)],
)
def test_halvings_multiply_and_the_sum_is_rounded_once(rounding: str, total: Fraction) -> None:
    totals = fight({"rounding": rounding}, attackers=WORN).explain().totals()
    assert totals == {"attack": total, "defence": 4}


def test_all_three_halvings_are_cumulative() -> None:
    worn = unit("d", strength=8, out_of_ammunition=True, routed=True, disorganised=True)
    assert fight(defenders=[worn]).explain().totals()["defence"] == 1


def test_rounding_does_not_touch_each_unit() -> None:
    pair = [unit(name, strength=3, disorganised=True) for name in ("a", "b")]
    assert fight({"rounding": "floor"}, attackers=pair).explain().totals()["attack"] == 3


def test_a_half_rounded_to_the_nearest_goes_up() -> None:
    half = unit("a", strength=5, routed=True)
    assert fight({"rounding": "nearest"}, attackers=[half]).explain().totals()["attack"] == 3


@pytest.mark.parametrize(("attack", "defence", "dice"), [(3, 10, -3), (1, 4, -3), (1, 5, -4)])
def test_only_less_than_a_quarter_gives_minus_4_when_read_literally(
    attack: int, defence: int, dice: int
) -> None:
    assert ratio(attack, defence, ratio_gap="literal") == dice


@pytest.mark.parametrize(
    ("attack", "defence", "dice"),
    [(2, 1, 2), (5, 2, 3), (3, 1, 4), (7, 2, 5), (4, 1, 5), (6, 1, 5)],
)
def test_ratios_may_go_on_in_half_steps(attack: int, defence: int, dice: int) -> None:
    assert ratio(attack, defence, ratio_steps="half_steps") == dice


def test_a_defence_of_0_gives_the_best_ratio_or_counts_as_one() -> None:
    assert ratio(2, 0) == 5
    assert ratio(2, 0, zero_defence="counts_as_one") == 2
    doubts = fight(defenders=[unit("d", strength=0)]).explain().doubts
    assert "zero_defence" in [line.reading.option for line in doubts]


def test_the_ratio_is_told_as_the_basic_column() -> None:
    assert fight(attackers=[unit("a", strength=7)]).explain().column()["basic"] == "1.5/1"


@pytest.mark.parametrize(("strength", "doubtful"), [(8, False), (7, True), (12, True)])
def test_only_ratios_that_are_not_printed_are_doubtful(strength: int, doubtful: bool) -> None:
    # 2/1 is printed, 1.75/1 lies between two that are, 3/1 hides behind "etc."
    lines = fight(attackers=[unit("a", strength=strength)]).explain().lines
    assert [line.reading.doubtful for line in lines if line.kind == "column"] == [doubtful]


# ------------------------------------------------------------------ modifiers to the dice

TANK, CAR = unit("t", tank=True), unit("c", armoured_car=True)
HORSE = unit("h", cavalry=True, quality=5)


@pytest.mark.parametrize(
    ("stated", "modifiers"),
    [
        ({"attackers": [unit("a", quality=6)]}, {"quality": 2}),
        ({"defenders": [unit("d", quality=7)]}, {"quality": -3}),
        ({"attacker_support": 5, "defender_support": 2}, {"support": 1}),
        ({"attacker_support": 1, "defender_support": 4}, {"support": -1}),
        ({"attacker_support": 4, "defender_support": 4}, {}),
        ({"attackers": [unit("a", armoured_car=True)]}, {"vehicles": 1}),
        ({"attackers": [unit("a", tank=True)]}, {"vehicles": 1, "tank": 1}),
        ({"defenders": [unit("d", tank=True)]}, {"vehicles": -1}),
        ({"attackers": [TANK], "defenders": [CAR]}, {"tank": 1}),
        ({"attacker_air": True}, {"air": 1}),
        ({"attacker_air": True, "attacker_support": 1}, {"support": 1, "air": 1}),
        ({"night": True, "attacker_is_ano": True}, {"night": 1}),
        ({"night": True}, {}),
        ({"attacker_is_ano": True}, {}),
        ({"hq_bonus": 2}, {"hq": 2}),
        ({"hq_bonus": -1}, {"hq": -1}),
        ({"defender_encircled": True}, {"encirclement": 2}),
        ({"attacker_encircled": True}, {}),
        ({"terrain_value": 3}, {"terrain": -3}),
        ({"attackers": [HORSE], "clear_terrain": True}, {"quality": 1, "cavalry": 1}),
        ({"attackers": [HORSE]}, {"quality": 1}),
        ({"attackers": [unit("h", cavalry=True)], "clear_terrain": True}, {}),
        (
            {"attackers": [HORSE], "defenders": [{**HORSE, "name": "x"}], "clear_terrain": True},
            {},
        ),
        (
            {
                "attackers": [HORSE],
                "defenders": [unit("x", cavalry=True)],
                "clear_terrain": True,
            },
            {"quality": 1, "cavalry": 1},
        ),
    ],
)
def test_each_dice_modifier(stated: Stated, modifiers: Stated) -> None:
    shown = fight(**stated)
    assert dice_modifiers(shown) == modifiers
    assert shown.explain().die_modifier == sum(int(str(value)) for value in modifiers.values())


def test_any_attacker_may_have_the_night_bonus_by_option() -> None:
    assert dice_modifiers(fight({"night_attack": "any"}, night=True)) == {"night": 1}
    assert dice_modifiers(fight({"night_attack": "any"})) == {}


def test_the_example_adds_up() -> None:
    # 6/2 + 2 against 5/2 is +2, Quality 5 - 3, support, vehicles, tank, night +1, terrain -3.
    data = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert data.pop("game") == GAME.id
    shown = GAME.fight(data).explain()
    assert shown.totals() == {"attack": 5, "defence": Fraction(5, 2)}
    assert shown.die_modifier == 2 + 2 + 1 + 1 + 1 + 1 - 3


# ------------------------------------------------------------------ dominant Quality and morale

MIXED = [
    unit("a", pe=3, quality=6, morale=5),
    unit("b", pe=2, quality=4, morale=3),
    unit("c", pe=2, quality=4, morale=3),
]
TIED = [unit("a", pe=3, quality=6, morale=5), unit("b", pe=3, quality=4, morale=3)]


def test_the_value_with_the_most_pe_dominates() -> None:
    assert rows(attackers=MIXED)[0] == "m3"
    assert dice_modifiers(fight(attackers=MIXED, defenders=[unit("d", strength=12)])) == {}


@pytest.mark.parametrize(("tie", "row", "quality"), [("higher", "m5", 2), ("lower", "m3", 0)])
def test_a_tie_goes_to_the_higher_or_the_lower(tie: str, row: str, quality: int) -> None:
    tied = fight({"dominant_tie": tie}, attackers=TIED)
    assert rows({"dominant_tie": tie}, attackers=TIED)[0] == row
    assert dice_modifiers(tied).get("quality", 0) == quality


def test_dominant_values_may_be_stated() -> None:
    stated = fight(attackers=MIXED, attacker_quality=7, defender_quality=2, attacker_morale=6)
    assert dice_modifiers(stated)["quality"] == 5
    assert rows(attackers=MIXED, attacker_morale=6, defender_morale=1) == ("m6", "m1")


@pytest.mark.parametrize(
    ("stated", "row"),
    [
        ({"attacker_encircled": True}, "m3"),
        ({"attacker_trotsky": True}, "m6"),
        ({"defender_trotsky": True, "defender_encircled": True}, "m4"),
        ({"attacker_morale": 6, "attacker_trotsky": True}, "m6"),
        ({"attacker_morale": 6, "attacker_trotsky": True, "attacker_encircled": True}, "m6"),
        ({"attacker_morale": 1, "attacker_encircled": True}, "m1"),
    ],
)
def test_morale_modifiers_and_the_clamp_to_the_table(stated: Stated, row: str) -> None:
    assert rows(**stated)[0] == row


@pytest.mark.parametrize(
    "stated",
    [
        {"attacker_morale": 5, "attacker_trotsky": True},
        {"defender_morale": 1, "defender_encircled": True},
    ],
)
def test_a_morale_beyond_the_table_is_refused_by_option(stated: Stated) -> None:
    with pytest.raises(Refusal, match="no row"):
        fight({"morale_clamp": "refuse"}, **stated)


def test_the_option_refuses_only_the_sum_of_all_modifiers() -> None:
    stated: Stated = {"defender_morale": 5, "defender_encircled": True, "defender_trotsky": True}
    assert rows({"morale_clamp": "refuse"}, **stated)[1] == "m6"


# ------------------------------------------------------------------ reading the table


@pytest.mark.parametrize(
    ("whose", "attacker_wins", "defender_wins"),
    [
        ("own", "1|1/rd/r2", "D:1r/rd|-/a1"),
        ("loser", "1a/d|1/rd/r2", "D:1r/rd|r/d"),
        ("winner", "1|dr", "D:2/1r/1d|-/a1"),
        ("attacker", "1|dr", "D:1r/rd|r/d"),
        ("defender", "1a/d|1/rd/r2", "D:2/1r/1d|-/a1"),
    ],
)
def test_whose_morale_gives_the_row(whose: str, attacker_wins: str, defender_wins: str) -> None:
    assert result(9, 2, 6, morale_row=whose) == attacker_wins
    assert result(4, 2, 6, morale_row=whose) == defender_wins
    assert result(7, 2, 6, morale_row=whose) == "-|-"


@pytest.mark.parametrize(
    ("modified", "expected"),
    [(-3, "D:2r/2d|-/a1"), (1, "D:2r/2d|-/a1"), (2, "D:1r/1d|-/da1"), (15, "a|2dr"), (19, "a|2dr")],
)
def test_the_columns_are_open_at_both_ends(modified: int, expected: str) -> None:
    assert result(modified, 6, 6) == expected


@pytest.mark.parametrize(
    ("choice", "column", "ours", "theirs", "expected"),
    [
        ("fill", 2, 6, 3, "D:1r/1d|-/da1"),
        ("legible", 2, 6, 3, "D:1r/1d|-"),
        ("fill", 3, 6, 4, "D:1r/1d|-/da1"),
        ("legible", 3, 6, 4, "D:1r/1d|-"),
        ("legible", 3, 6, 3, "D:1r/1d|-"),
        ("fill", 4, 5, 5, "1r/1d|-"),
        ("legible", 4, 5, 5, "1r|-"),
        ("fill", 4, 4, 4, "D:1r/rd|-"),
        ("fill_1d", 4, 4, 4, "D:1r/1d|-"),
        ("fill_1d_rd", 4, 4, 4, "D:1r/rd|-"),
        ("legible", 4, 4, 4, "D:1r|-"),
        ("fill", 4, 1, 1, "D:1r/rd|r/d"),
        ("fill_1d", 4, 1, 1, "D:1r/1d|r/d"),
        ("fill_1d_rd", 4, 1, 1, "D:1r/1d/rd|r/d"),
        ("legible", 4, 1, 1, "D:1r|r/d"),
        ("fill", 5, 3, 3, "D:1/rd|r/d"),
        ("legible", 5, 3, 3, "D:1|r/d"),
        ("fill", 6, 2, 2, "D:r/d|r/d"),
        ("legible", 6, 2, 2, "D:r/d|-"),
    ],
)
def test_damaged_cells(choice: str, column: int, ours: int, theirs: int, expected: str) -> None:
    assert result(column, ours, theirs, damaged_cells=choice) == expected


def test_a_filled_cell_is_read_with_a_warning() -> None:
    play = at(5, 3, 6)
    read = [entry.line for entry in play.told if entry.line.id == "look-up"]
    assert [(line.side, line.reading.option) for line in read] == [
        ("attacker", "damaged_cells"),
        ("defender", None),
    ]


def test_the_odds_name_the_damaged_cells() -> None:
    doubts = fight(attacker_morale=3).odds().doubts
    assert "Attacker, row m3, column 5: D:1/rd" in [line.in_("en") for line in doubts]


def test_damaged_cells_may_be_refused() -> None:
    shown = fight({"damaged_cells": "refuse"}, attacker_morale=3)
    with pytest.raises(Refusal, match="damaged in print"):
        shown.odds()
    with pytest.raises(Refusal, match="cell m3, 5 of table combat"):
        shown.resolve(dice=[2, 3])
    assert shown.resolve(dice=[4, 5]).fight.result == "1a1/d|rd/r2"


def test_who_chooses_in_column_4_row_m6() -> None:
    assert asked(at(4, 6, 6))[:2] == ("defender", "imposed-result")
    owner = at(4, 6, 6, {"c4_m6_chooser": "owner"})
    assert asked(owner) == ("attacker", "own-result", (("2",), ("1", "r"), ("1", "d")))


@pytest.mark.parametrize("row", [4, 5, 6])
def test_whose_is_the_stroke_1_of_column_8(row: int) -> None:
    assert result(8, row, row) == "1da/1|r/d"
    assert result(8, row, row, c8_slash_one="defender") == "1da|r/d/1"


def test_whose_is_the_d_of_column_11() -> None:
    assert result(11, 6, 6) == "1a|r2d/1r/1d"
    assert result(11, 6, 6, c11_m6="attacker") == "1da|r2/1r/1d"


def test_who_wins_on_column_7() -> None:
    assert "nobody-wins" in told(at(7, 4, 4))
    assert "defender-wins" in told(at(7, 4, 4, {"column_7": "defender"}))
    assert "defender-wins" in told(at(6, 4, 4))
    assert "attacker-wins" in told(at(8, 4, 4))


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
