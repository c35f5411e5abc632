"""Fifty pages tapping at once: how long a tap waits for its answer.

The server runs in its own process. Each page opens with a fight of its own and does what a page
does: a tap sends all that is stated and changes one thing of it; when the answer has been there
for a moment and no other tap has followed, it asks for hints. Nobody waits for those.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

import httpx
import msgspec

from benchmarks.pages import Page, Stated
from benchmarks.timing import duration, table

PAGES = 50
TAPS = 20
LOOKING = 1.0  # seconds between two taps of a page, on the average
PAUSE = 0.25  # after which a page asks what a little more would bring
JSON = {"content-type": "application/json"}


class Visit(NamedTuple):
    """A page, and what is stated on it from tap to tap; the first is what it opens with."""

    address: str
    fights: list[Stated]


def visits() -> list[Visit]:
    pages = [Page(seed) for seed in range(PAGES)]
    return [Visit(page.address, list(islice(page.fights(), TAPS + 1))) for page in pages]


class Tapping:
    """One page in front of somebody."""

    def __init__(self, client: httpx.AsyncClient, visit: Visit, seed: int) -> None:
        self.client, self.visit, self.random = client, visit, Random(seed)
        self.waits: list[float] = []
        self.pause = asyncio.create_task(asyncio.sleep(0))

    async def tap_along(self) -> list[float]:
        """Open the page and tap on it; give how long each answer was on its way."""
        opened, *tapped = (msgspec.json.encode({"fight": fight}) for fight in self.visit.fights)
        await asyncio.sleep(self.random.random() * LOOKING)
        await self.client.get(self.visit.address, params={"s": opened.decode()})
        for state in tapped:
            await asyncio.sleep(LOOKING * (0.5 + self.random.random()))
            self.pause.cancel()
            begun = time.perf_counter()
            await self._post("tap", state)
            self.waits.append(time.perf_counter() - begun)
            self.pause = asyncio.create_task(self._ask_hints(state))
        await self.pause
        return self.waits

    async def _ask_hints(self, state: bytes) -> None:
        await asyncio.sleep(PAUSE)
        await asyncio.shield(self._post("hints", state))  # once sent, it is not taken back

    async def _post(self, what: str, state: bytes) -> None:
        address = f"{self.visit.address}/{what}"
        answer = await self.client.post(address, content=state, headers=JSON)
        answer.raise_for_status()


async def tap_at_once(address: str, everything: list[Visit]) -> list[float]:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as client:
        tapping = [Tapping(client, visit, seed) for seed, visit in enumerate(everything)]
        waits = await asyncio.gather(*(one.tap_along() for one in tapping))
    return [wait for each in waits for wait in each]


def inside(notes: Path, what: str) -> list[float]:
    """Read how long answers of one sort took within the server."""
    found = (line.rsplit(" ", 1) for line in notes.read_text().splitlines())
    return [float(seconds) for path, seconds in found if path.endswith(f"/{what}")]


def report() -> str:
    everything = visits()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "matches.sqlite"
        command = [sys.executable, "-m", "benchmarks.timed_serve", "--port", "0"]
        command += ["--store", str(store)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            try:
                waits = asyncio.run(tap_at_once(found[0], everything))
            finally:
                server.kill()
        notes = store.with_suffix(".notes")
        taps, hints = inside(notes, "tap"), inside(notes, "hints")
    rows = [
        ["a tap, in the server", *shown(taps), "15 ms", "50 ms"],
        ["a tap, the whole way", *shown(waits), "", ""],
        ["hints, in the server", *shown(hints), "", ""],
    ]
    first = f"{PAGES} pages tapping at once, {len(taps)} taps, {len(hints)} times hints"
    return table([first, "median", "95 %", "promised median", "promised 95 %"], rows)


def shown(times: list[float]) -> Iterator[str]:
    yield duration(median(times))
    yield duration(quantiles(times, n=20)[-1])
