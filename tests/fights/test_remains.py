"""What a fight leaves of its target agrees with its odds, in every game."""

from itertools import islice
from random import Random

import pytest

from grognard.fights.remains import Remains, remains
from grognard.rules import game
from grognard.rules.fight import Fight, Unit, steps
from grognard.testing.random_setups import random_fights
from grognard.words.refusal import Refusal
from tests.example_games import finds_examples, procedures
from tests.tiers import sized

SIDED = [
    pair
    for pair in procedures()
    if pair not in {("normandy", id_) for id_ in ("strafing", "attrition", "reinforcements")}
]

pytestmark = finds_examples


def units(setup: object) -> tuple[Unit, ...]:
    found: tuple[Unit, ...] = setup.defenders  # type: ignore[attr-defined]  # a fight of two sides
    return found


@pytest.mark.parametrize(("id_", "procedure"), SIDED)
def test_what_is_left_agrees_with_the_odds(id_: str, procedure: str) -> None:
    drawn = random_fights(game.load(id_), procedure, Random(id_ + procedure))
    for fight in islice(drawn, sized(6, quick=1, soak=100)):
        try:
            odds = fight.odds()
        except Refusal:  # a damaged cell, which an option refuses
            continue
        ends = remains(fight)
        assert sum(end.chance for end in ends) == 1
        for flag in ("vacated", "taken", "defender_eliminated"):
            there = sum(end.chance for end in ends if getattr(end.outcome, flag))
            assert there == odds.chance(flag)
        check_losses(fight, ends)


def check_losses(fight: Fight, ends: tuple[Remains, ...]) -> None:
    """Where all defenders are still there, the steps are missing that the outcome counts."""
    had = sum(unit.steps or getattr(unit, "pe", 0) for unit in fight.defenders)
    for end in ends:
        left = units(end.setup)
        assert all(unit.steps > 0 for unit in left)
        if len(left) == len(fight.defenders):
            assert had - steps(left) == end.outcome.defender_steps_lost
