"""Losses of a result: steps, whole units, exchanges; who picks them, and which are alike."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, prod

from grognard.card.effects import Effect
from grognard.card.rows import SIDES, Side
from grognard.rules.ask import Asking, choose, ranked
from grognard.rules.fight import enemy_of
from grognard.rules.losses import each_loses, lose_steps, next_to_lose
from grognard.rules.stages.foresight import Entry, blind, entries
from grognard.rules.stages.state import (
    CardFight,
    Fighter,
    before_all,
    exposed,
    row_of,
    step_worth,
    strength_left,
)
from grognard.words.numbers import mixed

# Losses that may fall in more ways than this are taken unit by unit, each as many as it can.
MOST_WAYS = 2_000


def lose(fight: CardFight, effect: Effect, side: Side) -> Asking[CardFight]:
    """Take steps or whole units from a side, one choice a run."""
    units = exposed(fight, side)
    if not units:
        return fight
    if effect.each:
        return (yield from _lose_each(fight, side, effect))
    count = count_of(effect, units)
    if not count:  # half of one, rounded down
        return fight
    if effect.units:
        return (yield from _lose_unit(fight, side, units, count, effect))
    if count >= sum(unit.steps for unit in units):
        return (yield from eliminate(fight, side))
    return (yield from _lose_step(fight, side, units, count, effect))


def count_of(effect: Effect, units: Sequence[Fighter]) -> int:
    """Give how many steps, or whole units, a side or a unit loses."""
    whole = len(units) if effect.units else sum(unit.steps for unit in units)
    if effect.amount == "half":
        return whole // 2 if effect.down else -(-whole // 2)
    return whole if effect.amount == "all" else effect.amount


def _lose_each(fight: CardFight, side: Side, effect: Effect) -> Asking[CardFight]:
    """Take the same from every unit of a side."""
    rule = row_of(fight.case).rule
    for unit in exposed(fight, side):
        lost = count_of(effect, (unit,))
        fight = yield from lose_steps(fight, side, unit.name, rule, lost=lost)
    return fight


def eliminate(fight: CardFight, side: Side) -> Asking[CardFight]:
    """Take every step of a side."""
    rule = row_of(fight.case).rule
    return (yield from each_loses(fight, side, exposed(fight, side), rule, lost=None))


def _lose_step(
    fight: CardFight, side: Side, units: Sequence[Fighter], count: int, effect: Effect
) -> Asking[CardFight]:
    """Let one unit lose a step; the others follow in the next run."""
    same, rule = blind(fight, side, count), row_of(fight.case)
    names = [unit.name for unit in units]
    if rule.losses == "spread":
        left = {unit.name: unit.steps for unit in units}
        names = next_to_lose(left, {unit.name: unit.full - unit.steps for unit in units})
        if count >= len(names):  # each of them loses one before any other loses more
            return (
                yield from _all_lose(fight, side, [_named(units, n) for n in names], count, effect)
            )
    elif not same and prod(min(unit.steps, count) + 1 for unit in units) > MOST_WAYS:
        return (yield from take(fight, side, count, _picker(fight, side, effect)))
    able = [_named(units, name) for name in names]
    alike = [()] * len(able) if same else entries(fight, side, able, f"{side} loses {count} steps")
    by = _picker(fight, side, effect)
    name = yield from choose(by, "which-loses", names, rule.rule, alike, rank=ranked(alike))
    fight = yield from lose_steps(fight, side, name, rule.rule)
    return _still_loses(fight, side, count - 1, "steps", effect)


def take(fight: CardFight, side: Side, count: int, by: Side, skipped: int = 0) -> Asking[CardFight]:
    """Let one unit take as many of many losses as it can; the others follow in the next run."""
    units, rule = exposed(fight, side), row_of(fight.case).rule
    if count >= sum(unit.steps for unit in units):
        return (yield from eliminate(fight, side))
    kinds = entries(fight, side, units, f"{side} loses {count} steps")
    alike = [(unit.steps, *kind) for unit, kind in zip(units, kinds, strict=True)]
    rank = ranked(alike)
    name = yield from choose(
        by,
        "which-takes-losses",
        [unit.name for unit in units],
        rule,
        alike,
        _in_order(rank, [unit.steps for unit in units], count, skipped),
        rank,
        left=str(count),
    )
    unit = _named(units, name)
    fight = yield from lose_steps(fight, side, name, rule, lost=min(count, unit.steps))
    left, place = count - unit.steps, rank.index(units.index(unit))
    return before_all(fight, f"!take {side} {left} {by} {place}") if left > 0 else fight


def _in_order(
    rank: Sequence[int], sizes: Sequence[Fraction | int], owed: Fraction | int, skipped: int
) -> tuple[int, ...]:
    """Give the units that are worth a look, where each in turn loses all that it can.

    The same units may suffer in any order, so one order is enough: that of the rank, from which
    some are skipped, with the one that loses only a part last.
    """
    left = sum(sizes[place] for place in rank[skipped:])
    largest = max((sizes[place] for place in rank[:skipped]), default=0)
    wanted = [place for place in rank[:skipped] if sizes[place] >= owed]
    for place in rank[skipped:]:
        if sizes[place] >= owed or left + largest >= owed:
            wanted.append(place)
        left, largest = left - sizes[place], max(largest, sizes[place])
    return tuple(wanted)


def _all_lose(
    fight: CardFight, side: Side, units: Sequence[Fighter], count: int, effect: Effect
) -> Asking[CardFight]:
    """Let each of some units lose a step; the others follow in the next run."""
    fight = yield from each_loses(fight, side, units, row_of(fight.case).rule)
    return _still_loses(fight, side, count - len(units), "steps", effect)


def _still_loses(fight: CardFight, side: Side, count: int, what: str, effect: Effect) -> CardFight:
    picks = f", {effect.picks} picks" if effect.picks else ""
    return before_all(fight, f"{side} loses {count} {what}{picks}") if count else fight


def _lose_unit(
    fight: CardFight, side: Side, units: Sequence[Fighter], count: int, effect: Effect
) -> Asking[CardFight]:
    """Let one whole unit be lost; the others follow in the next run."""
    if count >= len(units):
        return (yield from eliminate(fight, side))
    names = [unit.name for unit in units]
    by, rule = _picker(fight, side, effect), row_of(fight.case).rule
    alike: Sequence[Entry] = entries(fight, side, units, f"{side} loses {count} units")
    if blind(fight, side):
        alike = [(unit.steps,) for unit in units]
    name = yield from choose(by, "which-unit-lost", names, rule, alike, rank=ranked(alike))
    lost = _named(units, name).steps
    fight = yield from lose_steps(fight, side, name, rule, lost=lost)
    return _still_loses(fight, side, count - 1, "units", effect)


def _picker(fight: CardFight, side: Side, effect: Effect) -> Side:
    if effect.picks:
        return effect.picks
    return enemy_of(side) if row_of(fight.case).losses == "opponent" else side


def _named(units: Iterable[Fighter], name: str) -> Fighter:
    return next(unit for unit in units if unit.name == name)


# ------------------------------------------------------------------ exchanges


def exchange(fight: CardFight, effect: Effect) -> Asking[CardFight]:
    """One side is lost, the smaller one if none is named; the other loses at least as much."""
    ours, theirs = (strength_left(tuple(exposed(fight, side)), effect.word) for side in SIDES)
    lost: Side = "attacker" if ours < theirs else "defender"
    if effect.side:
        lost = "attacker" if effect.side == "attacker" else "defender"
    least, other = (ours, theirs) if lost == "attacker" else (theirs, ours)
    owed = effect.times * least
    fight = yield from eliminate(fight, lost)
    if owed >= other > 0:
        return (yield from eliminate(fight, enemy_of(lost)))
    return before_all(fight, f"!pay {enemy_of(lost)} {owed} {effect.word} 0")


def pay(fight: CardFight, side: Side, owed: Fraction, word: str, skipped: int) -> Asking[CardFight]:
    """Let one unit lose what it can of an exchange; the others follow in the next run."""
    units = tuple(exposed(fight, side))
    if not owed or not units:
        return fight
    if owed >= strength_left(units, word):
        return (yield from eliminate(fight, side))
    able = [unit for unit in units if step_worth(unit, word)]
    names, rule = [unit.name for unit in able], row_of(fight.case).rule
    yield fight.case.tell("remark", "exchange-owed", rule, side=side, value=owed)
    alike = entries(fight, side, able, f"!pay {side} {owed} {word} 0")
    rank = ranked(alike)
    wanted = _in_order(rank, [strength_left((unit,), word) for unit in able], owed, skipped)
    if blind(fight, side):  # those that are worth most a step cost the fewest steps
        wanted = (able.index(max(able, key=lambda unit: step_worth(unit, word))),)
    left_ = str(mixed(owed))
    name = yield from choose(side, "which-pays", names, rule, alike, wanted, rank, left=left_)
    unit = _named(able, name)
    lost = min(unit.steps, ceil(owed / step_worth(unit, word)))
    fight = yield from lose_steps(fight, side, name, rule, lost=lost)
    left, place = owed - lost * step_worth(unit, word), rank.index(able.index(unit))
    return before_all(fight, f"!pay {side} {left} {word} {place}") if left > 0 else fight
