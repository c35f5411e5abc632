"""The best plan: the division of units over targets, its chances, and what else could be done."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from grognard.study.planner.assaults import (
    Assault,
    Attack,
    Counts,
    CutOff,
    UnitClasses,
    Valuer,
    groups_of,
    splits,
)
from grognard.study.planner.division import Division, best_divisions
from grognard.study.planner.plan_file import GOALS, Goal, Plan, Target

WORK = 20_000  # work budget: assaults that are valued for a plan
_COMPARED = 24  # divisions that are compared for the alternatives
_NEXT = 2  # alternatives by the same goal


class PlannedAttack(NamedTuple):
    """One attack: who makes it, and its figures."""

    units: tuple[str, ...]
    figures: Attack


class PlannedTarget(NamedTuple):
    """A target, the attacks on it, and the chance of success."""

    target: Target
    attacks: tuple[PlannedAttack, ...]
    chance: Fraction


class Planned(NamedTuple):
    """A division of the units: its attacks and its exact chances."""

    targets: tuple[PlannedTarget, ...]
    unused: tuple[str, ...]
    expected: Fraction  # number of targets
    value: Fraction  # of the targets, expected
    all: Fraction  # the chance that every target falls
    one: Fraction  # the chance of at least one
    own: Fraction  # expected steps lost
    enemy: Fraction
    gain: Fraction  # the enemy's losses, by the values of the targets, less our own
    best_for: tuple[Goal, ...] = ()  # goals by which no division is better

    def by(self, goal: Goal) -> Fraction:
        """Give what a goal makes as large as possible."""
        figures = {"each": self.value, "all": self.all, "one": self.one, "losses": self.gain}
        return figures[goal]

    @property
    def measures(self) -> tuple[Fraction, ...]:
        """What a player may weigh, the more the better."""
        return self.value, self.all, self.one, self.enemy, -self.own


class PlanAnswer(NamedTuple):
    """The best division, others that are better in something, and whether all were looked at."""

    plan: Plan
    best: Planned
    alternatives: tuple[Planned, ...]
    complete: bool


def best_plan(plan: Plan, work: int = WORK) -> PlanAnswer:
    """Find the best division of a plan, and what others trade for it."""
    classes = UnitClasses(plan)
    valuer = Valuer(plan, classes, work)
    valued = _valued(plan, valuer)
    for number, target in enumerate(plan.targets):
        if target.reaches and not valued[number] and target.name in valuer.refused:
            raise valuer.refused[target.name]
    goals = (plan.goal, *(goal for goal in GOALS if goal != plan.goal))
    found = {
        goal: best_divisions(valued, classes.available, goal, _COMPARED if goal == plan.goal else 1)
        for goal in goals
    }
    firsts = {goal: result.divisions[0] for goal, result in found.items()}
    own = [_planned(plan, classes, division) for division in found[plan.goal].divisions]
    others = [_planned(plan, classes, firsts[goal]) for goal in goals[1:]]
    best, *next_best = own
    chosen = _not_worse([best], next_best)[: 1 + _NEXT]
    chosen = _not_worse(chosen, others)
    marked = [
        _marked(planned, dict(zip(goals, [best, *others], strict=True))) for planned in chosen
    ]
    complete = found[plan.goal].complete and not valuer.cut_off
    return PlanAnswer(plan, marked[0], tuple(marked[1:]), complete)


def _valued(plan: Plan, valuer: Valuer) -> list[list[Assault]]:
    """Value the assaults on each target: the best order of attacks for every group of units."""
    best: list[dict[Counts, Assault]] = [{} for _ in plan.targets]
    for number, groups in _rounds(plan, valuer.classes):
        try:
            assault = valuer.assault(plan.targets[number], groups)
        except CutOff:
            break
        if assault is not None:
            known = best[number].get(assault.uses)
            if known is None or _order(assault, plan.goal) > _order(known, plan.goal):
                best[number][assault.uses] = assault
    return [list(found.values()) for found in best]


def _rounds(plan: Plan, classes: UnitClasses) -> Iterator[tuple[int, tuple[Counts, ...]]]:
    """Go round the targets group by group: single attacks first, then those in a row."""
    reaching = [classes.reaching(target) for target in plan.targets]
    for number, group in _in_turn([groups_of(counts) for counts in reaching]):
        yield number, (group,)
    if plan.chain > 1:
        for number, group in _in_turn([groups_of(counts) for counts in reaching]):
            yield from ((number, groups) for groups in splits(group, plan.chain))


def _in_turn(listed: Sequence[Iterator[Counts]]) -> Iterator[tuple[int, Counts]]:
    """Take one group of each target in turn."""
    waiting = dict(enumerate(listed))
    while waiting:
        for number, groups in list(waiting.items()):
            group = next(groups, None)
            if group is None:
                del waiting[number]
            else:
                yield number, group


def _order(assault: Assault, goal: Goal) -> tuple[Fraction, Fraction, int]:
    first = assault.gain if goal == "losses" else assault.chance
    return first, -assault.own, -len(assault.attacks)


# ------------------------------------------------------------------ what is planned


def _planned(plan: Plan, classes: UnitClasses, division: Division) -> Planned:
    """Name the units of a division, and work out its chances."""
    waiting = [iter(names) for names in classes.names]
    targets = []
    for target, assault in zip(plan.targets, division, strict=True):
        attacks = tuple(
            PlannedAttack(_take(waiting, attack.counts), attack)
            for attack in (assault.attacks if assault else ())
        )
        targets.append(PlannedTarget(target, attacks, assault.chance if assault else Fraction(0)))
    made = [assault for assault in division if assault]
    chances = [one.chance for one in targets]
    zero = Fraction(0)
    return Planned(
        tuple(targets),
        tuple(name for names in waiting for name in names),
        sum(chances, zero),
        sum((one.target.value * one.chance for one in targets), zero),
        prod(chances, start=Fraction(1)),
        1 - prod((1 - chance for chance in chances), start=Fraction(1)),
        sum((one.own for one in made), zero),
        sum((one.enemy for one in made), zero),
        sum((one.gain for one in made), zero),
    )


def _take(waiting: Sequence[Iterator[str]], counts: Counts) -> tuple[str, ...]:
    return tuple(next(names) for names, n in zip(waiting, counts, strict=True) for _ in range(n))


def _not_worse(chosen: list[Planned], more: Sequence[Planned]) -> list[Planned]:
    """Add the divisions that are better in something than each one before them."""
    kept = list(chosen)
    for planned in more:
        attacks = any(one.attacks for one in planned.targets)
        if attacks and not any(_as_good(other, planned) for other in kept):
            kept.append(planned)
    return kept


def _as_good(one: Planned, other: Planned) -> bool:
    return all(a >= b for a, b in zip(one.measures, other.measures, strict=True))


def _marked(planned: Planned, firsts: dict[Goal, Planned]) -> Planned:
    """Note by which goals no other division is better."""
    best_for = tuple(g for g, first in firsts.items() if planned.by(g) == first.by(g))
    return planned._replace(best_for=best_for)
