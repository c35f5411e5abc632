"""A report as JSON. docs/report.md explains its keys; every number is exact, written `5/6`."""

from collections.abc import Mapping
from math import sqrt

from grognard.study.changed_card import changes
from grognard.study.figures import Figures
from grognard.study.grid import Dip, Grid, GridPlace
from grognard.study.luck import Luck, PlaceLuck
from grognard.study.printed_cells import PrintedCell
from grognard.study.report import Baseline, Doubted, OptionSwitch, Report, Section
from grognard.words.text import Lang

ReportPart = dict[str, object]


def report_json(report: Report, lang: Lang) -> ReportPart:
    """Give everything that the page shows, with exact numbers."""
    asked = report.request
    return {
        "game": asked.game.id,
        "options": dict(report.options),
        "doctrines": {"attacker": asked.attacker, "defender": asked.defender},
        "against": None if asked.against is None else _against(report, asked.against, lang),
        "procedures": [_section(section, lang) for section in report.sections],
    }


def _against(report: Report, base: Baseline, lang: Lang) -> ReportPart:
    found = changes(report.request.game.card, base.game.card)
    return {
        "options": dict(base.game.card.chosen(base.options)),
        "changed": [
            {"what": c.what.in_(lang), "then": c.then.in_(lang), "now": c.now.in_(lang)}
            for c in found
        ],
    }


def _section(section: Section, lang: Lang) -> ReportPart:
    found, grid = section.found, section.found.grid
    return {
        "procedure": section.sheet.procedure,
        "table": section.sheet.table,
        "own": section.own,
        "fight": dict(section.stated),
        "as_stated": _figures(found.as_stated),
        "here": _place(grid, GridPlace()),
        "measures": [measure.id for measure in grid.shown()],
        "places": _places(grid, grid.cells),
        "brings": {axis: _places(grid, of) for axis, of in section.brings.items()},
        "shifts": [
            {
                "axis": shift.axis,
                "amount": shift.amount,
                "modifiers": [modifier.id for modifier in shift.modifiers],
                "worth": _places(grid, dict(zip(grid.row(), shift.worth, strict=True))),
            }
            for shift in found.shifts
        ],
        "modifiers": [
            {
                "modifier": other.modifier.id,
                "stated": other.control.place if other.control else None,
                "worth": _figures(other.worth),
                "why": [why.in_(lang) for why in other.why],
            }
            for other in found.others
        ],
        "printed": [
            {**cell._asdict(), "text": text, "worth": _figures(section.printed.cells.get(cell))}
            for cell, text in section.printed.texts.items()
        ],
        "uneven": {
            "printed": [
                _dip(dip, dip.at._asdict(), dip.than._asdict()) for dip in section.printed_dips
            ],
            "expected": [
                _dip(dip, _place(grid, dip.at), _place(grid, dip.than)) for dip in section.dips
            ],
        },
        "luck": [_spread(grid, spread) for spread in section.spreads],
        "doubts": [_doubt(doubt, lang) for doubt in section.doubts],
        "switches": [_switch(switch, lang) for switch in section.switches],
        "difference": None if section.difference is None else _places(grid, section.difference),
    }


def _numbers(found: Figures) -> ReportPart:
    return {name: str(value) for name, value in found._asdict().items()}


def _figures(found: Figures | None) -> ReportPart | None:
    return None if found is None else _numbers(found)


def _place(grid: Grid, place: GridPlace) -> ReportPart:
    return {"column": grid.column_name(place), "die": grid.die + place.die}


def _places(grid: Grid, cells: Mapping[GridPlace, Figures]) -> list[ReportPart]:
    return [{**_place(grid, place), **_numbers(found)} for place, found in cells.items()]


def _dip(dip: Dip[GridPlace] | Dip[PrintedCell], at: ReportPart, than: ReportPart) -> ReportPart:
    return {
        **at,
        "than": than,
        "axis": dip.axis,
        "measure": dip.measure.id,
        "here": str(dip.now),
        "there": str(dip.then),
        "worse_by": str(abs(dip.now - dip.then)),
        "all_in_all": dip.all_in_all,
    }


def _spread(grid: Grid, spread: PlaceLuck) -> ReportPart:
    return {
        **_place(grid, spread.place),
        **{f"{side}_steps_lost": _luck(luck) for side, luck in spread.losses.items()},
        "worth": _luck(spread.points),
        "ahead": str(spread.ahead),
        "equal": str(spread.equal),
        "behind": str(spread.behind),
    }


def _luck(luck: Luck) -> ReportPart:
    low, middle, high = luck.points
    return {
        "chances": {str(value): str(chance) for value, chance in luck.chances.items()},
        "mean": str(luck.mean),
        "variance": str(luck.variance),
        "deviation": f"{sqrt(luck.variance):.6f}",
        "points": {"10": str(low), "50": str(middle), "90": str(high)},
    }


def _doubt(doubt: Doubted, lang: Lang) -> ReportPart:
    reading = doubt.reading
    return {
        "about": doubt.about.in_(lang),
        "status": reading.status,
        "confidence": reading.confidence,
        "reason": reading.reason.in_(lang) if reading.reason else None,
        "option": reading.option,
    }


def _switch(switch: OptionSwitch, lang: Lang) -> ReportPart:
    most = switch.most
    return {
        "option": switch.option.id,
        "choice": switch.choice.id,
        "changed": switch.changed,
        "of": switch.of,
        "most": most
        and {
            "measure": most.measure.id,
            "column": most.column,
            "die": most.die,
            "change": str(most.change),
        },
        "refused": switch.refused.in_(lang) if switch.refused else None,
    }
