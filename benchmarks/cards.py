"""Exact odds of games from a card alone: ten different units of six steps a side."""

import time
from random import Random
from typing import NamedTuple

from tests.random_cards import large_fight, random_game

from benchmarks.timing import duration, table
from grognard.fights.odds import forget
from grognard.fights.work_budget import SITUATIONS, allow, allowed
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.words.refusal import Refusal

RESULTS = (
    "both lose half",
    "exchange",
    "defender loses 1 step and checks morale",
    "defender checks morale and loses 1 step",
    "attacker loses half and exchange, modified strength, twice",
    "2 defender units are shaken, attacker picks and defender loses 20 steps",
)
REPEATS = 3
CARDS = 300  # random ones
SHARES = (0.5, 0.9, 0.99)  # of the exact ones


def _fight(does: str) -> Fight:
    """Make the fight on a table that has nothing but this result."""
    card = (
        '[[procedures]]\n[[tables]]\ngrid = [["die", "1:1", "2:1"], ["1-6", "R", "R"]]\n'
        f'[tables.results]\nR = "{does}"\n[[states]]\nid = "shaken"\n'
        '[[unit_fields]]\nid = "morale"\ndefault = 7\n'
        '[[checks]]\nid = "morale"\nagainst = "morale"\nfails = "is shaken"\n'
    )
    ours, theirs = (
        [
            {"name": f"{field} {n}", field: least + n, "steps": 6, "morale": 4 + n % 7}
            for n in range(10)
        ]
        for field, least in (("attack", 4), ("defence", 2))
    )
    rules = game.made(game.read_card(card, "bench.toml"))
    return rules.fight({"attackers": ours, "defenders": theirs})


def report() -> str:
    """Time the odds of each result with empty caches, in processor time."""
    head = ("odds of ten units of six steps a side", f"processor time, best of {REPEATS}", "limit")
    known = table(head, [(f"`{does}`", duration(_best(does)), "1 s") for does in RESULTS])
    return f"{known}\n\n{_random_report()}"


class Tried(NamedTuple):
    """What the odds of a random card took."""

    exact: bool
    work: int
    time: float


def _random_report() -> str:
    """Count how many random cards are exact within the budget, and how much work they are."""
    tried = [_tried(Random(seed)) for seed in range(CARDS)]
    work = sorted(one.work for one in tried if one.exact)
    slowest = {way: max(one.time for one in tried if one.exact is way) for way in (True, False)}
    named = ("random cards", "exact", "slowest", "refused", "slowest of them")
    head = (*named, *(f"work of {share:.0%} of the exact ones, at most" for share in SHARES))
    counts = [f"{work[int(share * len(work))]:,}" for share in SHARES]
    row = (str(CARDS), str(len(work)), duration(slowest[True]), str(CARDS - len(work)))
    return table(head, [(*row, duration(slowest[False]), *counts)])


def _tried(random: Random) -> Tried:
    """Work out the odds of ten units of six steps a side on a random card."""
    fight = large_fight(random_game(random), random)
    forget()
    allow(SITUATIONS)
    begun, exact = time.process_time(), True
    try:
        fight.odds()
    except Refusal:
        exact = False
    spent, budget = time.process_time() - begun, allowed()
    allow(None)
    return Tried(exact, SITUATIONS - (budget.left if budget else 0), spent)


def _best(does: str) -> float:
    times = []
    for _ in range(REPEATS):
        forget()
        fight = _fight(does)
        begun = time.process_time()
        fight.odds()
        times.append(time.process_time() - begun)
    return min(times)
