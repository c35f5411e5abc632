"""The JSON interface of matches: list, begin, play, look, export, import."""

from collections.abc import Mapping
from typing import Any

from msgspec import field
from msgspec.structs import replace
from starlette.responses import Response

from grognard.draw.json.briefing import BriefingAnswer, briefing_json
from grognard.draw.json.match import PositionAnswer, position_json
from grognard.draw.json.match_preview import LookAnswer, UnitAnswer, look_json, unit_json
from grognard.draw.json.scenario import ScenarioJson, scenario_json
from grognard.draw.json.steps import RecapAnswer, recap_json
from grognard.draw.json.story import StoryAnswer, story_json
from grognard.draw.json.structs import JsonStruct
from grognard.maps import scenario as scenarios
from grognard.matches.dice_check import dice_check
from grognard.matches.match import Match, Saved, begin, from_saved, read_match, written_match
from grognard.matches.match import saved as saved_match
from grognard.matches.recap import step_boards, step_number
from grognard.matches.sight import viewer
from grognard.matches.storage.rows import New, Origin
from grognard.players.levels import USUAL, Level
from grognard.rules import game
from grognard.web.api.endpoint import NOTHING, Call, Endpoint, placed
from grognard.web.matches import actions, advice_part, dice_part
from grognard.web.matches.actions import asked_doctrines
from grognard.web.matches.events import Pace, events
from grognard.web.matches.live_matches import Live, Seen, standing
from grognard.web.matches.match_answer import (
    ListedMatchJson,
    MatchAnswer,
    listed_match,
    match_answer,
)
from grognard.web.matches.match_cache import saved
from grognard.words.message import say


class NewMatchBody(actions.Body, frozen=True, kw_only=True):
    """A match to begin."""

    scenario: str
    name: actions.Title | None = None
    autos: tuple[str, ...] = ()  # the sides that play themselves
    level: Level = USUAL  # of their player
    options: Mapping[str, str] = field(default_factory=dict)


class ImportBody(actions.Body, frozen=True, kw_only=True):
    """A match file to continue."""

    match: dict[str, Any]  # checked like a match file
    name: actions.Title | None = None
    autos: tuple[str, ...] = ()
    level: Level = USUAL


class LookBody(actions.Body, frozen=True, kw_only=True):
    """An attack to look at."""

    target: str
    units: tuple[str, ...] = ()
    verb: str | None = None


class DeletedAnswer(JsonStruct):
    """The match that was deleted."""

    deleted: str


# ------------------------------------------------------------------ listing and beginning


@Endpoint("GET", "/api/scenarios", say("The scenarios"))
def _scenarios(call: Call) -> list[ScenarioJson]:
    found = (scenarios.own(name) for name in scenarios.ids())
    return [scenario_json(s, game.card(s.game), call.lang) for s in found]


@Endpoint("GET", "/api/matches", say("The matches, the one that changed last first"))
def _matches(live: Live, call: Call) -> list[ListedMatchJson]:
    return [listed_match(kept, scenario, call.lang) for kept, scenario in live.listed()]


@Endpoint(
    "POST",
    "/api/matches",
    say("Begin a match"),
    example={"scenario": "weissenberg", "autos": ["allied"], "level": "colonel"},
    status=201,
)
def _new_match(live: Live, call: Call, body: NewMatchBody) -> MatchAnswer:
    scenarios.own(body.scenario)
    return _kept_new(live, call, begin(body.scenario, body.options), body)


@Endpoint("POST", "/api/matches/import", say("Continue a match file"), status=201)
def _import_match(live: Live, call: Call, body: ImportBody) -> MatchAnswer:
    """Continue a match file; a damaged one is refused with the place, and nothing is kept."""
    with placed("match"):
        kept = read_match(body.match)
        match = from_saved(kept)
        checked = dice_check(match, kept).checked
    return _kept_new(live, call, match, body, "checked" if checked else "imported")


def _kept_new(
    live: Live,
    call: Call,
    match: Match,
    body: NewMatchBody | ImportBody,
    origin: Origin = "begun",
) -> MatchAnswer:
    scenario, as_saved = match.field.scenario, saved_match(match)
    kept = live.keep(
        New(
            name=body.name or scenario.name.in_(call.lang),
            scenario=as_saved.scenario,
            options=as_saved.options,
            autos=actions.checked_sides(scenario, body.autos),
            level=body.level,
            origin=origin,
            answers=as_saved.answers,
            standing=standing(match),
        )
    )
    with live.seen(kept.id) as seen:
        return _show(seen, call)


# ------------------------------------------------------------------ one match


