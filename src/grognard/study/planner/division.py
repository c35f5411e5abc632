"""Search for the best divisions of units over targets: branch and bound, exact in integers."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from operator import add, mul
from typing import NamedTuple

from grognard.study.planner.assaults import Assault, Counts
from grognard.study.planner.plan_file import Goal

Division = tuple[Assault | None, ...]  # for each target
Key = tuple[int, int, int]  # by the goal, by the expected value, by our own losses
NODES = 200_000  # work budget: places of the search tree


class Score(NamedTuple):
    """The figures of an assault as integers, over denominators that all assaults share."""

    goal: int
    value: int
    own: int


class _Option(NamedTuple):
    score: Score
    uses: Counts
    assault: Assault | None


class Found(NamedTuple):
    """The best divisions, the best first, and whether the search came to its end."""

    divisions: tuple[Division, ...]
    complete: bool


def best_divisions(
    choices: Sequence[Sequence[Assault]],
    available: Counts,
    goal: Goal,
    most: int,
    nodes: int = NODES,
) -> Found:
    """Find the best divisions by a goal; among equals, by expectation, then by our own losses.

    `choices` are the assaults on each target. No other division of these is better.
    """
    return _Search(choices, available, goal, most, nodes).run()


class _Search:
    """Branch and bound over the targets; an option more is to leave a target alone."""

    def __init__(
        self,
        choices: Sequence[Sequence[Assault]],
        available: Counts,
        goal: Goal,
        most: int,
        nodes: int,
    ) -> None:
        self._available, self._most, self._nodes = available, most, nodes
        self._join = mul if goal in ("all", "one") else add
        self._sign = -1 if goal == "one" else 1
        every = [assault for listed in choices for assault in listed]
        self._chances = _common(assault.chance for assault in every)
        self._losses = _common(x for assault in every for x in (assault.own, assault.enemy))
        none = _Option(
            Score(self._chances if goal == "one" else 0, 0, 0), (0,) * len(available), None
        )
        self._options = [
            [*sorted((self._option(one, goal) for one in listed), key=self._order), none]
            for listed in choices
        ]
        start = 1 if self._join is mul else 0
        self._start = Score(start, 0, 0)
        self._rest = [self._start]  # the best that the targets from here on can add
        for options in reversed(self._options):
            self._rest.append(self._best_of(options, self._rest[-1]))
        self._rest.reverse()
        self._found: list[tuple[Key, Division]] = []

    def _option(self, assault: Assault, goal: Goal) -> _Option:
        chance = int(assault.chance * self._chances)
        value = assault.target.value * chance
        goals = {
            "each": value,
            "all": chance,
            "one": self._chances - chance,
            "losses": int(assault.gain * self._losses),
        }
        return _Option(
            Score(goals[goal], value, int(assault.own * self._losses)), assault.uses, assault
        )

    def _order(self, option: _Option) -> tuple[Key, int]:
        goal, value, own = self._key(option.score)
        return (-goal, -value, -own), sum(option.uses)

    def _key(self, score: Score) -> Key:
        return self._sign * score.goal, score.value, -score.own

    def _joined(self, one: Score, other: Score) -> Score:
        return Score(self._join(one.goal, other.goal), one.value + other.value, one.own + other.own)

    def _best_of(self, options: Sequence[_Option], rest: Score) -> Score:
        """Bound what a target and those after it can add, each figure for itself."""
        scores = [option.score for option in options]
        goal = max((score.goal for score in scores), key=lambda number: self._sign * number)
        return self._joined(Score(goal, max(score.value for score in scores), 0), rest)

    def run(self) -> Found:
        self._go_on(0, self._start, (), self._available)
        return Found(tuple(division for _, division in self._found), self._nodes >= 0)

    def _go_on(self, place: int, score: Score, chosen: Division, left: Counts) -> None:
        if place == len(self._options):
            self._keep(self._key(score), chosen)
            return
        bound = self._key(self._joined(score, self._rest[place]))
        if len(self._found) == self._most and bound <= self._found[-1][0]:
            return
        for option in self._options[place]:
            if all(u <= n for u, n in zip(option.uses, left, strict=True)):
                self._nodes -= 1
                if self._nodes < 0:
                    return
                after = tuple(n - u for u, n in zip(option.uses, left, strict=True))
                joined = self._joined(score, option.score)
                self._go_on(place + 1, joined, (*chosen, option.assault), after)

    def _keep(self, key: Key, division: Division) -> None:
        place = next(
            (n for n, (other, _) in enumerate(self._found) if other < key), len(self._found)
        )
        self._found.insert(place, (key, division))
        del self._found[self._most :]


def _common(numbers: Iterable[Fraction]) -> int:
    return lcm(*(number.denominator for number in numbers))
