"""The report on a game's tables, for a designer who balances one: grids, the worth of modifiers,
uneven places, luck, and the readings and options on which the numbers rest."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.card import Card, Choice, Option
from grognard.card.rows import Reading
from grognard.card.tables import Table
from grognard.card.wording import MARKS, in_words
from grognard.fights.chances import Odds
from grognard.fights.doctrine import doctrine
from grognard.rules.fight import Case, Fight
from grognard.rules.procedure import Game
from grognard.rules.watched_options import WatchedOptions
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet
from grognard.study.analysis import AnalysisSheet, analyse, grid_of
from grognard.study.figures import WORTH, Figures, Measure, telling
from grognard.study.grid import Dip, Earlier, Grid, GridPlace, P, ShiftAxis, difference, dips
from grognard.study.luck import PlaceLuck, place_luck
from grognard.study.modifier_worth import Statements
from grognard.study.printed_cells import Printed, PrintedCell, printed_cells
from grognard.words.message import Message
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS, Lang, Text


class Worded(Protocol):
    """Anything with words in both languages: a text, a message, a line."""

    def in_(self, lang: Lang, /) -> str: ...


class Doubted(NamedTuple):
    """A doubtful reading and its subject."""

    about: Worded
    reading: Reading


def _doubts(card: Card, sheet: PlayerSheet, fight: Fight, odds: Odds) -> tuple[Doubted, ...]:
    """Give the doubtful readings of a table, its modifiers and the fight, each reason once."""
    found: dict[Text, Doubted] = {}
    for about, reading in (
        *_table_doubts(card, card.table(sheet.table)),
        *_modifier_doubts(card, sheet),
        *((line, line.reading) for line in (*fight.explain().lines, *odds.doubts)),
    ):
        if reading.reason is not None:
            found.setdefault(reading.reason, Doubted(about, reading))
    return tuple(found.values())


def _table_doubts(card: Card, table: Table) -> Iterator[tuple[Worded, Reading]]:
    yield table.text, table.reading
    cells: dict[Reading, list[str]] = {}
    for doubt in table.doubts:
        cell = f"{doubt.row}×{doubt.column}{MARKS[doubt.half]}"
        cells.setdefault(doubt.reading, []).append(cell)
    for reading, names in cells.items():
        about = ", ".join(names)
        yield Text(about, about), reading
    for result in table.results:
        code = Text(*(in_words(result.code, card, lang) for lang in LANGS))
        yield code, result.reading


def _modifier_doubts(card: Card, sheet: PlayerSheet) -> Iterator[tuple[Worded, Reading]]:
    rows = [row for row in card.modifiers if row.group in sheet.groups]
    limits = {row.limit for row in rows}
    for row in (*rows, *(limit for limit in card.limits if limit.id in limits)):
        yield row.text, row.reading


class LargestChange(NamedTuple):
    """The largest change between two grids, and its place."""

    measure: Measure
    column: str
    die: int
    change: Fraction


class OptionSwitch(Struct, frozen=True, kw_only=True):
    """The change in the grid if an option is played in another way."""

    option: Option
    choice: Choice
    changed: int = 0  # number of changed places
    of: int = 0  # number of all places
    most: LargestChange | None = None
    refused: Message | None = None  # the rules refuse the fight under this option


def _largest_change(
    grid: Grid, changes: Mapping[GridPlace, Figures], measures: Iterable[Measure]
) -> LargestChange | None:
    found = [
        LargestChange(measure, *grid.absolute(place), measure.of(change))
        for measure in measures
        for place, change in changes.items()
        if measure.of(change)
    ]
    return max(found, key=lambda most: abs(most.change), default=None)


class Baseline(NamedTuple):
    """The card and options that a report is compared with."""

    game: Game
    options: Mapping[str, str]


class ReportRequest(Struct, frozen=True, kw_only=True):
    """The subject of a report: a game, options, doctrines, and fights of the reader's own."""

    game: Game
    options: Mapping[str, str] = MappingProxyType({})  # those that differ from the card
    attacker: str = "best"
    defender: str = "best"
    own: Mapping[str, Statements] = MappingProxyType({})  # procedure -> the reader's own fight
    against: Baseline | None = None

    def fight(self, sheet: PlayerSheet, **options: str) -> Fight:
        """Make the fight of a procedure, perhaps with another option."""
        stated = dict(self.stated(sheet))
        chosen = {**self.options, **options}
        return self.game.fight(stated, procedure=sheet.procedure, options=chosen)

    def stated(self, sheet: PlayerSheet) -> Statements:
        return self.own.get(sheet.procedure, sheet.example)

    def grid(self, sheet: PlayerSheet, **options: str) -> Grid:
        fight = self.fight(sheet, **options)
        return grid_of(fight, sheet, self.attacker, self.defender)

    def with_baseline(self, baseline: Baseline) -> "ReportRequest":
        """Make the same request for the card and options of a baseline."""
        return replace(self, game=baseline.game, options=baseline.options, against=None)


