"""Start-up time: importing the package, and the shortest command."""

import subprocess
import sys
from pathlib import Path

from benchmarks.timing import best_of, duration, table

REPEATS = 15


def report() -> str:
    command = str(Path(sys.executable).parent / "grognard")
    bare = _run(sys.executable, "-c", "pass")
    imported = _run(sys.executable, "-c", "import grognard")
    loaded = _run(sys.executable, "-c", "import grognard; grognard.load('bautzen')")
    games = _run(command, "games")
    rows = [
        ["`import grognard`, over a bare interpreter", duration(imported - bare), "60 ms"],
        ['… and `load("bautzen")`', duration(loaded - bare), ""],
        ["`grognard games`, whole command", duration(games), "250 ms"],
    ]
    return table(["start-up", "best of 15", "promised"], rows)


def _run(*words: str) -> float:
    return best_of(lambda: subprocess.run(words, check=True, capture_output=True), REPEATS)
