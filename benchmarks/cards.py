"""Exact odds of games from a card alone: ten different units of six steps a side."""

import time

from benchmarks.timing import duration, table
from grognard.fights.odds import forget
from grognard.rules import game
from grognard.rules.fight import Fight

RESULTS = (
    "both lose half",
    "exchange",
    "defender loses 1 step and checks morale",
    "defender checks morale and loses 1 step",
    "attacker loses half and exchange, modified strength, twice",
    "2 defender units are shaken, attacker picks and defender loses 20 steps",
)
REPEATS = 3


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
    return table(head, [(f"`{does}`", duration(_best(does)), "1 s") for does in RESULTS])


def _best(does: str) -> float:
    times = []
    for _ in range(REPEATS):
        forget()
        fight = _fight(does)
        begun = time.process_time()
        fight.odds()
        times.append(time.process_time() - begun)
    return min(times)
