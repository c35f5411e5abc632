"""The planner: a page for each procedure in which two sides fight.

The page keeps the plan, sends it with every tap, and gets the new page. The plan is in the address,
so that it can be sent.
"""

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from grognard.draw.json.structs import JsonStruct
from grognard.maps.labels import labelled_html, labels_of
from grognard.rules import game
from grognard.study.tray import battles
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.api.fights import MISSING
from grognard.web.known_pages import known_game, known_procedure
from grognard.web.lanes.answering import STEADY_HEAVY
from grognard.web.language import language
from grognard.web.planner.plan_state import PlanTap, first_sight, plannable, tapped
from grognard.web.planner.shown_plan import plan_view
from grognard.web.quick import links
from grognard.web.quick.drawn_counters import definitions
from grognard.web.templating import fill, page, page_route
from grognard.words.message import say


class PlanTapAnswer(JsonStruct):
    """The new page as HTML, its new state, and its link."""

    html: str
    state: PlanTap
    link: str


@Endpoint(
    "POST",
    "/plan/{game}/{procedure}/tap",
    say("A plan after a tap, for the planner's page"),
    work=STEADY_HEAVY,
    refuses=MISSING,
)
def _tap(call: Call, body: PlanTap) -> PlanTapAnswer:
    game_id, procedure = _known(call.path("game"), call.path("procedure"))
    tap = tapped(game_id, procedure, body, call.lang)
    view = plan_view(game_id, procedure, tap, call.lang)
    labels = labels_of(battles(game_id), call.lang)
    html = labelled_html(fill("plan_sheet.html", call.lang, view=view), labels)
    return PlanTapAnswer(html=html, state=tap, link=view.link)


def _known(game_id: str, procedure: str) -> tuple[str, str]:
    sheets = [sheet.procedure for sheet in plannable(known_game(game_id))]
    return game_id, known_procedure(game_id, procedure, sheets)


def _page(request: Request) -> Response:
    """Show the plan in the address, or one to begin with."""
    game_id, procedure = _known(request.path_params["game"], request.path_params["procedure"])
    lang = language(request)
    link, empty = request.query_params.get("p"), request.query_params.get("start") == "empty"
    if link is not None:
        tap = tapped(game_id, procedure, links.unsealed(game_id, procedure, link, PlanTap), lang)
    else:
        tap = PlanTap() if empty else first_sight(game_id, procedure, lang)
    view = plan_view(game_id, procedure, tap, lang)
    # This goes into a script element, which a name must not be able to close.
    state = msgspec.json.encode(tap).decode().replace("<", "\\u003c")
    return page(
        request,
        "plan.html",
        labels=labels_of(battles(game_id), lang),
        view=view,
        state=state,
        headings=[game.heading(id_) for id_ in game.ids() if plannable(id_)],
        sheets=plannable(game_id),
        drawings=definitions(game_id, procedure, lang),
    )


def _first(request: Request) -> Response:
    """Go to the first procedure of a game, or of the first game."""
    named = request.path_params.get("game")
    game_id = next(id_ for id_ in game.ids() if plannable(id_)) if named is None else named
    sheets = plannable(known_game(game_id))
    procedure = sheets[0].procedure if sheets else known_procedure(game_id, "", ())
    to = request.url.replace(path=f"/plan/{game_id}/{procedure}")
    return RedirectResponse(f"{to.path}?{to.query}".rstrip("?"), 307)


PAGES = [
    page_route("/plan", _first),
    page_route("/plan/{game}", _first),
    page_route("/plan/{game}/{procedure}", _page, STEADY_HEAVY),
]
ENDPOINTS = [_tap]
