"""Response time of the server while fifty pages tap at once.

The server runs in its own process. Each page has its own fight and behaves like a real one: a tap
changes one value and sends the whole fight; if no other tap follows within a moment after the
answer, the page asks for hints, and cancels this request at the next tap.
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
from urllib.parse import quote

import msgspec

from benchmarks.pages import Page, Stated
from benchmarks.timing import duration, table

PAGES = 50
TAPS = 20
BETWEEN_TAPS = 1.0  # mean seconds between two taps of a page
BETWEEN_VISITS = 0.1  # mean seconds between two openings of a page
BEFORE_HINTS = 0.25  # seconds after an answer until a page asks for hints


class Visit(NamedTuple):
    """A page and its fights: the first when it opens, then one after each tap."""

    address: str
    fights: list[Stated]


def visits() -> list[Visit]:
    pages = [Page(seed) for seed in range(PAGES)]
    return [Visit(page.address, list(islice(page.fights(), TAPS + 1))) for page in pages]


class Wire:
    """A browser's connections to the server, with as little overhead as possible."""

    def __init__(self, address: str) -> None:
        self.host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
        self.port = int(port)
        self.free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, verb: str, path: str, body: bytes = b"") -> None:
        """Send a request and read its whole answer; stop the benchmark if it fails."""
        reader, writer = self.free.pop() if self.free else await self._open()
        head = f"{verb} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        try:
            answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = re.search(r"content-length: (\d+)", answer)
            if not answer.startswith("http/1.1 200") or length is None:
                raise SystemExit(f"{verb} {path}: {answer}")
            await reader.readexactly(int(length[1]))
        except asyncio.CancelledError:
            writer.close()
            raise
        self.free.append((reader, writer))

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port, limit=1 << 20)

    def close(self) -> None:
        while self.free:
            self.free.pop()[1].close()


class Tapping:
    """One open page with its user."""

    def __init__(self, address: str, visit: Visit, seed: int) -> None:
        self.wire, self.visit, self.random = Wire(address), visit, Random(seed)
        self.waits: list[float] = []
        self.opened, *self.tapped = (msgspec.json.encode({"fight": f}) for f in visit.fights)
        self.pause = asyncio.create_task(asyncio.sleep(0))

    async def open(self) -> None:
        """Open the page, at a random time of its own."""
        await asyncio.sleep(self.random.random() * PAGES * BETWEEN_VISITS)
        await self.wire.ask("GET", f"{self.visit.address}?s={quote(self.opened)}")
        self.wire.close()  # the server would close it before the first tap

    async def tap_along(self) -> list[float]:
        """Tap on the page; return the response time of each tap."""
        for state in self.tapped:
            await asyncio.sleep(BETWEEN_TAPS * (0.5 + self.random.random()))
            self.pause.cancel()
            begun = time.perf_counter()
            await self._post("tap", state)
            self.waits.append(time.perf_counter() - begun)
            self.pause = asyncio.create_task(self._ask_hints(state))
        await self.pause
        self.wire.close()
        return self.waits

    async def _ask_hints(self, state: bytes) -> None:
        await asyncio.sleep(BEFORE_HINTS)
        await self._post("hints", state)

    async def _post(self, what: str, state: bytes) -> None:
        await self.wire.ask("POST", f"{self.visit.address}/{what}", state)


async def tap_at_once(address: str, everything: list[Visit]) -> list[float]:
    tapping = [Tapping(address, visit, seed) for seed, visit in enumerate(everything)]
    await asyncio.gather(*(one.open() for one in tapping))
    waits = await asyncio.gather(*(one.tap_along() for one in tapping))
    return [wait for each in waits for wait in each]


def inside(notes: Path, what: str) -> list[float]:
    """Read the times, inside the server, of one kind of request."""
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
