"""The rules of a game on the map, where its card says so: the hobby's common rules as keys.

Every key has a default, so an empty `[map]` is enough. `matches/card_field` plays by them.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from grognard.card.rows import CardPart, Side
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

Points = Annotated[int, Meta(ge=0, le=99)]
UNITS, STEPS = "units", "steps"  # what stacking counts, besides the number fields of units


class MapRules(CardPart, frozen=True, kw_only=True):
    """How a game is played on the map."""

    procedure: str | None = None  # of attacks; None: the first
    zoc: Literal["none", "fluid", "rigid"] = "rigid"
    zoc_exit: Points | None = None  # movement points to leave a zone; None: 1 if fluid, else 0
    zoc_to_zoc: bool = False  # of rigid zones: whether a step may lead from zone to zone
    no_zoc: tuple[str, ...] = ()  # kinds of units without a zone
    stacking: Points | None = None  # of a hex whose terrain has none of its own; None: no limit
    stacking_counts: str = UNITS  # units, steps, or a number among the unit fields
    supply: Literal["none", "lines"] = "none"
    unsupplied_move: Literal["full", "half", "none"] = "half"
    attacked: Literal["once", "often"] = "once"  # how often a unit is attacked in a phase
    retreat_by: Literal["owner", "opponent"] = "owner"  # who picks the hexes
    retreat_direction: Literal["farther", "any"] = "farther"
    retreat_zoc: Literal["never", "friends", "free"] = "never"  # into enemy zones of control
    advance: Literal["one", "any"] = "any"  # how many units may advance
    facts: Mapping[str, str] = MappingProxyType({})  # fact or unit field -> where it comes from

    @property
    def leaving(self) -> int:
        """Movement points to leave an enemy zone of control."""
        if self.zoc_exit is None:
            return int(self.zoc == "fluid")
        return self.zoc_exit


class MapFact(NamedTuple):
    """Where the board gives a fact, or who chooses it."""

    kind: Literal["all across", "any across", "across", "in", "unsupplied", "surrounded", "chooses"]
    terrain: str = ""
    side: Side | None = None


# One example of each form; `across` and `in` name terrain. The first ones are of a fight, the
# others of a unit.
OF_FIGHTS = (
    "all across river",
    "any across river",
    "surrounded",
    "attacker chooses",
    "defender chooses",
)
OF_UNITS = ("across river", "in town", "unsupplied")
_FORM = re.compile(
    r"(?P<where>all across|any across|across|in) (?P<terrain>\S+)"
    r"|(?P<side>attacker|defender) chooses|(?P<word>unsupplied|surrounded)"
)


def parse_map_fact(words: str, *, of_unit: bool) -> MapFact:
    """Read where a fact comes from; refuse other words with the forms that there are."""
    found = _FORM.fullmatch(words)
    known = OF_UNITS if of_unit else OF_FIGHTS
    where, word = (found["where"], found["word"]) if found else (None, None)
    terrain = found["terrain"] if found else ""
    match where or word, found["side"] if found else None:
        case ("all across" | "any across") as kind, _ if not of_unit:
            return MapFact(kind, terrain)
        case ("across" | "in") as kind, _ if of_unit:
            return MapFact(kind, terrain)
        case "unsupplied", _ if of_unit:
            return MapFact("unsupplied")
        case "surrounded", _ if not of_unit:
            return MapFact("surrounded")
        case _, ("attacker" | "defender") as side if not of_unit:
            return MapFact("chooses", side=side)
    problem = say(
        "'{words}' is nothing that the map tells; {near}", words=words, near=near(words, known)
    )
    raise Refusal(problem)
