"""Dice and tables: what modifies a roll, the roll, and the row or cell that it gives."""

from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from grognard.card.dice import Dice
from grognard.card.rows import CERTAIN
from grognard.card.tables import Table
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import Case
from grognard.rules.line import Line
from grognard.rules.modifiers import Facts, Sum, modified, total

N = TypeVar("N", int, Fraction)


def die_modifier(
    case: Case[Any], table_id: str, facts: Facts, rule: str | None = None, unit: str = ""
) -> Sum:
    """Add the printed modifiers of a table's die; the last line tells their sum."""
    value, lines = total(case.card, case.card.modifying(table_id, "die"), facts, unit=unit)
    summed = case.tell("die", "die-modifier", rule, value=value, of="die", changes="roll")
    return Sum(value, (*lines, summed))


def modified_roll(
    case: Case[Any],
    what: str,
    dice: int | Dice,
    added: N,
    rule: str | None = None,
    unit: str = "",
) -> Asking[N]:
    """Ask for dice, tell what is added to them, and give the modified roll."""
    asked = roll(what, dice, rule, unit=unit) if unit else roll(what, dice, rule)
    rolled = yield from asked
    yield from modified(case, rolled, added, rule)
    return rolled + added


def row_at(table: Table, number: int | Fraction) -> str:
    """Give the label of the row that a roll, or another number, falls into."""
    return table.row_labels[table.rows.position(number) or 0]


def code_at(table: Table, number: int) -> str:
    """Give the code that a table of a single column has for a roll."""
    return table.cell(row_at(table, number), table.column_labels[0]).codes[0]


def look_up(
    case: Case[Any], table_id: str, rolled: int, added: int = 0, column: int = 0
) -> Asking[tuple[str, ...]]:
    """Modify a roll and read a table; tell the cell and the meaning of its codes."""
    yield from modified(case, rolled, added, case.card.table(table_id).rule)
    codes, lines = _cell(case, table_id, rolled + added, column)
    yield from lines
    return codes


@lru_cache(maxsize=4096)  # odds read the same cells over and over
def _cell(
    case: Case[Any], table_id: str, die: int, column: int
) -> tuple[tuple[str, ...], tuple[Line, ...]]:
    table = case.card.table(table_id)
    row, label = row_at(table, die), table.column_labels[column]
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
