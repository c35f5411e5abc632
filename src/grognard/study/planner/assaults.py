"""Assaults: the attacks on one target, alone or one after the other, valued by exact odds."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

import msgspec
from msgspec import Struct

from grognard.fights.chances import Odds
from grognard.fights.remains import remains
from grognard.rules.fight import Fight, Outcome, Setup, Unit
from grognard.study.planner.plan_file import Plan, Success, Target
from grognard.words.refusal import Refusal

Counts = tuple[int, ...]  # how many units of each class


class Attack(NamedTuple):
    """One attack of an assault; its figures hold if it is made."""

    counts: Counts
    needed: Fraction  # the chance that it is made: what came before has not succeeded
    chance: Fraction  # of success
    own: Fraction  # expected steps lost
    enemy: Fraction
    fight: Fight  # against the defenders that it meets most often
    doctrines: tuple[str, str]


class Assault(NamedTuple):
    """All attacks on one target."""

    target: Target
    uses: Counts
    attacks: tuple[Attack, ...]
    chance: Fraction  # of success
    own: Fraction  # expected steps lost
    enemy: Fraction

    @property
    def gain(self) -> Fraction:
        """The expected losses of the enemy, by the value of the target, less our own."""
        return self.target.value * self.enemy - self.own


class State(Struct, frozen=True, eq=False, dict=True):
    """What is there of a target: facts and defenders, as in a fight file."""

    stated: Mapping[str, object]
    later: bool = False  # after an attack

    @cached_property
    def key(self) -> bytes:
        return msgspec.json.encode(self.stated)


class _Made(NamedTuple):
    """An attack that the rules allow, and its figures."""

    fight: Fight
    chance: Fraction
    own: Fraction
    enemy: Fraction


class CutOff(Exception):  # no mistake: the work budget is used up
    """The work budget is used up."""


class UnitClasses:
    """Units that are alike for every target: which of them attacks makes no difference."""

    def __init__(self, plan: Plan) -> None:
        alike: dict[bytes, list[str]] = {}
        for name, unit in plan.units.items():
            fields = {**unit, "name": ""}
            roles = [
                ({**target.reaches[name], "name": ""}, _groups(target, name))
                if name in target.reaches
                else None
                for target in plan.targets
            ]
            key = msgspec.json.encode([sorted(fields.items()), roles])
            alike.setdefault(key, []).append(name)
        self.names = tuple(tuple(names) for names in alike.values())
        self.available: Counts = tuple(map(len, self.names))

    def reaching(self, target: Target) -> Counts:
        """Count the units of each class that can attack a target."""
        return tuple(len(names) if names[0] in target.reaches else 0 for names in self.names)

    def first(self, counts: Counts) -> list[str]:
        """Name units of each class, the first ones."""
        return [
            name for count, names in zip(counts, self.names, strict=True) for name in names[:count]
        ]


def _groups(target: Target, name: str) -> list[int]:
    return [place for place, (names, _) in enumerate(target.together) if name in names]


class Valuer:
    """Values assaults, each fight once, within a work budget."""

    def __init__(self, plan: Plan, classes: UnitClasses, work: int) -> None:
        self.plan, self.classes = plan, classes
        self.work = work  # what is left of the budget
        self.cut_off = False
        self.refused: dict[str, Refusal] = {}  # target -> the first reason of the rules
        self._made: dict[tuple[str, Counts, bytes], _Made | None] = {}
        self._after: dict[tuple[str, Counts, bytes], tuple[tuple[Fraction, State], ...]] = {}

    def assault(self, target: Target, groups: Sequence[Counts]) -> Assault | None:
        """Value attacks of these groups one after the other; None if the rules do not allow it."""
        self._spend()
        states = [(Fraction(1), State(target.stated))]
        attacks: list[Attack] = []
        for number, counts in enumerate(groups):
            made = [
                (p, found) for p, state in states if (found := self._attack(target, counts, state))
            ]
            if not made:
                return None
            attacks.append(self._averaged(counts, made))
            if number + 1 < len(groups):
                states = self._next(target, counts, states)
        parts = [(attack.needed, attack) for attack in attacks]
        return Assault(
            target,
            tuple(map(sum, zip(*groups, strict=True))),
            tuple(attacks),
            sum((p * attack.chance for p, attack in parts), Fraction(0)),
            sum((p * attack.own for p, attack in parts), Fraction(0)),
            sum((p * attack.enemy for p, attack in parts), Fraction(0)),
        )

    def _averaged(self, counts: Counts, made: Sequence[tuple[Fraction, _Made]]) -> Attack:
        needed = sum((p for p, _ in made), Fraction(0))
        own, enemy, chance = (
            sum((p * getattr(one, name) for p, one in made), Fraction(0)) / needed
            for name in ("own", "enemy", "chance")
        )
        likeliest = max(made, key=lambda pair: pair[0])[1]
        doctrines = self.plan.attacker, self.plan.defender
        return Attack(counts, needed, chance, own, enemy, likeliest.fight, doctrines)

    def _next(
        self, target: Target, counts: Counts, states: Sequence[tuple[Fraction, State]]
    ) -> list[tuple[Fraction, State]]:
        """Go through what an attack may leave of a target; where it is not allowed, all stays."""
        after: dict[bytes, tuple[Fraction, State]] = {}
        for chance, state in states:
            attacked = self._attack(target, counts, state)
            ends = self._left(target, counts, state) if attacked else ((Fraction(1), state),)
            for p, end in ends:
                known = after.get(end.key, (Fraction(0), end))
                after[end.key] = known[0] + chance * p, end
        return list(after.values())

    def fight(self, target: Target, names: Sequence[str], state: State) -> Fight:
        """Set up the attack of some units on what is there of a target."""
        plan = self.plan
        stated = plan.stated(target, names, state.stated)
        with plan.placing(target, names, target.then if state.later else {}):
            return plan.game.fight(stated, procedure=plan.procedure, options=plan.options)

    def _attack(self, target: Target, counts: Counts, state: State) -> _Made | None:
        key = target.name, counts, state.key
        if key not in self._made:
            self._made[key] = self._found(target, counts, state)
        return self._made[key]

    def _found(self, target: Target, counts: Counts, state: State) -> _Made | None:
        try:
            fight = self.fight(target, self.classes.first(counts), state)
        except Refusal as refusal:
            if not state.later:
                self.refused.setdefault(target.name, refusal)
            return None
        with self._within_budget():
            odds = fight.odds(self.plan.attacker, self.plan.defender)
        chance = succeeds(odds, self.plan.success)
        return _Made(
            fight,
            chance,
            odds.expected("attacker_steps_lost"),
            odds.expected("defender_steps_lost"),
        )

    def _spend(self) -> None:
        self.work -= 1
        if self.work < 0:
            self.cut_off = True
            raise CutOff

    @contextmanager
    def _within_budget(self) -> Iterator[None]:
        """Take a refusal of odds for what it is: the budget of situations is used up."""
        try:
            yield
        except Refusal as refusal:
            self.cut_off = True
            raise CutOff from refusal

    def _left(
        self, target: Target, counts: Counts, state: State
    ) -> tuple[tuple[Fraction, State], ...]:
        """Give what is left of a target where an attack has not succeeded."""
        key = target.name, counts, state.key
        if key not in self._after:
            made = self._made[key]
            assert made is not None
            fight, plan = made.fight, self.plan
            with self._within_budget():
                ends = remains(fight, plan.attacker, plan.defender)
            self._after[key] = tuple(
                (end.chance, _left_of(target, state, fight, end.setup))
                for end in ends
                if not success(end.outcome, plan.success) and not end.outcome.vacated
            )
        return self._after[key]


def _left_of(target: Target, before: State, fight: Fight, left: Setup) -> State:
    """State what an attack has left: the defenders, and the facts that it has changed."""
    stated: Setup = fight.case.setup
    names = [name for name in stated.__struct_fields__ if name not in ("attackers", "defenders")]
    changed = {n: getattr(left, n) for n in names if getattr(left, n) != getattr(stated, n)}
    steps = {unit.name: unit.steps for unit in fight.defenders}
    units: tuple[Unit, ...] = left.defenders  # type: ignore[attr-defined]  # a fight of two sides
    lost = [unit.name for unit in units if unit.steps < steps[unit.name]]
    later = {} if before.later else target.then
    worn = target.worn(lost, msgspec.to_builtins(units))
    return State({**before.stated, **later, **changed, "defenders": worn}, later=True)


def success(outcome: Outcome, wanted: Success) -> bool:
    """Tell whether an outcome is what the player wants."""
    match wanted:
        case "taken":
            return outcome.taken
        case "eliminated":
            return outcome.defender_eliminated
    return outcome.vacated or outcome.taken or outcome.defender_eliminated


def succeeds(odds: Odds, wanted: Success) -> Fraction:
    """Give the chance of what the player wants."""
    weights = odds.found.weights.items()
    return Fraction(sum(w for outcome, w in weights if success(outcome, wanted)), odds.total)


def groups_of(available: Counts) -> Iterator[Counts]:
    """Give all groups of units: the smallest and the largest first, those between last."""
    whole = sum(available)
    sizes = sorted(range(1, whole + 1), key=lambda size: min(size, whole - size))
    return (counts for size in sizes for counts in _of_size(available, size))


def _of_size(available: Counts, size: int) -> Iterator[Counts]:
    if not available:
        if not size:
            yield ()
        return
    first, *more = available
    for count in range(min(first, size), max(0, size - sum(more)) - 1, -1):
        for rest in _of_size(tuple(more), size - count):
            yield (count, *rest)


def splits(uses: Counts, most: int) -> Iterator[tuple[Counts, ...]]:
    """Give every way to attack with all these units in 2 to `most` groups, one after the other."""
    for first in product(*(range(n + 1) for n in uses)):
        rest = tuple(n - f for n, f in zip(uses, first, strict=True))
        if any(first) and any(rest):
            yield first, rest
            if most > 2:
                yield from ((first, *later) for later in splits(rest, most - 1))
