"""Quick combat: a page for each procedure.

The page keeps the stated fight and the answers, sends both with every tap, and gets the new sheet.
Both are in the address, so that a fight can be sent to the opponent.
"""

from collections.abc import Mapping
from functools import cache
from random import SystemRandom
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from grognard.card.card import Card
from grognard.draw.json.structs import JsonStruct, PostedAnswer
from grognard.fights.opening import opening
from grognard.fights.play import Play
from grognard.fights.record import from_plain, plain
from grognard.rules import game
from grognard.rules.ask import Roll
from grognard.study import player_sheet, sheet_rows
from grognard.study.player_sheet import PlayerSheet
from grognard.study.sheet_rows import Statement
from grognard.web.api.endpoint import Call, Endpoint, read_body
from grognard.web.known_pages import known_game, known_procedure
from grognard.web.language import language
from grognard.web.quick.background import beside
from grognard.web.quick.hints import hints
from grognard.web.quick.panel import Panel, panel
from grognard.web.quick.resolution import Resolution, resolution, struck
from grognard.web.quick.shown_modifiers import ShownGroup, Tapped, facts, shown_groups
from grognard.web.quick.shown_units import ShownList, StatedJson, fight_on, shown_lists
from grognard.web.templating import fill, page, page_route
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS, Lang


class Tap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The state of the page, and what was tapped in the fight."""

    fight: StatedJson = msgspec.field(default_factory=dict)
    open: tuple[str, ...] = ()  # ids of the open folds; closed ones are not filled in
    answers: tuple[PostedAnswer, ...] = ()
    attacker: str = "best"  # doctrines for the odds
    defender: str = "best"
    roll: bool = False
    undo: bool = False
    answer: PostedAnswer = None


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
    panel: Panel | None
    resolution: Resolution | None

    @property
    def state(self) -> str:
        """The stated fight as an address holds it."""
        return msgspec.json.encode(Tap(fight=self.tap.fight)).decode()


def view(game_id: str, procedure: str, tap: Tap, lang: Lang) -> QuickView:
    """Lay out the sheet; a fight that the rules refuse is shown with the reason."""
    card, words = game.card(game_id), player_sheet.load(game_id)
    sheet = words.sheet(procedure)
    problem, shown, resolved, explanation = None, None, None, None
    try:
        play = _play(game_id, procedure, tap)
        explanation = play.start.explain()
        doctrines = (tap.attacker, tap.defender)
        shown = panel(play.start, sheet.table, lang, doctrines, struck(play, sheet.table))
        resolved = resolution(play, words, lang)
    except Refusal as refusal:
        problem = refusal.in_(lang)
    options = _options(card, tap.fight)
    known = player_sheet.controls(game_id, procedure)
    stated = player_sheet.readable(tap.fight, known)
    statement = Statement(
        card=card, sheet=sheet, stated=stated, options=options, explanation=explanation
    )
    lists = shown_lists(sheet, stated, card, tap.open)
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
        shown,
        resolved,
    )


def _play(game_id: str, procedure: str, tap: Tap) -> Play:
    fight = fight_on(game_id, player_sheet.load(game_id).sheet(procedure), tap.fight)
    return Play(fight, [from_plain(answer) for answer in tap.answers], opening(fight))


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


def tapped(game_id: str, procedure: str, tap: Tap) -> Tap:
    """Do what was tapped in the fight: roll, answer or undo."""
    if not (tap.roll or tap.undo or tap.answer is not None):
        return tap
    play = _play(game_id, procedure, tap)
    if tap.undo:
        play.undo()
    elif tap.answer is not None:
        play.answer(from_plain(tap.answer))
    elif isinstance(play.asking, Roll):
        play.answer(play.asking.dice.draw(SystemRandom()))
    else:
        raise Refusal(say("no dice are asked for here"))
    answers = tuple(plain(given.answer) for given in play.given)
    return replace(tap, answers=answers, roll=False, undo=False, answer=None)


class TapAnswer(JsonStruct):
    """The new sheet as HTML, and the new state of the page."""

    html: str
    state: Tap


class HintsAnswer(JsonStruct):
    """The hints, in words."""

    hints: list[str]


@Endpoint(
    "POST",
    "/games/{game}/{procedure}/tap",
    say("The sheet of a fight after a tap, for the quick-combat page"),
)
def _tap(call: Call, body: Tap) -> TapAnswer:
    game_id, procedure = _known(call.path("game"), call.path("procedure"))
    tap = tapped(game_id, procedure, body)
    html = fill("quick_sheet.html", call.lang, view=view(game_id, procedure, tap, call.lang))
    return TapAnswer(html=html, state=tap)


@Endpoint(
    "POST",
    "/games/{game}/{procedure}/hints",
    say("What a column, a point on the die or some factors more would bring"),
)
async def _hints(call: Call, body: Tap) -> HintsAnswer:
    """Give the hints. They are a request of their own, so that taps stay quick."""
    game_id, procedure = _known(call.path("game"), call.path("procedure"))
    doctrines = (body.attacker, body.defender)
    told = await beside(call.request, hints, game_id, procedure, body.fight, doctrines, call.lang)
    return HintsAnswer(hints=told or [])


def _known(game_id: str, procedure: str) -> tuple[str, str]:
    """Refuse a page that does not exist."""
    sheets = [sheet.procedure for sheet in player_sheet.load(known_game(game_id)).sheets]
    return game_id, known_procedure(game_id, procedure, sheets)


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
                tap = Tap(fight=msgspec.to_builtins(dict(sheet.example)))
                fill("quick_sheet.html", lang, view=view(id_, sheet.procedure, tap, lang))


def _page(request: Request) -> Response:
    """Show the sheet with what the address states."""
    game_id, procedure = _known(request.path_params["game"], request.path_params["procedure"])
    lang = language(request)
    tap = _stated(request, player_sheet.load(game_id).sheet(procedure))
    shown = view(game_id, procedure, tap, lang)
    # This goes into a script element, which a name must not be able to close.
    state = msgspec.json.encode(tap).decode().replace("<", "\\u003c")
    sheets = player_sheet.load(game_id).sheets
    return page(request, "quick.html", view=shown, state=state, sheets=sheets)


def _stated(request: Request, sheet: PlayerSheet) -> Tap:
    """Read the fight in the address; without one, begin with the sheet's defaults."""
    text = request.query_params.get("s")
    if text is None:
        return Tap(fight=dict(sheet.start))
    read = read_body(Tap, text.encode())
    if not isinstance(read, Tap):
        raise TypeError("a tap is read into its type")
    return read


def _game(request: Request) -> Response:
    """Go to the game's first procedure."""
    game_id = known_game(request.path_params["game"])
    first = player_sheet.load(game_id).sheets[0]
    return RedirectResponse(f"/games/{game_id}/{first.procedure}", 307)


PAGES = [page_route("/games/{game}", _game), page_route("/games/{game}/{procedure}", _page)]
ENDPOINTS = [_tap, _hints]
