"""Every option that decides a match on the map marks an entry of its log, in all scenarios."""

from pathlib import Path

import pytest

from grognard.maps import scenario
from grognard.testing.option_marks import unmarked_in_match
from grognard.testing.random_matches import random_match
from tests.fields.recording import again
from tests.tiers import sized

RECORDS = Path(__file__).parents[1] / "fields"
# Where a reading keeps something from happening, nothing is told that could carry its mark.
SILENT = {"carrefour": {"supply_zoc"}}


def silent(name: str) -> tuple[str, ...]:
    return tuple(f"option {option} " for option in SILENT.get(name, ()))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_every_option_that_decides_a_random_match_is_marked(name: str) -> None:
    for seed in range(sized(1)):
        problems = unmarked_in_match(random_match(name, seed))
        assert not [told for told in problems if not told.startswith(silent(name))], seed


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({file.parent.name for file in RECORDS.glob("*/*.json")}))
def test_every_option_that_decides_a_recorded_match_is_marked(name: str) -> None:
    file, map_ = min((RECORDS / name).glob("*.json")), RECORDS / f"{name}.toml"
    problems = unmarked_in_match(again(file, str(map_) if map_.exists() else ""))
    assert not [told for told in problems if not told.startswith(silent(name))]
