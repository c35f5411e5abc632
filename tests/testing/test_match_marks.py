"""Every option that decides a match on the map marks an entry of its log, in all scenarios."""

from pathlib import Path

import pytest

from grognard.maps import scenario
from grognard.matches.marks import match_marks
from grognard.matches.match import Reply
from grognard.rules.ask import Answer
from grognard.testing.option_marks import unmarked_in_match
from grognard.testing.random_matches import random_match
from tests.fields.recording import again
from tests.tiers import sized, soaked

UNASKED = ("attack", "0505", "III/919", "192/21 Pz")
RECORDS = Path(__file__).parents[1] / "fields"
RECORDED = sorted({file.parent.name for file in RECORDS.glob("*/*.json")})


@pytest.mark.slow
@pytest.mark.parametrize("name", soaked(sorted(scenario.ids()), "bautzen-1945"))
def test_every_option_that_decides_a_random_match_is_marked(name: str) -> None:
    for seed in range(sized(1)):
        assert not [*unmarked_in_match(random_match(name, seed))], seed


@pytest.mark.slow
@pytest.mark.parametrize("name", soaked(RECORDED, "steppe", "pulkovo"))
def test_every_option_that_decides_a_recorded_match_is_marked(name: str) -> None:
    file, map_ = min((RECORDS / name).glob("*.json")), RECORDS / f"{name}.toml"
    assert not [*unmarked_in_match(again(file, str(map_) if map_.exists() else ""))]


@pytest.mark.slow
def test_a_reading_that_forbids_a_main_force_is_marked() -> None:
    """Normandy: at odds below 1-3 the other main force is no choice, so nobody is asked."""
    match = again(RECORDS / "carrefour" / "233.json", "")
    place = next(n for n, entry in enumerate(match.log) if _attack(entry) == UNASKED)
    assert "low_odds" in {reading.option for reading in match_marks(match, place)[place + 1]}


def _attack(entry: object) -> Answer | None:
    return entry.answer if isinstance(entry, Reply) else None
