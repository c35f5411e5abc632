"""Fifty pages tapping at once: how long a tap waits for its answer.

The server runs in its own process; each page is a client that taps, looks for about a second, and
taps again, as people do; in between it asks for hints as the page does. What is measured is the
whole way: from sending a tap to its last byte.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median, quantiles

import httpx

from benchmarks.timing import duration, table

PAGES = 50
TAPS = 20
LOOKING = 1.0  # seconds between two taps of a page, on the average
PAUSE = 0.25  # after which a page asks what a little more would bring

# Each page has its own game and its own units; a tap adds a factor or a modifier.
SHEETS = (
    "bautzen/attack",
    "white-october/attack",
    "normandy/attack",
    "panzer-grenadier/direct-fire",
)


def fight(sheet: str, random: Random) -> dict[str, object]:
    """State a fight of ordinary size, with numbers of its own."""
    n = random.randint
    match sheet:
        case "bautzen/attack":
            ours = [{"name": f"A{i}", "attack": n(2, 8)} for i in range(n(1, 4))]
            theirs = [{"name": f"D{i}", "defence": n(2, 6)} for i in range(n(1, 3))]
            more: dict[str, object] = {
                "terrain": [random.choice(["clear", "town", "wood"])],
                "concentric": random.random() < 0.5,
                "defender_cl": n(0, 2),
            }
        case "white-october/attack":
            unit = {"pe": 4, "quality": 4, "morale": n(2, 5)}
            ours = [{"name": f"A{i}", "strength": n(2, 8), **unit} for i in range(n(1, 3))]
            theirs = [{"name": f"D{i}", "strength": n(2, 8), **unit} for i in range(n(1, 3))]
            more = {"attacker_support": n(0, 3), "terrain_value": n(0, 3)}
        case "normandy/attack":
            ours = [
                {"name": f"A{i}", "factor": n(3, 8), "steps": 2, "main_force": True}
                for i in range(n(1, 4))
            ]
            theirs = [{"name": f"D{i}", "factor": n(2, 6), "steps": 2} for i in range(n(1, 3))]
            more = {"terrain": [random.choice(["bocage", "wood", "village"])]}
        case _:
            ours = [{"name": f"A{i}", "fire": n(3, 8)} for i in range(n(1, 4))]
            theirs = [{"name": f"D{i}", "morale": n(6, 8)} for i in range(n(1, 3))]
            more = {"range": n(1, 5), "terrain": [random.choice(["clear", "town"])]}
    return {"attackers": ours, "defenders": theirs, **more}


async def page(client: httpx.AsyncClient, seed: int) -> list[float]:
    """Tap some times, and give how long each answer took."""
    random = Random(seed)
    sheet = SHEETS[seed % len(SHEETS)]
    waits = []
    await asyncio.sleep(random.random() * LOOKING)
    for _ in range(TAPS):
        body = {"fight": fight(sheet, random)}
        begun = time.perf_counter()
        answer = await client.post(f"/games/{sheet}/tap", json=body)
        waits.append(time.perf_counter() - begun)
        answer.raise_for_status()
        await asyncio.sleep(PAUSE)
        await client.post(f"/games/{sheet}/hints", json=body)
        await asyncio.sleep(LOOKING * (0.5 + random.random()) - PAUSE)
    return waits


async def tap_at_once(address: str) -> list[float]:
    limits = httpx.Limits(max_connections=PAGES, max_keepalive_connections=PAGES)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as client:
        for sheet in SHEETS:  # the first page of each game is opened before
            await client.get(f"/games/{sheet}")
        waits = await asyncio.gather(*(page(client, seed) for seed in range(PAGES)))
    return [wait for each in waits for wait in each]


def report() -> str:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "matches.sqlite"
        command = [sys.executable, "-m", "grognard", "serve", "--port", "0", "--store", str(store)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            try:
                waits = asyncio.run(tap_at_once(found[0]))
            finally:
                server.kill()
    rows = [
        ["in the middle", duration(median(waits)), "15 ms"],
        ["at the 95th percentile", duration(quantiles(waits, n=20)[-1]), "50 ms"],
    ]
    head = [f"{PAGES} pages tapping at once, {len(waits)} taps", "measured", "promised"]
    return table(head, rows)
