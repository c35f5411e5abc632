"""Sheets derived from a game: its types and its card say all that a sheet needs.

An `aid.toml` refines them; a game without one has its page all the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import inspect

from grognard.card.card import Card
from grognard.card.known_facts import MANY, unit_facts
from grognard.card.rows import SIDES, Side
from grognard.rules.procedure import Game, Procedure
from grognard.rules.stages.state import needs
from grognard.study.aid import PlayerSheet, UnitList
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Text

_SIDES: Mapping[Side, Message] = {"attacker": say("Attacker"), "defender": say("Defender")}
_FACTORS: Mapping[Side, str] = {"attacker": "attack", "defender": "defence"}
# Strengths of attacker and defender among which an example is looked for.
_STRENGTHS = ((8, 4), (6, 4), (12, 4), (4, 4), (20, 4), (30, 2), (60, 1))


def derived_sheet(rules: Game, procedure: Procedure) -> PlayerSheet:
    """Make the sheet of a procedure."""
    card = rules.card
    row = next((row for row in card.procedures if row.id == procedure.id), None)
    used = {modifier.group for modifier in card.modifiers}
    units = tuple(_unit_list(card, procedure, side) for side in SIDES)
    return PlayerSheet(
        procedure=procedure.id,
        text=row.text if row else Text(procedure.id, procedure.id),
        table=row.choices[0].table if row else card.tables[0].id,
        groups=tuple(group.id for group in card.groups if group.id in used),
        first=tuple(_first(card, procedure)),
        by=dict(_by(card, procedure)),
        units=units,
        chooses=bool(row and row.tables),
        example=_example(rules, procedure, units),
    )


def _unit_list(card: Card, procedure: Procedure, side: Side) -> UnitList:
    row = next((row for row in card.procedures if row.id == procedure.id), None)
    factor = _FACTORS[side]
    if row:
        factor = row.attack if side == "attacker" else row.defence
        axes = {card.table(choice.table).columns.of for choice in row.choices}
        if side == "defender" and axes <= {"attack", None} and not needs(card).exchange:
            factor = ""  # one side's total: the defence counts for nothing
    fields = unit_fields(procedure, MANY[side])
    numbers = [name for name, type_ in fields.items() if isinstance(type_, inspect.IntType)]
    shown = [name for name in numbers if name not in ("steps", *_FACTORS.values())]
    text = _SIDES[side]
    return UnitList(
        list=MANY[side],
        text=Text(text.in_("en"), text.in_("fr")),
        side=side,
        factor=factor if factor in fields else "",
        shows=tuple(name for name in dict.fromkeys((factor, *shown)) if name in fields),
        faces={name: name for name in fields if name != "name"},  # as counters print them
    )


def unit_fields(procedure: Procedure, list_: str) -> dict[str, inspect.Type]:
    """Give the fields of the units in a list of a set-up, and their types."""
    setup = inspect.type_info(procedure.setup)
    fields = setup.fields if isinstance(setup, inspect.StructType) else ()
    for field in fields:
        type_ = field.type
        if field.name == list_ and isinstance(type_, inspect.VarTupleType):
            item = type_.item_type
            if isinstance(item, inspect.StructType):
                return {inner.encode_name: inner.type for inner in item.fields}
    return {}


def _first(card: Card, procedure: Procedure) -> Iterator[str]:
    """Give the facts that choose the table, are looked up on it, or are numbers or words that
    several modifiers look at: they stand above the others."""
    row = next((row for row in card.procedures if row.id == procedure.id), None)
    if row is None:
        return
    tested = {
        test.fact for choice in row.choices for when in choice.when for test in when.tests
    } | {card.table(choice.table).columns.of or "" for choice in row.choices}
    looked_at = Counter(
        fact
        for modifier in card.modifiers
        for fact in {test.fact for when in modifier.when for test in when.tests}
    )
    for fact in card.facts:
        if fact.id in tested or (fact.kind in ("number", "word") and looked_at[fact.id] > 1):
            yield fact.id


def _by(card: Card, procedure: Procedure) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the fields of units behind the facts that follow from them."""
    tested = {test.fact for row in card.modifiers for when in row.when for test in when.tests}
    for side, many in MANY.items():
        for field in unit_facts(card):
            if field in unit_fields(procedure, many):
                names = (f"any_{side}_{field}", f"all_{many}_{field}", f"{many}_{field}")
                yield from ((name, (f"{many}.{field}",)) for name in names if name in tested)


def _example(
    rules: Game, procedure: Procedure, units: tuple[UnitList, ...]
) -> Mapping[str, object]:
    """Find a fight that the rules allow, if possible not at an end of the table."""
    allowed: list[dict[str, object]] = []
    for strengths in _STRENGTHS:
        stated: dict[str, object] = {
            each.list: [*_units(each, procedure, strength)]
            for each, strength in zip(units, strengths, strict=True)
        }
        try:
            fight = rules.fight(stated, procedure=procedure.id)
            column = fight.explain().column()["final"]
        except Refusal:
            continue
        allowed.append(stated)
        ends = [(table.column_labels[0], table.column_labels[-1]) for table in rules.card.tables]
        if not any(column in pair for pair in ends):
            return stated
    return allowed[0] if allowed else {}


def _units(units: UnitList, procedure: Procedure, strength: int) -> Iterator[dict[str, Any]]:
    """Make two units of a side, of two steps where there are steps."""
    fields = unit_fields(procedure, units.list)
    parts = (strength - strength // 2, strength // 2) if strength > 1 else (strength,)
    for name, part in zip(
        ("A", "B") if units.side == "attacker" else ("X", "Y"), parts, strict=False
    ):
        unit: dict[str, Any] = {"name": name}
        if units.factor:
            unit[units.factor] = part
        if _goes_to(fields.get("steps"), 2):
            unit["steps"] = 2
        for field in units.shows:
            unit.setdefault(field, _middling(fields[field]))
        yield unit


def _goes_to(type_: inspect.Type | None, value: int) -> bool:
    return isinstance(type_, inspect.IntType) and (type_.le is None or type_.le >= value)


def _middling(type_: inspect.Type) -> int:
    if not isinstance(type_, inspect.IntType):
        raise TypeError(f"a counter shows numbers, not {type_!r}")
    least = type_.ge or 0
    most = least + 12 if type_.le is None else min(type_.le, least + 12)
    return (least + most + 1) // 2
