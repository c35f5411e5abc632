"""Resolving a fight without people: given or random dice, choices by doctrine."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import lcm
from random import Random

from grognard.fights.doctrine import doctrine
from grognard.fights.fight_analysis import Analysis
from grognard.fights.opening import opening
from grognard.fights.play import Play
from grognard.fights.tree import Chosen, Committed
from grognard.rules.ask import Answer, Roll
from grognard.rules.fight import Fight


def resolve(
    fight: Fight,
    dice: Iterable[int] = (),
    seed: int | None = None,
    attacker: str = "best",
    defender: str = "best",
) -> Play:
    """Play a fight to its end."""
    analysis = Analysis(fight, doctrine(attacker), doctrine(defender))
    return finish(Play(fight, known=opening(fight)), analysis, iter(dice), Random(seed))


def sample(
    fight: Fight, count: int, seed: int, attacker: str = "best", defender: str = "best"
) -> Iterator[Play]:
    """Play a fight many times; the same seed gives the same fights."""
    analysis = Analysis(fight, doctrine(attacker), doctrine(defender))
    known, random = opening(fight), Random(seed)
    for _ in range(count):
        yield finish(Play(fight, known=known), analysis, iter(()), random)


def finish(play: Play, analysis: Analysis, dice: Iterator[int], random: Random) -> Play:
    """Answer all remaining questions."""
    while play.asking is not None:
        if isinstance(play.asking, Roll):
            typed = tuple(islice(dice, play.asking.dice.count))
            play.answer(typed or play.asking.dice.draw(random))
        else:
            play.answer(decide(play, analysis, random))
    return play


def decide(play: Play, analysis: Analysis, random: Random) -> Answer:
    """Answer the open question as the doctrines would."""
    node = analysis.node_at(play.step, play.fight, play.since)
    if isinstance(node, Chosen):
        return node.ask.options[analysis.pick(play.step, node)]
    if isinstance(node, Committed):
        mixed = analysis.commitment(play.step, node)
        ours = node.ask.attacker[_drawn(mixed.attacker, random)]
        theirs = node.ask.defender[_drawn(mixed.defender, random)]
        return ours, theirs
    raise TypeError("only choices and commitments are decided by doctrine")


def _drawn(chances: Sequence[Fraction], random: Random) -> int:
    common = lcm(*(chance.denominator for chance in chances))
    drawn = random.randrange(common)
    for place, chance in enumerate(chances):
        drawn -= int(chance * common)
        if drawn < 0:
            return place
    raise ValueError("the chances do not add up to 1")
