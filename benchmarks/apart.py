"""Response time of orders while 500 matches are played apart at once, in SQLite and in PostgreSQL.

Each side plays by its secret link, and a page of who watches follows the match by events, and asks
for it after each of them. The players are in this process, the server in one or two of its own. A
player sends an order some seconds after the answer to the last one. At the end every match must
have exactly the orders that were answered: none lost, none twice.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from tests.postgresql import postgresql_running, programs

from benchmarks.timing import table
from benchmarks.web import shown
from grognard.fights.record import plain
from grognard.matches.match import begin
from grognard.matches.protocol import Order
from grognard.matches.seats import WATCH
from grognard.players.levels import automatic_player

MATCHES = 500
ORDERS = 4  # of each match
BETWEEN = 10.0  # mean seconds between an answer and the next order
SCENARIO = "weissenberg"
KINDS = 20  # different beginnings of matches
# All players come from one address here, and a server takes fewer connections if nothing is said.
CONFIG = f"""
[limits]
connections = {4 * MATCHES}
visitor-connections = {4 * MATCHES}
"""


class Given(NamedTuple):
    """An order of a side."""

    side: str
    answer: object


class _Log(msgspec.Struct):
    """The log of a match."""

    mark: str


class _Begun(msgspec.Struct):
    """What a player needs of the answer to a request."""

    version: int
    log: _Log
    id: str = ""
    links: Mapping[str, str] = {}  # of each seat; only when a match begins


class _Stored(msgspec.Struct):
    """A match file."""

    answers: list[object]


def orders(seed: int) -> list[Given]:
    """Let automatic players begin a match; give their orders before the first roll."""
    match, bot = begin(SCENARIO, {}), automatic_player(seed, "sergeant")
    given: list[Given] = []
    while isinstance(match.asking, Order) and len(given) < ORDERS:
        answer = bot.answer(match)
        given.append(Given(str(match.asked), plain(answer)))
        match.answer(answer)
    return given


class Line:
    """A connection to the server that stays open."""

    def __init__(self, address: str) -> None:
        self.host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
        self.port = int(port)
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, verb: str, path: str, token: str = "", body: object = None) -> bytes:
        """Send a request and give the body of its answer; stop the benchmark if it fails."""
        for _again in range(2):  # the server may just have closed a connection that nobody used
            reader, _ = await self.send(verb, path, token, body)
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            except (asyncio.IncompleteReadError, ConnectionError):
                self._open = None
                continue
            length = re.search(r"content-length: (\d+)", head)
            found = await reader.readexactly(int(length[1])) if length else b""
            if not head.startswith("http/1.1 20"):
                raise SystemExit(f"{verb} {path}: {head}{found.decode()}")
            return found
        raise SystemExit(f"{verb} {path}: the server closes the connection")

    async def send(
        self, verb: str, path: str, token: str = "", body: object = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send a request; the caller reads the answer."""
        if self._open is None:
            self._open = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
        data = b"" if body is None else msgspec.json.encode(body)
        lines = [f"{verb} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}", "", ""]
        self._open[1].write("\r\n".join(lines).encode() + data)
        return self._open

    def close(self) -> None:
        if self._open is not None:
            self._open[1].close()


class Played:
    """A match with its two players."""

    def __init__(self, address: str, given: list[Given], seed: int) -> None:
        self.given, self.random = given, Random(seed)
        self.line, self.page, self.events = Line(address), Line(address), Line(address)
        self.waits: list[float] = []
        self.news: list[float] = []  # seconds until the page was told
        self.sent = 0.0

    async def begin(self) -> None:
        body = {"scenario": SCENARIO, "apart": True}
        self.begun = msgspec.json.decode(
            await self.line.ask("POST", "/api/matches", body=body), type=_Begun
        )
        self.path = f"/api/matches/{self.begun.id}"
        self.tokens = {side: link.rsplit("/", 1)[-1] for side, link in self.begun.links.items()}
        self.following = asyncio.create_task(self._follow())

    async def play(self) -> None:
        view = self.begun
        for given in self.given:
            await asyncio.sleep(BETWEEN * (0.5 + self.random.random()))
            body = {"version": view.version, "answer": given.answer}
            path = f"{self.path}/answers?since={view.log.mark}"
            self.sent = time.perf_counter()
            answer = await self.line.ask("POST", path, self.tokens[given.side], body)
            self.waits.append(time.perf_counter() - self.sent)
            view = msgspec.json.decode(answer, type=_Begun)
        self.following.cancel()
        token = self.tokens[self.given[-1].side]
        stored = msgspec.json.decode(
            await self.line.ask("GET", f"{self.path}/file", token), type=_Stored
        )
        expected = msgspec.to_builtins([given.answer for given in self.given])
        if stored.answers != expected:
            raise SystemExit(f"{self.path}: {len(stored.answers)} orders of {len(expected)}")
        for line in (self.line, self.page, self.events):
            line.close()

    async def _follow(self) -> None:
        """Follow the match as the page of who watches does."""
        token = self.tokens[WATCH]
        reader, _ = await self.events.send("GET", f"{self.path}/events", token)
        seen = self.begun
        while line := await reader.readline():
            if line.startswith(b"id:") and int(line[3:]) > seen.version:
                self.news.append(time.perf_counter() - self.sent)
                answer = await self.page.ask("GET", f"{self.path}?since={seen.log.mark}", token)
                seen = msgspec.json.decode(answer, type=_Begun)


async def _play(addresses: list[str], given: list[list[Given]]) -> tuple[list[float], list[float]]:
    played = [
        Played(addresses[n % len(addresses)], given[n % len(given)], n) for n in range(MATCHES)
    ]
    for one in played:
        await one.begin()
    await asyncio.gather(*(one.play() for one in played))
    return [wait for one in played for wait in one.waits], [
        wait for one in played for wait in one.news
    ]


@contextmanager
def serving(store: str) -> Iterator[str]:
    """Run a server, and give its address."""
    with ExitStack() as stack:
        config = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "server.toml"
        config.write_text(CONFIG)
        serve = ["serve", "--port", "0", "--store", store, "--config", str(config)]
        command = [sys.executable, "-m", "grognard", *serve]
        server = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(server.kill)
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        yield found[0]


def measured(store: str, servers: int, given: list[list[Given]]) -> Iterator[list[str]]:
    """Play on a store; give the rows of the table."""
    with ExitStack() as stack:
        addresses = [stack.enter_context(serving(store)) for _ in range(servers)]
        waits, news = asyncio.run(_play(addresses, given))
    kind = "PostgreSQL" if store.startswith("postgresql:") else "SQLite"
    name = f"{kind}, {servers} server process{'es' if servers > 1 else ''}"
    yield [f"{name}: an order of {len(waits)}", *shown(waits), "30 ms", "100 ms"]
    yield [f"{name}: another page is told", *shown(news), "", ""]


def report() -> str:
    given = [orders(seed) for seed in range(KINDS)]
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        rows += measured(str(Path(folder) / "matches.sqlite"), 1, given)
    if programs() is None:
        rows.append(["PostgreSQL is not here", "", "", "", ""])
    else:
        with postgresql_running("max_connections=100") as server:
            rows += measured(server.new_store(), 1, given)
            rows += measured(server.new_store(), 2, given)
    first = f"{MATCHES} matches apart at once, an order each every {BETWEEN:.0f} s"
    return table([first, "median", "95 %", "promised median", "promised 95 %"], rows)


if __name__ == "__main__":
    print(report())
