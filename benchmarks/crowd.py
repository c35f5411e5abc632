"""A tap alone, and in a crowd: beside clients that ask for much, and beside automatic matches.

The server runs in its own process, as an open one. Ten clients ask again and again for the odds of
large fights, each another one, none of which is within the budget. Also: the memory of the server
after many different odds, and an answer early and late in a long match.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

import httpx

from benchmarks.timing import duration, table
from grognard.draw.json.match import match_json
from grognard.matches.match import Match, begin
from grognard.players.levels import automatic_player
from grognard.web.lanes.workers import resident
from grognard.web.matches.match_answer import whole_log

CLIENTS = 10
TAPS = 200
BETWEEN = 0.05  # seconds between two taps
DIFFERENT = 240  # odds
AUTOMATIC = 500  # matches
WATCHED = 10.0  # seconds
CONFIG = """
open = true
names = ["play.example.org"]
[limits]
visitor-requests-a-second = 0
visitor-requests-at-once = 0
visitor-matches-an-hour = 0
visitor-automatic = 0
visitor-work = 64
"""
TAP = {
    "fight": {
        "attackers": [{"name": "21/20Pz", "attack": 6}, {"name": "59/20Pz", "attack": 4}],
        "defenders": [{"name": "861/294", "defence": 4}],
    }
}


def large_fight(number: int, defenders: int = 12) -> dict[str, Any]:
    """State fire on many targets of two steps; each number gives other odds."""
    random = Random(number)
    return {
        "game": "panzer-grenadier",
        "procedure": "direct-fire",
        "range": 1,
        "adjacent_to_all": True,
        "terrain": ["town"],
        "attackers": [{"name": "A", "fire": 5 + number % 20}],
        "defenders": [
            {"name": f"D{n}", "morale": random.randint(5, 9), "steps": 2} for n in range(defenders)
        ],
    }


class Served:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process, self.url = process, url

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, timeout=600)

    def memory(self) -> int:
        """Give the bytes of the server and of all its workers."""
        pids = [str(self.process.pid)]
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            pids += (task / "children").read_text().split()
        return sum(map(resident, pids))


@contextmanager
def serving() -> Iterator[Served]:
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "server.toml"
        config.write_text(CONFIG, encoding="utf-8")
        command = [sys.executable, "-m", "grognard", "serve", "--port", "0", "--config"]
        command += [str(config), "--store", str(Path(folder) / "matches.sqlite")]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            assert server.stdout is not None
            found = re.search(r"http://[^/]+", server.stdout.readline())
            assert found is not None
            try:
                yield Served(server, found[0])
            finally:
                server.terminate()


async def taps(served: Served) -> list[float]:
    """Tap at a steady pace; give the time of each."""
    waits = []
    async with served.client() as web:
        for _ in range(TAPS):
            begun = time.perf_counter()
            (await web.post("/games/bautzen/attack/tap", json=TAP)).raise_for_status()
            waits.append(time.perf_counter() - begun)
            await asyncio.sleep(BETWEEN)
    return waits


@asynccontextmanager
async def crowd(served: Served) -> AsyncIterator[None]:
    """Let clients ask for large odds while the context lasts."""
    numbers = count(1)

    async def ask() -> None:
        async with served.client() as web:
            while True:
                await web.post("/api/odds", json=large_fight(next(numbers)))

    asking = [asyncio.create_task(ask()) for _ in range(CLIENTS)]
    await asyncio.sleep(3)  # the workers have started
    try:
        yield
    finally:
        for one in asking:
            one.cancel()
        await asyncio.gather(*asking, return_exceptions=True)


async def in_a_crowd(served: Served) -> list[float]:
    async with crowd(served):
        return await taps(served)


async def different_odds(served: Served) -> tuple[int, int]:
    """Ask for many different odds; give the memory before and after."""
    async with served.client() as web:
        before = served.memory()
        for number in range(DIFFERENT):
            await web.post("/api/odds", json=large_fight(number, 3 + number % 4))
        return before, served.memory()


async def automatic_matches(served: Served) -> tuple[list[float], float]:
    """Begin many automatic matches; give taps meanwhile, and the answers a second in all."""
    async with served.client() as web:
        body = {"scenario": "weissenberg", "autos": ["german", "allied"], "level": "sergeant"}
        for _ in range(AUTOMATIC):
            (await web.post("/api/matches", json=body)).raise_for_status()
        first, begun = await _versions(web), time.perf_counter()
        waits = await taps(served)
        await asyncio.sleep(max(0.0, WATCHED - (time.perf_counter() - begun)))
        played = await _versions(web) - first
        return waits, played / (time.perf_counter() - begun)


async def _versions(web: httpx.AsyncClient) -> int:
    return sum(one["version"] for one in (await web.get("/api/matches")).json())


def growth() -> Iterator[list[str]]:
    """Time what an answer costs early and late in the longest scenario, log included."""
    match, bot = begin("bautzen-1945"), automatic_player(3, "sergeant")
    early: list[float] = []
    late: list[float] = []
    while match.asking is not None:
        match.answer(bot.answer(match))
        begun = time.process_time()
        _told(match)
        (early if len(match.answers) <= 60 else late).append(time.process_time() - begun)
    last = late[-60:]
    ratio = f"{median(last) / median(early):.1f} times"
    answers = f"answers {len(match.answers) - 59} to {len(match.answers)}"
    yield ["a match as JSON with its whole log, answers 1 to 60", duration(median(early)), "", ""]
    yield [f"the same, {answers}", duration(median(last)), ratio, ""]


def _told(match: Match) -> None:
    from grognard.draw.json.match_question import NOBODY  # noqa: PLC0415

    match_json(match, "en")
    whole_log(match, NOBODY, "en")


def report() -> str:
    rows = []
    with serving() as served:
        alone = asyncio.run(taps(served))
        crowded = asyncio.run(in_a_crowd(served))
    for what, waits in (("a tap, alone", alone), (f"with {CLIENTS} heavy clients", crowded)):
        rows.append([what, *_shown(waits), "50 ms" if waits is crowded else ""])
    with serving() as served:
        waits, speed = asyncio.run(automatic_matches(served))
        rows.append([f"with {AUTOMATIC} automatic matches ({speed:.0f} answers a second)"])
        rows[-1] += [*_shown(waits), ""]
    with serving() as served:
        before, after = asyncio.run(different_odds(served))
    megabytes = f"{before >> 20} MB, then {after >> 20} MB"
    rows.append([f"memory of all processes, {DIFFERENT} different odds", megabytes, "", ""])
    rows += growth()
    return table([f"on {os.cpu_count()} cores", "median", "95 %", "promised 95 %"], rows)


def _shown(times: list[float]) -> Iterator[str]:
    yield duration(median(times))
    yield duration(quantiles(times, n=20)[-1])
