"""The JSON interface of matches: listed, begun, played, looked at, exported and imported."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from starlette.responses import Response

from grognard.draw.json import match as match_json
from grognard.draw.json.fight import Json
from grognard.fights.record import from_plain
from grognard.maps import scenario as scenarios
from grognard.maps.scenario import Scenario
from grognard.matches.match import Match, begin, from_saved, read_match, written_match
from grognard.matches.match import saved as saved_match
from grognard.matches.store import Kept, New, Stale, Unknown, Unusable
from grognard.rules import game
from grognard.web.api.endpoint import Call, Endpoint, Schema
from grognard.web.matches.copies import saved
from grognard.web.matches.events import Pace, events
from grognard.web.matches.live import Live, Seen, standing
from grognard.web.refused import Refused
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang

STATUS: Mapping[type[Refusal], int] = MappingProxyType({Unknown: 404, Stale: 409, Unusable: 503})
_MARK = re.compile(r"(\d{1,9})-(\d{1,9})")

Title = Annotated[str, Meta(max_length=80, pattern=r"\S")]


class Body(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is posted."""


class NewMatch(Body, frozen=True, kw_only=True):
    """A match to begin."""

    scenario: str
    name: Title | None = None
    autos: tuple[str, ...] = ()  # the sides that play themselves
    options: Mapping[str, str] = field(default_factory=dict)


class OldMatch(Body, frozen=True, kw_only=True):
    """A match file to go on with."""

    match: dict[str, Any]  # checked as the file is
    name: Title | None = None
    autos: tuple[str, ...] = ()


class Change(Body, frozen=True, kw_only=True):
    """Another name, or other sides that play themselves."""

    name: Title | None = None
    autos: tuple[str, ...] | None = None


class Version(Body, frozen=True, kw_only=True):
    """The version of the match that the page shows."""

    version: int


class Answered(Version, frozen=True, kw_only=True):
    """An answer to the open question."""

    answer: Any  # as JSON; checked against what is asked


class Half(Version, frozen=True, kw_only=True):
    """A side's half of a secret commitment."""

    side: str
    option: Any


class Look(Body, frozen=True, kw_only=True):
    """An attack to be looked at."""

    target: str
    units: tuple[str, ...] = ()
    verb: str | None = None


# ------------------------------------------------------------------ listing and beginning


def list_scenarios(call: Call) -> list[Json]:
    """List what can be played."""
    found = (scenarios.own(name) for name in scenarios.ids())
    return [match_json.scenario_json(s, game.card(s.game), call.lang) for s in found]


def list_matches(live: Live, call: Call) -> list[Json]:
    """List the matches, the one that changed last first."""
    known = scenarios.ids()
    return [
        _listed(kept, scenarios.own(kept.scenario) if kept.scenario in known else None, call.lang)
        for kept in live.store.matches()
    ]


def _listed(kept: Kept, scenario: Scenario | None, lang: Lang) -> Json:
    """Sum a match up; also one whose scenario is not there any more."""
    name = scenario.name.in_(lang) if scenario else kept.scenario
    return {
        **_heading(kept),
        "scenario": {"id": kept.scenario, "name": name},
        "game": scenario.game if scenario else None,
        "sides": match_json.seats_json(scenario, kept.autos, lang) if scenario else [],
        "turn": kept.standing.turn,
        "turns": scenario.turns if scenario else None,
        "over": kept.standing.over,
        "winner": kept.standing.winner,
    }


def _heading(kept: Kept) -> Json:
    return {
        "id": kept.id,
        "name": kept.name,
        "version": kept.version,
        "created": kept.created,
        "changed": kept.changed,
    }


def new_match(live: Live, call: Call) -> Json:
    """Begin a match of any scenario."""
    body = call.given(NewMatch)
    scenarios.own(body.scenario)
    return _kept_new(live, call, begin(body.scenario, body.options), body.name, body.autos)


def import_match(live: Live, call: Call) -> Json:
    """Take a match file up; a damaged one is refused with the place, and nothing is kept."""
    body = call.given(OldMatch)
    try:
        match = from_saved(read_match(body.match))
    except Refusal as refusal:
        place = ".".join(part for part in ("match", refusal.place) if part)
        raise Refusal(refusal.problem, place=place) from None
    return _kept_new(live, call, match, body.name, body.autos)


def _kept_new(live: Live, call: Call, match: Match, name: str | None, autos: Iterable[str]) -> Json:
    scenario, as_saved = match.field.scenario, saved_match(match)
    kept = live.keep(
        New(
            name=name or scenario.name.in_(call.lang),
            scenario=as_saved.scenario,
            options=as_saved.options,
            autos=_checked_sides(scenario, autos),
            answers=as_saved.answers,
            standing=standing(match),
        )
    )
    return _view(live, kept.id, call)


