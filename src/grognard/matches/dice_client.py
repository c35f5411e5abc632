"""Client of fair dice for programs that play apart.

It keeps a side's secret to itself, reveals a link when a roll waits for it, and notes for what it
revealed, so that it notices when the server tells another story afterwards.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.request import Request, urlopen

from msgspec import Struct, field

from grognard.card.dice import Dice
from grognard.matches.fair_dice import Asked, anchor_of, fair_dice, hashed, link_of, new_secret
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

Json = dict[str, Any]  # an answer of the server
Ask = Callable[[str, Mapping[str, object] | None], Json]  # path, and the body of a POST


class Note(Struct):
    """For what a link was revealed."""

    question: str
    dice: Json
    value: str
    anchor: str  # of the side itself
    other: str  # the anchor of the other side
    steps: int  # from the link of the other side to its anchor


class Notes(Struct):
    """What a client keeps of a match; write it down to play on later."""

    match: str = ""
    side: str = ""
    secrets: dict[str, str] = field(default_factory=dict)  # anchor -> secret
    reveals: dict[int, Note] = field(default_factory=dict)  # by number of the roll


class Cheated(Refusal):
    """The server shows another history than the one for which a link was revealed."""


class DiceClient:
    """The dice of one side of a match apart."""

    def __init__(self, side: str, ask: Ask, notes: Notes | None = None) -> None:
        self.side, self._ask = side, ask
        self.notes = notes or Notes(side=side)

    def answer(self) -> Json:
        """Do what the dice want of this side: begin a chain, reveal, check; give the state.

        Call it when a roll is asked for, and again while others are awaited.
        """
        state = self._looked()
        mine, other = self._sides(state)
        if mine["anchor"] is None:
            state = self.begin(state)
            mine, other = self._sides(state)
        if self.side in state["awaited"] and not mine["server"] and other["anchor"] is not None:
            state = self._checked(self._reveal(state, mine, other))
        return state

    def begin(self, state: Json | None = None) -> Json:
        """Begin a new chain; it withdraws what this side has revealed for the open roll."""
        found = state or self._looked()
        secret = new_secret()
        anchor = anchor_of(secret)
        self.notes.secrets[anchor] = (
            secret  # first: a lost anchor costs nothing, a lost secret does
        )
        replaces = self._sides(found)[0]["anchor"]
        body = {"side": self.side, "anchor": anchor, "replaces": replaces}
        answer = self._ask("dice/anchor", body)
        self.notes.reveals.pop(int(answer["roll"]), None)
        return answer

    def _looked(self) -> Json:
        since = max(self.notes.reveals, default=0)
        return self._checked(self._ask(f"dice?since={since}", None))

    def _sides(self, state: Json) -> tuple[Json, Json]:
        mine = next(one for one in state["sides"] if one["id"] == self.side)
        return mine, next(one for one in state["sides"] if one["id"] != self.side)

    def _reveal(self, state: Json, mine: Json, other: Json) -> Json:
        secret = self.notes.secrets.get(mine["anchor"])
        if secret is None:
            raise Refusal(say("the secret of this chain is not here; begin a new one"))
        roll = int(state["roll"])
        note = self.notes.reveals.get(roll)
        if note and (note.question, note.other) != (state["question"], other["anchor"]):
            raise Cheated(say("roll {roll} was asked before, for another question", roll=roll))
        value = link_of(secret, self._place(roll, mine))
        self.notes.match = str(state["match"])
        self.notes.reveals[roll] = Note(
            question=state["question"],
            dice=state["dice"],
            value=value,
            anchor=mine["anchor"],
            other=other["anchor"],
            steps=roll - int(other["first"]) + 1,
        )
        body = {
            "side": self.side,
            "roll": roll,
            "question": state["question"],
            "other": other["anchor"],
            "value": value,
        }
        return self._ask("dice/reveal", body)

    def _place(self, roll: int, mine: Json) -> int:
        """Give the place of the link for a roll: the one after those that were revealed.

        A link tells all links of the rolls before it, so none may be left out.
        """
        before = [note.anchor for n, note in self.notes.reveals.items() if n != roll]
        place = before.count(mine["anchor"])
        if roll - int(mine["first"]) != place:
            raise Cheated(say("the server asks for the link of a later roll"))
        return place

    def _checked(self, state: Json) -> Json:
        """Compare the rolls that were made with the notes; a roll that is left out can't be
        checked."""
        last = max(self.notes.reveals, default=0)
        told = {int(made["roll"]) for made in state["made"]}
        if 0 < last < int(state["roll"]) and last not in told:
            raise Cheated(say("the server does not tell how roll {roll} was made", roll=last))
        for made in state["made"]:
            note = self.notes.reveals.get(int(made["roll"]))
            problem = note and roll_problem(state["match"], self.side, note, made)
            if problem:
                raise Cheated(problem)
        return state


def roll_problem(match: str, side: str, note: Note, made: Json) -> Message | None:
    """Say in what a roll differs from what a side revealed for; None: in nothing."""
    roll, links = int(made["roll"]), made["links"]
    if made["question"] != note.question:
        return say("roll {roll} was made for another question than the one shown", roll=roll)
    if made["dice"] != note.dice:
        return say("roll {roll} was made with other dice than those shown", roll=roll)
    theirs = [link for name, link in links.items() if name != side]
    if links.get(side) != note.value or [hashed(one, note.steps) for one in theirs] != [note.other]:
        return say("roll {roll} was made with another chain than the one shown", roll=roll)
    dice = Dice(made["dice"]["count"], made["dice"]["faces"], "sum", made["dice"]["lowest"])
    if list(fair_dice(Asked(match, roll, note.question, dice), links)) != list(made["shown"]):
        return say("roll {roll} shows other dice than both sides made", roll=roll)
    return None


def over_http(address: str, headers: Mapping[str, str] | None = None, timeout: float = 30) -> Ask:
    """Ask the server at the address of a match: `http://localhost:8000/api/matches/ID`."""

    def ask(path: str, body: Mapping[str, object] | None) -> Json:
        data = None if body is None else json.dumps(body).encode()
        sent = {"content-type": "application/json", **(headers or {})}
        request = Request(f"{address}/{path}", data, sent)
        with urlopen(request, timeout=timeout) as answer:
            found: Json = json.load(answer)
        return found

    return ask
