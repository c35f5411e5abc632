"""The parts that the analysis page and the page of a report share."""

from collections.abc import Iterable
from typing import NamedTuple

from grognard.study.analysis import AnalysisSheet
from grognard.study.grid import HERE
from grognard.study.player_sheet import PlayerSheet
from grognard.web.quick.panel import ShownLine
from grognard.web.quick.shown_units import ShownList, StatedJson, shown_lists
from grognard.web.report.heat_maps import (
    ADDED,
    Maps,
    ShownShift,
    ShownWorths,
    alike,
    shown_others,
    shown_shifts,
)
from grognard.words.message import Message


class ShownAnalysis(NamedTuple):
    """A fight that was analysed, and what shifts and modifiers are worth in it."""

    own: bool  # whether somebody stated the fight; else it is the example
    lists: tuple[ShownList, ...]
    counting: tuple[ShownLine, ...]  # the modifiers that count
    alike: tuple[str, ...]
    secret: bool  # something may still be committed; the maps leave that out
    shaken: bool
    shifts: tuple[ShownShift, ...]
    along: Message
    others: ShownWorths | None


def shown_analysis(
    found: AnalysisSheet,
    sheet: PlayerSheet,
    stated: StatedJson,
    lines: Iterable[ShownLine],
    maps: Maps,
    *,
    own: bool,
) -> ShownAnalysis:
    """Lay out an analysis; `lines` explain the fight."""
    return ShownAnalysis(
        own=own,
        lists=shown_lists(sheet, stated, found.fight.case.card),
        counting=tuple(line for line in lines if line.kind == "modifier"),
        alike=tuple(alike(left_out, same, maps) for left_out, same in found.grid.alike()),
        secret=found.as_stated != found.grid.cells[HERE],
        shaken=any(measure.id.endswith("shaken") for measure in maps.measures),
        shifts=tuple(shown_shifts(found, maps)),
        along=ADDED[found.grid.axis],
        others=shown_others(found, sheet, maps),
    )
