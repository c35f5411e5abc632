"""Whether the time of an answer tells a secret: matches that differ only in a committed half.

The other side and who watches ask for the match and for its page, in turns with a match whose half
is another one. Shown is how often the answer of the second match takes longer than that of the
first: one in two, if the time tells nothing. Two matches with the same half show the noise.
"""

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from tests.web.apart import Apart, Seat, apart, to_commitment
from tests.web.serving import server

from benchmarks.timing import duration, table
from grognard.matches.seats import WATCH

ASKED = 400  # times
HALVES = {"the same half": (0, 0), "nothing, and all that can be committed": (0, -1)}
ADDRESSES = {"the match": "/api/matches/{}", "its page": "/matches/{}"}


def report() -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "matches.sqlite"
        with server(file) as running, running.client() as web, ExitStack() as stack:
            rows = []
            for halves, places in HALVES.items():
                pair = [stack.enter_context(apart(web)) for _ in places]
                for match, place in zip(pair, places, strict=True):
                    _commit(match, place)
                for seat in ("allied", WATCH):
                    seats = [match.sit(seat) for match in pair]
                    for asked, address in ADDRESSES.items():
                        rows.append([halves, seat, asked, *_compared(seats, address)])
    head = ["halves", "who asks", "for", "first, median", "second, median", "second takes longer"]
    return table(head, rows)


def _commit(match: Apart, place: int) -> None:
    german = match.sit("german")
    to_commitment(german, match.sit("allied"))
    (half,) = [side for side in german.show()["asking"]["sides"] if side["id"] == "german"]
    german.act("/commit", side="german", option=half["options"][place]["answer"])


def _compared(seats: list[Seat], address: str) -> list[str]:
    """Time the answers in turns; give both medians, and how often the second takes longer."""
    times = list[list[float]]([] for _ in seats)
    for number in range(ASKED):
        for place in (0, 1) if number % 2 else (1, 0):
            times[place].append(_seconds(seats[place], address))
    first, second = times
    longer = sum((b > a) + (b == a) / 2 for a in first for b in second) / ASKED**2
    return [duration(median(first)), duration(median(second)), f"{longer:.1%}"]


def _seconds(seat: Seat, address: str) -> float:
    begun = time.perf_counter()
    seat.web.get(address.format(seat.id)).raise_for_status()
    return time.perf_counter() - begun
