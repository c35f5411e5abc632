"""A fight being resolved, as an immutable value; its units, set-up and outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Protocol,
    TypeVar,
    get_args,
    get_type_hints,
)

from msgspec import Meta, Struct
from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.files.plain_data import Limits
from grognard.rules.lazy import Lazy
from grognard.rules.line import Teller

if TYPE_CHECKING:
    from grognard.fights.chances import Odds
    from grognard.fights.explain import Explanation
    from grognard.fights.play import Play
    from grognard.rules.procedure import Procedure


Name = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0)]
Steps = Annotated[int, Meta(ge=1, le=100)]
# What a set-up may state at most: far more than any game prints, little enough to be worked out.
SETUP_LIMITS = Limits(number=10_000, entries=100)


class Setup(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    omit_defaults=True,
    cache_hash=True,
):
    """Base of all set-ups: the input of a fight. Each procedure has its own type."""


G = TypeVar("G", bound=Setup)


class Unit(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    omit_defaults=True,
    cache_hash=True,
    gc=False,
):
    """Base of all counters; games add their factors."""

    name: Name
    steps: Steps = 1

    @property
    def alive(self) -> bool:
        return self.steps > 0

    @property
    def has_steps(self) -> bool:
        """Whether the counter prints steps; one that does not is there or gone."""
        return True


@lru_cache(maxsize=256)
def unit_fields(setup: type[Setup]) -> tuple[str, ...]:
    """Name the fields of a set-up that list units."""
    hints = get_type_hints(setup)
    return tuple(
        field
        for field in setup.__struct_fields__
        if any(isinstance(part, type) and issubclass(part, Unit) for part in get_args(hints[field]))
    )


def without_units(setup: G) -> G:
    """Give a set-up without its units: what fights on the same ground have in common."""
    return replace(setup, **dict.fromkeys(unit_fields(type(setup)), ()))


S = TypeVar("S", bound=Setup | None)
R = TypeVar("R", bound=Setup | None)


class Case(Teller, Struct, Generic[S], frozen=True, eq=False, dict=True):
    """The constant part of a fight: card, options and set-up.

    Compared by identity, so that comparing fights is fast.
    """

    card: Card
    options: Mapping[str, str]
    setup: S
    procedure: Procedure
    traced: bool = False  # the set-up has traced numbers (see arrays): nothing of it may be hashed

    @Lazy
    def bare(self) -> Case[None]:
        """The case without a set-up: the same object for all cases under the same rules."""
        return bare_case(SameRules(self))

    @Lazy
    def option_facts(self) -> Mapping[str, str]:
        """The options that the card's conditions test, which they look at like facts."""
        return {id_: self.options[id_] for id_ in self.card.tested_options}

    def restated(self, setup: R) -> Case[R]:
        """Give the same case with another set-up."""
        case = Case(self.card, self.options, setup, self.procedure, self.traced)
        if (bare := self.__dict__.get("bare")) is not None:
            case.__dict__["bare"] = bare
        return case


class SameRules:
    """A case as a cache key: equal for cases of one procedure, card and options."""

    __slots__ = ("case",)

    def __init__(self, case: Case[Any]) -> None:
        self.case = case

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SameRules):
            return NotImplemented
        ours, theirs = self.case, other.case
        return (
            ours.procedure is theirs.procedure
            and ours.card is theirs.card
            and (ours.options is theirs.options or ours.options == theirs.options)
        )

    def __hash__(self) -> int:
        return hash((self.case.procedure, *self.case.options.values()))


@lru_cache(maxsize=256)
def bare_case(rules: SameRules) -> Case[None]:
    """Give the case without a set-up under the rules of a case."""
    case = rules.case
    return Case(case.card, case.options, None, case.procedure)


class CaseKey:
    """A case as a cache key: equal for equal set-ups under the same rules."""

    __slots__ = ("_hash", "case")

    def __init__(self, case: Case[Any]) -> None:
        self.case = case
        self._hash = hash((case.bare, case.setup))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CaseKey):
            return NotImplemented
        ours, theirs = self.case, other.case
        return ours is theirs or (ours.bare is theirs.bare and ours.setup == theirs.setup)

    def __hash__(self) -> int:
        return self._hash


@lru_cache(maxsize=4096)
def shared_case(stated: CaseKey) -> Case[Any]:
    """Give the same case object for equal cases."""
    return stated.case


