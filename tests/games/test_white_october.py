"""White October: the cases to build on, strengths, dice, morale, reading the table."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from grognard.rules.fight import Fight, Outcome
from grognard.words.refusal import Refusal
from tests.games.white_october_fights import (
    GAME,
    MIXED,
    Options,
    Stated,
    asked,
    at,
    end,
    fight,
    told,
    unit,
)

EXAMPLE = Path(__file__).parents[2] / "examples" / "white-october.toml"


def result(column: int, ours: int, theirs: int, **options: str) -> str:
    return at(column, ours, theirs, options).fight.result


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
