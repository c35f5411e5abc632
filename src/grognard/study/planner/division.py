"""Search for the best divisions of units over targets: branch and bound, exact in integers.

The bound of what later targets can add is exact for the units that are left: it is worked out once
for each target and each number of units of each class.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from operator import add, mul
from typing import NamedTuple

from grognard.study.planner.assaults import Assault, Counts
from grognard.study.planner.plan_file import Goal

Division = tuple[Assault | None, ...]  # for each target
Key = tuple[int, int, int]  # by the goal, by the expected value, by our own losses
LOOKS = 400_000  # work budget: options that a search looks at


class _Option(NamedTuple):
    """An assault as integers over denominators that all assaults share."""

    goal: int
    value: int
    own: int
    uses: int  # the counts of all classes, packed
    assault: Assault | None


class Found(NamedTuple):
    """The best divisions, the best first, and whether the search came to its end."""

    divisions: tuple[Division, ...]
    complete: bool


def best_divisions(
    choices: Sequence[Sequence[Assault]], available: Counts, goal: Goal, most: int
) -> Found:
    """Find the best divisions by a goal; among equals, by expectation, then by our own losses.

    `choices` are the assaults on each target. No other division of these is better.
    """
    return _Search(choices, available, goal, most).run()


class _Packing:
    """Counts of all classes in one integer: a field for each, with a bit above it."""

    def __init__(self, available: Counts) -> None:
        self._shifts = []
        self.guards = shift = 0
        for count in available:
            self._shifts.append(shift)
            shift += count.bit_length() + 1
            self.guards |= 1 << (shift - 1)

    def packed(self, counts: Counts) -> int:
        return sum(count << shift for count, shift in zip(counts, self._shifts, strict=True))


class _Search:
    """Branch and bound over the targets; an option more is to leave a target alone."""

    def __init__(
        self, choices: Sequence[Sequence[Assault]], available: Counts, goal: Goal, most: int
    ) -> None:
        self._goal, self._most, self._looks = goal, most, LOOKS
        packing = _Packing(available)
        self._guards, self._all = packing.guards, packing.packed(available)
        self._join = mul if goal in ("all", "one") else add
        self._sign = -1 if goal == "one" else 1
        self._start = 1 if self._join is mul else 0
        every = [assault for listed in choices for assault in listed]
        self._chances = _common(assault.chance for assault in every)
        self._losses = _common(x for assault in every for x in (assault.own, assault.enemy))
        none = _Option(self._chances if goal == "one" else 0, 0, 0, 0, None)
        self._options = [
            [*self._worth_a_look([self._option(one, packing) for one in listed]), none]
            for listed in choices
        ]
        self._bounds: list[dict[int, tuple[int, int]]] = [{} for _ in choices]
        self._found: list[tuple[Key, Division]] = []

    def _option(self, assault: Assault, packing: _Packing) -> _Option:
        chance = int(assault.chance * self._chances)
        value = assault.target.value * chance
        goals = {
            "each": value,
            "all": chance,
            "one": self._chances - chance,
            "losses": int(assault.gain * self._losses),
        }
        own, uses = int(assault.own * self._losses), packing.packed(assault.uses)
        return _Option(goals[self._goal], value, own, uses, assault)

    def _fits(self, uses: int, left: int) -> bool:
        return ((left | self._guards) - uses) & self._guards == self._guards

    def _worth_a_look(self, options: Iterable[_Option]) -> list[_Option]:
        """Leave out what has no chance, and what does no better than some of its units."""
        kept: list[_Option] = []
        for one in sorted(options, key=lambda one: sum(one.assault.uses) if one.assault else 0):
            gains = one.goal if self._goal == "losses" else one.value
            covered = (
                other.value >= one.value
                and other.own <= one.own
                and self._sign * other.goal >= self._sign * one.goal
                and self._fits(other.uses, one.uses)
                for other in kept
            )
            if gains > 0 and not any(covered):
                kept.append(one)
        return sorted(kept, key=lambda one: (-self._sign * one.goal, -one.value, one.own))

    def _bound(self, place: int, left: int) -> tuple[int, int]:
        """Give the best goal and the best value that the targets from here on can add."""
        if place == len(self._options):
            return self._start, 0
        bounds = self._bounds[place]
        if left not in bounds:
            bounds[left] = self._worked_out(place, left)
        return bounds[left]

    def _worked_out(self, place: int, left: int) -> tuple[int, int]:
        sign, join = self._sign, self._join
        goals, values = [], []
        fitting = [option for option in self._options[place] if self._fits(option.uses, left)]
        self._looks -= len(self._options[place])
        if self._looks < 0:  # too many: each target for itself
            rest = self._bound(place + 1, left)
            best = max((option.goal for option in fitting), key=lambda goal: sign * goal)
            return join(best, rest[0]), max(option.value for option in fitting) + rest[1]
        for option in fitting:
            goal, value = self._bound(place + 1, left - option.uses)
            goals.append(join(option.goal, goal))
            values.append(option.value + value)
        return max(goals, key=lambda goal: sign * goal), max(values)

    def run(self) -> Found:
        self._bound(0, self._all)
        self._looks = LOOKS  # for the search itself
        self._go_on(0, (self._start, 0, 0), (), self._all)
        return Found(tuple(division for _, division in self._found), self._looks >= 0)

    def _go_on(self, place: int, score: Key, chosen: Division, left: int) -> None:
        if place == len(self._options):
            self._keep((self._sign * score[0], score[1], -score[2]), chosen)
            return
        for option in self._options[place]:
            self._looks -= 1
            if self._looks < 0 and self._found:
                return
            if not self._fits(option.uses, left):
                continue
            joined = (
                self._join(score[0], option.goal),
                score[1] + option.value,
                score[2] + option.own,
            )
            after = left - option.uses
            if len(self._found) < self._most or self._promises(place + 1, joined, after):
                self._go_on(place + 1, joined, (*chosen, option.assault), after)

    def _promises(self, place: int, score: Key, left: int) -> bool:
        """Tell whether a division that begins like this can be better than the last one kept."""
        goal, value = self._bound(place, left)
        best = self._sign * self._join(score[0], goal), score[1] + value, -score[2]
        return best > self._found[-1][0]

    def _keep(self, key: Key, division: Division) -> None:
        place = next(
            (n for n, (other, _) in enumerate(self._found) if other < key), len(self._found)
        )
        self._found.insert(place, (key, division))
        del self._found[self._most :]


def _common(numbers: Iterable[Fraction]) -> int:
    return lcm(*(number.denominator for number in numbers))
