"""Shared parts of a game's trimming: keeping some fields, and moving along the table."""

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grognard.rules.fight import Fight

F = TypeVar("F", bound=Fight)
T = TypeVar("T", bound=Struct)


def kept(value: Struct, as_: type[T], **changed: object) -> T:
    """Make a value of a type that has fewer fields; those not given are taken over by name."""
    names = [name for name in as_.__struct_fields__ if name not in changed]
    return as_(**{name: getattr(value, name) for name in names}, **changed)


def moved(fight: F, columns: int, die: int, *, table: str = "", by_die: bool = True) -> F:
    """Give a fight on another column of a table, within its ends, and with more on the die.

    Without a table only the die counts; the fight has a `column` and a `die_modifier`.
    """
    changed: dict[str, object] = {}
    if table:
        column = fight.column + columns
        changed["column"] = fight.case.card.table(table).within(column)
    if by_die:
        changed["die_modifier"] = fight.die_modifier + die
    return replace(fight, **changed)
