"""The grid of a fight: its figures at every place of its table, and where the table is uneven."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct

from grognard.card.tables import Table
from grognard.fights.chances import Odds
from grognard.fights.explain import Explanation
from grognard.fights.odds import odds_when_trimmed
from grognard.rules.fight import Fight
from grognard.rules.procedure import Trim
from grognard.study.figures import MEASURES, Figures, Measure, figures, telling
from grognard.words.numbers import signed

P = TypeVar("P")

# Die modifiers on either side of the fight: more of them if the table has no columns to shift.
ALONE, BESIDE_COLUMNS = 5, 3


class GridPlace(NamedTuple):
    """A place of the table, relative to the fight: columns to the right, points on the die."""

    columns: int = 0
    die: int = 0


HERE = GridPlace()
ShiftAxis = Literal["column", "die"]


class Dip(NamedTuple, Generic[P]):
    """A place where a better column or a better die makes a figure worse for the attacker."""

    at: P
    than: P  # the neighbour where he is better off
    axis: ShiftAxis
    measure: Measure
    now: Fraction
    then: Fraction
    all_in_all: bool  # he is also worse off by his whole doctrine


Earlier = Callable[[P], Iterable[tuple[ShiftAxis, P]]]


def dips(cells: Mapping[P, Figures], earlier: Earlier[P], measure: Measure, at: P) -> list[Dip[P]]:
    """Compare a place with the places before it."""
    now = cells[at]
    return [
        Dip(at, than, axis, measure, measure.of(now), measure.of(then), then.worth > now.worth)
        for axis, than in earlier(at)
        if (then := cells.get(than)) is not None and measure.worse(now, then)
    ]


class Grid(Struct, frozen=True, kw_only=True):
    """The figures of a fight at every place."""

    columns: tuple[int, ...]  # only 0 where the table has no columns to shift to
    dice: tuple[int, ...]
    cells: Mapping[GridPlace, Figures]
    column_labels: tuple[str, ...] | None = None  # None: the units of the fight use several
    die: int = 0  # the die modifier of the fight itself

    @property
    def axis(self) -> ShiftAxis:
        """The axis of a single row of places: columns, if the table has several."""
        return "column" if len(self.columns) > 1 else "die"

    def row(self) -> tuple[GridPlace, ...]:
        """Give the places beside the fight, and the fight's own."""
        if self.axis == "column":
            return tuple(GridPlace(columns) for columns in self.columns)
        return tuple(GridPlace(die=die) for die in self.dice)

    def shown(self) -> tuple[Measure, ...]:
        return telling(self.cells.values())

    def alike(self) -> tuple[tuple[Measure, Measure], ...]:
        """Give the measures that are not shown because they equal another everywhere."""
        shown = self.shown()
        cells = self.cells.values()
        return tuple(
            (left_out, same)
            for left_out in MEASURES
            if left_out not in shown
            for same in shown
            if all(left_out.of(cell) == same.of(cell) for cell in cells)
        )

    def earlier(self, place: GridPlace) -> tuple[tuple[ShiftAxis, GridPlace], ...]:
        """Give the places one column and one point of the die before, perhaps beyond the grid."""
        return (
            ("column", GridPlace(place.columns - 1, place.die)),
            ("die", GridPlace(place.columns, place.die - 1)),
        )

    def dips(self, measure: Measure, place: GridPlace) -> list[Dip[GridPlace]]:
        """Give the neighbours of a place where the attacker is better off by this measure."""
        return dips(self.cells, self.earlier, measure, place)

    def column_name(self, place: GridPlace) -> str:
        """Name the column of a place as printed, or by its distance from the fight."""
        if self.column_labels is None:
            return signed(place.columns)
        return self.column_labels[self.columns.index(place.columns)]

    def absolute(self, place: GridPlace) -> tuple[str, int]:
        """Name a place by its column and its whole die modifier."""
        return self.column_name(place), self.die + place.die


def difference(now: Grid, then: Grid) -> dict[GridPlace, Figures]:
    """Give the change at each place that both grids have, wherever their fights stand."""
    before = {then.absolute(place): found for place, found in then.cells.items()}
    return {
        place: found.since(before[key])
        for place, found in now.cells.items()
        if (key := now.absolute(place)) in before
    }


class ShiftedFight:
    """A fight that is shifted to every place of its table; each is evaluated once."""

    def __init__(self, fight: Fight, trim: Trim, start: Fight, attacker: str, defender: str):
        self.fight = fight
        self.trim = trim
        self.stated = start
        self.start = trim.moved(start, 0, 0)  # a column may go on beyond the ends of the table
        self.doctrines = (attacker, defender)
        self._figures: Callable[[Fight], Figures] = cache(
            lambda fight: figures(odds_when_trimmed(fight, *self.doctrines))
        )

    def odds(self, place: GridPlace) -> Odds:
        return odds_when_trimmed(self._at(place), *self.doctrines)

    def _at(self, place: GridPlace) -> Fight:
        return self.stated if place == HERE else self.trim.moved(self.start, *place)

    def figures(self, place: GridPlace, shift: GridPlace = HERE) -> Figures:
        """Give the figures at a place, or after a further shift from there."""
        there = self._at(place)
        return self._figures(there if shift == HERE else self.trim.moved(there, *shift))

    def grid(self, table: Table, beside: int) -> Grid:
        columns = (*reversed([*self._shifts(-1)]), 0, *self._shifts(1))
        has_die = self.trim.moved(self.start, 0, 1) != self.start
        span = (beside if len(columns) > 1 else ALONE) if has_die else 0
        dice = tuple(range(-span, span + 1))
        explained = self.fight.explain()
        return Grid(
            columns=columns,
            dice=dice,
            cells={
                place: self.figures(place)
                for place in (GridPlace(column, die) for die in dice for column in columns)
            },
            column_labels=_labels(explained, table, columns),
            die=explained.die_modifier,
        )

    def _shifts(self, step: int) -> Iterator[int]:
        """Give the shifts to one side, up to the end of the table."""
        before, columns = self.start, step
        while (after := self.trim.moved(self.start, columns, 0)) != before:
            yield columns
            before, columns = after, columns + step


def _labels(
    explained: Explanation, table: Table, columns: tuple[int, ...]
) -> tuple[str, ...] | None:
    """Name the columns as printed, if the whole fight uses one of them."""
    finals = {str(line.value) for line in explained.lines if line.id == "final-column"}
    if len(finals) != 1 or not finals.issubset(table.column_labels):
        return None
    here = table.column_labels.index(finals.pop())
    return tuple(table.column_labels[here + column] for column in columns)
