"""The JSON interface of matches: list, begin, play, look, export, import."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import UNSET, field
from msgspec.structs import replace
from starlette.responses import Response

from grognard.draw.json.briefing import BriefingAnswer, briefing_json
from grognard.draw.json.match import PositionAnswer, position_json
from grognard.draw.json.match_preview import LookAnswer, UnitAnswer, look_json, unit_json
from grognard.draw.json.scenario import ScenarioJson, scenario_json
from grognard.draw.json.steps import RecapAnswer, recap_json
from grognard.draw.json.story import StoryAnswer, story_json
from grognard.draw.json.structs import JsonStruct, joined
from grognard.fights.work_budget import SITUATIONS, TooHeavy, allow, only_light
from grognard.maps import scenario as scenarios
from grognard.matches.dice_check import dice_check
from grognard.matches.match import Match, Saved, begin, from_saved, read_match, written_match
from grognard.matches.match import saved as saved_match
from grognard.matches.recap import step_boards, step_number
from grognard.matches.seats import WATCH
from grognard.matches.storage.rows import New, Origin
from grognard.players.levels import USUAL, Level
from grognard.rules import game
from grognard.web.api.endpoint import NOTHING, Call, Endpoint, placed
from grognard.web.lanes.answering import STEADY, STEADY_HEAVY
from grognard.web.limits import LIGHT, one_line
from grognard.web.matches import actions, advice_part, chat_part, dice_part, feed, seat_links
from grognard.web.matches.access import cookie_for, with_cookies
from grognard.web.matches.actions import asked_doctrines
from grognard.web.matches.events import BEAT, Follower, events
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_answer import (
    BegunAnswer,
    ListedMatchJson,
    MatchAnswer,
    listed_match,
    match_answer,
)
from grognard.web.matches.match_cache import SHORT, saved
from grognard.web.matches.seat_links import seat_path
from grognard.web.matches.seen_match import Seen, standing
from grognard.web.responses import json_response
from grognard.words.message import say
from grognard.words.refusal import Refusal


class NewMatchBody(actions.Body, frozen=True, kw_only=True):
    """A match to begin."""

    scenario: str
    name: actions.Title | None = None
    autos: tuple[str, ...] = ()  # the sides that play themselves
    level: Level = USUAL  # of their player
    options: Mapping[str, str] = field(default_factory=dict)
    apart: bool = False  # whether each side plays by a secret link


class ImportBody(actions.Body, frozen=True, kw_only=True):
    """A match file to continue."""

    match: dict[str, Any]  # checked like a match file
    name: actions.Title | None = None
    autos: tuple[str, ...] = ()
    level: Level = USUAL
    apart: bool = False


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


@Endpoint("GET", "/api/matches", say("Your matches, the one that changed last first"))
def _matches(live: Live, call: Call) -> list[ListedMatchJson]:
    return [listed_match(kept, scenario, call.lang) for kept, scenario in live.listed(call.request)]


@Endpoint(
    "POST",
    "/api/matches",
    say("Begin a match"),
    example={"scenario": "weissenberg", "autos": ["allied"], "level": "colonel"},
    answer=BegunAnswer,
    status=201,
)
def _new_match(live: Live, call: Call, body: NewMatchBody) -> Response:
    scenarios.own(body.scenario)
    return _kept_new(live, call, begin(body.scenario, body.options), body)


@Endpoint(
    "POST",
    "/api/matches/import",
    say("Continue a match file"),
    answer=BegunAnswer,
    status=201,
)
def _import_match(live: Live, call: Call, body: ImportBody) -> Response:
    """Continue a match file; a damaged one is refused with the place, and nothing is kept."""
    with placed("match"):
        file = read_match(body.match)
        if len(file.answers) > SHORT and only_light():
            raise TooHeavy
        match = from_saved(file)
        checked = dice_check(match, file).checked
    return _kept_new(live, call, match, body, "checked" if checked else "imported")


def _kept_new(
    live: Live,
    call: Call,
    match: Match,
    body: NewMatchBody | ImportBody,
    origin: Origin = "begun",
) -> Response:
    scenario, as_saved = match.field.scenario, saved_match(match)
    new = New(
        name=one_line(body.name or "") or scenario.name.in_(call.lang),
        scenario=as_saved.scenario,
        options=as_saved.options,
        autos=actions.checked_sides(scenario, body.autos),
        level=body.level,
        apart=body.apart,
        origin=origin,
        answers=as_saved.answers,
        standing=standing(match),
    )
    cookies = Response()
    holder = cookie_for(call.request, live.links, cookies) if live.open_to_strangers else None
    kept, secrets = live.keep(new, holder)
    allow(LIGHT if only_light() else SITUATIONS)  # the match is kept: nobody else shows it
    with live.opened(kept.id, WATCH if kept.apart else None) as seen:
        links = {seat: seat_path(secret) for seat, secret in secrets.items()} or UNSET
        answer = json_response(joined(BegunAnswer, _show(seen, call), links=links), 201)
    return with_cookies(answer, cookies, {"cache-control": "no-store"})


# ------------------------------------------------------------------ one match


@Endpoint(
    "GET",
    "/api/matches/{id}",
    say("How a match stands"),
    query=actions.SINCE,
    refuses=actions.GONE,
    work=STEADY,
)
def _match(live: Live, call: Call) -> MatchAnswer:
    with live.seen(call.request) as seen:
        return _show(seen, call)


def _show(seen: Seen, call: Call) -> MatchAnswer:
    return match_answer(seen, call.lang, call.query("since"), asked_doctrines(call.request))


@Endpoint("DELETE", "/api/matches/{id}", say("Delete a match"), refuses=actions.NOT_YOURS)
def _delete_match(live: Live, call: Call) -> DeletedAnswer:
    return DeletedAnswer(deleted=live.delete(call.request))


@Endpoint(
    "GET",
    "/api/matches/{id}/file",
    say("The match file, as `grognard play --save` writes it"),
    answer=Saved,
    refuses=actions.GONE,
)
def _match_file(live: Live, call: Call) -> Response:
    """Give the match file, also of a match that can't be continued. Of a match apart whose stacks
    are hidden, or which has an open half, only when it is over: the file holds everything."""
    place = live.seated(call.request)
    whole = live.store.whole(call.path("id"))
    if place is not None and not whole.kept.standing.over:
        with live.opened(*place) as seen:
            if seen.match.field.hides_stacks() or seen.seats.given:
                raise Refusal(
                    say("the file tells what is hidden; it is there when the match is over")
                )
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
    work=STEADY,
)
def _unit(live: Live, call: Call) -> UnitAnswer:
    with live.seen(call.request) as seen:
        name = call.query("name") or ""
        return unit_json(seen.match, name, call.lang, seen.seats.autos, seen.seat)


@Endpoint(
    "GET",
    "/api/matches/{id}/briefing",
    say("What both sides should know before the first turn"),
    refuses=actions.GONE,
)
def _briefing(live: Live, call: Call) -> BriefingAnswer:
    with live.seen(call.request) as seen:
        return briefing_json(seen.match.field, seen.seats.autos, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/recap",
    say("What the automatic side did in its last turn; apart, the other side since you looked"),
    refuses=actions.GONE,
)
def _recap(live: Live, call: Call) -> RecapAnswer:
    with live.seen(call.request) as seen:
        return recap_json(seen.match, seen.reader, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/position",
    say("The counters after a step of a match"),
    query={"step": say("the number of steps; 0 is the beginning")},
    refuses=actions.GONE,
)
def _position(live: Live, call: Call) -> PositionAnswer:
    with live.seen(call.request) as seen:
        match = seen.match
        boards = step_boards(match, seen.viewer)
        step = step_number(call.query("step") or "0", len(boards) - 1)
        return position_json(match.field, boards[step], step, len(boards) - 1, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/story",
    say("How a match went: points by turn, losses, luck, costly decisions, every step"),
    work=STEADY_HEAVY,
    refuses=actions.GONE,
)
def _story(live: Live, call: Call) -> StoryAnswer:
    with live.seen(call.request) as seen:
        return story_json(seen.match, seen.seats.autos, call.lang, seen.seat)


@Endpoint(
    "POST",
    "/api/matches/{id}/look",
    say("Preview of an attack; nothing changes"),
    example={"target": "1910", "units": ["21/20Pz", "59/20Pz"]},
    refuses=actions.GONE,
    work=STEADY,
)
def _attack(live: Live, call: Call, body: LookBody) -> LookAnswer:
    with live.seen(call.request) as seen:
        seen.only(seen.match.asked)
        return look_json(seen.match, body.verb, body.target, body.units, call.lang)


@Endpoint(
    "GET",
    "/api/matches/{id}/events",
    say("Server-sent events: the version, and the number of the news, whenever they change"),
    answer=NOTHING,
    media="text/event-stream",
    refuses=actions.GONE,
)
def _events(live: Live, beat: float, call: Call) -> Response:
    page = Follower(
        live.beside.presence, live.seated(call.request), partial(live.seated, call.request)
    )
    return events(live.store, live.watcher, call.path("id"), beat, page)


# ------------------------------------------------------------------ the endpoints


def endpoints(live: Live, beat: float = BEAT) -> list[Endpoint]:
    """Make the endpoints of the matches."""
    return [
        _scenarios,
        *(one.bound(live) for one in (_matches, _new_match, _import_match, _match)),
        actions.change_endpoint(live, "/api/matches", _show, MatchAnswer, _match.path),
        *(one.bound(live) for one in (_delete_match, _match_file)),
        *actions.action_endpoints(live, "/api/matches", _show, MatchAnswer, _match.path),
        *(one.bound(live) for one in (_briefing, _unit, _attack, _recap, _position, _story)),
        *(one.bound(live) for one in advice_part.API),
        *seat_links.endpoints(live),
        *(one.bound(live) for one in (*chat_part.ENDPOINTS, *feed.ENDPOINTS, *dice_part.ENDPOINTS)),
        _events.bound(live, beat),
    ]
