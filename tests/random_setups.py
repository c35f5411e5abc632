"""Random set-ups of every procedure that tests find, for Hypothesis."""

from collections.abc import Callable
from random import Random
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from grognard import load
from grognard.rules.fight import Setup
from grognard.testing import random_fights
from tests.example_games import GAMES, finds_examples, procedures
from tests.games import (
    test_bautzen_oracle,
    test_normandy_oracle,
    test_panzer_grenadier_oracle,
    test_white_october_oracle,
)
from tests.tiers import examples

T = TypeVar("T", bound=Callable[..., object])

# The oracles of games draw what their rules are about.
_OWN: dict[tuple[str, str], st.SearchStrategy[Setup]] = {
    ("bautzen", "attack"): test_bautzen_oracle.attacks(at_hand=1),
    ("normandy", "attack"): test_normandy_oracle.attacks()
    | test_normandy_oracle.routs()
    | test_normandy_oracle.crossings(),
    ("panzer-grenadier", "direct-fire"): test_panzer_grenadier_oracle.direct_fires(),
    ("panzer-grenadier", "anti-tank"): test_panzer_grenadier_oracle.anti_tank_fires(),
    ("white-october", "attack"): test_white_october_oracle.attacks(in_steps=False),
}


def _any(game: str, procedure: str) -> st.SearchStrategy[Setup]:
    """Draw any set-up that the rules allow."""

    def drawn(seed: int) -> Setup:
        setup: Setup = next(random_fights(load(game), procedure, Random(seed))).case.setup
        return setup

    return st.integers(0, 10**6).map(drawn)


def _has_two_sides(game: str, procedure: str) -> bool:
    setup = load(game).procedure(procedure).setup
    return {"attackers", "defenders"} <= {*setup.__struct_fields__}


SETUPS = {
    found: _OWN[found] if found in _OWN else _any(*found)
    for found in procedures()
    if found[0] in GAMES or _has_two_sides(*found)
}


def fewer(count: int, game: str) -> settings:
    """Give the settings of a Hypothesis test: a fifth of its examples for games of one file, which
    share one code."""
    return examples(max(1, count // 5) if game in GAMES else count)


def each_procedure(test: T) -> T:
    """Run a test for every procedure of SETUPS."""
    each: T = finds_examples(pytest.mark.parametrize(("game", "procedure"), SETUPS)(test))
    return each
