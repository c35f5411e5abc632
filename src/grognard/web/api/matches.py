"""The JSON interface of matches: list, begin, play, look, export, import."""

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from msgspec import field
from starlette.responses import Response

from grognard.draw.json.match_preview import LookAnswer, UnitAnswer, look_json, unit_json
from grognard.draw.json.scenario import ScenarioJson, scenario_json
from grognard.draw.json.structs import JsonStruct
from grognard.maps import scenario as scenarios
from grognard.matches.match import Match, Saved, begin, from_saved, read_match, written_match
from grognard.matches.match import saved as saved_match
from grognard.matches.store import New
from grognard.rules import game
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.matches.actions import (
    GONE,
    SINCE,
    Body,
    Title,
    action_endpoints,
    change_endpoint,
    checked_sides,
)
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
from grognard.words.refusal import Refusal


class NewMatchBody(Body, frozen=True, kw_only=True):
    """A match to begin."""

    scenario: str
    name: Title | None = None
    autos: tuple[str, ...] = ()  # the sides that play themselves
    options: Mapping[str, str] = field(default_factory=dict)


class ImportBody(Body, frozen=True, kw_only=True):
    """A match file to continue."""

    match: dict[str, Any]  # checked like a match file
    name: Title | None = None
    autos: tuple[str, ...] = ()


class LookBody(Body, frozen=True, kw_only=True):
    """An attack to look at."""

    target: str
    units: tuple[str, ...] = ()
    verb: str | None = None


class DeletedAnswer(JsonStruct):
    """The match that was deleted."""

    deleted: str


# ------------------------------------------------------------------ listing and beginning


def list_scenarios(call: Call) -> list[ScenarioJson]:
    """List the scenarios."""
    found = (scenarios.own(name) for name in scenarios.ids())
    return [scenario_json(s, game.card(s.game), call.lang) for s in found]


def list_matches(live: Live, call: Call) -> list[ListedMatchJson]:
    """List the matches, the one that changed last first."""
    known = scenarios.ids()
    return [
        listed_match(
            kept, scenarios.own(kept.scenario) if kept.scenario in known else None, call.lang
        )
        for kept in live.store.matches()
    ]


def new_match(live: Live, call: Call) -> MatchAnswer:
    """Begin a match of any scenario."""
    body = call.given(NewMatchBody)
    scenarios.own(body.scenario)
    return _kept_new(live, call, begin(body.scenario, body.options), body.name, body.autos)


def import_match(live: Live, call: Call) -> MatchAnswer:
    """Continue a match file; a damaged one is refused with the place, and nothing is kept."""
    body = call.given(ImportBody)
    try:
        match = from_saved(read_match(body.match))
    except Refusal as refusal:
        place = ".".join(part for part in ("match", refusal.place) if part)
        raise Refusal(refusal.problem, place=place) from None
    return _kept_new(live, call, match, body.name, body.autos)


def _kept_new(
    live: Live, call: Call, match: Match, name: str | None, autos: Iterable[str]
) -> MatchAnswer:
    scenario, as_saved = match.field.scenario, saved_match(match)
    kept = live.keep(
        New(
            name=name or scenario.name.in_(call.lang),
            scenario=as_saved.scenario,
            options=as_saved.options,
            autos=checked_sides(scenario, autos),
            answers=as_saved.answers,
            standing=standing(match),
        )
    )
    with live.seen(kept.id) as seen:
        return _show(seen, call)


# ------------------------------------------------------------------ one match


def show_match(live: Live, call: Call) -> MatchAnswer:
    """Show how a match stands."""
    with live.seen(call.path("id")) as seen:
        return _show(seen, call)


def _show(seen: Seen, call: Call) -> MatchAnswer:
    return match_answer(seen, call.lang, call.query("since"))


def delete_match(live: Live, call: Call) -> DeletedAnswer:
    """Delete a match."""
    live.store.delete(call.path("id"))
    return DeletedAnswer(deleted=call.path("id"))