class Fight(Struct, frozen=True, kw_only=True, cache_hash=True, gc=False):
    """The state of a fight between two steps. Games add what their rules must remember."""

    case: Case[Any]
    attackers: tuple[Unit, ...] = ()
    defenders: tuple[Unit, ...] = ()
    result: str = ""
    # Work left for the present step, which runs again until this is empty. Odds merge equal fights
    # between two runs, so many small rolls in a row stay cheap.
    pending: tuple[str, ...] = ()

    def explain(self) -> Explanation:
        """Explain the totals, the column and the die modifier, line by line."""
        from grognard.fights.explain import explain  # noqa: PLC0415  # a verb of the fight, built on it

        return explain(self)

    def odds(self, attacker: str = "best", defender: str = "best") -> Odds:
        """Compute the exact odds of every outcome; each side decides by its doctrine."""
        from grognard.fights.odds import odds  # noqa: PLC0415  # a verb of the fight, built on it

        return odds(self, attacker, defender)

    def play(self) -> Play:
        """Start resolving the fight: the play asks, you answer."""
        from grognard.fights.play import Play  # noqa: PLC0415  # a verb of the fight, built on it

        return Play(self)

    def resolve(
        self,
        dice: Iterable[int] = (),
        seed: int | None = None,
        attacker: str = "best",
        defender: str = "best",
    ) -> Play:
        """Resolve the fight: the given dice first, then random ones; doctrines choose."""
        from grognard.fights.automatic import resolve  # noqa: PLC0415  # a verb of the fight, built on it

        return resolve(self, dice, seed, attacker, defender)


U = TypeVar("U", bound=Unit)
U_co = TypeVar("U_co", bound=Unit, covariant=True)


class TwoSided(Protocol[U_co]):
    """Anything with units on two sides: a fight, most set-ups."""

    @property
    def attackers(self) -> tuple[U_co, ...]: ...

    @property
    def defenders(self) -> tuple[U_co, ...]: ...


def units_of(fight: TwoSided[U], side: Side) -> tuple[U, ...]:
    """Give a side's units."""
    return fight.attackers if side == "attacker" else fight.defenders


def enemy_of(side: Side) -> Side:
    """Give the other side."""
    return "defender" if side == "attacker" else "attacker"


def alive(units: Iterable[U]) -> list[U]:
    """Give the units that have steps left."""
    return [unit for unit in units if unit.steps > 0]


def nameless(units: Iterable[Unit], names: Iterable[str]) -> list[Unit]:
    """Give the named units with empty names, so that interchangeable units are equal."""
    named = {unit.name: unit for unit in units}
    return [_without_name(named[name]) for name in names]


@lru_cache(maxsize=4096)  # odds meet the same units over and over
def _without_name(unit: Unit) -> Unit:
    return replace(unit, name="")


F = TypeVar("F", bound=Fight)


def with_unit(fight: F, side: Side, unit: Unit) -> F:
    """Replace the unit of the same name."""
    return with_units(fight, side, {unit.name: unit})


def with_units(fight: F, side: Side, units: Mapping[str, Unit]) -> F:
    """Replace the units of the same names."""
    changed = tuple([units.get(old.name, old) for old in units_of(fight, side)])
    return (
        replace(fight, attackers=changed)
        if side == "attacker"
        else replace(fight, defenders=changed)
    )


class Outcome(Struct, frozen=True, kw_only=True, omit_defaults=True, cache_hash=True, gc=False):
    """The result of a fight, as far as doctrines value it."""

    result: str = ""
    attacker_steps_lost: int = 0
    defender_steps_lost: int = 0
    attacker_eliminated: bool = False
    defender_eliminated: bool = False
    vacated: bool = False  # the defender has left the target hex, on foot or dead
    taken: bool = False  # the attacker has advanced into it
    attacker_left: bool = False  # the attacker was thrown back
    defender_advanced: bool = False
    attacker_shaken: int = 0  # units disorganised, disrupted (1) or demoralised, routed (2)
    defender_shaken: int = 0
    attacker_spent: int = 0  # what was committed and is used up
    defender_spent: int = 0
    details: tuple[str, ...] = ()  # no other field names units


def steps(units: Iterable[Unit]) -> int:
    """Count the steps that units have left."""
    return sum(unit.steps for unit in units)
