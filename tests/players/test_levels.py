"""The levels of automatic players: legal to the end, the same for the same seed, hidden stacks."""

import pytest

from grognard.maps import scenario
from grognard.matches.match import Match, begin
from grognard.players.bot import play_on
from grognard.players.levels import LEVELS, Level, level, players_for
from grognard.testing.random_matches import check_match
from grognard.words.refusal import Refusal
from tests.tiers import sized

BATTLES = [name for name in sorted(scenario.ids()) if name != "bautzen-1945"]
ANSWERS = sized(40, soak=3000)  # of a match; no match has 3,000


def played(name: str, of: Level, answers: int) -> Match:
    match = begin(name)
    sides = [side.id for side in match.field.scenario.sides]
    bots = players_for(dict.fromkeys(sides, of), 7, 0.3)
    for count, _ in enumerate(play_on(match, bots)):
        if count >= answers:
            return match
    return match


@pytest.mark.slow
@pytest.mark.parametrize("name", BATTLES)
def test_colonels_give_legal_orders(name: str) -> None:
    match = played(name, "colonel", ANSWERS)
    assert match.asking is None or len(match.answers) > ANSWERS
    check_match(match)


@pytest.mark.slow
@pytest.mark.parametrize("of", LEVELS)
def test_the_same_seed_gives_the_same_answers(of: Level) -> None:
    assert played("pulkovo", of, 14).answers == played("pulkovo", of, 14).answers


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(Refusal, match="colonel"):
        level("colonnel")
