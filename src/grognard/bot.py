"""The automatic player: simple, legal, sensible.

It goes for the objectives, keeps HQs and guns behind the others, attacks where the exact odds make
the attack worth it, and leaves the choices within a fight to a doctrine.
"""

from collections.abc import Iterator
from random import Random

from grognard.ask import Answer, Choose, Commit, Roll
from grognard.auto import decide as decide_in_fight
from grognard.board import Board, Piece
from grognard.doctrine import BEST
from grognard.field import END, Field, Order, Playing, Words
from grognard.fight import Fight, steps
from grognard.hexes import Hex
from grognard.look import look_ahead
from grognard.match import Match
from grognard.odds import Analysis

CHORES = ("recover",)  # never wrong, so done first
FAR = 99
BOLD = -150  # hundredths of a point a step that a side behind in points will risk to attack
PRIZE = 4  # points of a doctrine for each point of an objective


class Bot:
    """Answers for one side or both. The same seed gives the same answers."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)
        self._analysis: Analysis | None = None

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
        """Attack where it pays; else make the best move; else end the phase."""
        orders = list(ask.orders.all())
        if chores := [order for order in orders if order[0] in CHORES]:
            return chores[0]
        fights = [order for order in orders if order[0] not in ("move", "end")]
        if best := self._best_fight(field, ask, fights):
            return best
        if moves := [order for order in orders if order[0] == "move"]:
            return self._best_move(field, ask, moves)
        return END

    def _best_fight(self, field: Field, ask: Order, orders: list[Words]) -> Words | None:
        points = field.verdict(ask.board).points
        behind = points[ask.side] < points[field.enemy(ask.side)]
        worth: list[tuple[int, Words]] = []
        for order in orders:
            fight = first_fight(field.carry_out(ask.board, ask.side, order), ask.side)
            if fight is None:
                continue
            least = BOLD * steps(fight.attackers) if behind else 0
            if (value := attack_worth(fight, _prize(field, order))) > least:
                worth.append((value - least, order))
        return max(worth)[1] if worth else None

    def _best_move(self, field: Field, ask: Order, moves: list[Words]) -> Words:
        """Take the move that brings a piece nearest to where it is wanted, if any does."""
        plans = Plans(field, ask.board, ask.side)
        best, most = END, 0
        for order in moves:
            piece = ask.board.piece(order[1])
            gain = plans.gain(piece, ask.board.map.hex(order[-1]))
            if gain > most:
                best, most = order, gain
        return best

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


def attack_worth(fight: Fight, prize: int = 0) -> int:
    """Give what an attack is worth to the attacker, in hundredths of a point; the prize is what
    the hex is worth beside the fight itself."""
    odds = fight.odds()
    total = sum(
        (BEST.value(outcome, "attacker") + prize * outcome.vacated) * weight
        for outcome, weight in odds.weights.items()
    )
    return total * 100 // odds.total


def _prize(field: Field, order: Words) -> int:
    """Count an objective's points for the hex that an order names."""
    points = [o.points for o in field.scenario.objectives if o.hex in order]
    return PRIZE * sum(points)


class Plans:
    """Where a side wants its pieces to be."""

    def __init__(self, field: Field, board: Board, side: str) -> None:
        self._board, self._side = board, side
        self._enemies = [p.at for p in board.of(field.enemy(side)) if p.at]
        self._friends = [
            (piece.name, piece.at) for piece in board.of(side) if piece.at and field.fights(piece)
        ]
        self._fights = field.fights
        objectives = [(board.map.hex(o.hex), o.points) for o in field.scenario.objectives]
        self._wanted = (
            [
                (hex_, points)
                for hex_, points in objectives
                if board.holders.get(hex_) != side or _room(hex_, self._enemies) <= 2
            ]
            or objectives
            or [(enemy, 0) for enemy in self._enemies]
        )

    def gain(self, piece: Piece, to: Hex) -> int:
        """Tell how much better a piece stands there than where it is."""
        if piece.at is None:
            return 0
        return self._score(piece, to) - self._score(piece, piece.at)

    def _score(self, piece: Piece, hex_: Hex) -> int:
        if not self._fights(piece):
            return self._behind(piece, hex_)
        goals = (hex_.distance(goal) * 4 - points for goal, points in self._wanted)
        near = min(goals, default=0)
        return self._together(piece, hex_) - near

    def _together(self, piece: Piece, hex_: Hex) -> int:
        """Value standing beside an enemy, the more with friends beside the same one."""
        friends = [at for name, at in self._friends if name != piece.name]
        beside = [enemy for enemy in set(self._enemies) if enemy.distance(hex_) == 1]
        return max((4 + 4 * sum(at.distance(e) == 1 for at in friends) for e in beside), default=0)

    def _behind(self, piece: Piece, hex_: Hex) -> int:
        """HQs, guns and columns keep two hexes behind the fighting units."""
        friends = [at for name, at in self._friends if name != piece.name]
        if _room(hex_, self._enemies) <= 1:
            return -FAR
        return -2 * abs(_room(hex_, friends) - 1)


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
