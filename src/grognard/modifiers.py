"""Evaluating the printed modifiers of one fight, with a line for each that counts."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from grognard.card import Card, Comparison, Condition, Limit, Modifier, Side, Test
from grognard.line import Line, row_line

Value = bool | int | str | frozenset[str]
Facts = Mapping[str, Value]


def holds(condition: Condition, facts: Facts) -> bool:
    """Tell whether one of the condition's tests is met; a fact that is not stated is not met."""
    return any(holds_test(test, facts) for test in condition.tests)


def holds_test(test: Test, facts: Facts) -> bool:
    """Tell whether a single test is met."""
    return _met(test, facts) != test.negated


def _met(test: Test, facts: Facts) -> bool:
    value, wanted = facts.get(test.fact), test.value
    if test.comparison is Comparison.HOLDS:
        return bool(value)
    if isinstance(wanted, int):
        if not isinstance(value, int):
            return False
        return value >= wanted if test.comparison is Comparison.AT_LEAST else value <= wanted
    words = wanted or ()
    if isinstance(value, frozenset):
        return not value.isdisjoint(words)
    return value in words


def amount(modifier: Modifier, facts: Facts) -> int:
    """Give what a modifier counts; 0 where it does not apply."""
    if modifier.value is None or not all(holds(condition, facts) for condition in modifier.when):
        return 0
    value = modifier.value
    for instead in modifier.instead:
        if all(holds(condition, facts) for condition in instead.when):
            value = instead.value
    if modifier.times:
        value *= _number(facts, modifier.times)
    if modifier.sign_of:
        number = _number(facts, modifier.sign_of)
        value *= (number > 0) - (number < 0)
    return value


def _number(facts: Facts, id_: str) -> int:
    value = facts.get(id_, 0)
    return value if isinstance(value, int) else 0


class Sum(NamedTuple):
    """What modifiers come to, and the lines that explain it."""

    value: int
    lines: tuple[Line, ...]


def total(
    card: Card,
    rows: Iterable[Modifier],
    facts: Facts,
    *,
    side: Side | None = None,
    unit: str = "",
) -> Sum:
    """Add the modifiers that apply, each family within its limit."""
    families: dict[str | None, list[tuple[Modifier, int]]] = {}
    for row in rows:
        if value := amount(row, facts):
            families.setdefault(row.limit, []).append((row, value))
    limits = {limit.id: limit for limit in card.limits}
    lines: list[Line] = []
    whole = 0
    for limit_id, family in families.items():
        lines += [
            row_line("modifier", row, value, changes=row.changes, side=side, unit=unit)
            for row, value in family
        ]
        limit = limits.get(limit_id or "")
        values = [value for _, value in family]
        part = _limited(limit, values)
        if limit and part != sum(values):
            lines.append(row_line("limit", limit, part, side=side, unit=unit))
        whole += part
    return Sum(whole, tuple(lines))


def _limited(limit: Limit | None, values: Sequence[int]) -> int:
    if limit is None:
        return sum(values)
    if limit.combine != "sum":
        return max(values, key=abs)
    return limit.within(sum(values))


class Product(NamedTuple):
    """What factors multiply to, and the lines that explain it."""

    value: Fraction
    lines: tuple[Line, ...]


def factor(
    card: Card, rows: Iterable[Modifier], facts: Facts, *, side: Side | None = None, unit: str = ""
) -> Product:
    """Multiply the factors that apply; a family that counts once gives only one of them."""
    once = {limit.id for limit in card.limits if limit.combine == "once"}
    used: set[str] = set()
    whole, lines = Fraction(1), []
    for row in rows:
        if row.factor is None or not all(holds(condition, facts) for condition in row.when):
            continue
        if row.limit in used:
            continue
        if row.limit in once:
            used.add(row.limit)
        whole *= row.factor
        lines.append(
            row_line("modifier", row, row.factor, changes=row.changes, side=side, unit=unit)
        )
    return Product(whole, tuple(lines))
