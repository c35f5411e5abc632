"""Losses of a result: steps, whole units, exchanges; who picks them, and which are alike."""

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, prod

from grognard.card.effects import Effect
from grognard.card.rows import SIDES, Side
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import alive, enemy_of, nameless, units_of
from grognard.rules.losses import each_loses, lose_steps, next_to_lose
from grognard.rules.stages.foresight import blind
from grognard.rules.stages.state import CardFight, Fighter, before_all, row_of
from grognard.words.numbers import mixed

# Losses that may fall in more ways than this are taken unit by unit, each as many as it can.
MOST_WAYS = 2_000


def lose(fight: CardFight, effect: Effect, side: Side) -> Asking[CardFight]:
    """Take steps or whole units from a side, one choice a run."""
    units = alive(units_of(fight, side))
    if not units:
        return fight
    if effect.each:
        return (yield from _lose_each(fight, side, effect))
    count = count_of(effect, units)
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
    for unit in alive(units_of(fight, side)):
        lost = count_of(effect, (unit,))
        fight = yield from lose_steps(fight, side, unit.name, rule, lost=lost)
    return fight


def eliminate(fight: CardFight, side: Side) -> Asking[CardFight]:
    """Take every step of a side."""
    rule = row_of(fight.case).rule
    return (yield from each_loses(fight, side, units_of(fight, side), rule, lost=None))


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
    alike: Sequence[Hashable] = [0 for _ in names] if same else nameless(units, names)
    by, lost = _picker(fight, side, effect), 1
    if not same and prod(min(unit.steps, count) + 1 for unit in units) > MOST_WAYS:
        left_ = str(count)
        name = yield from choose(by, "which-takes-losses", names, rule.rule, alike, left=left_)
        lost = min(count, _named(units, name).steps)
    else:
        name = yield from choose(by, "which-loses", names, rule.rule, alike)
    fight = yield from lose_steps(fight, side, name, rule.rule, lost=lost)
    return _still_loses(fight, side, count - lost, "steps", effect)


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
    alike = nameless(units, names)
    if blind(fight, side):
        alike = [_steps_only(unit) for unit in units]
    name = yield from choose(by, "which-unit-lost", names, rule, alike)
    lost = _named(units, name).steps
    fight = yield from lose_steps(fight, side, name, rule, lost=lost)
    return _still_loses(fight, side, count - 1, "units", effect)


def _steps_only(unit: Fighter) -> Fighter:
    return Fighter(name="", steps=unit.steps, full=0)


def _picker(fight: CardFight, side: Side, effect: Effect) -> Side:
    if effect.picks:
        return effect.picks
    return enemy_of(side) if row_of(fight.case).losses == "opponent" else side


def _named(units: Iterable[Fighter], name: str) -> Fighter:
    return next(unit for unit in units if unit.name == name)


# ------------------------------------------------------------------ exchanges


def exchange(fight: CardFight, effect: Effect) -> Asking[CardFight]:
    """One side is lost, the smaller one if none is named; the other loses at least as much."""
    ours, theirs = (_strength(units_of(fight, side), effect.word) for side in SIDES)
    lost: Side = "attacker" if ours < theirs else "defender"
    if effect.side:
        lost = "attacker" if effect.side == "attacker" else "defender"
    owed = effect.times * (ours if lost == "attacker" else theirs)
    fight = yield from eliminate(fight, lost)
    return before_all(fight, f"!pay {enemy_of(lost)} {owed} {effect.word}")


@lru_cache(maxsize=4096)  # odds ask for the same units over and over
def _strength(units: tuple[Fighter, ...], word: str) -> Fraction:
    return sum((_worth(unit, word) * unit.steps for unit in units), Fraction(0))


@lru_cache(maxsize=4096)
def _worth(unit: Fighter, word: str) -> Fraction:
    """Give the strength of one step of a unit."""
    return (Fraction(unit.printed) if word == "printed" else unit.counted) / unit.full


def pay(fight: CardFight, side: Side, owed: Fraction, word: str) -> Asking[CardFight]:
    """Let one unit lose what it can of an exchange; the others follow in the next run."""
    units = tuple(alive(units_of(fight, side)))
    if not owed or not units:
        return fight
    if owed >= _strength(units, word):
        return (yield from eliminate(fight, side))
    able = [unit for unit in units if _worth(unit, word)]
    names, rule = [unit.name for unit in able], row_of(fight.case).rule
    yield fight.case.tell("remark", "exchange-owed", rule, side=side, value=owed)
    # Where nothing tells them apart later, those that are worth most a step cost the fewest steps.
    most = max(able, key=lambda unit: _worth(unit, word))
    wanted = (able.index(most),) if blind(fight, side) else ()
    name = yield from choose(
        side, "which-pays", names, rule, nameless(able, names), wanted, left=str(mixed(owed))
    )
    unit = _named(able, name)
    lost = min(unit.steps, ceil(owed / _worth(unit, word)))
    fight = yield from lose_steps(fight, side, name, rule, lost=lost)
    left = owed - lost * _worth(unit, word)
    return before_all(fight, f"!pay {side} {left} {word}") if left > 0 else fight
