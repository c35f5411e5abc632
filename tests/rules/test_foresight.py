"""Exact odds of games from a card alone: what is merged changes nothing, and stays small."""

from itertools import product
from random import Random

import pytest

from grognard.fights.doctrine import DOCTRINES, doctrine
from grognard.fights.odds import Analysis, forget
from grognard.fights.work_budget import allow
from grognard.rules.fight import Fight
from grognard.rules.stages import effects
from grognard.rules.stages.state import CardFight
from grognard.words.refusal import Refusal
from tests.random_cards import game_of, large_fight, random_game
from tests.tiers import sized

SMALL, LARGE = sized(50), sized(20)
BUDGET = 100_000  # situations: that of `grognard odds`


def as_it_is(fight: CardFight) -> CardFight:
    """Merge nothing."""
    return fight


@pytest.mark.parametrize("seed", range(SMALL))
def test_odds_are_those_of_fights_in_which_nothing_is_merged(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three units of two steps a side, and every answer of either side tried."""
    random = Random(seed)
    rules = random_game(random)
    fight = large_fight(rules, random, 3, 2)
    ways = random.sample([*product(DOCTRINES, DOCTRINES)], 2)
    merged = [fight.odds(*way).weights for way in ways]
    monkeypatch.setattr(effects, "settled", as_it_is)
    forget()
    for (ours, theirs), found in zip(ways, merged, strict=True):
        plain = Analysis(fight, doctrine(ours), doctrine(theirs), merging=False, by_kind=False)
        assert found == plain.odds().weights


def is_refused(fight: Fight) -> bool:
    """Work out the odds within the budget; tell whether that is refused."""
    allow(BUDGET)
    try:
        odds = fight.odds()
    except Refusal:
        return True
    finally:
        allow(None)
    assert sum(odds.weights.values()) == odds.total
    return False


@pytest.mark.slow
def test_large_fights_are_exact_or_refused_and_few_are_refused() -> None:
    """Whatever a card says: ten different units of six steps a side.

    Which units take which losses is followed only as far as it matters later.
    """
    randoms = [Random(seed) for seed in range(LARGE)]
    refused = [is_refused(large_fight(random_game(random), random)) for random in randoms]
    assert sum(refused) <= LARGE // 5


KNOWN = {  # what was slow once, and the situations that it needs now at most
    "defender loses 1 step and checks morale": 6_000,
    "defender checks morale and checks morale +1": 1_500,
    "exchange": 1_500,
    "both lose half and defender checks morale": 20_000,
    "defender checks morale and loses 1 step": 1_500,
    "defender checks morale and attacker's exchange": 30_000,
}


@pytest.mark.parametrize("does", KNOWN)
def test_what_was_slow_once_has_few_situations(does: str) -> None:
    allow(KNOWN[does])
    try:
        assert large_fight(game_of(does), Random(1)).odds().total
    finally:
        allow(None)


def test_a_disrupted_unit_that_dies_counts_no_more() -> None:
    """Its owner gives up a disrupted unit rather than a step of another two."""
    rules = game_of("2 defender units are disrupted and defender loses 1 step")
    stated = [{"name": name, "defence": 4, "steps": steps} for name, steps in (("E", 2), ("D", 1))]
    fight = rules.fight({"attackers": [{"name": "A", "attack": 8}], "defenders": stated})
    ((outcome, _),) = fight.odds().outcomes()
    assert (outcome.defender_steps_lost, outcome.defender_shaken) == (1, 1)


def test_what_is_too_much_is_refused_with_the_reason() -> None:
    fight = large_fight(game_of("defender checks morale and loses 1 unit"), Random(1))
    allow(1_000)
    with pytest.raises(Refusal, match="too much can happen"):
        fight.odds()
