"""The printed cells of a table, and the figures of a fight in which each is rolled."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from grognard.card.rows import SIDES
from grognard.card.tables import Table
from grognard.fights.table_cells import cells as cells_hit
from grognard.rules.fight import Fight
from grognard.study.analysis import AnalysisSheet
from grognard.study.figures import Figures, figures
from grognard.study.grid import Grid, ShiftAxis
from grognard.words.refusal import Refusal


class PrintedCell(NamedTuple):
    """A cell by its labels; two rows that are read together are both named."""

    row: str
    column: str


class Printed(Struct, frozen=True, kw_only=True):
    """The printed cells of a table, with the figures of each when it is rolled in the fight.

    Losses that are printed as numbers are taken as printed, not as the fight limits them.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    texts: Mapping[PrintedCell, str]
    cells: Mapping[PrintedCell, Figures]  # those that can be rolled at some place of the grid
    along: Mapping[ShiftAxis, str]  # axis -> "row" or "column" of the printed table

    def earlier(self, cell: PrintedCell) -> Iterator[tuple[ShiftAxis, PrintedCell]]:
        """Give the cells before a cell: one column less, one point on the die less."""
        for axis, printed in self.along.items():
            labels = self.rows if printed == "row" else self.columns
            place = labels.index(getattr(cell, printed)) - 1
            if place >= 0:
                yield axis, cell._replace(**{printed: labels[place]})


def printed_cells(found: AnalysisSheet, table: Table) -> Printed:
    """Read every cell, and find the figures of its result anywhere on the grid."""
    results: dict[str, Figures] = {}
    for place in found.grid.cells:
        for result, odds in found.odds(place).by_result().items():
            results.setdefault(result, figures(odds))
    reader = _CellReader(table, found.fight)
    texts = {
        PrintedCell(row, column): text
        for row in reader.rows
        for column in table.column_labels
        if (text := reader.text(row, column)) is not None
    }
    return Printed(
        rows=reader.rows,
        columns=table.column_labels,
        texts=texts,
        cells={
            cell: _with_losses(results[text], text, table)
            for cell, text in texts.items()
            if text in results
        },
        along=_along(table, found.grid),
    )


def _with_losses(found: Figures, text: str, table: Table) -> Figures:
    """Take the losses as printed, if both sides have a number."""
    if table.cells != "pair":
        return found
    losses = text.split("/")
    if not all(map(str.isdecimal, losses)):
        return found
    ours, theirs = map(Fraction, losses)
    return found._replace(attacker_steps_lost=ours, defender_steps_lost=theirs)


def _along(table: Table, grid: Grid) -> dict[ShiftAxis, str]:
    """Tell how the axes run in the printed table; an axis without shifts is left out."""
    if table.columns.of == "roll":
        return {"die": "column"} if len(grid.dice) > 1 else {}
    axes: tuple[tuple[ShiftAxis, str, int], ...] = (
        ("column", "column", len(grid.columns)),
        ("die", "row", len(grid.dice)),
    )
    return {axis: printed for axis, printed, places in axes if places > 1}


class _CellReader:
    """Reads the cells of a table, under the options of a fight, in the notation of results."""

    def __init__(self, table: Table, fight: Fight) -> None:
        self.table = table
        self.options = fight.case.options
        self.rows = table.row_labels
        if table.cells == "options":  # each side reads its half on its own row
            rows = {lit.side: lit.row for lit in cells_hit(fight, table.id)}
            both = [rows[side] for side in SIDES if side in rows]
            self.rows = ("|".join(both),) if len(both) == 2 else ()

    def text(self, row: str, column: str) -> str | None:
        """Give a cell's text; None if the options refuse to read it."""
        read, options = self.table.read, self.options
        try:
            if self.table.cells == "codes":
                (codes,) = read(row, column, options).options
                return " ".join(codes)
            ours, separator, theirs = row.partition("|")
            rows = zip((ours, theirs or ours), SIDES, strict=True)
            halves = [str(read(own, column, options, side)) or "-" for own, side in rows]
            return (separator or "/").join(halves)
        except Refusal:  # a damaged cell
            return None
