"""What becomes of each unit: the chances of its losses and of its states, from now on."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from grognard.card.rows import SIDES, Side
from grognard.fights.doctrine import Doctrine, doctrine
from grognard.fights.fight_analysis import Analysis, with_shared_memory
from grognard.fights.kind import Names
from grognard.fights.odds import CACHES
from grognard.fights.play import Play
from grognard.fights.position import Position, placed
from grognard.rules.fight import Fight, units_of


class UnitFate(NamedTuple):
    """The chances of a unit, from now to the end of the fight."""

    side: Side
    unit: str
    lost: Mapping[int, Fraction]  # steps lost in the whole fight
    became: Mapping[str, Fraction]  # states that the outcome names, such as `disrupted`
    eliminated: Fraction  # the chance that no step is left


Weights = dict[tuple[Side, str], dict[str | int, int]]  # of steps left and of states


def unit_fates(play: Play, attacker: str = "best", defender: str = "best") -> tuple[UnitFate, ...]:
    """Work out the fate of every unit that something can happen to."""
    position, names = placed(play)
    found, total = _fates(position, doctrine(attacker), doctrine(defender))
    named = Names(names)
    had = {unit.name: unit.steps for side in SIDES for unit in units_of(play.start, side)}
    return tuple(
        UnitFate(
            side,
            name,
            {had[name] - left: Fraction(w, total) for left, w in _steps(parts)},
            {word: Fraction(w, total) for word, w in parts.items() if isinstance(word, str)},
            Fraction(parts.get(0, 0), total),
        )
        for (side, unit), parts in found.items()
        for name in (named.text(unit),)
    )


def _steps(parts: Mapping[str | int, int]) -> list[tuple[int, int]]:
    """Give the weights of steps left, all of them first."""
    return sorted(((k, w) for k, w in parts.items() if isinstance(k, int)), reverse=True)


@lru_cache(maxsize=1024)
def _fates(position: Position, attacker: Doctrine, defender: Doctrine) -> tuple[Weights, int]:
    fight, step, _ = position
    if not position.of_kind:
        plain = Analysis(fight, attacker, defender, step=step, by_kind=False, apart=True)
        return _counted(_ends(plain, position))
    ends = with_shared_memory(
        lambda analysis: _ends(analysis, position), fight, step, attacker, defender, apart=True
    )
    return _counted(ends)


CACHES.append(_fates)


def _ends(analysis: Analysis, position: Position) -> dict[Fight, int]:
    fight, step, since = position
    if step == len(analysis.steps):
        return {fight: 1}
    return analysis.ends_after(step, [(1, analysis.node_at(step, fight, since))])


def _counted(ends: Mapping[Fight, int]) -> tuple[Weights, int]:
    weights: Weights = {}
    for fight, weight in ends.items():
        details = fight.case.procedure.outcome(fight).details
        for side in SIDES:
            for unit in units_of(fight, side):
                parts = weights.setdefault((side, unit.name), {})
                parts[unit.steps] = parts.get(unit.steps, 0) + weight
                for word in _told_of(unit.name, details):
                    parts[word] = parts.get(word, 0) + weight
    return weights, sum(ends.values())


def _told_of(unit: str, details: tuple[str, ...]) -> Iterator[str]:
    for detail in details:
        name, _, word = detail.rpartition(" ")
        if name == unit:
            yield word
