"""The page of a match that has been played: verdict, replay, luck, log; also as one file.

The page and the file are the same; the file holds its styles and scripts itself, and needs no
server.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.draw.json.briefing import points_json
from grognard.draw.json.frames import frames_json
from grognard.draw.json.steps import LossJson
from grognard.draw.json.story import CostlyJson, StoryAnswer, story_json
from grognard.draw.svg import map as svg_map
from grognard.draw.svg.counter import CounterSheet
from grognard.draw.text.dice import ABOUT
from grognard.draw.text.story import COSTLY, LUCK, points_text
from grognard.maps.labels import Labels, labelled_html, labels_of
from grognard.matches.match import Match
from grognard.matches.recap import step_boards
from grognard.matches.seats import Seats
from grognard.matches.sight import viewer
from grognard.matches.storage.rows import Kept
from grognard.players.levels import known_level
from grognard.web.lanes.answering import STEADY_HEAVY
from grognard.web.language import language
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_answer import whole_log
from grognard.web.matches.match_list import badges
from grognard.web.matches.points_chart import points_chart
from grognard.web.matches.recap_part import liveries
from grognard.web.matches.shown_log import ShownLog
from grognard.web.static_files import STATIC
from grognard.web.templating import fill, page, page_route
from grognard.words.text import Lang

MOST_COSTLY = 3  # decisions of a side that are shown
# In the order in which they need each other; the last one runs.
SCRIPTS = (
    "frames.js",
    "step_marks.js",
    "match/map_view.js",
    "match/map_marks.js",
    "match/map_pieces.js",
    "story.js",
)
STYLES = ("base.css", "match.css", "story.css")
_MODULE = re.compile(r"^(?:import .*?;\n|export (?=class|function|const))", re.MULTILINE)


class ShownLoss(NamedTuple):
    """A counter that lost steps."""

    drawn: Markup
    loss: LossJson


class ShownLuck(NamedTuple):
    """The luck of a side in all fights, as a bar around zero."""

    side: str
    points: str
    start: float  # of the bar, in percent
    width: float


def story_context(match: Match, story: StoryAnswer, seats: Seats, lang: Lang) -> dict[str, Any]:
    """Give the templates of the page and of the file what they show."""
    scenario = match.field.scenario
    boards = step_boards(match, viewer(match, seats.autos, seats.seat))
    frames = frames_json(boards, scenario, lang)
    marks = badges(scenario, lang)
    log = whole_log(match, seats, lang)
    drawn = {"frames": frames, "steps": story.steps, "colours": liveries(marks)}
    return {
        "story": story,
        "goals": () if story.conditions else points_json(match.field, match.board, lang),
        "badges": marks,
        "log": ShownLog(match, log, lang),
        "drawn": Markup(svg_map.draw(boards[0], scenario, lang)),
        "data": Markup(_inert(msgspec.json.encode(drawn).decode())),
        "chart": Markup(points_chart(story.turns, marks, lang)),
        "lost": {one.side: list(_lost(match, one.units, lang)) for one in story.losses},
        "luck": list(_luck(story, lang)),
        "costly": _costliest(story),
        "kept_back": story.kept_back,
        "opened": match.asking is None and match.field.hides_stacks(),
        "about_luck": LUCK,
        "about_costs": COSTLY,
        "about_dice": ABOUT,
        "points": partial(_points, lang),
    }


def _inert(text: str) -> str:
    """Keep JSON from ending the element that holds it."""
    return text.replace("<", "\\u003c")


def _points(lang: Lang, exact: str) -> str:
    return points_text(Fraction(exact), lang)


def _lost(match: Match, units: list[LossJson], lang: Lang) -> Iterator[ShownLoss]:
    """Draw the counters that a side has lost or that are weaker, as they were at full strength."""
    sheet, start = CounterSheet(match.field.scenario), match.field.scenario.board()
    for loss in units:
        if start.has(loss.unit):
            piece = start.piece(loss.unit) if loss.eliminated else match.board.piece(loss.unit)
            yield ShownLoss(Markup(svg_map.counter_of(sheet, piece, lang)), loss)


def _luck(story: StoryAnswer, lang: Lang) -> Iterator[ShownLuck]:
    points = {side: Fraction(exact) for side, exact in story.luck.items()}
    most = max([abs(value) for value in points.values()], default=Fraction(0)) or Fraction(1)
    for side, value in points.items():
        width = float(abs(value) / most * 50)
        start = 50.0 if value >= 0 else 50 - width
        yield ShownLuck(side, points_text(value, lang), round(start, 2), round(width, 2))


def _costliest(story: StoryAnswer) -> dict[str, list[CostlyJson]]:
    """Give the costliest decisions of each side."""
    return {
        side.id: [one for one in story.costly if one.side == side.id][:MOST_COSTLY]
        for side in story.sides
    }


# ------------------------------------------------------------------ the page and the file


def _rematch(story: StoryAnswer, kept: Kept) -> str:
    """Give the body of the request that begins the match again with sides changed."""
    persons = [side.id for side in story.sides if not side.automatic]
    autos = persons if len(persons) == 1 else [s.id for s in story.sides if s.automatic]
    body = {
        "scenario": story.scenario.id,
        "autos": autos,
        "level": known_level(kept.level),
        "options": kept.options,
    }
    return msgspec.json.encode(body).decode()


def _story_page(live: Live, request: Request) -> Response:
    lang = language(request)
    with live.seen(request) as seen:
        match, kept = seen.match, seen.kept
        story = story_json(match, seen.seats.autos, lang, seen.seat)
        context = story_context(match, story, seen.seats, lang)
        labels = labels_of([match.field.scenario], lang)
        rematch = _rematch(story, kept)
    return page(request, "story.html", labels=labels, kept=kept, rematch=rematch, **context)


def _story_file(live: Live, request: Request) -> Response:
    lang = language(request)
    with live.seen(request) as seen:
        text = story_file(seen.match, seen.seats, seen.kept.name, lang)
        name = f"{seen.kept.scenario}-{seen.kept.id}.html"
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/html", headers=disposition)


def story_file(match: Match, seats: Seats, name: str, lang: Lang) -> str:
    """Write a match as one HTML file that needs nothing else."""
    labels: Labels = labels_of([match.field.scenario], lang)
    context = story_context(match, story_json(match, seats.autos, lang, seats.seat), seats, lang)
    styles = "\n".join((STATIC / file).read_text(encoding="utf-8") for file in STYLES)
    scripts = "\n".join(
        _MODULE.sub("", (STATIC / file).read_text(encoding="utf-8")) for file in SCRIPTS
    )
    text = fill(
        "story_file.html",
        lang,
        title=name,
        style=Markup(styles),
        scripts=Markup(scripts),
        **context,
    )
    return labelled_html(text, labels)


def pages(live: Live) -> list[Route]:
    """Make the routes of the page and of the file."""
    return [
        page_route("/matches/{id}/story", partial(_story_page, live), STEADY_HEAVY),
        page_route("/matches/{id}/story.html", partial(_story_file, live), STEADY_HEAVY),
    ]
