"""The general: makes several plans of a phase, and plays each on in thought before he chooses."""

from collections.abc import Sequence
from random import Random

from grognard.maps.board import Board
from grognard.matches.field import Field
from grognard.matches.match import new_field
from grognard.matches.protocol import END, Order, Words
from grognard.players.bot import Officer
from grognard.players.colonel import Colonel, first_legal
from grognard.players.sergeant import Sergeant
from grognard.players.simulation import play_on_in_thought
from grognard.players.stakes import POINT, STEP, USUAL_STYLE, Style, objectives

SECONDS = 5.0  # to plan a phase, if nothing else is said
STYLES = (
    USUAL_STYLE,
    Style(threat=20, losses=70),
    Style(threat=110),
    Style(nearer=220),
    Style(points=200),
)
HORIZON = 1  # turns after this one that are played on
ROUND = 3  # times that each plan is played on before the worse half is dropped
WON = 20  # objective points that a won match counts
# The time is kept by counting work, so that it does not change the answers; a unit of work takes at
# most a thousandth of a second on the machine of docs/performance.md.
ORDER = 45  # work of an order in thought
OTHERS = 8  # percent of the work that each plan after the colonel's may take
BETTER = 300  # a game in thought: how much more than the colonel's plan another one must bring

MovesPlan = tuple[Words, ...]


class Scripted:
    """Gives the planned orders of one phase, and those of another officer in all others."""

    def __init__(self, phase: tuple[int, str, str], plan: Sequence[Words], then: Officer) -> None:
        self._phase, self._plan, self._then = phase, list(plan), then

    def order(self, field: Field, ask: Order) -> Words:
        """Give the next planned order that is legal, then end the phase."""
        if (ask.turn, ask.side, ask.phase) != self._phase:
            return self._then.order(field, ask)
        order = first_legal(ask, self._plan)
        if order != END:
            self._plan.remove(order)
        return order


class Fighter(Colonel):
    """Plans attacks as a colonel does, and moves like a sergeant: quick enough for thought."""

    def __init__(self) -> None:
        super().__init__()
        self._mover = Sergeant()

    def order(self, field: Field, ask: Order) -> Words:
        """Attack by a plan where a phase has attacks only."""
        if any(ask.orders.pieces()):
            return self._mover.order(field, ask)
        return super().order(field, ask)


class General(Colonel):
    """Gives the orders of a side; plans are compared by playing them on."""

    def __init__(self, seed: int = 0, seconds: float = SECONDS) -> None:
        super().__init__()
        self._random = Random(seed)
        self._work = int(seconds * 1000)  # of a phase
        self._thought: Field | None = None

    def plan_moves(self, field: Field, ask: Order) -> list[Words]:
        """Make a plan in each style, and choose the one that goes best when it is played on."""
        left, plans = self._work, dict[MovesPlan, None]()
        for style in STYLES:
            made = self.moves(field, ask, style, self._work * OTHERS // 100 if plans else None)
            plans[tuple(made.orders)] = None
            left -= made.work
        return list(self._best(field, ask, list(plans), left))

    def _best(self, field: Field, ask: Order, plans: list[MovesPlan], left: int) -> MovesPlan:
        """Play the plans on, again and again with the same dice for all; drop the worse half."""
        if self._thought is None:
            self._thought = new_field(field.scenario)
        values: dict[MovesPlan, int] = dict.fromkeys(plans, 0)
        usual = plans[0]
        while left > 0 and len(plans) > 1:
            for _ in range(ROUND):
                if left <= 0:
                    break
                values[usual] += BETTER
                seed = self._random.getrandbits(32)
                for plan in plans:
                    value, orders = _imagined(self._thought, ask, plan, seed)
                    values[plan] += value
                    left -= orders * ORDER
            best = sorted(plans, key=lambda plan: -values[plan])[: max(2, (len(plans) + 1) // 2)]
            plans = best if usual in best else [*best, usual]
        return plans[0]


def _imagined(field: Field, ask: Order, plan: MovesPlan, seed: int) -> tuple[int, int]:
    """Play a plan on with sergeants; give the value of the end, and the orders given."""
    phase = ask.turn, ask.side, ask.phase
    officers: dict[str, Officer] = {
        ask.side: Scripted(phase, plan, Fighter()),
        field.enemy(ask.side): Sergeant(),
    }
    last = ask.turn + HORIZON
    end = play_on_in_thought(field, ask, ask.board, officers, Random(seed), last)
    return standing(field, end.board, ask.side, over=end.over), end.orders


def standing(field: Field, board: Board, side: str, *, over: bool) -> int:
    """Value a position by objectives and steps, and by the result of a match that is over."""
    enemy = field.enemy(side)
    points = 0
    for hex_, worth in objectives(field, board).items():
        holder = board.holders.get(hex_)
        points += worth * ((holder == side) - (holder == enemy))
    steps = sum(p.steps * ((p.side == side) - (p.side == enemy)) for p in board.pieces)
    value = points * POINT // 2 + steps * (STEP // 10 if over else STEP)
    if over:
        winner = field.verdict(board).winner
        value += WON * POINT * ((winner == side) - (winner == enemy))
    return value
