"""Fair dice over HTTP: the state of the next roll, anchors, reveals."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Annotated

from msgspec import Meta

from grognard.draw.json.structs import JsonStruct
from grognard.matches.dice_proof import Proof, ProvenRoll
from grognard.matches.fair_dice import LENGTH, Asked, Chain, fair_dice
from grognard.matches.storage.dice import DiceRows, DiceState, Reveal, Revealing, read_dice
from grognard.matches.storage.kept_rows import answers_of
from grognard.matches.storage.rows import Kept
from grognard.matches.storage.store import Store
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.matches.actions import Body
from grognard.web.matches.live_matches import Live
from grognard.web.matches.seen_match import Seen
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

Link = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
_REFUSES = {
    404: say("there is no such match"),
    409: say("the match has changed since"),
    422: say("not legal"),
}


class DieJson(JsonStruct):
    """The dice of a roll."""

    count: int
    faces: int
    lowest: int


class DiceSideJson(JsonStruct):
    """A side, as far as its dice are concerned."""

    id: str
    first: int | None  # the first roll that its chain serves; None: it has no chain
    anchor: str | None
    server: bool  # whether the server answers for it
    revealed: bool  # whether it has revealed for the open roll


class MadeRollJson(JsonStruct):
    """A roll that was made."""

    roll: int
    question: str
    dice: DieJson
    links: dict[str, str]
    shown: list[int]


class DiceAnswer(JsonStruct):
    """The state of the next roll, and the rolls that were made."""

    match: str
    length: int  # links of a chain
    roll: int  # the number of the next roll
    question: str  # the last link of the chain of answers
    dice: DieJson | None  # None: no roll is asked for now
    side: str | None  # that rolls
    awaited: list[str]  # the sides that must act for it
    text: str  # the same in words
    sides: list[DiceSideJson]
    made: list[MadeRollJson]  # from the roll `since` on; the last one, if none is named


class AnchorBody(Body, frozen=True, kw_only=True):
    """A new chain of a side."""

    side: str
    anchor: Link
    replaces: Link | None = None  # the anchor that the side has now
    secret: Link | None = None  # given, the server answers for the side


class RevealBody(Body, frozen=True, kw_only=True):
    """The link of a side for a roll, and for what it was meant."""

    side: str
    roll: int
    question: Link
    other: Link  # the anchor of the other side
    value: Link


@Endpoint(
    "GET",
    "/api/matches/{id}/dice",
    say("Fair dice: the state of the next roll, and rolls that were made"),
    query={"since": say("the number of a roll: this one and those after it")},
    refuses=_REFUSES,
)
def _state(live: Live, call: Call) -> DiceAnswer:
    with _apart(live, call) as seen:
        return _shown(live.store, seen, call)


@Endpoint(
    "POST",
    "/api/matches/{id}/dice/anchor",
    say("Fair dice: begin a chain of a side, or give its secret to the server"),
    example={"side": "german", "anchor": "0" * 64},
    refuses=_REFUSES,
)
def _anchor(live: Live, call: Call, body: AnchorBody) -> DiceAnswer:
    with _apart(live, call) as seen:
        seen.only(body.side)
        rows = seen.fair.rows
        rows.begin(seen.kept.id, body.side, body.anchor, body.replaces, body.secret)
        return _shown(live.store, seen, call)


@Endpoint(
    "POST",
    "/api/matches/{id}/dice/reveal",
    say("Fair dice: reveal a side's link for the roll that is asked for"),
    example={
        "side": "german",
        "roll": 1,
        "question": "0" * 64,
        "other": "0" * 64,
        "value": "0" * 64,
    },
    refuses=_REFUSES,
)
def _reveal(live: Live, call: Call, body: RevealBody) -> DiceAnswer:
    with _apart(live, call) as seen:
        seen.only(body.side)
        seen.reveal(Revealing(body.side, body.roll, body.question, body.other, body.value))
        return _shown(live.store, seen, call)


ENDPOINTS = (_state, _anchor, _reveal)


@contextmanager
def _apart(live: Live, call: Call) -> Iterator[Seen]:
    """Open a match whose dice are made by both sides."""
    with live.seen(call.request) as seen:
        if not seen.kept.apart:
            raise Refusal(say("this match is played at one table; its dice are not checked"))
        yield seen


# ------------------------------------------------------------------ showing


def _shown(store: Store, seen: Seen, call: Call) -> DiceAnswer:
    fair = seen.fair
    state = fair.state()
    asked = seen.rolls_fairly
    awaited = fair.awaited(state) if asked else []
    dice = fair.ask.dice if asked else None
    since = _since(call.query("since"), state.roll)
    return DiceAnswer(
        match=seen.kept.id,
        length=LENGTH,
        roll=state.roll,
        question=state.kept.head,
        dice=DieJson(count=dice.count, faces=dice.faces, lowest=dice.first) if dice else None,
        side=fair.roller if asked else None,
        awaited=awaited,
        text=_words(seen, state, awaited).in_(call.lang),
        sides=[_side(state, side) for side in fair.sides],
        made=[made for made in _made(store, seen.kept, since) if made.roll < state.roll],
    )


def _since(text: str | None, roll: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 9 else roll - 1


def _side(state: DiceState, side: str) -> DiceSideJson:
    chain = state.chains.get(side)
    return DiceSideJson(
        id=side,
        first=chain.first if chain else None,
        anchor=chain.anchor if chain else None,
        server=chain is not None and chain.secret is not None,
        revealed=side in state.links,
    )


def _words(seen: Seen, state: DiceState, awaited: list[str]) -> Message:
    names = {side.id: side.name for side in seen.match.field.scenario.sides}
    if not seen.rolls_fairly:
        return say("No roll is asked for now.")
    for side in awaited:
        if side not in state.chains:
            return say(
                "{side} has no chain of dice yet: its page begins one when it is opened.",
                side=names[side],
            )
    if awaited and awaited[0] != seen.fair.roller:
        return say(
            "Waiting for {side}: its page answers as soon as it is open.", side=names[awaited[0]]
        )
    return say("To roll: {side}.", side=names[seen.fair.roller])


def _made(store: Store, kept: Kept, since: int) -> list[MadeRollJson]:
    """Give the rolls that were made, each worked out again from its links."""
    _, reveals = DiceRows(store).everything(kept.id, since)
    return [
        _roll(kept, roll, list(links)) for roll, links in groupby(reveals, lambda one: one.roll)
    ]


def _roll(kept: Kept, roll: int, reveals: list[Reveal]) -> MadeRollJson:
    question, dice = reveals[0].question, read_dice(kept.id, reveals[0].dice)
    links = {one.side: one.value for one in reveals}
    return MadeRollJson(
        roll=roll,
        question=question,
        dice=DieJson(count=dice.count, faces=dice.faces, lowest=dice.first),
        links=links,
        shown=list(fair_dice(Asked(kept.id, roll, question, dice), links)),
    )


def proof_of(store: Store, id_: str) -> Proof:
    """Give what a checker of a match file needs beside its answers."""
    with store.database.transaction(write=False):
        kept = store.get(id_)
        answers = answers_of(store.database, kept)
        chains, reveals = DiceRows(store).everything(id_)
    rolls = groupby(reveals, lambda one: one.roll)
    return Proof(
        id=kept.id,
        created=kept.created,
        sources=tuple(row.source for row in answers),
        nonces=tuple(row.nonce for row in answers),
        heads=tuple(row.seal for row in answers),
        chains=tuple(
            Chain(chain.side, chain.first, chain.anchor, chain.withdrawn) for chain in chains
        ),
        rolls=tuple(_proven(kept, list(links)) for _, links in rolls),
    )


def _proven(kept: Kept, reveals: list[Reveal]) -> ProvenRoll:
    dice = read_dice(kept.id, reveals[0].dice)
    return ProvenRoll(dice.faces, dice.first, {one.side: one.value for one in reveals})
