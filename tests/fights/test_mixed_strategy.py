from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from grognard.fights.mixed_strategy import solve
from tests.tiers import examples


def test_matching_pennies_is_played_half_and_half() -> None:
    solution = solve([[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]])
    assert solution.rows == solution.columns == (Fraction(1, 2),) * 2
    assert solution.value == 0


def test_rock_paper_scissors_with_a_heavier_rock() -> None:
    # Winning with rock counts double: rock 1/4, paper 1/2, scissors 1/4 for both.
    payoffs = [[0, -1, 2], [1, 0, -1], [-2, 1, 0]]
    solution = solve([[Fraction(p) for p in row] for row in payoffs])
    assert solution.rows == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    assert solution.columns == solution.rows
    assert solution.value == 0


def test_a_saddle_point_is_played_pure() -> None:
    solution = solve([[Fraction(3), Fraction(5)], [Fraction(2), Fraction(9)]])
    assert solution.rows == solution.columns == (Fraction(1), Fraction(0))
    assert solution.value == 3


@examples(150)
@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(
            st.lists(st.fractions(-5, 5, max_denominator=6), min_size=width, max_size=width),
            min_size=1,
            max_size=5,
        )
    )
)
def test_no_pure_answer_gains_against_the_solution(payoffs: list[list[Fraction]]) -> None:
    rows, columns, value = solve(payoffs)
    assert sum(rows) == sum(columns) == 1
    assert min(rows) >= 0
    assert min(columns) >= 0
    for j in range(len(columns)):
        assert sum(p * line[j] for p, line in zip(rows, payoffs, strict=True)) >= value
    for line in payoffs:
        assert sum(q * x for q, x in zip(columns, line, strict=True)) <= value


def test_against_a_single_option_the_first_of_the_best_is_taken() -> None:
    rows, columns, value = solve([[3, 1, 1, 2]], 2)
    assert (rows.index(1), columns.index(1), value) == (0, 1, Fraction(1, 2))
    rows, columns, value = solve([[1], [3], [3]], 2)
    assert (rows.index(1), columns.index(1), value) == (1, 0, Fraction(3, 2))
