"""What a fight leaves of its target: the set-ups that a second attack may meet, with their odds."""

from fractions import Fraction
from typing import NamedTuple

from grognard.fights.doctrine import doctrine
from grognard.fights.fight_analysis import Analysis
from grognard.rules.fight import Fight, Outcome, Setup


class Remains(NamedTuple):
    """How a fight may end: its outcome, and the set-up of a second attack on the target."""

    chance: Fraction
    outcome: Outcome
    setup: Setup


def remains(fight: Fight, attacker: str = "best", defender: str = "best") -> tuple[Remains, ...]:
    """Give every way in which a fight may end, with its exact chance.

    Each unit has its own fate here, also where that makes no difference to the odds of this fight.
    """
    sides = doctrine(attacker), doctrine(defender)
    analysis = Analysis(fight, *sides, by_kind=False, apart=True)
    procedure, stated = fight.case.procedure, fight.case.setup
    weights: dict[tuple[Outcome, Setup], int] = {}
    for end, weight in analysis.ends().items():
        key = procedure.outcome(end), procedure.remains(stated, end)
        weights[key] = weights.get(key, 0) + weight
    total = sum(weights.values())
    return tuple(Remains(Fraction(w, total), *key) for key, w in weights.items())
