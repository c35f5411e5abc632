"""Recorded matches of Le Carrefour that use every rule of the card, and how they were found.

`python -m tests.fields.normandy_records` plays random matches that seek contact until together they
have used everything that such matches can use, and writes the few that are needed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from grognard.matches import match as matches
from grognard.matches.match import Match, Reply
from grognard.matches.protocol import END, Order, Words
from grognard.rules.ask import Roll
from grognard.rules.line import Line
from grognard.words.text import Text
from tests.fields.recording import Use, at_random, needed

NAME = "carrefour"
FOLDER = Path(__file__).parent / NAME
SEEDS = range(100, 300)


def play(seed: int) -> Match:
    """Play a random match that seeks contact."""
    return at_random(NAME, seed, _order)


def _order(match: Match, ask: Order, random: Random) -> Words:
    orders = [order for order in ask.orders.all() if order != END]
    if not orders or random.random() < 0.05:
        return END
    together = [order for order in orders if order[0] == "attack" and len(order) > 3]
    if together and random.random() < 0.7:
        return random.choice(together)
    strategic = [order for order in orders if order[0] == "strategic"]
    if strategic and random.random() < 0.15:
        return random.choice(strategic)
    moves = [order for order in orders if order[0] == "move"]
    if not moves:
        return random.choice(orders)
    sheet = ask.board.map
    foes = [piece.at for piece in ask.board.of(match.field.enemy(ask.side)) if piece.at]

    def far(order: Words) -> float:
        hex_ = sheet.hex(order[2])
        near = min((hex_.distance(foe) for foe in foes), default=0)
        return near - len(ask.board.stack(hex_)) / 2 + random.random()

    return min(random.sample(moves, min(len(moves), 12)), key=far)


def used(match: Match) -> set[Use]:
    """Give what a match has used of the card: modifiers, codes of tables, terrain, phrases."""
    return set(_used(match))


def _used(match: Match) -> Iterator[Use]:
    rolled = ""
    for entry in match.log:
        if isinstance(entry, Line):
            yield from _told(entry, rolled)
        elif not isinstance(entry, Reply):
            continue
        elif isinstance(entry.ask, Order):
            yield "order", str(entry.answer[0]) if isinstance(entry.answer, tuple) else ""
            yield "phrase", entry.ask.phase
        else:
            yield "phrase", entry.ask.what
            rolled = entry.ask.what if isinstance(entry.ask, Roll) else rolled


def _told(line: Line, rolled: str) -> Iterator[Use]:
    if line.kind in ("modifier", "limit"):
        yield line.kind, line.id
    else:
        yield "phrase", line.id
    blanks = {key: value.en for key, value in line.blanks if isinstance(value, Text)}
    if line.id == "means":
        yield rolled, str(line.value)
    elif line.id in ("across", "costs"):
        yield line.id, blanks.get("river") or blanks["what"]
    elif line.id in ("target-is", "fort-holds"):
        yield from (("target", terrain) for terrain in blanks["terrain"].split(", "))


def main() -> None:
    """Find the matches and write them."""
    found = {seed: used(play(seed)) for seed in SEEDS}
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    for seed in needed(found):
        file = FOLDER / f"{seed}.json"
        matches.save(play(seed), file)
        sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
