"""Exact solution of a simultaneous zero-sum game of two sides."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

Payoffs = Sequence[Sequence[int | Fraction]]


class Solution(NamedTuple):
    """Optimal mixed strategies, and the average win of the first side."""

    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]
    value: Fraction


def solve(payoffs: Payoffs, total: int = 1) -> Solution:
    """Find optimal mixed strategies of a zero-sum game by the simplex method, in fractions.

    The payoffs are over a common denominator.

    Where a side has a single option, the other takes its best; where each has one that alone
    answers the other's best, that is the only solution.
    With all payoffs made positive, the columns' side maximises Σy under A·y ≤ 1, y ≥ 0. The
    game's value is 1/Σy; the rows' strategy is read from the final objective row.
    """
    if (single := _alone(payoffs) or _strict_saddle(payoffs)) is not None:
        i, j = single
        value = Fraction(payoffs[i][j], total)
        return Solution(_pure(i, len(payoffs)), _pure(j, len(payoffs[0])), value)
    exact = [[Fraction(p) / total for p in row] for row in payoffs]
    shift = 1 - min(min(row) for row in exact)
    height, width = len(payoffs), len(payoffs[0])
    tableau = [
        [p + shift for p in row] + [Fraction(int(i == j)) for j in range(height)] + [Fraction(1)]
        for i, row in enumerate(exact)
    ]
    objective = [Fraction(-1)] * width + [Fraction(0)] * (height + 1)
    basis = list(range(width, width + height))
    # Bland's rule: the first column that helps, the first row among equals. It can't cycle.
    while (entering := next((j for j, c in enumerate(objective[:-1]) if c < 0), None)) is not None:
        leaving = min(
            (i for i in range(height) if tableau[i][entering] > 0),
            key=lambda i: (tableau[i][-1] / tableau[i][entering], basis[i]),  # used at once
        )
        _pivot([*tableau, objective], leaving, entering)
        basis[leaving] = entering
    whole = objective[-1]
    columns = [Fraction(0)] * width
    for i, variable in enumerate(basis):
        if variable < width:
            columns[variable] = tableau[i][-1] / whole
    rows = [c / whole for c in objective[width : width + height]]
    return Solution(tuple(rows), tuple(columns), 1 / whole - shift)


Options = tuple[int, int]  # the places of a row and of a column


def _alone(payoffs: Payoffs) -> Options | None:
    """Take the first of the best options of a side whose opponent has only one."""
    if len(payoffs) == 1:
        return 0, payoffs[0].index(min(payoffs[0]))
    if len(payoffs[0]) == 1:
        values = [row[0] for row in payoffs]
        return values.index(max(values)), 0
    return None


def _strict_saddle(payoffs: Payoffs) -> Options | None:
    """Find the options that are each the only best answer to the other, if there are such."""
    for i, row in enumerate(payoffs):
        value = min(row)
        j = row.index(value)
        others = [other[j] for other in payoffs]
        if row.count(value) == 1 and others.count(value) == 1 and max(others) == value:
            return i, j
    return None


@cache
def _pure(place: int, count: int) -> tuple[Fraction, ...]:
    return tuple([Fraction(int(other == place)) for other in range(count)])


def _pivot(rows: list[list[Fraction]], at: int, column: int) -> None:
    pivot = rows[at]
    scale = pivot[column]
    pivot[:] = [x / scale for x in pivot]
    for row in rows:
        if row is not pivot and row[column]:
            factor = row[column]
            row[:] = [x - factor * p for x, p in zip(row, pivot, strict=True)]
