"""The analysis page: a fight on every place of its table, and the worth of each modifier.

It shows the example of the procedure, or the fight in the address, as quick combat writes it.
"""

import json
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from grognard.card.card import Card
from grognard.card.rows import SIDES
from grognard.draw.text.fight import in_words
from grognard.fights.doctrine import DOCTRINES, Doctrine, doctrine
from grognard.fights.fight_file import stated_fight
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.study import player_sheet
from grognard.study.analysis import AnalysisSheet, analyse
from grognard.study.grid import BESIDE_COLUMNS
from grognard.study.player_sheet import PlayerSheet
from grognard.web.known_pages import known_game, known_procedure
from grognard.web.language import language
from grognard.web.limits import check_body, limited_fight
from grognard.web.quick.panel import Panel, panel
from grognard.web.quick.shown_units import StatedJson
from grognard.web.report.heat_maps import HeatMap, Maps
from grognard.web.report.shown_analysis import ShownAnalysis, shown_analysis
from grognard.web.templating import page, page_route
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, Text

KEPT = 64  # analyses in the cache
NARROW = 2  # how far the die is looked at in a stated fight, so that it is within the limits


class AnalysisQuery(Struct, frozen=True, kw_only=True):
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
    game_id: str, procedure: str, stated: str | None, attacker: str, defender: str
) -> AnalysisSheet:
    """Analyse a stated fight, given as JSON, or the example.

    The limits apply to stated fights only.
    """
    sheet = player_sheet.load(game_id).sheet(procedure)
    set_up, beside = (stated_fight, BESIDE_COLUMNS) if stated is None else (limited_fight, NARROW)

    def state(fight: StatedJson) -> Fight:
        return set_up({**fight, "game": game_id, "procedure": procedure})

    fight = sheet.example if stated is None else json.loads(stated)
    return analyse(sheet, fight, state, attacker, defender, beside=beside)


def view(game_id: str, procedure: str, asked: AnalysisQuery, lang: Lang) -> AnalysisView:
    """Lay out the analysis of a stated fight, or of the example."""
    card, sheet = game.card(game_id), player_sheet.load(game_id).sheet(procedure)
    stated = dict(sheet.example) if asked.fight is None else asked.fight
    doctrines = (asked.attacker, asked.defender)
    key = None if asked.fight is None else json.dumps(stated, sort_keys=True)
    found = _analysed(game_id, procedure, key, *doctrines)
    shown = panel(found.fight, sheet.table, lang, doctrines)
    maps = Maps(found.grid, lang)
    laid_out = maps.maps()
    tap = json.dumps({"fight": stated, "attacker": asked.attacker, "defender": asked.defender})
    return AnalysisView(
        card=card,
        sheet=sheet,
        sheets=player_sheet.rolled(game_id),
        address=f"/games/{game_id}/{procedure}?{urlencode({'s': tap})}",
        query="" if asked.fight is None else json.dumps({"fight": asked.fight}),
        panel=shown,
        codes=tuple((in_words(r.code, card, maps.lang), r.text) for r in shown.table.table.results),
        maps=laid_out,
        uneven=any(cell.signs for m in laid_out for row in m.rows for cell in row.cells),
        analysis=shown_analysis(
            found, sheet, stated, shown.lines, maps, own=asked.fight is not None
        ),
        doctrines=(doctrine(asked.attacker), doctrine(asked.defender)),
    )


def _asked(request: Request) -> AnalysisQuery:
    """Read the address; `?attacker=` and `?defender=` come before the doctrines of the state."""
    text = request.query_params.get("s")
    try:
        asked = msgspec.json.decode(text.encode(), type=AnalysisQuery) if text else AnalysisQuery()
    except msgspec.DecodeError as error:
        problem = say("the address does not hold a fight: {problem}", problem=str(error))
        raise Refusal(problem) from None
    check_body(asked.fight)
    named = {side: request.query_params[side] for side in SIDES if side in request.query_params}
    return msgspec.structs.replace(asked, **named)


def _procedure(request: Request, game_id: str) -> str:
    """Give the procedure that the address names, or the game's first."""
    known = [sheet.procedure for sheet in player_sheet.rolled(game_id)]
    return known_procedure(game_id, request.query_params.get("procedure", known[0]), known)


def _page(request: Request) -> Response:
    game_id = known_game(request.path_params["game"])
    procedure = _procedure(request, game_id)
    shown = view(game_id, procedure, _asked(request), language(request))
    return page(request, "analysis.html", view=shown, known=tuple(DOCTRINES.values()))


PAGES = [page_route("/games/{game}/analysis", _page)]
