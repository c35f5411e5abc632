"""The colonel: plans all attacks of a combat phase together, and movement from the attacks."""

from collections.abc import Collection, Iterable
from functools import partial
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.match import Match
from grognard.matches.protocol import END, Order, Words
from grognard.players.attack_plan import Candidate, best_combination, candidates_on, is_legal
from grognard.players.consequences import best_by_board
from grognard.players.known_attacks import KnownAttacks
from grognard.players.move_plan import MovePlan, Moves
from grognard.players.outlook import Outlook
from grognard.players.restraint import best_use
from grognard.players.sergeant import routine_order
from grognard.players.stakes import USUAL_STYLE, Style, stakes
from grognard.players.supposition import supposed
from grognard.players.work import PLAN, size
from grognard.rules.ask import Answer, Choose

RENEWED = 30  # percent of the usual work for a plan that is improved within its phase


class Plan(NamedTuple):
    """The plan of a phase."""

    moves: list[Words]
    attacks: tuple[Candidate, ...]
    now: frozenset[Words]  # those of the attacks that can be ordered in this phase
    board: Board  # after the moves
    outlook: Outlook  # with the enemy's replies to that board


class Colonel:
    """Gives the orders of a side, phase by phase."""

    def __init__(self) -> None:
        self._planned: list[Words] = []
        self._known: tuple[tuple[int, str, str], tuple[Piece, ...]] | None = None

    def order(self, field: Field, ask: Order) -> Words:
        """Do routine work; attack, and move by the plan of the phase."""
        if routine := routine_order(field, ask, list(ask.orders.deeds())):
            return routine
        sight = replace(ask, board=supposed(field, ask.board, ask.side))
        self._plan_moves(field, sight)
        going = {order[1] for order in self._planned}
        if attacks := self.attacks(field, sight, going):
            return attacks[0].order
        order = first_legal(ask, self._planned)
        if order != END:
            self._planned.remove(order)
        return order

    def choice(self, match: Match, ask: Choose) -> Answer | None:
        """Choose by the worth of support and fire, or by the boards to which the answers lead."""
        use = best_use(match, ask)
        return best_by_board(match, ask) if use is None else use

    def attacks(self, field: Field, ask: Order, going: Collection[str]) -> list[Candidate]:
        """Plan the attacks of the phase, the most valuable first; not with units that will move."""
        board, outlook = ask.board, outlook_of(field, ask, ask.board)
        found: list[Candidate] = []
        for target in _targets(ask):
            value = partial(outlook.order_value, board, target)
            found += candidates_on(ask.orders, target, value)
        free = (one for one in found if one.units.isdisjoint(going))
        return sorted(best_combination(free), key=lambda one: -one.value)

    def _plan_moves(self, field: Field, ask: Order) -> None:
        """Plan the moves once for a phase, and again when an enemy has changed."""
        known = (ask.turn, ask.side, ask.phase), ask.board.of(field.enemy(ask.side))
        if known != self._known and any(ask.orders.pieces()):
            begun = self._known is not None and self._known[0] == known[0]
            since = still_legal(field, ask, self._planned) if begun else None
            self._known = known
            self._planned = self.plan_moves(field, ask, since)

    def plan_moves(self, field: Field, ask: Order, since: Moves | None = None) -> list[Words]:
        """Plan the moves of a phase, or improve the plan since an enemy has changed."""
        work = None if since is None else PLAN * size(ask.board) * RENEWED // 100
        return self.moves(field, ask, USUAL_STYLE, work, since).orders

    def plan(self, field: Field, ask: Order) -> Plan:
        """Plan a whole phase: its moves, and the attacks that follow them or go with them."""
        outlook = outlook_of(field, ask, ask.board)
        either, moves = moves_or_attacks(field, ask), Moves([], ask.board)
        movement = not either and any(ask.orders.pieces())
        if either or movement:
            moves = MovePlan(field, ask.board, ask.side, ask.orders, outlook).run(masses=not either)
        now = self.attacks(field, ask, {order[1] for order in moves.orders})
        later = outlook.attacks(moves.board) if movement and not now else ()
        outlook.rebased(moves.board)
        orders = frozenset(one.order for one in now)
        return Plan(moves.orders, (*now, *later), orders, moves.board, outlook)

    def moves(
        self,
        field: Field,
        ask: Order,
        style: Style,
        work: int | None = None,
        since: Moves | None = None,
        known: KnownAttacks | None = None,
        random: Random | None = None,
    ) -> Moves:
        """Plan the moves in a style, with so much work at most, perhaps going on from a plan, with
        known attacks, or with the units in a random order."""
        outlook = outlook_of(field, ask, ask.board, style, known)
        plan = MovePlan(field, ask.board, ask.side, ask.orders, outlook, work, since, random)
        return plan.run(masses=since is None and not moves_or_attacks(field, ask))


def outlook_of(
    field: Field,
    ask: Order,
    board: Board,
    style: Style = USUAL_STYLE,
    known: KnownAttacks | None = None,
) -> Outlook:
    """Make the outlook of the side of an order on a board, perhaps with attacks that are known."""
    weights = stakes(field, board, ask.side, ask.turn, style)
    either = moves_or_attacks(field, ask)
    return Outlook(field, board, ask.side, weights, either=either, known=known)


def _targets(ask: Order) -> list[Hex]:
    """Give the hexes of enemies."""
    return [hex_ for hex_, stack in ask.board.stacks().items() if stack[0].side != ask.side]


def moves_or_attacks(field: Field, ask: Order) -> bool:
    """Tell whether units move or attack in a phase, as they like."""
    return any(ask.orders.pieces()) and any(field.attack_orders(ask.board, ask.side).pieces())


def still_legal(field: Field, ask: Order, orders: Iterable[Words]) -> Moves:
    """Give those of some moves that are legal now, and the board after them."""
    board, kept = ask.board, list[Words]()
    for order in orders:
        if is_legal(ask.orders, order):
            piece, hex_ = board.piece(order[1]), board.map.hex(order[-1])
            board = board.moved([piece.name], hex_, held=field.takes_hexes(piece))
            kept.append(order)
    return Moves(kept, board)


def first_legal(ask: Order, orders: Iterable[Words]) -> Words:
    """Give the first order that is legal now; the end of the phase, if none is."""
    return next((order for order in orders if is_legal(ask.orders, order)), END)
