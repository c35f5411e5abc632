"""Who answers a question of a match: a person or an automatic side."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from grognard.matches.match import Match
from grognard.matches.protocol import Order, side_of
from grognard.rules.ask import Answer, Choose, Commit, Roll


class Seats(NamedTuple):
    """The automatic sides, and the sides that have committed in secret already."""

    autos: Collection[str] = ()
    given: Collection[str] = ()


def plays_itself(match: Match, seats: Seats) -> bool:
    """Tell whether automatic sides alone answer the open question."""
    match match.asking:
        case Order() | Choose():
            return match.asked in seats.autos
        case Roll(side=role):
            return side_of(match.roles, role) in seats.autos
        case Commit():
            return awaited(match, seats.given) <= set(seats.autos)
    return False


def awaited(match: Match, given: Collection[str]) -> set[str]:
    """Give the sides that must still commit: they have a choice and have not made it."""
    ask = match.asking
    if not isinstance(ask, Commit):
        return set()
    menus = zip(match.roles, (ask.attacker, ask.defender), strict=True)
    return {side for side, menu in menus if len(menu) > 1 and side not in given}


def together(match: Match, both: Answer, halves: Mapping[str, Answer]) -> Answer:
    """Replace halves of a commitment with those that the sides have given."""
    if not isinstance(both, tuple):
        raise TypeError("a commitment has two halves")
    return tuple(halves.get(side, half) for side, half in zip(match.roles, both, strict=True))
