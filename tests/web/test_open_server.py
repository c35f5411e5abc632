"""An open server: names, health, figures, logs without secrets, an end in good order."""

import re
import signal
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import httpx
import pytest

from grognard.matches.storage.rows import New, Standing
from grognard.matches.storage.seats import Place, SeatTables
from grognard.matches.storage.store import Store
from grognard.web.matches.idle_matches import purge_idle
from grognard.web.static_files import CHECKED, FOR_EVER, digest, static
from tests.processes import PATIENCE, until
from tests.web.lanes.heavy_fights import large_fight
from tests.web.lanes.test_lane import asked
from tests.web.open_server import NAME, Opened, open_server

HERE = {"host": NAME}
JSON = {"content-type": "application/json"}


def figures(opened: Opened) -> str:
    return httpx.get(f"{opened.url}/metrics", timeout=PATIENCE).text


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with open_server(tmp_path_factory.mktemp("open"), 'metrics-token = "s3cret"\n') as server:
        yield server


@pytest.mark.process
def test_it_answers_for_its_names_only(opened: Opened) -> None:
    assert httpx.get(f"{opened.url}/", headers=HERE, timeout=PATIENCE).status_code == 200
    for host in ("evil.example", f"x.{NAME}", "myhost.local"):
        assert httpx.get(f"{opened.url}/", headers={"host": host}).status_code == 421
    assert httpx.get(f"{opened.url}/workshop", headers=HERE).status_code == 403


