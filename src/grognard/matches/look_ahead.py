"""Looking at an order before it is given: carried out in thought, up to its first fight."""

from typing import NamedTuple

from grognard.maps.board import Board
from grognard.matches.field import Playing, Roles
from grognard.matches.match import Reply, run_on
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line

MIDDLING = 3  # what every die is thought to show


class Ahead(NamedTuple):
    """What an order leads to. Whatever is asked on the way is given the first answer."""

    fight: Fight | None  # None where there is none
    attacker: str  # the side that attacks in it
    log: tuple[Line | Reply | Roles, ...]  # what is told on the way, and assumed


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
                    sent = (MIDDLING,) * said.dice
                case _:
                    return Ahead(said if isinstance(said, Fight) else None, attacker, tuple(log))
            log.append(Reply(said, sent, None))
    finally:
        playing.close()
