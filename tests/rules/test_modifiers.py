from fractions import Fraction

import pytest

from grognard.card.modifier_rows import Condition, Instead, Limit, Modifier
from grognard.rules.game import card
from grognard.rules.modifiers import Facts, amount, factor, holds, total
from grognard.words.text import Text

WORDS = Text("x", "x")
FACTS: Facts = {
    "night": True,
    "supplied": False,
    "range": 3,
    "terrain": frozenset({"wood", "hill"}),
    "weather": "clear",
}


@pytest.mark.parametrize(
    ("words", "met"),
    [
        ("night", True),
        ("not night", False),
        ("not supplied", True),
        ("range >= 3", True),
        ("range >= 4", False),
        ("range <= 3", True),
        ("range <= 2", False),
        ("terrain has town|wood", True),
        ("terrain has town", False),
        ("not terrain has town", True),
        ("weather = clear|overcast", True),
        ("weather = storm", False),
        ("supplied or night", True),
        ("supplied or not night", False),
        ("unstated", False),
        ("unstated >= 0", False),
    ],
)
def test_a_condition_holds_when_one_of_its_tests_is_met(words: str, met: bool) -> None:
    assert holds(Condition(words), FACTS) is met


def row(id_: str, **fields: object) -> Modifier:
    return Modifier(id=id_, text=WORDS, group="g", changes="die", **fields)  # type: ignore[arg-type]  # as named


def test_an_amount_is_multiplied_by_a_number_or_its_sign() -> None:
    assert amount(row("a", value=-1, times="range"), FACTS) == -3
    assert amount(row("a", value=2, sign_of="range"), {"range": -9}) == -2
    assert amount(row("a", value=2, sign_of="range"), {}) == 0


def test_another_amount_under_a_further_condition() -> None:
    other = Instead(when=(Condition("terrain has wood"),), value=-1)
    assert amount(row("a", value=-2, instead=(other,)), FACTS) == -1
    assert amount(row("a", value=-2, instead=(other,)), {}) == -2


def test_a_row_that_does_not_apply_counts_nothing_and_is_not_told() -> None:
    rows = [row("a", value=1, when=(Condition("supplied"),)), row("b", value=2)]
    whole = total(card("bautzen"), rows, FACTS)
    assert whole.value == 2
    assert [line.id for line in whole.lines] == ["b"]


def test_limits_bound_sums_and_say_so() -> None:
    bautzen = card("bautzen")
    facts: Facts = {"attacker_cl": 4, "defender_cl": 0, "attacker_air": 3}
    whole = total(bautzen, bautzen.modifying("combat", "column"), facts)
    assert whole.value == 3 + 2
    assert [(line.kind, line.value) for line in whole.lines] == [
        ("modifier", 4),
        ("limit", 3),
        ("modifier", 3),
        ("limit", 2),
    ]


def test_opposed_columns_cancel_before_the_limit() -> None:
    bautzen = card("bautzen")
    facts: Facts = {"attacker_cl": 4, "defender_cl": 4}
    assert total(bautzen, bautzen.modifying("combat", "column"), facts).value == 0


def test_only_the_best_of_a_family_counts() -> None:
    normandy = card("normandy")
    facts: Facts = {"terrain": frozenset({"village", "bocage"}), **normandy.chosen({})}
    rows = [row for row in normandy.modifiers if row.limit == "bdc"]
    assert total(normandy, rows, facts).value == 4


def test_a_family_that_counts_once_halves_once() -> None:
    normandy = card("normandy")
    assert Limit(id="x", text=WORDS, combine="once").combine == "once"
    facts: Facts = {"unsupplied": True, "main_force": False, **normandy.chosen({})}
    rows = [row for row in normandy.modifiers if row.factor is not None]
    assert factor(normandy, rows, facts).value == Fraction(1, 2)


def test_families_without_limit_multiply() -> None:
    october = card("white-october")
    facts: Facts = {"routed": True, "disorganised": True, "out_of_ammunition": True}
    rows = [row for row in october.modifiers if row.factor is not None]
    assert factor(october, rows, facts).value == Fraction(1, 8)


def test_a_modifier_that_counts_several_times_says_what_each_adds() -> None:
    """7.2, 10: each logistic column and each air marker shifts by one column."""
    bautzen = card("bautzen")
    facts: Facts = {"defender_cl": 2, "attacker_cl": 1, "allied": "defender", "defender_air": 3}
    lines = total(bautzen, bautzen.modifying("combat", "column"), facts).lines
    added = {line.id: line.added for line in lines if line.kind == "modifier"}
    assert sorted(added.values()) == sorted(["2 × −1", "+1", "3 × −1"])
