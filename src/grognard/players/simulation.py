"""Playing a match on in thought, from an order on, with quick officers and random dice."""

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from grognard.fights.automatic import finish
from grognard.fights.doctrine import BEST
from grognard.fights.fight_analysis import Analysis
from grognard.fights.play import Play
from grognard.maps.board import Board
from grognard.matches.field import Field
from grognard.matches.match import run_on
from grognard.matches.protocol import Order, Roles, side_of
from grognard.players.bot import Officer
from grognard.players.plans import safest
from grognard.rules.ask import Answer, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line


class Imagined(NamedTuple):
    """A position reached in thought."""

    board: Board
    asked: Order | None  # the question that is open there; None if the match has ended
    orders: int  # given on the way


class Standing:
    """The board and the roles, as a sequence of play tells them."""

    def __init__(self, field: Field, board: Board, attacker: str) -> None:
        self.board, self.roles = board, Roles(attacker, field.enemy(attacker))

    def note(self, told: Line | Board | Roles) -> None:
        match told:
            case Board():
                self.board = told
            case Roles():
                self.roles = told


def play_on_in_thought(
    field: Field,
    ask: Order,
    board: Board,
    officers: Mapping[str, Officer],
    seed: int,
    until: Callable[[Order], bool],
) -> Imagined:
    """Play on from the question for an order, on a board that may differ from the real one, until
    a question at which to stop.

    With the same seed the same attack has the same dice, so that two plans differ by what they
    change, and not by the luck of all later rolls.
    """
    standing = Standing(field, board, field.scenario.sides[0].id)
    orders, now = 0, ask.turn
    met = Counter[str]()

    def dice(what: str) -> Random:
        met[what] += 1
        return Random(f"{seed}/{now}/{what}/{met[what]}")

    playing = field.sequence(board, ask)
    sent: Answer | Play | None = None
    while (said := run_on(playing, sent, standing.note)) is not None:
        match said:
            case Order():
                standing.note(said.board)
                if until(said):
                    playing.close()
                    return Imagined(said.board, said, orders)
                orders, now = orders + 1, said.turn
                sent = officers[said.side].order(field, said)
            case Roll():
                sent = said.dice.draw(dice(said.what))
            case Fight():
                names = ", ".join(sorted(unit.name for unit in said.defenders))
                sent = finish(Play(said), Analysis(said, BEST, BEST), iter(()), dice(names))
            case _:
                sent = safest(field, standing.board, side_of(standing.roles, said.side), said)
    return Imagined(standing.board, None, orders)
