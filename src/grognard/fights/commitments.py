"""Secret commitments: what each side decides by its doctrine."""

from collections.abc import Callable
from fractions import Fraction
from math import lcm

from grognard.fights.chances import Mixed, Worth
from grognard.fights.doctrine import Doctrine
from grognard.fights.mixed_strategy import solve
from grognard.fights.tree import Committed, Node


def decided(
    node: Committed, doctrines: tuple[Doctrine, Doctrine], worth: Callable[[Node], Worth]
) -> Mixed:
    """Give how often each side takes each option of a commitment, by its doctrine."""
    attacker, defender = doctrines
    height, width = len(node.children), len(node.children[0])
    rows = _fixed(attacker, height)
    columns = _fixed(defender, width)
    if rows is not None and columns is not None:
        return Mixed(node.ask, rows, columns, None)
    worths = [[worth(child) for child in line] for line in node.children]
    if rows is not None:
        mean = [_expected(rows, [line[j].of("defender") for line in worths]) for j in range(width)]
        return Mixed(node.ask, rows, _only(mean.index(max(mean)), width), None)
    if columns is not None:
        mean = [_expected(columns, [w.of("attacker") for w in line]) for line in worths]
        return Mixed(node.ask, _only(mean.index(max(mean)), height), columns, None)
    # Both play `best`: the payoff is the difference of the two sides' points.
    common = lcm(*(w.total for line in worths for w in line))
    payoffs = [[(w.attacker - w.defender) * (common // w.total) for w in line] for line in worths]
    solution = solve(payoffs, common)
    return Mixed(node.ask, solution.rows, solution.columns, solution)


def _fixed(way: Doctrine, count: int) -> tuple[Fraction, ...] | None:
    if way.commits == "best":
        return None
    return _only(count - 1 if way.commits == "all" else 0, count)


def _only(place: int, count: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(i == place)) for i in range(count))


def _expected(weights: tuple[Fraction, ...], values: list[Fraction]) -> Fraction:
    return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0))
