"""Light work is answered by the server itself, other work in the lane, and some work by nobody."""

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psutil
import pytest
from starlette.applications import Starlette

from grognard.fights.work_budget import TooHeavy, only_light
from grognard.web.api import matches
from grognard.web.app import create
from grognard.web.lanes.answering import Lanes
from grognard.web.matches.match_answer import match_answer
from grognard.web.server_config import Limits, ServerConfig
from tests.processes import PATIENCE, until
from tests.web.apart import apart
from tests.web.lanes.heavy_fights import large_fight
from tests.web.serving import served

pytestmark = pytest.mark.process

HEAVY, HEAVIEST = 6, 12  # defenders
FOREIGN = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
FOLLOWED = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Starlette:
    return create(tmp_path_factory.mktemp("lanes") / "matches.sqlite")


@pytest.fixture(scope="module")
def web(app: Starlette) -> Iterator[httpx.Client]:
    with served(app) as client:
        yield client


@pytest.fixture
def lanes(app: Starlette) -> Lanes:
    found: Lanes = app.state.lanes
    return found


def page_of(fight: dict[str, Any]) -> str:
    stated = {key: fight[key] for key in fight if key not in ("game", "procedure")}
    state = quote(json.dumps({"fight": stated}))
    return f"/games/{fight['game']}/{fight['procedure']}?s={state}"


def test_light_work_needs_no_worker(web: httpx.Client, lanes: Lanes) -> None:
    before = lanes.lane.done
    assert web.post("/api/odds", json=large_fight(2)).status_code == 200
    assert web.get(page_of(large_fight(3))).status_code == 200
    assert lanes.lane.done == before


def test_heavy_work_is_answered_as_light_work_is(web: httpx.Client, lanes: Lanes) -> None:
    """The odds of a worker are those of the rules, and refusals and pages come from it too."""
    from grognard.fights.fight_file import stated_fight  # noqa: PLC0415
    from grognard.fights.odds import direct_odds  # noqa: PLC0415

    before = lanes.lane.done
    answer = web.post("/api/odds", json=large_fight(HEAVY))
    assert answer.status_code == 200
    assert lanes.lane.done == before + 1
    exact = direct_odds(stated_fight(large_fight(5)))
    five = web.post("/api/odds", json=large_fight(5)).json()
    assert len(five["outcomes"]) == len(exact.weights)
    page = web.get(page_of(large_fight(HEAVY, "Né ")))
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "Né 0" in page.text
    assert lanes.lane.done >= before + 2


def test_the_same_refused_question_costs_nothing_the_second_time(
    web: httpx.Client, lanes: Lanes
) -> None:
    first = web.post("/api/odds", json=large_fight(HEAVIEST))
    assert (first.status_code, first.json()["place"]) == (422, "")
    done = lanes.lane.done
    again = web.post("/api/odds", json=large_fight(HEAVIEST))
    assert (again.status_code, again.content) == (422, first.content)
    assert lanes.lane.done == done
    assert web.post("/api/odds?lang=fr", json=large_fight(HEAVIEST)).json() != first.json()


def test_two_equal_questions_at_once_are_remembered_once(web: httpx.Client, lanes: Lanes) -> None:
    """Else the room for what is remembered would shrink each time, and then nothing would fit."""

    def ask(_: int) -> int:
        return web.post("/api/odds", json=large_fight(HEAVIEST, morale=4)).status_code

    with ThreadPoolExecutor(2) as two:
        assert list(two.map(ask, range(2))) == [422, 422]
    assert lanes._kept == sum(len(one.body) for one in lanes._refused.values())


def test_a_refused_question_about_a_match_costs_nothing_until_it_changes(tmp_path: Path) -> None:
    """To the seat that asked; a stranger is told nothing, and another seat has its own answer."""
    config = ServerConfig(limits=Limits(work_seconds=1))
    large = create(tmp_path / "matches.sqlite", config=config)
    found: Lanes = large.state.lanes
    with served(large) as client, apart(client, "bautzen-1945") as match:
        seats = {seat: match.sit(seat) for seat in ("german", "allied")}
        for _ in range(2):  # both sides take the usual set-up
            asked = seats[seats["german"].show()["asking"]["side"]]
            asked.act("/answers", answer=["end"])
        asked = seats[seats["german"].show()["asking"]["side"]]
        other = next(seat for seat in seats.values() if seat is not asked)
        for path in (asked.api("/advice"), f"/matches/{match.id}/advice"):
            done = found.lane.done
            first, again = (asked.web.get(path) for _ in range(2))
            assert (first.status_code, found.lane.done) == (422, done + 1), path
            assert "1 seconds of processor time" in first.json()["refusal"]
            assert (again.status_code, again.content) == (422, first.content)
            assert other.web.get(path).status_code == 403
            assert match.stranger().web.get(path).status_code == 404
            assert found.lane.done == done + 2
        done = found.lane.done
        asked.web.patch(asked.api(), json={"name": "another"})
        assert asked.web.get(asked.api("/advice")).status_code == 422
        assert found.lane.done == done + 1


