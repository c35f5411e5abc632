"""Evaluating the printed modifiers of a fight, with a line for each that applies."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from grognard.card.card import Card
from grognard.card.modifier_rows import Comparison, Condition, Limit, Modifier, Test
from grognard.card.rows import CERTAIN, Reading, Row, Side
from grognard.rules.exact import exact
from grognard.rules.fight import Case, Setup, without_units
from grognard.rules.kept import kept
from grognard.rules.line import Blank, Line, Teller, row_line
from grognard.words.numbers import plus

G = TypeVar("G", bound=Setup)
FactValue = bool | int | str | frozenset[str]
Facts = Mapping[str, FactValue]


@lru_cache(maxsize=256)
def stated_facts(case: Case[Any]) -> Facts:
    """Give the options of a fight, and all of its set-up that the card knows as facts.

    For steps before the column is known: later ones name the fields that they look at, as the
    others are no longer there.
    """
    return facts_in(case, ground_of(case))


def ground_of(case: Case[G]) -> G:
    """Give what is stated besides the units, which the facts of the fight are kept by.

    The options that conditions test are looked at here, where it is the case's own options that
    are asked: somebody may note which of them count (`watched_options`).
    """
    for option in case.card.tested_options:
        case.options.get(option)
    return without_units(case.setup)


@kept
def facts_in(case: Case[Any], setup: Setup) -> Facts:
    """Give the options, and all of a set-up without units that the card knows as facts."""
    facts: dict[str, FactValue] = {**case.option_facts}
    for id_ in _facts_in(case.card, setup.__struct_fields__):
        value = getattr(setup, id_)
        facts[id_] = frozenset(value) if isinstance(value, tuple) else value
    return MappingProxyType(facts)


@lru_cache(maxsize=256)
def _facts_in(card: Card, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Name the facts of a card that are fields of a set-up."""
    return tuple([fact.id for fact in card.facts if fact.id in fields])


def holds(condition: Condition, facts: Facts) -> bool:
    """Tell whether one of the condition's tests is met; a missing fact meets none."""
    for test in condition.tests:  # noqa: SIM110  # the hottest loop, and twice as fast
        if holds_test(test, facts):
            return True
    return False


def all_hold(conditions: Iterable[Condition], facts: Facts) -> bool:
    """Tell whether every condition is met."""
    for condition in conditions:  # noqa: SIM110  # the hottest loop, and twice as fast
        if not holds(condition, facts):
            return False
    return True


def holds_test(test: Test, facts: Facts) -> bool:
    """Tell whether a single test is met."""
    return _met(test, facts) != test.negated


def _met(test: Test, facts: Facts) -> bool:
    value, wanted = facts.get(test.fact), test.value
    if test.comparison is Comparison.HOLDS:
        return bool(value)
    if isinstance(wanted, int):
        if value is None or isinstance(value, str | frozenset):
            return False
        return value >= wanted if test.comparison is Comparison.AT_LEAST else value <= wanted
    words = wanted or ()
    if isinstance(value, frozenset):
        return not value.isdisjoint(words)
    return value in words


def amount(modifier: Modifier, facts: Facts) -> int:
    """Compute the amount of a modifier; 0 if it does not apply."""
    if modifier.value is None or not all_hold(modifier.when, facts):
        return 0
    value = modifier.value
    for instead in modifier.instead:
        if all_hold(instead.when, facts):
            value = instead.value
    return value * _multiplier(modifier, facts)


def _multiplier(modifier: Modifier, facts: Facts) -> int:
    if modifier.times:
        return _number(facts, modifier.times)
    if modifier.sign_of:
        number = _number(facts, modifier.sign_of)
        return (number > 0) - (number < 0)
    return 1


def _number(facts: Facts, id_: str) -> int:
    value = facts.get(id_, 0)
    return 0 if isinstance(value, str | frozenset) else value


class Sum(NamedTuple):
    """The sum of modifiers, and the lines that explain it."""

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
    """Add up the modifiers that apply, each family within its limit."""
    added = tuple(rows)
    values = _plain_values(added, facts)
    if values is None:
        parts = [_counted(card, row, facts, side, unit) for row in added]
        return _total(card, added, parts, side, unit)
    return kept_total(card, added, values, side, unit)


Values = tuple[FactValue | None, ...]  # of the facts that modifiers test
_PLAIN = frozenset((bool, int, str, frozenset, type(None)))


def _plain_values(rows: tuple[Modifier, ...], facts: Facts) -> Values | None:
    """Give the facts that modifiers look at, for which their sum or product is kept; None where one
    is a traced number (see arrays): to hash it would settle it."""
    values = told_apart(rows, facts)
    return values if _PLAIN.issuperset(map(type, values)) else None


