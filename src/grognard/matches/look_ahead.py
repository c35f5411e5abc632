"""Preview of an order: run its consequences up to the first fight, without changing the match."""

from typing import NamedTuple

from grognard.maps.board import Board
from grognard.matches.field import Playing, Roles
from grognard.matches.match import Reply, run_on
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line


class Ahead(NamedTuple):
    """The result of an order. Questions on the way get their first answer."""

    fight: Fight | None  # None if the order leads to none
    attacker: str  # the side that attacks in it
    log: tuple[Line | Reply | Roles, ...]  # lines on the way, and assumed answers


def look_ahead(playing: Playing, side: str) -> Ahead:
    """Carry out a side's order up to its first fight; no board changes."""
    log: list[Line | Reply | Roles] = []
    attacker = side

    def note(told: Line | Board | Roles) -> None:
        nonlocal attacker
        if isinstance(told, Roles):
            attacker = told.attacker
        if not isinstance(told, Board):
            log.append(told)

    sent: Answer | None = None
    try:
        while True:
            said = run_on(playing, sent, note)
            match said:
                case Choose():
                    sent = said.options[0]
                case Roll():
                    sent = said.dice.middling()
                case _:
                    return Ahead(said if isinstance(said, Fight) else None, attacker, tuple(log))
            log.append(Reply(said, sent, None))
    finally:
        playing.close()