def test_a_worker_that_refused_one_question_answers_the_next(tmp_path: Path) -> None:
    """Each request has a budget of its own."""
    app = create(tmp_path / "matches.sqlite", config=ServerConfig(limits=Limits(workers=1)))
    with served(app) as client:
        begun = client.post("/api/matches", json={"scenario": "weissenberg"}).json()
        assert client.post("/api/odds", json=large_fight(HEAVIEST)).status_code == 422
        assert client.get(f"/api/matches/{begun['id']}/advice").status_code == 200


def test_work_ends_when_the_client_closes_its_connection(web: httpx.Client, lanes: Lanes) -> None:
    body = json.dumps(large_fight(HEAVIEST, morale=6)).encode()
    head = f"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    dropped = lanes.lane.dropped
    with socket.create_connection(("localhost", web.base_url.port or 0), PATIENCE) as client:
        client.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
        until(lambda: lanes.lane.running == 1)
    until(lambda: lanes.lane.running == 0)
    assert lanes.lane.dropped == dropped + 1
    children = psutil.Process().children()
    before = [sum(child.cpu_times()[:2]) for child in children]
    time.sleep(0.3)
    after = [sum(child.cpu_times()[:2]) for child in children]
    assert sum(after) - sum(before) < 0.2


@pytest.mark.parametrize(
    "path",
    [
        page_of(large_fight(HEAVY, "Y")),
        "/games/bautzen/analysis",
        "/plan/bautzen/attack",
    ],
    ids=["fight", "analysis", "plan"],
)
def test_a_foreign_page_gets_nothing_expensive(web: httpx.Client, lanes: Lanes, path: str) -> None:
    """Neither with an image tag nor with an old browser; a link to it can be followed."""
    before = lanes.lane.done
    old = {"referer": "http://evil.example/page", "accept": "image/*"}
    for headers in (FOREIGN, {**FOLLOWED, "sec-fetch-dest": "iframe"}, old):
        assert web.get(path, headers=headers).status_code == 403, headers
    assert lanes.lane.done == before
    assert web.get(path, headers=FOLLOWED).status_code in (200, 404)
    assert lanes.lane.done == before + 1


def test_our_own_pages_get_what_is_expensive(web: httpx.Client) -> None:
    own = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
    here = str(web.base_url).removeprefix("http://").rstrip("/")
    for headers in (own, {"referer": f"http://{here}/matches"}):
        assert web.get("/games/bautzen/analysis", headers=headers).status_code == 200


# ------------------------------------------------------------------ matches


def long_match(answers: int) -> dict[str, Any]:
    """A match in which a unit goes there and back: only its length is of interest."""
    from grognard.matches.match import begin, saved  # noqa: PLC0415
    from grognard.players.levels import automatic_player  # noqa: PLC0415

    match, bot = begin("weissenberg"), automatic_player(1, "sergeant")
    while len(match.answers) < answers and match.asking is not None:
        match.answer(bot.answer(match))
    kept = saved(match)
    return {
        "match": 1,
        "scenario": kept.scenario,
        "options": kept.options,
        "answers": list(kept.answers),
    }


def test_an_action_is_done_each_time_and_only_its_showing_is_handed_over(
    web: httpx.Client, lanes: Lanes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes have no version: the same one may come twice, with another one between them."""
    path = f"/api/matches/{web.post('/api/matches', json={'scenario': 'weissenberg'}).json()['id']}"
    before = lanes.lane.done

    def heavy(*given: Any) -> Any:  # noqa: ANN401  # a match as it is shown
        if only_light():
            raise TooHeavy
        return match_answer(*given)

    def automatic(view: dict[str, Any]) -> list[str]:
        return [side["id"] for side in view["sides"] if side["automatic"]]

    monkeypatch.setattr(matches, "match_answer", heavy)
    for autos in (["allied"], [], ["allied"], []):
        answer = web.patch(path, json={"autos": autos})
        assert (answer.status_code, automatic(answer.json())) == (200, autos)
    assert lanes.lane.done == before + 4
    with monkeypatch.context() as full:
        full.setattr(lanes.lane, "limits", lanes.lane.limits._replace(waiting=0))
        refused = web.patch(path, json={"autos": ["allied"]})
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert "counts" in refused.json()["refusal"]
    assert automatic(web.get(path).json()) == ["allied"]


def test_a_long_match_is_imported_by_a_worker_and_played_on_by_its_automatic_sides(
    web: httpx.Client, lanes: Lanes
) -> None:
    before, file = lanes.lane.done, long_match(70)
    body = {"match": file, "autos": ["german", "allied"], "level": "sergeant"}
    begun = web.post("/api/matches/import", json=body)
    assert begun.status_code == 201, begun.text
    assert lanes.lane.done == before + 1
    path = f"/api/matches/{begun.json()['id']}"
    assert web.get(f"{path}/file").json()["answers"][:70] == file["answers"][:70]
    until(lambda: web.get(path).json()["verdict"] is not None)
