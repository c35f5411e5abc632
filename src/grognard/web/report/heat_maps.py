"""Heat maps of an analysis."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.study.figures import Figures, Measure
from grognard.study.grid import HERE, Grid, GridPlace, ShiftAxis
from grognard.words.message import Message, say
from grognard.words.numbers import decimal, signed
from grognard.words.text import Lang

NOTHING = "–"  # where there is no number


# ------------------------------------------------------------------ numbers


def written(measure: Measure, value: Fraction, lang: Lang) -> str:
    """Write a number short: chances in percent, means with two decimals."""
    if not measure.chance:
        return decimal(float(value), 2, lang)
    percent = round(value * 100)
    if percent == 0 and value:
        return "<1"
    return ">99" if percent == 100 and value != 1 else str(percent)


def changed(measure: Measure, value: Fraction, lang: Lang) -> str:
    """Write a change with its sign; no change is 0."""
    if not value:
        return "0"
    return ("+" if value > 0 else "−") + written(measure, abs(value), lang)


# ------------------------------------------------------------------ heat maps

_AXES: Mapping[ShiftAxis, Message] = {"column": say("column"), "die": say("die modifier")}
# Where the neighbour stands: to the left or above; in one number, or all in all.
SIGNS: Mapping[tuple[str, bool], str] = {
    ("column", False): "←",
    ("column", True): "⇐",
    ("row", False): "↑",
    ("row", True): "⇑",
}
WORSE: Mapping[tuple[ShiftAxis, bool], Message] = {
    ("column", False): say("uneven: in this number ▶ is better off one column to the left"),
    ("column", True): say("uneven: all in all ▶ is better off one column to the left"),
    ("die", False): say("uneven: in this number ▶ is better off with one less on the die"),
    ("die", True): say("uneven: all in all ▶ is better off with one less on the die"),
}


class Sign(NamedTuple):
    """An arrow to a neighbour where the attacker is better off, and its words."""

    sign: str
    words: str


class HeatCell(NamedTuple):
    """A number, how dark its cell is, and the signs beside it."""

    text: str
    exact: Fraction | None  # None: there is nothing to compare
    heat: float  # 0 to 1
    here: bool = False
    signs: tuple[Sign, ...] = ()
    side: Side | None = None  # whom a change helps
    note: str = ""  # in small letters below


class HeatRow(NamedTuple):
    """A row of a heat map: a die modifier, or a measure."""

    name: str
    cells: tuple[HeatCell, ...]
    side: Side | None = None
    here: bool = False


class HeatMap(NamedTuple):
    """A table of numbers with shades."""

    corner: str
    columns: tuple[str, ...]
    here: int  # the column of the fight itself
    rows: tuple[HeatRow, ...]
    name: str = ""
    side: Side | None = None


class Maps:
    """Lays out the grid of an analysis."""

    def __init__(self, grid: Grid, card: Card, lang: Lang) -> None:
        self.grid = grid
        self.card = card
        self.lang = lang
        self.measures = grid.shown()

    @property
    def axis(self) -> str:
        """The name of the axis along which a row of places runs."""
        return _AXES[self.grid.axis].in_(self.lang)

    def maps(self) -> tuple[HeatMap, ...]:
        """Give a map for each measure, or one map of all measures if there is only one row.

        A single place needs no map.
        """
        if len(self.grid.cells) == 1:
            return ()
        return self.of(self.measures, self.cell)

    def changes(
        self, measures: tuple[Measure, ...], changes: Mapping[GridPlace, Figures]
    ) -> tuple[HeatMap, ...]:
        """Lay out changes on the places: whom they help, with a sign; places may be missing."""
        most = {m: max((abs(m.of(c)) for c in changes.values()), default=0) for m in measures}

        def cell(measure: Measure, place: GridPlace) -> HeatCell:
            if place not in changes:
                return HeatCell(NOTHING, None, 0.0, here=place == HERE)
            value = measure.of(changes[place])
            laid_out = change(measure, value, Fraction(most[measure]), self.lang)
            return laid_out._replace(here=place == HERE)

        return self.of(measures, cell)

    def of(
        self, measures: tuple[Measure, ...], cell: Callable[[Measure, GridPlace], HeatCell]
    ) -> tuple[HeatMap, ...]:
        """Lay out measures on the places of the grid."""
        if len(self.grid.columns) > 1 and len(self.grid.dice) > 1:
            return tuple(self._map(measure, cell) for measure in measures)
        places = self.grid.row()
        rows = tuple(
            self.measured(measure, tuple(cell(measure, place) for place in places))
            for measure in measures
        )
        return (self.strip(self.axis, rows),)

    def _map(self, measure: Measure, cell: Callable[[Measure, GridPlace], HeatCell]) -> HeatMap:
        grid = self.grid
        rows = tuple(
            HeatRow(
                signed(grid.die + die),
                tuple(cell(measure, GridPlace(column, die)) for column in grid.columns),
                here=die == 0,
            )
            for die in grid.dice
        )
        corner, here = _AXES["die"].in_(self.lang), grid.columns.index(0)
        columns, name = self.names("column"), self.name(measure)
        return HeatMap(corner, columns, here, rows, name, measure.side)

    def strip(self, corner: str, rows: tuple[HeatRow, ...]) -> HeatMap:
        """Lay out rows of measures along the axis of the grid."""
        here = self.grid.row().index(HERE)
        return HeatMap(corner, self.names(self.grid.axis), here, rows)

    def measured(self, measure: Measure, cells: tuple[HeatCell, ...]) -> HeatRow:
        return HeatRow(self.name(measure), cells, measure.side)

    def name(self, measure: Measure) -> str:
        words = measure.words(self.card, self.lang)
        return f"{words} (%)" if measure.chance else words

    def names(self, axis: ShiftAxis) -> tuple[str, ...]:
        if axis == "column":
            return self.grid.column_labels or tuple(map(signed, self.grid.columns))
        return tuple(signed(self.grid.die + die) for die in self.grid.dice)

    def cell(self, measure: Measure, place: GridPlace) -> HeatCell:
        """Lay out a number of the grid."""
        value = measure.of(self.grid.cells[place])
        most = max(map(measure.of, self.grid.cells.values()))
        return HeatCell(
            written(measure, value, self.lang),
            value,
            float(value if measure.chance else value / most),
            here=place == HERE,
            signs=self.signs(measure, place),
        )

    def signs(self, measure: Measure, place: GridPlace) -> tuple[Sign, ...]:
        """Point to where the attacker is better off."""
        return tuple(
            Sign(
                SIGNS[self.runs(dip.axis), dip.all_in_all],
                WORSE[dip.axis, dip.all_in_all].in_(self.lang),
            )
            for dip in self.grid.dips(measure, place)
        )

    def runs(self, axis: ShiftAxis) -> str:
        """Tell whether an axis runs along columns or rows; without columns, dice are columns."""
        return "column" if axis == "column" or self.grid.axis == "die" else "row"


def change(measure: Measure, value: Fraction, most: Fraction, lang: Lang) -> HeatCell:
    """Lay out a change: whom it helps, and how large it is beside the largest."""
    helps: Side | None = None
    if value:
        helps = "attacker" if (value > 0) == measure.more_is_better else "defender"
    heat = float(abs(value) / most) if most else 0.0
    return HeatCell(changed(measure, value, lang), value, heat, side=helps)
