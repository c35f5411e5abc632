"""Visitors: who is one, and how much one may do."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard.matches.storage.rows import New
from grognard.matches.storage.store import Store
from grognard.web.app import create
from grognard.web.matches import match_room
from grognard.web.matches.match_cache import SHORT
from grognard.web.server_config import LOCAL_SERVER, Limits, ServerConfig
from grognard.web.visitors import Bucket, Origin, origin_of, visitor_of
from tests.processes import PATIENCE, until
from tests.sqlite_file import change
from tests.tiers import examples
from tests.web.lanes.test_answering import long_match
from tests.web.serving import served

PROXY = ("127.0.0.1",)


# ------------------------------------------------------------------ who is a visitor


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("[2001:db8::1]", "2001:db8::2", True),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_a_visitor_is_an_address_or_a_network_of_64_bits(one: str, other: str, same: bool) -> None:
    assert (visitor_of(one) == visitor_of(other)) is same


@examples(100)
@given(st.text(max_size=50))
def test_any_address_is_some_visitor(address: str) -> None:
    assert isinstance(visitor_of(address), str)


def scope(client: str, **headers: str) -> dict[str, Any]:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "client": (client, 1), "scheme": "http", "headers": pairs}


def test_only_a_proxy_that_is_believed_tells_who_asks() -> None:
    forwarded = scope("127.0.0.1", x_forwarded_for="192.0.2.9", x_forwarded_proto="https")
    assert origin_of(forwarded, PROXY) == Origin("192.0.2.9", "https", near=False)
    assert origin_of(forwarded, ()) == Origin("127.0.0.1", "http", near=False)
    assert origin_of(scope("127.0.0.1"), PROXY).near
    stranger = scope("198.51.100.7", x_forwarded_for="127.0.0.1")
    assert origin_of(stranger, PROXY) == Origin("198.51.100.7", "http", near=False)


def test_a_visitor_can_not_invent_another_address_before_the_proxy() -> None:
    """The proxy adds what it has seen as the last one."""
    spoofed = scope("127.0.0.1", x_forwarded_for="10.0.0.1, 127.0.0.1, 192.0.2.9")
    assert origin_of(spoofed, PROXY).visitor == "192.0.2.9"
    for lines in (("192.0.2.9",), ("10.0.0.1", "192.0.2.9"), ("10.0.0.1, 10.0.0.2", "192.0.2.9")):
        several = scope("127.0.0.1")
        several["headers"] = [(b"x-forwarded-for", line.encode()) for line in lines]
        several["headers"] += [(b"x-forwarded-proto", one) for one in (b"http", b"https")]
        assert origin_of(several, PROXY) == Origin("192.0.2.9", "https", near=False)
    odd = scope("127.0.0.1", x_forwarded_for="192.0.2.9", x_forwarded_proto="javascript")
    assert origin_of(odd, PROXY).scheme == "http"


# ------------------------------------------------------------------ how much one may do


def test_tokens_come_back_at_a_steady_rate() -> None:
    now = 0.0
    bucket = Bucket(2, 3, lambda: now)
    assert [bucket.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take("b") == 0
    now = 0.5
    assert [bucket.take("a"), bucket.take("a")] == [0, 0.5]
    now = 100.0
    assert [bucket.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


@contextmanager
def limited(file: Path, **limits: int) -> Iterator[httpx.Client]:
    config: ServerConfig = replace(LOCAL_SERVER, behind_proxy=PROXY, limits=Limits(**limits))
    with served(create(file, config=config)) as web:
        yield web


def by(visitor: str) -> dict[str, str]:
    return {"x-forwarded-for": visitor}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


def test_too_many_requests_are_refused_with_the_time_to_wait_and_others_are_not(
    file: Path,
) -> None:
    with limited(file, visitor_requests_a_second=1, visitor_burst=3) as web:
        found = [web.get("/api/games", headers=by("192.0.2.1")) for _ in range(5)]
        assert [one.status_code for one in found][:3] == [200] * 3
        refused = found[-1]
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["refusal"]
        assert "default-src" in refused.headers["content-security-policy"]
        assert web.get("/api/games", headers=by("192.0.2.2")).status_code == 200


@contextmanager
def unanswered(web: httpx.Client, visitor: str) -> Iterator[None]:
    """Have a request that can't be answered yet: its body is still to come."""
    with socket.create_connection((web.base_url.host, web.base_url.port or 0), PATIENCE) as line:
        head = [
            "POST /api/explain HTTP/1.1",
            f"host: {web.base_url.host}",
            f"x-forwarded-for: {visitor}",
            "content-type: application/json",
            "content-length: 10",
        ]
        line.sendall("\r\n".join([*head, "", ""]).encode())
        until(lambda: web.get("/api/games", headers=by(visitor)).is_error)
        yield


@pytest.mark.parametrize(
    ("limits", "own", "others"),
    [
        ({"requests_at_once": 1}, 503, 503),
        ({"visitor_requests_at_once": 1}, 429, 200),
    ],
)
def test_only_so_many_requests_are_answered_at_once(
    file: Path, limits: dict[str, int], own: int, others: int
) -> None:
    """Of all, or of a visitor; what is refused says when to ask again, and then is answered."""
    with limited(file, **limits) as web:
        with unanswered(web, "192.0.2.1"):
            refused = web.get("/api/games", headers=by("192.0.2.1"))
            assert (refused.status_code, refused.headers["retry-after"]) == (own, "2")
            assert web.get("/api/games", headers=by("192.0.2.2")).status_code == others
        until(lambda: web.get("/api/games", headers=by("192.0.2.1")).is_success)


