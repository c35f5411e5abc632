"""Looking at an order before it is given: carried out in thought, up to its first fight."""

from typing import NamedTuple

from grognard.matches.field import Order, Playing, Roles
from grognard.matches.match import Given
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line

MIDDLING = 3  # what every die is thought to show


class Ahead(NamedTuple):
    """What an order leads to. Whatever is asked on the way is given the first answer."""

    fight: Fight | None  # None where there is none
    attacker: str  # the side that attacks in it
    log: tuple[Line | Given | Roles, ...]  # what is told on the way, and assumed


def look_ahead(playing: Playing, side: str) -> Ahead:
    """Carry a side's order out up to its first fight; nothing changes by it."""
    log: list[Line | Given | Roles] = []
    sent: Answer | None = None
    attacker = side
    try:
        while True:
            said = playing.send(sent)
            sent = None
            match said:
                case Fight():
                    return Ahead(said, attacker, tuple(log))
                case Order():
                    return Ahead(None, attacker, tuple(log))
                case Roles():
                    attacker = said.attacker
                    log.append(said)
                case Line():
                    log.append(said)
                case Choose():
                    sent = said.options[0]
                    log.append(Given(said, sent, None))
                case Roll():
                    sent = (MIDDLING,) * said.dice
                    log.append(Given(said, sent, None))
    except StopIteration:
        return Ahead(None, attacker, tuple(log))
    finally:
        playing.close()
