"""Your turn: recap since you last looked, chat, Atom feed, webhook."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from xml.etree import ElementTree

import httpx
import pytest

from grognard import Refusal
from grognard.matches.storage.rows import New
from grognard.matches.storage.seats import Place
from grognard.matches.storage.store import Store
from grognard.web.app import create
from grognard.web.lanes.answering import Cold
from grognard.web.matches import chat_part, feed, webhook
from grognard.web.matches.live_matches import Live
from grognard.web.matches.webhook import Webhook, reference
from grognard.web.server_config import ServerConfig
from tests.processes import PATIENCE, until
from tests.sqlite_file import change
from tests.web.apart import Apart, Seat, apart, to_commitment
from tests.web.serving import client, served

ATOM = "{http://www.w3.org/2005/Atom}"
SCRIPT = "<script>alert('1')</script> & \"quotes\""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


@pytest.fixture
def match(file: Path) -> Iterator[Apart]:
    with client(file) as web, apart(web) as made:
        yield made


# ------------------------------------------------------------------ recap


def test_the_recap_tells_what_happened_since_the_seat_last_looked(match: Apart) -> None:
    german, allied = match.sit("german"), match.sit("allied")
    german.act("/answers", answer=["move", "21/20Pz", "1811"])
    german.act("/answers", answer=["move", "59/20Pz", "1809"])

    def told(seat: Seat) -> list[str]:
        steps = seat.web.get(seat.api("/recap")).json()["steps"]
        return [move["unit"] for step in steps for move in step["moves"]]

    assert told(allied) == ["21/20Pz", "59/20Pz"]
    assert told(german) == []  # his own deeds
    answers = len([e for e in allied.show()["log"]["entries"] if e["entry"] == "order"])
    allied.web.post(allied.api("/looked"), json={"answers": 1})
    assert told(allied) == ["59/20Pz"]
    assert 'data-recap="' in allied.web.get(f"/matches/{match.id}").text
    looked = allied.web.post(allied.api("/looked"), json={"answers": 999}).json()
    assert looked == {"answers": answers}
    assert told(allied) == []
    assert 'data-recap="' not in allied.web.get(f"/matches/{match.id}").text
    assert told(match.sit("watch")) == ["21/20Pz", "59/20Pz"]  # each seat has its own look


def test_the_page_tells_whose_turn_it_is(match: Apart) -> None:
    german, allied = match.sit("german"), match.sit("allied")
    own = [seat.web.get(f"/matches/{match.id}").text for seat in (german, allied)]
    assert ["data-own-turn" in page for page in own] == [True, False]
    assert "The other side thinks." in own[1]


# ------------------------------------------------------------------ chat


def test_the_sides_chat_and_who_watches_reads(match: Apart) -> None:
    german, allied, watcher = match.sit("german"), match.sit("allied"), match.sit("watch")
    before = allied.show()["news"]
    german.web.post(german.api("/chat"), json={"text": "  Bonjour \n  !  "})
    assert allied.show()["news"] > before
    for seat in (german, allied, watcher):
        (line,) = seat.web.get(seat.api("/chat")).json()["lines"]
        assert (line["seat"], line["text"]) == ("german", "Bonjour !")
    assert watcher.web.post(watcher.api("/chat"), json={"text": "x"}).status_code == 403
    allied.web.post(allied.api("/chat"), json={"text": "Salut"})
    newer = german.web.get(german.api("/chat"), params={"first": "1"}).json()["lines"]
    assert [line["text"] for line in newer] == ["Salut"]


def test_script_in_chat_and_names_stays_text(match: Apart) -> None:
    german, allied = match.sit("german"), match.sit("allied")
    german.web.post(german.api("/chat"), json={"text": SCRIPT})
    german.web.patch(german.api(), json={"name": SCRIPT})
    for path in (f"/matches/{match.id}", "/matches", "/", f"/matches/{match.id}/story"):
        page = allied.web.get(path).text
        assert SCRIPT not in page
        assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in allied.web.get(f"/matches/{match.id}").text
    shown = allied.web.get(f"/matches/{match.id}/parts").json()
    assert "&lt;script&gt;alert" in shown["chat"]
    assert "<script>" not in "".join([*shown["parts"].values(), shown["chat"]])


def test_the_page_gets_only_the_lines_that_it_does_not_show(match: Apart) -> None:
    """However long the chat is, an order costs no more: neither here nor on the other side."""
    german, allied = match.sit("german"), match.sit("allied")
    for text in ("Bonsoir", "Salut"):
        german.web.post(german.api("/chat"), json={"text": text})
    page = allied.web.get(f"/matches/{match.id}").text
    assert page.count("<li data-line=") == 2

    def lines(**query: int) -> str:
        shown = allied.web.get(f"/matches/{match.id}/parts", params=query).json()
        assert "Bonsoir" not in "".join(shown["parts"].values())
        return str(shown["chat"])

    assert lines().count("<li data-line=") == 2
    assert [word in lines(line=1) for word in ("Bonsoir", "Salut")] == [False, True]
    assert lines(line=2).strip() == ""


def test_what_turns_the_writing_is_taken_out_of_chat_and_names(match: Apart) -> None:
    german = match.sit("german")
    odd = " a\u202eb\r\nc\x00\u2066 d "
    german.web.patch(german.api(), json={"name": odd})
    german.web.post(german.api("/chat"), json={"text": odd})
    (line,) = german.web.get(german.api("/chat")).json()["lines"]
    assert (german.show()["name"], line["text"]) == ("ab c d", "ab c d")
    german.web.patch(german.api(), json={"name": "\u202e"})  # nothing is left of it
    assert german.show()["name"] == "ab c d"


@pytest.mark.parametrize(
    "unseen", "\u061c\u200b\u200d\u2060\u00ad\ufeff\u3164\u2800\ufe0f\U000e0041"
)
def test_nobody_has_a_name_or_says_a_line_that_can_not_be_seen(match: Apart, unseen: str) -> None:
    german = match.sit("german")
    assert german.web.post(german.api("/chat"), json={"text": unseen * 3}).status_code == 422
    german.web.patch(german.api(), json={"name": unseen})
    assert german.show()["name"] == match.begun["name"]
    german.web.patch(german.api(), json={"name": f"Tues{unseen}day {unseen} é"})
    assert german.show()["name"] == "Tuesday é"


def test_a_line_is_limited_in_length_number_and_pace(
    match: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    german, allied = match.sit("german"), match.sit("allied")

    def says(seat: Seat, text: str) -> int:
        return seat.web.post(seat.api("/chat"), json={"text": text}).status_code

    assert says(german, "x" * 300) == 200
    for text in ("x" * 301, "", " \n ", "\u202e\u0007"):
        assert says(german, text) == 422
    for _ in range(9):
        assert says(german, "x") == 200
    assert says(german, "x") == 429
    assert says(allied, "x") == 200  # the pace is of one seat
    monkeypatch.setattr(chat_part, "LINES", 11)
    assert says(allied, "x") == 422


def test_a_damaged_line_costs_nothing_but_itself(match: Apart, file: Path) -> None:
    german = match.sit("german")
    for text in ("one", "two"):
        german.web.post(german.api("/chat"), json={"text": text})
    change(file, "UPDATE chat SET text = 'forged' WHERE n = 0")
    lines = german.web.get(german.api("/chat")).json()["lines"]
    assert [line["text"] for line in lines] == ["", "two"]
    assert "forged" not in german.web.get(f"/matches/{match.id}").text


# ------------------------------------------------------------------ the feed


def read_feed(seat: Seat, path: str) -> ElementTree.Element:
    answer = seat.web.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.text)
    check_atom(feed)
    return feed


def check_atom(feed: ElementTree.Element) -> None:
    """RFC 4287: what a feed and its entries must have, once each; times by RFC 3339."""
    assert feed.tag == f"{ATOM}feed"
    for part in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(part.findall(f"{ATOM}{name}")) == 1
        assert part.findtext(f"{ATOM}id", "").startswith("urn:uuid:")
        stamp = part.findtext(f"{ATOM}updated", "")
        time.strptime(stamp[:19] + stamp[-1], "%Y-%m-%dT%H:%M:%SZ")
        (link,) = part.findall(f"{ATOM}link")
        assert link.attrib["href"].startswith("http")
    assert feed.find(f"{ATOM}author/{ATOM}name") is not None  # serves for its entries too


def test_a_feed_tells_by_a_secret_link_when_it_is_your_turn(match: Apart) -> None:
    german, allied, reader = match.sit("german"), match.sit("allied"), match.stranger()
    german.web.patch(german.api(), json={"name": f"x\u0001{SCRIPT}"})
    feeds = {seat: seat.web.post(seat.api("/feed")).json()["feed"] for seat in (german, allied)}

    def titles(seat: Seat) -> list[str]:
        entries = read_feed(reader, feeds[seat]).findall(f"{ATOM}entry")
        return [entry.findtext(f"{ATOM}title", "") for entry in entries]

    assert [title.startswith("Your turn – ") for title in titles(german)] == [True]
    assert titles(allied) == []
    german.act("/answers", answer=["move", "21/20Pz", "1811"])
    german.act("/undo")
    assert [title.split(" – ")[0] for title in titles(allied)] == [
        "The other side asks to take its last answer back"
    ]
    (entry,) = read_feed(reader, feeds[allied]).findall(f"{ATOM}entry")
    assert "21/20Pz" in entry.findtext(f"{ATOM}content", "")
    # The link reads news and nothing else.
    secret = feeds[german].partition("?")[0].rpartition("/")[2]
    headers = {"authorization": f"Bearer {secret}"}
    assert reader.web.get(german.api(), headers=headers).status_code == 404
    assert reader.web.get(f"/seat/{secret}").status_code == 404
    german.web.post(german.api("/feed"))  # a new link ends the former one
    assert reader.web.get(feeds[german]).status_code == 404


def entries(reader: Seat, feed: str) -> list[dict[str, str]]:
    """Read the entries of a feed: id, title, time and text of each."""
    return [
        {
            name: entry.findtext(f"{ATOM}{name}", "")
            for name in ("id", "title", "updated", "content")
        }
        for entry in read_feed(reader, feed).findall(f"{ATOM}entry")
    ]


def ended(seat: Seat) -> None:
    """End phases of the turn of a side until it is the other's; choose what is offered first."""
    side = seat.show()["seat"]["id"]
    while side in (view := seat.show())["awaits"]:
        match view["asking"]["ask"]:
            case "roll":
                seat.act("/roll")
            case "choose":
                seat.act("/answers", answer=view["asking"]["options"][0]["answer"])
            case _:
                seat.act("/answers", answer=["end"])


