"""What the server promises of stored matches: killed, out of room, read-only, two on one store."""

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import sleep
from typing import Any

import httpx
import pytest

from grognard.fights.record import plain
from grognard.matches.dice_client import DiceClient
from grognard.matches.match import begin
from grognard.matches.storage.rows import Full, New
from grognard.matches.storage.store import Store
from grognard.players.levels import automatic_player
from grognard.rules.ask import Roll
from tests.postgresql import PostgreSQL
from tests.processes import PATIENCE, until
from tests.tiers import sized
from tests.web.apart import Seat, apart, to_commitment
from tests.web.fair_match import asking
from tests.web.serving import Server, forked_server, server

pytestmark = pytest.mark.process

# `make soak` kills servers side by side, each on a store of its own.
LANES = sized(1, soak=4)
KILLS = {Path: sized(4, soak=1000), str: sized(4, soak=200)}  # of SQLite, of PostgreSQL; in all
PLAYERS = 4
LONG = 40  # answers of a match, so that a server that starts anew has not much to replay
AWHILE = 0.3  # seconds of answers before a kill, at most; a server gives about a hundred a second


def game(seed: int) -> list[object]:
    """The answers of a whole match that automatic players play; its dice are typed."""
    random, bot = Random(seed), automatic_player(seed, "sergeant")
    match = begin("weissenberg", {})
    while match.asking is not None:
        roll = isinstance(match.asking, Roll)
        match.answer(match.asking.dice.draw(random) if roll else bot.answer(match))  # type: ignore[union-attr]
    return [plain(answer) for answer in match.answers]


@pytest.fixture(scope="module")
def answers() -> list[object]:
    return game(1945)


def new(web: httpx.Client) -> dict[str, Any]:
    begun = web.post("/api/matches", json={"scenario": "weissenberg"})
    assert begun.status_code == 201, begun.text
    view: dict[str, Any] = begun.json()
    return view


def stored(web: httpx.Client, id_: str) -> list[object]:
    kept: list[object] = web.get(f"/api/matches/{id_}/file").json()["answers"]
    return kept


class Player:
    """Plays matches to their end, one after the other, and notes what the server has told."""

    def __init__(self, answers: list[object]) -> None:
        self.answers = answers
        self.id = ""
        self.version = 0  # of the match, as it was told last
        self.told = 0  # answers that the server has acknowledged
        self.ended: list[str] = []  # matches that were played to their end
        self.cut_off = 0  # requests that were under way when the server was killed

    def play(self, running: Server, begun: Event, stop: Event) -> None:
        """Answer until the server is gone."""
        with running.client() as web:
            try:
                while not stop.is_set():
                    self._answer(web)
                    begun.set()
            except httpx.TransportError:
                self.cut_off += 1

    def _answer(self, web: httpx.Client) -> None:
        if not self.id or self.told == len(self.answers):
            self.ended += [self.id] if self.id else []
            self.id = ""
            begun = new(web)
            self.id, self.version, self.told = begun["id"], begun["version"], 0
        body = {"version": self.version, "answer": self.answers[self.told]}
        answered = web.post(f"/api/matches/{self.id}/answers", json=body)
        assert answered.status_code == 200, answered.text
        self.version, self.told = answered.json()["version"], self.told + 1

    def check(self, web: httpx.Client) -> None:
        """All that was told is there, and at most the answer that was under way besides."""
        if not self.id:
            return
        there = stored(web, self.id)
        assert there == self.answers[: len(there)]
        assert len(there) in (self.told, self.told + 1)
        self.told = len(there)
        self.version = web.get(f"/api/matches/{self.id}").json()["version"]


@pytest.mark.parametrize("lane", range(LANES))
def test_what_a_killed_server_has_acknowledged_is_there(
    address: Path | str, answers: list[object], lane: int
) -> None:
    """Several players are at it when the server is killed, at any moment, again and again."""
    random = Random(2026 + lane)
    match, kills = answers[:LONG], KILLS[Path if isinstance(address, Path) else str] // LANES
    players = [Player(match) for _ in range(PLAYERS)]
    with forked_server(address) as running:
        for _ in range(kills):
            with running.client() as web:
                for player in players:
                    player.check(web)
            begun, stop = Event(), Event()
            threads = [
                Thread(target=player.play, args=(running, begun, stop)) for player in players
            ]
            for thread in threads:
                thread.start()
            assert begun.wait(PATIENCE)
            sleep(random.random() * AWHILE)
            stop.set()  # for those who would ask the next server
            running.kill()
            running.start()
            for thread in threads:
                thread.join(PATIENCE)
        with running.client() as web:
            for player in players:
                player.check(web)
                assert all(stored(web, id_) == match for id_ in player.ended)
    # The kills fell into the middle of answers.
    assert sum(player.cut_off for player in players) >= kills
    with Store(address) as store:
        assert store.damaged() == []


