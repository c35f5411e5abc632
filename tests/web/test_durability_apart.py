"""What the server promises of matches apart: halves, links for dice, secret links, chat and looks
that it has acknowledged are there, whatever happens to it."""

import json
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import sleep

import httpx
import pytest
from click.testing import CliRunner

from grognard.cli.main import main
from grognard.matches.dice_client import DiceClient
from grognard.matches.seats import WATCH
from grognard.matches.storage.checking import check as check_store
from grognard.matches.storage.dice import chains_of, reveals_of
from grognard.matches.storage.seats import Place, SeatTables
from grognard.matches.storage.store import Store
from tests.processes import PATIENCE
from tests.tiers import sized
from tests.web.fair_match import ATTACK, Apart, Json, Seated, asking, begun
from tests.web.serving import Server, forked_server, server
from tests.web.test_durability import small_disk

pytestmark = pytest.mark.process

KILLS = sized(3, soak=200)
AWHILE = 0.5  # seconds of play before a kill, at most; a match takes about as long


class Told:
    """Notes what the server has acknowledged of a match apart."""

    def __init__(self) -> None:
        self.id = ""
        self.posts: list[tuple[str, Json, Json]] = []  # path, body, answer
        self.cut_off = 0  # requests that were under way when the server was killed

    def note(self, response: httpx.Response) -> None:
        """Note a request that was answered; for `event_hooks`."""
        response.read()
        if response.request.method != "POST" or not response.is_success:
            return
        body, answer = json.loads(response.request.content), response.json()
        if response.request.url.path == "/api/matches":
            self.id, self.posts = answer["id"], []
        else:
            path = response.request.url.path.rpartition(self.id)[2]
            self.posts.append((path, body, answer))

    def client(self, running: Server) -> httpx.Client:
        web = running.client()
        web.event_hooks = {"response": [self.note]}
        return web

    def of(self, path: str) -> list[tuple[Json, Json]]:
        return [(body, answer) for found, body, answer in self.posts if found == path]

    def check(self, address: Path | str) -> None:
        """All that was told is in the store."""
        if not self.id:
            return
        with Store(address) as store:
            links, whole = SeatTables(store.database), store.whole(self.id)
            versions = [answer.get("version", 0) for _, _, answer in self.posts]
            assert whole.kept.version >= max(versions, default=0)
            told = [body["text"] for body, _ in self.of("/chat")]
            assert [line.text for line in links.chat(self.id)][: len(told)] == told
            with store.database.transaction(write=False):
                anchors = {(one.side, one.anchor) for one in chains_of(store.database, self.id)}
                revealed = reveals_of(store.database, self.id)
            values = {(one.side, one.roll, one.value) for one in revealed}
            for body, _ in self.of("/dice/anchor"):
                assert (body["side"], body["anchor"]) in anchors
            for body, _ in self.of("/dice/reveal"):
                assert (body["side"], body["roll"], body["value"]) in values
            committed = {body["side"] for body, _ in self.of("/commit")}
            if len(committed) == 1 and not whole.kept.version > max(versions):
                assert set(whole.halves) == committed
            for _, answer in self.of(f"/seats/{WATCH}/link")[-1:]:
                place = links.place_of(answer["link"].rpartition("/")[2])
                assert place == Place(self.id, WATCH)
            for _, answer in self.of("/looked")[-1:]:
                assert links.last_look(Place(self.id, "german")) >= answer["answers"]


def play(web: httpx.Client, n: int) -> Apart:
    """Play a match apart to its first roll, with all that two players do beside it."""
    web.auth = httpx.Auth()  # that of the match before
    match = Apart(web, begun(web))
    match.post("chat", text=f"Bonsoir {n}")
    for answer in ATTACK[:1]:
        match.step(answer)
    match.post("looked", answers=1)
    match.post(f"seats/{WATCH}/link")
    for answer in ATTACK[1:]:
        match.step(answer)
    match.roll()
    match.post("chat", text=f"Salut {n}")
    return match


