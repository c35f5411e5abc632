"""Odds of new kinds of fights in another version and in this one, for the same attacks, in turns.

`python -m benchmarks.side_by_side FOLDER` takes the `src` folder of a checkout of the other version
and prints a table. The attacks are those of `benchmarks/cold_odds.py`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from benchmarks.cold_odds import ALL, MATCHES, REPEATS, Asked, asked_in, marked
from benchmarks.timing import duration, table

HERE = Path(__file__).parent
# By match: of each new kind its seconds, those with all outcomes read, a digest of its odds.
Timed = list[list[tuple[float, float, str]]]


class Pair(NamedTuple):
    """Seconds for one new kind, the least disturbed of several runs, and whether odds are equal."""

    before: float
    read_before: float  # with all outcomes read
    now: float
    read_now: float
    same: bool


def report(other: Path) -> str:
    names = [name for name, seeds in MATCHES.items() for _ in range(seeds)]
    found: dict[str, list[Pair]] = {name: [] for name in (*MATCHES, ALL)}
    for name, pairs in zip(names, _pairs(other), strict=True):
        found[name] += pairs
        found[ALL] += pairs
    head = [
        "median, same attacks, in turns",
        "kinds",
        "equal odds",
        "before",
        "now",
        "before ÷ now",
        "… all outcomes read",
    ]
    return table(head, [_row(name, pairs) for name, pairs in found.items()])


def _row(name: str, pairs: list[Pair]) -> list[str]:
    before, read_before, now, read_now, same = zip(*pairs, strict=True)
    counts, times = (len(pairs), sum(same)), [duration(median(before)), duration(median(now))]
    times += [f"{median(b) / median(n):.1f}" for b, n in ((before, now), (read_before, read_now))]
    return [name, *(f"{count:,}" for count in counts), *times]


def _pairs(other: Path) -> Iterator[list[Pair]]:
    """Give the pairs of each match."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "attacks.json"
        file.write_bytes(msgspec.json.encode([*_attacks()]))
        turns = [(_timed(other, file), _timed(HERE.parent / "src", file)) for _ in range(REPEATS)]
    before, now = zip(*turns, strict=True)
    for old, new in zip(zip(*before, strict=True), zip(*now, strict=True), strict=True):
        yield [
            Pair(*_least(olds), *_least(news), olds[0][2] == news[0][2])
            for olds, news in zip(zip(*old, strict=True), zip(*new, strict=True), strict=True)
        ]


def _least(runs: Sequence[tuple[float, float, str]]) -> tuple[float, float]:
    """Give the least seconds of several runs, without and with all outcomes read."""
    return min(seconds for seconds, _, _ in runs), min(read for _, read, _ in runs)


def _attacks() -> Iterator[list[dict[str, object]]]:
    """Give the attacks of each match as plain data."""
    for name, seeds in MATCHES.items():
        for seed in range(seeds):
            yield [*map(_plain, marked(asked_in(name, seed)))]


def _plain(asked: Asked) -> dict[str, object]:
    case = asked.fight.case
    return {
        "game": case.card.id,
        "procedure": case.procedure.id,
        "options": dict(case.options),
        "setup": msgspec.to_builtins(case.setup, enc_hook=str),
        "new": asked.new,
    }


def _timed(source: Path, file: Path) -> Timed:
    """Time all attacks in a process of its own, with the package of a folder."""
    done = subprocess.run(
        [sys.executable, HERE / "timed_attacks.py", file],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=Timed)


if __name__ == "__main__":
    print(report(Path(sys.argv[1])))
