"""What a column, or one more on the die, is worth in a given fight."""

from typing import NamedTuple

from grognard.fights.chances import Odds
from grognard.fights.odds import odds_when_reckoned
from grognard.fights.opening import opening
from grognard.fights.runner import Runner
from grognard.rules.ask import Roll, first_answer
from grognard.rules.fight import Fight


class Shifted(NamedTuple):
    """The same fight elsewhere on its table, and its odds there."""

    columns: int
    die: int
    odds: Odds


def reckoned(fight: Fight) -> Fight | None:
    """Run a fight to where its kind is known, nothing committed on the way; None where dice come
    first, or the procedure has no such place."""
    begun, procedure = opening(fight), fight.case.procedure
    if procedure.plain is None:
        return None
    runner, answer = Runner(begun.fight, begun.step), None
    while runner.step < procedure.reckoned:
        runner.run(answer)
        if isinstance(runner.asking, Roll):
            return None
        answer = first_answer(runner.asking) if runner.asking else None
    return runner.fight


def shifted(
    fight: Fight, columns: int, die: int, attacker: str = "best", defender: str = "best"
) -> Shifted | None:
    """Give the odds of a fight elsewhere on its table; None where that is the same place."""
    here = reckoned(fight)
    plain = fight.case.procedure.plain
    if here is None or plain is None:
        return None
    there = plain.moved(here, columns, die)
    if there == here:
        return None
    return Shifted(columns, die, odds_when_reckoned(there, attacker, defender))
