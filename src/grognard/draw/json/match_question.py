"""The open question of a match as JSON, with its legal answers."""

from collections.abc import Set
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from grognard.card.card import Card
from grognard.card.rows import SIDES, Side
from grognard.draw.json.fight_question import (
    AdviceJson,
    OptionJson,
    QuestionJson,
    RollJson,
    ask_json,
    options_json,
)
from grognard.draw.json.structs import JsonStruct, joined, one_of
from grognard.draw.text.match import order_heading, verb_text
from grognard.fights.advised import Advised
from grognard.maps.board import Map
from grognard.maps.labels import Labels, labelled
from grognard.matches.advised import match_advised
from grognard.matches.history import history, opened
from grognard.matches.match import Match
from grognard.matches.protocol import Order, Words, side_of
from grognard.matches.seats import Seats, plays_itself, to_answer
from grognard.matches.sight import hidden_from, unnamed, viewer
from grognard.rules.ask import Ask, Choose, Commit, Roll
from grognard.rules.wording import question
from grognard.words.text import Lang

NOBODY = Seats()
Doctrines = tuple[str, str]  # of the attacker and the defender, for the odds
BEST: Doctrines = ("best", "best")


class VerbJson(JsonStruct):
    """An order that may be given now: its verb, what it takes, and what may be named in it."""

    verb: str
    text: str
    takes: list[str]  # what the words after the verb are: unit, hex, word, units
    units: list[str] | UnsetType = UNSET  # the units that may act
    pairs: dict[str, list[str]] | UnsetType = UNSET  # what goes with each first word


class OrderAskJson(JsonStruct):
    """A question for an order."""

    ask: Literal["order"]
    text: str
    rule: None
    side: str
    orders: list[VerbJson]
    automatic: bool  # whether a side answers that plays itself


class MatchRollJson(RollJson):
    """A question for a roll of dice, in a match."""

    side: str
    automatic: bool


class MatchChooseJson(QuestionJson):
    """A question for a choice of one side, in a match."""

    ask: Literal["choose"]
    side: str
    options: list[OptionJson]
    members: tuple[str, ...]
    advice: AdviceJson | None
    role: Side
    hexes: bool  # whether all options are hexes of the map
    automatic: bool


class SecretHalfJson(JsonStruct):
    """What a side may commit in secret, and whether it has."""

    id: str
    role: Side
    given: bool
    automatic: bool
    options: list[OptionJson]


class MatchCommitJson(QuestionJson):
    """A question for a secret commitment of both sides, in a match."""

    ask: Literal["commit"]
    sides: list[SecretHalfJson]
    advice: AdviceJson | None
    automatic: bool


MATCH_QUESTIONS = (OrderAskJson, MatchRollJson, MatchChooseJson, MatchCommitJson)
if TYPE_CHECKING:
    MatchAskJson = OrderAskJson | MatchRollJson | MatchChooseJson | MatchCommitJson | None
else:
    MatchAskJson = one_of(*MATCH_QUESTIONS, None)


def asking_json(
    match: Match, lang: Lang, seats: Seats = NOBODY, doctrines: Doctrines = BEST
) -> MatchAskJson:
    """Give the open question and its legal answers; the sides are those of the match."""
    ask, automatic = match.asking, plays_itself(match, seats)
    if not isinstance(ask, Order):
        return None if ask is None else _fight_question(match, ask, lang, seats, doctrines)
    return OrderAskJson(
        ask="order",
        text=order_heading(match.field, ask).in_(lang),
        rule=None,
        side=ask.side,
        orders=verbs_json(match.field.card, ask, lang) if seats.mine(ask.side) else [],
        automatic=automatic,
    )


