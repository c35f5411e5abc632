"""Tables of how luck spreads, with small bar charts."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from grognard.card.rows import SIDES, Side
from grognard.study.figures import MEASURES, WORTH, Measure
from grognard.study.grid import HERE
from grognard.study.luck import Luck
from grognard.study.report import Section
from grognard.web.report.heat_maps import HeatCell, Maps, written
from grognard.words.message import say
from grognard.words.numbers import decimal
from grognard.words.text import Lang

WIDE, HIGH = 120, 24  # of a strip of bars
_CHANCE = Measure("chance", say("chance"), "attacker", True, True)
_STANDS = (say("ahead"), say("equal"), say("behind"))


class StripBar(NamedTuple):
    """A bar: where it stands, how high it is, and in whose favour."""

    x: float
    high: float
    side: Side | None


class Strip(NamedTuple):
    """The bars of a distribution, a line from its 10 to its 90 % point, a tick at the middle."""

    bars: tuple[StripBar, ...]
    thick: float
    zero: float | None  # where 0 is, if there are values on both sides of it
    points: tuple[float, ...]  # 10, 50 and 90 %


class LuckRow(NamedTuple):
    """A place, its chances, and their mean, deviation and percentiles."""

    name: str
    here: bool
    cells: tuple[HeatCell, ...]
    mean: str
    deviation: str
    points: tuple[str, ...]
    strip: Strip


class LuckTable(NamedTuple):
    """The distribution of a number on each place of a row."""

    measure: Measure
    side: Side | None
    corner: str
    columns: tuple[str, ...]
    least: str
    most: str
    rows: tuple[LuckRow, ...]


class Lots:
    """Lays out how luck spreads in a procedure."""

    def __init__(self, section: Section, maps: Maps) -> None:
        self.spreads = section.spreads
        self.maps = maps
        self.lang: Lang = maps.lang

    def tables(self) -> Iterator[LuckTable]:
        """Give the losses of each side that may have any, then the points."""
        for side, measure in zip(SIDES, MEASURES, strict=False):
            lots = [spread.losses[side] for spread in self.spreads]
            if _values(lots) != [0]:
                yield self._losses(measure, lots)
        yield self._points()

    def _losses(self, measure: Measure, lots: list[Luck]) -> LuckTable:
        values = _values(lots)
        cells = [
            tuple(self._chance(luck.chances.get(value, Fraction(0)), None) for value in values)
            for luck in lots
        ]
        return self._table(measure, lots, tuple(map(_number, values)), cells)

    def _points(self) -> LuckTable:
        cells: list[tuple[HeatCell, ...]] = [
            (
                self._chance(spread.ahead, "attacker"),
                self._chance(spread.equal, None),
                self._chance(spread.behind, "defender"),
            )
            for spread in self.spreads
        ]
        columns = tuple(words.in_(self.lang) for words in _STANDS)
        return self._table(WORTH, [spread.points for spread in self.spreads], columns, cells)

    def _table(
        self,
        measure: Measure,
        lots: list[Luck],
        columns: tuple[str, ...],
        cells: list[tuple[HeatCell, ...]],
    ) -> LuckTable:
        values = _values(lots)
        side = None if measure is WORTH else measure.side
        drawn = _Strips(lots, side)
        grid = self.maps.grid
        names = self.maps.names(grid.axis)
        rows = tuple(
            LuckRow(
                name if len(names) > 1 else say("this fight").in_(self.lang),
                place == HERE,
                shown,
                decimal(float(luck.mean), 2, self.lang).replace("-", "−"),
                decimal(sqrt(luck.variance), 2, self.lang),
                tuple(map(_number, luck.points)),
                drawn.strip(luck),
            )
            for name, place, luck, shown in zip(names, grid.row(), lots, cells, strict=True)
        )
        return LuckTable(
            measure,
            side,
            self.maps.axis if len(names) > 1 else "",
            columns,
            _number(values[0]),
            _number(values[-1]),
            rows,
        )

    def _chance(self, chance: Fraction, side: Side | None) -> HeatCell:
        return HeatCell(written(_CHANCE, chance, self.lang), chance, float(chance), side=side)


def _values(lots: Iterable[Luck]) -> list[int]:
    return sorted({value for luck in lots for value in luck.chances})


def _number(value: int) -> str:
    return str(value).replace("-", "−")


class _Strips:
    """Draws distributions on one scale."""

    def __init__(self, lots: list[Luck], side: Side | None) -> None:
        values = _values(lots)
        self.least, self.most = values[0], values[-1]
        self.tallest = max(max(luck.chances.values()) for luck in lots)
        self.thick = max(3.0, min(12.0, WIDE / (self.most - self.least + 1) * 0.8))
        self.side = side  # None: the sign of a value decides

    def strip(self, luck: Luck) -> Strip:
        return Strip(
            tuple(
                StripBar(self._x(value), float(chance / self.tallest) * HIGH, self._side(value))
                for value, chance in luck.chances.items()
            ),
            self.thick,
            self._x(0) if self.least < 0 < self.most else None,
            tuple(map(self._x, luck.points)),
        )

    def _x(self, value: int) -> float:
        """Give the middle of a value's bar."""
        if self.most == self.least:
            return WIDE / 2
        room = WIDE - self.thick
        return self.thick / 2 + room * (value - self.least) / (self.most - self.least)

    def _side(self, value: int) -> Side | None:
        if self.side or not value:
            return self.side
        return "attacker" if value > 0 else "defender"
