"""Looking back at the roll that gave the result: how likely it was, and what was explained then."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from grognard.fights.chances import Odds
from grognard.fights.explain import SHOWN, Explanation
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.fights.prospects import prospects
from grognard.rules.ask import Choose, Commit, Roll, first_answer


class Hindsight(NamedTuple):
    """The chances just before the roll that gave the result."""

    result: str
    chance: Fraction  # of this result
    before: Odds


def hindsight(play: Play, attacker: str = "best", defender: str = "best") -> Hindsight | None:
    """Look back from the end of a fight; None if nothing was rolled."""
    before = before_result(play)
    if before is play:
        return None
    odds, result = prospects(before, attacker, defender).odds, play.outcome.result
    parts = odds.by_result()
    chance = Fraction(parts[result].total if result in parts else 0, odds.total)
    return Hindsight(result, chance, odds)


def before_result(play: Play) -> Play:
    """Go back to the roll that gave the result, or to the first roll of a fight that is over.

    Where neither has been made yet, this is the play itself.
    """
    answers = [given.answer for given in play.given]
    rolls = [n for n, given in enumerate(play.given) if isinstance(given.ask, Roll)]
    deciding = (n for n in rolls if Play(play.start, answers[: n + 1]).fight.result)
    first = rolls[0] if rolls and play.asking is None else None
    count = next(deciding, first)
    return play if count is None else Play(play.start, answers[:count])


def explain_play(play: Play) -> Explanation:
    """Explain the column and the die of a fight with the answers given so far.

    Before the dice open decisions count as not taken; afterwards the explanation stays.
    """
    before = before_result(play)
    if before is not play and isinstance(before.asking, Roll):
        known = len(before.log)
        deciding = play.log[known].step
        lines = [*before.told, *_rest_of_step(play.log[known + 1 :], deciding)]
        return Explanation(tuple(told.line for told in lines if told.line.kind in SHOWN))
    now = Play(play.start, [given.answer for given in play.given])
    while isinstance(now.asking, Choose | Commit):
        now.answer(first_answer(now.asking))
    return Explanation(tuple(told.line for told in now.told if told.line.kind in SHOWN))


def _rest_of_step(log: Sequence[Told | Given], step: str) -> Iterator[Told]:
    """Give what the deciding roll has told, up to the next question."""
    for entry in log:
        if isinstance(entry, Given) or entry.step != step:
            return
        yield entry
