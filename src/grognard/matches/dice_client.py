"""Client of fair dice for programs that play apart.

It keeps a side's secret to itself, reveals a link when a roll waits for it, and notes for what it
revealed, so that it notices when the server tells another story afterwards.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.request import Request, urlopen

from msgspec import Struct, field

from grognard.card.dice import MOST_DICE, MOST_FACES, Dice
from grognard.matches.fair_dice import (
    LENGTH,
    Asked,
    anchor_of,
    fair_dice,
    hashed,
    is_link,
    link_of,
    new_secret,
)
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

Json = dict[str, Any]  # an answer of the server
Ask = Callable[[str, Mapping[str, object] | None], Json]  # path, and the body of a POST


class Note(Struct):
    """For what a link was revealed."""

    roll: int
    question: str
    dice: Json
    value: str
    anchor: str  # of the side itself
    other: str  # the anchor of the other side
    steps: int  # from the link of the other side to its anchor


class OwnChain(Struct):
    """A chain that the side has begun."""

    secret: str
    gives_up: str = ""  # the link that was revealed for the open roll, and is withdrawn
    first: int = 0  # the first roll that it serves; 0: the server has not said so yet


class Notes(Struct):
    """What a client keeps of a match; write it down to play on later."""

    match: str = ""  # what is empty is noted at the first look, before anything is revealed
    side: str = ""
    other: str = ""  # the other side
    chains: dict[str, OwnChain] = field(default_factory=dict)  # by anchor, the oldest first
    chain: str = ""  # the anchor of the last one that the server has taken
    reveals: dict[int, Note] = field(default_factory=dict)  # by number of the roll
    withdrawn: list[Note] = field(default_factory=list)  # reveals that a new chain gave up

    @property
    def last(self) -> int:
        """The last roll for which a link was revealed."""
        return max(self.reveals, default=0)


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
        if self._sides(state)[0]["anchor"] is None:
            state = self.begin()
        mine, other = self._sides(state)
        if mine["anchor"] not in self.notes.chains:
            if not self.notes.chain:
                raise Refusal(say("the secret of this chain is not here; begin a new one"))
            raise Cheated(say("{side} has a chain that is not in these notes", side=self.side))
        if self.side in state["awaited"] and other["anchor"] is not None:
            state = self._reveal(state)
        return state

    def begin(self) -> Json:
        """Begin a new chain; it withdraws what this side has revealed for the open roll."""
        state = self._looked()
        secret = new_secret()
        anchor = anchor_of(secret)
        given = self.notes.reveals.get(int(state["roll"]))
        # First: a lost anchor costs nothing, a lost secret does.
        self.notes.chains[anchor] = OwnChain(secret, given.value if given else "")
        replaces = self._sides(state)[0]["anchor"]
        body = {"side": self.side, "anchor": anchor, "replaces": replaces}
        return self._checked(self._ask("dice/anchor", body))

    def _looked(self) -> Json:
        return self._checked(self._ask(f"dice?since={self.notes.last}", None))

    def _sides(self, state: Json) -> tuple[Json, Json]:
        mine = next(one for one in state["sides"] if one["id"] == self.side)
        return mine, next(one for one in state["sides"] if one["id"] != self.side)

    def _reveal(self, state: Json) -> Json:
        mine, other = self._sides(state)
        roll, own = int(state["roll"]), self.notes.chains[mine["anchor"]]
        steps = roll - int(other["first"]) + 1
        if not (can_be_rolled(state["dice"]) and 1 <= steps <= LENGTH):
            raise Cheated(say("roll {roll} can't be made", roll=roll))
        note = Note(
            roll=roll,
            question=state["question"],
            dice=state["dice"],
            value=link_of(own.secret, roll - own.first),
            anchor=mine["anchor"],
            other=other["anchor"],
            steps=steps,
        )
        # What was noted stays: whoever knows the link must not choose anything any more.
        if self.notes.reveals.setdefault(roll, note) != note:
            raise Cheated(say("roll {roll} was asked before, for another question", roll=roll))
        body = {
            "side": self.side,
            "roll": roll,
            "question": note.question,
            "other": note.other,
            "value": note.value,
        }
        return self._checked(self._ask("dice/reveal", body))

    # -------------------------------------------------------------- checking

    def _checked(self, state: Json) -> Json:
        """Compare what the server tells with the notes."""
        notes = self.notes
        notes.match = notes.match or str(state["match"])
        notes.other = notes.other or str(self._sides(state)[1]["id"])
        problem = self._chain_problem(state) or self._roll_problem(state)
        if problem:
            raise Cheated(problem)
        return state

    def _chain_problem(self, state: Json) -> Message | None:
        """Say what is wrong with the chain of this side, and note the one that serves it."""
        notes, roll = self.notes, int(state["roll"])
        mine = self._sides(state)[0]
        own = notes.chains.get(mine["anchor"])
        if roll < notes.last or (mine["anchor"] is None and roll == notes.last):
            return say("the server knows nothing of roll {roll} any more", roll=notes.last)
        if own is None:
            return None
        begun, first = [*notes.chains], int(mine["first"])
        if mine["anchor"] != notes.chain and not self._follows(begun, mine["anchor"], first):
            return say("{side} has a chain that does not count any more", side=self.side)
        own.first = own.first or first
        if mine["server"]:
            return say("the server answers for {side}, which has not asked it to", side=self.side)
        # A link tells all links of the rolls before it, so none may be left out.
        revealed = [n for n, note in notes.reveals.items() if note.anchor == mine["anchor"]]
        before = len([n for n in revealed if n < roll])
        if first != own.first or roll - first != before or before == LENGTH:
            return say("the server asks for the link of a later roll")
        return None

    def _follows(self, begun: Sequence[str], anchor: str, first: int) -> bool:
        """Tell whether a chain may take the place of the one before it; note that it does.

        It withdraws no reveal but the one for which it was begun.
        """
        notes = self.notes
        given_up = [note for n, note in notes.reveals.items() if n >= first]
        asked = all(note.value == notes.chains[anchor].gives_up for note in given_up)
        if not asked or (notes.chain and begun.index(anchor) < begun.index(notes.chain)):
            return False
        notes.chain = anchor
        notes.withdrawn += [notes.reveals.pop(note.roll) for note in given_up]
        return True

    def _roll_problem(self, state: Json) -> Message | None:
        """Say what is wrong with the rolls that were made; the last one is always told, because a
        roll that is left out can't be checked."""
        notes = self.notes
        told = {int(made["roll"]) for made in state["made"]}
        if 0 < notes.last < int(state["roll"]) and notes.last not in told:
            return say("the server does not tell how roll {roll} was made", roll=notes.last)
        for made in state["made"]:
            note = notes.reveals.get(int(made["roll"]))
            problem = note and difference(notes, note, made)
            if problem:
                return problem
        return None


def can_be_rolled(dice: Json | None) -> bool:
    """Tell whether these are dice: others could keep a program busy for ever."""
    return (
        dice is not None
        and dice.keys() == {"count", "faces", "lowest"}
        and all(type(value) is int for value in dice.values())
        and 1 <= dice["count"] <= MOST_DICE
        and 2 <= dice["faces"] <= MOST_FACES
    )


def difference(notes: Notes, note: Note, made: Json) -> Message | None:
    """Say in what a roll differs from what a side revealed for; None: in nothing."""
    roll, links = note.roll, made["links"]
    if made["question"] != note.question:
        return say("roll {roll} was made for another question than the one shown", roll=roll)
    if made["dice"] != note.dice:
        return say("roll {roll} was made with other dice than those shown", roll=roll)
    theirs = links.get(notes.other, "")
    fits = is_link(theirs) and hashed(theirs, note.steps) == note.other
    if not fits or links != {notes.side: note.value, notes.other: theirs}:
        return say("roll {roll} was made with another chain than the one shown", roll=roll)
    dice = Dice(note.dice["count"], note.dice["faces"], "sum", note.dice["lowest"])
    if list(fair_dice(Asked(notes.match, roll, note.question, dice), links)) != made["shown"]:
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