# ------------------------------------------------------------------ no room


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a disk of one megabyte."""
    folder.mkdir()
    command: list[str | Path] = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    if shutil.which("mount") is None or subprocess.run(command, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def play_until_refused(web: httpx.Client, answers: list[object]) -> tuple[list[str], int]:
    """Play match after match until one is refused; give the matches, and the status."""
    ids: list[str] = []
    for _ in range(500):
        begun = web.post("/api/matches", json={"scenario": "weissenberg"})
        if begun.status_code != 201:
            return ids, begun.status_code
        view = begun.json()
        ids.append(view["id"])
        for answer in answers:
            body = {"version": view["version"], "answer": answer}
            answered = web.post(f"/api/matches/{view['id']}/answers", json=body)
            if answered.status_code != 200:
                assert "disk" in answered.json()["refusal"]
                return ids, answered.status_code
            view = answered.json()
    raise AssertionError("the disk is never full")


def check_and_go_on(web: httpx.Client, ids: list[str], answers: list[object]) -> None:
    """Nothing is lost, and the match that was refused goes on."""
    for id_ in ids[:-1]:
        assert stored(web, id_) == answers
    there = stored(web, ids[-1])
    assert there == answers[: len(there)]
    version = web.get(f"/api/matches/{ids[-1]}").json()["version"]
    assert version == len(there)
    if len(there) < len(answers):
        body = {"version": version, "answer": answers[len(there)]}
        answered = web.post(f"/api/matches/{ids[-1]}/answers", json=body)
        assert answered.status_code == 200, answered.text
    new(web)


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path, answers: list[object]) -> None:
    short = answers[:20]
    with small_disk(tmp_path / "disk") as disk:
        filler = disk / "filler"
        filler.write_bytes(bytes(500_000))
        with server(disk / "matches.sqlite") as running, running.client() as web:
            ids, status = play_until_refused(web, short)
            assert status == 507
            assert stored(web, ids[0]) == short[: len(stored(web, ids[0]))]  # it can be looked at
            filler.unlink()
            check_and_go_on(web, ids, short)
        with server(disk / "matches.sqlite") as running, running.client() as web:
            for id_ in ids[:-1]:
                assert stored(web, id_) == short


def test_a_file_that_may_not_grow_refuses_and_loses_nothing(
    tmp_path: Path, answers: list[object]
) -> None:
    short = answers[:20]
    with server(tmp_path / "matches.sqlite") as running, running.client() as web:
        new(web)
        _, hard = resource.prlimit(running.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (600_000, hard))
        ids, status = play_until_refused(web, short)
        assert status in (503, 507)
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (hard, hard))
        check_and_go_on(web, ids, short)


def test_postgresql_out_of_room_is_told_as_such(postgresql: PostgreSQL) -> None:
    """As PostgreSQL reports it; a real full disk ends its server."""
    with Store(postgresql.new_store()) as store:
        kept = store.keep(New(name="x", scenario="weissenberg", options={}))
        full = "DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$"

        def tell() -> None:
            with store.database.transaction(write=True):
                store.tell(kept.id)
                store.database.run(full)

        with pytest.raises(Full, match="No space left"):
            tell()
        assert store.get(kept.id) == kept


# ------------------------------------------------------------------ read-only

# Root may write everywhere, unless it gives that power up.
_HUMBLE = ("-dac_override", "-dac_read_search")


def humble() -> list[str]:
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may write to a read-only file here")
    without = ",".join(_HUMBLE)
    return ["setpriv", f"--bounding-set={without}", f"--inh-caps={without}", "--"]


def test_a_read_only_file_can_be_looked_at_and_refuses_changes(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    with Store(file) as store:
        kept = store.keep(New(name="x", scenario="weissenberg", options={}))
    before = file.read_bytes()
    file.chmod(0o444)
    with server(file, *humble()) as running, running.client() as web:
        assert web.get(f"/api/matches/{kept.id}").json()["version"] == kept.version
        body = {"version": kept.version, "answer": ["end"]}
        refused = web.post(f"/api/matches/{kept.id}/answers", json=body)
        assert refused.status_code == 503
        assert "readonly database" in refused.json()["refusal"]
        assert web.post("/api/matches", json={"scenario": "weissenberg"}).status_code == 503
        assert web.get(f"/api/matches/{kept.id}").json()["version"] == kept.version
    assert file.read_bytes() == before


def test_a_read_only_folder_is_refused_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    with server(folder / "matches.sqlite", *humble()) as running:
        until(lambda: running.ended)


def test_postgresql_that_becomes_read_only_refuses_changes_until_it_is_not(
    postgresql: PostgreSQL,
) -> None:
    def only_read(word: str) -> None:
        postgresql.sql(f"ALTER SYSTEM SET default_transaction_read_only = {word}")
        postgresql.sql("SELECT pg_reload_conf()")

    with server(postgresql.new_store()) as running, running.client() as web:
        view = new(web)
        path = f"/api/matches/{view['id']}"

        def end() -> httpx.Response:
            return web.post(f"{path}/answers", json={"version": view["version"], "answer": ["end"]})

        try:
            only_read("on")
            until(lambda: web.post("/api/matches", json={"scenario": "weissenberg"}).is_error)
            refused = end()
            assert (refused.status_code, stored(web, view["id"])) == (503, [])
            assert "read-only" in refused.json()["refusal"]
        finally:
            only_read("off")
        until(lambda: not web.post("/api/matches", json={"scenario": "weissenberg"}).is_error)
        assert end().status_code == 200


# ------------------------------------------------------------------ two servers


def test_two_servers_on_one_store_lose_and_double_nothing(
    address: Path | str, answers: list[object]
) -> None:
    """Two players answer the same match, each at his own server, and look again if refused."""
    wanted = answers[:20]
    with server(address) as one, server(address) as two, one.client() as web:
        view = new(web)
        path = f"/api/matches/{view['id']}"
        accepted: list[int] = []

        def play(running: Server) -> None:
            with running.client() as mine:
                while True:
                    version = mine.get(path).json()["version"]
                    if version >= len(wanted):
                        return
                    body = {"version": version, "answer": wanted[version]}
                    status = mine.post(f"{path}/answers", json=body).status_code
                    assert status in (200, 409)
                    if status == 200:
                        accepted.append(version)

        threads = [Thread(target=play, args=(running,)) for running in (one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(accepted) == list(range(len(wanted)))
        for running in (one, two):
            with running.client() as mine:
                assert stored(mine, view["id"]) == wanted


def test_a_page_at_one_server_learns_what_is_done_at_the_other(address: Path | str) -> None:
    with server(address) as one, server(address) as two, one.client() as web, two.client() as other:
        view = new(web)
        path = f"/api/matches/{view['id']}"
        with other.stream("GET", f"{path}/events") as stream:
            told = (line for line in stream.iter_lines() if line.startswith("id:"))
            assert next(told) == f"id: {view['version']}"
            web.post(f"{path}/answers", json={"version": view["version"], "answer": ["end"]})
            assert next(told) == f"id: {view['version'] + 1}"
            assert other.get(path).json()["version"] == view["version"] + 1


def test_seats_chat_and_dice_of_a_match_apart_go_across_two_servers(address: Path | str) -> None:
    """Each player has a server of his own; what one does is news at the other's."""
    with (
        server(address) as one,
        server(address) as two,
        one.client() as web,
        two.client() as there,
        apart(web) as match,
    ):
        german, allied = match.sit("german"), Seat(there, match.id)
        match.take(allied, "allied")
        dice = {
            seat: DiceClient(seat, asking(by.web, match.id))
            for seat, by in (("german", german), ("allied", allied))
        }
        with closing(allied.web), allied.web.stream("GET", allied.api("/events")) as events:
            told = events.iter_lines()
            assert "event: news" in told  # as it is now
            german.web.post(german.api("/chat"), json={"text": "Well met"})
            assert "event: news" in told
            (line,) = allied.web.get(allied.api("/chat")).json()["lines"]
            assert (line["seat"], line["text"]) == ("german", "Well met")
            to_commitment(german, allied)
            for seat, by in (("german", german), ("allied", allied)):
                (own,) = [half for half in by.show()["asking"]["sides"] if half["id"] == seat]
                by.act("/commit", side=seat, option=own["options"][0]["answer"])
            assert f"id: {german.show()['version']}" in told
            for client in (dice["german"], dice["allied"]):
                client.begin()
            assert "event: news" in told
            states = [dice[seat].answer() for seat in ("german", "allied", "german", "allied")]
            assert f"id: {german.show()['version']}" in told
            assert states[2]["made"] == states[3]["made"]
            assert [roll["roll"] for roll in states[3]["made"]] == [1]
            late = match.sit("allied")  # at the other server: another device, which exchanges
            assert late.web.post(late.api("/seats/allied/link")).status_code == 200
            assert "event: gone" in told


def test_a_server_stopped_in_good_order_leaves_one_file(tmp_path: Path) -> None:
    with server(tmp_path / "matches.sqlite") as running, running.client() as web:
        new(web)
        running.signal(signal.SIGTERM)
        until(lambda: running.ended)
    assert [path.name for path in tmp_path.iterdir()] == ["matches.sqlite"]
