"""Advice for a person: the plan that a colonel would make, and what the enemy could do in reply."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.deployment import PHASE as DEPLOYMENT
from grognard.matches.field import Field
from grognard.matches.protocol import Order, Words
from grognard.matches.sight import as_seen
from grognard.players.attack_plan import is_legal
from grognard.players.colonel import Colonel, outlook_of
from grognard.players.forecast import foreseen
from grognard.players.known_attacks import Placed
from grognard.players.outlook import Outlook, Threat
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


class Danger(NamedTuple):
    """An attack that the enemy could make after his next move, and where its units would stand."""

    hex: Hex
    units: tuple[str, ...]
    placed: Placed
    fight: Fight


class AdvisedAttack(NamedTuple):
    """An attack of a plan: ordered now, or after its moves."""

    order: Words
    target: Hex
    units: tuple[str, ...]
    fight: Fight
    now: bool  # whether it can be ordered in this phase
    starts: tuple[Hex, ...]  # from which its units attack
    leaves_open: Danger | None  # the enemy's best reply to hexes that its units hold or have left


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
    plan = Colonel().plan(field, sight)
    orders = [(one.order, one.order in plan.now) for one in plan.attacks]
    return _Planned(field, sight, plan.outlook, plan.moves, plan.board).advice(orders)


def kept_advice(field: Field, ask: Order, orders: Sequence[Words]) -> Advice:
    """Give what is left of a plan that is followed: the moves and attacks that are still possible,
    with the odds of the moment."""
    sight = as_seen(field, ask)
    moves, board = list[Words](), sight.board
    for order in orders:
        if order[:1] == ("move",) and is_legal(ask.orders, order):
            piece, hex_ = board.piece(order[1]), board.map.hex(order[-1])
            board = board.moved([piece.name], hex_, held=field.takes_hexes(piece))
            moves.append(order)
    later = field.attack_orders(board, ask.side)
    attacks = [
        (order, now)
        for order in orders
        if order[:1] != ("move",) and len(order) > 2 and _target(board, order) is not None
        for now in (is_legal(ask.orders, order),)
        if now or is_legal(later, order)
    ]
    outlook = outlook_of(field, ask, sight.board)
    outlook.rebased(board)
    return _Planned(field, sight, outlook, moves, board).advice(attacks)


class _Planned:
    """A plan, and what the enemy could do after it."""

    def __init__(
        self, field: Field, ask: Order, outlook: Outlook, moves: list[Words], board: Board
    ) -> None:
        self._field, self._ask, self._outlook, self._after = field, ask, outlook, board
        before = ask.board
        self._moves = tuple(
            AdvisedMove(one, one[1], before.piece(one[1]).place, before.map.hex(one[-1]))
            for one in moves
        )
        self._threats = _threats(outlook, board)

    def advice(self, attacks: Iterable[tuple[Words, bool]]) -> Advice:
        """Describe the plan with its attacks: orders, and whether each can be given now."""
        found = (self._attack(order, now=now) for order, now in attacks)
        replies = self._dangers(self._threats[:MOST_DANGERS])
        return Advice(self._moves, tuple(one for one in found if one is not None), tuple(replies))

    def _attack(self, order: Words, *, now: bool) -> AdvisedAttack | None:
        field, board = self._field, self._ask.board if now else self._after
        fight = _fight(field, self._outlook, board, self._ask.side, order)
        target = _target(board, order)
        if fight is None or target is None:
            return None
        units = tuple(order[2:])
        pieces = [board.piece(name) for name in units]
        starts = tuple(dict.fromkeys(piece.place for piece in pieces if field.fights(piece)))
        left = {move.start for move in self._moves if move.unit in units}
        replies = self._dangers(one for one in self._threats if one.hex in {*starts, *left})
        return AdvisedAttack(order, target, units, fight, now, starts, next(replies, None))

    def _dangers(self, threats: Iterable[Threat]) -> Iterator[Danger]:
        return _dangers(self._field, self._ask.side, self._outlook, self._after, threats)


def _target(board: Board, order: Words) -> Hex | None:
    """Give the hex that an attack names, or that of the unit that it names; None if neither is
    there."""
    if board.map.has(order[1]):
        return board.map.hex(order[1])
    return board.piece(order[1]).at if board.has(order[1]) else None


def dangers(field: Field, ask: Order) -> tuple[Danger, ...]:
    """Give the best attacks that the enemy could make if the side of an order left its units where
    they are, as he would see them; the worst first."""
    side, enemy = ask.side, field.enemy(ask.side)
    board = field.seen(field.seen(ask.board, side), enemy)
    outlook = outlook_of(field, ask, board)
    return tuple(_dangers(field, side, outlook, board, _threats(outlook, board)[:MOST_DANGERS]))


def _threats(outlook: Outlook, board: Board) -> list[Threat]:
    """Give the attacks that would be worth while for the enemy, the worst first."""
    return sorted(outlook.threats(board), key=lambda one: -one.value)


def _dangers(
    field: Field, side: str, outlook: Outlook, board: Board, threats: Iterable[Threat]
) -> Iterator[Danger]:
    found = (_danger(field, side, outlook, board, one) for one in threats)
    return (one for one in found if one is not None)


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
