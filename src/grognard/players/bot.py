"""The automatic player: simple, legal, sensible.

It goes for the objectives, keeps HQs and guns behind the others, attacks where the exact odds make
the attack worth it, and leaves the choices within a fight to a doctrine.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from random import Random
from typing import Generic, TypeVar

from msgspec.structs import replace

from grognard.fights.automatic import decide as decide_in_fight
from grognard.fights.doctrine import BEST, Doctrine
from grognard.fights.odds import Analysis
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.field import END, Field, Order, Playing, Words
from grognard.matches.look_ahead import look_ahead
from grognard.matches.match import Match
from grognard.players.plans import FAR, OrderWorth, Plans
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight

CHORES = ("recover",)  # never wrong, so done first
ARRIVALS = ("land",)
BOLD = replace(BEST, own_step=2)  # a side behind in points spares its steps less
GOOD = 250  # hundredths of a point: a fight that a side behind in points prefers to a move
STRONG = 4  # what each step of an arrival is worth, in what a movement point is
PRIZE = 4  # points of a doctrine for each point of an objective

K = TypeVar("K", bound=Hashable)


class Ranking(Generic[K]):
    """Choices by their worth, of which only as much is found anew as a decision needs.

    After each order the board is another one, and in principle every worth with it. But most
    change little: so the best choice as last known is looked at again, until the best is up to
    date. Before nothing is chosen, all are.
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


class Bot:
    """Answers for one side or both. The same seed gives the same answers."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)
        self._analysis: Analysis | None = None
        self._phase: tuple[int, str, str] | None = None
        self._fights = Ranking[Words]()
        self._moves = Ranking[str]()

    def answer(self, match: Match) -> Answer:
        """Answer the open question of a match."""
        ask = match.asking
        match ask:
            case Order():
                return self._order(match.field, ask)
            case Roll():
                return tuple(self._random.randint(1, 6) for _ in range(ask.dice))
            case Choose() | Commit() if match.play is not None:
                return self._in_fight(match)
            case Choose():
                return self._choice(match, ask)
        raise TypeError(f"nobody can answer {ask!r}")

    # -------------------------------------------------------------- orders

    def _order(self, field: Field, ask: Order) -> Words:
        """Do the chores; attack where it pays; else make the best move; else end the phase."""
        phase = ask.turn, ask.side, ask.phase
        if phase != self._phase:
            self._phase, self._fights, self._moves = phase, Ranking(), Ranking()
        deeds = list(ask.orders.deeds())
        if chores := [order for order in deeds if order[0] in CHORES]:
            return chores[0]
        if arrival := _best_arrival(field, ask, deeds):
            return arrival
        fight = self._best_fight(field, ask, deeds)
        if fight.value >= (GOOD if _behind(field, ask) else 1):
            return fight.order
        move = self._best_move(field, ask)
        if move.value > 0:
            return move.order
        return fight.order if fight.value > 0 else END

    def _best_fight(self, field: Field, ask: Order, orders: list[Words]) -> OrderWorth:
        cares = BOLD if _behind(field, ask) else BEST

        def worth(order: Words) -> OrderWorth:
            fight = first_fight(field.carry_out(ask.board, ask.side, order), ask.side)
            if fight is None:
                return OrderWorth(0, order)
            return OrderWorth(attack_worth(fight, cares, _prize(field, order)), order)

        return self._fights.best(ask.board, orders, worth)

    def _best_move(self, field: Field, ask: Order) -> OrderWorth:
        """Take the move that brings a piece nearest to where it is wanted, if any does."""
        pieces = {piece.name: piece for piece in ask.orders.pieces()}
        plans = Plans(field, ask.board, ask.side)

        def worth(name: str) -> OrderWorth:
            return plans.best(pieces[name], ask.orders.moves(pieces[name]))

        return self._moves.best(ask.board, list(pieces), worth)

    # -------------------------------------------------------------- choices

    def _in_fight(self, match: Match) -> Answer:
        play = match.play
        if play is None:
            raise TypeError("no fight is being resolved")
        if self._analysis is None or self._analysis.start is not play.start:
            self._analysis = Analysis(play.start, BEST, BEST)
        return decide_in_fight(play, self._analysis, self._random)

    def _choice(self, match: Match, ask: Choose) -> Answer:
        """Go back to where no enemy is near; otherwise take what the rules offer first."""
        hexes = [
            word for word in ask.options if isinstance(word, str) and match.board.map.has(word)
        ]
        if len(hexes) != len(ask.options):
            return ask.options[0]
        enemies = [p.at for p in match.board.of(match.field.enemy(match.asked or "")) if p.at]
        return max(hexes, key=lambda word: _room(match.board.map.hex(word), enemies))


def _room(hex_: Hex, enemies: list[Hex]) -> int:
    return min((hex_.distance(enemy) for enemy in enemies), default=FAR)


def first_fight(playing: Playing, side: str) -> Fight | None:
    """Carry a side's order out up to its own fight; None where there is none, or the enemy fires
    first."""
    ahead = look_ahead(playing, side)
    return ahead.fight if ahead.attacker == side else None


def attack_worth(fight: Fight, cares: Doctrine = BEST, prize: int = 0) -> int:
    """Give what an attack is worth to the attacker, in hundredths of a point; the prize is what
    the hex is worth beside the fight itself, half of it if it is only free to be taken later."""
    odds = fight.odds()
    total = sum(
        (cares.value(outcome, "attacker") + prize * (outcome.vacated + outcome.taken) // 2) * weight
        for outcome, weight in odds.weights.items()
    )
    return total * 100 // odds.total


def _best_arrival(field: Field, ask: Order, deeds: list[Words]) -> Words | None:
    """Bring in who is strong and comes near to where he is wanted; then what has no place."""
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


def _prize(field: Field, order: Words) -> int:
    """Count an objective's points for the hex that an order names."""
    points = [o.points for o in field.scenario.objectives if o.hex in order]
    return PRIZE * sum(points)


def bots_for(sides: Iterable[str], seed: int) -> dict[str, Bot]:
    """Give each side a bot of its own; the same seed gives the same match."""
    return {side: Bot(seed + place) for place, side in enumerate(sides)}


def play_on(match: Match, bots: dict[str, Bot]) -> Iterator[Answer]:
    """Let bots answer as long as it is their turn; gives each answer after it was made."""
    while match.asking is not None:
        side = match.asked
        bot = bots.get(side) if side else next(iter(bots.values()), None)
        if bot is None:
            return
        answer = bot.answer(match)
        match.answer(answer)
        yield answer