def _checked_sides(scenario: Scenario, autos: Iterable[str]) -> tuple[str, ...]:
    known = [side.id for side in scenario.sides]
    for id_ in autos:
        if id_ not in known:
            problem = say("there is no side '{id}'; {near}", id=id_, near=near(id_, known))
            raise Refusal(problem, place="autos")
    return tuple(id_ for id_ in known if id_ in autos)


# ------------------------------------------------------------------ one match


def show_match(live: Live, call: Call) -> Json:
    """Show how a match stands."""
    return _view(live, call.path("id"), call)


def _view(live: Live, id_: str, call: Call) -> Json:
    with live.seen(id_) as seen:
        return view(seen, call.lang, call.query("since"))


def view(seen: Seen, lang: Lang, since: str | None = None) -> Json:
    """Give a match as the page shows it, with the log from a mark on."""
    data = match_json.match_json(seen.match, lang, seen.seats)
    return {**_heading(seen.kept), **data, "log": _log(seen, lang, since)}


def _log(seen: Seen, lang: Lang, since: str | None) -> Json:
    """Give what is new since a mark; all of it where something was taken back since."""
    undone, told = seen.kept.undone, len(seen.match.log)
    mark = _MARK.fullmatch(since or "")
    known = int(mark[2]) if mark and int(mark[1]) == undone and int(mark[2]) <= told else 0
    entries = match_json.log_json(seen.match, lang, known)
    return {"whole": known == 0, "mark": f"{undone}-{told}", "entries": entries}


def change_match(live: Live, call: Call) -> Json:
    """Rename a match, or let other sides play themselves."""
    body = call.given(Change)
    kept = live.store.get(call.path("id"))
    scenario = scenarios.own(kept.scenario)
    autos = None if body.autos is None else _checked_sides(scenario, body.autos)
    live.store.change(kept.id, body.name, autos)
    return _view(live, kept.id, call)


def delete_match(live: Live, call: Call) -> Json:
    """Throw a match away."""
    live.store.delete(call.path("id"))
    return {"deleted": call.path("id")}


def match_file(live: Live, call: Call) -> Response:
    """Give the match file, also of a match that can't be played on."""
    whole = live.store.whole(call.path("id"))
    name = f"{whole.kept.scenario}-{whole.kept.id}.json"
    text = written_match(saved(whole))
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=disposition)


# ------------------------------------------------------------------ playing


def answer(live: Live, call: Call) -> Json:
    """Answer what is asked."""
    body = call.given(Answered)
    given = from_plain(body.answer)
    return _done(live, call, lambda seen: seen.answer(body.version, given))


def roll(live: Live, call: Call) -> Json:
    """Roll what is asked."""
    body = call.given(Version)
    return _done(live, call, lambda seen: seen.roll(body.version))


def commit(live: Live, call: Call) -> Json:
    """Commit in secret for one side."""
    body = call.given(Half)
    option = from_plain(body.option)
    return _done(live, call, lambda seen: seen.commit(body.version, body.side, option))


def undo(live: Live, call: Call) -> Json:
    """Take the last answer back where the rules allow it."""
    body = call.given(Version)
    return _done(live, call, lambda seen: seen.undo(body.version))


def _done(live: Live, call: Call, do: Callable[[Seen], None]) -> Json:
    with live.seen(call.path("id")) as seen:
        do(seen)
        return view(seen, call.lang, call.query("since"))


# ------------------------------------------------------------------ looking


def look_at_unit(live: Live, call: Call) -> Json:
    """Look at a unit: where it can go, its supply, its zone of control."""
    with live.seen(call.path("id")) as seen:
        return match_json.unit_json(seen.match, call.query("name") or "", call.lang)


def look_at_attack(live: Live, call: Call) -> Json:
    """Look at an attack before it is ordered."""
    body = call.given(Look)
    with live.seen(call.path("id")) as seen:
        return match_json.look_json(seen.match, body.verb, body.target, body.units, call.lang)


def follow(live: Live, pace: Pace, call: Call) -> Response:
    """Follow the changes of a match."""
    live.store.get(call.path("id"))
    return events(live.store, call.path("id"), pace)


# ------------------------------------------------------------------ the list


Run = Callable[[Live, Call], object]


def _with(live: Live, run: Run) -> Callable[[Call], object]:
    """Give a call of the interface its live matches."""
    return partial(_with_status, partial(run, live))


def _with_status(run: Callable[[Call], object], call: Call) -> object:
    """Give the store's refusals the status that tells a program what kind they are."""
    try:
        return run(call)
    except (Unknown, Stale, Unusable) as refusal:
        raise Refused(STATUS[type(refusal)], refusal) from None


