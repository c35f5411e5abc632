"""What the store keeps of a match, and how it refuses."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from grognard.matches.storage.database import Value
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

# Where an answer comes from. Dice: typed by a person, rolled by the server alone, or fair: made by
# both sides. Of matches kept before the store noted it, the source is unknown.
Source = Literal["person", "typed", "rolled", "fair", "automatic", "imported", "unknown"]
# Where a match comes from; of one from a file, whether its dice could be checked.
Origin = Literal["begun", "imported", "checked"]


HALF_STANDS = say("a side has committed in secret since; its half stands")


class Unknown(Refusal):
    """There is no such match."""

    def __init__(self, id_: str) -> None:
        super().__init__(say("there is no match '{id}'", id=id_))


class Stale(Refusal):
    """The match has changed since the caller last saw it."""

    def __init__(self) -> None:
        super().__init__(say("the match has changed since you looked at it; look again"))


class NotYours(Refusal):
    """Who asks does not hold the seat that may do this."""

    def __init__(self) -> None:
        super().__init__(say("this is for the other side to do"))


class Unusable(Refusal):
    """The store can't be used: foreign, newer, damaged, or not writable."""


class Full(Unusable):
    """There is no room left for the store."""


def check_known(found: int, known: int) -> None:
    """Refuse a store of a newer format."""
    if found > known:
        raise Unusable(
            say(
                "the matches are of format {found}; this program reads {known}",
                found=found,
                known=known,
            )
        )


class Damaged(Refusal):
    """One match is damaged; the others can be used."""

    def __init__(self, id_: str, problem: Message) -> None:
        self.id, self.reason = id_, problem
        super().__init__(say("the match '{id}' is damaged: {problem}", id=id_, problem=problem))


class Standing(Struct, frozen=True):
    """The state of a match that lists show, stored so that no replay is needed."""

    turn: int = 1
    over: bool = False
    winner: str | None = None


class New(Struct, frozen=True, kw_only=True):
    """A match to be stored."""

    name: str
    scenario: str
    options: Mapping[str, str]
    autos: tuple[str, ...] = ()  # the automatic sides
    level: str = "sergeant"  # of their player
    apart: bool = False  # whether each side plays by its secret link
    origin: Origin = "begun"
    answers: Sequence[object] = ()  # as JSON
    standing: Standing = Standing()


class Kept(Struct, frozen=True, kw_only=True):
    """A stored match without its answers."""

    id: str
    name: str
    scenario: str
    options: Mapping[str, str]
    autos: tuple[str, ...]
    level: str
    apart: bool
    origin: Origin
    created: str
    changed: str
    version: int  # raised by every change of the match itself
    news: int  # raised by these, and by all else that a page must learn of
    undone: int  # number of answers taken back
    undo_asked: str | None  # the side that asks the other for its consent
    standing: Standing
    head: str  # the last link of the chain of answers


class Moment(NamedTuple):
    """The beginning of a match, or the moment after one of its answers."""

    head: str  # the last link of the chain of answers then
    at: str  # the time; empty if it was not noted, or the answer was imported


class News(NamedTuple):
    """What tells whether a page shows a match as it is; of a damaged match, anything."""

    version: Value
    news: Value


class StoredMatch(Struct, frozen=True):
    """A stored match with its answers from some number on, and the halves not yet revealed."""

    kept: Kept
    answers: tuple[object, ...]
    sources: tuple[Source, ...]  # of these answers
    halves: Mapping[str, object]  # side -> option