class Section(Struct, frozen=True, kw_only=True, eq=False):
    """The report on one procedure."""

    sheet: PlayerSheet
    stated: Statements
    own: bool  # whether the fight is the reader's own
    found: AnalysisSheet
    brings: Mapping[ShiftAxis, Mapping[GridPlace, Figures]]  # the change by one step on an axis
    printed: Printed
    printed_dips: tuple[Dip[PrintedCell], ...]
    dips: tuple[Dip[GridPlace], ...]
    spreads: tuple[PlaceLuck, ...]
    doubts: tuple[Doubted, ...]
    switches: tuple[OptionSwitch, ...]
    difference: Mapping[GridPlace, Figures] | None  # from the baseline


class Report(Struct, frozen=True, kw_only=True, eq=False):
    """The report on the tables of a game."""

    request: ReportRequest
    sections: tuple[Section, ...]

    @property
    def options(self) -> Mapping[str, str]:
        """All options, as they are played."""
        return self.request.game.card.chosen(self.request.options)


def report(request: ReportRequest) -> Report:
    """Report on every procedure of a game that rolls on a table."""
    for name in (request.attacker, request.defender):
        doctrine(name)
    sheets = [sheet for sheet in player_sheet.rolled(request.game.id) if request.stated(sheet)]
    return Report(request=request, sections=tuple(_section(request, sheet) for sheet in sheets))


def _section(request: ReportRequest, sheet: PlayerSheet) -> Section:
    stated = request.stated(sheet)

    def make_fight(restated: dict[str, object]) -> Fight:
        return request.game.fight(restated, procedure=sheet.procedure, options=request.options)

    card = request.game.card
    found = analyse(sheet, stated, make_fight, request.attacker, request.defender)
    sheet = sheet.read_by(found.fight.explain())
    printed = printed_cells(found, card.table(sheet.table))
    against = request.with_baseline(request.against).grid(sheet) if request.against else None
    odds = found.fight.odds(*found.doctrines)
    return Section(
        sheet=sheet,
        stated=stated,
        own=sheet.procedure in request.own,
        found=found,
        brings=_brings(found),
        printed=printed,
        printed_dips=tuple(_all_dips(printed.cells, printed.earlier)),
        dips=tuple(_all_dips(found.grid.cells, found.grid.earlier)),
        spreads=tuple(place_luck(found.odds(place), place) for place in found.grid.row()),
        doubts=_doubts(card, sheet, found.fight, odds),
        switches=tuple(_switches(request, sheet, found.grid)),
        difference=difference(found.grid, against) if against else None,
    )


def _all_dips(cells: Mapping[P, Figures], earlier: Earlier[P]) -> Iterator[Dip[P]]:
    """Compare every place with those before it: by worth first, then by each measure."""
    for measure in (WORTH, *telling(cells.values())):
        for at in cells:
            yield from dips(cells, earlier, measure, at)


def _brings(found: AnalysisSheet) -> dict[ShiftAxis, Mapping[GridPlace, Figures]]:
    """Give the change by one step along each axis, up to the last column."""
    grid, shifted = found.grid, found.shifted
    if shifted is None:
        return {}
    steps: tuple[tuple[ShiftAxis, GridPlace, tuple[int, ...]], ...] = (
        ("column", GridPlace(columns=1), grid.columns),
        ("die", GridPlace(die=1), grid.dice),
    )
    return {
        axis: {
            place: shifted.figures(place, step).since(now)
            for place, now in grid.cells.items()
            if not step.columns or place.columns < grid.columns[-1]
        }
        for axis, step, places in steps
        if len(places) > 1
    }


def _switches(request: ReportRequest, sheet: PlayerSheet, grid: Grid) -> Iterator[OptionSwitch]:
    """Play each option of the card with every other choice, one at a time."""
    card = request.game.card
    chosen = card.chosen(request.options)
    looked_at = _looked_at(request, sheet)
    for option in card.options:
        for choice in option.choices:
            if choice.id != chosen[option.id] and option.id in looked_at:
                yield _switch(request, sheet, grid, option, choice)
            elif choice.id != chosen[option.id]:
                yield OptionSwitch(option=option, choice=choice, of=len(grid.cells))


def _looked_at(request: ReportRequest, sheet: PlayerSheet) -> set[str]:
    """Name the options that the rules look at anywhere on the table; another choice of the others,
    most of them about the map, changes nothing."""
    fight = request.fight(sheet)
    options = WatchedOptions(fight.case.options)
    case = Case(fight.case.card, options, fight.case.setup, fight.case.procedure)
    case.procedure.check(case.setup, case.card, options)
    grid_of(case.procedure.start(case), sheet, request.attacker, request.defender)
    return options.looked_at


def _switch(
    request: ReportRequest, sheet: PlayerSheet, grid: Grid, option: Option, choice: Choice
) -> OptionSwitch:
    try:
        other = request.grid(sheet, **{option.id: choice.id})
    except Refusal as refusal:
        return OptionSwitch(option=option, choice=choice, refused=refusal.problem)
    changes = difference(other, grid)
    measures = telling((*grid.cells.values(), *other.cells.values()))
    changed = sum(any(measure.of(change) for measure in measures) for change in changes.values())
    return OptionSwitch(
        option=option,
        choice=choice,
        changed=changed,
        of=len(changes),
        most=_largest_change(other, changes, measures),
    )
