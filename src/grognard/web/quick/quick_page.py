"""Quick combat: a page for each procedure.

The page keeps the stated fight and the answers, sends both with every tap, and gets the new sheet.
Both are in the address, so that a fight can be sent to the opponent.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.draw.json.structs import JsonStruct
from grognard.maps.labels import labelled_html, labels_of
from grognard.rules import game
from grognard.study import player_sheet, sheet_rows
from grognard.study.aid import PlayerSheet
from grognard.study.player_sheet import Control
from grognard.study.sheet_rows import Statement
from grognard.study.tray import battles
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.known_pages import known_game, known_sheet
from grognard.web.lanes.answering import STEADY, STEADY_HEAVY
from grognard.web.language import language
from grognard.web.quick import links
from grognard.web.quick.drawn_counters import definitions
from grognard.web.quick.hints import hints
from grognard.web.quick.panel import Panel, panel
from grognard.web.quick.resolution import Resolution, resolution
from grognard.web.quick.shown_modifiers import ShownGroup, Tapped, facts, shown_groups
from grognard.web.quick.shown_rolls import ShownRoll, shown_rolls
from grognard.web.quick.shown_table import ShownTable, shown_table
from grognard.web.quick.shown_units import ListRequest, ShownList, StatedJson, shown_lists
from grognard.web.quick.tap import Tap, play_of, tapped
from grognard.web.templating import fill, page, page_route
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS, Lang, Text


class QuickView(NamedTuple):
    """Everything that the sheet shows."""

    card: Card
    sheet: PlayerSheet
    tap: Tap
    lists: tuple[ShownList, ...]
    first: tuple[Tapped, ...]
    groups: tuple[ShownGroup, ...]
    others: tuple[Tapped, ...]
    options: Mapping[str, str]
    problem: str | None
    missing: tuple[Text, ...]  # lists without a unit: no mistake yet
    table: ShownTable
    panel: Panel | None
    resolution: Resolution | None
    rolls: tuple[ShownRoll, ...]

    @property
    def link(self) -> str:
        """The state of the page for an address."""
        return links.encode(self.card.id, self.sheet.procedure, self.tap)

    @property
    def fight_link(self) -> str:
        """The stated fight alone for an address."""
        return links.encode(self.card.id, self.sheet.procedure, Tap(fight=self.tap.fight))


def view(game_id: str, procedure: str, tap: Tap, lang: Lang) -> QuickView:
    """Lay out the sheet; a fight that the rules refuse is shown with the reason."""
    card, words = game.card(game_id), player_sheet.load(game_id)
    sheet, known = words.sheet(procedure), player_sheet.controls(game_id, procedure)
    problem, shown, resolved, explanation = None, None, None, None
    rolls: tuple[ShownRoll, ...] = ()
    try:
        play = play_of(game_id, procedure, tap)
        explanation = play.start.explain()
        sheet = sheet.read_by(explanation)
        doctrines = (tap.attacker, tap.defender)
        shown = panel(play, sheet.table, lang, doctrines)
        resolved = resolution(play, words, doctrines, lang)
        rolls = shown_rolls(play, tap.typed, lang)
    except Refusal as refusal:
        problem = _told(refusal, sheet, known, lang)
    options = _options(card, tap.fight)
    stated = player_sheet.readable(tap.fight, known)
    statement = Statement(
        card=card, sheet=sheet, stated=stated, options=options, explanation=explanation
    )
    totals = _totals(shown)
    lists = shown_lists(sheet, stated, card, ListRequest(lang, tap.open, tap.beside, totals))
    return QuickView(
        card,
        sheet,
        tap,
        lists,
        facts((known[place] for place in sheet.first), stated),
        shown_groups(card, sheet_rows.groups(statement), stated, lists, lang),
        facts(sheet_rows.others(card, sheet), stated),
        options,
        problem,
        tuple(list_.units.text for list_ in lists if not list_.shown),
        shown.table if shown else shown_table(card, sheet.table, {}, (), lang),
        shown,
        resolved,
        rolls,
    )


def _told(refusal: Refusal, sheet: PlayerSheet, known: Mapping[str, Control], lang: Lang) -> str:
    """Word a refusal for the page: its place by the label that stands there."""
    labels = {place: control.text for place, control in known.items()}
    labels |= {units.list: units.text for units in sheet.units}
    label = labels.get(re.sub(r"\[\d+\]", "", refusal.place))
    return (Refusal(refusal.problem, place=label.in_(lang)) if label else refusal).in_(lang)


def _totals(shown: Panel | None) -> Mapping[Side, str | None]:
    """Give the totals of both sides as the headline tells them."""
    if shown is None:
        return {}
    return {"attacker": shown.headline.attack, "defender": shown.headline.defence}


def _options(card: Card, stated: StatedJson) -> Mapping[str, str]:
    """Give the known options; the rules refuse the others."""
    given = stated.get("options")
    if not isinstance(given, dict):
        return card.chosen({})
    known = {option.id: {choice.id for choice in option.choices} for option in card.options}
    return card.chosen(
        {id_: c for id_, c in given.items() if isinstance(c, str) and c in known.get(id_, ())}
    )


# ------------------------------------------------------------------ tapping


class TapAnswer(JsonStruct):
    """The new sheet as HTML, the new state of the page, and its link."""

    html: str
    state: Tap
    link: str


class HintsAnswer(JsonStruct):
    """The hints, in words."""

    hints: list[str]


@Endpoint(
    "POST",
    "/games/{game}/{procedure}/tap",
    say("The sheet of a fight after a tap, for the quick-combat page"),
)
def _tap(call: Call, body: Tap) -> TapAnswer:
    game_id, procedure = known_sheet(call.path("game"), call.path("procedure"))
    tap = tapped(game_id, procedure, body)
    shown = view(game_id, procedure, tap, call.lang)
    labels = labels_of(battles(game_id), call.lang)
    html = labelled_html(fill("quick_sheet.html", call.lang, view=shown), labels)
    return TapAnswer(html=html, state=tap, link=shown.link)


@Endpoint(
    "POST",
    "/games/{game}/{procedure}/hints",
    say("What a column, a point on the die or some factors more would bring"),
    work=STEADY_HEAVY,
)
def _hints(call: Call, body: Tap) -> HintsAnswer:
    """Give the hints. They are a request of their own, so that taps stay quick."""
    game_id, procedure = known_sheet(call.path("game"), call.path("procedure"))
    doctrines = (body.attacker, body.defender)
    return HintsAnswer(hints=hints(game_id, procedure, body.fight, doctrines, call.lang))


# ------------------------------------------------------------------ pages


@cache
def prepare() -> None:
    """Draw every sheet once before the first request.

    Two threads must not both be the first to use a type with msgspec, and the first page should be
    as quick as the others.
    """
    for id_ in game.ids():
        for sheet in player_sheet.load(id_).sheets:
            for lang in LANGS:
                tap = Tap(fight=_example(sheet))
                fill("quick_sheet.html", lang, view=view(id_, sheet.procedure, tap, lang))


def _page(request: Request) -> Response:
    """Show the sheet with what the address states."""
    game_id, procedure = known_sheet(request.path_params["game"], request.path_params["procedure"])
    lang = language(request)
    tap = _stated(request, game_id, player_sheet.load(game_id).sheet(procedure))
    shown = view(game_id, procedure, tap, lang)
    # This goes into a script element, which a name must not be able to close.
    state = msgspec.json.encode(tap).decode().replace("<", "\\u003c")
    sheets = player_sheet.load(game_id).sheets
    drawings = definitions(game_id, procedure, lang)
    stated = any(key in request.query_params for key in ("f", "s", "start"))
    return page(
        request,
        "quick.html",
        labels=labels_of(battles(game_id), lang),
        view=shown,
        state=state,
        sheets=sheets,
        drawings=drawings,
        stated=stated,
    )


def _stated(request: Request, game_id: str, sheet: PlayerSheet) -> Tap:
    """Read the fight in the address; without one, begin with the example or an empty sheet."""
    stated = links.stated_in(request, game_id, sheet.procedure)
    if stated is not None:
        return stated
    empty = request.query_params.get("start") == "empty"
    return Tap(fight=dict(sheet.start) if empty else _example(sheet))


def _example(sheet: PlayerSheet) -> StatedJson:
    example: StatedJson = msgspec.to_builtins(dict(sheet.example))
    return example


def _game(request: Request) -> Response:
    """Go to the game's first procedure."""
    game_id = known_game(request.path_params["game"])
    first = player_sheet.load(game_id).sheets[0]
    to = request.url.replace(path=f"/games/{game_id}/{first.procedure}")
    return RedirectResponse(f"{to.path}?{to.query}".rstrip("?"), 307)


PAGES = [
    page_route("/games/{game}", _game),
    page_route("/games/{game}/{procedure}", _page, STEADY),
]
ENDPOINTS = [_tap, _hints]
