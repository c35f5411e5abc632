"""Who answers a question of a match: a person or an automatic side; and who looks at it."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from grognard.matches.match import Match
from grognard.matches.protocol import Order, side_of
from grognard.rules.ask import Answer, Choose, Commit, Roll

WATCH = "watch"  # the seat of those who only watch a match apart
TABLE = "table"  # what the owner of a match at one table holds


class Seats(NamedTuple):
    """The automatic sides, the sides that have committed in secret already, and who looks."""

    autos: Collection[str] = ()
    given: Collection[str] = ()
    seat: str | None = None  # a side or `WATCH` in a match apart; None: at one table

    def mine(self, side: str) -> bool:
        """Tell whether who looks may answer for a side, and see what it is offered."""
        return self.seat is None or self.seat == side


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


def to_answer(match: Match, seats: Seats) -> set[str]:
    """Give the sides for whose answer, dice or commitment the match waits."""
    match match.asking:
        case Order() | Choose():
            return {match.asked} if match.asked else set()
        case Roll(side=role):
            return {side_of(match.roles, role)}
        case Commit():
            return awaited(match, seats.given)
    return set()


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