def play_many(web: httpx.Client) -> None:
    for n in range(1_000):
        play(web, n)


def test_what_a_killed_server_has_acknowledged_of_matches_apart_is_there(
    address: Path | str,
) -> None:
    random, told = Random(2026), Told()

    def play_on(running: Server, begun: Event, stop: Event) -> None:
        with told.client(running) as web:
            try:
                for n in range(1_000):
                    play(web, n)
                    begun.set()
                    if stop.is_set():
                        return
            except httpx.TransportError:
                told.cut_off += 1

    with forked_server(address) as running:
        for _ in range(KILLS):
            begun, stop = Event(), Event()
            thread = Thread(target=play_on, args=(running, begun, stop))
            thread.start()
            assert begun.wait(PATIENCE)
            sleep(random.random() * AWHILE)
            stop.set()
            running.kill()
            running.start()
            thread.join(PATIENCE)
            told.check(address)
    assert told.cut_off  # some kills fell into the middle of requests
    found = check_store(address)
    assert (found.damaged, found.problems) == ([], [])


def test_a_full_disk_loses_nothing_of_a_match_apart(tmp_path: Path) -> None:
    told = Told()
    with small_disk(tmp_path / "disk") as disk:
        filler, file = disk / "filler", disk / "matches.sqlite"
        filler.write_bytes(bytes(500_000))
        with server(file) as running, told.client(running) as web:
            with pytest.raises(AssertionError, match="disk"):
                play_many(web)
            filler.unlink()
            told.check(file)
            play(web, 0)
            told.check(file)
        assert check_store(file).problems == []


def test_two_players_at_two_servers_make_one_match(address: Path | str) -> None:
    """Each side has a server of its own: orders, halves, links for dice, chat."""
    told, random = Told(), Random(7)
    with (
        server(address) as one,
        server(address) as two,
        told.client(one) as german,
        told.client(two) as allied,
    ):
        seats = {"german": german, "allied": allied}
        match = Apart(german, begun(german))
        for side, web in seats.items():
            web.auth = Seated(match.secrets, match.turn)
            match.clients[side] = DiceClient(side, asking(web, match.id))
        for n in range(12):
            match.sit(random.choice([german, allied]))
            match.step(ATTACK[n] if n < len(ATTACK) else None)
            match.post("chat", text=str(n))
            shown = [web.get(match.path).json() for web in seats.values()]
            assert shown[0]["version"] == shown[1]["version"]
        assert match.rolls
        told.check(address)
        chats = [web.get(f"{match.path}/chat").json()["lines"] for web in seats.values()]
        assert chats[0] == chats[1]
        assert [line["text"] for line in chats[0]] == [str(n) for n in range(12)]
        checked = allied.post("/api/matches/import", json={"match": match.file()})
        assert checked.json()["origin"] == "checked"


def test_a_backup_is_restored_and_played_on(tmp_path: Path) -> None:
    """With the same links, the same chains of dice, and all that was said before."""
    file, saved, told = tmp_path / "matches.sqlite", tmp_path / "saved.sqlite", Told()
    with server(file) as running, told.client(running) as web:
        match = play(web, 1)
        done = CliRunner().invoke(main, ["store", "backup", str(file), str(saved)])
        assert done.exit_code == 0, done.output
        match.post("chat", text="this is lost with the store")
    for old in tmp_path.glob("matches.sqlite*"):
        old.unlink()
    saved.rename(file)
    with server(file) as running, running.client() as web:
        match.sit(web)
        for side, former in match.clients.items():
            match.clients[side] = DiceClient(side, asking(web, match.id), former.notes)
        assert web.get(match.path).json()["version"] == match.version
        match.play(match.rolls + 1)
        lines = [line["text"] for line in web.get(f"{match.path}/chat").json()["lines"]]
        assert lines == ["Bonsoir 1", "Salut 1"]
        checked = web.post("/api/matches/import", json={"match": match.file()})
        assert checked.json()["origin"] == "checked"
    assert check_store(file).problems == []
