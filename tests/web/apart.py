"""A match apart over HTTP, played by a client of dice for each side."""

from pathlib import Path
from typing import Any

from httpx import Client

from grognard.fights.record import from_plain, plain
from grognard.matches.dice_client import Ask, DiceClient
from grognard.matches.match import Match, begin, saved
from grognard.matches.seats import awaited
from grognard.matches.storage.rows import New
from grognard.matches.storage.store import Store
from grognard.players.bot import Bot
from grognard.rules.ask import Answer, Commit, Roll

Json = dict[str, Any]
SIDES = ("german", "allied")


def begun(
    file: Path, scenario: str = "weissenberg", autos: tuple[str, ...] = (), **options: str
) -> str:
    """Keep a match apart in the store of a server; give its id."""
    kept = saved(begin(scenario, options))
    with Store(file) as store:
        new = New(
            name="apart", scenario=scenario, options=kept.options, autos=autos, apart=True
        )
        return store.keep(new).id


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

    def __init__(self, web: Client, id_: str, seed: int = 0) -> None:
        self.web, self.id = web, id_
        self.path = f"/api/matches/{id_}"
        view = web.get(self.path).json()
        self.match: Match = begin(view["scenario"]["id"], view["options"])
        self.sides = [side["id"] for side in view["sides"]]
        self.clients = {side: DiceClient(side, asking(web, id_)) for side in self.sides}
        self.bot = Bot(seed)
        self.rolls = 0

    @property
    def version(self) -> int:
        return int(self.web.get(self.path).json()["version"])

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
        """Play until a roll is asked for, or to the end."""
        while self.match.asking is not None and not isinstance(self.match.asking, Roll):
            self.step()

    def step(self, answer: Answer | None = None) -> None:
        """Answer one question, a roll too."""
        ask = self.match.asking
        if isinstance(ask, Roll):
            self.roll()
            return
        answer = self.bot.answer(self.match) if answer is None else answer
        if isinstance(ask, Commit) and isinstance(answer, tuple):
            halves = dict(zip(self.match.roles, answer, strict=True))
            for side in sorted(awaited(self.match, ())):
                self.post("commit", version=self.version, side=side, option=plain(halves[side]))
        else:
            self.post("answers", version=self.version, answer=plain(answer))
        self.match.answer(answer)

    def roll(self) -> None:
        """Let both clients make the dice."""
        self.rolls += 1
        for _ in range(3):  # anchors of both; the one that rolls; the other
            for client in self.clients.values():
                state = client.answer()
        assert state["roll"] == self.rolls + 1, state
        self.match.answer(from_plain(state["made"][-1]["shown"]))

    def play(self, rolls: int) -> None:
        """Play until so many rolls were made, or to the end."""
        while self.match.asking is not None and self.rolls < rolls:
            self.step()

    def file(self) -> Json:
        found: Json = self.web.get(f"{self.path}/file").json()
        return found
