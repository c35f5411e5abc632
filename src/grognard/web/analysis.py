"""The analysis page: a fight on every place of its table, and what each modifier is worth there.

It shows a typical fight of the procedure, or the one that the address of quick combat states.
"""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from grognard import aid, game
from grognard.aid import Control, Sheet
from grognard.analysis import (
    BESIDE_COLUMNS,
    HERE,
    AnalysisSheet,
    Axis,
    Grid,
    Measure,
    Place,
    ShiftWorth,
    StatedWorth,
    analyse,
    telling,
)
from grognard.card import Card, Modifier, Side
from grognard.doctrine import DOCTRINES, Doctrine, doctrine
from grognard.fight import Fight
from grognard.fight_file import stated_fight
from grognard.line import signed
from grognard.message import Message, say
from grognard.refusal import Refusal, near
from grognard.show_card import effect
from grognard.show_fight import decimal, in_words
from grognard.text import Lang, Text
from grognard.web.language import language
from grognard.web.limits import check_body, limited_fight
from grognard.web.page import page, page_route
from grognard.web.panel import MARKS, Panel, ShownLine, panel
from grognard.web.refused import Refused
from grognard.web.units import ShownList, Stated, shown_lists

MOST_BESIDE = 5  # measures that are told of each shift
KEPT = 64  # analyses that are remembered
NARROW = (
    2  # how far the die is looked at in a fight that is stated, so that it is within the limits
)


# ------------------------------------------------------------------ numbers


def written(measure: Measure, value: Fraction, lang: Lang) -> str:
    """Write a number in the little room of a cell: chances in percent, means with two decimals."""
    if not measure.chance:
        return decimal(float(value), 2, lang)
    percent = round(value * 100)
    if percent == 0 and value:
        return "<1"
    return ">99" if percent == 100 and value != 1 else str(percent)


def changed(measure: Measure, value: Fraction, lang: Lang) -> str:
    """Write a change with its sign; what does not change is 0."""
    if not value:
        return "0"
    return ("+" if value > 0 else "−") + written(measure, abs(value), lang)


# ------------------------------------------------------------------ heat maps

