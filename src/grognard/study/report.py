"""The report on a game's tables, for a designer who balances one: what a fight comes to on every
place, what a step on the table brings, where it is uneven, how luck spreads, what is assumed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from grognard.card.card import Card, Choice, Option
from grognard.card.rows import SIDES, Reading, Side
from grognard.card.tables import Half, Table
from grognard.card.wording import MARKS
from grognard.fights.chances import Odds
from grognard.fights.doctrine import doctrine
from grognard.fights.table_cells import cells as cells_hit
from grognard.rules.fight import Fight
from grognard.rules.procedure import Game
from grognard.study import player_sheet
from grognard.study.analysis import (
    HERE,
    WORTH,
    AnalysisSheet,
    Axis,
    Figures,
    Grid,
    Measure,
    Place,
    Statements,
    analyse,
    figures,
    grid_of,
    telling,
)
from grognard.study.player_sheet import Sheet
from grognard.words.message import Message
from grognard.words.numbers import signed
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, Text

P = TypeVar("P")


# ------------------------------------------------------------------ luck


class Luck(NamedTuple):
    """How a whole number may come out: the chance of each value, in rising order."""

    chances: Mapping[int, Fraction]

    @property
    def mean(self) -> Fraction:
        return sum((value * chance for value, chance in self.chances.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        mean = self.mean
        parts = ((value - mean) ** 2 * chance for value, chance in self.chances.items())
        return sum(parts, Fraction(0))

    def point(self, share: Fraction) -> int:
        """Give the least value that is not exceeded with at least this chance."""
        below = Fraction(0)
        for value, chance in self.chances.items():
            below += chance
            if below >= share:
                return value
        raise ValueError(f"chances that add up to {below}")

    @property
    def points(self) -> tuple[int, int, int]:
        """The points of 10, 50 and 90 %."""
        low, middle, high = (self.point(Fraction(tenths, 10)) for tenths in (1, 5, 9))
        return low, middle, high


class Spread(Struct, frozen=True, kw_only=True, dict=True):
    """How luck spreads at a place: the losses of each side, and the points of the attacker."""

    place: Place
    losses: Mapping[Side, Luck]
    points: Luck

    @cached_property
    def ahead(self) -> Fraction:
        return sum((p for value, p in self.points.chances.items() if value > 0), Fraction(0))

    @cached_property
    def behind(self) -> Fraction:
        return sum((p for value, p in self.points.chances.items() if value < 0), Fraction(0))

    @property
    def equal(self) -> Fraction:
        return 1 - self.ahead - self.behind


def spread(odds: Odds, place: Place = HERE) -> Spread:
    """Read off the odds how luck spreads."""
    attacker, _ = odds.doctrines
    weights: dict[int, int] = {}
    for outcome, weight in odds.found.weights.items():
        value = attacker.value(outcome, "attacker")
        weights[value] = weights.get(value, 0) + weight
    points = {value: Fraction(weights[value], odds.total) for value in sorted(weights)}
    return Spread(
        place=place,
        losses={side: Luck(odds.spread(f"{side}_steps_lost")) for side in SIDES},
        points=Luck(points),
    )


# ------------------------------------------------------------------ uneven places


class Dip(NamedTuple, Generic[P]):
    """A place where a better column or a better die makes it worse for the attacker."""

    at: P
    than: P  # the neighbour where he is better off
    axis: Axis
    measure: Measure
    now: Fraction
    then: Fraction
    all_in_all: bool  # by his whole doctrine too, not only in this number


def _dips(
    cells: Mapping[P, Figures], earlier: Callable[[P], Iterable[tuple[Axis, P]]]
) -> Iterator[Dip[P]]:
    """Compare every place with those before it: the sum of it all first, then each measure."""
    for measure in (WORTH, *telling(cells.values())):
        for at, now in cells.items():
            for axis, than in earlier(at):
                then = cells.get(than)
                if then is not None and measure.worse(now, then):
                    all_in_all = then.worth > now.worth
                    values = (measure.of(now), measure.of(then))
                    yield Dip(at, than, axis, measure, *values, all_in_all)


# ------------------------------------------------------------------ printed cells


class PrintedCell(NamedTuple):
    """A cell by its labels; of two rows that are read together, both are named."""

    row: str
    column: str


class Printed(Struct, frozen=True, kw_only=True):
    """What each printed cell comes to when it is hit in the fight; losses that are printed as
    numbers are those numbers, whatever the fight would make of them."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    texts: Mapping[PrintedCell, str]
    cells: Mapping[PrintedCell, Figures]  # those that can be hit on some place of the grid
    along: Mapping[Axis, str]  # whether columns and die run along the printed rows or columns

    def earlier(self, cell: PrintedCell) -> Iterator[tuple[Axis, PrintedCell]]:
        """Give the cells before a cell: one column, one row less of the die."""
        for axis, printed in self.along.items():
            labels = self.rows if printed == "row" else self.columns
            place = labels.index(getattr(cell, printed)) - 1
            if place >= 0:
                yield axis, cell._replace(**{printed: labels[place]})