def test_a_feed_has_an_entry_for_each_time_that_it_became_your_turn(match: Apart) -> None:
    """Newest first, each with its own id and time, which stay; with what the other side did."""
    match.trust_the_server()
    german, allied, reader = match.sit("german"), match.sit("allied"), match.stranger()
    feeds = {seat: seat.web.post(seat.api("/feed")).json()["feed"] for seat in (german, allied)}
    seen: dict[Seat, list[dict[str, str]]] = {german: [], allied: []}
    moves = {german: ["move", "21/20Pz", "1811"], allied: None}
    for _ in range(3):
        for seat, other in ((german, allied), (allied, german)):
            mine, theirs = entries(reader, feeds[seat]), entries(reader, feeds[other])
            # One more for the side whose turn it is; all that was told before stays as it was.
            assert mine[1:] == seen[seat]
            assert theirs == seen[other]
            assert mine[0]["title"].startswith("Your turn")
            seen[seat] = mine
            if move := moves[seat]:
                seat.act("/answers", answer=move)
                moves[seat] = None
                assert entries(reader, feeds[seat]) == mine  # an order of one's own tells nothing
            ended(seat)
    for told in seen.values():
        assert len(told) == 3
        assert len({entry["id"] for entry in told}) == 3
        times = [entry["updated"] for entry in told]
        assert times == sorted(times, reverse=True)
    assert "21/20Pz" in seen[allied][-1]["content"]  # what was done before his first turn
    assert "21/20Pz" not in seen[allied][0]["content"]  # and not again before the next
    assert "21/20Pz" not in "".join(entry["content"] for entry in seen[german])  # his own deed


