"""Attacks that would starve others or lead them astray: oversized, slow, packed, foreign, crooked.

Attacks on seats, links and secrets have tests of their own.
"""

import gzip
import json
import socket
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import httpx
import psutil
import pytest

from grognard.web.limits import BODY, LINK
from grognard.web.quick import packed_links
from tests.processes import PATIENCE, until
from tests.web.open_server import NAME, Opened, everything, open_server

LIMITS = """
[limits]
request-seconds = 1
answer-seconds = 1
visitor-connections = 30
"""
HOST = f"Host: {NAME}\r\n".encode()


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with open_server(tmp_path_factory.mktemp("attacked"), LIMITS) as server:
        yield server


def alive(opened: Opened) -> bool:
    return httpx.get(f"{opened.url}/health", timeout=PATIENCE).status_code == 200


# ------------------------------------------------------------------ slow


SLOW = {
    "nothing at all": b"",
    "half a head": b"GET / HTTP/1.1\r\n" + HOST,
    "half a body": b"POST /api/odds HTTP/1.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n" + HOST + b"\r\n{",
    "a chunk that never comes": b"POST /api/odds HTTP/1.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n" + HOST + b"\r\n",
}


@pytest.mark.process
@pytest.mark.parametrize("begun", SLOW.values(), ids=SLOW)
def test_forty_slow_sockets_are_closed(opened: Opened, begun: bytes) -> None:
    """At most 30 are there at once, and after a second none."""
    clients = [opened.connect() for _ in range(40)]
    try:
        for client in clients:
            try:
                client.sendall(begun)
            except OSError:  # closed at once: one too many
                continue
        for client in clients:
            everything(client)  # it ends
    finally:
        for client in clients:
            client.close()
    until(lambda: alive(opened))