_ID: Schema = MappingProxyType({"type": "object", "required": ["id"]})
_MATCH: Schema = MappingProxyType(
    {
        "type": "object",
        "required": ["id", "name", "version", "sides", "asking", "pieces", "undo", "log"],
    }
)
_LIST: Schema = MappingProxyType({"type": "array", "items": _ID})
_UNIT: Schema = MappingProxyType({"type": "object", "required": ["moves", "reach", "supply"]})
_LOOK: Schema = MappingProxyType({"type": "object", "required": ["order", "by", "fight"]})
_SINCE = MappingProxyType({"since": say("the log's mark of the last answer: only what is newer")})
_GONE = MappingProxyType({404: say("there is no such match")})
_CHANGED = MappingProxyType(
    {**_GONE, 409: say("the match has changed since"), 422: say("not legal")}
)


_HALF: Json = {"side": "german", "option": [1, 0]}


def endpoints(live: Live, pace: Pace = Pace()) -> list[Endpoint]:  # noqa: B008  # immutable
    """Make the endpoints of the matches."""
    return [*_beginning(live), *_one_match(live), *_playing(live), *_looking(live, pace)]


def _beginning(live: Live) -> list[Endpoint]:
    return [
        Endpoint(
            method="GET",
            path="/api/scenarios",
            summary=say("The scenarios"),
            run=list_scenarios,
            answer=_LIST,
        ),
        Endpoint(
            method="GET",
            path="/api/matches",
            summary=say("The matches, the one that changed last first"),
            run=_with(live, list_matches),
            answer=_LIST,
        ),
        Endpoint(
            method="POST",
            path="/api/matches",
            summary=say("Begin a match"),
            run=_with(live, new_match),
            body=NewMatch,
            example={"scenario": "weissenberg", "autos": ["allied"]},
            answer=_MATCH,
            status=201,
        ),
        Endpoint(
            method="POST",
            path="/api/matches/import",
            summary=say("Take a match file up"),
            run=_with(live, import_match),
            body=OldMatch,
            answer=_MATCH,
            status=201,
        ),
    ]


def _one_match(live: Live) -> list[Endpoint]:
    return [
        Endpoint(
            method="GET",
            path="/api/matches/{id}",
            summary=say("How a match stands"),
            run=_with(live, show_match),
            answer=_MATCH,
            query=_SINCE,
            refuses=_GONE,
        ),
        Endpoint(
            method="PATCH",
            path="/api/matches/{id}",
            summary=say("Rename a match, or let other sides play themselves"),
            run=_with(live, change_match),
            body=Change,
            example={"name": "Tuesday evening"},
            answer=_MATCH,
            refuses=_GONE,
        ),
        Endpoint(
            method="DELETE",
            path="/api/matches/{id}",
            summary=say("Throw a match away"),
            run=_with(live, delete_match),
            refuses=_GONE,
        ),
        Endpoint(
            method="GET",
            path="/api/matches/{id}/file",
            summary=say("The match file, as `grognard play --save` writes it"),
            run=_with(live, match_file),
            refuses=_GONE,
        ),
    ]


def _playing(live: Live) -> list[Endpoint]:
    def post(verb: str, summary: Message, run: Run, body: type, example: Json) -> Endpoint:
        return Endpoint(
            method="POST",
            path=f"/api/matches/{{id}}/{verb}",
            summary=summary,
            run=_with(live, run),
            body=body,
            example={"version": 0, **example},
            answer=_MATCH,
            query=_SINCE,
            refuses=_CHANGED,
        )

    return [
        post("answers", say("Answer what is asked"), answer, Answered, {"answer": ["end"]}),
        post("roll", say("Let the server roll what is asked"), roll, Version, {}),
        post("commit", say("Commit in secret for one side"), commit, Half, _HALF),
        post("undo", say("Take the last answer back"), undo, Version, {}),
    ]


def _looking(live: Live, pace: Pace) -> list[Endpoint]:
    return [
        Endpoint(
            method="GET",
            path="/api/matches/{id}/unit",
            summary=say("Where a unit can go, its supply, its zone of control"),
            run=_with(live, look_at_unit),
            answer=_UNIT,
            query=MappingProxyType({"name": say("the unit")}),
            refuses=_GONE,
        ),
        Endpoint(
            method="POST",
            path="/api/matches/{id}/look",
            summary=say("An attack as it would be; nothing changes"),
            run=_with(live, look_at_attack),
            body=Look,
            example={"target": "1910", "units": ["21/20", "50/20"]},
            answer=_LOOK,
            refuses=_GONE,
        ),
        Endpoint(
            method="GET",
            path="/api/matches/{id}/events",
            summary=say("Server-sent events: the version whenever it changes"),
            run=_with(live, lambda live, call: follow(live, pace, call)),
            media="text/event-stream",
            refuses=_GONE,
        ),
    ]
