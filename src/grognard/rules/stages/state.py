"""The state of a fight that runs as its card says: its types before and after trimming."""

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.effects import Effect, parse_does
from grognard.card.procedures import ProcedureRow
from grognard.card.rows import SIDES, Side
from grognard.rules.fight import Case, Count, Fight, Setup, Unit, units_of
from grognard.rules.modifiers import Sum

Ratings = tuple[int, ...]  # what a unit rolls for, by the checks of the card


class Called(NamedTuple):
    """A table that a result may call, and what modifies it."""

    table: str
    column: Sum
    die: Sum


class CardPreparation(Fight, frozen=True, kw_only=True):
    """A fight until its place on the table is known."""

    table: str = ""
    counted: tuple[tuple[Fraction, ...], tuple[Fraction, ...]] = ((), ())  # each unit's strength
    attack: Fraction = Fraction(0)
    defence: Fraction = Fraction(0)
    column: int = 0
    die_modifier: int = 0
    defender_die: int = 0  # added to the defender's own roll, where both sides roll
    automatic: str = ""  # the result that happens without a roll
    ratings: tuple[tuple[Ratings, ...], tuple[Ratings, ...]] = ((), ())  # of each unit
    called: tuple[Called, ...] = ()


class Fighter(Unit, frozen=True, kw_only=True):
    """A unit of which only that is left what later stages read."""

    full: int  # steps at the start
    printed: int = 0  # strength, for exchanges
    counted: Fraction = Fraction(0)
    ratings: Ratings = ()
    states: tuple[str, ...] = ()
    left: bool = False  # it has retreated
    unharmed: bool = False  # results do nothing to it


@lru_cache(maxsize=4096)  # odds ask for the same units over and over
def strength_left(units: tuple[Fighter, ...], word: str) -> Fraction:
    """Add up the strength of the steps that units have left, printed or modified."""
    return sum((step_worth(unit, word) * unit.steps for unit in units), Fraction(0))


@lru_cache(maxsize=4096)
def step_worth(unit: Fighter, word: str) -> Fraction:
    """Give the strength of one step of a unit."""
    return (Fraction(unit.printed) if word == "printed" else unit.counted) / unit.full


class TrimmedSetup(Setup, frozen=True, kw_only=True):
    """What still counts of what was stated."""

    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    attacker_room: Count | None = None
    defender_room: Count | None = None


class CardFight(Fight, frozen=True, kw_only=True):
    """A fight whose place on the table is known."""

    case: Case[TrimmedSetup]
    attackers: tuple[Fighter, ...] = ()
    defenders: tuple[Fighter, ...] = ()
    table: str = ""
    column: int = 0
    die_modifier: int = 0
    defender_die: int = 0
    automatic: str = ""
    called: tuple[Called, ...] = ()
    todo: tuple[str, ...] = ()  # effects of the result that are still to come
    retreated: tuple[int, int] = (0, 0)  # hexes, attacker and defender
    advance: tuple[str, str] = ("", "")  # as the result says: may, must, may not
    advanced: tuple[bool, bool] = (False, False)


def row_of(case: Case[Any]) -> ProcedureRow:
    """Give the row of the card that says how the fight runs."""
    return case.card.procedure_row(case.procedure.id)


def exposed(fight: CardFight, side: Side) -> list[Fighter]:
    """Give a side's units that are alive and that results do something to."""
    return [unit for unit in units_of(fight, side) if unit.alive and not unit.unharmed]


def standing(fight: CardFight, side: Side) -> list[Fighter]:
    """Give those of them that have not retreated."""
    return [unit for unit in exposed(fight, side) if not unit.left]


class Needs(NamedTuple):
    """What the results of a card can do; what nobody needs is trimmed away."""

    exchange: bool
    check: bool
    retreat: bool
    called: tuple[str, ...]  # tables that a result reads besides its own


def needs(card: Card) -> Needs:
    """Find out what the results of a card can do."""
    results = [result.does for table in card.tables for result in table.results]
    said = (*results, *(check.fails for check in card.checks))
    return _needs(tuple(words for words in said if words))


@lru_cache(maxsize=64)
def _needs(does: tuple[str, ...]) -> Needs:
    effects = [effect for words in does for effect in parse_does(words).effects()]
    kinds = {effect.kind for effect in effects}
    read = dict.fromkeys(effect.word for effect in effects if effect.kind == "read")
    return Needs("exchange" in kinds, "check" in kinds, "retreat" in kinds, tuple(read))


def sides_of(effect: Effect) -> tuple[Side, ...]:
    """Give the sides that an effect is about."""
    if effect.side == "attacker":
        return ("attacker",)
    return ("defender",) if effect.side == "defender" else SIDES


def before_all(fight: CardFight, *words: str) -> CardFight:
    """Put work before everything that is still to be done."""
    return replace(fight, todo=(*words, *fight.todo))
