"""What the JSON interface takes and gives, as types: its description is made from them.

The keys are those of the commands' `--json`; later versions may add some, and take none away.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from grognard.card.rows import Side
from grognard.fights.record import Record
from grognard.words.text import Text

COMPONENTS = "#/components/schemas/"

# Bodies that a game's own types read; the description has a schema of each in the named place.
Stated = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{COMPONENTS}Fight"})]
Recorded = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{COMPONENTS}Record"})]
CARD = {
    "anyOf": [
        {"$ref": f"{COMPONENTS}Card"},
        {"$ref": f"{COMPONENTS}Card.Table"},
        {"type": "array", "items": {"type": "object"}},
    ]
}

Chance = Annotated[str, Meta(pattern=r"^\d+(/\d+)?$", description="an exact fraction, such as 5/6")]
Number = int | str | None  # fractions are words, such as 9/2
Plain = int | str | list[Any]  # an answer; a list is a group, dice, or both sides' halves


class Problem(TypedDict):
    """What is refused, in the reader's language, and the place in the body that it concerns."""

    refusal: str
    place: str


class Heading(TypedDict):
    """A game."""

    id: str
    name: Text
    about: Text


class Doctrine(TypedDict):
    """A way in which a side decides."""

    id: str
    text: Text


class Cell(TypedDict):
    """A cell of a printed table as it is read."""

    row: str
    column: str
    printed: str
    halves: list[dict[str, Any]]
    doubtful: bool


class Line(TypedDict):
    """How a number came about, or what happened to whom."""

    kind: str
    id: str
    text: str
    rule: str | None
    value: Number
    side: NotRequired[Side]
    unit: NotRequired[str]


class Doubt(TypedDict):
    """A doubtful reading of the card that counts here."""

    text: str
    status: Literal["certain", "reconstructed", "assumed"]
    confidence: int | None
    reason: str
    option: str | None


class Totals(TypedDict):
    """The strengths compared."""

    attack: Number
    defence: Number


class Columns(TypedDict):
    """The column before and after the shifts."""

    basic: Number
    final: Number


class OfFight(TypedDict):
    """What every answer about a fight begins with."""

    game: str
    procedure: str


class Explained(OfFight):
    """A fight before the dice."""

    totals: Totals
    column: Columns
    die_modifier: int
    modifiers: list[Line]
    lines: list[Line]
    doubts: list[Doubt]


class Outcome(TypedDict):
    """What will have happened. Keys that are left out are 0, false or empty."""

    result: NotRequired[str]
    attacker_steps_lost: NotRequired[int]
    defender_steps_lost: NotRequired[int]
    attacker_eliminated: NotRequired[bool]
    defender_eliminated: NotRequired[bool]
    vacated: NotRequired[bool]
    taken: NotRequired[bool]
    attacker_left: NotRequired[bool]
    defender_advanced: NotRequired[bool]
    attacker_shaken: NotRequired[int]
    defender_shaken: NotRequired[int]
    attacker_spent: NotRequired[int]
    defender_spent: NotRequired[int]
    details: NotRequired[list[str]]


class Likely(Outcome):
    """An outcome and its chance."""

    p: Chance


class SideOdds(TypedDict):
    """What a side has to expect."""

    expected_steps_lost: Chance
    no_loss: Chance
    eliminated: Chance


class Summary(TypedDict):
    """The chances that matter."""

    attacker: SideOdds
    defender: SideOdds
    vacated: Chance
    taken: Chance


class ResultOdds(Summary):
    """A result of the table, its chance, and what follows from it."""

    result: str
    p: Chance


class Doctrines(TypedDict):
    """By which the sides decide."""

    attacker: str
    defender: str


class Commitment(TypedDict):
    """How often each side commits what, and what the secret game is worth to the attacker."""

    what: str
    attacker: list[dict[str, Any]]
    defender: list[dict[str, Any]]
    value: str | None


class Odds(OfFight):
    """The exact odds of a fight."""

    exact: bool
    doctrines: Doctrines
    outcomes: list[Likely]
    results: list[ResultOdds]
    summary: Summary
    commitments: list[Commitment]
    doubts: list[Doubt]


# `for` is a word of Python, so this one can't be written as a class.
Rolled = TypedDict("Rolled", {"for": str, "dice": list[int], "shown": int, "modified": Number})


class Event(Line):
    """What happened, and in which step of the rules."""

    step: str


class Standing(TypedDict):
    """A unit and its steps, now and before the fight."""

    name: str
    side: Side
    steps: int
    before: int


class Asking(TypedDict):
    """The open question. What it offers depends on what is asked."""

    ask: Literal["roll", "choose", "commit"]
    what: str
    text: str
    rule: str | None
    dice: NotRequired[int]
    side: NotRequired[Side]
    options: NotRequired[Any]


class Played(OfFight):
    """A fight as far as it is resolved, and the record from which it can be gone on with."""

    rolls: list[Rolled]
    result: str
    events: list[Event]
    units: list[Standing]
    outcome: Outcome | None
    asking: Asking | None
    record: Record


class Resolved(Played):
    """The same, and the dice that were not needed."""

    dice_left: list[int]
