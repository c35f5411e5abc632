"""What no request may do, wherever it goes."""

import socket
from collections.abc import Iterator

import httpx
import pytest

from grognard.web.limits import BODY
from tests.processes import PATIENCE

JSON = {"content-type": "application/json"}
FIGHT = {
    "game": "bautzen",
    "attackers": [{"name": "A", "attack": 8}],
    "defenders": [{"name": "D", "defence": 4}],
}


def refusal(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert set(body) == {"refusal", "place"}
    return str(body["refusal"])


# ------------------------------------------------------------------ who asks


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "", "[::1", "[", "evil.example:80"),
        *("evil@localhost", "localhost#evil", "localhost/evil", "localhost?evil", "localhost:x"),
    ],
)
def test_a_host_that_is_not_ours_is_refused(site: httpx.Client, host: str) -> None:
    answer = site.get("/api/games", headers={"host": host})
    assert f"'{host}'" in refusal(answer, 421)
    assert refusal(site.get("/", headers={"host": host}), 421)


@pytest.mark.parametrize(
    "host", ["localhost", "LocalHost:", "127.0.0.1:8000", "[::1]:8000", "192.168.1.7"]
)
def test_our_names_and_plain_addresses_are_answered(site: httpx.Client, host: str) -> None:
    assert site.get("/api/games", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://localhost"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=str,
)
def test_a_page_of_another_site_may_not_post(site: httpx.Client, headers: dict[str, str]) -> None:
    for method, path in (("POST", "/api/explain"), ("POST", "/api/matches"), ("DELETE", "/api/x")):
        answer = site.request(method, path, json=FIGHT, headers=headers)
        assert "another site" in refusal(answer, 403)


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"referer": "http://evil.example/page", "accept": "image/*"},
    ],
    ids=str,
)
def test_a_page_of_another_site_may_not_show_parts_of_this_one(
    site: httpx.Client, headers: dict[str, str]
) -> None:
    """Not even what is light: many image tags would be much work. Its browser would not show them
    anyway (`cross-origin-resource-policy`)."""
    picture = "/games/bautzen/attack/picture.svg"
    for path in ("/", "/matches", "/api/games", "/matches/none/map.svg", "/feed/none", picture):
        assert "another site" in refusal(site.get(path, headers=headers), 403)
        assert site.head(path, headers=headers).status_code == 403
    assert site.get("/static/icon.svg", headers=headers).status_code == 200


def test_a_link_of_another_site_can_be_followed(site: httpx.Client) -> None:
    followed = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    old = {"referer": "http://evil.example/page", "accept": "text/html,*/*"}
    here = str(site.base_url).rstrip("/")
    own = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
    for headers in (followed, old, {"referer": f"{here}/matches"}, {"origin": here}, own, {}):
        for path in ("/", "/games/bautzen/attack"):
            assert site.get(path, headers=headers).status_code == 200, headers


def test_our_own_page_may_post(site: httpx.Client) -> None:
    own = {"origin": str(site.base_url).rstrip("/"), "sec-fetch-site": "same-origin"}
    assert site.post("/api/explain", json=FIGHT, headers=own).status_code == 200
    typed = {"sec-fetch-site": "none"}
    assert site.post("/api/explain", json=FIGHT, headers=typed).status_code == 200


# ------------------------------------------------------------------ what is sent


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "json"])
def test_a_body_of_another_type_is_refused(site: httpx.Client, kind: str) -> None:
    answer = site.post("/api/explain", content=b"{}", headers={"content-type": kind})
    assert "application/json" in refusal(answer, 415)


def test_a_charset_beside_the_type_does_no_harm(site: httpx.Client) -> None:
    headers = {"content-type": "Application/JSON; charset=utf-8", "accept-language": "fr"}
    answer = site.post("/api/explain", content=b"{}", headers=headers)
    assert answer.status_code == 422


def test_what_takes_no_body_needs_no_type(site: httpx.Client) -> None:
    assert "no match" in refusal(site.delete("/api/matches/unknown"), 404)
    form = {"content-type": "text/plain"}
    assert refusal(site.request("DELETE", "/api/matches/unknown", headers=form), 415)


def test_a_body_that_is_declared_too_long_is_refused_unread(site: httpx.Client) -> None:
    with _connected(site) as line:
        _head(line, site, f"content-length: {BODY + 1}")
        assert _status(line) == 413


def test_a_body_as_long_as_allowed_is_read(site: httpx.Client) -> None:
    answer = site.post("/api/explain", content=b" " * BODY, headers=JSON)
    assert "not JSON" in refusal(answer, 400)
    answer = site.post("/api/explain", content=b" " * (BODY + 1), headers=JSON)
    assert str(BODY) in refusal(answer, 413)


def test_a_body_in_pieces_is_refused_as_soon_as_it_is_too_long(site: httpx.Client) -> None:
    with _connected(site) as line:
        _head(line, site, "transfer-encoding: chunked")
        piece = b" " * 16 * 1024
        for _ in range(BODY // len(piece) + 1):
            line.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        assert _status(line) == 413  # though the last piece is still to come


def test_a_body_in_pieces_may_be_short(site: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"game": "baut'
        yield b'zen"}'

    answer = site.post("/api/explain", content=pieces(), headers=JSON)
    assert "attackers" in refusal(answer, 422)


def test_a_sender_who_leaves_in_the_middle_does_no_harm(site: httpx.Client) -> None:
    with _connected(site) as line:
        _head(line, site, "content-length: 1000")
        line.sendall(b"{")
    assert site.get("/api/games").status_code == 200


def _connected(site: httpx.Client) -> socket.socket:
    return socket.create_connection((site.base_url.host, site.base_url.port or 80), PATIENCE)


def _head(line: socket.socket, site: httpx.Client, length: str) -> None:
    host = f"{site.base_url.host}:{site.base_url.port}"
    lines = [
        "POST /api/explain HTTP/1.1",
        f"host: {host}",
        "content-type: application/json",
        length,
    ]
    line.sendall("\r\n".join([*lines, "", ""]).encode())


def _status(line: socket.socket) -> int:
    return int(line.recv(4096).split()[1])


# ------------------------------------------------------------------ where it goes


def test_an_unknown_address_is_answered_in_kind(site: httpx.Client) -> None:
    assert "/api/nothing" in refusal(site.get("/api/nothing"), 404)
    page = site.get("/nothing", headers={"accept-language": "fr"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert '<html lang="fr">' in page.text
    assert "/nothing" in page.text


def test_an_unknown_verb_is_refused_with_those_that_are_known(site: httpx.Client) -> None:
    answer = site.put("/api/games", json={})
    assert "PUT" in refusal(answer, 405)
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_head_is_get_without_its_body(site: httpx.Client) -> None:
    for path in ("/api/games", "/"):
        answer = site.head(path)
        assert (answer.status_code, answer.content) == (200, b"")
        assert int(answer.headers["content-length"]) > 0


@pytest.mark.parametrize("path", ["/", "/api/games", "/nothing", "/static/base.css"])
def test_every_answer_carries_what_browsers_must_know(site: httpx.Client, path: str) -> None:
    for answer in (site.get(path), site.get(path, headers={"host": "evil.example"})):
        headers = answer.headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_refusals_speak_french(site: httpx.Client) -> None:
    english = refusal(site.get("/api/nothing"), 404)
    french = refusal(site.get("/api/nothing?lang=fr"), 404)
    assert french != english
    assert "/api/nothing" in french