_AXES: Mapping[Axis, Message] = {"column": say("column"), "die": say("die modifier")}
_SIGNS: Mapping[tuple[Axis, bool], str] = {
    ("column", False): "←",
    ("column", True): "⇐",
    ("die", False): "↑",
    ("die", True): "⇑",
}
_WORSE: Mapping[tuple[Axis, bool], Message] = {
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
    exact: Fraction
    heat: float  # 0 to 1
    here: bool = False
    signs: tuple[Sign, ...] = ()
    side: Side | None = None  # whom a change helps


class HeatRow(NamedTuple):
    """A row of a heat map: a die modifier, or a measure."""

    name: str
    mark: str
    side: Side | None
    here: bool
    cells: tuple[HeatCell, ...]


class HeatMap(NamedTuple):
    """A table of numbers with shades."""

    name: str
    mark: str
    side: Side | None
    corner: str
    columns: tuple[str, ...]
    here: int  # the column of the fight itself
    rows: tuple[HeatRow, ...]


class _Maps:
    """Lays the grid of an analysis out."""

    def __init__(self, grid: Grid, lang: Lang) -> None:
        self.grid = grid
        self.lang = lang
        self.measures = grid.shown()

    def maps(self) -> tuple[HeatMap, ...]:
        """A map a measure, or a single one of all measures where there is only one row."""
        if len(self.grid.columns) > 1 and len(self.grid.dice) > 1:
            return tuple(map(self._map, self.measures))
        return (self._strip(),) if len(self.grid.row()) > 1 else ()

    def _map(self, measure: Measure) -> HeatMap:
        grid = self.grid
        rows = tuple(
            HeatRow(
                signed(grid.die + die),
                "",
                None,
                die == 0,
                tuple(self._cell(measure, Place(column, die)) for column in grid.columns),
            )
            for die in grid.dice
        )
        return HeatMap(
            self.name(measure),
            MARKS[measure.side],
            measure.side,
            _AXES["die"].in_(self.lang),
            self.names("column"),
            grid.columns.index(0),
            rows,
        )

    def _strip(self) -> HeatMap:
        places = self.grid.row()
        rows = tuple(
            self.measured(measure, tuple(self._cell(measure, place) for place in places))
            for measure in self.measures
        )
        return self.strip(_AXES[self.grid.axis].in_(self.lang), rows)

    def strip(self, corner: str, rows: tuple[HeatRow, ...]) -> HeatMap:
        """Lay out rows of measures along the axis of the grid."""
        here = self.grid.row().index(HERE)
        return HeatMap("", "", None, corner, self.names(self.grid.axis), here, rows)

    def measured(self, measure: Measure, cells: tuple[HeatCell, ...]) -> HeatRow:
        return HeatRow(self.name(measure), MARKS[measure.side], measure.side, False, cells)

    def name(self, measure: Measure) -> str:
        words = measure.text.in_(self.lang)
        return f"{words} (%)" if measure.chance else words

    def names(self, axis: Axis) -> tuple[str, ...]:
        if axis == "column":
            return self.grid.column_labels or tuple(map(signed, self.grid.columns))
        return tuple(signed(self.grid.die + die) for die in self.grid.dice)

    def _cell(self, measure: Measure, place: Place) -> HeatCell:
        value = measure.of(self.grid.cells[place])
        most = max(map(measure.of, self.grid.cells.values()))
        return HeatCell(
            written(measure, value, self.lang),
            value,
            float(value if measure.chance else value / most),
            here=place == HERE,
            signs=tuple(
                Sign(self._sign(uneven), _WORSE[uneven].in_(self.lang))
                for uneven in self.grid.uneven(measure, place)
            ),
        )

    def _sign(self, uneven: tuple[Axis, bool]) -> str:
        """Point to the neighbour; dice stand side by side where there are no columns."""
        axis, all_in_all = uneven
        return _SIGNS["column" if self.grid.axis == "die" else axis, all_in_all]


# ------------------------------------------------------------------ what modifiers are worth


_ADDED: Mapping[Axis, Message] = {
    "column": say("added at each column; chances in percentage points"),
    "die": say("added at each die modifier; chances in percentage points"),
}


class ShownModifier(NamedTuple):
    """A modifier as on the card."""

    text: Text
    rule: str | None
    effect: str
    doubtful: bool


class ShownShift(NamedTuple):
    """What a shift is worth at each place, and which modifiers bring it."""

    name: str
    modifiers: tuple[ShownModifier, ...]
    map: HeatMap


class ShownWorth(NamedTuple):
    """What another modifier is worth in this fight."""

    modifier: ShownModifier
    mark: str  # of whom it is stated, where there are several ways
    of: str
    cells: tuple[HeatCell, ...]  # none: it depends on the units
    why: tuple[Message, ...]


class ShownWorths(NamedTuple):
    """What modifiers that are no shift are worth: a column a measure."""

    columns: tuple[tuple[Side, str, str], ...]  # side, mark, name
    rows: tuple[ShownWorth, ...]


def _modifier(card: Card, modifier: Modifier, lang: Lang) -> ShownModifier:
    words = effect(card, modifier, lang)
    return ShownModifier(modifier.text, modifier.rule, words, modifier.reading.doubtful)


def _shift_name(shift: ShiftWorth, lang: Lang) -> str:
    if shift.axis == "die":
        what = say("die")
    else:
        what = say("columns") if abs(shift.amount) > 1 else say("column")
    return f"{signed(shift.amount)} {what.in_(lang)}"


def _shifts(found: AnalysisSheet, maps: _Maps) -> Iterator[ShownShift]:
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
                    _change(m, m.of(worth), Fraction(most[m]), lang)._replace(here=place == HERE)
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


def _change(measure: Measure, value: Fraction, most: Fraction, lang: Lang) -> HeatCell:
    helps: Side | None = None
    if value:
        helps = "attacker" if (value > 0) == measure.more_is_better else "defender"
    heat = float(abs(value) / most) if most else 0.0
    return HeatCell(changed(measure, value, lang), value, heat, side=helps)


def _others(found: AnalysisSheet, sheet: Sheet, maps: _Maps) -> ShownWorths | None:
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
        tuple((m.side, MARKS[m.side], maps.name(m)) for m in measures),
        tuple(
            ShownWorth(
                _modifier(card, other.modifier, lang),
                *(_stated_by(other, sheet, lang) if other.modifier.id in several else ("", "")),
                tuple(_change(m, m.of(other.worth), most[m], lang) for m in measures)
                if other.worth
                else (),
                other.why,
            )
            for other in found.others
        ),
    )


def _stated_by(other: StatedWorth, sheet: Sheet, lang: Lang) -> tuple[str, str]:
    """Say of whom it is stated: all units of a list, or what the sheet calls it."""
    control: Control | None = other.control
    if control is None:
        return "", ""
    units = next((units for units in sheet.units if units.list == control.list), None)
    return (MARKS[units.side], units.text.in_(lang)) if units else ("", control.text.in_(lang))


# ------------------------------------------------------------------ the page


class Asked(Struct, frozen=True, kw_only=True):
    """What an address may hold: the state of quick combat, of which only this counts here."""

    fight: Stated | None = None
    attacker: str = "best"
    defender: str = "best"


class View(NamedTuple):
    """Everything that the page shows."""

    card: Card
    sheet: Sheet
    sheets: tuple[Sheet, ...]  # of the procedures that roll dice
    own: bool  # whether the address states the fight
    address: str  # of quick combat with this fight
    query: str  # the fight for further addresses, if stated
    lists: tuple[ShownList, ...]
    counting: tuple[ShownLine, ...]
    panel: Panel
    codes: tuple[tuple[str, Text], ...]  # results of the table, and what they mean
    maps: tuple[HeatMap, ...]
    alike: tuple[str, ...]
    secret: bool  # something may still be committed, which the maps leave out
    uneven: bool
    shaken: bool
    shifts: tuple[ShownShift, ...]
    along: Message
    others: ShownWorths | None
    doctrines: tuple[Doctrine, Doctrine]