def match_file(live: Live, call: Call) -> Response:
    """Give the match file, also of a match that can't be continued."""
    whole = live.store.whole(call.path("id"))
    name = f"{whole.kept.scenario}-{whole.kept.id}.json"
    text = written_match(saved(whole))
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=disposition)


# ------------------------------------------------------------------ looking


def look_at_unit(live: Live, call: Call) -> UnitAnswer:
    """Look at a unit: where it can go, its supply, its zone of control."""
    with live.seen(call.path("id")) as seen:
        return unit_json(seen.match, call.query("name") or "", call.lang)


def look_at_attack(live: Live, call: Call) -> LookAnswer:
    """Look at an attack before it is ordered."""
    body = call.given(LookBody)
    with live.seen(call.path("id")) as seen:
        return look_json(seen.match, body.verb, body.target, body.units, call.lang)


def follow(live: Live, pace: Pace, call: Call) -> Response:
    """Follow the changes of a match."""
    live.store.get(call.path("id"))
    return events(live.store, call.path("id"), pace)


# ------------------------------------------------------------------ the endpoints


def endpoints(live: Live, pace: Pace = Pace()) -> list[Endpoint]:  # noqa: B008  # immutable
    """Make the endpoints of the matches."""
    return [
        *_beginning(live),
        *_one_match(live),
        *action_endpoints(live, "/api/matches", _show, MatchAnswer),
        *_looking(live, pace),
    ]


def _beginning(live: Live) -> list[Endpoint]:
    return [
        Endpoint(
            method="GET",
            path="/api/scenarios",
            summary=say("The scenarios"),
            run=list_scenarios,
            answer=list[ScenarioJson],
        ),
        Endpoint(
            method="GET",
            path="/api/matches",
            summary=say("The matches, the one that changed last first"),
            run=partial(list_matches, live),
            answer=list[ListedMatchJson],
        ),
        Endpoint(
            method="POST",
            path="/api/matches",
            summary=say("Begin a match"),
            run=partial(new_match, live),
            body=NewMatchBody,
            example={"scenario": "weissenberg", "autos": ["allied"]},
            answer=MatchAnswer,
            status=201,
        ),
        Endpoint(
            method="POST",
            path="/api/matches/import",
            summary=say("Continue a match file"),
            run=partial(import_match, live),
            body=ImportBody,
            answer=MatchAnswer,
            status=201,
        ),
    ]


def _one_match(live: Live) -> list[Endpoint]:
    return [
        Endpoint(
            method="GET",
            path="/api/matches/{id}",
            summary=say("How a match stands"),
            run=partial(show_match, live),
            answer=MatchAnswer,
            query=SINCE,
            refuses=GONE,
        ),
        change_endpoint(live, "/api/matches", _show, MatchAnswer),
        Endpoint(
            method="DELETE",
            path="/api/matches/{id}",
            summary=say("Delete a match"),
            run=partial(delete_match, live),
            answer=DeletedAnswer,
            refuses=GONE,
        ),
        Endpoint(
            method="GET",
            path="/api/matches/{id}/file",
            summary=say("The match file, as `grognard play --save` writes it"),
            run=partial(match_file, live),
            answer=Saved,
            refuses=GONE,
        ),
    ]


def _looking(live: Live, pace: Pace) -> list[Endpoint]:
    return [
        Endpoint(
            method="GET",
            path="/api/matches/{id}/unit",
            summary=say("Where a unit can go, its supply, its zone of control"),
            run=partial(look_at_unit, live),
            answer=UnitAnswer,
            query=MappingProxyType({"name": say("the unit")}),
            refuses=GONE,
        ),
        Endpoint(
            method="POST",
            path="/api/matches/{id}/look",
            summary=say("Preview of an attack; nothing changes"),
            run=partial(look_at_attack, live),
            body=LookBody,
            example={"target": "1910", "units": ["21/20", "50/20"]},
            answer=LookAnswer,
            refuses=GONE,
        ),
        Endpoint(
            method="GET",
            path="/api/matches/{id}/events",
            summary=say("Server-sent events: the version whenever it changes"),
            run=partial(follow, live, pace),
            media="text/event-stream",
            refuses=GONE,
        ),
    ]
