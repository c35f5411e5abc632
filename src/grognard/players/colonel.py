"""The colonel: plans all attacks of a combat phase together, and movement from the attacks."""

from msgspec.structs import replace

from grognard.maps.board import Piece
from grognard.matches.deployment import PHASE as DEPLOYMENT
from grognard.matches.field import Field
from grognard.matches.protocol import END, Order, Words
from grognard.players.attack_plan import Candidate, best_combination, candidates_on
from grognard.players.move_plan import MovePlan
from grognard.players.outlook import Outlook
from grognard.players.sergeant import ARRIVALS, CHORES, best_arrival
from grognard.players.stakes import Stakes, stakes
from grognard.words.refusal import Refusal


class Colonel:
    """Gives the orders of a side, phase by phase."""

    def __init__(self, changes: dict[str, int] | None = None) -> None:
        self._changes = changes or {}
        self._planned: list[Words] = []
        self._known: tuple[object, ...] = ()

    def order(self, field: Field, ask: Order) -> Words:
        """Do chores, then arrivals; attack; then move by the plan of the phase."""
        deeds = list(ask.orders.deeds())
        if chores := [order for order in deeds if order[0] in CHORES]:
            return chores[0]
        if ask.phase == DEPLOYMENT:
            return END
        if any(order[0] in ARRIVALS for order in deeds):
            if arrival := best_arrival(field, ask, deeds):
                return arrival
        board = field.seen(ask.board, ask.side)
        outlook = Outlook(field, board, ask.side, self._stakes(field, ask))
        if attacks := self.attacks(ask, outlook, deeds):
            return attacks[0].order
        self._plan_moves(field, replace(ask, board=board), outlook)
        while self._planned:
            order = next((one for one in self._planned if _legal(ask, one)), None)
            if order is None:
                break
            self._planned.remove(order)
            return order
        return END

    def _stakes(self, field: Field, ask: Order) -> Stakes:
        return stakes(field, ask.side, ask.turn)._replace(**self._changes)

    def attacks(self, ask: Order, outlook: Outlook, deeds: list[Words]) -> list[Candidate]:
        """Plan the attacks of the phase, the most valuable first."""
        board = ask.board
        targets = [h for h, stack in board.stacks().items() if stack[0].side != ask.side]
        found: list[Candidate] = []
        listed = {order for order in deeds}
        for target in targets if listed else ():

            def value(order: Words) -> int | None:
                expected = outlook.forecast(board, ask.side, order)
                return None if expected is None else outlook.attack_value(expected, target)

            found += candidates_on(ask.orders, target, value)
        return sorted(best_combination(found), key=lambda one: -one.value)

    def _plan_moves(self, field: Field, ask: Order, outlook: Outlook) -> None:
        """Plan the moves once for a phase, and again when an enemy has changed."""
        enemies: tuple[Piece, ...] = tuple(ask.board.of(field.enemy(ask.side)))
        known = ask.turn, ask.side, ask.phase, enemies
        if known != self._known and any(ask.orders.pieces()):
            self._known = known
            self._planned = self.plan_moves(field, ask)

    def plan_moves(self, field: Field, ask: Order) -> list[Words]:
        return self.moves(field, ask, {})

    def moves(self, field: Field, ask: Order, changes: dict[str, int]) -> list[Words]:
        """Plan moves by the stakes of the moment, changed as given."""
        outlook = Outlook(field, ask.board, ask.side, self._stakes(field, ask)._replace(**changes))
        return MovePlan(field, ask.board, ask.side, ask.orders, outlook).run()


def _legal(ask: Order, order: Words) -> bool:
    try:
        ask.orders.check(order)
    except Refusal:
        return False
    return True
