"""Games that are one file: every one that is found keeps what all games keep."""

from itertools import islice
from random import Random

import pytest

from grognard.rules import game
from grognard.testing import check_arrays, check_game, random_fights
from tests.example_games import GAMES, finds_examples
from tests.tiers import sized

FIGHTS = sized(20)

pytestmark = finds_examples


def test_all_of_them_are_found() -> None:
    assert len(GAMES) >= 5
    assert set(GAMES) <= set(game.ids())
    assert game.library().broken == ()


@pytest.mark.parametrize("id_", GAMES)
def test_it_conforms_on_random_fights(id_: str) -> None:
    rules = game.load(id_)
    for procedure in rules.procedures:
        fights = [*islice(random_fights(rules, procedure.id, Random(1)), FIGHTS)]
        check_game(rules, fights)
        check_arrays(fights[: FIGHTS // 2])