@Endpoint(
    "GET", "/api/matches/{id}", say("How a match stands"), query=actions.SINCE, refuses=actions.GONE
)
def _match(live: Live, call: Call) -> MatchAnswer:
    with live.seen(call.path("id")) as seen:
        return _show(seen, call)


def _show(seen: Seen, call: Call) -> MatchAnswer:
    return match_answer(seen, call.lang, call.query("since"), asked_doctrines(call.request))


@Endpoint("DELETE", "/api/matches/{id}", say("Delete a match"), refuses=actions.GONE)
def _delete_match(live: Live, call: Call) -> DeletedAnswer:
    live.store.delete(call.path("id"))
    return DeletedAnswer(deleted=call.path("id"))


@Endpoint(
    "GET",
    "/api/matches/{id}/file",
    say("The match file, as `grognard play --save` writes it"),
    answer=Saved,
    refuses=actions.GONE,
)
def _match_file(live: Live, call: Call) -> Response:
    """Give the match file, also of a match that can't be continued."""
    whole = live.store.whole(call.path("id"))
    name = f"{whole.kept.scenario}-{whole.kept.id}.json"
    file = saved(whole)
    if whole.kept.apart:
        file = replace(file, proof=dice_part.proof_of(live.store, whole.kept.id))
    text = written_match(file)
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=disposition)


# ------------------------------------------------------------------ looking


@Endpoint(
    "GET",
    "/api/matches/{id}/unit",
    say("Where a unit can go, its supply, its zone of control"),
    query={"name": say("the unit")},
    refuses=actions.GONE,
)
def _unit(live: Live, call: Call) -> UnitAnswer:
    with live.seen(call.path("id")) as seen:
        return unit_json(seen.match, call.query("name") or "", call.lang, seen.seats.autos)


@Endpoint(
    "GET",
    "/api/matches/{id}/briefing",
    say("What both sides should know before the first turn"),
    refuses=actions.GONE,
)
def _briefing(live: Live, call: Call) -> BriefingAnswer:
    with live.seen(call.path("id")) as seen:
        return briefing_json(seen.match.field, seen.seats.autos, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/recap",
    say("What the automatic side did in its last turn"),
    refuses=actions.GONE,
)
def _recap(live: Live, call: Call) -> RecapAnswer:
    with live.seen(call.path("id")) as seen:
        return recap_json(seen.match, seen.seats.autos, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/position",
    say("The counters after a step of a match"),
    query={"step": say("the number of steps; 0 is the beginning")},
    refuses=actions.GONE,
)
def _position(live: Live, call: Call) -> PositionAnswer:
    with live.seen(call.path("id")) as seen:
        match, autos = seen.match, seen.seats.autos
        boards = step_boards(match, viewer(match, autos))
        step = step_number(call.query("step") or "0", len(boards) - 1)
        return position_json(match.field, boards[step], step, len(boards) - 1, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/story",
    say("How a match went: points by turn, losses, luck, costly decisions, every step"),
    refuses=actions.GONE,
)
def _story(live: Live, call: Call) -> StoryAnswer:
    with live.seen(call.path("id")) as seen:
        return story_json(seen.match, seen.seats.autos, call.lang, sources=seen.sources)


@Endpoint(
    "POST",
    "/api/matches/{id}/look",
    say("Preview of an attack; nothing changes"),
    example={"target": "1910", "units": ["21/20Pz", "59/20Pz"]},
    refuses=actions.GONE,
)
def _attack(live: Live, call: Call, body: LookBody) -> LookAnswer:
    with live.seen(call.path("id")) as seen:
        return look_json(seen.match, body.verb, body.target, body.units, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/events",
    say("Server-sent events: the version whenever it changes"),
    answer=NOTHING,
    media="text/event-stream",
    refuses=actions.GONE,
)
def _events(live: Live, pace: Pace, call: Call) -> Response:
    live.store.get(call.path("id"))
    return events(live.store, call.path("id"), pace)


# ------------------------------------------------------------------ the endpoints


def endpoints(live: Live, pace: Pace = Pace()) -> list[Endpoint]:  # noqa: B008  # immutable
    """Make the endpoints of the matches."""
    return [
        _scenarios,
        *(one.bound(live) for one in (_matches, _new_match, _import_match, _match)),
        actions.change_endpoint(live, "/api/matches", _show, MatchAnswer),
        *(one.bound(live) for one in (_delete_match, _match_file)),
        *actions.action_endpoints(live, "/api/matches", _show, MatchAnswer),
        *(one.bound(live) for one in (_briefing, _unit, _attack, _recap, _position, _story)),
        *(one.bound(live) for one in advice_part.API),
        *(one.bound(live) for one in dice_part.ENDPOINTS),
        _events.bound(live, pace),
    ]
