"""Recorded matches of Bautzen that use every rule of the card, and how they were found.

`python -m tests.fields.bautzen_records` plays random matches that seek contact until together they
have used everything that such matches can use, and writes the few that are needed.
"""

import sys
from collections.abc import Iterator
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from random import Random

from grognard.games.bautzen.field import Moves, breakthrough
from grognard.games.bautzen.stated import BautzenFight
from grognard.maps.board import Board
from grognard.matches import match as matches
from grognard.matches.field import Field
from grognard.matches.match import Match, Reply
from grognard.matches.protocol import END, Order, Words
from grognard.rules.ask import Answer, Commit, Roll
from grognard.rules.line import Line
from tests.fields.recording import Use, at_random, needed, scripted

FOLDER = Path(__file__).parent / "training_ground"
NAME = f"{FOLDER}.toml"
SEEDS = range(320)
# The last corner of the table, 8+ at 7/1+: guns left behind alone, cut off by a whole division,
# where the supply of both sides is looked at before an attack.
# Poles stand meanwhile in both hexes where the Soviet 2/7 GvCC would arrive, and it waits.
TRAP = (
    "end; end; move '3 Art' 2009; move 'QG 2 AP' 1906; move 'CL A2' 1606; move 'CL A4' 1606;"
    "move '1 KP' 1607; move 'CL A1' 1907; move 859/294 1706; move 'QG 294' 1707;"
    "move 861/294 1806; end; end;"
    "move 21/20 2008; move 50/20 2008; move 112/20 2010; end; attack 2009 21/20 50/20 112/20"
)


def play(seed: int) -> Match:
    """Play a random match that seeks contact."""
    return at_random(NAME, seed, _order, _dice, _commitment)


def trap() -> Match:
    """Play the trap: no help for the guns, sixes, and nothing after it."""
    return scripted(NAME, TRAP, supply_check="both_sides")


def _dice(match: Match, ask: Roll, random: Random) -> Answer:
    """Rare chances are taken: the highest row of the table is not left to luck."""
    fight = match.play.fight if match.play is not None else None
    if isinstance(fight, BautzenFight) and fight.die_modifier > 1:
        return (6,) * ask.dice.count
    return tuple(random.randint(1, 6) for _ in range(ask.dice.count))


def _commitment(ask: Commit, random: Random) -> Answer:
    """One side throws all in against nothing as often as both do something."""
    if random.random() < 0.5:
        return random.choice(ask.attacker), random.choice(ask.defender)
    if random.random() < 0.5:
        return ask.attacker[-1], ask.defender[0]
    return ask.attacker[0], ask.defender[-1]


def _order(match: Match, ask: Order, random: Random) -> Words:
    orders = _orders(match.field, ask, random)
    if not orders or random.random() < 0.04:
        return END
    attacks = [order for order in orders if order[0] == "attack"]
    beaten = [order for order in attacks if _beaten(ask.board, order)]
    if beaten and random.random() < 0.7:
        return random.choice(beaten)
    together = [order for order in attacks if len(order) > 3]
    if together and random.random() < 0.4:
        return random.choice(together)
    breaks = [order for order in orders if order[0] == "break"]
    if breaks and random.random() < 0.15:
        return random.choice(breaks)
    moves = [order for order in orders if order[0] == "move"]
    if not moves:
        return random.choice(orders)
    sheet, board = ask.board.map, ask.board
    foes = [piece.at for piece in board.of(match.field.enemy(ask.side)) if piece.at]
    friends = [p.at for p in board.of(ask.side) if p.at and match.field.fights(p)]

    def far(order: Words) -> float:
        hex_ = sheet.hex(order[2])
        wanted = friends if board.piece(order[1]).kind == "cl" else foes
        near = min((hex_.distance(foe) for foe in wanted), default=0)
        return near - len(board.stack(hex_)) / 2 + random.random()

    return min(random.sample(moves, min(len(moves), 12)), key=far)


