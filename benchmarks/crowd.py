"""A tap alone, and in a crowd: beside clients that ask for much, and beside automatic matches.

The server runs in its own process, as an open one. Ten clients ask again and again for the odds of
large fights, each another one, none of which is within the budget. Also: the memory of the server
after many different odds, and an answer and an undo early and late in a long match.
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
import psutil

from benchmarks.timing import duration, table
from grognard.fights.record import plain
from grognard.matches.match import begin
from grognard.players.levels import automatic_player
from grognard.web.lanes.workers import resident

CLIENTS = 10
TAPS = 200
BETWEEN = 0.05  # seconds between two taps
DIFFERENT = 240  # odds
AUTOMATIC = 500  # matches
WATCHED = 10.0  # seconds
LONGEST = "bautzen-1945"
PART = 60  # answers whose cost is compared
CONFIG = """
open = true
names = ["play.example.org"]
[limits]
visitor-requests-a-second = 0
visitor-requests-at-once = 0
visitor-matches-an-hour = 0
visitor-matches = 0
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

    def seconds(self) -> float:
        """Give the processor time that the server has used, without its workers."""
        used = psutil.Process(self.process.pid).cpu_times()
        return float(used.user + used.system)

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


def campaign() -> list[object]:
    """Let automatic players play the longest scenario; give its answers."""
    match, bot = begin(LONGEST), automatic_player(3, "sergeant")
    while match.asking is not None:
        match.answer(bot.answer(match))
    return [plain(answer) for answer in match.answers]


def growth(served: Served) -> Iterator[list[str]]:
    """Give what an answer and an undo cost the server early and late in a long match."""
    given = campaign()
    with httpx.Client(base_url=served.url, timeout=600) as web:
        view = web.post("/api/matches", json={"scenario": LONGEST}).json()
        path = f"/api/matches/{view['id']}"

        def post(action: str, **body: object) -> None:
            nonlocal view
            address = f"{path}/{action}?since={view['log']['mark']}"
            answer = web.post(address, json={"version": view["version"], **body})
            view = answer.raise_for_status().json()

        def answered(answers: list[object]) -> float:
            before = served.seconds()
            for answer in answers:
                post("answers", answer=answer)
            return (served.seconds() - before) / len(answers)

        def undone() -> float:
            before = served.seconds()
            post("undo")
            return served.seconds() - before

        first, last = undoable(given, PART), undoable(given, len(given) - 1)
        early, early_undo = answered(given[:first]), undone()
        answered(given[first - 1 : last - PART])
        late, late_undo = answered(given[last - PART : last]), undone()
    told = "processor time of the server"
    yield [f"an answer, {told}, answers 1 to {first}", duration(early), "", ""]
    part = f"answers {last - PART + 1} to {last}"
    yield [f"the same, {part}", duration(late), f"{late / early:.1f} times", ""]
    yield [f"an undo of answer {first}, {told}", duration(early_undo), "", ""]
    yield [f"an undo of answer {last}, {told}", duration(late_undo), "", ""]


def undoable(given: list[object], most: int) -> int:
    """Give the number of the last answer up to `most` that can be taken back: words, no dice."""
    return next(
        n
        for n in range(most, 0, -1)
        if isinstance(given[n - 1], list | tuple) and isinstance(given[n - 1][0], str)  # type: ignore[index]
    )


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
    with serving() as served:
        rows += growth(served)
    return table([f"on {os.cpu_count()} cores", "median", "95 %", "promised 95 %"], rows)


def _shown(times: list[float]) -> Iterator[str]:
    yield duration(median(times))
    yield duration(quantiles(times, n=20)[-1])
