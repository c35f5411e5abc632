"""The modifiers of a card: facts, conditions, amounts and limits."""

import re
from enum import Enum
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from grognard.card.rows import CardPart, Row, Side
from grognard.words.message import say
from grognard.words.refusal import Refusal


class Comparison(Enum):
    """How a test compares a fact."""

    HOLDS = ""
    IS = "="
    AT_LEAST = ">="
    AT_MOST = "<="
    HAS = "has"


class Test(NamedTuple):
    """A test of one fact."""

    fact: str
    comparison: Comparison
    value: int | tuple[str, ...] | None
    negated: bool


class Condition:
    """When a modifier applies: `night`, `not supplied`, `range >= 3`, `terrain has town|wood`, or
    several such tests with `or` between them.

    Not a Struct or tuple: the file writes it in words, which those types would not accept.
    """

    __slots__ = ("tests", "words")
    words: Final[str]
    tests: Final[tuple[Test, ...]]

    def __init__(self, words: str) -> None:
        self.words = words
        self.tests = tuple(_test(part) for part in words.split(" or "))

    def __str__(self) -> str:
        return self.words


def _test(words: str) -> Test:
    match = re.fullmatch(r"(not )?([a-z_0-9]+)(?: (?:(=|has) (\S+)|(>=|<=) (-?\d+)))?", words)
    if not match:
        problem = say(
            "'{words}' is not a condition; expected for instance 'night', 'not supplied', "
            "'range >= 3' or 'terrain has town|wood'",
            words=words,
        )
        raise Refusal(problem)
    comparison = Comparison(match[3] or match[5] or "")
    value: int | tuple[str, ...] | None = None
    if match[6]:
        value = int(match[6])
    elif match[4]:
        value = tuple(match[4].split("|"))
    return Test(match[2], comparison, value, bool(match[1]))


class Fact(Row, frozen=True, kw_only=True):
    """A fact that a fight states and that conditions test."""

    kind: Literal["flag", "number", "word", "set"]
    of: Literal["fight", "attacker", "defender", "side", "unit"] = "fight"  # side: each its own
    least: int | None = None
    most: int | None = None
    values: tuple[str, ...] = ()  # of a word or set; empty: the terrain rows


class Group(Row, frozen=True):
    """A heading under which modifiers are printed."""


class Limit(Row, frozen=True, kw_only=True):
    """How modifiers of one family combine: summed within bounds, the best only, or once."""

    combine: Literal["sum", "best", "once"] = "sum"
    least: int | None = None
    most: int | None = None

    def within(self, value: int) -> int:
        if self.least is not None:
            value = max(value, self.least)
        return value if self.most is None else min(value, self.most)


class Instead(CardPart, frozen=True, kw_only=True):
    """Another amount of a modifier, under a further condition."""

    when: tuple[Condition, ...]
    value: int


class Modifier(Row, frozen=True, kw_only=True, cache_hash=True):
    """A printed modifier: its condition, what it changes, by how much, and its limit."""

    group: str
    changes: Literal["column", "die", "attack", "defence", "strength", "morale"]
    table: str | None = None  # the table whose column or die it changes
    side: Side | None = None  # whose morale or strength
    scope: Literal["fight", "hex", "unit"] = "fight"
    when: tuple[Condition, ...] = ()
    value: int | None = None
    factor: Fraction | None = None  # for strengths: 1/2 halves
    times: str | None = None  # the amount is value × this number
    each: bool = False  # with `times`: the words speak of each, so the amount is told as `2 × −1`
    sign_of: str | None = None  # the amount is value × the sign of this number
    instead: tuple[Instead, ...] = ()
    limit: str | None = None

    @property
    def of_units(self) -> bool:
        """Whether its conditions are tested on each unit."""
        return self.scope == "unit" or self.changes == "morale"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.value is None) == (self.factor is None):
            raise Refusal(say("a modifier has either a value or a factor"))
        if self.times and self.sign_of:
            raise Refusal(say("a modifier has times or sign_of, not both"))

    def by_terrain_alone(self, terrain: str) -> bool:
        """Tell whether it applies wherever there is a terrain, without any other condition."""
        return all(
            any(isinstance(test.value, tuple) and terrain in test.value for test in condition.tests)
            for condition in self.when
        )

    @property
    def facts(self) -> frozenset[str]:
        """The facts that its conditions test."""
        conditions = [*self.when, *(c for instead in self.instead for c in instead.when)]
        return frozenset(test.fact for condition in conditions for test in condition.tests)