def _printed(found: AnalysisSheet, table: Table) -> Printed:
    """Look every cell up, and what follows from its result wherever on the grid it is rolled."""
    results: dict[str, Figures] = {}
    for place in found.grid.cells:
        for result, odds in found.odds(place).by_result().items():
            results.setdefault(result, figures(odds))
    readings = _Readings(table, found.fight)
    texts = {
        PrintedCell(row, column): text
        for row in readings.rows
        for column in table.column_labels
        if (text := readings.text(row, column)) is not None
    }
    return Printed(
        rows=readings.rows,
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
    """Put the losses as they are printed, where both sides have theirs as a number."""
    if table.cells != "pair":
        return found
    losses = text.split("/")
    if not all(map(str.isdecimal, losses)):
        return found
    ours, theirs = map(Fraction, losses)
    return found._replace(attacker_steps_lost=ours, defender_steps_lost=theirs)


def _along(table: Table, grid: Grid) -> dict[Axis, str]:
    """Tell where columns and die run in print; what nothing can shift is not compared."""
    if table.columns.of == "roll":
        return {"die": "column"} if len(grid.dice) > 1 else {}
    axes: tuple[tuple[Axis, str, int], ...] = (
        ("column", "column", len(grid.columns)),
        ("die", "row", len(grid.dice)),
    )
    return {axis: printed for axis, printed, places in axes if places > 1}


class _Readings:
    """Reads the cells of a table under the options of a fight, written as results are."""

    def __init__(self, table: Table, fight: Fight) -> None:
        self.table = table
        self.options = fight.case.options
        self.rows = table.row_labels
        if table.cells == "options":  # each side reads its half on its own row
            rows = {lit.side: lit.row for lit in cells_hit(fight, table.id)}
            both = [rows[side] for side in SIDES if side in rows]
            self.rows = ("|".join(both),) if len(both) == 2 else ()

    def text(self, row: str, column: str) -> str | None:
        """Give a cell's text; None where the options refuse to read it."""
        try:
            return self._text(row, column)
        except Refusal:  # a damaged cell: there is nothing to compare
            return None

    def _text(self, row: str, column: str) -> str:
        if self.table.cells == "codes":
            (codes,) = self.table.read(row, column, self.options).options
            return " ".join(codes)
        ours, separator, theirs = row.partition("|")
        halves = (
            self._half(ours, column, "attacker"),
            self._half(theirs or ours, column, "defender"),
        )
        return (separator or "/").join(str(half) or "-" for half in halves)

    def _half(self, row: str, column: str, side: Side) -> Half:
        return self.table.read(row, column, self.options, side)


# ------------------------------------------------------------------ other readings


class Worded(Protocol):
    """Whatever has its words in both languages: a text, a message, a line."""

    def in_(self, lang: Lang, /) -> str: ...


class Doubted(NamedTuple):
    """A doubtful reading and what it concerns."""

    about: Worded
    reading: Reading


def _doubts(card: Card, sheet: Sheet, fight: Fight, odds: Odds) -> tuple[Doubted, ...]:
    """Give every doubtful reading of a procedure's table and modifiers, and those that its fight
    meets, each reason once."""
    found: dict[Text, Doubted] = {}
    for about, reading in (
        *_table_doubts(card.table(sheet.table)),
        *_modifier_doubts(card, sheet),
        *((line, line.reading) for line in (*fight.explain().lines, *odds.doubts)),
    ):
        if reading.reason is not None:
            found.setdefault(reading.reason, Doubted(about, reading))
    return tuple(found.values())


def _table_doubts(table: Table) -> Iterator[tuple[Worded, Reading]]:
    yield table.text, table.reading
    cells: dict[Reading, list[str]] = {}
    for doubt in table.doubts:
        cell = f"{doubt.row}×{doubt.column}{MARKS[doubt.half]}"
        cells.setdefault(doubt.reading, []).append(cell)
    for reading, names in cells.items():
        about = ", ".join(names)
        yield Text(about, about), reading
    for result in table.results:
        yield Text(result.code, result.code), result.reading


def _modifier_doubts(card: Card, sheet: Sheet) -> Iterator[tuple[Worded, Reading]]:
    rows = [row for row in card.modifiers if row.group in sheet.groups]
    limits = {row.limit for row in rows}
    for row in (*rows, *(limit for limit in card.limits if limit.id in limits)):
        yield row.text, row.reading


class Most(NamedTuple):
    """The largest change between two grids, and where it is."""

    measure: Measure
    column: str
    die: int
    change: Fraction


class Switch(Struct, frozen=True, kw_only=True):
    """What playing an option otherwise changes in the maps."""

    option: Option
    choice: Choice
    changed: int = 0  # places
    of: int = 0
    most: Most | None = None
    refused: Message | None = None  # the fight can't be fought so


# ------------------------------------------------------------------ two grids


def difference(now: Grid, then: Grid) -> dict[Place, Figures]:
    """Give what has changed on each place that both grids have, wherever their fights stand."""
    before = {_absolute(then, place): found for place, found in then.cells.items()}
    return {
        place: found.since(before[key])
        for place, found in now.cells.items()
        if (key := _absolute(now, place)) in before
    }


def _absolute(grid: Grid, place: Place) -> tuple[str, int]:
    """Name a place by its column and by the modifier of the die."""
    return column_name(grid, place), grid.die + place.die


def column_name(grid: Grid, place: Place) -> str:
    """Name the column of a place as printed, or by how far it lies from the fight."""
    if grid.column_labels is None:
        return signed(place.columns)
    return grid.column_labels[grid.columns.index(place.columns)]


def _most(grid: Grid, changes: Mapping[Place, Figures], measures: Iterable[Measure]) -> Most | None:
    found = [
        Most(measure, *_absolute(grid, place), measure.of(change))
        for measure in measures
        for place, change in changes.items()
        if measure.of(change)
    ]
    return max(found, key=lambda most: abs(most.change), default=None)


# ------------------------------------------------------------------ all of it


class Base(NamedTuple):
    """What a report is compared with: a card, and options."""

    game: Game
    options: Mapping[str, str]


class Asked(Struct, frozen=True, kw_only=True):
    """What a report is asked about."""

    game: Game
    options: Mapping[str, str] = MappingProxyType({})  # all others as the card has them
    attacker: str = "best"
    defender: str = "best"
    own: Mapping[str, Statements] = MappingProxyType({})  # procedure -> a fight of one's own
    against: Base | None = None

    def fight(self, sheet: Sheet, **options: str) -> Fight:
        """Set up the fight of a procedure, perhaps with another option."""
        stated = dict(self.stated(sheet))
        chosen = {**self.options, **options}
        return self.game.fight(stated, procedure=sheet.procedure, options=chosen)

    def stated(self, sheet: Sheet) -> Statements:
        return self.own.get(sheet.procedure, sheet.example)

    def grid(self, sheet: Sheet, **options: str) -> Grid:
        fight = self.fight(sheet, **options)
        return grid_of(fight, sheet, self.attacker, self.defender)

    def elsewhere(self, base: Base) -> "Asked":
        """Ask the same of another card, or under other options."""
        return Asked(
            game=base.game,
            options=base.options,
            attacker=self.attacker,
            defender=self.defender,
            own=self.own,
        )


class Section(Struct, frozen=True, kw_only=True, eq=False):
    """The report on one procedure."""

    sheet: Sheet
    stated: Statements
    own: bool  # the fight is the reader's
    found: AnalysisSheet
    brings: Mapping[Axis, Mapping[Place, Figures]]  # one column more, one more on the die
    printed: Printed
    printed_dips: tuple[Dip[PrintedCell], ...]
    dips: tuple[Dip[Place], ...]
    spreads: tuple[Spread, ...]
    doubts: tuple[Doubted, ...]
    switches: tuple[Switch, ...]
    difference: Mapping[Place, Figures] | None  # to what the report is compared with


class Report(Struct, frozen=True, kw_only=True, eq=False):
    """The report on the tables of a game."""

    asked: Asked
    sections: tuple[Section, ...]

    @property
    def options(self) -> Mapping[str, str]:
        """All options, as they are played."""
        return self.asked.game.card.chosen(self.asked.options)


def report(asked: Asked) -> Report:
    """Report on every procedure of a game that rolls on a table."""
    for name in (asked.attacker, asked.defender):
        doctrine(name)
    sheets = player_sheet.rolled(asked.game.id)
    return Report(asked=asked, sections=tuple(_section(asked, sheet) for sheet in sheets))


def _section(asked: Asked, sheet: Sheet) -> Section:
    stated = asked.stated(sheet)

    def state(restated: dict[str, object]) -> Fight:
        return asked.game.fight(restated, procedure=sheet.procedure, options=asked.options)

    card = asked.game.card
    found = analyse(sheet, stated, state, asked.attacker, asked.defender)
    printed = _printed(found, card.table(sheet.table))
    against = asked.elsewhere(asked.against).grid(sheet) if asked.against else None
    odds = found.fight.odds(*found.doctrines)
    return Section(
        sheet=sheet,
        stated=stated,
        own=sheet.procedure in asked.own,
        found=found,
        brings=_brings(found),
        printed=printed,
        printed_dips=tuple(_dips(printed.cells, printed.earlier)),
        dips=tuple(_dips(found.grid.cells, found.grid.earlier)),
        spreads=tuple(spread(found.odds(place), place) for place in found.grid.row()),
        doubts=_doubts(card, sheet, found.fight, odds),
        switches=tuple(_switches(asked, sheet, found.grid)),
        difference=difference(found.grid, against) if against else None,
    )


def _brings(found: AnalysisSheet) -> dict[Axis, Mapping[Place, Figures]]:
    """Give what a step along each axis brings; nothing lies beyond the last column."""
    grid, ground = found.grid, found.ground
    if ground is None:
        return {}
    steps: tuple[tuple[Axis, Place, tuple[int, ...]], ...] = (
        ("column", Place(columns=1), grid.columns),
        ("die", Place(die=1), grid.dice),
    )
    return {
        axis: {
            place: ground.moved(place, step).since(now)
            for place, now in grid.cells.items()
            if not step.columns or place.columns < grid.columns[-1]
        }
        for axis, step, places in steps
        if len(places) > 1
    }


def _switches(asked: Asked, sheet: Sheet, grid: Grid) -> Iterator[Switch]:
    """Play each option of the card in every other way, one at a time."""
    card = asked.game.card
    chosen = card.chosen(asked.options)
    for option in card.options:
        for choice in option.choices:
            if choice.id != chosen[option.id]:
                yield _switch(asked, sheet, grid, option, choice)


def _switch(asked: Asked, sheet: Sheet, grid: Grid, option: Option, choice: Choice) -> Switch:
    try:
        other = asked.grid(sheet, **{option.id: choice.id})
    except Refusal as refusal:
        return Switch(option=option, choice=choice, refused=refusal.problem)
    changes = difference(other, grid)
    measures = telling((*grid.cells.values(), *other.cells.values()))
    changed = sum(any(measure.of(change) for measure in measures) for change in changes.values())
    return Switch(
        option=option,
        choice=choice,
        changed=changed,
        of=len(changes),
        most=_most(other, changes, measures),
    )
