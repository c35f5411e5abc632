"""Who answers in a match: persons, or sides that play themselves."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from grognard.matches.field import Order
from grognard.matches.match import Match
from grognard.rules.ask import Answer, Choose, Commit, Roll


class Seats(NamedTuple):
    """The sides that play themselves, and those that have given their secret half already."""

    autos: Collection[str] = ()
    given: Collection[str] = ()


def plays_itself(match: Match, seats: Seats) -> bool:
    """Tell whether no person needs to answer the open question. Dice are rolled by the side that
    acts."""
    match match.asking:
        case Order() | Choose():
            return match.asked in seats.autos
        case Roll():
            return match.roles.attacker in seats.autos
        case Commit():
            return awaited(match, seats.given) <= set(seats.autos)
    return False


def awaited(match: Match, given: Collection[str]) -> set[str]:
    """Name the sides that have yet to commit: those with a choice that have not given it."""
    ask = match.asking
    if not isinstance(ask, Commit):
        return set()
    menus = zip(match.roles, (ask.attacker, ask.defender), strict=True)
    return {side for side, menu in menus if len(menu) > 1 and side not in given}


def together(match: Match, both: Answer, halves: Mapping[str, Answer]) -> Answer:
    """Put the halves that are known in the places of those in a whole commitment."""
    if not isinstance(both, tuple):
        raise TypeError("a commitment has two halves")
    return tuple(halves.get(side, half) for side, half in zip(match.roles, both, strict=True))
