"""Losses: who takes the next step, and a unit that loses steps.

Every game tells a loss alike: the steps that are left, then the elimination of a unit that has
none. Games differ in who may be chosen and who chooses.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Reading, Side
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import (
    Case,
    Fight,
    Unit,
    alive,
    nameless,
    steps,
    units_of,
    with_unit,
    with_units,
)
from grognard.rules.kept import told_once
from grognard.rules.line import Blank

F = TypeVar("F", bound=Fight)
U = TypeVar("U", bound=Unit)


@told_once
def reduced(
    case: Case[Any],
    /,
    side: Side,
    unit: U,
    lost: int,
    rule: str | None = None,
    *,
    phrase: str = "",
    reading: Reading = CERTAIN,
    **blanks: Blank,
) -> Asking[U]:
    """Take steps from a unit, tell the loss, and tell the elimination of a unit without steps."""
    after = replace(unit, steps=unit.steps - lost)
    told = phrase or ("loses-step" if lost == 1 else "loses-steps")
    yield case.tell(
        "loss",
        told,
        rule,
        unit=unit.name,
        side=side,
        value=after.steps,
        reading=reading,
        blanks={"lost": lost, **blanks},
    )
    if not after.alive:
        yield case.tell("eliminated", "is-eliminated", rule, side=side, unit=unit.name)
    return after


def lose_steps(
    fight: F,
    side: Side,
    name: str,
    rule: str | None = None,
    *,
    lost: int = 1,
    reading: Reading = CERTAIN,
) -> Asking[F]:
    """Take steps from the named unit of a fight."""
    unit = next(unit for unit in units_of(fight, side) if unit.name == name)
    after = yield from reduced(fight.case, side, unit, min(lost, unit.steps), rule, reading=reading)
    return with_unit(fight, side, after)


def each_loses(
    fight: F, side: Side, units: Iterable[Unit], rule: str | None = None, *, lost: int | None = 1
) -> Asking[F]:
    """Take steps from each of some units, or all that they have (None)."""
    after: dict[str, Unit] = {}
    for unit in alive(units):
        count = unit.steps if lost is None else min(lost, unit.steps)
        after[unit.name] = yield from reduced(fight.case, side, unit, count, rule)
    return with_units(fight, side, after)


def one_loses(
    fight: F,
    side: Side,
    names: Sequence[str],
    rule: str | None = None,
    by: Side | None = None,
    *,
    reading: Reading = CERTAIN,
) -> Asking[tuple[F, str]]:
    """Let the owner, or the side named, choose one of the units, which loses a step."""
    alike = nameless(units_of(fight, side), names)
    name = yield from choose(by or side, "which-loses", names, rule, alike)
    return (yield from lose_steps(fight, side, name, rule, reading=reading)), name


def next_to_lose(left: Mapping[str, int], lost: Mapping[str, int]) -> list[str]:
    """Name those that may take the next step, by the steps that they have left and have lost: not
    to death while another can absorb it, and those with the fewest losses first."""
    able = [name for name, steps_left in left.items() if steps_left > 1] or list(left)
    fewest = min((lost[name] for name in able), default=0)
    return [name for name in able if lost[name] == fewest]


def spreads(most: Mapping[str, int], count: int) -> list[tuple[str, ...]]:
    """Give the ways to spread losses, with the most that each unit can take: a unit is named as
    often as it loses. Losses that nobody can take are left out."""
    return [*_spreads(tuple(most.items()), count)]


@lru_cache(maxsize=1024)  # odds meet the same losses over and over
def _spreads(most: tuple[tuple[str, int], ...], count: int) -> Sequence[tuple[str, ...]]:
    ways: list[tuple[str, ...]] = [()]
    left = sum(can for _, can in most)
    count = min(count, left)
    for name, can in most:
        left -= can
        ways = [
            (*way, *(name,) * taken)
            for way in ways
            for taken in range(min(can, count - len(way)), max(0, count - len(way) - left) - 1, -1)
        ]
    return tuple(ways)


def steps_lost(before: Iterable[Unit], after: Iterable[Unit]) -> int:
    """Count the steps that units have lost."""
    return steps(before) - steps(after)
