"""Expected results of attacks that nobody has ordered yet, from their exact odds."""

from collections.abc import Callable
from functools import lru_cache
from math import lcm
from typing import NamedTuple, TypeVar

from grognard.fights.chances import Found
from grognard.maps.board import Board
from grognard.matches.field import Field
from grognard.matches.match import Reply, look_ahead
from grognard.matches.protocol import Words
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Fight

T = TypeVar("T")
SCALE = 1000  # expectations and chances are in thousandths


class Expected(NamedTuple):
    """Expectations of the outcome of a fight, in thousandths; of flags, their chances."""

    attacker_steps_lost: int = 0
    defender_steps_lost: int = 0
    attacker_shaken: int = 0
    defender_shaken: int = 0
    attacker_spent: int = 0
    defender_spent: int = 0
    vacated: int = 0
    taken: int = 0
    attacker_left: int = 0
    defender_advanced: int = 0


def expected_of(found: Found) -> Expected:
    """Give the expectations of odds."""
    sums, total = _sums(found)
    return Expected(*[value * SCALE // total for value in sums])


@lru_cache(maxsize=4096)
def _sums(found: Found) -> tuple[list[int], int]:
    """Sum up the numbers of the outcomes by their weights, and the weights.

    Of odds that are the sum of others, these are summed up once for all whose part they are.
    """
    if not found.parts:
        weights = found.weights.items()
        names = Expected._fields
        return [sum([getattr(o, name) * weight for o, weight in weights]) for name in names], (
            found.total
        )
    parts = [(weight, *_sums(part)) for weight, part in found.parts]
    common = lcm(*[total for _, _, total in parts])
    shares = [(weight * (common // total), sums) for weight, sums, total in parts]
    columns = zip(*[[value * share for value in sums] for share, sums in shares], strict=True)
    return [*map(sum, columns)], common * sum(weight for weight, _, _ in parts)


def expected(fight: Fight) -> Expected:
    """Give the expectations of a fight in which both sides play `best`."""
    return expected_of(fight.odds().found)


def foreseen(
    field: Field,
    board: Board,
    side: str,
    order: Words,
    look: Callable[[Fight], T],
    worth: Callable[[T], int],
    given: tuple[Answer, ...] = (),
) -> T | None:
    """Look at the fight to which an order leads; None if it leads to none.

    Of answers before the fight that the field weighs, each side gives the one that is best for it.
    """
    ahead = look_ahead(field.carry_out(board, side, order), side, given)
    if ahead.fight is None or ahead.attacker != side:
        return None
    before = list(given)
    for reply in ahead.log:
        if isinstance(reply, Reply):
            if isinstance(reply.ask, Choose) and field.weighs(reply.ask):
                best = max if reply.ask.side == "attacker" else min
                found = (
                    foreseen(field, board, side, order, look, worth, (*before, option))
                    for option in reply.ask.options
                )
                return best((one for one in found if one is not None), key=worth, default=None)
            before.append(reply.answer)
    return look(ahead.fight)
