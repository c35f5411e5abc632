"""What the analysis page and the page of a report share: the fight, and what shifts and modifiers
are worth in it."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.modifier_rows import Modifier
from grognard.card.rows import Side
from grognard.card.wording import MARKS, effect
from grognard.study.aid import PlayerSheet
from grognard.study.analysis import AnalysisSheet
from grognard.study.figures import Measure, telling
from grognard.study.grid import HERE, ShiftAxis
from grognard.study.modifier_worth import ShiftWorth, StatedWorth
from grognard.web.quick.panel import ShownLine
from grognard.web.quick.shown_units import ListRequest, ShownList, StatedJson, shown_lists
from grognard.web.report.heat_maps import HeatCell, HeatMap, Maps, change
from grognard.words.message import Message, say
from grognard.words.numbers import signed
from grognard.words.text import Lang, Text

MOST_BESIDE = 5  # measures shown for each shift
ADDED: Mapping[ShiftAxis, Message] = {
    "column": say("added at each column; chances in percentage points"),
    "die": say("added at each die modifier; chances in percentage points"),
}


class ShownModifier(NamedTuple):
    """A modifier as on the card."""

    printed: Modifier
    effect: str


class ShownShift(NamedTuple):
    """What a shift is worth at each place, and the modifiers that give it."""

    name: str
    modifiers: tuple[ShownModifier, ...]
    map: HeatMap


class ShownWorth(NamedTuple):
    """What another modifier is worth in this fight."""

    modifier: ShownModifier
    mark: str  # of the list by which it is stated, if there are several ways
    of: str
    cells: tuple[HeatCell, ...]  # none: it depends on the units
    why: tuple[Text, ...]


class ShownWorths(NamedTuple):
    """What modifiers that are no shift are worth, with a column for each measure."""

    columns: tuple[tuple[Side, str], ...]  # side, name
    rows: tuple[ShownWorth, ...]


def _modifier(card: Card, modifier: Modifier, lang: Lang) -> ShownModifier:
    return ShownModifier(modifier, effect(card, modifier, lang))


def _shift_name(shift: ShiftWorth, lang: Lang) -> str:
    columns = say("columns") if abs(shift.amount) > 1 else say("column")
    what = say("die") if shift.axis == "die" else columns
    return f"{signed(shift.amount)} {what.in_(lang)}"


def shown_shifts(found: AnalysisSheet, maps: Maps) -> Iterator[ShownShift]:
    """Lay out what each shift is worth; shades are compared over all shifts."""
    card, lang = found.fight.case.card, maps.lang
    measures = maps.measures[:MOST_BESIDE]
    most = {
        m: max((abs(m.of(worth)) for shift in found.shifts for worth in shift.worth), default=0)
        for m in measures
    }
    for shift in found.shifts:
        rows = tuple(
            maps.measured(
                m,
                tuple(
                    change(m, m.of(worth), Fraction(most[m]), lang)._replace(here=place == HERE)
                    for place, worth in zip(found.grid.row(), shift.worth, strict=True)
                ),
            )
            for m in measures
        )
        yield ShownShift(
            _shift_name(shift, lang),
            tuple(_modifier(card, modifier, lang) for modifier in shift.modifiers),
            maps.strip(_shift_name(shift, lang), rows),
        )


def shown_others(found: AnalysisSheet, sheet: PlayerSheet, maps: Maps) -> ShownWorths | None:
    """Lay out what modifiers that are no shift are worth in this fight."""
    if not found.others:
        return None
    worths = [other.worth for other in found.others if other.worth is not None]
    measures = telling(worths)
    most = {m: max((abs(m.of(worth)) for worth in worths), default=Fraction(0)) for m in measures}
    several = {
        other.modifier.id
        for other in found.others
        if sum(other.modifier.id == o.modifier.id for o in found.others) > 1
    }
    card, lang = found.fight.case.card, maps.lang
    return ShownWorths(
        tuple((m.side, maps.name(m)) for m in measures),
        tuple(
            ShownWorth(
                _modifier(card, other.modifier, lang),
                *(_stated_by(other, sheet, lang) if other.modifier.id in several else ("", "")),
                tuple(change(m, m.of(other.worth), most[m], lang) for m in measures)
                if other.worth
                else (),
                other.why,
            )
            for other in found.others
        ),
    )


def _stated_by(other: StatedWorth, sheet: PlayerSheet, lang: Lang) -> tuple[str, str]:
    """Name the list of units, or the control, by which a modifier is stated."""
    control = other.control
    if control is None:
        return "", ""
    units = next((units for units in sheet.units if units.list == control.list), None)
    return (MARKS[units.side], units.text.in_(lang)) if units else ("", control.text.in_(lang))


def alike(left_out: Measure, same: Measure, maps: Maps) -> str:
    """Say that a measure that is not shown equals another everywhere."""
    one, other = (f"{MARKS[m.side]} {m.words(maps.card, maps.lang)}" for m in (left_out, same))
    return say("{one}: everywhere as {other}", one=one, other=other).in_(maps.lang)


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
        lists=shown_lists(sheet, stated, found.fight.case.card, ListRequest(maps.lang)),
        counting=tuple(line for line in lines if line.kind == "modifier"),
        alike=tuple(alike(left_out, same, maps) for left_out, same in found.grid.alike()),
        secret=found.as_stated != found.grid.cells[HERE],
        shaken=any(measure.id.endswith("shaken") for measure in maps.measures),
        shifts=tuple(shown_shifts(found, maps)),
        along=ADDED[found.grid.axis],
        others=shown_others(found, sheet, maps),
    )
