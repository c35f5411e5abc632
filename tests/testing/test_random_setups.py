"""Random fights of every procedure: legal, varied, and good enough for `check_game`."""

from itertools import islice
from random import Random

import pytest

from grognard import load
from grognard.rules import game
from grognard.testing import check_game, random_fights
from tests.tiers import sized

PROCEDURES = [(id_, procedure.id) for id_ in game.ids() for procedure in load(id_).procedures]


@pytest.mark.parametrize(("id_", "procedure"), PROCEDURES)
def test_random_fights_are_varied_and_conform(id_: str, procedure: str) -> None:
    drawn = [*islice(random_fights(load(id_), procedure, Random(1)), sized(10))]
    assert len({(fight.case.setup, *fight.case.options.values()) for fight in drawn}) == len(drawn)
    check_game(load(id_), drawn)
