"""Explain, odds, resolve and replay agree on random fights of every game."""

from collections import Counter
from collections.abc import Callable
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard import Refusal, load
from grognard.fights.automatic import sample
from grognard.fights.doctrine import DOCTRINES, doctrine
from grognard.fights.fight_analysis import Analysis
from grognard.fights.fight_file import read_fight
from grognard.fights.record import record, replay
from grognard.files.source import read_source
from grognard.rules.fight import Fight, Setup
from grognard.testing.array_conformance import check_arrays
from grognard.testing.conformance import check_game
from tests import golden
from tests.random_setups import SETUPS, each_procedure, fewer

doctrines = st.sampled_from(sorted(DOCTRINES))


def fights(game: str, procedure: str) -> st.SearchStrategy[Fight]:
    """Draw fights under the default options; what the rules refuse is drawn again."""
    drawn = SETUPS[game, procedure].map(lambda setup: _fight(game, procedure, setup))
    return drawn.filter(lambda fight: fight is not None).map(_sure)


def _fight(game: str, procedure: str, setup: Setup) -> Fight | None:
    try:
        return load(game).fight(setup, procedure=procedure)
    except Refusal:
        return None


def _sure(fight: Fight | None) -> Fight:
    assert fight is not None
    return fight


def on_random_fights(
    game: str, procedure: str, check: Callable[[Fight, str, str, int], None], count: int
) -> None:
    run = given(fights(game, procedure), doctrines, doctrines, st.integers(0, 10**6))(check)
    fewer(count, game)(run)()


@each_procedure
def test_a_fight_ends_as_the_odds_say_and_as_its_record_says(game: str, procedure: str) -> None:
    def check(fight: Fight, attacker: str, defender: str, seed: int) -> None:
        odds = fight.odds(attacker, defender)
        assert sum(odds.weights.values()) == odds.total
        play = fight.resolve(seed=seed, attacker=attacker, defender=defender)
        assert play.outcome in odds.weights
        again = replay(record(play))
        assert again.outcome == play.outcome
        assert again.events == play.events

    on_random_fights(game, procedure, check, 40)


@each_procedure
def test_what_is_explained_is_what_is_played(game: str, procedure: str) -> None:
    """The lines before the dice are the same in the preview and in the fight."""

    def check(fight: Fight, attacker: str, defender: str, seed: int) -> None:
        if fight.play().asking is None:
            return
        explained = [line for line in fight.explain().lines if line.kind != "spent"]
        play = fight.resolve(seed=seed, attacker=attacker, defender=defender)
        told = [told.line for told in play.told]
        if not fight.odds(attacker, defender).commitments:
            assert [line for line in told if line in explained][: len(explained)] == explained

    on_random_fights(game, procedure, check, 30)


@each_procedure
def test_every_random_fight_conforms(game: str, procedure: str) -> None:
    def check(fight: Fight, _attacker: str, _defender: str, seed: int) -> None:
        check_game(load(game), [fight], seed)

    on_random_fights(game, procedure, check, 20)


@each_procedure
def test_what_is_said_to_be_alike_is_alike(game: str, procedure: str) -> None:
    """Odds look at one of several options or sums that rules call alike; looking at all of them
    gives the same."""

    def check(fight: Fight, attacker: str, defender: str, _seed: int) -> None:
        sides = doctrine(attacker), doctrine(defender)
        merged = Analysis(fight, *sides).odds()
        every = Analysis(fight, *sides, merging=False).odds()
        assert merged.weights == every.weights

    on_random_fights(game, procedure, check, 30)


@pytest.mark.parametrize("example", golden.EXAMPLES, ids=lambda path: str(path.stem))
def test_sampled_frequencies_are_within_bounds_of_the_exact_chances(example: object) -> None:
    fight = read_fight(read_source(str(example)))
    odds, count = fight.odds(), 600
    seen = Counter(play.outcome for play in sample(fight, count, seed=11))
    assert seen.keys() <= odds.weights.keys()
    for outcome, chance in odds.outcomes():
        p = float(chance)
        assert abs(seen[outcome] / count - p) <= 5 * sqrt(p * (1 - p) / count) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("example", golden.EXAMPLES, ids=lambda path: str(path.stem))
def test_every_example_conforms(example: object) -> None:
    fight = read_fight(read_source(str(example)))
    check_game(load(fight.case.card.id), [fight])
    check_arrays([fight])
