"""Values by which a planning player weighs steps, ground and objectives at a moment of a match."""

from typing import NamedTuple

from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.protocol import Words
from grognard.players.forecast import SCALE, Expected

# Values are in hundredths of a doctrine point.
STEP, SHAKEN, SPENT, GROUND, POINT = 400, 200, 200, 300, 800


class Style(NamedTuple):
    """Percentages of what a careful player would count."""

    threat: int = 60  # of what the best replies of the enemy would cost
    losses: int = 100  # of own losses in an attack
    points: int = 100  # of objectives
    nearer: int = 100  # of the way to objectives


USUAL_STYLE = Style()


class Stakes(NamedTuple):
    """Values in hundredths of a point of doctrine, of which a step is worth four."""

    step: int = STEP
    shaken: int = SHAKEN
    spent: int = SPENT
    ground: int = GROUND  # of a hex without objective
    point: int = POINT  # of a point of an objective
    nearer: int = 40  # of a movement point nearer to an objective
    style: Style = USUAL_STYLE
    replies: bool = True  # whether the enemy moves once more
    last: bool = False  # whether no turn follows

    def attack(self, foreseen: Expected, points: int) -> int:
        """Value an attack for the attacker; `points` are those of the objective in the hex."""
        steps = (
            foreseen.defender_steps_lost - foreseen.attacker_steps_lost * self.style.losses // 100
        )
        shaken = foreseen.defender_shaken - foreseen.attacker_shaken
        gained = foreseen.vacated + foreseen.taken
        lost = foreseen.attacker_left + foreseen.defender_advanced
        value = (
            self.step * steps
            + self.shaken * shaken
            - self.spent * (foreseen.attacker_spent - foreseen.defender_spent)
            + self.ground * (gained - lost)
            + points * self.point * gained // 2
        )
        return value // SCALE


def stakes(field: Field, board: Board, side: str, turn: int, style: Style = USUAL_STYLE) -> Stakes:
    """Give the stakes of a turn: towards the end objectives count more, steps less, except where
    they bring points."""
    turns = field.scenario.turns
    left = turns - turn  # turns after this one
    last = side == field.scenario.sides[-1].id
    late = turn * 100 // turns
    point = 600 + 8 * late
    return Stakes(
        step=(STEP if left else STEP // 4) + points_of_a_step(field, board, side) * point // 100,
        shaken=SHAKEN if left else SHAKEN // 8,
        spent=SPENT if left else 0,
        ground=GROUND if left else GROUND // 4,
        point=point * style.points // 100,
        nearer=(40 if left else 10) * style.nearer // 100,
        style=style,
        replies=bool(left) or not last,
        last=not left,
    )


def points_of_a_step(field: Field, board: Board, side: str) -> int:
    """Give the victory points that a step of the enemy brings, in hundredths of a point; what the
    loss of his last piece brings is no part of it."""
    others = sorted(board.of(field.enemy(side)), key=lambda piece: piece.steps)[1:]
    steps = sum(piece.steps for piece in others)
    if not steps:
        return 0
    without = board.removed(*(piece.name for piece in others))
    gained = field.victory_points(without)[side] - field.victory_points(board)[side]
    return max(0, gained * 100 // steps)


def objectives(field: Field, board: Board) -> dict[Hex, int]:
    """Give the points of each objective, by its hex."""
    return dict(field.aims(board))


def points_named(field: Field, board: Board, order: Words) -> int:
    """Give the points of the objectives in hexes that an order names."""
    aims = field.aims(board).items()
    return sum(points for hex_, points in aims if board.map.number(hex_) in order)