def is_closed(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


@pytest.mark.process
@pytest.mark.parametrize("limit", ["connections", "visitor-connections"])
def test_only_so_many_connections_stay_open(tmp_path: Path, limit: str) -> None:
    """Those beyond the limit are closed at once, though a request may still come for 20 seconds."""
    with open_server(tmp_path, f"[limits]\n{limit} = 10\n") as server, ExitStack() as stack:
        begun = monotonic()
        clients = [stack.enter_context(server.connect()) for _ in range(25)]
        until(lambda: sum(map(is_closed, clients)) >= 15)
        assert sum(map(is_closed, clients)) == 15 or monotonic() - begun > 20  # a busy machine
        stack.close()
        until(lambda: alive(server))


@pytest.mark.process
def test_a_head_that_drips_is_closed_although_something_always_comes(opened: Opened) -> None:
    with opened.connect() as client:
        client.sendall(b"GET / HTTP/1.1\r\n" + HOST)
        ended, until_ = False, monotonic() + PATIENCE
        while not ended and monotonic() < until_:
            try:
                client.sendall(b"X: y\r\n")
                client.settimeout(0.2)
                ended = not client.recv(1)
            except TimeoutError:
                continue
            except OSError:
                ended = True
        assert ended


@pytest.mark.process
def test_a_reader_who_does_not_read_is_let_go(opened: Opened) -> None:
    """He asks for much again and again, and takes none of it."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", opened.port))
        client.sendall((b"GET /api/games/normandy HTTP/1.1\r\n" + HOST + b"\r\n") * 200)
        ours = client.getsockname()[1]
        server = psutil.Process(opened.process.pid)

        def connected() -> bool:
            return any(
                one.raddr and one.raddr.port == ours for one in server.net_connections("tcp")
            )

        until(lambda: not connected())
        whole = len(httpx.get(f"{opened.url}/api/games/normandy", timeout=PATIENCE).content)
        assert len(everything(client)) < 200 * whole  # he was let go before the end
    assert alive(opened)


@pytest.mark.process
def test_a_quick_client_with_a_quiet_connection_is_not_disturbed(opened: Opened) -> None:
    """One that has been answered may wait for its next request, and a stream for its next event."""
    with httpx.Client(base_url=opened.url, headers={"host": NAME}, timeout=PATIENCE) as web:
        begun = web.post("/api/matches", json={"scenario": "steppe"}).json()
        with web.stream("GET", f"/api/matches/{begun['id']}/events") as stream:
            told = stream.iter_lines()
            assert next(told).startswith("event")
            sleep(2.5)
            renamed = {"name": "On"}
            assert web.patch(f"/api/matches/{begun['id']}", json=renamed).status_code == 200
            assert any(one.startswith("event") for one in told)


# ------------------------------------------------------------------ oversized


@pytest.mark.process
def test_an_endless_head_is_cut_off(opened: Opened) -> None:
    with opened.connect() as client:
        sent = 0
        try:
            client.sendall(b"GET / HTTP/1.1\r\n" + HOST)
            while sent < 100_000_000:
                sent += client.send(b"X-Long: " + b"y" * 8000 + b"\r\n")
        except OSError:
            pass
    assert sent < 20_000_000  # what the system's buffers take beyond the limit
    assert alive(opened)


@pytest.mark.process
def test_an_endless_body_is_cut_off(opened: Opened) -> None:
    head = b"POST /api/odds HTTP/1.1\r\nContent-Type: application/json\r\n" + HOST
    answer = opened.raw(head + f"Content-Length: {BODY + 1}\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 413")
    with opened.connect() as client:
        client.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        try:
            for _ in range(BODY // 0x10000 + 2):
                client.sendall(chunk)
            assert client.recv(100).startswith(b"HTTP/1.1 413")
        except ConnectionError:
            pass  # closed before we had sent it all
    assert alive(opened)


# ------------------------------------------------------------------ packed


def test_a_packed_body_is_not_unpacked(site: httpx.Client) -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    answer = site.post("/api/odds", content=bomb, headers=headers)
    assert answer.status_code == 415
    assert "gzip" in answer.json()["refusal"]


def test_a_packed_link_is_unpacked_only_so_far(site: httpx.Client) -> None:
    """A link of a few kilobytes could hold megabytes."""
    fingerprint, words = packed_links._presets()["bautzen/attack"]
    packer = zlib.compressobj(9, wbits=-15, zdict=words.encode())
    bomb = packer.compress(json.dumps({"fight": {"x": "y" * 20_000_000}}).encode()) + packer.flush()
    letters = urlsafe_b64encode(bomb).decode().rstrip("=")
    link = f"1{fingerprint}{letters}"
    assert len(link) < LINK
    with pytest.raises(ValueError, match="too long"):
        packed_links.unpack("bautzen", "attack", link)
    assert site.get("/games/bautzen/attack", params={"f": link}).status_code == 422


# ------------------------------------------------------------------ crooked ways


@pytest.mark.process
@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/web/app.py",
        "/static/....//app.py",
        "/static//etc/passwd",
        "/static/..\\app.py",
        "/static/match.js%00.css",
        "/games/..%2f..%2fbautzen/card.toml",
        "/api/games/..%2f..%2f..%2fpyproject",
        "/scenarios/..%2fweissenberg/map.svg",
        "/matches/..%2f..%2fmatches.sqlite",
    ],
)
def test_no_path_leads_out_of_its_folder(opened: Opened, path: str) -> None:
    head = f"GET {path} HTTP/1.1\r\nConnection: close\r\n".encode() + HOST + b"\r\n"
    answer = opened.raw(head)
    assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400")), answer[:100]
    assert b"import " not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize(
    "to",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "\\\\evil.example",
        "/\t/evil.example",
        "\t//evil.example",
        "/\n/evil.example",
        "evil.example",
        "",
    ],
)
def test_no_redirect_leads_to_another_site(site: httpx.Client, to: str) -> None:
    """As a browser resolves it, which leaves out tabs and line ends."""
    # Not with the client of all tests, which would keep the language as a cookie.
    url = f"{str(site.base_url).rstrip('/')}/lang/fr"
    answer = httpx.get(url, params={"to": to}, timeout=PATIENCE)
    assert answer.status_code == 303
    there = answer.headers["location"].replace("\t", "").replace("\n", "").replace("\\", "/")
    assert there.startswith("/")
    assert not there.startswith("//")


@pytest.mark.process
@pytest.mark.parametrize(
    "path", ["//evil.example/", "//evil.example/games/", "/games//evil.example", "/matches/"]
)
def test_a_redirect_stays_on_the_host_that_was_asked(opened: Opened, path: str) -> None:
    head = f"GET {path} HTTP/1.1\r\nConnection: close\r\n".encode() + HOST + b"\r\n"
    answer = opened.raw(head).decode("latin-1").lower()
    for found in (one for one in answer.splitlines() if one.startswith("location:")):
        to = found.removeprefix("location:").strip()
        assert to.startswith(f"http://{NAME}/") or (to.startswith("/") and to[1:2] != "/"), to


@pytest.mark.process
def test_a_foreign_origin_changes_nothing(opened: Opened) -> None:
    with httpx.Client(base_url=opened.url, headers={"host": NAME}, timeout=PATIENCE) as web:
        before = len(web.get("/api/matches").json())
        for headers in (
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"origin": f"https://{NAME}.evil.example"},
            {"sec-fetch-site": "cross-site"},
        ):
            body = {"scenario": "steppe"}
            assert web.post("/api/matches", json=body, headers=headers).status_code == 403
        assert len(web.get("/api/matches").json()) == before
        assert "access-control-allow-origin" not in web.get("/api/matches").headers
