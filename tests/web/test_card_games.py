"""Games that are one file, on the pages and in the HTTP interface."""

import os
from collections.abc import Iterator

import httpx
import pytest
from markupsafe import escape

from grognard.fights.record import plain
from grognard.rules import game, game_places
from grognard.rules.ask import Choose
from grognard.study import player_sheet
from grognard.web.app import create
from grognard.web.quick.quick_page import view
from grognard.web.quick.tap import Tap, play_of, tapped
from tests.example_games import FOLDER, GAMES
from tests.web.serving import served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    broken = tmp_path_factory.mktemp("games")
    (broken / "broken.toml").write_text("[[tables]]\n= 1\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv(game_places.FOLDERS, os.pathsep.join((str(FOLDER), str(broken))))
        game_places.refresh()
        with served(create(tmp_path_factory.mktemp("site") / "matches.sqlite")) as client:
            yield client
    game_places.refresh()


def test_a_broken_game_does_not_stop_the_server(site: httpx.Client) -> None:
    listed = [entry["id"] for entry in site.get("/api/games").json()]
    assert set(GAMES) < set(listed)
    assert "broken" not in listed
    assert site.get("/").status_code == 200


@pytest.mark.parametrize("id_", GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_pages_show_the_game(site: httpx.Client, id_: str, lang: str) -> None:
    for path in (f"/games/{id_}", f"/games/{id_}/analysis"):
        page = site.get(path, headers={"accept-language": lang}, follow_redirects=True)
        assert page.status_code == 200
        name = game.card(id_).name.in_("fr" if lang == "fr" else "en")
        assert escape(name) in page.text


@pytest.mark.parametrize("id_", GAMES)
def test_quick_combat_leads_a_fight_to_its_end(site: httpx.Client, id_: str) -> None:
    assert site
    (sheet,) = player_sheet.load(id_).sheets
    tap = Tap(fight=dict(sheet.example))
    for _ in range(20):
        shown = view(id_, sheet.procedure, tap, "fr")
        assert shown.problem is None
        assert shown.resolution is not None
        if shown.resolution.question is None:
            break
        question = shown.resolution.question
        if question.dice:
            now = Tap(fight=tap.fight, answers=tap.answers, roll=True)
        else:
            play = play_of(id_, sheet.procedure, tap)
            assert isinstance(play.asking, Choose)
            now = Tap(fight=tap.fight, answers=tap.answers, answer=plain(play.asking.options[0]))
        tap = tapped(id_, sheet.procedure, now)
    assert shown.resolution is not None
    assert shown.resolution.outcome


@pytest.mark.parametrize("id_", GAMES)
def test_the_interface_explains_and_gives_odds(site: httpx.Client, id_: str) -> None:
    (sheet,) = player_sheet.load(id_).sheets
    fight = {"game": id_, "procedure": sheet.procedure, **sheet.example}
    told = site.post("/api/explain", json=fight).json()
    assert told["column"]["final"]
    odds = site.post("/api/odds", json=fight).json()
    assert odds["exact"] is True
