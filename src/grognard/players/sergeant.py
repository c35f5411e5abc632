"""The sergeant: one order at a time, each for the best value that it has now.

He moves towards objectives, keeps HQs and guns behind the line, and attacks where the exact odds
make it worth while.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from msgspec.structs import replace

from grognard.fights.doctrine import BEST, Doctrine
from grognard.maps.board import Board
from grognard.matches.deployment import PHASE as DEPLOYMENT
from grognard.matches.field import Field
from grognard.matches.match import Match
from grognard.matches.protocol import END, Order, Words
from grognard.players.forecast import foreseen
from grognard.players.plans import FAR, OrderWorth, Plans
from grognard.players.stakes import points_named
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Fight

CHORES = ("recover", "usual")  # orders that never hurt, so they come first
ARRIVALS = ("land",)
BOLD = replace(BEST, own_step=2)  # for a side behind in points: own steps count less
GOOD = 250  # hundredths of a point: from here a side behind in points prefers a fight to a move
STRONG = 4  # value of each step of an arriving unit, in the units of `Plans.score`
PRIZE = 4  # doctrine points for each point of an objective

K = TypeVar("K", bound=Hashable)


class Ranking(Generic[K]):
    """Values of choices, recomputed only as far as a decision needs.

    Each order gives a new board, on which every value may differ; but most differ little. So the
    choice that was best so far is valued again, until the best value belongs to this board. All
    choices are valued again before none is chosen.
    """

    def __init__(self) -> None:
        self._known: dict[K, tuple[Board, OrderWorth]] = {}

    def best(
        self, board: Board, choices: Sequence[K], worth: Callable[[K], OrderWorth]
    ) -> OrderWorth:
        """Give the order that is worth most on this board; the end, if none is worth doing."""
        known = self._known
        looks = [choice for choice in choices if choice not in known]
        while choices:
            known |= {choice: (board, worth(choice)) for choice in looks}
            top = max(choices, key=lambda choice: known[choice][1].value)
            seen, best = known[top]
            if seen is board and best.value > 0:
                return best
            others = [choice for choice in choices if known[choice][0] is not board]
            looks = [top] if best.value > 0 else others
            if not looks:
                break
        return OrderWorth(0, END)


class Sergeant:
    """Gives the orders of a side."""

    def __init__(self) -> None:
        self._phase: tuple[int, str, str] | None = None
        self._fights = Ranking[Words]()
        self._moves = Ranking[str]()

    def order(self, field: Field, ask: Order) -> Words:
        """Do routine work; attack where it pays; else make the best move; else end."""
        phase = ask.turn, ask.side, ask.phase
        if phase != self._phase:
            self._phase, self._fights, self._moves = phase, Ranking(), Ranking()
        deeds = list(ask.orders.deeds())
        sight = replace(ask, board=field.seen(ask.board, ask.side))
        if routine := routine_order(field, ask, deeds):
            return routine
        fight = self._best_fight(field, ask, sight, deeds)
        if fight.value >= (GOOD if _behind(field, ask) else 1):
            return fight.order
        move = self._best_move(field, ask, sight)
        if move.value > 0:
            return move.order
        return fight.order if fight.value > 0 else END

    def choice(self, match: Match, ask: Choose) -> Answer | None:  # noqa: ARG002  # as officers do
        """Leave it to the doctrine."""
        return None

    def _best_fight(
        self, field: Field, ask: Order, sight: Order, orders: list[Words]
    ) -> OrderWorth:
        cares = BOLD if _behind(field, ask) else BEST

        def worth(order: Words) -> OrderWorth:
            prize = PRIZE * points_named(field, sight.board, order)

            def value(fight: Fight) -> int:
                return attack_worth(fight, cares, prize)

            found = foreseen(field, sight.board, ask.side, order, value, int)
            return OrderWorth(found or 0, order)

        return self._fights.best(ask.board, orders, worth)

    def _best_move(self, field: Field, ask: Order, sight: Order) -> OrderWorth:
        pieces = {piece.name: piece for piece in ask.orders.pieces()}
        plans = Plans(field, sight.board, ask.side)

        def worth(name: str) -> OrderWorth:
            return plans.best(pieces[name], ask.orders.sound_moves(pieces[name]))

        return self._moves.best(ask.board, list(pieces), worth)


def attack_worth(fight: Fight, cares: Doctrine = BEST, prize: int = 0) -> int:
    """Value an attack for the attacker, in hundredths of a point.

    `prize` is the value of taking the hex; half of it counts if the hex is only vacated.
    """
    odds = fight.odds()
    total = sum(
        (cares.value(outcome, "attacker") + prize * (outcome.vacated + outcome.taken) // 2) * weight
        for outcome, weight in odds.weights.items()
    )
    return total * 100 // odds.total


def routine_order(field: Field, ask: Order, deeds: list[Words]) -> Words | None:
    """Give an order that needs no plan: a chore, the end of a deployment, an arrival."""
    if chores := [order for order in deeds if order[0] in CHORES]:
        return chores[0]
    return END if ask.phase == DEPLOYMENT else _best_arrival(field, ask, deeds)


def _best_arrival(field: Field, ask: Order, deeds: list[Words]) -> Words | None:
    """Choose an arrival: strong units near their goals first, those without a hex last."""
    waiting = {piece.name: piece for piece in ask.board.pieces if piece.at is None}
    arrivals = [order for order in deeds if order[0] in ARRIVALS]
    plans = Plans(field, ask.board, ask.side) if arrivals else None

    def worth(order: Words) -> int:
        piece = waiting.get(order[1])
        if piece is None or plans is None:
            return -FAR * FAR
        return STRONG * piece.steps + plans.score(piece, ask.board.map.hex(order[2]))

    return max(arrivals, key=worth, default=None)


def _behind(field: Field, ask: Order) -> bool:
    points = field.verdict(ask.board).points
    return points[ask.side] < points[field.enemy(ask.side)]
