"""The general: makes several plans of a phase, and plays each on in thought before he chooses."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from grognard.maps.board import Board
from grognard.matches.field import Field
from grognard.matches.match import new_field
from grognard.matches.protocol import END, Order, Words
from grognard.players.bot import Officer
from grognard.players.colonel import Colonel, first_legal, moves_or_attacks, still_legal
from grognard.players.known_attacks import KnownAttacks
from grognard.players.move_plan import Moves
from grognard.players.sergeant import Sergeant, routine_order
from grognard.players.simulation import Imagined, play_on_in_thought
from grognard.players.stakes import POINT, STEP, USUAL_STYLE, Style
from grognard.players.supposition import supposed
from grognard.players.work import ORDER, SECOND, size

SECONDS = 5.0  # to plan a phase, if nothing else is said
OTHER_STYLES = (
    Style(threat=20, losses=70),
    Style(threat=110),
    Style(nearer=220),
    Style(points=200),
)
MOST = 4  # plans that are played on
ROUND = 2  # times that each of them is played on before the worst is dropped
TRUST = 2  # replies in thought that count as much as the value that the planner gives
WON = 20  # objective points that a won match counts
FIRST = 50  # percent of the work that the colonel's plan may take
RENEWED = 8  # percent of a phase's work that it may take however little is left
OTHERS = 8  # percent of the rest for each search of another plan; two make one
VARIED = 50  # percent of what is left then, for variations of the best plan
KEPT = 60  # percent of the moves that a variation keeps at first
LEAST = 100  # work for each piece on the map that is not enough for a search
REPLY = 5  # percent of the work that the plan of an enemy's reply may take
SEGMENT = 2  # a phase that goes on in segments leaves this part of its work to each

MovesPlan = tuple[Words, ...]


class Fighter(Colonel):
    """Plans attacks as a colonel does, and moves like a sergeant: quick enough for thought."""

    def __init__(self) -> None:
        super().__init__()
        self._mover = Sergeant()
        self._phase: tuple[int, str, str] | None = None
        self._waiting: list[Words] = []

    def order(self, field: Field, ask: Order) -> Words:
        """Attack by a plan where a phase has attacks only, made once for the phase."""
        if any(ask.orders.pieces()):
            return self._mover.order(field, ask)
        if routine := routine_order(field, ask, list(ask.orders.deeds())):
            return routine
        phase = ask.turn, ask.side, ask.phase
        if phase != self._phase:
            sight = replace(ask, board=supposed(field, ask.board, ask.side))
            self._phase = phase
            self._waiting = [one.order for one in self.attacks(field, sight, ())]
        order = first_legal(ask, self._waiting)
        if order != END:
            self._waiting.remove(order)
        return order


class Scripted(Fighter):
    """Gives the planned moves of one phase, and in all others the orders of a fighter."""

    def __init__(self, phase: tuple[int, str, str], plan: Sequence[Words]) -> None:
        super().__init__()
        self._scripted, self._plan = phase, list(plan)

    def order(self, field: Field, ask: Order) -> Words:
        """Give the next planned order that is legal, then end the phase; where units move or
        attack in one phase, those that do not move attack first."""
        if (ask.turn, ask.side, ask.phase) != self._scripted:
            return super().order(field, ask)
        if moves_or_attacks(field, ask):
            going = {order[1] for order in self._plan}
            if attacks := self.attacks(field, ask, going):
                return attacks[0].order
        order = first_legal(ask, self._plan)
        if order != END:
            self._plan.remove(order)
        return order


class Option(NamedTuple):
    """A plan of moves, and what the planner finds it worth."""

    plan: MovesPlan
    value: int


class General(Colonel):
    """Gives the orders of a side; plans are compared by playing them on."""

    def __init__(self, seed: int = 0, seconds: float = SECONDS) -> None:
        super().__init__()
        self._random = Random(seed)
        self._work = int(seconds * SECOND)  # of a phase
        self._left = 0  # of the work of this phase
        self._thought: Field | None = None

    def plan_moves(self, field: Field, ask: Order, since: Moves | None = None) -> list[Words]:
        """Make plans in several styles, improve them in the usual one, and choose the one that is
        worth most to the planner and goes best when it is played on."""
        if since is None:
            self._left = self._work
        work = self._left // SEGMENT if moves_or_attacks(field, ask) else self._left
        known = KnownAttacks(field, ask.board, ask.side)
        most = max(work * FIRST, self._work * RENEWED) // 100
        first = self.moves(field, ask, USUAL_STYLE, most, since, known)
        options, used = self._options(field, ask, first, work - first.work, known)
        best, thought = self._best(field, ask, options, work - first.work - used)
        self._left = max(0, self._left - first.work - used - thought)
        return list(best)

    def _options(
        self, field: Field, ask: Order, usual: Moves, work: int, known: KnownAttacks
    ) -> tuple[list[Option], int]:
        """Make other plans beside the usual one, in other styles and as variations of the best;
        tell how much work that was."""
        found, used, most = {tuple(usual.orders): usual}, 0, work * OTHERS // 100
        least = LEAST * size(ask.board)
        for style in OTHER_STYLES if most >= least else ():
            first = self.moves(field, ask, style, most, known=known)
            made = self.moves(field, ask, USUAL_STYLE, most, first, known)
            found[tuple(made.orders)] = made
            used += first.work + made.work
        best = max(found.values(), key=_value)
        until = used + (work - used) * VARIED // 100
        while until - used >= least and best.orders:
            start = self._thinned_out(field, ask, best)
            made = self.moves(
                field, ask, USUAL_STYLE, until - used, start, known, random=self._random
            )
            found[tuple(made.orders)] = made
            used += made.work + 1
            best = max(best, made, key=_value)
        plans = sorted(found.values(), key=_value, reverse=True)[:MOST]
        return [Option(tuple(made.orders), made.value) for made in plans], used

    def _thinned_out(self, field: Field, ask: Order, plan: Moves) -> Moves:
        """Keep a random part of a plan's moves."""
        kept = [order for order in plan.orders if self._random.randrange(100) < KEPT]
        return still_legal(field, ask, kept)

    def _best(
        self, field: Field, ask: Order, options: list[Option], work: int
    ) -> tuple[MovesPlan, int]:
        """Play plans on, again and again with the same dice for all; drop the worst one by one.

        All are played on equally often: a round for which the work left may not be enough is not
        begun.
        """
        if self._thought is None:
            self._thought = new_field(field.scenario)
        totals, used = dict.fromkeys(options, 0), 0
        most = self._work * REPLY // 100  # of one plan, as far as it is known

        def merit(one: Option) -> int:
            return one.value * TRUST + totals[one]

        games = 0
        while len(options) > 1 and used + most * len(options) <= work:
            games += 1
            seed = self._random.getrandbits(32)
            for one in options:
                end = _imagined(self._thought, ask, one.plan, seed)
                value, reply = self._worth(self._thought, end, ask.side)
                totals[one] += value
                used += end.orders * ORDER + reply
                most = max(most, end.orders * ORDER + reply)
            if games % ROUND == 0 and len(options) > 2:
                options = sorted(options, key=merit, reverse=True)[:-1]
        return max(options, key=merit).plan, used

    def _worth(self, field: Field, end: Imagined, side: str) -> tuple[int, int]:
        """Value a position in thought by the enemy's best plan there; give the work of that too."""
        if end.asked is None:
            return final_worth(field, end.board, side), 0
        reply = self.moves(field, end.asked, USUAL_STYLE, self._work * REPLY // 100)
        return -reply.value, reply.work


def _value(made: Moves) -> int:
    return made.value


def _imagined(field: Field, ask: Order, plan: MovesPlan, seed: int) -> Imagined:
    """Play a plan on, up to the question for the enemy's next moves."""
    phase = ask.turn, ask.side, ask.phase
    officers: dict[str, Officer] = {
        ask.side: Scripted(phase, plan),
        field.enemy(ask.side): Fighter(),
    }

    def enemy_moves(asked: Order) -> bool:
        return asked.side != ask.side and any(asked.orders.pieces())

    return play_on_in_thought(field, ask, ask.board, officers, seed, enemy_moves)


def final_worth(field: Field, board: Board, side: str) -> int:
    """Value the end of a match: its result, then points and steps."""
    enemy, verdict = field.enemy(side), field.verdict(board)
    steps = sum(p.steps * ((p.side == side) - (p.side == enemy)) for p in board.pieces)
    points = verdict.points[side] - verdict.points[enemy]
    won = (verdict.winner == side) - (verdict.winner == enemy)
    return (WON * won + points) * POINT + steps * STEP // 10