def told_apart(rows: tuple[Modifier, ...], facts: Facts) -> Values:
    """Give the values of the facts that modifiers look at, equal where no test tells them apart: of
    a number the least that meets the same tests, of words those that a test names."""
    values: list[FactValue | None] = [facts.get(id_) for id_ in tested_facts(rows)]
    numbers, named = _limits(rows)
    for place, starts in numbers:
        value = values[place]
        if type(value) is int:  # not a traced one
            values[place] = starts[max(bisect_right(starts, value) - 1, 0)]
    for place, words in named:
        value = values[place]
        if isinstance(value, frozenset):
            values[place] = value & words
    return tuple(values)


class _Limits(NamedTuple):
    """What tells the values of tested facts apart, by their places."""

    numbers: tuple[tuple[int, tuple[int, ...]], ...]  # from which a test ends otherwise
    words: tuple[tuple[int, frozenset[str]], ...]  # of facts that are asked for nothing else


@lru_cache(maxsize=256)
def _limits(rows: tuple[Modifier, ...]) -> _Limits:
    counted = {id_ for row in rows for id_ in (row.times, row.sign_of)}
    conditions = [c for row in rows for c in (*row.when, *(c for i in row.instead for c in i.when))]
    tests = [test for condition in conditions for test in condition.tests]
    numbers, named = list[tuple[int, tuple[int, ...]]](), list[tuple[int, frozenset[str]]]()
    for place, id_ in enumerate(tested_facts(rows)):
        values = [test.value for test in tests if test.fact == id_]
        starts = {start for test in tests if test.fact == id_ for start in _starts(test)}
        if starts and id_ not in counted:
            numbers.append((place, (min(starts) - 1, *sorted(starts))))
        if values and all(isinstance(value, tuple) for value in values):
            words = [word for value in values if isinstance(value, tuple) for word in value]
            named.append((place, frozenset(words)))
    return _Limits(tuple(numbers), tuple(named))


def _starts(test: Test) -> tuple[int, ...]:
    """Give the numbers from which a test ends otherwise."""
    if isinstance(test.value, tuple):
        return ()
    if test.value is None:  # whether it is 0
        return 0, 1
    return (test.value if test.comparison is Comparison.AT_LEAST else test.value + 1,)


def facts_of(rows: tuple[Modifier, ...], values: Values) -> Facts:
    """Give the facts that modifiers look at, by their values."""
    known = zip(tested_facts(rows), values, strict=True)
    return {id_: value for id_, value in known if value is not None}


@lru_cache(maxsize=256)
def tested_facts(rows: tuple[Modifier, ...]) -> tuple[str, ...]:
    """Name the facts that modifiers look at."""
    found = dict.fromkeys(id_ for row in rows for id_ in sorted(row.facts))
    found |= dict.fromkeys(id_ for row in rows for id_ in (row.times, row.sign_of) if id_)
    return tuple(found)


@lru_cache(maxsize=256)
def _places_tested(rows: tuple[Modifier, ...]) -> tuple[tuple[Modifier, tuple[int, ...]], ...]:
    """Give with each modifier the places of its facts among those of all."""
    of_all = tested_facts(rows).index
    return tuple([(row, tuple(map(of_all, tested_facts((row,))))) for row in rows])


@lru_cache(maxsize=8192)
def kept_total(
    card: Card,
    rows: tuple[Modifier, ...],
    values: Values,
    side: Side | None,
    unit: str,
) -> Sum:
    """Add up modifiers for the facts that they test; cached."""
    parts = [
        kept_amount(card, row, tuple([values[place] for place in places]), side, unit)
        for row, places in _places_tested(rows)
    ]
    return _total(card, rows, parts, side, unit)


@lru_cache(maxsize=8192)
def kept_amount(
    card: Card,
    row: Modifier,
    values: Values,
    side: Side | None,
    unit: str,
) -> Sum:
    """Give the amount of a modifier for the facts that it tests; cached."""
    return _counted(card, row, facts_of((row,), values), side, unit)


def _counted(card: Card, row: Modifier, facts: Facts, side: Side | None, unit: str) -> Sum:
    """Give the amount of a modifier and its line; if it is 0, the line that says why, if any."""
    if value := amount(row, facts):
        times = (("times", _number(facts, row.times)),) if row.times and row.each else ()
        changes = row.changes
        line = row_line("modifier", row, value, changes=changes, side=side, unit=unit, blanks=times)
        return Sum(value, (line,))
    return Sum(0, tuple(left_out(card, row, facts, amount, side=side, unit=unit)))


def _total(
    card: Card,
    rows: tuple[Modifier, ...],
    parts: Iterable[Sum],
    side: Side | None,
    unit: str,
) -> Sum:
    """Add up the amounts of modifiers, each family within its limit."""
    families: dict[str | None, list[tuple[Modifier, Sum]]] = {}
    lines, besides = list[Line](), list[Line]()
    for row, part in zip(rows, parts, strict=True):
        if part.value:
            families.setdefault(row.limit, []).append((row, part))
        else:
            besides += part.lines
    whole = 0
    for limit_id, family in families.items():
        lines += [line for _, part in family for line in part.lines]
        limit = card.limit(limit_id) if limit_id else None
        values = [part.value for _, part in family]
        together = limited(limit, values)
        if limit and together != sum(values):
            changes = family[0][0].changes
            lines.append(row_line("limit", limit, together, changes=changes, side=side, unit=unit))
        whole += together
    return Sum(whole, (*lines, *besides))


