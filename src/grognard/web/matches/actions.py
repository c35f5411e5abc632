"""Actions of players on a match: answer, roll, commit, undo, rename.

The JSON interface answers each action with the match, the map's page with the parts that change.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from starlette.requests import Request

from grognard.card.rows import SIDES
from grognard.draw.json.match_question import Doctrines
from grognard.draw.json.structs import PostedAnswer
from grognard.fights.doctrine import doctrine
from grognard.fights.record import from_plain
from grognard.maps.scenario import Scenario
from grognard.matches.storage.rows import Stale
from grognard.players.levels import Level
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.limits import one_line
from grognard.web.matches.live_matches import Live
from grognard.web.matches.seen_match import Seen
from grognard.web.visitors import VISITOR
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near

Title = Annotated[str, Meta(max_length=80, pattern=r"\S")]
_TRIES = 10  # of a change that others overtake
SINCE = MappingProxyType(
    {
        "since": say("the log's mark of the last answer: only what is newer"),
        "attacker": say("the attacker's doctrine, for the odds"),
        "defender": say("the defender's doctrine, for the odds"),
    }
)


def asked_doctrines(request: Request) -> Doctrines:
    """Read the doctrines for which the odds of a match's questions are asked."""
    attacker, defender = (request.query_params.get(side, "best") for side in SIDES)
    return doctrine(attacker).id, doctrine(defender).id


GONE = MappingProxyType({404: say("there is no such match, or you have no seat in it")})
NOT_YOURS = MappingProxyType({**GONE, 403: say("this is for the other side to do")})
_CHANGED = MappingProxyType(
    {**NOT_YOURS, 409: say("the match has changed since"), 422: say("not legal")}
)


class Body(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The body of a request."""


class ChangeBody(Body, frozen=True, kw_only=True):
    """Another name, other sides that play themselves, or another level of their player."""

    name: Title | None = None
    autos: tuple[str, ...] | None = None
    level: Level | None = None


class VersionBody(Body, frozen=True, kw_only=True):
    """The version of the match that the page shows."""

    version: int


class AnswerBody(VersionBody, frozen=True, kw_only=True):
    """An answer to the open question."""

    answer: PostedAnswer


class CommitBody(VersionBody, frozen=True, kw_only=True):
    """A side's half of a secret commitment."""

    side: str
    option: PostedAnswer


def _answer(seen: Seen, body: AnswerBody) -> None:
    seen.answer(body.version, from_plain(body.answer))


def _roll(seen: Seen, body: VersionBody) -> None:
    seen.roll(body.version)


def _commit(seen: Seen, body: CommitBody) -> None:
    seen.commit(body.version, body.side, from_plain(body.option))


def _undo(seen: Seen, body: VersionBody) -> None:
    seen.undo(body.version)


class ConsentBody(VersionBody, frozen=True, kw_only=True):
    """Whether the other side may take its last answer back; its own wish is withdrawn with no."""

    agreed: bool


def _consent(seen: Seen, body: ConsentBody) -> None:
    seen.settle_undo(body.version, agreed=body.agreed)


class _Action(NamedTuple):
    """An action on the version of a match that the player sees."""

    path: str
    summary: Message
    do: Callable[..., None]  # with the match and the body
    body: type[VersionBody]
    example: Mapping[str, object]


_COMMIT = {"side": "german", "option": [1, 0]}
_ACTIONS = (
    _Action("answers", say("Answer what is asked"), _answer, AnswerBody, {"answer": ["end"]}),
    _Action("roll", say("Let the server roll what is asked"), _roll, VersionBody, {}),
    _Action("commit", say("Commit in secret for one side"), _commit, CommitBody, _COMMIT),
    _Action("undo", say("Undo the last answer; apart, ask the other side"), _undo, VersionBody, {}),
    _Action(
        "undo/consent",
        say("Let the other side undo its last answer, or not"),
        _consent,
        ConsentBody,
        {"agreed": True},
    ),
)


def action_endpoints(
    live: Live, under: str, show: Callable[[Seen, Call], object], answer: type, shown_at: str
) -> list[Endpoint]:
    """Make the endpoints of all actions; each answers with what `show` gives afterwards, as a GET
    of `shown_at` does."""

    def run(do: Callable[..., None], call: Call, body: VersionBody) -> object:
        with live.seen(call.request) as seen:
            do(seen, body)
            return show(seen, call)

    return [
        Endpoint(
            "POST",
            f"{under}/{{id}}/{action.path}",
            action.summary,
            partial(run, action.do),
            action.body,
            example={"version": 0, **action.example},
            answer=answer,
            query=SINCE,
            refuses=_CHANGED,
            shown_at=shown_at,
        )
        for action in _ACTIONS
    ]


def change_endpoint(
    live: Live, under: str, show: Callable[[Seen, Call], object], answer: type, shown_at: str
) -> Endpoint:
    """Make the endpoint that renames a match, or changes the sides that play themselves."""

    @Endpoint(
        "PATCH",
        f"{under}/{{id}}",
        say("Rename a match, or let other sides play themselves, at another level"),
        example={"name": "Tuesday evening"},
        answer=answer,
        query=SINCE,
        refuses={**NOT_YOURS, 409: _CHANGED[409]},
        shown_at=shown_at,
    )
    def change(call: Call, body: ChangeBody) -> object:
        # Its body names no version: what others do meanwhile is no reason to refuse it.
        for _ in range(_TRIES):
            with suppress(Stale), live.seen(call.request) as seen:
                _change(live, seen, body)
                return show(seen, call)
        raise Stale

    return change


def _change(live: Live, seen: Seen, body: ChangeBody) -> None:
    scenario = seen.match.field.scenario
    autos = None if body.autos is None else checked_sides(scenario, body.autos)
    if autos and not seen.kept.autos:
        live.room.check(autos, new=False)
        live.room.note([seen.kept.id], VISITOR.get())
    seen.change(one_line(body.name or "") or None, autos, body.level)


def checked_sides(scenario: Scenario, autos: Iterable[str]) -> tuple[str, ...]:
    """Put the sides that play themselves into the scenario's order; refuse unknown ones."""
    known = [side.id for side in scenario.sides]
    for id_ in autos:
        if id_ not in known:
            problem = say("there is no side '{id}'; {near}", id=id_, near=near(id_, known))
            raise Refusal(problem, place="autos")
    return tuple(id_ for id_ in known if id_ in autos)
