"""Dice and tables: what modifies a roll, the roll, and the row or cell that it gives."""

from bisect import bisect_right
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from grognard.card.dice import Dice
from grognard.card.rows import CERTAIN, Reading, Side
from grognard.card.tables import Table
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import Case
from grognard.rules.kept import kept, told_once
from grognard.rules.line import Blank, Explains, Happens, Line
from grognard.rules.modifiers import Facts, Sum, modified, total

N = TypeVar("N", int, Fraction)


def die_modifier(
    case: Case[Any],
    table_id: str,
    facts: Facts,
    rule: str | None = None,
    unit: str = "",
    *,
    side: Side | None = None,
) -> Sum:
    """Add the printed modifiers of a table's die; the last line tells their sum.

    Where each side has a roll of its own, those of the side; the attacker's are the default.
    """
    rows = case.card.modifying(table_id, "die")
    if side:
        rows = tuple(row for row in rows if (row.side or "attacker") == side)
    value, lines = total(case.card, rows, facts, side=side, unit=unit)
    return Sum(value, (*lines, _die_line(case, value, rule, side)))


@kept
def _die_line(case: Case[Any], value: int, rule: str | None, side: Side | None) -> Line:
    return case.tell("die", "die-modifier", rule, side=side, value=value, of="die", changes="roll")


def bands(dice: Dice, leads_to: Callable[[int], Hashable]) -> tuple[int, ...]:
    """Give the lowest roll of each band of rolls that lead to the same."""
    rolls = dice.values()
    ends = [leads_to(rolled) for rolled in rolls]
    return tuple(
        rolled for place, rolled in enumerate(rolls) if not place or ends[place] != ends[place - 1]
    )


def modified_roll(
    case: Case[Any],
    what: str,
    dice: int | Dice,
    added: N,
    rule: str | None = None,
    unit: str = "",
    *,
    bands: tuple[int, ...] = (),
) -> Asking[N]:
    """Ask for dice, tell what is added to them, and give the modified roll."""
    if unit:
        rolled = yield from roll(what, dice, rule, bands=bands, unit=unit)
    else:
        rolled = yield from roll(what, dice, rule, bands=bands)
    yield from modified(case, rolled, added, rule)
    return rolled + added


@lru_cache(maxsize=4096)  # odds meet the same rolls over and over
def row_bands(
    dice: Dice, starts: tuple[int | Fraction, ...], added: int | Fraction = 0
) -> tuple[int, ...]:
    """Give the lowest roll of each row that a modified roll can come to."""
    return bands(dice, lambda rolled: bisect_right(starts, rolled + added))


def row_at(table: Table, number: int | Fraction) -> str:
    """Give the label of the row that a roll, or another number, falls into."""
    return table.row_labels[table.rows.position(number) or 0]


def code_at(table: Table, number: int) -> str:
    """Give the code that a table of a single column has for a roll."""
    return table.cell(row_at(table, number), table.column_labels[0]).codes[0]


def cell_line(  # noqa: PLR0913  # a line has that many parts
    case: Case[Any],
    table: Table,
    row: str,
    column: str,
    value: str,
    rule: str | None = None,
    *,
    kind: Explains | Happens = "result",
    phrase: str = "",
    half: Side | None = None,
    side: Side | None = None,
    unit: str = "",
    reading: Reading | None = None,
    **blanks: Blank,
) -> Line:
    """Tell what a cell says, or a side's half of it; the reading is that of its doubt."""
    if reading is None:
        doubts = (doubt for doubt in table.cell(row, column).doubts if doubt.half == half)
        reading = next((doubt.reading for doubt in doubts), CERTAIN)
    return case.tell(
        kind,
        phrase or ("look-up" if len(table.column_labels) > 1 else "look-up-row"),
        rule,
        side=side,
        unit=unit,
        value=value,
        of=table.id,
        reading=reading,
        blanks={"row": row, "column": table.column_name(column), **blanks},
    )


@told_once
def look_up(
    case: Case[Any], table_id: str, rolled: int, added: int = 0, column: int = 0
) -> Asking[tuple[str, ...]]:
    """Modify a roll and read a table; tell the cell and the meaning of its codes."""
    table = case.card.table(table_id)
    yield from modified(case, rolled, added, table.rule)
    row, label = row_at(table, rolled + added), table.column_labels[column]
    codes = table.read(row, label, case.options).options[0]
    yield cell_line(case, table, row, label, " ".join(codes), table.rule)
    yield from [means_line(case, table, code) for code in codes]
    return codes


def means_line(case: Case[Any], table: Table, code: str) -> Line:
    """Tell what a code of a table means."""
    row = table.legend[code]
    return case.tell(
        "remark", "means", table.rule, value=code, meaning=row.text, reading=row.reading
    )
