"""The stages that games share: strength, columns, rolls, losses."""

from collections.abc import Generator
from fractions import Fraction
from typing import TypeVar

import pytest

import grognard
from grognard.card.dice import Dice
from grognard.games.bautzen.stated import BautzenPreparation
from grognard.games.normandy.stated import Attacker, TrimmedAttacker
from grognard.rules.ask import Answer, Asking, Choose, Roll
from grognard.rules.columns import (
    Rounding,
    basic_column,
    clamp_lines,
    final_column,
    open_place,
    open_ratio,
    ratio_of,
    rounded_place,
)
from grognard.rules.fight import alive, enemy_of, units_of
from grognard.rules.line import Line
from grognard.rules.losses import each_loses, lose_steps, one_loses, spreads, steps_lost
from grognard.rules.modifiers import Product
from grognard.rules.procedure import trimmed
from grognard.rules.rolls import bands, code_at, modified_roll, row_at, row_bands
from grognard.rules.strength import ROUNDED, as_printed, multiplied, summed

T = TypeVar("T")
BAUTZEN = grognard.load("bautzen")
TABLE = BAUTZEN.card.table("combat")
LAST = len(TABLE.column_labels) - 1


def fight(**options: str) -> BautzenPreparation:
    units = [{"name": "A", "attack": 4, "steps": 2}, {"name": "B", "attack": 4, "steps": 2}]
    weak = [{"name": "D", "defence": 2, "steps": 1}]
    begun = BAUTZEN.fight(attackers=units, defenders=weak, options=options)
    assert isinstance(begun, BautzenPreparation)
    return begun


CASE = fight().case


def run(asking: Asking[T], *answers: Answer) -> tuple[T, list[Line], list[Choose | Roll]]:
    """Run a stage with answers; give what it returns, tells and asks."""
    said: list[Line] = []
    asked: list[Choose | Roll] = []
    waiting, answer = list(answers), None
    step: Generator[object, Answer | None, T] = asking
    while True:
        try:
            now = step.send(answer)
        except StopIteration as end:
            return end.value, said, asked
        answer = None
        if isinstance(now, Line):
            said.append(now)
        elif isinstance(now, tuple):  # several lines at once
            said += now
        elif isinstance(now, Choose | Roll):
            asked.append(now)
            answer = waiting.pop(0)


# ------------------------------------------------------------------ columns


@pytest.mark.parametrize(("place", "column"), [(-3, 0), (0, 0), (4, 4), (LAST + 5, LAST)])
def test_a_place_beyond_the_table_is_clamped_to_its_end(place: int, column: int) -> None:
    assert TABLE.within(place) == column
    told = list(clamp_lines(CASE, TABLE, place, "8.2"))
    assert [line.value for line in told] == [TABLE.column_labels[column]] * (place != column)


def test_the_final_column_is_told_after_its_clamp() -> None:
    column, told, _ = run(final_column(CASE, TABLE, LAST + 1, "8.2"))
    assert column == LAST
    assert [line.id for line in told] == ["column-clamped", "final-column"]


@pytest.mark.parametrize(("choice", "place"), [("before", LAST), ("after", 13)])
def test_shifts_of_odds_beyond_the_table_count_from_where_the_option_says(
    choice: str, place: int
) -> None:
    case = fight(ratio_clamp=choice).case
    found, told, _ = run(basic_column(case, TABLE, 13, attack=13, defence=1, odds="13/1"))
    assert found == place
    how = {"before": "column-clamped", "after": "open-scale"}
    assert [line.id for line in told] == ["basic-column", how[choice]]
    assert [line.reading.option for line in told] == [None, "ratio_clamp"]


NORMANDY = grognard.load("normandy").card.table("combat").columns  # 1-3, 1-2, 1-1, 2-1 … 7-1


@pytest.mark.parametrize(
    ("ratio", "defender", "nearest", "attacker"),
    [
        ("1/3", 0, 0, 0),
        ("3/8", 0, 0, 1),  # 1 to 2⅔ is nearer to 1 to 3
        ("4/9", 0, 1, 1),  # 1 to 2¼ is nearer to 1 to 2
        ("5/2", 3, 3, 4),  # in the middle: for the defender
        ("8/3", 3, 4, 4),
        ("7", 8, 8, 8),
    ],
)
def test_a_ratio_between_two_columns_is_rounded_as_the_rules_say(
    ratio: str, defender: int, nearest: int, attacker: int
) -> None:
    roundings: tuple[Rounding, ...] = ("defender", "nearest", "attacker")
    places = [rounded_place(NORMANDY, Fraction(ratio), rounding) for rounding in roundings]
    assert places == [defender, nearest, attacker]


@pytest.mark.parametrize(
    ("ratio", "defender", "attacker"),
    [("9", 10, 10), ("19/2", 10, 11), ("1/5", -2, -2), ("2/9", -2, -1), ("2", 3, 3)],
)
def test_a_scale_goes_on_beyond_both_ends_of_its_table(
    ratio: str, defender: int, attacker: int
) -> None:
    assert open_place(NORMANDY, Fraction(ratio)) == defender
    assert open_place(NORMANDY, Fraction(ratio), "attacker") == attacker
    for place in range(-4, 14):
        assert open_place(NORMANDY, open_ratio(NORMANDY, place)) == place


def test_a_defence_of_0_counts_as_1_or_gives_the_last_column() -> None:
    for as_one, ratio in ((True, 5), (False, 7)):
        found, told, _ = run(ratio_of(CASE, NORMANDY, 5, 0, "8.2", as_one=as_one))
        assert found == ratio
        assert [(line.id, line.value) for line in told] == [("no-defence", ratio)]
    found, told, _ = run(ratio_of(CASE, NORMANDY, 5, 2, as_one=True))
    assert (found, told) == (Fraction(5, 2), [])


