"""Who answers a question of a match: a person or an automatic side; and who looks at it."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from grognard.matches.match import Match, Reply
from grognard.matches.protocol import Order, Roles, side_of
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll

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
    if isinstance(match.asking, Commit):
        return awaited(match, seats.given)
    return asked_sides(match.asking, match.roles)


def awaited(match: Match, given: Collection[str]) -> set[str]:
    """Give the sides that must still commit: they have a choice and have not made it."""
    ask = match.asking
    return asked_sides(ask, match.roles) - set(given) if isinstance(ask, Commit) else set()


def asked_sides(ask: Order | Ask | None, roles: Roles) -> set[str]:
    """Give the sides that a question is for; of a commitment those that have a choice."""
    match ask:
        case Order(side=side):
            return {side}
        case Choose(side=role) | Roll(side=role):
            return {side_of(roles, role)}
        case Commit():
            menus = zip(roles, (ask.attacker, ask.defender), strict=True)
            return {side for side, menu in menus if len(menu) > 1}
    return set()


class Turn(NamedTuple):
    """A moment at which it became the turn of a side, or the match was over."""

    answers: int  # that the match had then
    entry: int  # that the log was about to get
    since: int  # entry of the log after the last answer in the side's turn before


def turns_of(match: Match, side: str) -> list[Turn]:
    """Give each moment at which it became the turn of a side, and the end of the match."""
    found: list[Turn] = []
    roles = Roles(*(side.id for side in match.field.scenario.sides))
    answers, since, its_turn = 0, 0, False
    for n, entry in enumerate(match.log):
        if isinstance(entry, Roles):
            roles = entry
        elif isinstance(entry, Reply):
            before, its_turn = its_turn, side in asked_sides(entry.ask, roles)
            if its_turn and not before:
                found.append(Turn(answers, n, since))
            answers += 1
            since = n + 1 if its_turn else since
    now = match.asking is None or (not its_turn and side in asked_sides(match.asking, match.roles))
    if now:
        found.append(Turn(answers, len(match.log), since))
    return found


def together(match: Match, both: Answer, halves: Mapping[str, Answer]) -> Answer:
    """Replace halves of a commitment with those that the sides have given."""
    if not isinstance(both, tuple):
        raise TypeError("a commitment has two halves")
    return tuple(halves.get(side, half) for side, half in zip(match.roles, both, strict=True))