def _fight_question(
    match: Match, ask: Ask, lang: Lang, seats: Seats, doctrines: Doctrines
) -> MatchRollJson | MatchChooseJson | MatchCommitJson:
    automatic = plays_itself(match, seats)
    advised = match_advised(match, *doctrines) if is_advised(match, seats) else Advised()
    asked = ask_json(match.field.card, ask, advised, lang)
    text = labelled(question(match.field.card, ask, lang), _quiet(match, seats))
    match ask:
        case Roll():
            side = side_of(match.roles, ask.side)
            return joined(MatchRollJson, asked, text=text, side=side, automatic=automatic)
        case Choose():
            side = side_of(match.roles, ask.side)
            kept_back: dict[str, object] = (
                {} if seats.mine(side) else {"options": [], "members": (), "advice": None}
            )
            return joined(
                MatchChooseJson,
                asked,
                text=text,
                side=side,
                role=ask.side,
                hexes=all(match.board.map.has(str(option)) for option in ask.options),
                automatic=automatic,
                **kept_back,
            )
        case Commit():
            halves = _halves(match, ask, advised, lang, seats)
            return joined(MatchCommitJson, asked, text=text, sides=halves, automatic=automatic)


def _quiet(match: Match, seats: Seats) -> Labels:
    """Give the counters that a question must not name: hidden ones that did not come into the open
    by the present order."""
    hidden = hidden_from(match, viewer(match, seats.autos, seats.seat))
    events = history(match)[-1:] if hidden else ()
    return unnamed(hidden.difference(*(opened(match, event) for event in events)))


def is_advised(match: Match, seats: Seats) -> bool:
    """Tell whether the reader is shown what the answers to the open question lead to: in a match
    apart only for his own, and before a fight not where that depends on hidden counters."""
    ask = match.asking
    if not isinstance(ask, Choose | Commit) or plays_itself(match, seats):
        return False
    if seats.seat is None:
        return True
    hides = match.play is None and match.field.hides_stacks()
    return seats.seat in to_answer(match, seats) and not hides


def _halves(
    match: Match, ask: Commit, advised: Advised, lang: Lang, seats: Seats
) -> list[SecretHalfJson]:
    return [
        SecretHalfJson(
            id=side,
            role=role,
            given=side in seats.given,
            automatic=side in seats.autos,
            options=options_json(match.field.card, ask, role, advised, lang)
            if seats.mine(side)
            else [],
        )
        for side, role in zip(match.roles, SIDES, strict=True)
    ]


def verbs_json(card: Card, ask: Order, lang: Lang) -> list[VerbJson]:
    """Give the verbs that may be ordered now, what each takes, and who and what may be named."""
    kinds: dict[tuple[str, ...], list[Words]] = {}
    units = {piece.name for piece in ask.board.pieces}
    for order in ask.orders.kinds():
        kinds.setdefault((order[0], *_takes(ask.board.map, units, order)), []).append(order)
    return [
        _verb(verb, takes, found, verb_text(card, verb, lang))
        for (verb, *takes), found in kinds.items()
    ]


def _takes(sheet: Map, units: Set[str], order: Words) -> list[str]:
    """Tell what the words after the verb are; after a hex any number of units may follow."""
    kinds = [
        "unit" if word in units else "hex" if sheet.has(word) else "word" for word in order[1:]
    ]
    if len(kinds) > 1 and kinds[0] == "hex" and set(kinds[1:]) == {"unit"}:
        return ["hex", "units"]
    return kinds


def _verb(verb: str, takes: list[str], found: list[Words], text: str) -> VerbJson:
    """Name the units that may act; except for plain moves also what goes with each first word."""
    if not takes:
        return VerbJson(verb=verb, text=text, takes=takes)
    first = {order[1]: None for order in found}
    if takes in (["unit"], ["unit", "hex"]):
        return VerbJson(verb=verb, text=text, takes=takes, units=[*first])
    pairs: dict[str, dict[str, None]] = {word: {} for word in first}
    for order in found:
        rest = order[2:] if takes[-1] != "hex" else order[2:-1]
        pairs[order[1]] |= dict.fromkeys(rest)
    acting = first if takes[0] == "unit" else {}
    if takes[-1] == "units":
        acting = {name: None for names in pairs.values() for name in names}
    named_with = {word: [*names] for word, names in pairs.items()}
    return VerbJson(verb=verb, text=text, takes=takes, units=[*acting], pairs=named_with)