def test_pages_that_follow_a_match_leave_room_for_requests(file: Path) -> None:
    with limited(file, requests_at_once=2, streams=3) as web, ExitStack() as stack:
        events = f"/api/matches/{begin(web, '192.0.2.1').json()['id']}/events"
        for n in range(3):
            page = stack.enter_context(web.stream("GET", events, headers=by(f"192.0.2.{n}")))
            assert page.status_code == 200
        assert web.get(events, headers=by("192.0.2.9")).status_code == 503
        assert web.get("/api/games", headers=by("192.0.2.9")).status_code == 200


def begin(web: httpx.Client, visitor: str, **stated: object) -> httpx.Response:
    body = {"scenario": "weissenberg", "level": "sergeant", **stated}
    return web.post("/api/matches", json=body, headers=by(visitor))


def test_a_visitor_begins_only_so_many_matches_an_hour(file: Path) -> None:
    with limited(file, visitor_matches_an_hour=2) as web:
        assert [begin(web, "192.0.2.1").status_code for _ in range(3)] == [201, 201, 429]
        assert begin(web, "192.0.2.2").status_code == 201
        assert web.get("/api/matches", headers=by("192.0.2.1")).status_code == 200


def test_the_store_holds_only_so_many_matches(file: Path) -> None:
    with limited(file, matches=2) as web:
        views = [begin(web, f"192.0.2.{n}") for n in range(3)]
        assert [view.status_code for view in views] == [201, 201, 503]
        web.request("DELETE", f"/api/matches/{views[0].json()['id']}")
        assert begin(web, "192.0.2.9").status_code == 201


@pytest.mark.process
def test_only_so_many_matches_have_automatic_sides(file: Path) -> None:
    """Also by a change of a match; a person's own matches do not count."""
    with limited(file, automatic=2, visitor_automatic=1) as web:
        first = begin(web, "192.0.2.1", autos=["allied"])
        assert first.status_code == 201
        assert begin(web, "192.0.2.1", autos=["allied"]).status_code == 429
        assert begin(web, "192.0.2.1").status_code == 201
        assert begin(web, "192.0.2.2", autos=["allied"]).status_code == 201
        alone = begin(web, "192.0.2.3")
        path = f"/api/matches/{alone.json()['id']}"
        changed = web.patch(path, json={"autos": ["allied"]}, headers=by("192.0.2.3"))
        assert changed.status_code == 503
        web.request("DELETE", f"/api/matches/{first.json()['id']}")
        assert begin(web, "192.0.2.1", autos=["allied"]).status_code == 201


@pytest.mark.process
def test_only_so_many_imported_matches_have_automatic_sides(file: Path) -> None:
    """A worker imports a long match; the server knows of it, and the worker of those before."""
    long = long_match(SHORT + 2)
    with limited(file, visitor_automatic=2, visitor_matches=4) as web:

        def imports(visitor: str, *autos: str) -> int:
            body = {"match": long, "autos": autos, "level": "sergeant", "apart": True}
            return web.post("/api/matches/import", json=body, headers=by(visitor)).status_code

        found = [imports("192.0.2.1", "allied") for _ in range(3)]
        assert found == [201, 201, 429]
        assert begin(web, "192.0.2.1", autos=["allied"]).status_code == 429
        assert [imports("192.0.2.1") for _ in range(3)] == [201, 201, 429]
        assert imports("192.0.2.2", "allied") == 201


def test_a_visitor_keeps_only_so_many_matches(file: Path) -> None:
    with limited(file, visitor_matches=2) as web:
        views = [begin(web, "192.0.2.1") for _ in range(3)]
        assert [view.status_code for view in views] == [201, 201, 429]
        assert "delete one first" in views[2].json()["refusal"]
        assert views[2].headers["retry-after"]
        assert begin(web, "192.0.2.2").status_code == 201
        web.request("DELETE", f"/api/matches/{views[0].json()['id']}")
        assert begin(web, "192.0.2.1").status_code == 201


@pytest.mark.process
def test_a_damaged_match_counts_no_more_as_automatic(file: Path) -> None:
    with limited(file, visitor_automatic=1) as web:
        first = begin(web, "192.0.2.1", autos=["allied"]).json()["id"]
        assert begin(web, "192.0.2.1", autos=["allied"]).status_code == 429
        change(file, "UPDATE matches SET name = 'other' WHERE id = ?", first)
        assert begin(web, "192.0.2.1", autos=["allied"]).status_code == 201


def test_matches_that_are_gone_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_room, "SPARE", 3)
    with Store(tmp_path / "matches.sqlite") as store:
        room = match_room.MatchRoom(store, Limits(visitor_matches=9))
        for n in range(20):
            kept = store.keep(New(name="x", scenario="weissenberg", options={}))
            room.note([kept.id], f"visitor {n}")
            if n:
                store.delete(kept.id)
        assert room.begun("visitor 0")
        assert sum(bool(room.begun(f"visitor {n}")) for n in range(20)) <= 5


def test_only_so_many_pages_follow_matches(file: Path) -> None:
    with limited(file, visitor_streams=1, streams=2) as web:
        path = f"/api/matches/{begin(web, '192.0.2.1').json()['id']}/events"
        with web.stream("GET", path, headers=by("192.0.2.1")) as first:
            told = first.iter_lines()  # it ends the stream when it is not held
            assert next(told).startswith("event")
            assert web.get(path, headers=by("192.0.2.1")).status_code == 429
            with web.stream("GET", path, headers=by("192.0.2.2")) as second:
                also = second.iter_lines()
                assert next(also).startswith("event")
                assert web.get(path, headers=by("192.0.2.3")).status_code == 503


def test_a_single_user_is_not_disturbed(file: Path) -> None:
    with served(create(file)) as web:
        assert {web.get("/api/games").status_code for _ in range(300)} == {200}
