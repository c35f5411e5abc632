"""Advice for a person: the plan that a colonel would make, and what the enemy could do in reply."""

from typing import NamedTuple

from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.deployment import PHASE as DEPLOYMENT
from grognard.matches.field import Field
from grognard.matches.protocol import Order, Words
from grognard.matches.sight import as_seen
from grognard.players.colonel import Colonel, outlook_of
from grognard.players.forecast import foreseen
from grognard.players.outlook import Outlook, Placed, Threat
from grognard.rules.fight import Fight
from grognard.words.message import say
from grognard.words.refusal import Refusal

MOST_DANGERS = 6  # told, the worst ones


class AdvisedMove(NamedTuple):
    """A move of a plan."""

    order: Words
    unit: str
    start: Hex
    to: Hex


class AdvisedAttack(NamedTuple):
    """An attack of a plan: ordered now, or after its moves."""

    order: Words
    target: Hex
    units: tuple[str, ...]
    fight: Fight
    now: bool  # whether it can be ordered in this phase
    starts: tuple[Hex, ...]  # from which its units attack


class Danger(NamedTuple):
    """An attack that the enemy could make after his next move, and where its units would stand."""

    hex: Hex
    units: tuple[str, ...]
    placed: Placed
    fight: Fight


class Advice(NamedTuple):
    """A plan of the phase: its moves, its attacks, and the enemy's replies to it."""

    moves: tuple[AdvisedMove, ...]
    attacks: tuple[AdvisedAttack, ...]
    dangers: tuple[Danger, ...]


def advice(field: Field, ask: Order) -> Advice:
    """Plan the phase of an order from what its side may see."""
    if ask.phase == DEPLOYMENT:
        raise Refusal(say("nothing is planned before the first turn; take the usual set-up"))
    sight = as_seen(field, ask)
    board, side = sight.board, ask.side
    plan = Colonel().plan(field, sight)
    moves = tuple(
        AdvisedMove(order, order[1], board.piece(order[1]).place, board.map.hex(order[-1]))
        for order in plan.moves
    )
    attacks = []
    for one in plan.attacks:
        on = board if one.order in plan.now else plan.board
        fight = _fight(field, plan.outlook, on, side, one.order)
        if fight is not None:
            pieces = [on.piece(name) for name in one.order[2:]]
            starts = tuple(dict.fromkeys(piece.place for piece in pieces if field.fights(piece)))
            units, now = tuple(one.order[2:]), one.order in plan.now
            attacks.append(AdvisedAttack(one.order, one.target, units, fight, now, starts))
    return Advice(moves, tuple(attacks), _dangers(field, side, plan.outlook, plan.board))


def dangers(field: Field, ask: Order) -> tuple[Danger, ...]:
    """Give the best attacks that the enemy could make if the side of an order left its units where
    they are, as he would see them; the worst first."""
    side, enemy = ask.side, field.enemy(ask.side)
    board = field.seen(field.seen(ask.board, side), enemy)
    return _dangers(field, side, outlook_of(field, ask, board), board)


def _dangers(field: Field, side: str, outlook: Outlook, board: Board) -> tuple[Danger, ...]:
    threats = sorted(outlook.threats(board), key=lambda one: -one.value)[:MOST_DANGERS]
    found = (_danger(field, side, outlook, board, one) for one in threats)
    return tuple(one for one in found if one is not None)


def _danger(
    field: Field, side: str, outlook: Outlook, board: Board, threat: Threat
) -> Danger | None:
    for name, there in threat.placed:
        board = board.moved([name], there, held=False)
    fight = _fight(field, outlook, board, field.enemy(side), threat.order)
    if fight is None:
        return None
    used = {*threat.order[2:]}
    placed = tuple(one for one in threat.placed if one[0] in used)
    return Danger(threat.hex, tuple(threat.order[2:]), placed, fight)


def _fight(field: Field, outlook: Outlook, board: Board, side: str, order: Words) -> Fight | None:
    return foreseen(field, board, side, order, lambda fight: fight, outlook.fight_value)