def _orders(field: Field, ask: Order, random: Random) -> list[Words]:
    """Every attack; of the moves those of a few units, as naming all takes long."""
    if not isinstance(ask.orders, Moves):
        return [order for order in ask.orders.all() if order != END]
    able = list(ask.orders.pieces())
    some = random.sample(able, min(len(able), 2))
    orders = [
        ("move", piece.name, ask.board.map.number(hex_))
        for piece in some
        for hex_ in field.reach(ask.board, piece)
        if hex_ != piece.at
    ]
    breaks = [("break", piece.name) for piece in some if _breaks(ask.orders, piece.name)]
    return [*orders, *breaks]


def _breaks(orders: Moves, name: str) -> bool:
    return bool(breakthrough(orders.field, orders.board, orders.board.piece(name)))


def _beaten(board: Board, order: Words) -> bool:
    return any("retreated" in piece.states for piece in board.stack(board.map.hex(order[1])))


# ------------------------------------------------------------------ what a match has used


def used(match: Match) -> set[Use]:
    """Play a match again, and give what it has used of the card."""
    found = set(_logged(match))
    again = Match(match.field)
    for answer in match.answers:
        ask = again.asking
        if isinstance(ask, Order) and isinstance(answer, tuple):
            found |= set(_ordered(match.field, ask.board, tuple(map(str, answer))))
        again.answer(answer)
    return found


def _logged(match: Match) -> Iterator[Use]:
    for entry in match.log:
        if isinstance(entry, Line):
            yield from _told(entry)
            if entry.id == "arrives" and match.board.map.hex(str(entry.value)) in _sources(match):
                yield "arrived", "supply-source"
        elif not isinstance(entry, Reply):
            continue
        elif isinstance(entry.ask, Order):
            yield "phrase", entry.ask.phase
        else:
            yield "phrase", entry.ask.what
            if entry.ask.what == "breakthrough-roll":
                yield "zoc-breakthrough", "1" if entry.answer in ((1,), (2,)) else "-"


def _sources(match: Match) -> set[object]:
    return set(match.board.map.sources)


def _told(line: Line) -> Iterator[Use]:
    """A modifier counts when it is told; a limit when it holds a sum back."""
    yield line.kind if line.kind in ("modifier", "limit") else "phrase", line.id
    if line.kind == "limit":
        yield "phrase", line.id
    blanks = dict(line.blanks)
    match line.id:
        case "look-up":
            yield "row", str(blanks["row"])
            yield "column", str(blanks["column"])
            yield from (("combat", half) for half in str(line.value).split("/"))
        case "unit-changed" | "unit-counts":
            yield "halved", str(line.rule)
        case "cl-income":
            yield "cl-income", str(line.value)
        case "cl-destroyed":
            yield "cl-fate", "D"
        case "cl-captured":
            yield "cl-fate", "C"


def _ordered(field: Field, board: Board, order: Words) -> Iterator[Use]:
    yield "order", order[0]
    if order[0] == "attack":
        yield from (("attacked", row.id) for row in board.map.rows(board.map.hex(order[1])))
    if order[0] != "move":
        return
    piece, sheet = board.piece(order[1]), board.map
    reach = field.reach(board, piece)
    path = reach[sheet.hex(order[2])].path
    for hex_ in sheet.around[path[0]]:
        if "lake" in sheet.between(path[0], hex_):
            yield "shunned", "lake"
    for here, there in pairwise(path):
        yield from (("entered", row.id) for row in sheet.rows(there))
        yield from ((f"{piece.unit_class} entered", row.id) for row in sheet.rows(there))
        road = sheet.ways_between(here, there) and field.way_helps(board, piece, here, there)
        yield from (("along", id_) for id_ in (sheet.ways_between(here, there) if road else ()))
        yield from (("crossed", id_) for id_ in (() if road else sheet.between(here, there)))
    together = (*board.stack(path[-1]), piece)
    yield from (("stacking", p.size) for p in (together if len(together) > 1 else ()))


def _uses(seed: int) -> set[Use]:
    return used(play(seed))


def main() -> None:
    """Find the matches and write them."""
    with Pool() as pool:
        found = dict(zip(SEEDS, pool.map(_uses, SEEDS), strict=True))
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    for seed in needed(found):
        file = FOLDER / f"{seed}.json"
        matches.save(play(seed), file)
        sys.stdout.write(f"{file}\n")
    matches.save(trap(), FOLDER / "trap.json")


if __name__ == "__main__":
    main()
