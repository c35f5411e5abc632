"""The plan of a combat phase: which units attack which target, all attacks together.

Candidates are valued by their exact odds. The best combination in which no unit attacks or supports
twice is found by branch and bound, so it is the best of all combinations of these candidates.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from grognard.maps.hexes import Hex
from grognard.matches.protocol import Orders, Words
from grognard.words.refusal import Refusal

MOST_GROUPS = 12  # of units, valued for one target
MOST_COMBINATIONS = 20_000  # looked at; then the best one so far is taken


class Candidate(NamedTuple):
    """An attack that could be ordered, with its value and the units that it uses."""

    value: int
    order: Words
    target: Hex
    units: frozenset[str]


def best_combination(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Choose attacks of the greatest total value; each unit and each target once."""
    by_target: dict[Hex, list[Candidate]] = {}
    for one in candidates:
        if one.value > 0:
            by_target.setdefault(one.target, []).append(one)
    targets = [sorted(group, key=_by_value) for group in by_target.values()]
    targets.sort(key=lambda group: -group[0].value)
    rest = [0] * (len(targets) + 1)  # the most that the targets from here on can add
    for place in reversed(range(len(targets))):
        rest[place] = rest[place + 1] + targets[place][0].value
    return _Search(targets, rest).run()


def _by_value(one: Candidate) -> tuple[int, int, Words]:
    return -one.value, len(one.units), one.order


class _Search:
    """Branch and bound over the targets, the most valuable first."""

    def __init__(self, targets: Sequence[Sequence[Candidate]], rest: Sequence[int]) -> None:
        self._targets, self._rest = targets, rest
        self._best: tuple[int, tuple[Candidate, ...]] = (0, ())
        self._left = MOST_COMBINATIONS

    def run(self) -> tuple[Candidate, ...]:
        self._go_on(0, 0, (), frozenset())
        return self._best[1]

    def _go_on(
        self, place: int, value: int, chosen: tuple[Candidate, ...], used: frozenset[str]
    ) -> None:
        if value > self._best[0]:
            self._best = value, chosen
        if place == len(self._targets) or value + self._rest[place] <= self._best[0]:
            return
        self._left -= 1
        if self._left < 0:
            return
        for one in self._targets[place]:
            if used.isdisjoint(one.units):
                self._go_on(place + 1, value + one.value, (*chosen, one), used | one.units)
        self._go_on(place + 1, value, chosen, used)


def candidates_on(
    orders: Orders, target: Hex, value: Callable[[Words], int | None]
) -> list[Candidate]:
    """Value the attacks on a target: those listed, then with one unit less at a time.

    Of the groups with one unit less, the most valuable is thinned out further, until none is legal.
    """
    found: dict[Words, Candidate] = {}

    def add(order: Words) -> Candidate | None:
        if order not in found:
            worth = value(order)
            if worth is None:
                return None
            found[order] = Candidate(worth, order, target, frozenset(order[2:]))
        return found[order]

    listed = [one for order in orders.attacks_on(target) if (one := add(order))]
    group = max(listed, key=lambda one: len(one.units), default=None)
    while group is not None and len(found) < MOST_GROUPS:
        smaller = [order for order in _thinned(group.order) if is_legal(orders, order)]
        valued = [one for order in smaller if (one := add(order))]
        group = min(valued, key=_by_value, default=None)
    return list(found.values())


def _thinned(order: Words) -> Iterable[Words]:
    """Give an attack without each of its units in turn."""
    verb, target, *names = order
    if len(names) > 1:
        for name in names:
            yield (verb, target, *(other for other in names if other != name))


def is_legal(orders: Orders, order: Words) -> bool:
    """Tell whether an order is legal."""
    try:
        orders.check(order)
    except Refusal:
        return False
    return True
