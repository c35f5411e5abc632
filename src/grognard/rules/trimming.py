"""Trimming: what a fight keeps once its place on the table is known, and shifting it there."""

from functools import cache
from typing import Protocol, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from grognard.rules.fight import Fight

F = TypeVar("F", bound=Fight)
T = TypeVar("T", bound=Struct)


def trimmed(kind: type[T], of: Struct, /, **given: object) -> T:
    """Trim a unit, a set-up or a fight: to the fields given, and those that both types have.

    A field of the trimmed type without a default that is in neither is a TypeError.
    """
    taken = {name: getattr(of, name) for name in _in_both(kind, type(of)) if name not in given}
    return kind(**taken, **given)


@cache
def _in_both(one: type[Struct], other: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in one.__struct_fields__ if name in other.__struct_fields__)


class OnTable(Protocol):
    """A trimmed fight at a place of its table; a game's own type may lack one of the fields."""

    column: int
    die_modifier: int


def moved(fight: F, columns: int, die: int, *, table: str = "", by_die: bool = True) -> F:
    """Shift a fight by some columns of a table, within its ends, and add to its die.

    Uses the fields `column` and `die_modifier`; without a table only the latter.
    """
    now = cast(OnTable, fight)
    changed: dict[str, int] = {}
    if table:
        changed["column"] = fight.case.card.table(table).within(now.column + columns)
    if by_die:
        changed["die_modifier"] = now.die_modifier + die
    return replace(fight, **changed)
