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
    ratings: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # what each unit's checks roll for


class Fighter(Unit, frozen=True, kw_only=True):
    """A unit of which only that is left what later stages read."""

    full: int  # steps at the start
    printed: int = 0  # strength, for exchanges
    counted: Fraction = Fraction(0)
    rating: int = 0  # for checks
    states: tuple[str, ...] = ()
    left: bool = False  # it has retreated


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
    todo: tuple[str, ...] = ()  # effects of the result that are still to come
    retreated: tuple[int, int] = (0, 0)  # hexes, attacker and defender
    advance: tuple[str, str] = ("", "")  # as the result says: may, must, may not
    advanced: tuple[bool, bool] = (False, False)


def row_of(case: Case[Any]) -> ProcedureRow:
    """Give the row of the card that says how the fight runs."""
    return case.card.procedure_row(case.procedure.id)


def standing(fight: CardFight, side: Side) -> list[Fighter]:
    """Give a side's units that are alive and have not retreated."""
    return [unit for unit in units_of(fight, side) if unit.alive and not unit.left]


class Needs(NamedTuple):
    """What the results of a card can do; what nobody needs is trimmed away."""

    exchange: bool
    check: bool
    retreat: bool


def needs(card: Card) -> Needs:
    """Find out what the results of a card can do."""
    kinds = _kinds(_effects(card))
    return Needs("exchange" in kinds, "check" in kinds, "retreat" in kinds)


def _effects(card: Card) -> tuple[str, ...]:
    results = [result.does for table in card.tables for result in table.results]
    return tuple(words for words in (*results, *(check.fails for check in card.checks)) if words)


@lru_cache(maxsize=64)
def _kinds(does: tuple[str, ...]) -> frozenset[str]:
    return frozenset(effect.kind for words in does for effect in parse_does(words).effects())


def sides_of(effect: Effect) -> tuple[Side, ...]:
    """Give the sides that an effect is about."""
    if effect.side == "attacker":
        return ("attacker",)
    return ("defender",) if effect.side == "defender" else SIDES


def before_all(fight: CardFight, *words: str) -> CardFight:
    """Put work before everything that is still to be done."""
    return replace(fight, todo=(*words, *fight.todo))
