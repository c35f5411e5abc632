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


class Support(CardPart, frozen=True, kw_only=True):
    """Units that never attack themselves, but add their strength to fights from a distance."""

    kinds: tuple[str, ...]
    strength: str  # the number among the unit fields that each adds
    range: Points | str = 1  # hexes to the attacked hex, or the unit field that says so


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
    supply_length: Points | None = None  # hexes of a supply line; None: any
    unsupplied_move: Literal["full", "half", "none"] = "half"
    range: Points | str = 1  # hexes to the attacked hex, or the unit field that says so
    sight: tuple[str, ...] = ()  # terrain that a line to a distant hex may not cross
    support: Support | None = None
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


MapFactKind = Literal[
    "all across",
    "any across",
    "across",
    "in",
    "unsupplied",
    "surrounded",
    "chooses",
    "distance",
    "support",
    "attacking hexes",
]


class MapFact(NamedTuple):
    """Where the board gives a fact, or who chooses it."""

    kind: MapFactKind
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
    "distance",
    "attacking hexes",
    "attacker's support",
    "defender's support",
)
OF_UNITS = ("across river", "in town", "unsupplied", "distance")
_FORM = re.compile(
    r"(?P<where>all across|any across|across|in) (?P<terrain>\S+)"
    r"|(?P<side>attacker|defender)(?P<does> chooses|'s support)"
    r"|(?P<word>unsupplied|surrounded|distance|attacking hexes)"
)


def parse_map_fact(words: str, *, of_unit: bool) -> MapFact:
    """Read where a fact comes from; refuse other words with the forms that there are."""
    found = _FORM.fullmatch(words)
    known = OF_UNITS if of_unit else OF_FIGHTS
    where, side, word = (found["where"], found["side"], found["word"]) if found else (None,) * 3
    terrain = found["terrain"] if found else ""
    match where or word, side:
        case ("all across" | "any across") as kind, _ if not of_unit:
            return MapFact(kind, terrain)
        case ("across" | "in") as kind, _ if of_unit:
            return MapFact(kind, terrain)
        case "distance", _:
            return MapFact("distance")
        case "unsupplied", _ if of_unit:
            return MapFact("unsupplied")
        case ("surrounded" | "attacking hexes") as kind, _ if not of_unit:
            return MapFact(kind)
        case _, ("attacker" | "defender") as chooser if not of_unit and found:
            return MapFact("chooses" if "chooses" in found["does"] else "support", side=chooser)
    problem = say(
        "'{words}' is nothing that the map tells; {near}", words=words, near=near(words, known)
    )
    raise Refusal(problem)
