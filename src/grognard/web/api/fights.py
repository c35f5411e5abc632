"""The JSON interface of games and fights, with the keys of the commands' `--json`."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct

from grognard.draw.json import fight as fight_json
from grognard.draw.json.card import card_json
from grognard.draw.json.structs import (
    COMPONENTS,
    FightJson,
    Joined,
    JsonStruct,
    PostedAnswer,
    joined,
)
from grognard.fights.automatic import finish
from grognard.fights.doctrine import DOCTRINES, doctrine
from grognard.fights.odds import Analysis
from grognard.fights.play import Play
from grognard.fights.record import Record, from_plain, read_record, record, replay
from grognard.rules import game
from grognard.rules.ask import Roll
from grognard.rules.fight import Fight
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.limits import NUMBER, check_fight, limited_fight
from grognard.web.responses import HttpRefusal
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Text

Die = Annotated[int, Meta(ge=1, le=6)]
Seed = Annotated[int, Meta(ge=-NUMBER, le=NUMBER)]


# Read like a record file, with its messages.
RecordBody = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{COMPONENTS}Record"})]


class ResolveBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fight, the answers so far, and how to answer the next questions."""

    fight: FightJson
    # As in a record: dice of a roll, the chosen option, the commitments of both sides.
    answers: tuple[PostedAnswer, ...] = ()
    dice: tuple[Die, ...] = ()  # rolled at the table, for the next rolls
    auto: bool = False  # to the end: doctrines choose, and the server rolls the missing dice
    seed: Seed | None = None  # of the dice that the server rolls
    attacker: str = "best"
    defender: str = "best"


class ReplayAnswer(fight_json.PlayAnswer, metaclass=Joined):
    """A fight as far as it is resolved, and its record."""

    record: Record


class ResolveAnswer(ReplayAnswer, metaclass=Joined):
    """A fight as far as it is resolved, its record, and the dice that were not needed."""

    dice_left: list[int]


class DoctrineJson(JsonStruct):
    """A way in which a side decides."""

    id: str
    text: Text


# The card's published schema describes it.
CARD = {
    "anyOf": [
        {"$ref": f"{COMPONENTS}Card"},
        {"$ref": f"{COMPONENTS}Card.Table"},
        {"type": "array", "items": {"type": "object"}},
    ]
}


# ------------------------------------------------------------------ games


def list_games(call: Call) -> list[game.Heading]:  # noqa: ARG001  # every endpoint is given its call
    """List the games."""
    return [game.heading(id_) for id_ in game.ids()]


def show_card(call: Call) -> object:
    """Give a card, or one part of it."""
    try:
        return card_json(game.card(call.path("game")), call.query("table"))
    except Refusal as refusal:
        raise HttpRefusal(404, refusal) from None


def list_doctrines(call: Call) -> list[DoctrineJson]:  # noqa: ARG001  # every endpoint is given its call
    """List the doctrines."""
    return [joined(DoctrineJson, way) for way in DOCTRINES.values()]


# ------------------------------------------------------------------ fights


def explain(call: Call) -> fight_json.ExplainAnswer:
    """Explain a fight before the dice."""
    return fight_json.explain_answer(_fight(call.given(dict)), call.lang)


def odds(call: Call) -> fight_json.OddsAnswer:
    """Give the exact odds of a fight."""
    fight = _fight(call.given(dict))
    found = fight.odds(call.query("attacker") or "best", call.query("defender") or "best")
    return fight_json.odds_answer(fight, found, call.lang)


def resolve(call: Call) -> ResolveAnswer:
    """Resolve a fight as far as it is answered."""
    body = call.given(ResolveBody)
    sides = doctrine(body.attacker), doctrine(body.defender)
    with _placed("fight"):
        fight = _fight(body.fight)
    play, dice = Play(fight), iter(body.dice)
    for number, answer in enumerate(body.answers):
        with _placed(f"answers[{number}]"):
            play.answer(from_plain(answer))
    if body.auto:
        finish(play, Analysis(fight, *sides), dice, Random(body.seed))
    else:
        _roll(play, dice)
    return joined(ResolveAnswer, _recorded(play, call), dice_left=list(dice))


