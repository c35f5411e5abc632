"""What a column, or one more on the die, is worth in a given fight."""

from typing import NamedTuple

from grognard.fights.chances import Odds
from grognard.fights.odds import odds_when_reckoned
from grognard.fights.opening import opening
from grognard.rules.ask import Answer, Asking, Choose, Commit
from grognard.rules.fight import Fight
from grognard.rules.line import Line


class Shifted(NamedTuple):
    """The same fight elsewhere on its table, and its odds there."""

    columns: int
    die: int
    odds: Odds


def reckoned(fight: Fight) -> Fight | None:
    """Run a fight to where its kind is known, nothing committed on the way; None where dice come
    first, or the procedure has no such place."""
    begun = opening(fight)
    now, step = begun.fight, begun.step
    procedure = fight.case.procedure
    if procedure.plain is None:
        return None
    while step < procedure.reckoned:
        after = _without_commitment(procedure.steps[step](now))
        if after is None:
            return None
        now, step = after, step + (not after.pending)
    return now


def _without_commitment(running: Asking[Fight]) -> Fight | None:
    """Run a step as an explanation does: with the first option of every choice."""
    answer: Answer | None = None
    try:
        while True:
            said = running.send(answer)
            match said:
                case Line():
                    answer = None
                case Choose():
                    answer = said.options[0]
                case Commit():
                    answer = (said.attacker[0], said.defender[0])
                case _:
                    return None
    except StopIteration as end:
        fight: Fight = end.value
        return fight


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
