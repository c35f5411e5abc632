"""Exact odds of two fights, by Grognard, icepool and dyce.

The three must agree exactly before anything is timed. Grognard calculates a thousand fights of one
kind: other units, with other factors that lead to the same column.
"""

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import dyce
import icepool
from dyce.evaluation import HResult, expand

from benchmarks.timing import best_each, best_of, duration, table
from grognard import load
from grognard.fights.chances import Odds
from grognard.fights.odds import forget
from grognard.rules.fight import Fight, Outcome

Key = tuple[object, ...]
Chances = dict[Key, Fraction]
COUNT = 1000  # fights of a kind


class Contest(NamedTuple):
    """A kind of fight, its odds by the two peers, and the part of an outcome that is compared."""

    name: str
    fight: Callable[[int], Fight]  # makes the fight with a number
    doctrines: tuple[str, str]
    key: Callable[[Outcome], Key]
    icepool: Callable[[], Chances]
    dyce: Callable[[], Chances]


# ------------------------------------------------------------------ Normandy, determined defence

COLUMN_3_1 = ("A1/DR", "EX", "DR", "DR", "A1/D1", "D1")  # die 1 to 6
# Losses of attacker and defender, and whether the defender is told to retreat.
RESULTS = {
    "A1/DR": (1, 0, True),
    "EX": (1, 1, False),
    "DR": (0, 0, True),
    "A1/D1": (1, 1, True),
    "D1": (0, 1, True),
}


