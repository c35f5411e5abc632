"""Normandy '44: what all procedures do: modify a die, read a table, lose steps."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Side
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import Case, Fight, Setup, nameless, units_of, with_unit
from grognard.rules.line import Line
from grognard.rules.modifiers import Facts, Sum, modified, total

F = TypeVar("F", bound=Fight)
S = TypeVar("S", bound=Setup)


def die_modifier(case: Case[S], table_id: str, facts: Facts, unit: str = "") -> Sum:
    """Add the modifiers of a table's die."""
    value, lines = total(case.card, case.card.modifying(table_id, "die"), facts, unit=unit)
    rule = case.card.table(table_id).rule
    return Sum(
        value,
        (*lines, case.tell("die", "die-modifier", rule, value=value, of="die", changes="roll")),
    )


def look_up(
    case: Case[S], table_id: str, rolled: int, added: int = 0, column: int = 0
) -> Asking[tuple[str, ...]]:
    """Modify a die and read a table; tell the cell and what its codes mean."""
    yield from modified(case.card, rolled, added, case.card.table(table_id).rule)
    codes, lines = _cell(case, table_id, rolled + added, column)
    yield from lines
    return codes


@lru_cache(maxsize=4096)  # odds read the same cells over and over
def _cell(
    case: Case[S], table_id: str, die: int, column: int
) -> tuple[tuple[str, ...], tuple[Line, ...]]:
    table = case.card.table(table_id)
    row, label = table.row_labels[table.rows.position(die) or 0], table.column_labels[column]
    codes = table.read(row, label, case.options).options[0]
    doubts = table.cell(row, label).doubts
    read = case.tell(
        "result",
        "look-up" if len(table.column_labels) > 1 else "look-up-row",
        table.rule,
        value=" ".join(codes),
        of=table_id,
        row=row,
        column=table.columns.names[column] if table.columns.names else label,
        reading=doubts[0].reading if doubts else CERTAIN,
    )
    legend = [table.legend[code] for code in codes]
    means = [
        case.tell("remark", "means", table.rule, value=r.code, meaning=r.text, reading=r.reading)
        for r in legend
    ]
    return codes, (read, *means)


def lose(
    fight: F, side: Side, name: str, rule: str | None = None, *, every: bool = False
) -> Asking[F]:
    """Take a step from a unit, or every step; remove it when it has none left."""
    unit = next(unit for unit in units_of(fight, side) if unit.name == name)
    lost = unit.steps if every else 1
    after = replace(unit, steps=unit.steps - lost)
    phrase = "loses-step" if lost == 1 else "loses-steps"
    yield fight.case.tell("loss", phrase, rule, side=side, unit=name, value=after.steps, lost=lost)
    if not after.alive:
        yield fight.case.tell("eliminated", "is-eliminated", rule, side=side, unit=name)
    return with_unit(fight, side, after)


def one_loses(
    fight: F, side: Side, names: Sequence[str], by: str, rule: str | None = None
) -> Asking[F]:
    """Let one of the named units lose a step; nobody does where none is left."""
    if not names:
        yield fight.case.tell("remark", "none-left-to-lose", rule, side=side)
        return fight
    by_whom, alike = picker(fight.case.options, by, side), nameless(units_of(fight, side), names)
    name = yield from choose(by_whom, "which-loses", names, rule, alike)
    return (yield from lose(fight, side, name, rule))


def picker(options: Mapping[str, str], by: str, owner: Side) -> Side:
    """Tell who picks the unit: whom the card names, or else its owner, unless played otherwise."""
    if by in ("attacker", "defender"):
        return "attacker" if by == "attacker" else "defender"
    if options["loss_choice"] == "owner":
        return owner
    return "defender" if owner == "attacker" else "attacker"
