"""A report as JSON. docs/report.md explains its keys; every number is exact, written `5/6`."""

from collections.abc import Mapping
from math import sqrt
from typing import Literal

from grognard.draw.json.fight import DoctrinesJson
from grognard.draw.json.structs import Exact, Joined, JsonStruct, joined
from grognard.study.changed_card import changes
from grognard.study.figures import Figures
from grognard.study.grid import Dip, Grid, GridPlace, ShiftAxis
from grognard.study.luck import Luck, PlaceLuck
from grognard.study.modifier_worth import ShiftWorth, StatedWorth
from grognard.study.printed_cells import PrintedCell
from grognard.study.report import Baseline, Doubted, OptionSwitch, Report, Section
from grognard.words.text import Lang

# ------------------------------------------------------------------ places and their numbers


class FiguresJson(JsonStruct):
    """The expected losses and chances of a fight."""

    attacker_steps_lost: Exact
    defender_steps_lost: Exact
    taken: Exact
    vacated: Exact
    attacker_shaken: Exact
    defender_shaken: Exact
    attacker_eliminated: Exact
    defender_eliminated: Exact
    worth: Exact


class PlaceJson(JsonStruct):
    """A place of the analysis: a column of the table and a die modifier."""

    column: str
    die: int


class PlaceFiguresJson(PlaceJson, FiguresJson, metaclass=Joined):
    """A place and the numbers there."""


class PrintedCellJson(JsonStruct):
    """A cell of the printed table."""

    row: str
    column: str


class CellWorthJson(PrintedCellJson):
    """A cell of the printed table: its text and what it is worth."""

    text: str
    worth: FiguresJson | None


def _figures(found: Figures) -> FiguresJson:
    return FiguresJson(**{name: str(value) for name, value in found._asdict().items()})


def _place(grid: Grid, place: GridPlace) -> PlaceJson:
    return PlaceJson(column=grid.column_name(place), die=grid.die + place.die)


def _places(grid: Grid, cells: Mapping[GridPlace, Figures]) -> list[PlaceFiguresJson]:
    return [
        joined(PlaceFiguresJson, _place(grid, place), _figures(found))
        for place, found in cells.items()
    ]


# ------------------------------------------------------------------ what modifiers are worth


class ShiftWorthJson(JsonStruct):
    """What a shift is worth at each place, and the modifiers that give it."""

    axis: ShiftAxis
    amount: int
    modifiers: list[str]
    worth: list[PlaceFiguresJson]


class ModifierWorthJson(JsonStruct):
    """What a modifier that is no shift is worth in this fight, or why that can't be said."""

    modifier: str
    stated: str | None
    worth: FiguresJson | None
    why: list[str]


def _shift(grid: Grid, shift: ShiftWorth) -> ShiftWorthJson:
    return ShiftWorthJson(
        axis=shift.axis,
        amount=shift.amount,
        modifiers=[modifier.id for modifier in shift.modifiers],
        worth=_places(grid, dict(zip(grid.row(), shift.worth, strict=True))),
    )


def _modifier(other: StatedWorth, lang: Lang) -> ModifierWorthJson:
    return ModifierWorthJson(
        modifier=other.modifier.id,
        stated=other.control.place if other.control else None,
        worth=None if other.worth is None else _figures(other.worth),
        why=[why.in_(lang) for why in other.why],
    )


# ------------------------------------------------------------------ uneven places


class DipJson(JsonStruct):
    """The comparison of a place with a neighbour where the attacker is better off."""

    axis: ShiftAxis
    measure: str
    here: Exact
    there: Exact
    worse_by: Exact
    all_in_all: bool


class ThanPlaceJson(JsonStruct):
    """The neighbour of a place."""

    than: PlaceJson


class ThanCellJson(JsonStruct):
    """The neighbour of a printed cell."""

    than: PrintedCellJson


class PlaceDipJson(PlaceJson, ThanPlaceJson, DipJson, metaclass=Joined):
    """A place that is worse for the attacker than its neighbour."""


class CellDipJson(PrintedCellJson, ThanCellJson, DipJson, metaclass=Joined):
    """A printed cell that is worse for the attacker than its neighbour."""


class UnevenJson(JsonStruct):
    """The uneven places of a table, as printed and as expected."""

    printed: list[CellDipJson]
    expected: list[PlaceDipJson]


def _uneven(section: Section) -> UnevenJson:
    grid = section.found.grid
    return UnevenJson(
        printed=[
            joined(CellDipJson, _cell(dip.at), ThanCellJson(than=_cell(dip.than)), _dip(dip))
            for dip in section.printed_dips
        ],
        expected=[
            joined(
                PlaceDipJson,
                _place(grid, dip.at),
                ThanPlaceJson(than=_place(grid, dip.than)),
                _dip(dip),
            )
            for dip in section.dips
        ],
    )


def _cell(cell: PrintedCell) -> PrintedCellJson:
    return PrintedCellJson(row=cell.row, column=cell.column)


def _dip(dip: Dip[GridPlace] | Dip[PrintedCell]) -> DipJson:
    return DipJson(
        axis=dip.axis,
        measure=dip.measure.id,
        here=str(dip.now),
        there=str(dip.then),
        worse_by=str(abs(dip.now - dip.then)),
        all_in_all=dip.all_in_all,
    )


# ------------------------------------------------------------------ luck


class PercentilesJson(JsonStruct, rename={"low": "10", "middle": "50", "high": "90"}):
    """The values that are not exceeded in 10, 50 and 90 % of all fights."""

    low: str
    middle: str
    high: str


class LuckJson(JsonStruct):
    """The distribution of a number."""

    chances: dict[str, Exact]
    mean: Exact
    variance: Exact
    deviation: str
    points: PercentilesJson


