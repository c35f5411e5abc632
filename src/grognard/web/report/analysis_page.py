"""The analysis page: a fight on every place of its table, and the worth of each modifier.

It shows the example of the procedure, or the fight in the address, as quick combat writes it.
"""

import json
from functools import lru_cache
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from grognard.card.card import Card
from grognard.card.rows import SIDES
from grognard.card.wording import in_words
from grognard.fights.doctrine import DOCTRINES, Doctrine, doctrine
from grognard.fights.fight_file import stated_fight
from grognard.fights.odds import CACHES
from grognard.maps.labels import labels_of
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.rules.game_places import GamePlace
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet
from grognard.study.analysis import AnalysisSheet, analyse
from grognard.study.grid import BESIDE_COLUMNS
from grognard.study.tray import battles
from grognard.web.known_pages import known_game, known_procedure
from grognard.web.lanes.answering import STEADY_HEAVY
from grognard.web.language import language
from grognard.web.limits import limited_fight
from grognard.web.quick import links
from grognard.web.quick.panel import Panel, panel
from grognard.web.quick.shown_units import StatedJson
from grognard.web.quick.tap import Tap
from grognard.web.report.heat_maps import HeatMap, Maps
from grognard.web.report.shown_analysis import ShownAnalysis, shown_analysis
from grognard.web.templating import page, page_route
from grognard.words.text import Lang, Text

KEPT = 64  # analyses in the cache
NARROW = 2  # how far the die is looked at in a stated fight, so that it is within the limits


class AnalysisQuery(NamedTuple):
    """The part of quick combat's state that counts here."""

    fight: StatedJson | None = None
    attacker: str = "best"
    defender: str = "best"


class AnalysisView(NamedTuple):
    """Everything that the page shows."""

    card: Card
    sheet: PlayerSheet
    sheets: tuple[PlayerSheet, ...]  # of the procedures that roll dice
    address: str  # of quick combat with this fight
    query: str  # the fight for further addresses, if stated
    panel: Panel
    codes: tuple[tuple[str, Text], ...]  # results of the table, and what they mean
    maps: tuple[HeatMap, ...]
    uneven: bool
    analysis: ShownAnalysis
    doctrines: tuple[Doctrine, Doctrine]


@lru_cache(maxsize=KEPT)
def _analysed(
    place: GamePlace, procedure: str, stated: str | None, attacker: str, defender: str
) -> AnalysisSheet:
    """Analyse a stated fight, given as JSON, or the example.

    The limits apply to stated fights only.
    """
    sheet = player_sheet.load(place.id).sheet(procedure)
    set_up, beside = (stated_fight, BESIDE_COLUMNS) if stated is None else (limited_fight, NARROW)

    def state(fight: StatedJson) -> Fight:
        return set_up({**fight, "game": place.id, "procedure": procedure})

    fight = sheet.example if stated is None else json.loads(stated)
    return analyse(sheet, fight, state, attacker, defender, beside=beside)


CACHES.append(_analysed)


def view(game_id: str, procedure: str, asked: AnalysisQuery, lang: Lang) -> AnalysisView:
    """Lay out the analysis of a stated fight, or of the example."""
    card, sheet = game.card(game_id), player_sheet.load(game_id).sheet(procedure)
    stated = dict(sheet.example) if asked.fight is None else asked.fight
    doctrines = (asked.attacker, asked.defender)
    key = None if asked.fight is None else json.dumps(stated, sort_keys=True)
    found = _analysed(game.place(game_id), procedure, key, *doctrines)
    sheet = sheet.read_by(found.fight.explain())
    shown = panel(found.fight.play(), sheet.table, lang, doctrines)
    maps = Maps(found.grid, card, lang)
    laid_out = maps.maps()
    tap = Tap(fight=stated, attacker=asked.attacker, defender=asked.defender)
    return AnalysisView(
        card=card,
        sheet=sheet,
        sheets=player_sheet.rolled(game_id),
        address=f"/games/{game_id}/{procedure}?f={links.encode(game_id, procedure, tap)}",
        query="" if asked.fight is None else links.encode(game_id, procedure, Tap(fight=stated)),
        panel=shown,
        codes=tuple((in_words(r.code, card, maps.lang), r.text) for r in shown.table.table.results),
        maps=laid_out,
        uneven=any(cell.signs for m in laid_out for row in m.rows for cell in row.cells),
        analysis=shown_analysis(
            found, sheet, stated, shown.lines, maps, own=asked.fight is not None
        ),
        doctrines=(doctrine(asked.attacker), doctrine(asked.defender)),
    )


def _asked(request: Request, game_id: str, procedure: str) -> AnalysisQuery:
    """Read the address; `?attacker=` and `?defender=` come before the doctrines of the state."""
    tap = links.stated_in(request, game_id, procedure)
    asked = AnalysisQuery() if tap is None else AnalysisQuery(tap.fight, tap.attacker, tap.defender)
    attacker, defender = (request.query_params.get(side, getattr(asked, side)) for side in SIDES)
    return AnalysisQuery(asked.fight, attacker, defender)


def _procedure(request: Request, game_id: str) -> str:
    """Give the procedure that the address names, or the game's first."""
    known = [sheet.procedure for sheet in player_sheet.rolled(game_id)]
    return known_procedure(game_id, request.query_params.get("procedure", known[0]), known)


def _page(request: Request) -> Response:
    game_id = known_game(request.path_params["game"])
    procedure = _procedure(request, game_id)
    lang = language(request)
    shown = view(game_id, procedure, _asked(request, game_id, procedure), lang)
    labels = labels_of(battles(game_id), lang)
    return page(
        request, "analysis.html", view=shown, known=tuple(DOCTRINES.values()), labels=labels
    )


PAGES = [page_route("/games/{game}/analysis", _page, STEADY_HEAVY)]
