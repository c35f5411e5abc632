"""A match apart over HTTP, played by a client of dice for each side."""

import json
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from httpx import Auth, Client, Request, Response

from grognard.fights.record import from_plain, plain
from grognard.matches.dice_client import Ask, DiceClient
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order, side_of
from grognard.matches.seats import awaited
from grognard.rules.ask import Answer, Choose, Commit, Roll, first_answer

Json = dict[str, Any]
# Orders and answers that lead to the first roll of the scenario weissenberg; Germans roll.
ATTACK: tuple[Answer, ...] = (
    ("end",),
    ("attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"),
    ("QG 294 RD",),
    ((0, 0), (0, 0)),
)


class Begun(NamedTuple):
    """A match apart that has just begun, and the secrets of its links."""

    id: str
    secrets: dict[str, str]  # by seat


def begun(
    web: Client, scenario: str = "weissenberg", autos: tuple[str, ...] = (), **options: str
) -> Begun:
    """Begin a match apart."""
    body = {"scenario": scenario, "apart": True, "autos": autos, "options": options}
    answer = web.post("/api/matches", json=body)
    assert answer.status_code == 201, answer.text
    links: dict[str, str] = answer.json()["links"]
    return Begun(answer.json()["id"], {seat: path.split("/")[-1] for seat, path in links.items()})


class Seated(Auth):
    """Sends each request from the seat of the side that it names, else from the usual seat."""

    requires_request_body = True

    def __init__(self, secrets: dict[str, str], usual: Callable[[], str]) -> None:
        self._secrets, self._usual = secrets, usual

    def auth_flow(self, request: Request) -> Generator[Request, Response, None]:
        body = json.loads(request.content or b"{}")
        side = str(body.get("side")) if isinstance(body, dict) else ""
        secret = self._secrets.get(side) or self._secrets[self._usual()]
        request.headers["authorization"] = f"Bearer {secret}"
        yield request


def asking(web: Client, id_: str) -> Ask:
    """Ask the server for a match; whatever is refused fails the test."""

    def ask(path: str, body: object) -> Json:
        address = f"/api/matches/{id_}/{path}"
        answer = web.get(address) if body is None else web.post(address, json=body)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    return ask


class Apart:
    """A match apart, with a copy of it that knows what is asked."""

    def __init__(self, web: Client, match: Begun) -> None:
        self.web, self.id, self.secrets = web, match.id, match.secrets
        self.path = f"/api/matches/{match.id}"
        web.auth = Seated(match.secrets, lambda: "watch")
        view = web.get(self.path).json()
        self.match: Match = begin(view["scenario"]["id"], view["options"])
        self.sides = [side["id"] for side in view["sides"]]
        self.clients = {side: DiceClient(side, asking(web, match.id)) for side in self.sides}
        self.rolls = 0
        self.version = int(view["version"])
        self.sit(web)

    def sit(self, web: Client) -> None:
        """Use a web client from now on, from the seat of the side that is asked."""
        self.web = web
        web.auth = Seated(self.secrets, self.turn)
        for side, one in self.clients.items():
            self.clients[side] = DiceClient(side, asking(web, self.id), one.notes)

    def turn(self) -> str:
        match = self.match
        if isinstance(match.asking, Roll):
            return side_of(match.roles, match.asking.side)
        return match.asked or match.roles.attacker

    def post(self, path: str, status: int = 200, **body: object) -> Json:
        answer = self.web.post(f"{self.path}/{path}", json=body)
        assert answer.status_code == status, answer.text
        found: Json = answer.json()
        return found

    def state(self, **query: object) -> Json:
        answer = self.web.get(f"{self.path}/dice", params={k: str(v) for k, v in query.items()})
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def to_roll(self) -> None:
        """Play an attack of Weissenberg until its first roll is asked for."""
        for answer in ATTACK:
            self.step(answer)

    def step(self, answer: Answer | None = None) -> None:
        """Answer one question, a roll too."""
        ask = self.match.asking
        if isinstance(ask, Roll):
            self.roll()
            return
        answer = self._first() if answer is None else answer
        if isinstance(ask, Commit) and isinstance(answer, tuple):
            halves = dict(zip(self.match.roles, answer, strict=True))
            for side in sorted(awaited(self.match, ())):
                option = plain(halves[side])
                view = self.post("commit", version=self.version, side=side, option=option)
        else:
            view = self.post("answers", version=self.version, answer=plain(answer))
        self.version = view["version"]
        self.match.answer(answer)

    def _first(self) -> Answer:
        """Attack where it is possible; answer with the first option."""
        ask = self.match.asking
        if isinstance(ask, Order):
            return next(ask.orders.deeds(), END)
        assert isinstance(ask, Choose | Commit)
        return first_answer(ask)

    def roll(self) -> None:
        """Let both clients make the dice."""
        self.rolls += 1
        for _ in range(3):  # anchors of both; the one that rolls; the other
            for client in self.clients.values():
                state = client.answer()
        assert state["roll"] == self.rolls + 1, state
        self.version += 1
        self.match.answer(from_plain(state["made"][-1]["shown"]))

    def play(self, rolls: int) -> None:
        """Play until so many rolls were made, or to the end."""
        while self.match.asking is not None and self.rolls < rolls:
            self.step()

    def file(self) -> Json:
        found: Json = self.web.get(f"{self.path}/file").json()
        return found