def test_a_turn_after_an_undo_is_another_entry(match: Apart) -> None:
    german, allied, reader = match.sit("german"), match.sit("allied"), match.stranger()
    feed = allied.web.post(allied.api("/feed")).json()["feed"]
    ended(german)
    (first,) = entries(reader, feed)
    german.act("/undo")
    wish, same = entries(reader, feed)
    assert (wish["title"].split(" – ")[0], same) == (
        "The other side asks to take its last answer back",
        first,
    )
    allied.act("/undo/consent", agreed=True)
    assert entries(reader, feed) == []
    ended(german)
    (again,) = entries(reader, feed)
    assert again["id"] not in (first["id"], wish["id"])


def test_a_feed_tells_the_end_of_a_match_to_all_and_at_most_twenty_entries(
    match: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.trust_the_server()
    seats = {seat: match.sit(seat) for seat in ("german", "allied", "watch")}
    feeds = {name: seat.web.post(seat.api("/feed")).json()["feed"] for name, seat in seats.items()}
    assert entries(seats["watch"], feeds["watch"]) == []  # it is never the turn of who watches
    while awaits := seats["german"].show()["awaits"]:
        ended(seats[awaits[0]])
    told = {name: entries(seats["watch"], feeds[name]) for name in seats}
    for found in told.values():
        assert found[0]["title"].startswith("The match is over")
        assert [entry["title"].split(" – ")[0] for entry in found[1:]] == ["Your turn"] * (
            len(found) - 1
        )
    assert len(told["watch"]) == 1
    assert len(told["german"]) > 4
    monkeypatch.setattr(feed, "ENTRIES", 3)
    assert entries(seats["watch"], feeds["german"]) == told["german"][:3]
    assert told["german"][0]["id"] != told["allied"][0]["id"]  # a reader may follow both


def test_times_that_were_not_noted_are_not_invented(file: Path, match: Apart) -> None:
    """Of a match that an older program stored, the feed tells the present alone."""
    german, allied = match.sit("german"), match.sit("allied")
    feed_ = allied.web.post(allied.api("/feed")).json()["feed"]
    ended(german)
    ended(allied)
    ended(german)
    assert len(entries(german, feed_)) == 2
    change(file, "UPDATE answers SET at = ''")
    (told,) = entries(german, feed_)
    assert told["updated"] == german.show()["changed"]
    change(file, "UPDATE answers SET at = '<damaged>'")
    assert entries(german, feed_) == [told]


def test_a_feed_names_no_hidden_counter(file: Path) -> None:
    with client(file) as web, apart(web, "bautzen-1945") as match:
        allied, german = match.sit("allied"), match.sit("german")
        for unit in ("936/254", "24/7Gd"):
            allied.act("/answers", answer=["place", unit, "1407"])
        allied.act("/answers", answer=["end"])
        feed = german.web.post(german.api("/feed")).json()["feed"]
        text = german.web.get(feed).text
        assert "24/7Gd" not in text
        assert "936/254" in text


# ------------------------------------------------------------------ the webhook


class Receiver(BaseHTTPRequestHandler):
    """Notes what is posted, and answers with the next status that it was told."""

    got: "Queue[tuple[str, dict[str, str]]]"
    statuses: list[int]

    def do_POST(self) -> None:  # the name is given
        body = self.rfile.read(int(self.headers["content-length"]))
        self.got.put((self.path, json.loads(body)))
        status = self.statuses.pop(0) if self.statuses else 200
        self.send_response(status)
        if status == 302:
            self.send_header("location", "/elsewhere")
        self.end_headers()

    do_GET = do_POST  # noqa: N815  # a redirect that is followed would come as GET

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def receiving(*statuses: int) -> Iterator[tuple[str, "Queue[tuple[str, dict[str, str]]]"]]:
    got: Queue[tuple[str, dict[str, str]]] = Queue()
    handler = type("Handler", (Receiver,), {"got": got, "statuses": list(statuses)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/hook", got
        finally:
            server.shutdown()
            thread.join(PATIENCE)


def test_the_webhook_is_told_whose_turn_it_is_without_secrets(file: Path) -> None:
    with (
        receiving() as (url, got),
        served(create(file, config=ServerConfig(webhook=url))) as web,
        apart(web, "pulkovo") as match,
    ):
        seats = {seat: match.sit(seat) for seat in ("ano", "red")}
        first = seats["ano"].show()["awaits"][0]
        other = next(seat for seat in seats if seat != first)
        while other not in seats[first].show()["awaits"]:
            seats[first].act("/answers", answer=["end"])
        path, notice = got.get(timeout=PATIENCE)
        assert path == "/hook"
        assert notice == {"seat": seats[other].show()["seat"]["reference"], "event": "your turn"}
        for secret in (match.id, "Pulkovo", *match.links.values()):
            assert secret not in str(notice)


@pytest.mark.process
def test_the_webhook_is_told_when_an_automatic_side_hands_the_turn_over(file: Path) -> None:
    """It plays in a worker, which does not know the address."""
    with (
        receiving() as (url, got),
        served(create(file, config=ServerConfig(webhook=url))) as web,
        apart(web, "pulkovo", autos=["red"], level="sergeant") as match,
    ):
        match.trust_the_server()
        own = match.sit("ano")
        while "ano" in own.show()["awaits"]:
            own.act("/answers", answer=["end"])
        assert got.get(timeout=PATIENCE)[1]["seat"] == own.show()["seat"]["reference"]


def test_a_turn_is_told_also_if_the_match_is_then_shown_by_a_worker(file: Path) -> None:
    """An order may be light, and its answer too heavy for the server itself."""
    with Store(file) as store:
        live = Live(store)
        kept, _ = live.keep(New(name="x", scenario="weissenberg", options={}, apart=True), None)
        with suppress(Cold), live.opened(kept.id, "german") as seen:
            while seen.to_move:
                seen.answer(seen.kept.version, ("end",))
            raise Cold
        assert live.take_turns() == (Place(kept.id, "allied"),)
        with pytest.raises(Refusal), live.opened(kept.id, "german") as seen:
            seen.answer(seen.kept.version, ("end",))  # it is not his turn
        assert live.take_turns() == ()


def test_a_webhook_tries_again_and_follows_no_redirect() -> None:
    place = Place("match", "german")
    with receiving(500, 503) as (url, got), Webhook(url, pause=0.01) as hook:
        hook.tell_turn(place)
        for _ in range(3):
            assert got.get(timeout=PATIENCE)[1]["seat"] == reference(place)
        with pytest.raises(Empty):
            got.get(timeout=0.2)
    with receiving(302, 302, 302) as (url, got), Webhook(url, pause=0.01) as hook:
        hook.tell_turn(place)
        assert [got.get(timeout=PATIENCE)[0] for _ in range(3)] == ["/hook"] * 3
        with pytest.raises(Empty):
            got.get(timeout=0.2)


@contextmanager
def speaking(first: bytes) -> Iterator[tuple[str, "Queue[bytes]"]]:
    """A server whose first answer is no HTTP; an empty one breaks the connection off."""
    got: Queue[bytes] = Queue()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for answer in (first, b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"):
                connection, _ = listening.accept()
                with connection:
                    connection.settimeout(PATIENCE)
                    got.put(connection.recv(65536))
                    connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/hook", got
        thread.join(PATIENCE)


@pytest.mark.parametrize(
    "answer", [b"", b"what?\r\n\r\n", b"HTTP/1.1 " + b"9" * 70_000 + b"\r\n\r\n"]
)
def test_a_webhook_goes_on_after_an_answer_that_is_no_http(answer: bytes) -> None:
    with speaking(answer) as (url, got), Webhook(url, pause=0.01) as hook:
        hook.tell_turn(Place("match", "german"))
        for _ in range(2):
            assert got.get(timeout=PATIENCE).startswith(b"POST /hook")


def test_a_webhook_goes_on_after_a_refused_connection(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Webhook(f"http://127.0.0.1:{port}/hook", pause=0.01) as hook:
        for n in (1, 2):
            hook.tell_turn(Place("match", "german"))
            until(lambda n=n: len(caplog.records) == n)  # type: ignore[misc]
    assert all("the webhook does not answer" in one.getMessage() for one in caplog.records)


def test_a_webhook_that_does_not_answer_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notices beyond the limit are dropped; nobody waits."""
    monkeypatch.setattr(webhook, "WAITING", 3)
    hook = Webhook("http://127.0.0.1:9/nobody")
    for n in range(10):
        hook.tell_turn(Place("match", str(n)))  # no thread sends; this returns all the same


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/", "hook", "http://"])
def test_a_webhook_is_an_address_of_the_web(url: str) -> None:
    with pytest.raises(Refusal, match="no address for a webhook"):
        Webhook(url)


# ------------------------------------------------------------------ honest logs


def test_typed_and_rolled_dice_are_told_apart_for_ever(file: Path) -> None:
    def sources(web: httpx.Client, id_: str) -> list[str]:
        entries = web.get(f"/api/matches/{id_}").json()["log"]["entries"]
        return [entry["source"] for entry in entries if entry["entry"] == "roll"]

    with client(file) as web:
        ids = []
        for typed in (True, False):
            id_ = web.post("/api/matches", json={"scenario": "weissenberg"}).json()["id"]
            table = Seat(web, id_)
            to_commitment(table, table)
            table.act("/answers", answer=[[0, 0], [0, 0]])
            view = table.act("/answers", answer=[5]) if typed else table.act("/roll")
            assert view["log"]["entries"]
            table.web.close()
            ids.append(id_)
        assert [sources(web, id_) for id_ in ids] == [["typed"], ["rolled"]]
        pages = [web.get(f"/matches/{id_}").text for id_ in ids]
        assert ["✎ typed" in page for page in pages] == [True, False]
        assert ["⚄ rolled here" in page for page in pages] == [False, True]
        files = [web.get(f"/api/matches/{id_}/file").json() for id_ in ids]
        assert files[0]["sources"].count("typed") == 1
        assert web.get(f"/api/matches/{ids[0]}/story").json()["dice"] == {"typed": 1}
    with client(file) as web:  # after a restart
        assert [sources(web, id_) for id_ in ids] == [["typed"], ["rolled"]]
        made = web.post("/api/matches/import", json={"match": files[1]}).json()
        assert made["origin"] == "imported"
        assert sources(web, made["id"]) == ["imported"]  # whatever the file says of itself
        page = web.get(f"/matches/{made['id']}").text
        assert "Imported from a file; its dice can&#39;t be checked." in page
        del files[0]["sources"]  # a file of an older version
        assert web.post("/api/matches/import", json={"match": files[0]}).status_code == 201
        files[1]["sources"] = files[1]["sources"][1:]
        refused = web.post("/api/matches/import", json={"match": files[1]})
        assert (refused.status_code, refused.json()["place"]) == (422, "match.sources")
