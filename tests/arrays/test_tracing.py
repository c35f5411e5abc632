"""Traced numbers: a result of the rules holds for every row on the same path."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor, trunc
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard import load
from grognard.arrays.batch import Batch
from grognard.arrays.tracing import Terms, Traced, TracePath
from grognard.rules.ask import Asking
from grognard.rules.exact import exact
from grognard.rules.fight import Case, Fight, Outcome, Setup, Unit
from grognard.rules.procedure import Game, Procedure, Trim
from tests.tiers import examples

VALUES = range(-4, 5)
Number = Any  # an int, a Fraction, or either of them traced
Rule = Callable[[Number, Number], Number]


class Sum(Setup, frozen=True, kw_only=True):
    attackers: tuple[Unit, ...] = ()
    defenders: tuple[Unit, ...] = ()
    a: int = 0
    b: int = 0


class SumFight(Fight, frozen=True, kw_only=True):
    case: Case[Sum]
    column: int = 0


def game_of(rule: Rule) -> Game:
    """Make a game whose die modifier and kind are the result of a rule on two numbers."""

    def add_up(fight: SumFight) -> Asking[SumFight]:
        setup = fight.case.setup
        value = rule(setup.a, setup.b)
        yield fight.case.tell("total", "attack-total", value=exact(value))
        return replace(fight, column=value)

    def end(fight: SumFight) -> Asking[SumFight]:
        return fight
        yield

    def trim(fight: SumFight) -> SumFight:
        return replace(fight, case=fight.case.restated(Sum()))

    procedure = Procedure(
        id="sum",
        setup=Sum,
        start=lambda case: SumFight(case=case),
        steps=(add_up, Trim(trim, lambda fight, *_: fight), end),
        outcome=lambda fight: Outcome(details=(str(fight.column),)),
        check=lambda *_: None,
    )
    return Game(load("normandy").card, (procedure,))


def agrees(rule: Rule, values: range = VALUES) -> int:
    """Compare arrays with the rule itself; return the number of traced paths."""
    a, b = (column.reshape(-1) for column in np.meshgrid(values, values))
    batch = Batch(game_of(rule), {}, ["a", "b"], folder=None)
    fights = batch.fights({"a": a, "b": b})
    for row, (one, other) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        (place,) = fights.distributions[fights.weighted[row]].outcomes
        assert batch.outcomes[place].details == (str(rule(one, other)),), (one, other)
        assert fights.attack[row] == float(rule(one, other)), (one, other)
    return len(batch._tree.leaves)


@pytest.mark.parametrize(
    "rule",
    [
        lambda a, b: a + b - 3,
        lambda a, b: 2 - a * b,
        lambda a, b: a // 3 + (b - 1) % 4,
        lambda a, b: 7 // (abs(b) + 1) + 7 % (abs(a) + 1),
        lambda a, b: exact(a) / (abs(b) + 2),
        lambda a, b: a // b if b else a,
        lambda a, b: floor(exact(a) / b) if b else ceil(exact(a) / 2),
        lambda a, b: trunc(exact(a) / 3) + -b,
        lambda a, b: (exact(a) / 4).denominator + (exact(b) / 6).numerator,
        lambda a, b: Fraction(1, 2) * a + b * Fraction(2, 3) - Fraction(1, 6),
        lambda a, b: max(a, b, 0) - min(a, b),
        lambda a, b: (a > b) - (a < b),
        lambda a, b: sum([a, b, a == b, a != b, a >= b, a <= b]),
        lambda a, b: [3, 1, 4, 1, 5, 9, 2, 6, 5][a + 4] + len(range(b)),
        lambda a, b: {0: 5, 1: 7}.get(a, 3) + b,
        lambda a, b: int(f"{a}{abs(b)}"),
        lambda a, b: sorted([a, b, 0])[1],
        lambda a, b: 10 if a in (1, -2) else +b,
        lambda a, b: 5 if a and not b else 6 if a or b else 7,
        lambda a, b: Fraction(a) + b,
        lambda a, b: round(exact(a) / 2) + b,
        lambda a, b: int(exact(a) / 2) * (a == "a") + b,
    ],
)
def test_rules_hold_for_whole_arrays(rule: Rule) -> None:
    agrees(rule)


# ------------------------------------------------------------------ any rule at all

Expression = tuple[Any, ...]
LEAVES = st.sampled_from([("a",), ("b",), *((n,) for n in (-2, 0, 1, 3, Fraction(1, 2)))])
PAIRS: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: exact(x) / y if y else x,
    "//": lambda x, y: x // y if y != 0 else y,
    "%": lambda x, y: x % y if y > 0 else x,
    "max": max,
    "min": min,
    "if": lambda x, y: y if x > 1 else x,
    "floor": lambda x, y: floor(x) + y,
    "ceil": lambda x, y: y - ceil(x),
    "abs": lambda x, y: abs(x) + y,
}


def expressions() -> st.SearchStrategy[Expression]:
    return st.recursive(
        LEAVES,
        lambda parts: st.tuples(st.sampled_from([*PAIRS]), parts, parts),
        max_leaves=6,
    )


def value(expression: Expression, a: Number, b: Number) -> Number:
    match expression:
        case ("a",):
            return a
        case ("b",):
            return b
        case (number,):
            return number
    operation, left, right = expression
    return PAIRS[operation](value(left, a, b), value(right, a, b))


@examples(150)
@given(expressions())
@example(("/", ("a",), ("b",)))
@example(("%", ("/", ("a",), ("b",)), ("abs", ("b",), ("b",))))
def test_any_rule_holds_for_whole_arrays(expression: Expression) -> None:
    agrees(lambda a, b: value(expression, a, b))


# ------------------------------------------------------------------ ways, and what is no number


def test_what_goes_the_same_way_is_traced_once() -> None:
    def three_columns(a: Number, b: Number) -> int:
        return 0 if a < 2 * b else 1 if a < 4 * b else 2

    assert agrees(three_columns, range(1, 30)) == 3


def test_a_value_that_is_asked_for_parts_the_rows_by_it() -> None:
    assert agrees(lambda a, b: [0, 10, 20, 30, 40][abs(a)] + 0 * b) == len(VALUES)


def test_a_traced_number_is_settled_once() -> None:
    settled: list[int] = []
    path = TracePath(Terms(), lambda _, value: settled.append(value))
    number = path.column("a", 5)
    assert [hash(number), int(number), list(range(9))[number], str(number)] == [5, 5, 5, "5"]
    assert settled == [5]
    assert number + 1 == 6
    assert settled == [5]


def test_at_the_end_of_its_fight_a_number_is_what_it_is() -> None:
    settled: list[int] = []
    path = TracePath(Terms(), lambda _, value: settled.append(value))
    number = path.column("a", 5)
    path.close()
    assert int(number) == 5
    assert not settled


def test_rules_do_not_calculate_with_floats() -> None:
    number = TracePath(Terms(), lambda *_: None).column("a", 5)
    with pytest.raises(TypeError, match="exact"):
        float(number)
    with pytest.raises(TypeError):
        number + 0.5
    with pytest.raises(TypeError):
        number + "a"
    assert isinstance(number / 2, Traced)
    with pytest.raises(TypeError, match="whole"):
        range(number / 2)
    with pytest.raises(ZeroDivisionError):
        number / (number - 5)


def test_rules_that_remember_too_much_are_found_out() -> None:
    """A rule that depends on more than the fight would lead rows to the wrong leaf."""
    seen: list[int] = []

    def forgetful(a: Number, b: Number) -> Number:
        seen.append(1)
        return (a if len(seen) % 2 else b) > 0

    with pytest.raises(RuntimeError, match="different ways"):
        agrees(forgetful)
