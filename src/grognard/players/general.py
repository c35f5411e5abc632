"""The general: makes several plans of a phase, and plays each on in thought before he chooses."""

from collections.abc import Sequence
from random import Random

from grognard.maps.board import Board
from grognard.matches.field import Field
from grognard.matches.match import new_field
from grognard.matches.protocol import END, Order, Words
from grognard.players.bot import Officer
from grognard.players.colonel import Colonel
from grognard.players.sergeant import Sergeant
from grognard.players.simulation import play_on_in_thought
from grognard.players.stakes import STEP, USUAL_STYLE, Style, objectives
from grognard.words.refusal import Refusal

STYLES = (
    USUAL_STYLE,
    Style(threat=20, losses=70),
    Style(threat=110),
    Style(nearer=220),
    Style(points=200),
)
SECONDS = 5.0  # to plan a phase, if nothing else is said
HORIZON = 1  # turns after this one that are played on
ORDERS_A_SECOND = 100
WON = 20  # objective points that a won match counts


class Scripted:
    """Gives planned orders, then those of another officer."""

    def __init__(self, phase: tuple[int, str, str], plan: Sequence[Words], then: Sergeant) -> None:
        self._phase, self._plan, self._then = phase, list(plan), then

    def order(self, field: Field, ask: Order) -> Words:
        if (ask.turn, ask.side, ask.phase) != self._phase:
            return self._then.order(field, ask)
        while self._plan:
            order = next((one for one in self._plan if _legal(ask, one)), None)
            if order is None:
                break
            self._plan.remove(order)
            return order
        return END


def _legal(ask: Order, order: Words) -> bool:
    try:
        ask.orders.check(order)
    except Refusal:
        return False
    return True


class General(Colonel):
    """Gives the orders of a side; plans are compared by playing them on."""

    def __init__(self, seed: int = 0, seconds: float = SECONDS) -> None:
        super().__init__()
        self._random = Random(seed)
        self._budget = int(seconds * ORDERS_A_SECOND)
        self._thought: Field | None = None
        self.log: list[tuple[int, list[float]]] = []

    def plan_moves(self, field: Field, ask: Order) -> list[Words]:
        plans: dict[tuple[Words, ...], int] = {}
        for number, style in enumerate(STYLES):
            plan = tuple(self.moves(field, ask, style).orders)
            plans.setdefault(plan, number)
        if len(plans) == 1:
            return list(next(iter(plans)))
        return list(self._best(field, ask, list(plans)))

    def _best(self, field: Field, ask: Order, plans: list[tuple[Words, ...]]) -> tuple[Words, ...]:
        if self._thought is None:
            self._thought = new_field(field.scenario)
        left = self._budget
        values: dict[tuple[Words, ...], list[int]] = {plan: [] for plan in plans}
        while left > 0 and len(plans) > 1:
            for _ in range(3):
                seed = self._random.getrandbits(32)
                for plan in plans:
                    value, orders = self._imagined(self._thought, ask, plan, seed)
                    values[plan].append(value)
                    left -= orders
            plans.sort(key=lambda plan: -sum(values[plan]))
            if len(plans) > 2:
                plans = plans[: (len(plans) + 1) // 2]
        self.log.append((len(values), [sum(v) / len(v) for v in values.values()]))
        return plans[0]

    def _imagined(
        self, field: Field, ask: Order, plan: Sequence[Words], seed: int
    ) -> tuple[int, int]:
        phase = ask.turn, ask.side, ask.phase
        officers: dict[str, Officer] = {
            ask.side: Scripted(phase, plan, Sergeant()),
            field.enemy(ask.side): Sergeant(),
        }
        end = play_on_in_thought(field, ask, ask.board, officers, Random(seed), ask.turn + HORIZON)
        return standing(field, end.board, ask.side, over=end.over), end.orders


def standing(field: Field, board: Board, side: str, *, over: bool) -> int:
    """Value a position by objectives and steps, and the result of a match that is over."""
    enemy = field.enemy(side)
    points = 0
    for hex_, worth in objectives(field, board).items():
        holder = board.holders.get(hex_)
        points += worth * ((holder == side) - (holder == enemy))
    steps = sum(p.steps * ((p.side == side) - (p.side == enemy)) for p in board.pieces)
    value = points * 800 // 2 + steps * (STEP if not over else STEP // 10)
    if over:
        winner = field.verdict(board).winner
        value += WON * 800 * ((winner == side) - (winner == enemy))
    return value
