"""How the fights of a game run, where its card says so: procedures, unit fields, states, checks.

Every key has the hobby's default. docs/cards.md explains them; `rules/card_game` runs them.
"""

from fractions import Fraction
from typing import Literal

from grognard.card.modifier_rows import Condition
from grognard.card.rows import CardPart, Row
from grognard.words.message import say
from grognard.words.refusal import Refusal

LARGEST = 999  # number that a fight may state, where the card sets no other limit
Fractions = Literal["kept", "down", "up", "nearest"]
# Instead of a column: refused, the end of the table, as if the defence were 1. Any other word is
# the code of the result that happens without a roll.
REFUSED, FIRST, LAST, ONE = "refused", "first", "last", "one"


class UnitField(Row, frozen=True, kw_only=True):
    """A value that each counter has, besides its name and its steps."""

    kind: Literal["number", "flag", "word"] = "number"
    default: int | bool | str | None = None  # None: 0, no, or the first of the values
    least: int = 0
    most: int | None = None
    values: tuple[str, ...] = ()  # of a word


class StateRow(Row, frozen=True, kw_only=True):
    """A condition that results put units in, such as disrupted."""

    again: Literal["nothing", "step", "eliminated"] = "nothing"  # for a unit that is in it already
    weight: int = 1  # how bad it is for doctrines: 1 shaken, 2 routed
    lasts: Literal["turn", "match"] = "turn"  # on the map: to the end of its side's next turn
    forbids: tuple[Literal["move", "attack", "zoc"], ...] = ()  # on the map


class CheckRow(Row, frozen=True, kw_only=True):
    """A check of each unit: dice against one of its fields, or against the sum of several."""

    against: str  # `morale`, `morale + leadership`
    dice: str = "2d6"
    passes: Literal["at most", "at least"] = "at most"  # the roll, compared with the field
    fails: str = ""  # what a unit does that fails
    table: str | None = None  # or the table on which the margin of failure is read

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are added up."""
        return tuple(field.strip() for field in self.against.split("+"))


class TableChoice(CardPart, frozen=True, kw_only=True):
    """A table of a procedure, and when it is the one to read."""

    table: str
    when: tuple[Condition, ...] = ()


class ProcedureRow(Row, frozen=True, kw_only=True):
    """One kind of fight: its table, and how it runs from strength to advance."""

    table: str | None = None
    tables: tuple[TableChoice, ...] = ()  # instead of one table: the first whose conditions hold
    attack: str = "attack"  # the field that attackers add up
    defence: str = "defence"
    unit_fractions: Fractions = "kept"  # of a unit's strength, once it is multiplied
    fractions: Fractions = "kept"  # of a side's total
    rounding: Literal["defender", "nearest", "attacker"] = "defender"  # between two columns
    below: str = FIRST  # less than the first column: first, refused, or a result
    beyond: str = LAST  # this much and more: last, refused, or a result
    beyond_from: Fraction | None = None
    zero_defence: str = LAST  # last, one, refused, or a result
    rolls: Literal["once", "each"] = "once"  # each: both sides roll, each for the other's losses
    losses: Literal["owner", "opponent", "spread"] = "owner"  # who picks the units, or evenly
    blocked: Literal["lost", "step a hex", "stays"] = "lost"  # a retreat without room
    stand: Literal["no", "step", "trade"] = "no"  # stand for a step; a step for each hex
    advance: Literal["may", "must", "no"] = "may"
    unharmed: tuple[Condition, ...] = ()  # of attackers: those that results do nothing to

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.table is None) == (not self.tables):
            raise Refusal(say("a procedure has either a table or tables"))

    @property
    def choices(self) -> tuple[TableChoice, ...]:
        """The tables with their conditions; a single one always holds."""
        return self.tables or (TableChoice(table=self.table or ""),)
