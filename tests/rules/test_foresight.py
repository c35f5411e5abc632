"""Exact odds of games from a card alone: what is merged changes nothing, and stays small."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from grognard.fights.doctrine import DOCTRINES, doctrine
from grognard.fights.fight_analysis import Analysis
from grognard.fights.odds import forget
from grognard.fights.unit_fates import unit_fates
from grognard.fights.work_budget import SITUATIONS, allow
from grognard.rules.fight import Fight
from grognard.rules.stages import losses
from grognard.words.refusal import Refusal
from tests.random_cards import game_of, large_fight, random_game
from tests.tiers import sized

SMALL, LARGE = sized(50), sized(20)


@pytest.mark.parametrize("seed", range(SMALL))
def test_odds_are_those_of_fights_in_which_nothing_is_merged(seed: int) -> None:
    """Three units of two steps a side, and every answer of either side tried."""
    compare_with_plain(seed)


@pytest.mark.parametrize("seed", range(SMALL))
def test_odds_are_the_same_where_each_unit_takes_all_the_losses_that_it_can(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in large fights: the order in which units are picked makes no difference."""
    monkeypatch.setattr(losses, "MOST_WAYS", 0)
    compare_with_plain(SMALL + seed)


def compare_with_plain(seed: int) -> None:
    """Compare the odds of a fight on a random card with those in which nothing is merged."""
    forget()
    random = Random(seed)
    rules = random_game(random)
    fight = large_fight(rules, random, 3, 2)
    ways = random.sample([*product(DOCTRINES, DOCTRINES)], 2)
    merged = [fight.odds(*way).weights for way in ways]
    for (ours, theirs), found in zip(ways, merged, strict=True):
        plain = Analysis(fight, doctrine(ours), doctrine(theirs), merging=False, by_kind=False)
        assert found == plain.odds().weights


def is_refused(fight: Fight) -> bool:
    """Work out the odds within the budget; tell whether that is refused."""
    allow(SITUATIONS)
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
    assert sum(refused) <= LARGE // 10


KNOWN = {  # what was slow once, and the work that it needs now at most
    "defender loses 1 step and checks morale": 7_500,
    "defender checks morale and checks morale +1": 8_500,
    "exchange": 350,
    "both lose half and defender checks morale": 35_000,
    "defender checks morale and loses 1 step": 3_500,
    "defender checks morale and attacker's exchange": 74_000,
    "defender checks morale and loses 1 unit": 4_000,
    "defender checks morale and 2 defender units are disrupted, attacker picks": 3_600,
    "attacker loses half and exchange, modified strength, twice": 56_000,
    "defender checks morale and defender is eliminated": 650,
    "exchange and exchange, printed strength": 39_000,
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


@pytest.mark.parametrize("what", ["half, rounded down", "half units, rounded down"])
def test_half_of_one_rounded_down_is_nothing(what: str) -> None:
    fight = large_fight(game_of(f"defender loses {what}"), Random(1), 1, 1)
    assert fight.odds().expected("defender_steps_lost") == 0


@pytest.mark.slow
def test_what_is_too_much_is_refused_at_once_with_the_reason() -> None:
    """At once: within 8,400 runs of its steps."""
    fight = large_fight(game_of("defender checks morale and loses 1 unit and exchange"), Random(1))
    assert 8_400 * fight.case.procedure.weight >= SITUATIONS
    allow(SITUATIONS)
    with pytest.raises(Refusal, match="too much can happen"):
        fight.odds()


def test_fates_are_those_of_each_unit_where_the_odds_tell_none_apart() -> None:
    """Two units check with different ratings: each has its own chance to be gone."""
    rules = game_of("defender checks morale", fails="is eliminated")
    stated = [{"name": n, "defence": 4, "morale": morale} for n, morale in (("E", 11), ("D", 3))]
    fight = rules.fight({"attackers": [{"name": "A", "attack": 8}], "defenders": stated})
    lost = {fate.unit: fate.lost.get(1) for fate in unit_fates(fight.play())}
    assert lost == {"A": None, "E": Fraction(1, 36), "D": Fraction(33, 36)}
