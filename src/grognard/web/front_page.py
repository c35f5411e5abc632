"""The front page: matches to go on with, and each game with a sample fight and its maps."""

from functools import lru_cache, partial
from itertools import islice

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.maps import scenario as scenarios
from grognard.maps.labels import labels_of
from grognard.rules import game
from grognard.rules.game_places import GamePlace
from grognard.study import player_sheet
from grognard.web.language import language
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_list import badges, listed
from grognard.web.quick.panel import Panel, panel
from grognard.web.quick.shown_units import fight_on
from grognard.web.templating import page, page_route
from grognard.words.text import Lang

SHOWN = 3  # matches under way


def _front(live: Live, request: Request) -> Response:
    """Show the games, their scenarios, and the matches that were played last."""
    lang = language(request)
    going = (listed(kept, scenario, lang) for kept, scenario in live.listed(request))
    offered = [scenarios.own(name) for name in scenarios.ids()]
    return page(
        request,
        "front.html",
        labels=labels_of(offered, lang),
        headings=[game.heading(id_) for id_ in game.ids()],
        sheets={id_: player_sheet.load(id_).sheets for id_ in game.ids()},
        samples={id_: _sample(game.place(id_), lang) for id_ in game.ids()},
        scenarios=offered,
        sides={scenario.id: badges(scenario, lang) for scenario in offered},
        going=list(islice((one for one in going if not one.kept.standing.over), SHOWN)),
    )


@lru_cache(maxsize=64)
def _sample(place: GamePlace, lang: Lang) -> Panel:
    """Show the sample fight of a game's first procedure."""
    sheet = player_sheet.load(place.id).sheets[0]
    fight = fight_on(place.id, sheet, msgspec.to_builtins(dict(sheet.example)))
    return panel(fight.play(), sheet.read_by(fight.explain()).table, lang)


def pages(live: Live) -> list[Route]:
    """Make the route of the front page."""
    return [page_route("/", partial(_front, live))]