# ------------------------------------------------------------------ rolls


def test_rolls_that_lead_to_the_same_are_one_band() -> None:
    assert bands(Dice(2), lambda rolled: rolled // 4) == (2, 4, 8, 12)
    assert bands(Dice(2), lambda _: "always") == (2,)
    assert row_bands(Dice(), (1, 3, 5)) == (1, 3, 5)
    assert row_bands(Dice(), (1, 3, 5), added=3) == (1, 2)


def test_a_roll_is_told_with_what_is_added_to_it() -> None:
    total, told, asked = run(modified_roll(CASE, "combat-roll", 1, 2, "8.2"), (5,))
    assert (total, [line.id for line in told]) == (7, ["modified-roll"])
    assert [ask.what for ask in asked] == ["combat-roll"]
    total, told, _ = run(modified_roll(CASE, "combat-roll", 1, 0), (5,))
    assert (total, told) == (5, [])


def test_a_row_holds_up_to_the_next_and_beyond_the_printed_ones() -> None:
    assert [row_at(TABLE, die) for die in (-2, 1, 7, 9)] == ["1", "1", "7", "8+"]
    fate = BAUTZEN.card.table("cl-fate")
    assert {code_at(fate, die) for die in range(1, 7)} == {"C", "D"}


# ------------------------------------------------------------------ strength


def test_a_unit_counts_as_printed_unless_something_multiplies_it() -> None:
    printed = as_printed(CASE, "attacker", "A", 5, "attack")
    assert (printed.value, [line.id for line in printed.lines]) == (Fraction(5), ["unit-factor"])
    assert multiplied(CASE, "attacker", "A", 5, Product(Fraction(1), ()), "attack") == printed
    halved = multiplied(CASE, "attacker", "A", 5, Product(Fraction(1, 2), printed.lines), "attack")
    assert halved.value == Fraction(5, 2)
    assert [line.id for line in halved.lines] == ["unit-factor", "unit-multiplied"]


def test_a_side_is_added_up_within_a_limit_and_rounded_once() -> None:
    half = multiplied(CASE, "attacker", "A", 5, Product(Fraction(1, 2), ()), "attack")
    whole = summed(CASE, "attacker", [half, half], "8.2")
    assert (str(whole.value), whole.lines[-1].id) == ("5", "attack-total")
    up = summed(CASE, "attacker", [half, half, half], rounded=ROUNDED["up"])
    assert up.value == ROUNDED["down"](Fraction(8))
    assert [line.id for line in up.lines[-2:]] == ["total-rounded", "attack-total"]
    most = grognard.load("normandy").card.number_row("factor_cap")
    much = as_printed(CASE, "attacker", "A", 900, "attack")
    limited = summed(CASE, "attacker", [much], most=most)
    assert (limited.value, limited.lines[-2].kind) == (most.value, "limit")


# ------------------------------------------------------------------ losses


def test_losses_are_spread_in_every_way_that_the_units_can_bear() -> None:
    ways = spreads({"A": 2, "B": 1, "C": 3}, 3)
    assert ways == sorted({*ways})
    assert {("".join(way)) for way in ways} == {"AAB", "AAC", "ABC", "ACC", "BCC", "CCC"}
    assert spreads({"A": 1, "B": 2}, 9) == [("A", "B", "B")]
    assert spreads({"A": 1}, 0) == [()]


def test_each_unit_loses_as_many_steps_as_it_has() -> None:
    begun = fight()
    for lost, left in ((1, [1, 1]), (3, [0, 0]), (None, [0, 0])):
        after, _, _ = run(each_loses(begun, "attacker", begun.attackers, "8.3", lost=lost))
        assert [unit.steps for unit in after.attackers] == left


def test_a_loss_is_told_and_then_the_elimination() -> None:
    after, told, _ = run(lose_steps(fight(), "attacker", "A", "8.3", lost=2))
    assert [line.id for line in told] == ["loses-steps", "is-eliminated"]
    assert [unit.name for unit in alive(after.attackers)] == ["B"]
    assert steps_lost(fight().attackers, after.attackers) == 2
    _, told, _ = run(lose_steps(fight(), "attacker", "A", "8.3"))
    assert [(line.id, line.value, line.rule) for line in told] == [("loses-step", 1, "8.3")]


def test_the_owner_or_whoever_is_named_chooses_the_unit_that_loses() -> None:
    for by, side in ((None, "attacker"), ("defender", "defender")):
        chosen = one_loses(fight(), "attacker", ["A", "B"], "8.3", "defender" if by else None)
        (after, name), _, asked = run(chosen, "B")
        assert name == "B"
        assert [unit.steps for unit in units_of(after, "attacker")] == [2, 1]
        (ask,) = asked
        assert isinstance(ask, Choose)
        assert ask.side == side
        assert ask.alike[0] == ask.alike[1], "units that differ in name only are alike"


def test_sides_are_each_others_enemies() -> None:
    assert (enemy_of("attacker"), enemy_of("defender")) == ("defender", "attacker")


def test_trimming_takes_over_what_both_types_have_and_what_is_given() -> None:
    unit = Attacker(name="A", factor=4, steps=2, main_force=True)
    assert trimmed(TrimmedAttacker, unit, advance="open") == TrimmedAttacker(
        name="A", steps=2, main_force=True, advance="open"
    )
    with pytest.raises(TypeError, match="advance"):
        trimmed(TrimmedAttacker, unit)
