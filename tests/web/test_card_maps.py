"""Matches on the web of a game that its card alone brings to the map."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from httpx import Client

from grognard.matches import match as matches
from tests.example_games import BATTLE
from tests.web.serving import client, settled
from tests.web.test_matches import begin, do


@pytest.fixture
def web(tmp_path: Path, example_games: None) -> Iterator[Client]:  # noqa: ARG001  # it finds them
    with client(tmp_path / "matches.sqlite") as opened:
        yield opened


def test_a_match_is_begun_fought_and_kept(web: Client) -> None:
    assert "La Tête de pont" in unescape(web.get("/matches", params={"lang": "fr"}).text)
    view = begin(web, scenario=BATTLE)
    view = do(web, view, "answers", answer=["end"])
    order = ["attack", "0305", "1st Foot"]
    looked = web.post(f"/matches/{view['id']}/look", json={"order": order})
    assert looked.status_code == 200, looked.text
    assert "Across the river" in looked.text
    view = do(web, view, "answers", answer=order)
    for lang, words in (("en", "Across the river"), ("fr", "À travers le fleuve")):
        page = web.get(f"/matches/{view['id']}", params={"lang": lang})
        assert words in unescape(page.text)
    view = do(web, view, "answers", answer=[1])  # 5:6 is 1:2, across the river 1:3: AE
    kept = matches.load(web.get(f"/api/matches/{view['id']}/file").text, "the file")
    assert [piece.name for piece in kept.board.pieces if not piece.alive] == ["1st Foot"]


@pytest.mark.slow
def test_two_automatic_sides_play_it_to_its_end(web: Client) -> None:
    view = begin(web, scenario=BATTLE, autos=["blue", "red"])
    settled()
    shown = web.get(f"/api/matches/{view['id']}").json()
    assert shown["asking"] is None
    assert shown["verdict"]["text"]
    assert web.get(f"/matches/{view['id']}").status_code == 200
