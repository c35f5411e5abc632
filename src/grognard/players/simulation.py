"""Playing a match on in thought, from an order on, with quick officers and random dice."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from grognard.fights.automatic import finish
from grognard.fights.doctrine import BEST
from grognard.fights.odds import Analysis
from grognard.fights.play import Play
from grognard.maps.board import Board
from grognard.matches.field import Field
from grognard.matches.match import run_on
from grognard.matches.protocol import Order, Roles, side_of
from grognard.players.bot import Officer, safest
from grognard.rules.ask import Answer, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line


class Imagined(NamedTuple):
    """A position reached in thought."""

    board: Board
    over: bool  # whether the match has ended there
    orders: int  # given on the way


def play_on_in_thought(
    field: Field,
    ask: Order,
    board: Board,
    officers: Mapping[str, Officer],
    random: Random,
    turn: int,
) -> Imagined:
    """Play on from the question for an order, on a board that may differ from the real one, until
    an order of a turn after `turn` is asked for."""
    first, second = (player.id for player in field.scenario.sides)
    roles, orders = Roles(first, second), 0

    def note(told: Line | Board | Roles) -> None:
        nonlocal board, roles
        match told:
            case Board():
                board = told
            case Roles():
                roles = told

    playing = field.sequence(board, ask)
    sent: Answer | Play | None = None
    while (said := run_on(playing, sent, note)) is not None:
        match said:
            case Order():
                board = said.board
                if said.turn > turn:
                    playing.close()
                    return Imagined(board, over=False, orders=orders)
                orders += 1
                sent = officers[said.side].order(field, said)
            case Roll():
                sent = said.dice.draw(random)
            case Fight():
                sent = finish(Play(said), Analysis(said, BEST, BEST), iter(()), random)
            case _:
                sent = safest(field, board, side_of(roles, said.side), said)
    return Imagined(board, over=True, orders=orders)
