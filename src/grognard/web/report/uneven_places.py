"""Uneven places of a table: signs in the printed table, and lists."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.card.wording import MARK, MARKS, in_words
from grognard.draw.text.card import axis_names
from grognard.study.figures import WORTH
from grognard.study.grid import HERE, Dip, GridPlace
from grognard.study.printed_cells import PrintedCell
from grognard.study.report import Section
from grognard.web.report import heat_maps
from grognard.web.report.heat_maps import HeatCell, HeatMap, Maps, Sign
from grognard.words.message import Message, say
from grognard.words.numbers import signed
from grognard.words.text import Lang


class PrintedMap:
    """Lays out the printed table: each cell with its worth and its signs."""

    def __init__(self, section: Section, card: Card, lang: Lang) -> None:
        self.printed = section.printed
        self.dips = section.printed_dips
        self.grid = section.found.grid
        self.card = card
        self.table = card.table(section.sheet.table)
        self.lang = lang
        self.most = max((abs(found.worth) for found in self.printed.cells.values()), default=0)

    def map(self) -> HeatMap:
        table = self.table
        names = axis_names(table.columns, table.column_labels, self.lang)
        rows = tuple(
            heat_maps.HeatRow(
                self._row_name(row),
                tuple(self._cell(PrintedCell(row, column)) for column in table.column_labels),
            )
            for row in self.printed.rows
        )
        name, corner = table.text.in_(self.lang), table.rows.text.in_(self.lang)
        return HeatMap(corner, names, self._here(), rows, name)

    def _here(self) -> int:
        """Give the column of the fight; -1 if its units stand on several."""
        if self.grid.column_labels is None:
            return -1
        return self.table.column_labels.index(self.grid.column_name(HERE))

    def _row_name(self, row: str) -> str:
        ours, _, theirs = row.partition("|")
        if theirs:
            return f"{MARKS['attacker']} {ours}\n{MARKS['defender']} {theirs}"
        named = dict(zip(self.table.row_labels, self.table.rows.names, strict=False))
        return named[row].in_(self.lang) if row in named else row

    def _cell(self, cell: PrintedCell) -> HeatCell:
        text, found = self.printed.texts.get(cell, heat_maps.NOTHING), self.printed.cells.get(cell)
        text = in_words(text, self.card, self.lang).replace("|", "\n")
        text += MARK if self._doubtful(cell) else ""
        if found is None:
            return HeatCell(text, None, 0.0)
        worth = heat_maps.change(WORTH, found.worth, Fraction(self.most), self.lang)
        whole = found.worth.denominator == 1
        note = signed(int(found.worth)) if whole else worth.text
        return worth._replace(text=text, note=note, signs=tuple(self._signs(cell)))

    def _doubtful(self, cell: PrintedCell) -> bool:
        ours, _, theirs = cell.row.partition("|")
        halves: tuple[tuple[str, Side], ...] = ((ours, "attacker"), (theirs or ours, "defender"))
        return any(
            doubt.half in (None, side)
            for row, side in halves
            for doubt in self.table.cell(row, cell.column).doubts
        )

    def _signs(self, cell: PrintedCell) -> Iterator[Sign]:
        for axis, printed in self.printed.along.items():
            dips = [dip for dip in self.dips if dip.at == cell and dip.axis == axis]
            if not dips:
                continue
            all_in_all = any(dip.measure is WORTH for dip in dips)
            words = heat_maps.WORSE[axis, True] if all_in_all else self._in_some(dips)
            yield Sign(heat_maps.SIGNS[printed, all_in_all], words.in_(self.lang))

    def _in_some(self, dips: list[Dip[PrintedCell]]) -> Message:
        measures = [dip.measure for dip in dips]
        names = [f"{MARKS[m.side]} {m.words(self.card, self.lang)}" for m in measures]
        return say("uneven in: {numbers}", numbers=", ".join(names))


# ------------------------------------------------------------------ lists


class ShownDip(NamedTuple):
    """A place that is uneven, as a line of a list."""

    of: Dip[PrintedCell] | Dip[GridPlace]
    at: str
    than: str
    sign: str
    name: str  # of the measure
    here: str
    there: str
    by: str


class ShownDips(NamedTuple):
    """A list of uneven places, if places could be compared."""

    id: str
    name: Message
    place: str
    rows: tuple[ShownDip, ...]
    compared: bool


def shown_dips(section: Section, maps: Maps) -> Iterator[ShownDips]:
    """Lay out the uneven places: printed cells, then expectations."""
    printed, grid = section.printed, section.found.grid
    cells = _PlaceNames(len(printed.columns) > 1, len(printed.rows) > 1, say("row"))
    places = _PlaceNames(len(grid.columns) > 1, len(grid.dice) > 1, say("die modifier"))
    yield ShownDips(
        "printed",
        say("Printed cells"),
        cells.heading(maps.lang),
        tuple(
            _line(dip, printed.along[dip.axis], cells.both(*dip.at), cells.both(*dip.than), maps)
            for dip in section.printed_dips
        ),
        bool(printed.along and printed.cells),
    )

    def name(place: GridPlace) -> str:
        return places.both(signed(grid.die + place.die), grid.column_name(place))

    yield ShownDips(
        "expected",
        say("Expectations"),
        places.heading(maps.lang),
        tuple(
            _line(dip, maps.runs(dip.axis), name(dip.at), name(dip.than), maps)
            for dip in section.dips
        ),
        len(grid.cells) > 1,
    )


class _PlaceNames(NamedTuple):
    """How places are named: by their column, their row, or both."""

    columns: bool
    rows: bool
    row: Message

    def heading(self, lang: Lang) -> str:
        return self.both(self.row.in_(lang), say("column").in_(lang))

    def both(self, row: str, column: str) -> str:
        return " · ".join([column] * self.columns + [row] * self.rows)


def _line(
    dip: Dip[PrintedCell] | Dip[GridPlace], along: str, at: str, than: str, maps: Maps
) -> ShownDip:
    measure, lang = dip.measure, maps.lang
    write = heat_maps.changed if measure is WORTH else heat_maps.written
    here, there = write(measure, dip.now, lang), write(measure, dip.then, lang)
    sign, by = (
        heat_maps.SIGNS[along, dip.all_in_all],
        heat_maps.changed(measure, dip.now - dip.then, lang),
    )
    return ShownDip(dip, at, than, sign, maps.name(measure), here, there, by)
