"""Exact odds of new kinds of fights: every attack that automatic matches look at.

Twenty matches are played, and the attacks whose odds an automatic player asks for are noted. Then
the odds of those of a new kind are timed, in processor time and in two ways: in the order of the
match, with empty caches at its beginning, and each with empty caches. `forget` empties all that is
learnt from fights; what is read once from a card stays. `benchmarks/side_by_side.py` compares two
versions.
"""

from collections.abc import Callable, Iterable, Iterator
from statistics import median
from time import process_time_ns
from typing import NamedTuple
from unittest.mock import patch

from benchmarks.timing import duration, table
from grognard.fights.chances import Odds
from grognard.fights.odds import forget
from grognard.fights.opening import Started, opening
from grognard.maps import scenario
from grognard.matches.match import Match, new_field
from grognard.players.bot import Bot, play_on
from grognard.rules.fight import Case, Fight

MATCHES = {"weissenberg": 5, "carrefour": 5, "steppe": 5, "pulkovo": 3, "bautzen-1945": 2}
ALL = "all twenty matches"
REPEATS = 3


class Asked(NamedTuple):
    """An attack whose odds were asked for, and whether it was the first of its kind in a match."""

    fight: Fight
    new: bool


def report() -> str:
    in_order, alone = dict[str, list[float]](), dict[str, list[float]]()
    for name, seeds in MATCHES.items():
        for seed in range(seeds):
            asked = [*marked(asked_in(name, seed))]
            for times, way in ((in_order, _in_order), (alone, _alone)):
                found = _best(lambda: way(asked))  # noqa: B023  # called at once
                times.setdefault(name, []).extend(found)
                times.setdefault(ALL, []).extend(found)
    rows = [_row(name, in_order[name], alone[name]) for name in (*MATCHES, ALL)]
    head = [
        "odds of a new kind of fight, median",
        "kinds",
        "in the order of a match",
        "with empty caches",
    ]
    return table(head, rows)


def _row(name: str, in_order: list[float], alone: list[float]) -> list[str]:
    return [name, f"{len(in_order):,}", duration(median(in_order)), duration(median(alone))]


def asked_in(name: str, seed: int) -> list[Fight]:
    """Play a match, and note the fights whose odds the automatic player asks for."""
    asked, odds = list[Fight](), Fight.odds

    def noting(fight: Fight, attacker: str = "best", defender: str = "best") -> Odds:
        asked.append(fight)
        return odds(fight, attacker, defender)

    battle = scenario.load(name)
    forget()
    with patch.object(Fight, "odds", noting):
        match, bot = Match(new_field(battle)), Bot(seed)
        for _ in play_on(match, dict.fromkeys((side.id for side in battle.sides), bot)):
            pass
    return asked


def marked(fights: Iterable[Fight]) -> Iterator[Asked]:
    """Mark the first fight of each kind; where a question comes before it, of each set-up."""
    forget()
    seen = set[Fight | Started]()
    for fight in fights:
        kind = opening(fight).kind
        key = kind.fight if kind else Started(fight)
        yield Asked(fight, key not in seen)
        seen.add(key)


def _in_order(asked: list[Asked]) -> list[float]:
    """Time new kinds in the order of the match; the others are asked for between them."""
    forget()
    times = [(_seconds(fight), new) for fight, new in asked]
    return [seconds for seconds, new in times if new]


def _alone(asked: list[Asked]) -> list[float]:
    """Time new kinds, each with empty caches."""
    times = list[float]()
    for fight, new in asked:
        if new:
            forget()
            times.append(_seconds(fight))
    return times


def _seconds(fight: Fight) -> float:
    case = fight.case  # another one, with nothing that was found for it before
    fresh = case.procedure.start(Case(case.card, case.options, case.setup, case.procedure))
    start = process_time_ns()
    fresh.odds()
    return (process_time_ns() - start) / 1e9


def _best(measure: Callable[[], list[float]]) -> list[float]:
    """Measure several times; of each fight keep the time that was least disturbed."""
    return [min(times) for times in zip(*(measure() for _ in range(REPEATS)), strict=True)]
