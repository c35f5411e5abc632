"""The page that lists the matches, and the pictures of scenarios."""

from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.draw.json.scenario import sides_json
from grognard.draw.svg import map as svg_map
from grognard.draw.svg.counter import CounterSheet, Livery
from grognard.maps import scenario as scenarios
from grognard.maps.scenario import Scenario
from grognard.matches.storage.rows import Kept
from grognard.rules import game
from grognard.web.language import language
from grognard.web.matches.live_matches import Live
from grognard.web.responses import HttpRefusal
from grognard.web.templating import page, page_route
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

SVG = "image/svg+xml"


class Badge(NamedTuple):
    """The mark of a side in the colours of its counters."""

    mark: str
    name: str
    livery: Livery


def badges(scenario: Scenario, lang: Lang) -> dict[str, Badge]:
    """Give the badges of both sides."""
    made = CounterSheet(scenario).liveries
    return {
        side.id: Badge(side.mark, side.name, made[side.id]) for side in sides_json(scenario, lang)
    }


class Listed(NamedTuple):
    """A match in the list."""

    kept: Kept
    scenario: Scenario | None  # None: it does not exist any more
    game: str
    badges: dict[str, Badge]


def _list_page(live: Live, request: Request) -> Response:
    """Show the matches, and the form for a new one."""
    lang = language(request)
    found = [listed(kept, scenario, lang) for kept, scenario in live.listed(request)]
    offered = [scenarios.own(name) for name in scenarios.ids()]
    cards = {scenario.id: game.card(scenario.game) for scenario in offered}
    sides = {scenario.id: badges(scenario, lang) for scenario in offered}
    return page(
        request,
        "matches.html",
        matches=found,
        damaged=live.damaged(request),
        scenarios=offered,
        cards=cards,
        sides=sides,
    )


def listed(kept: Kept, scenario: Scenario | None, lang: Lang) -> Listed:
    """Sum a match up for a list."""
    name = game.card(scenario.game).name.in_(lang) if scenario else ""
    return Listed(kept, scenario, name, badges(scenario, lang) if scenario else {})


def _scenario_picture(request: Request) -> Response:
    name = request.path_params["scenario"]
    if name not in scenarios.ids():
        raise HttpRefusal(404, Refusal(say("there is no scenario '{name}'", name=name)))
    scenario = scenarios.own(name)
    return Response(svg_map.draw(scenario.board(), scenario, language(request)), media_type=SVG)


def pages(live: Live) -> list[Route]:
    """Make the routes of the list and of the scenarios' pictures."""
    return [
        page_route("/matches", partial(_list_page, live)),
        page_route("/scenarios/{scenario}/map.svg", _scenario_picture),
    ]
