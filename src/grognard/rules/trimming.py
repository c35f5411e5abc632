"""Shifting a trimmed fight along its table."""

from typing import Protocol, TypeVar, cast

from msgspec.structs import replace

from grognard.rules.fight import Fight

F = TypeVar("F", bound=Fight)


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