def _roll(play: Play, dice: Iterator[int]) -> None:
    """Answer rolls with the given dice, up to the next choice or the last of the dice."""
    while isinstance(play.asking, Roll):
        typed = tuple(islice(dice, play.asking.dice))
        if not typed:
            return
        with _placed("dice"):
            play.answer(typed)


def replay_record(call: Call) -> ReplayAnswer:
    """Replay a record."""
    kept = read_record(call.given(dict))
    _known(kept.game, kept.procedure)
    with _placed("fight"):
        check_fight(kept.fight)
    return _recorded(replay(kept), call)


def _recorded(play: Play, call: Call) -> ReplayAnswer:
    return joined(ReplayAnswer, fight_json.play_answer(play, call.lang), record=record(play))


def _fight(stated: FightJson) -> Fight:
    _known(stated.get("game"), stated.get("procedure"))
    return limited_fight(stated)


def _known(game_id: object, procedure: object = None) -> None:
    """Refuse an unknown game or procedure with 404; other mistakes are refused by the rules."""
    if not isinstance(game_id, str):
        return
    try:
        game.card(game_id)
        if isinstance(procedure, str):
            game.load(game_id).procedure(procedure)
    except Refusal as refusal:
        raise HttpRefusal(404, refusal) from None


@contextmanager
def _placed(place: str) -> Iterator[None]:
    """Put the part of the body before the place of a refusal."""
    try:
        yield
    except Refusal as refusal:
        whole = ".".join(part for part in (place, refusal.place) if part)
        raise Refusal(refusal.problem, place=whole) from None


# ------------------------------------------------------------------ the list

_MISSING = MappingProxyType({404: say("there is no such game, procedure or table")})
_DOCTRINES = MappingProxyType(
    {
        "attacker": say("doctrine of the attacker; best unless stated"),
        "defender": say("doctrine of the defender; best unless stated"),
    }
)

_EXAMPLE = {
    "game": "bautzen",
    "terrain": ["village"],
    "attackers": [{"name": "21/20", "attack": 14}],
    "defenders": [{"name": "861/294", "defence": 4}],
}

ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/games",
        summary=say("The games"),
        run=list_games,
        answer=list[game.Heading],
    ),
    Endpoint(
        method="GET",
        path="/api/games/{game}",
        summary=say("A printed card, each table with its parsed cells"),
        run=show_card,
        answer=CARD,
        query=MappingProxyType(
            {"table": say("only this table, or modifiers, terrain, numbers, options")}
        ),
        refuses=_MISSING,
    ),
    Endpoint(
        method="GET",
        path="/api/doctrines",
        summary=say("The ways in which a side decides when no person is asked"),
        run=list_doctrines,
        answer=list[DoctrineJson],
    ),
    Endpoint(
        method="POST",
        path="/api/explain",
        summary=say("Totals, modifiers, column and die modifier of a fight, each with its rule"),
        run=explain,
        body=FightJson,
        example=_EXAMPLE,
        answer=fight_json.ExplainAnswer,
        refuses=_MISSING,
    ),
    Endpoint(
        method="POST",
        path="/api/odds",
        summary=say("The exact odds of every outcome"),
        run=odds,
        body=FightJson,
        example=_EXAMPLE,
        answer=fight_json.OddsAnswer,
        query=_DOCTRINES,
        refuses=_MISSING,
    ),
    Endpoint(
        method="POST",
        path="/api/resolve",
        summary=say("A fight as far as it is answered, with the open question and the record"),
        run=resolve,
        body=ResolveBody,
        example={"fight": _EXAMPLE, "answers": [[5]]},
        answer=ResolveAnswer,
        refuses=_MISSING,
    ),
    Endpoint(
        method="POST",
        path="/api/replay",
        summary=say("Replay a record; refused at the first mismatch"),
        run=replay_record,
        body=RecordBody,
        answer=ReplayAnswer,
        refuses=_MISSING,
    ),
)
