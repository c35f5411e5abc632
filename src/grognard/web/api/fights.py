"""The JSON interface of games and fights, with the keys of the commands' `--json`."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct

from grognard.card.dice import MOST_FACES
from grognard.draw.json import fight as fight_json
from grognard.draw.json.card import card_json
from grognard.draw.json.odds import OddsAnswer, odds_answer
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
from grognard.fights.fight_analysis import Analysis
from grognard.fights.play import Play
from grognard.fights.record import Record, from_plain, read_record, record, replay
from grognard.files.plain_data import NUMBER
from grognard.rules import game
from grognard.rules.ask import Roll
from grognard.rules.fight import Fight
from grognard.web.api.endpoint import Call, Endpoint, placed
from grognard.web.lanes.answering import STEADY
from grognard.web.limits import check_fight, limited_fight
from grognard.web.responses import HttpRefusal
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Text

Die = Annotated[int, Meta(ge=0, le=MOST_FACES)]
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


MISSING = MappingProxyType({404: say("there is no such game, procedure or table")})
_EXAMPLE = {
    "game": "bautzen",
    "terrain": ["village"],
    "attackers": [{"name": "21/20Pz", "attack": 14}],
    "defenders": [{"name": "861/294", "defence": 4}],
}


# ------------------------------------------------------------------ games


@Endpoint("GET", "/api/games", say("The games"))
def _games(call: Call) -> list[game.Heading]:  # noqa: ARG001  # every endpoint is given its call
    return [game.heading(id_) for id_ in game.ids()]


@Endpoint(
    "GET",
    "/api/games/{game}",
    say("A printed card, each table with its parsed cells"),
    answer=CARD,
    query={"table": say("only this table, or modifiers, terrain, numbers, options")},
    refuses=MISSING,
)
def _card(call: Call) -> object:
    try:
        return card_json(game.card(call.path("game")), call.query("table"))
    except Refusal as refusal:
        raise HttpRefusal(404, refusal) from None


@Endpoint("GET", "/api/doctrines", say("The ways in which a side decides when no person is asked"))
def _doctrines(call: Call) -> list[DoctrineJson]:  # noqa: ARG001  # every endpoint is given its call
    return [joined(DoctrineJson, way) for way in DOCTRINES.values()]


# ------------------------------------------------------------------ fights


@Endpoint(
    "POST",
    "/api/explain",
    say("Totals, modifiers, column and die modifier of a fight, each with its rule"),
    work=STEADY,
    example=_EXAMPLE,
    refuses=MISSING,
)
def _explain(call: Call, body: FightJson) -> fight_json.ExplainAnswer:
    return fight_json.explain_answer(_fight(body), call.lang)


@Endpoint(
    "POST",
    "/api/odds",
    say("The exact odds of every outcome"),
    work=STEADY,
    example=_EXAMPLE,
    query={
        "attacker": say("doctrine of the attacker; best unless stated"),
        "defender": say("doctrine of the defender; best unless stated"),
    },
    refuses=MISSING,
)
def _odds(call: Call, body: FightJson) -> OddsAnswer:
    fight = _fight(body)
    found = fight.odds(call.query("attacker") or "best", call.query("defender") or "best")
    return odds_answer(fight, found, call.lang)


@Endpoint(
    "POST",
    "/api/resolve",
    say("A fight as far as it is answered, with the open question and the record"),
    example={"fight": _EXAMPLE, "answers": [[5]]},
    refuses=MISSING,
)
def _resolve(call: Call, body: ResolveBody) -> ResolveAnswer:
    sides = doctrine(body.attacker), doctrine(body.defender)
    with placed("fight"):
        fight = _fight(body.fight)
    play, dice = Play(fight), iter(body.dice)
    for number, answer in enumerate(body.answers):
        with placed(f"answers[{number}]"):
            play.answer(from_plain(answer))
    if body.auto:
        finish(play, Analysis(fight, *sides), dice, Random(body.seed))
    else:
        _roll(play, dice)
    told = fight_json.play_answer(play, call.lang, body.attacker, body.defender)
    return joined(ResolveAnswer, told, record=record(play), dice_left=list(dice))


def _roll(play: Play, dice: Iterator[int]) -> None:
    """Answer rolls with the given dice, up to the next choice or the last of the dice."""
    while isinstance(play.asking, Roll):
        typed = tuple(islice(dice, play.asking.dice.count))
        if not typed:
            return
        with placed("dice"):
            play.answer(typed)


@Endpoint(
    "POST", "/api/replay", say("Replay a record; refused at the first mismatch"), refuses=MISSING
)
def _replay(call: Call, body: RecordBody) -> ReplayAnswer:
    kept = read_record(body)
    known(kept.game, kept.procedure)
    with placed("fight"):
        check_fight(kept.fight)
    play = replay(kept)
    return joined(ReplayAnswer, fight_json.play_answer(play, call.lang), record=record(play))


def _fight(stated: FightJson) -> Fight:
    known(stated.get("game"), stated.get("procedure"))
    return limited_fight(stated)


def known(game_id: object, procedure: object = None) -> None:
    """Refuse an unknown game or procedure with 404; other mistakes are refused by the rules."""
    if not isinstance(game_id, str):
        return
    try:
        game.card(game_id)
        if isinstance(procedure, str):
            game.load(game_id).procedure(procedure)
    except Refusal as refusal:
        raise HttpRefusal(404, refusal) from None


ENDPOINTS = (_games, _card, _doctrines, _explain, _odds, _resolve, _replay)
