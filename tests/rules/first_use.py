"""A fresh interpreter in which four threads use the library for the first time, all at once."""

import sys
import tomllib
from pathlib import Path
from threading import Barrier, Thread

import grognard

EXAMPLES = Path(__file__).parents[2] / "examples"
STATED = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in EXAMPLES.glob("*.toml")}
THREADS = 4


def main() -> None:
    sys.setswitchinterval(1e-6)
    together = Barrier(THREADS)
    found: list[tuple[str, int, int]] = []

    def use() -> None:
        for name, fight in STATED.items():
            together.wait()
            stated = dict(fight)
            game, procedure = grognard.load(stated.pop("game")), stated.pop("procedure", None)
            options = stated.pop("options", {})
            odds = game.fight(stated, procedure=procedure, options=options).odds()
            found.append((name, id(game), odds.total))

    threads = [Thread(target=use) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(found) != THREADS * len(STATED) or len(set(found)) != len(STATED):
        sys.exit(f"the threads found {found}")


if __name__ == "__main__":
    main()
