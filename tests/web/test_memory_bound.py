"""Caches are bounded in bytes: in the server by its own memory, in workers by theirs."""

from pathlib import Path

import httpx
import psutil
import pytest

from grognard.fights import odds
from grognard.fights.fight_analysis import of_kind
from grognard.fights.fight_file import stated_fight
from grognard.web.lanes import workers
from grognard.web.memory_bound import EVERY, MEMORY, STEP, MemoryBound
from tests.processes import PATIENCE
from tests.tiers import sized
from tests.web.lanes.heavy_fights import large_fight
from tests.web.open_server import open_server

DIFFERENT = sized(60, soak=240)


def test_the_caches_are_cleared_when_the_process_has_grown() -> None:
    measured, cleared = MEMORY, list[int]()
    bound = MemoryBound(lambda: measured, lambda: cleared.append(measured))
    for _ in range(3 * EVERY):
        bound.look()
    assert cleared == []
    measured = MEMORY + 1
    for _ in range(3 * EVERY):  # the system does not take it back: that is no reason to go on
        bound.look()
    assert cleared == [MEMORY + 1]
    measured = MEMORY + 1 + STEP + 1
    for _ in range(EVERY):
        bound.look()
    assert len(cleared) == bound.cleared == 2


def test_forgotten_odds_are_worked_out_again_and_are_the_same() -> None:
    fight = stated_fight(large_fight(2))
    before = fight.odds()
    odds.forget()
    assert of_kind.cache_info().currsize == 0
    assert fight.odds().weights == before.weights


@pytest.mark.slow
@pytest.mark.process
def test_many_different_odds_keep_every_process_within_its_bound(tmp_path: Path) -> None:
    text = "[limits]\nvisitor-requests-a-second = 0\n"
    with open_server(tmp_path, text) as opened:
        server = psutil.Process(opened.process.pid)
        with httpx.Client(base_url=opened.url, timeout=PATIENCE) as web:
            for number in range(DIFFERENT):
                fight = large_fight(3 + number % 3, morale=5 + number % 5)
                fight["attackers"][0]["fire"] = number
                assert web.post("/api/odds", json=fight).status_code == 200
        # What a request adds before somebody looks again comes on top.
        assert server.memory_info().rss < MEMORY + STEP
        for child in server.children(recursive=True):
            assert child.memory_info().rss < workers.MEMORY + STEP