@lru_cache(maxsize=KEPT)
def _analysed(
    game_id: str, procedure: str, stated: str | None, attacker: str, defender: str
) -> AnalysisSheet:
    """Analyse what is stated, as JSON, or the example; asked again, it is at hand.

    The limits are for what strangers state; our own examples need none.
    """
    sheet = aid.load(game_id).sheet(procedure)
    set_up, beside = (stated_fight, BESIDE_COLUMNS) if stated is None else (limited_fight, NARROW)

    def state(fight: Stated) -> Fight:
        return set_up({**fight, "game": game_id, "procedure": procedure})

    fight = sheet.example if stated is None else json.loads(stated)
    return analyse(sheet, fight, state, attacker, defender, beside=beside)


def view(game_id: str, procedure: str, asked: Asked, lang: Lang) -> View:
    """Analyse the fight that is asked for, or a typical one."""
    card, sheet = game.card(game_id), aid.load(game_id).sheet(procedure)
    stated = dict(sheet.example) if asked.fight is None else asked.fight
    doctrines = (asked.attacker, asked.defender)
    key = None if asked.fight is None else json.dumps(stated, sort_keys=True)
    found = _analysed(game_id, procedure, key, *doctrines)
    shown = panel(found.fight, sheet.table, lang, doctrines)
    maps = _Maps(found.grid, lang)
    laid_out = maps.maps()
    tap = json.dumps({"fight": stated, "attacker": asked.attacker, "defender": asked.defender})
    return View(
        card=card,
        sheet=sheet,
        sheets=rolled(game_id),
        own=asked.fight is not None,
        address=f"/games/{game_id}/{procedure}?{urlencode({'s': tap})}",
        query="" if asked.fight is None else json.dumps({"fight": asked.fight}),
        lists=shown_lists(sheet, stated, card),
        counting=tuple(line for line in shown.lines if line.kind == "modifier"),
        panel=shown,
        codes=tuple((in_words(r.code, card, maps.lang), r.text) for r in shown.table.table.results),
        maps=laid_out,
        alike=tuple(_alike(left_out, same, maps) for left_out, same in found.grid.alike()),
        secret=found.as_stated != found.grid.cells[HERE],
        uneven=any(cell.signs for m in laid_out for row in m.rows for cell in row.cells),
        shaken=any(measure.id.endswith("shaken") for measure in maps.measures),
        shifts=tuple(_shifts(found, maps)),
        along=_ADDED[found.grid.axis],
        others=_others(found, sheet, maps),
        doctrines=(doctrine(asked.attacker), doctrine(asked.defender)),
    )


def _alike(left_out: Measure, same: Measure, maps: _Maps) -> str:
    one, other = (f"{MARKS[m.side]} {m.text.in_(maps.lang)}" for m in (left_out, same))
    return say("{one}: everywhere as {other}", one=one, other=other).in_(maps.lang)


def rolled(game_id: str) -> tuple[Sheet, ...]:
    """Give the sheets of a game on which dice are rolled."""
    card = game.card(game_id)
    return tuple(s for s in aid.load(game_id).sheets if card.table(s.table).dice is not None)


def _asked(request: Request) -> Asked:
    """Read what the address states; doctrines named by themselves come first."""
    text = request.query_params.get("s")
    try:
        asked = msgspec.json.decode(text.encode(), type=Asked) if text else Asked()
    except msgspec.DecodeError as error:
        problem = say("the address does not hold a fight: {problem}", problem=str(error))
        raise Refusal(problem) from None
    check_body(asked.fight)
    named = {
        side: request.query_params[side]
        for side in ("attacker", "defender")
        if side in request.query_params
    }
    return msgspec.structs.replace(asked, **named)


def _procedure(request: Request, game_id: str) -> str:
    """Give the procedure that the address names, or the game's first."""
    if game_id not in game.ids():
        problem = say(
            "there is no game '{game}'; {near}", game=game_id, near=near(game_id, game.ids())
        )
        raise Refused(404, Refusal(problem))
    known = [sheet.procedure for sheet in rolled(game_id)]
    asked = request.query_params.get("procedure", known[0])
    if asked not in known:
        problem = say(
            "{game} has no procedure '{id}'; {near}",
            game=game_id,
            id=asked,
            near=near(asked, known),
        )
        raise Refused(404, Refusal(problem))
    return asked


def _page(request: Request) -> Response:
    """Show the analysis."""
    game_id = request.path_params["game"]
    procedure = _procedure(request, game_id)
    shown = view(game_id, procedure, _asked(request), language(request))
    return page(request, "analysis.html", view=shown, known=tuple(DOCTRINES.values()))


PAGES = [page_route("/games/{game}/analysis", _page)]