@pytest.mark.process
def test_it_tells_its_health(opened: Opened) -> None:
    answer = httpx.get(f"{opened.url}/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.process
def test_its_figures_are_for_this_machine_or_who_has_the_token(tmp_path: Path) -> None:
    text = 'metrics-token = "s3cret"\nbehind-proxy = ["127.0.0.1"]\n'
    with open_server(tmp_path, text) as opened:
        httpx.get(f"{opened.url}/api/games")
        httpx.get(f"{opened.url}/api/games/nothing-{NAME}")
        httpx.get(f"{opened.url}/nowhere/{NAME}")
        url, far = f"{opened.url}/metrics", {"x-forwarded-for": "192.0.2.1"}
        told = figures(opened)
        assert httpx.get(url, headers=far).status_code == 404
        for word, status in (("Bearer s3cret", 200), ("Bearer wrong", 404), ("Bearer \xe9", 404)):
            headers = httpx.Headers({**far, "authorization": word}, encoding="latin-1")
            assert httpx.get(url, headers=headers).status_code == status
        assert 'route="/api/games",status="200"} 1' in told
        assert 'route="/api/games/{game}",status="404"} 1' in told
        assert 'route="other",status="404"} 1' in told
        assert NAME not in told  # nothing that a visitor has written
        for one in told.splitlines():
            assert re.fullmatch(r'# TYPE \w+ \w+|\w+(\{(\w+="[^"]*",?)+\})? [0-9.e+-]+', one), one


@pytest.mark.process
def test_logs_are_json_without_secrets(tmp_path: Path) -> None:
    with open_server(tmp_path) as opened:
        with httpx.Client(base_url=opened.url, headers=HERE, timeout=PATIENCE) as web:
            begun = web.post("/api/matches", json={"scenario": "weissenberg", "name": "Hushhush"})
            id_ = begun.json()["id"]
            cookies = {"cookie": f"visitor={begun.cookies['visitor']}; seat=topsecret"}
            web.get(f"/api/matches/{id_}?since=0-7&key=topsecret", headers=cookies)
            web.get("/games/bautzen/attack?f=2topsecret")
            web.get("/topsecret")
            web.post(
                "/api/odds", content=b"{topsecret", headers={"content-type": "application/json"}
            )
        lines = opened.logged()
    assert opened.process.returncode == 0
    text = str(lines)
    for secret in ("topsecret", id_, "Hushhush", "127.0.0.1", "since"):
        assert secret not in text
    told = [(one["method"], one["route"], one["status"]) for one in lines if "route" in one]
    assert ("GET", "/api/matches/{id}", 200) in told
    assert ("GET", "other", 404) in told
    assert len({one["visitor"] for one in lines if "visitor" in one}) == 1
    assert all({"time", "level", "logger"} <= set(one) for one in lines)


@pytest.mark.process
def test_logs_tell_nothing_of_a_match_apart(tmp_path: Path) -> None:
    """Neither its links, feeds and cookies nor what its players do, say and commit."""
    with open_server(tmp_path) as opened:
        with (
            httpx.Client(base_url=opened.url, headers=HERE, timeout=PATIENCE) as web,
            httpx.Client(base_url=opened.url, headers=HERE, timeout=PATIENCE) as other,
        ):
            begun = web.post("/api/matches", json={"scenario": "weissenberg", "apart": True}).json()
            path, secrets = f"/api/matches/{begun['id']}", [begun["id"]]
            links = {seat: link.rpartition("/")[2] for seat, link in begun["links"].items()}
            assert web.get(f"/seat/{links['german']}").status_code == 303
            taken = web.post(f"{path}/seats/german/link").json()["link"]
            assert web.get(f"/seat/{links['german'][:-1]}x").status_code == 404  # guessed
            bearer = {"authorization": f"Bearer {links['allied']}"}
            assert other.get(path, headers=bearer).status_code == 200
            feed = web.post(f"{path}/feed").json()["feed"]
            assert other.get(feed).status_code == 200
            assert web.post(f"{path}/chat", json={"text": "Hushhush"}).status_code == 200
            body = {"version": begun["version"], "answer": ["move", "21/20Pz", "1811"]}
            assert web.post(f"{path}/answers", json=body).status_code == 200
            assert web.post(f"{path}/answers", json=body).status_code == 409
            exchanged = web.post(f"{path}/seats/german/link").json()["link"]
            anchor = {"side": "german", "anchor": "ab" * 32}
            assert web.post(f"{path}/dice/anchor", json=anchor).status_code == 200
            secrets += [*links.values(), web.cookies["visitor"], "Hushhush", "21/20Pz", "ab" * 32]
            paths = (feed.partition("?")[0], taken, exchanged)
            secrets += [path.rpartition("/")[2] for path in paths]
        text = str(opened.logged())
    assert "/seat/{secret}" in text
    assert [secret for secret in secrets if secret in text] == []


@pytest.mark.process
def test_sigterm_lets_requests_finish_and_pages_go(tmp_path: Path) -> None:
    """The answer to work that has begun comes, streams end, and nothing is left running."""
    with open_server(tmp_path) as opened:
        with httpx.Client(base_url=opened.url, headers=HERE, timeout=PATIENCE) as web:
            path = (
                f"/api/matches/{web.post('/api/matches', json={'scenario': 'steppe'}).json()['id']}"
            )
            with web.stream("GET", f"{path}/events") as stream:
                told = stream.iter_lines()
                assert next(told).startswith("event")
                with opened.connect() as client:
                    body = httpx.Request("POST", "/", json=large_fight(7)).content
                    head = f"POST /api/odds HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: {len(body)}"
                    json_ = b"\r\nContent-Type: application/json\r\n\r\n"
                    client.sendall(head.encode() + json_ + body)
                    until(
                        lambda: "grognard_work_running 1" in httpx.get(f"{opened.url}/metrics").text
                    )
                    opened.process.send_signal(signal.SIGTERM)
                    assert client.recv(1000).startswith(b"HTTP/1.1 200")
                assert not [one for one in told if one.startswith("event: gone")]
        opened.process.communicate(timeout=PATIENCE)
        assert opened.process.returncode == 0


# ------------------------------------------------------------------ idle matches


def test_matches_that_nobody_has_changed_are_thrown_away(tmp_path: Path) -> None:
    with Store(tmp_path / "matches.sqlite") as store:
        old, new = (store.keep(New(name=n, scenario="steppe", options={})) for n in ("old", "new"))
        past = datetime.now(UTC) - timedelta(days=91)
        when = past.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with store.database.transaction(write=True):
            store.database.run("UPDATE matches SET changed = ? WHERE id = ?", when, old.id)

        async def run() -> None:
            with anyio.move_on_after(60):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(purge_idle, store, 90, 0, 0.01)
                    while store.count() > 1:
                        await anyio.sleep(0.01)
                    tasks.cancel_scope.cancel()

        asked(run)
        assert [kept.id for kept in store.matches()] == [new.id]
        with store.database.transaction(write=False):
            assert store.database.rows("SELECT n FROM answers") == []


def test_a_purge_spares_what_is_newer(tmp_path: Path) -> None:
    with Store(tmp_path / "matches.sqlite") as store:
        kept = store.keep(New(name="x", scenario="steppe", options={}))
        assert store.purge(kept.changed) == 0
        time.sleep(0.002)
        assert store.purge("9999") == 1
        assert store.count() == 0


def test_what_nobody_plays_is_thrown_away_sooner(address: Path | str) -> None:
    """Not what a person has answered, nor what two seats have opened; an import is no play."""
    with Store(address) as store:
        links = SeatTables(store.database)

        def new(answers: Sequence[object] = ()) -> str:
            return store.keep(
                New(name="x", scenario="weissenberg", options={}, apart=True, answers=answers)
            ).id

        new()
        new([["end"]])
        alone, together, automatic, played = (new() for _ in range(4))
        for match, seats in ((alone, ["german"]), (together, ["german", "allied"])):
            for seat in seats:
                links.hold(seat, Place(match, seat))
        store.append(automatic, 0, [["end"]], Standing(), "automatic")
        store.append(played, 0, [["end"]], Standing())
        assert store.purge("2000", unplayed=True) == 0
        assert store.purge("9999", unplayed=True) == 4
        assert {kept.id for kept in store.matches()} == {together, played}


# ------------------------------------------------------------------ versioned files


def test_versioned_files_are_kept_for_ever_and_others_are_checked(site: httpx.Client) -> None:
    versioned = site.get(static("match.js"))
    assert versioned.headers["cache-control"] == FOR_EVER
    plain = site.get("/static/match.js")
    assert plain.headers["cache-control"] == CHECKED
    before = site.get("/static/0123456789abcdef/match.js")  # of the version before
    assert before.headers["cache-control"] == CHECKED
    assert versioned.content == plain.content == before.content
    assert site.get(f"/static/{digest()}/nothing.js").status_code == 404
    assert site.get(f"/static/{digest()}/../app.py").status_code == 404


def test_pages_name_versioned_files_only_and_scripts_import_relative_ones(
    site: httpx.Client,
) -> None:
    for path in ("/", "/games/bautzen/attack", "/matches", "/plan/bautzen/attack"):
        for found in re.findall(r'(?:src|href)="(/static/[^"]*)"', site.get(path).text):
            assert found.startswith(f"/static/{digest()}/"), found
    folder = Path(__file__).parents[2] / "src/grognard/web/static"
    for script in folder.rglob("*.js"):
        for name in re.findall(r'from "([^"]+)"', script.read_text(encoding="utf-8")):
            assert name.startswith("."), script
