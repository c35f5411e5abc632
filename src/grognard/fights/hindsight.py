"""Hindsight: how likely what has happened was, just before the dice that decided it."""

from fractions import Fraction
from typing import NamedTuple

from grognard.fights.chances import Odds
from grognard.fights.play import Play
from grognard.fights.prospects import prospects
from grognard.rules.ask import Roll


class Hindsight(NamedTuple):
    """The chances just before the roll that gave the result."""

    result: str
    chance: Fraction  # of this result
    before: Odds


def hindsight(play: Play, attacker: str = "best", defender: str = "best") -> Hindsight | None:
    """Look back from the end of a fight; None if nothing was rolled."""
    count = _deciding_roll(play)
    if count is None:
        return None
    before = Play(play.start, [given.answer for given in play.given[:count]])
    odds, result = prospects(before, attacker, defender).odds, play.outcome.result
    parts = odds.by_result()
    return Hindsight(
        result, Fraction(parts[result].total if result in parts else 0, odds.total), odds
    )


def _deciding_roll(play: Play) -> int | None:
    """Count the answers before the roll that gave the result, or before the first roll."""
    answers = [given.answer for given in play.given]
    rolls = [n for n, given in enumerate(play.given) if isinstance(given.ask, Roll)]
    deciding = (n for n in rolls if Play(play.start, answers[: n + 1]).fight.result)
    return next(deciding, rolls[0] if rolls else None)
