"""The stages that games share: strength, columns, rolls, losses."""

from collections.abc import Generator
from fractions import Fraction
from typing import TypeVar

import pytest

import grognard
from grognard.games.bautzen.stated import BautzenPreparation
from grognard.games.normandy.stated import Attacker, TrimmedAttacker
from grognard.rules.ask import Answer, Asking, Choose, Roll
from grognard.rules.columns import basic_column, clamp_lines, final_column
from grognard.rules.fight import alive, enemy_of, units_of
from grognard.rules.line import Line
from grognard.rules.losses import lose_steps, one_loses, steps_lost
from grognard.rules.modifiers import Product
from grognard.rules.procedure import trimmed
from grognard.rules.rolls import code_at, modified_roll, row_at
from grognard.rules.strength import as_printed, multiplied

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


# ------------------------------------------------------------------ rolls


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


# ------------------------------------------------------------------ losses


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
