"""A fresh interpreter in which four threads use the library for the first time, all at once."""

import sys
from threading import Barrier, Thread

import grognard

UNIT = {"pe": 3, "strength": 8, "quality": 3, "morale": 3}
STATED: dict[str, dict[str, object]] = {
    "bautzen": {
        "attackers": [{"name": "A", "attack": 12}],
        "defenders": [{"name": "D", "defence": 4}],
    },
    "normandy": {
        "attackers": [{"name": "A", "factor": 9, "main_force": True}],
        "defenders": [{"name": "D", "factor": 3}],
    },
    "panzer-grenadier": {
        "attackers": [{"name": "A", "fire": 11}],
        "defenders": [{"name": "D", "morale": 7}],
        "range": 2,
    },
    "white-october": {
        "attackers": [{"name": "A", **UNIT}],
        "defenders": [{"name": "D", **UNIT}],
    },
}
THREADS = 4


def main() -> None:
    sys.setswitchinterval(1e-6)
    together = Barrier(THREADS)
    found: list[tuple[str, int, int]] = []

    def use() -> None:
        for id_, stated in STATED.items():
            together.wait()
            game = grognard.load(id_)
            found.append((id_, id(game), game.fight(stated).odds().total))

    threads = [Thread(target=use) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(found) != THREADS * len(STATED) or len(set(found)) != len(STATED):
        sys.exit(f"the threads found {found}")


if __name__ == "__main__":
    main()
