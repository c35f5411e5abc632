"""Exact solution of a simultaneous zero-sum game of two sides."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class Solution(NamedTuple):
    """Optimal mixed strategies, and the average win of the first side."""

    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]
    value: Fraction


def solve(payoffs: Sequence[Sequence[Fraction]]) -> Solution:
    """Find optimal mixed strategies of a zero-sum game by the simplex method, in fractions.

    Where each side has one option that alone answers the other's best, that is the only solution.
    With all payoffs made positive, the columns' side maximises Σy under A·y ≤ 1, y ≥ 0. The
    game's value is 1/Σy; the rows' strategy is read from the final objective row.
    """
    if (single := _strict_saddle(payoffs)) is not None:
        return single
    shift = 1 - min(min(row) for row in payoffs)
    height, width = len(payoffs), len(payoffs[0])
    tableau = [
        [Fraction(p) + shift for p in row]
        + [Fraction(int(i == j)) for j in range(height)]
        + [Fraction(1)]
        for i, row in enumerate(payoffs)
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
    total = objective[-1]
    columns = [Fraction(0)] * width
    for i, variable in enumerate(basis):
        if variable < width:
            columns[variable] = tableau[i][-1] / total
    rows = [c / total for c in objective[width : width + height]]
    return Solution(tuple(rows), tuple(columns), 1 / total - shift)


def _strict_saddle(payoffs: Sequence[Sequence[Fraction]]) -> Solution | None:
    """Find the options that are each the only best answer to the other, if there are such."""
    for i, row in enumerate(payoffs):
        value = min(row)
        j = row.index(value)
        others = [other[j] for other in payoffs]
        if row.count(value) == 1 and others.count(value) == 1 and max(others) == value:
            return Solution(_pure(i, len(payoffs)), _pure(j, len(row)), value)
    return None


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
