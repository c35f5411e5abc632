"""The printed table with the cells that can be hit, their chances, and those that were hit."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.card.tables import Cell, Table
from grognard.card.wording import in_words
from grognard.draw.text.card import axis_names
from grognard.fights.odds import CACHES
from grognard.fights.table_cells import Lit
from grognard.words.text import Lang, Text

CellLabels = tuple[str, str]  # the labels of a row and a column


class ShownCell(NamedTuple):
    """A printed cell, the sides whose roll can hit it, and whether it was hit."""

    halves: tuple[str, ...]
    doubt: Text | None  # why its reading is doubtful, or that a roll leads to it
    in_question: bool  # in a column that can be hit
    lit: tuple[Side | None, ...]
    hit: bool


class ShownTableRow(NamedTuple):
    """A row of the table, with its chance if the roll gives the row."""

    name: str
    cells: tuple[ShownCell, ...]
    chance: Fraction | None


class ShownTable(Struct, frozen=True, eq=False):
    """The printed table, with the chance of each row, or of each column if the roll gives that."""

    table: Table
    columns: tuple[str, ...]
    in_question: tuple[bool, ...]  # a column that can be hit
    rows: tuple[ShownTableRow, ...]
    rolled: bool  # rows have chances; they have none once the table is read
    below: tuple[Fraction, ...] | None  # below the names of the columns, which have chances


def shown_table(
    card: Card, table_id: str, chances: Mapping[Lit, Fraction], hit: Iterable[Lit], lang: Lang
) -> ShownTable:
    """Lay out a table with the cells that can be hit and that were hit."""
    units = {unit: str(n) for n, unit in enumerate({lit.unit: None for lit in chances})}
    nameless = tuple(
        [(lit.of(units[lit.unit]), *p.as_integer_ratio()) for lit, p in chances.items()]
    )
    struck = tuple(lit.of("") for lit in hit)
    return _laid_out(card, table_id, nameless, struck, lang)


@lru_cache(maxsize=2048)
def _laid_out(
    card: Card,
    table_id: str,
    lit_cells: tuple[tuple[Lit, int, int], ...],  # a fraction is slow to hash
    hit: tuple[Lit, ...],
    lang: Lang,
) -> ShownTable:
    table = card.table(table_id)
    chances = {lit: Fraction(part, whole) for lit, part, whole in lit_cells}
    lit: dict[CellLabels, list[Side | None]] = {}
    for cell in chances:
        lit.setdefault((cell.row, _column_label(table, cell.column)), []).append(cell.side)
    struck = {(cell.row, _column_label(table, cell.column)) for cell in hit}
    doubts = {
        (cell.row, _column_label(table, cell.column)): cell.doubt
        for cell in hit or chances
        if cell.doubt is not None
    }
    questioned = {column for _, column in lit}
    by_row, by_column = _sums(chances, table)
    below = None
    if not hit and len(by_column) > 1 and len(by_row) < len(by_column):
        below = tuple(by_column.get(label, Fraction(0)) for label in table.column_labels)
    rolled = not hit and len(by_row) > 1 and below is None
    cells = {
        place: ShownCell(
            halves,
            doubt or doubts.get(place),
            place[1] in questioned,
            tuple(dict.fromkeys(lit.get(place, ()))),
            place in struck,
        )
        for place, (halves, doubt) in _printed(card, table_id, lang).items()
    }
    names = axis_names(table.rows, table.row_labels, lang)
    rows = tuple(
        ShownTableRow(
            name,
            tuple(cells[row, column] for column in table.column_labels),
            by_row.get(row, Fraction(0)) if rolled else None,
        )
        for row, name in zip(table.row_labels, names, strict=True)
    )
    columns = axis_names(table.columns, table.column_labels, lang)
    in_question = tuple(label in questioned for label in table.column_labels)
    return ShownTable(table, columns, in_question, rows, rolled, below)


CACHES.append(_laid_out)


CACHES.append(_laid_out)


@lru_cache(maxsize=256)
def _printed(
    card: Card, table_id: str, lang: Lang
) -> Mapping[CellLabels, tuple[tuple[str, ...], Text | None]]:
    """Give every cell of a table as printed, and why its reading is doubtful."""
    table = card.table(table_id)
    places = [(row, column) for row in table.row_labels for column in table.column_labels]
    found = {place: table.cell(*place) for place in places}
    return {
        place: (
            _halves(card, table, cell, lang),
            next((doubt.reading.reason for doubt in cell.doubts), None),
        )
        for place, cell in found.items()
    }


def _column_label(table: Table, told: str) -> str:
    """Find the label of a column by its name; a single column has none."""
    if not told:
        return table.column_labels[0]
    for label, name in zip(table.column_labels, table.columns.names, strict=False):
        if told in (name.en, name.fr):
            return label
    return told


def _sums(
    chances: Mapping[Lit, Fraction], table: Table
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Add up the chances by row and by column; a roll that is read several times counts once."""
    first = next(((lit.side, lit.unit) for lit in chances), None)
    rows: dict[str, Fraction] = {}
    columns: dict[str, Fraction] = {}
    for lit, chance in chances.items():
        if (lit.side, lit.unit) == first:
            label = _column_label(table, lit.column)
            rows[lit.row] = rows.get(lit.row, Fraction(0)) + chance
            columns[label] = columns.get(label, Fraction(0)) + chance
    return rows, columns


def _halves(card: Card, table: Table, cell: Cell, lang: Lang) -> tuple[str, ...]:
    if table.cells == "options":
        return tuple(map(str, cell.halves))
    return (in_words(cell.printed, card, lang),)
