"""Strength of both sides: factors, modifiers, fractions; and the ratings that checks roll for."""

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from grognard.card.known_facts import MANY, unit_facts
from grognard.card.modifier_rows import Modifier
from grognard.card.rows import SIDES, Side
from grognard.card.tables import Table
from grognard.rules.ask import Asking
from grognard.rules.exact import exact
from grognard.rules.fight import Case, Unit, units_of
from grognard.rules.modifiers import Facts, FactValue, Sum, all_hold, factor, stated_facts, total
from grognard.rules.stages.state import Called, CardPreparation, Ratings, needs, row_of
from grognard.rules.strength import COUNTED, ROUNDED, Strength, multiplied, summed


def fight_facts(case: Case[Any]) -> dict[str, FactValue]:
    """Give the facts that conditions on the whole fight look at."""
    facts = dict(stated_facts(case))
    for side, many in MANY.items():
        units = units_of(case.setup, side)
        facts[f"{side}_units"] = len(units)
        for field, known in unit_facts(case.card).items():
            values = [getattr(unit, field) for unit in units]
            if known.kind == "flag":
                facts[f"any_{side}_{field}"] = any(values)
                facts[f"all_{many}_{field}"] = all(values)
            elif known.kind == "word":
                facts[f"{many}_{field}"] = frozenset(values)
    return facts


def facts_of(case: Case[Any], facts: Facts, unit: Unit) -> Facts:
    """Give the facts that conditions on a single unit look at."""
    return {**facts, **{field: getattr(unit, field) for field in unit_facts(case.card)}}


def unharmed(case: Case[Any], side: Side, facts: Facts, unit: Unit) -> bool:
    """Tell whether results do nothing to a unit: an attacker that fires from far away."""
    conditions = row_of(case).unharmed
    return (
        bool(conditions)
        and side == "attacker"
        and all_hold(conditions, facts_of(case, facts, unit))
    )


def chosen_table(case: Case[Any], facts: Facts) -> Table | None:
    """Find the table to read: the first whose conditions hold."""
    for choice in row_of(case).choices:
        if all_hold(choice.when, facts):
            return case.card.table(choice.table)
    return None


def counted_sides(case: Case[Any], table: Table) -> tuple[Side, ...]:
    """Give the sides whose strength is added up."""
    if table.columns.of in ("ratio", "difference") or needs(case.card).exchange:
        return SIDES
    return ("attacker",) if table.columns.of == "attack" else ()


def side_strength(
    case: Case[Any], side: Side, table: str, facts: Facts
) -> tuple[Strength, tuple[Fraction, ...]]:
    """Add up a side: each unit's factor multiplied, then what is added to the whole."""
    row, changes = row_of(case), COUNTED[side]
    rows = [
        modifier
        for name in (changes, "strength")
        for modifier in case.card.modifying(table, name)
        if modifier.side in (None, side)
    ]
    units = [_unit_strength(case, side, unit, rows, facts) for unit in units_of(case.setup, side)]
    added, told = total(case.card, [r for r in rows if r.value is not None], facts, side=side)
    more = Strength(exact(added), tuple(replace(line, changes=changes) for line in told))
    whole = summed(case, side, (*units, more), row.rule, rounded=ROUNDED[row.fractions])
    return whole, tuple(unit.value for unit in units)


def _unit_strength(
    case: Case[Any], side: Side, unit: Unit, rows: list[Modifier], facts: Facts
) -> Strength:
    row, changes = row_of(case), COUNTED[side]
    printed = getattr(unit, row.attack if side == "attacker" else row.defence)
    product = factor(case.card, rows, facts_of(case, facts, unit), side=side, unit=unit.name)
    told = tuple(replace(line, changes=changes) for line in product.lines)
    by = product._replace(lines=told)
    rounded = ROUNDED[row.unit_fractions]
    return multiplied(case, side, unit.name, printed, by, changes, rounded=rounded)


def strength(fight: CardPreparation) -> Asking[CardPreparation]:
    """Add up both sides as far as the table needs it."""
    case, facts = fight.case, fight_facts(fight.case)
    table = chosen_table(case, facts)
    if table is None:
        raise ValueError("the check of the set-up has found a table")
    found: dict[Side, tuple[Strength, tuple[Fraction, ...]]] = {}
    for side in counted_sides(case, table):
        found[side] = side_strength(case, side, table.id, facts)
        yield from found[side][0].lines
    for unit in case.setup.attackers:
        if unharmed(case, "attacker", facts, unit):
            rule = row_of(case).rule
            yield case.tell("note", "unharmed", rule, side="attacker", unit=unit.name)
    nothing = Strength(Fraction(0), ()), ()
    (ours, our_units), (theirs, their_units) = (found.get(side, nothing) for side in SIDES)
    return replace(
        fight,
        table=table.id,
        counted=(our_units, their_units),
        attack=ours.value,
        defence=theirs.value,
    )


def ratings(fight: CardPreparation) -> Asking[CardPreparation]:
    """Tell what each unit's checks roll for, with its modifiers."""
    case = fight.case
    if not (case.card.checks and needs(case.card).check):
        return fight
    facts = fight_facts(case)
    rows = case.card.modifying(fight.table, "morale")
    found: dict[Side, tuple[Ratings, ...]] = {}
    for side in SIDES:
        of_side = [row for row in rows if row.side in (None, side)]
        rated = []
        for unit in units_of(fight, side):
            added = total(
                case.card, of_side, facts_of(case, facts, unit), side=side, unit=unit.name
            )
            rated.append((yield from _ratings(case, side, unit, added)))
        found[side] = tuple(rated)
    return replace(fight, ratings=(found["attacker"], found["defender"]))


def _ratings(case: Case[Any], side: Side, unit: Unit, added: Sum) -> Asking[Ratings]:
    """Tell what each check of a unit rolls for; checks of the same fields are told once."""
    told: dict[tuple[str, ...], int] = {}
    for check in case.card.checks:
        if check.fields in told:
            continue
        printed = [getattr(unit, field) for field in check.fields]
        told[check.fields] = whole = sum(printed) + added.value
        for value in printed:
            yield case.tell(
                "note", "unit-factor", side=side, unit=unit.name, value=value, changes="morale"
            )
        yield from added.lines
        yield case.tell("total", "unit-rating", side=side, unit=unit.name, value=whole, of="morale")
    return tuple(told[check.fields] for check in case.card.checks)


def called(fight: CardPreparation) -> Asking[CardPreparation]:
    """Add up what modifies the tables that a result may call; it is told when one is called."""
    case, found = fight.case, list[Called]()
    yield from ()
    facts = fight_facts(case)
    for table in needs(case.card).called:
        own = [row for row in case.card.modifiers if row.table == table]
        column, die = (
            total(case.card, [row for row in own if row.changes == changes], facts)
            for changes in ("column", "die")
        )
        found.append(Called(table, column, die))
    return replace(fight, called=tuple(found))
