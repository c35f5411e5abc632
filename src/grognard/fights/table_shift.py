"""Odds of a fight shifted along its table."""

from typing import NamedTuple

from grognard.fights.chances import Odds
from grognard.fights.odds import odds_when_trimmed
from grognard.fights.opening import opening
from grognard.fights.runner import Runner
from grognard.rules.ask import Roll, first_answer
from grognard.rules.fight import Fight


class Shifted(NamedTuple):
    """A shift along the table, and the odds there."""

    columns: int
    die: int
    odds: Odds


def trimmed(fight: Fight) -> Fight | None:
    """Run a fight until it is trimmed, nothing committed on the way.

    None if a roll comes first, or if the procedure does not trim.
    """
    begun, procedure = opening(fight), fight.case.procedure
    if procedure.trim is None:
        return None
    runner, answer = Runner(begun.fight, begun.step), None
    while runner.step < procedure.trimmed:
        runner.run(answer)
        if isinstance(runner.asking, Roll):
            return None
        answer = first_answer(runner.asking) if runner.asking else None
    return runner.fight


def unshifted(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds | None:
    """Give the odds with which those of a shifted fight compare: nothing is committed in either."""
    here = trimmed(fight)
    return None if here is None else odds_when_trimmed(here, attacker, defender)


def shifted(
    fight: Fight, columns: int, die: int, attacker: str = "best", defender: str = "best"
) -> Shifted | None:
    """Give the odds of a shifted fight, nothing committed; None if the table ends here."""
    here = trimmed(fight)
    trim = fight.case.procedure.trim
    if here is None or trim is None:
        return None
    there = trim.moved(here, columns, die)
    if there == here:
        return None
    return Shifted(columns, die, odds_when_trimmed(there, attacker, defender))