class SpreadJson(PlaceJson):
    """How luck spreads at a place."""

    attacker_steps_lost: LuckJson
    defender_steps_lost: LuckJson
    worth: LuckJson
    ahead: Exact
    equal: Exact
    behind: Exact


def _spread(grid: Grid, spread: PlaceLuck) -> SpreadJson:
    return SpreadJson(
        column=grid.column_name(spread.place),
        die=grid.die + spread.place.die,
        attacker_steps_lost=_luck(spread.losses["attacker"]),
        defender_steps_lost=_luck(spread.losses["defender"]),
        worth=_luck(spread.points),
        ahead=str(spread.ahead),
        equal=str(spread.equal),
        behind=str(spread.behind),
    )


def _luck(luck: Luck) -> LuckJson:
    low, middle, high = map(str, luck.points)
    return LuckJson(
        chances={str(value): str(chance) for value, chance in luck.chances.items()},
        mean=str(luck.mean),
        variance=str(luck.variance),
        deviation=f"{sqrt(luck.variance):.6f}",
        points=PercentilesJson(low=low, middle=middle, high=high),
    )


# ------------------------------------------------------------------ doubts and options


class DoubtedJson(JsonStruct):
    """A doubtful reading of the card."""

    about: str
    status: Literal["certain", "reconstructed", "assumed"]
    confidence: int | None
    reason: str | None
    option: str | None


class MostJson(JsonStruct):
    """The largest change that an option makes."""

    measure: str
    column: str
    die: int
    change: Exact


class SwitchJson(JsonStruct):
    """An option played otherwise: how many numbers that changes, or why it can't be fought so."""

    option: str
    choice: str
    changed: int
    of: int
    most: MostJson | None
    refused: str | None


def _doubt(doubt: Doubted, lang: Lang) -> DoubtedJson:
    reading = doubt.reading
    return DoubtedJson(
        about=doubt.about.in_(lang),
        status=reading.status,
        confidence=reading.confidence,
        reason=reading.reason.in_(lang) if reading.reason else None,
        option=reading.option,
    )


def _switch(switch: OptionSwitch, lang: Lang) -> SwitchJson:
    most = switch.most
    return SwitchJson(
        option=switch.option.id,
        choice=switch.choice.id,
        changed=switch.changed,
        of=switch.of,
        most=None
        if most is None
        else MostJson(
            measure=most.measure.id, column=most.column, die=most.die, change=str(most.change)
        ),
        refused=switch.refused.in_(lang) if switch.refused else None,
    )


# ------------------------------------------------------------------ the whole report


class SectionJson(JsonStruct):
    """The report on one procedure."""

    procedure: str
    table: str
    own: bool
    fight: Mapping[str, object]
    as_stated: FiguresJson
    here: PlaceJson
    measures: list[str]
    places: list[PlaceFiguresJson]
    brings: dict[ShiftAxis, list[PlaceFiguresJson]]
    shifts: list[ShiftWorthJson]
    modifiers: list[ModifierWorthJson]
    printed: list[CellWorthJson]
    uneven: UnevenJson
    luck: list[SpreadJson]
    doubts: list[DoubtedJson]
    switches: list[SwitchJson]
    difference: list[PlaceFiguresJson] | None


class CardChangeJson(JsonStruct):
    """A difference between two cards."""

    what: str
    then: str
    now: str


class AgainstJson(JsonStruct):
    """The card with which the report compares."""

    options: Mapping[str, str]
    changed: list[CardChangeJson]


class ReportJson(JsonStruct):
    """A report on the tables of a game."""

    game: str
    options: Mapping[str, str]
    doctrines: DoctrinesJson
    against: AgainstJson | None
    procedures: list[SectionJson]


def report_json(report: Report, lang: Lang) -> ReportJson:
    """Give everything that the page shows, with exact numbers."""
    asked = report.request
    return ReportJson(
        game=asked.game.id,
        options=dict(report.options),
        doctrines=DoctrinesJson(attacker=asked.attacker, defender=asked.defender),
        against=None if asked.against is None else _against(report, asked.against, lang),
        procedures=[_section(section, lang) for section in report.sections],
    )


def _against(report: Report, base: Baseline, lang: Lang) -> AgainstJson:
    found = changes(report.request.game.card, base.game.card)
    return AgainstJson(
        options=dict(base.game.card.chosen(base.options)),
        changed=[
            CardChangeJson(what=c.what.in_(lang), then=c.then.in_(lang), now=c.now.in_(lang))
            for c in found
        ],
    )


def _section(section: Section, lang: Lang) -> SectionJson:
    found, grid = section.found, section.found.grid
    worth = section.printed.cells
    return SectionJson(
        procedure=section.sheet.procedure,
        table=section.sheet.table,
        own=section.own,
        fight=dict(section.stated),
        as_stated=_figures(found.as_stated),
        here=_place(grid, GridPlace()),
        measures=[measure.id for measure in grid.shown()],
        places=_places(grid, grid.cells),
        brings={axis: _places(grid, of) for axis, of in section.brings.items()},
        shifts=[_shift(grid, shift) for shift in found.shifts],
        modifiers=[_modifier(other, lang) for other in found.others],
        printed=[
            CellWorthJson(
                row=cell.row,
                column=cell.column,
                text=text,
                worth=_figures(worth[cell]) if cell in worth else None,
            )
            for cell, text in section.printed.texts.items()
        ],
        uneven=_uneven(section),
        luck=[_spread(grid, spread) for spread in section.spreads],
        doubts=[_doubt(doubt, lang) for doubt in section.doubts],
        switches=[_switch(switch, lang) for switch in section.switches],
        difference=None if section.difference is None else _places(grid, section.difference),
    )