def left_out(
    card: Card,
    row: Modifier,
    facts: Facts,
    counts: Callable[[Modifier, Facts], object],
    *,
    side: Side | None = None,
    unit: str = "",
) -> Iterator[Line]:
    """Tell that a modifier does not count, where it would by another choice of an option, or
    where its conditions hold and a further one takes the amount away."""
    reading = _why_left_out(card, row, facts, counts)
    if reading is not None:
        yield Line(
            "note",
            card.phrase("does-not-count"),
            (("what", row.text),),
            row.rule,
            0,
            "does-not-count",
            side=side,
            unit=unit,
            reading=reading,
        )


def _why_left_out(
    card: Card, row: Modifier, facts: Facts, counts: Callable[[Modifier, Facts], object]
) -> Reading | None:
    for option in card.options_of(row):
        others = ({**facts, option.id: choice.id} for choice in option.choices)
        if any(counts(row, other) for other in others):
            own = row.reading.option == option.id
            return row.reading if own else card.doubt(option.id)
    if row.instead and _multiplier(row, facts) and all_hold(row.when, facts):
        return row.reading
    return None


def limited(limit: Limit | None, values: Sequence[int]) -> int:
    """Combine the modifiers of one family by its limit."""
    if limit is None:
        return sum(values)
    if limit.combine != "sum":
        return max(values, key=abs)
    return limit.within(sum(values))


class Product(NamedTuple):
    """The product of factors, and the lines that explain it."""

    value: Fraction
    lines: tuple[Line, ...]


def factor(
    card: Card, rows: Iterable[Modifier], facts: Facts, *, side: Side | None = None, unit: str = ""
) -> Product:
    """Multiply the factors that apply; a family with limit "once" gives only one."""
    multiplied = tuple(rows)
    values = _plain_values(multiplied, facts)
    if values is None:
        return _product(card, multiplied, facts, side, unit)
    return kept_product(card, multiplied, values, side, unit)


@lru_cache(maxsize=8192)
def kept_product(
    card: Card, rows: tuple[Modifier, ...], values: Values, side: Side | None, unit: str
) -> Product:
    """Multiply factors for the facts that they test; cached."""
    return _product(card, rows, facts_of(rows, values), side, unit)


def _product(
    card: Card, rows: tuple[Modifier, ...], facts: Facts, side: Side | None, unit: str
) -> Product:
    once = {limit.id for limit in card.limits if limit.combine == "once"}
    used: set[str] = set()
    whole, lines = Fraction(1), list[Line]()
    for row in rows:
        if row.factor is None or not applies(row, facts):
            lines += left_out(card, row, facts, applies, side=side, unit=unit)
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


def applies(row: Modifier, facts: Facts) -> bool:
    """Tell whether a factor applies."""
    return row.factor is not None and all_hold(row.when, facts)


def share(
    case: Teller,
    printed: int,
    factor: Fraction,
    *,
    changes: str,
    side: Side,
    unit: str,
    reason: Row | None = None,
    rounded: Callable[[Fraction], int | Fraction] = exact,
    reading: Reading = CERTAIN,
) -> Product:
    """Multiply the printed number of a unit and round it; the reason is optional."""
    multiplied = printed * factor
    blanks: dict[str, Blank] = {"printed": printed, "factor": factor}
    if reason:
        blanks["reason"] = reason.text
    told = case.tell(
        "note",
        "unit-changed" if reason else "unit-multiplied",
        reason.rule if reason else None,
        unit=unit,
        side=side,
        value=multiplied,
        changes=changes,
        reading=reading,
        blanks=blanks,
    )
    value = exact(rounded(multiplied))
    if value == multiplied:
        return Product(value, (told,))
    rounding = case.tell(
        "clamp",
        "unit-rounded",
        told.rule,
        unit=unit,
        side=side,
        value=value,
        changes=changes,
        reading=reading,
        exact=multiplied,
    )
    return Product(value, (told, rounding))


@kept
def modified(
    case: Case[Any],
    rolled: int,
    added: int | Fraction,
    rule: str | None = None,
    *,
    unit: str = "",
    side: Side | None = None,
) -> tuple[Line, ...]:
    """Make the line for a modified roll; none if nothing is added."""
    if not added:
        return ()
    whole, shown = rolled + added, plus(added)
    told = case.tell(
        "lookup",
        "modified-roll",
        rule,
        unit=unit,
        side=side,
        value=whole,
        of="roll",
        rolled=rolled,
        added=shown,
    )
    return (told,)
