"""Columns of a combat table: from the place of a ratio to the column that is read.

Places count the columns from 0. A place may lie beyond either end of the table until it is clamped.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Reading
from grognard.card.tables import Table
from grognard.rules.ask import Asking
from grognard.rules.fight import Case
from grognard.rules.line import Line
from grognard.words.text import Text


def clamp_lines(
    case: Case[Any],
    table: Table,
    place: int,
    rule: str | None = None,
    unit: str = "",
    *,
    reading: Reading = CERTAIN,
) -> Iterator[Line]:
    """Tell that there is no column beyond an end of the table; nothing where the place has one."""
    column = table.within(place)
    if column != place:
        yield case.tell(
            "clamp",
            "column-clamped",
            rule,
            unit=unit,
            value=table.column_labels[column],
            changes="column",
            reading=reading,
        )


def basic_column(
    case: Case[Any],
    table: Table,
    place: int,
    *,
    attack: int | Fraction,
    defence: int | Fraction,
    odds: str,
    rule: str | None = None,
    reading: Reading = CERTAIN,
) -> Asking[int]:
    """Tell the column of a ratio, and give the place from which shifts count.

    For odds beyond the last column that is the last column, or by option `ratio_clamp` their own
    place on a scale that goes on.
    """
    column, last = table.within(place), len(table.column_labels) - 1
    told = case.tell(
        "column",
        _PHRASES.get(table.columns.of or "ratio", "basic-number"),
        rule,
        value=table.column_labels[column],
        of=table.id,
        reading=reading,
        blanks=_numbers(table, attack, defence),
    )
    yield replace(told, id="basic-column")
    if place <= last:
        return column
    doubt = case.doubt("ratio_clamp")
    if case.options["ratio_clamp"] == "before":
        yield from clamp_lines(case, table, place, rule, reading=doubt)
        return column
    beyond = place - last
    yield case.tell(
        "note", "open-scale", rule, value=beyond, changes="column", odds=odds, reading=doubt
    )
    return place


_PHRASES = {"ratio": "basic-column", "difference": "basic-difference"}


def _numbers(
    table: Table, attack: int | Fraction, defence: int | Fraction
) -> dict[str, int | str | Fraction | Text]:
    """Give the numbers from which a column follows, as a player writes them."""
    match table.columns.of:
        case None | "ratio":
            return {"attack": attack, "defence": defence}
        case "difference":
            return {"attack": attack, "defence": defence, "difference": attack - defence}
    return {}


def final_column(
    case: Case[Any],
    table: Table,
    place: int,
    rule: str | None = None,
    *,
    reading: Reading = CERTAIN,
) -> Asking[int]:
    """Bring a place back to the table, and tell the column that is read.

    The reading is that of bringing it back.
    """
    column = table.within(place)
    yield from clamp_lines(case, table, place, rule, reading=reading)
    label = table.column_labels[column]
    yield case.tell("column", "final-column", rule, value=label, of=table.id)
    return column
