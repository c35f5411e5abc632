"""Every option that decides a fight marks a line of it, in all games that are found."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from grognard import load
from grognard.card.rows import CERTAIN
from grognard.fights.automatic import sample
from grognard.fights.fight_file import read_fight
from grognard.files.source import read_source
from grognard.rules.fight import Fight
from grognard.rules.procedure import Game
from grognard.testing import NotConforming, check_game, random_fights
from grognard.testing.option_marks import unmarked
from grognard.words.refusal import Refusal
from tests.example_games import finds_examples, procedures
from tests.testing.test_conformance import lying
from tests.tiers import sized

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))
# The examples that would go otherwise under another reading.
DECIDED = {"bautzen", "normandy", "panzer-grenadier", "panzer-grenadier-anti-tank", "white-october"}


@finds_examples
@pytest.mark.parametrize(("id_", "procedure"), procedures())
def test_every_option_that_decides_a_random_fight_is_marked(id_: str, procedure: str) -> None:
    random = Random(8)
    for fight in islice(_fights(load(id_), procedure, random), sized(8)):
        plays = sample(fight, 2, random.randrange(10**6))
        assert not [*unmarked(fight, [*plays])], (fight.case.setup, fight.case.options)


def _fights(rules: Game, procedure: str, random: Random) -> Iterator[Fight]:
    """Draw fights, under the default readings and under random ones."""
    for drawn in random_fights(rules, procedure, random):
        for options in ({}, drawn.case.options):
            try:
                fight = rules.fight(drawn.case.setup, procedure=procedure, options=options)
                fight.odds()
            except Refusal:  # by these readings there is no such fight
                continue
            yield fight


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_options_that_decide_without_a_mark_are_found(example: Path) -> None:
    """The same rules without the readings of their lines hide what their options decide."""
    fight = read_fight(read_source(str(example)))
    marks = {line.reading.option for line in (*fight.explain().doubts, *fight.odds().doubts)}
    bare = lying(fight, lambda line: replace(line, reading=CERTAIN))
    found = {problem.split()[1] for problem in unmarked(bare, [bare.resolve(seed=1)])}
    assert found <= marks
    assert bool(found) == (example.stem in DECIDED)
    if found:
        with pytest.raises(NotConforming, match="no line has its reading"):
            check_game(load(fight.case.card.id), [bare])
