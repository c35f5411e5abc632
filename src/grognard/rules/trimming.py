"""Trimmed fights elsewhere on their table."""

from typing import Any, TypeVar

from msgspec.structs import replace

from grognard.rules.fight import Fight

F = TypeVar("F", bound=Fight)


def moved(fight: F, columns: int, die: int, *, table: str = "", by_die: bool = True) -> F:
    """Give a fight on another `column` of a table, within its ends, and with more on the die.

    Without a table the dice alone choose the place: only `die_modifier` changes.
    """
    now: Any = fight  # each game has a type of its own for it
    changed = {}
    if table:
        changed["column"] = fight.case.card.table(table).within(now.column + columns)
    if by_die:
        changed["die_modifier"] = now.die_modifier + die
    return replace(fight, **changed)
