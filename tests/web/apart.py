"""A match apart, with a client for each seat, for tests."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx

from grognard.matches.fair_dice import anchor_of, new_secret
from grognard.matches.seats import WATCH
from tests.processes import PATIENCE

View = dict[str, Any]


class Seat:
    """A browser that holds a seat, or none."""

    def __init__(self, web: httpx.Client, id_: str, headers: dict[str, str] | None = None) -> None:
        self.web = httpx.Client(base_url=web.base_url, timeout=PATIENCE, headers=headers)
        self.id = id_

    def api(self, path: str = "") -> str:
        return f"/api/matches/{self.id}{path}"

    def show(self, **query: str) -> View:
        answer = self.web.get(self.api(), params=query)
        assert answer.status_code == 200, answer.text
        view: View = answer.json()
        return view

    def post(self, path: str, **body: object) -> httpx.Response:
        """Post an action on the version that the seat sees."""
        version = {"version": self.show()["version"]}
        return self.web.post(self.api(path), json={**version, **body})

    def act(self, path: str, **body: object) -> View:
        answer = self.post(path, **body)
        assert answer.status_code == 200, answer.text
        view: View = answer.json()
        return view


class Apart:
    """A match apart and its seats."""

    def __init__(self, web: httpx.Client, scenario: str, **stated: object) -> None:
        self.web = web
        body = {"scenario": scenario, "apart": True, **stated}
        answer = web.post("/api/matches", json=body)
        assert answer.status_code == 201, answer.text
        self.begun: View = answer.json()
        self.id = str(self.begun["id"])
        self.links: dict[str, str] = dict(self.begun["links"])
        self._open = ExitStack()

    def sit(self, seat: str) -> Seat:
        """Take a seat by its link in a browser of its own."""
        found = self.stranger()
        self.take(found, seat)
        return found

    def take(self, browser: Seat, seat: str) -> None:
        """Take a seat by its link; its page makes a link of its own, which counts from now on."""
        path, sent = self.links[seat], self.links[seat] == self.begun["links"][seat]
        answer = browser.web.get(path)
        if answer.status_code == 200:  # it holds the other side, and is asked
            answer = browser.web.post(path)
        assert answer.status_code in (200, 303), answer.text
        if sent and seat != WATCH:
            claimed = browser.web.post(self.seat_api(seat, "link"))
            assert claimed.status_code == 200, claimed.text
            self.links[seat] = claimed.json()["link"]

    def seat_api(self, seat: str, path: str) -> str:
        return f"/api/matches/{self.id}/seats/{seat}/{path}"

    def trust_the_server(self) -> None:
        """Let the server make the dice of both sides, so that a test only taps."""
        for seat in self.links:
            if seat != WATCH:
                secret = new_secret()
                body = {"side": seat, "anchor": anchor_of(secret), "secret": secret}
                answer = self.program(seat).web.post(
                    f"/api/matches/{self.id}/dice/anchor", json=body
                )
                assert answer.status_code == 200, answer.text

    def stranger(self) -> Seat:
        found = Seat(self.web, self.id)
        self._open.callback(found.web.close)
        return found

    def program(self, seat: str) -> Seat:
        """Let a program send the link with each request."""
        secret = self.links[seat].rpartition("/")[2]
        found = Seat(self.web, self.id, {"authorization": f"Bearer {secret}"})
        self._open.callback(found.web.close)
        return found

    def close(self) -> None:
        self._open.close()


@contextmanager
def apart(web: httpx.Client, scenario: str = "weissenberg", **stated: object) -> Iterator[Apart]:
    """Begin a match apart."""
    match = Apart(web, scenario, **stated)
    try:
        yield match
    finally:
        match.close()


def to_commitment(german: Seat, allied: Seat) -> None:
    """Play Weissenberg on to the secret commitment of its first attack."""
    german.act("/answers", answer=["end"])
    units = ["21/20Pz", "59/20Pz", "112/20Pz", "QG 20 Pz", "QG 57 PzK"]
    german.act("/answers", answer=["attack", "1910", *units])
    seats = {"german": german, "allied": allied}
    while (asking := german.show()["asking"])["ask"] == "choose":
        seat = seats[asking["side"]]
        seat.act("/answers", answer=seat.show()["asking"]["options"][0]["answer"])
    assert asking["ask"] == "commit"
