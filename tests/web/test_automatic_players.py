"""Automatic players think in processes of their own, take turns, and stop with the server."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from grognard.matches.storage.rows import Full
from grognard.web.app import create
from grognard.web.matches import automatic_players
from grognard.web.matches.automatic_players import PlayedOn, Players, PlayOn
from grognard.words.message import say
from tests.processes import until
from tests.web.serving import client, content, served, settled

pytestmark = pytest.mark.process


# ------------------------------------------------------------------ what workers do here


def noting(folder: Path | str, id_: str, _seconds: float) -> PlayedOn:
    """Note who plays; a match has three turns, a general's none that ends."""
    with (Path(folder) / "turns").open("a") as file:
        file.write(f"{id_}:{os.getpid()} ")
    if id_ == "general":
        (Path(folder) / "thinks").touch()
        time.sleep(600)
    return PlayedOn(more=(Path(folder) / "turns").read_text().count(f"{id_}:") < 3)


def dying(folder: Path | str, id_: str, seconds: float) -> PlayedOn:
    noting(folder, id_, seconds)
    os._exit(1)


def without_store(folder: Path | str, id_: str, seconds: float) -> PlayedOn:
    """The store can't be used at the first two tries."""
    noting(folder, id_, seconds)
    if len(turns(Path(folder))) < 3:
        raise Full(say("no room"))
    return PlayedOn(more=False)


@contextmanager
def players(folder: Path, play: PlayOn = noting, size: int = 1) -> Iterator[Players]:
    made = Players(folder, play, size)
    try:
        yield made
    finally:
        made.stop()


def turns(folder: Path) -> list[str]:
    file = folder / "turns"
    return [turn.split(":")[0] for turn in file.read_text().split()] if file.exists() else []


def test_matches_take_turns_in_another_process(tmp_path: Path) -> None:
    with players(tmp_path) as playing:
        playing.stop()
        for id_ in "ab":
            playing.wake(id_)
        playing.start()
        until(lambda: len(turns(tmp_path)) == 6)
        settled()
    assert turns(tmp_path) == ["a", "b"] * 3
    assert f":{os.getpid()} " not in (tmp_path / "turns").read_text()


def test_other_matches_go_on_while_a_general_thinks_and_the_server_does_not_wait_for_him(
    tmp_path: Path,
) -> None:
    with players(tmp_path, size=2) as playing:
        playing.wake("general")
        until((tmp_path / "thinks").exists)
        playing.wake("other")
        until(lambda: turns(tmp_path).count("other") == 3)
        begun = time.monotonic()
        playing.stop()
        assert time.monotonic() - begun < 60  # he would think for ten minutes
        settled()
        playing.wake("late")
    assert "late" not in turns(tmp_path)


def test_a_match_that_ends_its_worker_is_left_alone_after_a_few_tries(tmp_path: Path) -> None:
    with players(tmp_path, dying) as playing:
        playing.wake("broken")
        settled()
        assert turns(tmp_path) == ["broken"] * automatic_players.TRIES


def test_matches_are_played_on_when_the_store_can_be_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automatic_players, "PAUSE", 0.05)
    with players(tmp_path, without_store) as playing:
        playing.wake("a")
        settled()
        assert turns(tmp_path) == ["a"] * 3


def test_a_pause_does_not_hold_the_end_of_the_server_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automatic_players, "PAUSE", 600)
    with players(tmp_path, without_store) as playing:
        playing.wake("a")
        until(lambda: turns(tmp_path) == ["a"])
        playing.stop()
        settled()


def test_an_answer_that_is_not_ready_when_the_server_stops_is_worked_out_again(
    tmp_path: Path,
) -> None:
    file = tmp_path / "matches.sqlite"
    with client(file) as web:
        stated = {"scenario": "weissenberg", "autos": ["german"], "level": "general"}
        path = f"/api/matches/{web.post('/api/matches', json=stated).json()['id']}"
    before = content(file)
    assert before == content(file)  # nobody writes after the server has stopped
    with client(file) as web:
        until(lambda: not web.get(path).json()["asking"]["automatic"])


def test_a_tap_is_answered_by_the_server_while_workers_play(tmp_path: Path) -> None:
    app = create(tmp_path / "matches.sqlite")
    with served(app) as web:
        begin(web, autos=["german", "allied"])
        view = begin(web)
        moved = web.post(
            f"/api/matches/{view['id']}/answers",
            json={"version": view["version"], "answer": ["move", "21/20Pz", "1811"]},
        )
        assert moved.status_code == 200
        assert app.state.lanes.lane.done == 0
        settled()
        assert all(
            one["over"] for one in web.get("/api/matches").json() if one["sides"][0]["automatic"]
        )


def begin(web: httpx.Client, **stated: object) -> dict[str, object]:
    body = {"scenario": "weissenberg", "level": "sergeant", **stated}
    view: dict[str, object] = web.post("/api/matches", json=body).json()
    return view
