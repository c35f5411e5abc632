"""The figures behind the questions of a match follow the doctrines that are asked for."""

import json

import httpx

from tests.command import run
from tests.web.test_match_pages import SUPPORTED
from tests.web.test_matches import begin, do

HOLD = {"attacker": "take", "defender": "hold"}


def test_json_and_page_assume_the_doctrines_that_are_asked_for(site: httpx.Client) -> None:
    view = do(site, begin(site), "answers", answer=["end"])
    view = do(site, view, "answers", answer=SUPPORTED)
    address = f"/api/matches/{view['id']}"
    usual, other = (site.get(address, params=asked).json()["asking"] for asked in ({}, HOLD))
    assert usual["advice"]["doctrines"] == {"attacker": "best", "defender": "best"}
    assert other["advice"]["doctrines"] == HOLD
    shares = [[o["odds"]["share"] for o in asking["options"]] for asking in (usual, other)]
    odds = [[o["odds"]["taken"] for o in asking["options"]] for asking in (usual, other)]
    assert (shares[0], odds[0]) != (shares[1], odds[1])
    page = site.get(f"/matches/{view['id']}/parts", params=HOLD).json()["parts"]["ask"]
    assert "hold the ground, then spare the units" in page
    assert 'data-doctrine="defender"' in page
    refused = site.get(address, params={"attacker": "brave"})
    assert refused.status_code in (400, 404, 422)
    assert "there is no doctrine" in json.dumps(refused.json())


def test_the_terminal_assumes_them_too() -> None:
    words = " ".join(f"'{word}'" for word in SUPPORTED)
    typed = f"end\n{words}\nquit\n"
    usual = run("play", "weissenberg", stdin=typed).stdout
    assert "what follows by doctrine: ▶ best, ◆ best" in usual
    other = run("play", "weissenberg", "--attacker", "take", "--defender", "hold", stdin=typed)
    assert "what follows by doctrine: ▶ take, ◆ hold" in other.stdout
    french = run("play", "weissenberg", "--lang", "fr", stdin=typed).stdout
    assert "▶ au mieux, ◆ au mieux" in french