def normandy(number: int) -> Fight:
    """Make an attack of 18 to 23 factors against 3 and the 3 of bocage, always 3-1."""
    factors = (9 + number % 3, 9 + number // 3 % 4)
    attackers = [
        {"name": name, "factor": factor, "steps": 2, "main_force": True, "nationality": "us"}
        for name, factor in zip((f"116/{number}", f"115/{number}"), factors, strict=True)
    ]
    return load("normandy").fight(
        attackers=attackers,
        defenders=[{"name": f"{number}/352", "factor": 3, "steps": 2}],
        terrain=["bocage"],
        attacker_camp="allied",
    )


def _stood(result: str, die: int) -> Key:
    """Read determined defence in bocage, by a Lead Unit of quality 0."""
    attacker, defender, _ = RESULTS[result]
    if die <= 4 or defender:  # with one step left the defender can't hold, so he retreats
        return (result, attacker, defender, True)
    return (result, attacker + (die == 6), 1, False)


def normandy_icepool() -> Chances:
    def after(die: int) -> "icepool.Die[Key] | Key":
        result = COLUMN_3_1[die - 1]
        attacker, defender, retreats = RESULTS[result]
        if not retreats:
            return (result, attacker, defender, False)
        return icepool.d(6).map(lambda stand: _stood(result, stand), star=False)

    return _of_icepool(icepool.d(6).map(after, star=False))


def normandy_dyce() -> Chances:
    def after(rolled: HResult[int]) -> "dyce.H[Key] | Key":
        result = COLUMN_3_1[rolled.outcome - 1]
        attacker, defender, retreats = RESULTS[result]
        if not retreats:
            return (result, attacker, defender, False)
        return expand(lambda stand: _stood(result, stand.outcome), dyce.H(6))

    return _of_dyce(expand(after, dyce.H(6), min_path_probability=Fraction(0)))


# ------------------------------------------------------------------ direct fire on three units

COLUMN_16 = ("2X", "X", "M2", "M1", "M", "-", "M", "M", "M1", "M2", "X")  # 2 to 12
MORALE = 7


def direct_fire(number: int) -> Fight:
    """Make a fire of 11 to 15 factors, always the same column, and one more for the stack."""
    names = [f"{letter}{number}" for letter in "ABC"]
    return load("panzer-grenadier").fight(
        attackers=[{"name": f"F{number}", "fire": 11 + number % 5}],
        defenders=[{"name": name, "morale": MORALE, "steps": 2} for name in names],
        range=2,
    )


def _state(total: int, added: int) -> int:
    """Read a morale check: 0 passed, 1 disrupted, 2 demoralised."""
    over = total + added - MORALE
    return 0 if over <= 0 else 1 if over <= 2 else 2


class Called(NamedTuple):
    """The effect of a result: steps lost, units that check, and the modifier of their checks."""

    steps: int
    checks: int
    added: int


CALLED = {
    "-": Called(0, 0, 0),
    "M": Called(0, 3, 0),
    "M1": Called(0, 3, 1),
    "M2": Called(0, 3, 2),
    "X": Called(1, 3, 2),
    "2X": Called(2, 2, 2),  # the owner takes both steps from one unit, so two are left to check
}


def direct_fire_icepool() -> Chances:
    pair = 2 @ icepool.d(6)

    def after(total: int) -> "icepool.Die[Key] | Key":
        result = COLUMN_16[total - 2]
        steps, checks, added = CALLED[result]
        if not checks:
            return (result, 0, 0, 0)
        check = pair.map(lambda dice: _state(dice, added))
        states = icepool.tupleize(*[check] * checks)
        return states.map(lambda s: (result, steps, s.count(1), s.count(2)), star=False)

    return _of_icepool(pair.map(after, star=False))


def direct_fire_dyce() -> Chances:
    pair = 2 @ dyce.H(6)

    def after(rolled: HResult[int]) -> "dyce.H[Key] | Key":
        result = COLUMN_16[rolled.outcome - 2]
        steps, checks, added = CALLED[result]
        check = pair.apply(lambda dice: _state(dice, added))

        def states(*checked: HResult[int]) -> Key:
            found = [one.outcome for one in checked]
            return (result, steps, found.count(1), found.count(2))

        return expand(states, *[check] * checks) if checks else (result, 0, 0, 0)

    return _of_dyce(expand(after, pair, min_path_probability=Fraction(0)))


def _states(outcome: Outcome) -> Key:
    words = [detail.split()[-1] for detail in outcome.details]
    return (
        outcome.result,
        outcome.defender_steps_lost,
        words.count("disrupted"),
        words.count("demoralised"),
    )


# ------------------------------------------------------------------ running


def _of_icepool(die: "icepool.Die[Key]") -> Chances:
    return {key: Fraction(weight, die.denominator()) for key, weight in die.items()}


def _of_dyce(histogram: "dyce.H[Key]") -> Chances:
    return {key: Fraction(count, histogram.total) for key, count in histogram.items()}


def _of_grognard(odds: Odds, key: Callable[[Outcome], Key]) -> Chances:
    chances: Chances = {}
    for outcome, chance in odds.outcomes():
        chances[key(outcome)] = chances.get(key(outcome), Fraction(0)) + chance
    return chances


CONTESTS = (
    Contest(
        "Normandy attack with determined defence",
        normandy,
        ("take", "hold"),
        lambda o: (o.result, o.attacker_steps_lost, o.defender_steps_lost, o.vacated),
        normandy_icepool,
        normandy_dyce,
    ),
    Contest(
        "direct fire on three units with their checks",
        direct_fire,
        ("best", "best"),
        _states,
        direct_fire_icepool,
        direct_fire_dyce,
    ),
)


def report() -> str:
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce warns that `expand` is experimental
        for contest in CONTESTS:
            rows.append(_row(contest))
    head = [
        "exact odds",
        "icepool",
        "dyce",
        "first time, explained",
        "another of the kind",
        "… all outcomes read",
        "… set-up, explanation and odds",
        "faster peer ÷ another",
    ]
    return table(head, rows)


def _row(contest: Contest) -> list[str]:
    for number in (0, COUNT):
        _agree(contest, _of_grognard(contest.fight(number).odds(*contest.doctrines), contest.key))
    peers = [best_of(peer, 150) for peer in (contest.icepool, contest.dyce)]
    first = best_of(lambda: _first(contest), 100)
    again = best_each(lambda fight: fight.odds(*contest.doctrines), _explained(contest))
    read = best_each(lambda fight: fight.odds(*contest.doctrines).weights, _explained(contest))
    whole = best_each(lambda number: _whole(contest, number), range(COUNT, 2 * COUNT))
    times = [*peers, first, again, read, whole]
    return [contest.name, *map(duration, times), f"{min(peers) / again:.0f}"]


def _agree(contest: Contest, ours: Chances) -> None:
    for name, peer in (("icepool", contest.icepool), ("dyce", contest.dyce)):
        theirs = peer()
        if ours != theirs:
            raise SystemExit(f"{contest.name}: {name} and Grognard differ: {theirs} and {ours}")


def _first(contest: Contest) -> None:
    """Calculate a fight with an empty cache."""
    forget()
    _whole(contest, 0)


def _whole(contest: Contest, number: int) -> None:
    """Make a fight, explain it and calculate its odds."""
    fight = contest.fight(number)
    fight.explain()
    fight.odds(*contest.doctrines)


def _explained(contest: Contest) -> list[Fight]:
    """Make and explain fights of a kind whose odds are in the cache."""
    _first(contest)
    fights = [contest.fight(number) for number in range(1, COUNT)]
    for fight in fights:
        fight.explain()
    return fights
