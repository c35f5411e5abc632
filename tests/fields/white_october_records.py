"""Recorded matches of Pulkovo that use every rule of the card, and how they were found.

`python -m tests.fields.white_october_records` plays random matches that seek contact, chooses a few
that together have used everything that any of them has, cuts each down to what it is needed for
(from there on both sides pass), and writes them.
"""

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from random import Random

from grognard.card.card import Card
from grognard.games.white_october.ground import FIGHTS, HQ, LEADER, SUPPORTS
from grognard.games.white_october.stated import WhiteOctoberFight
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches import match as matches
from grognard.matches.field import Field
from grognard.matches.match import Match, Reply
from grognard.matches.orders import AttackOrders, MoveOrders
from grognard.matches.protocol import END, Order, Words
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.line import Line
from grognard.words.text import Text
from tests.fields.recording import Use, at_random, cut, needed, scripted

NAME = "pulkovo"
FOLDER = Path(__file__).parent / NAME
SEEDS = range(400)
# What random matches never come to: raiders wait where reinforcements should arrive, and cavalry
# rides down an HQ in a corner from which no second hex is open.
RAID = (
    "move Ostrov 0306; move Semenov 0308; move 'HQ Palen' 0308; move 'Brown Bear' 0607;"
    "move 'Bulak Horse' 0908; end; end;"
    "move 'AB Lenin' 0509; move '53 Rifles' 1109; move 'HQ 7 Army' 1001; end; end;"
    "move 'Bulak Horse' 1004; end; end;"
    "move 'HQ 7 Army' 1101; move Bashkirs 1001; end; end;"
    "move 'Bulak Horse' 1102; end; attack 1101 'Bulak Horse'"
)


def play(seed: int) -> Match:
    """Play a random match that seeks contact."""
    return at_random(NAME, seed, _order, _dice)


def raid() -> Match:
    """Play the raid: sixes, the last of every choice, and nothing after it."""
    return scripted(NAME, RAID)


def _dice(match: Match, ask: Roll, random: Random) -> Answer:
    """Rare chances are taken: columns at the ends are as likely as those in the middle, and are
    likely where morale is low."""
    fight = match.play.fight if match.play is not None else None
    if not isinstance(fight, WhiteOctoberFight):
        return tuple(random.randint(1, 6) for _ in range(ask.dice.count))
    shaken = {"m1", "m2"} & set(fight.rows)
    total = random.choice((2, 12)) if shaken and random.random() < 0.5 else random.randint(2, 12)
    return total // 2, total - total // 2


def _order(match: Match, ask: Order, random: Random) -> Words:
    if isinstance(ask.orders, MoveOrders):
        return _move(match.field, ask.orders, random)
    assert isinstance(ask.orders, AttackOrders)
    return _attack(ask.orders, random)


def _attack(orders: AttackOrders, random: Random) -> Words:
    """Attack with all that can, with one unit alone, or with some of them."""
    attacks = [order for order in orders.all() if order != END]
    if not attacks or random.random() < 0.1:
        return END
    verb, target, *names = random.choice(attacks)
    able = [name for name in names if orders.board.piece(name).kind in FIGHTS]
    guns = [name for name in names if orders.board.piece(name).kind in SUPPORTS]
    if random.random() < 0.3:
        able = random.sample(able, random.randint(1, len(able)))
    return (verb, target, *able, *random.sample(guns, random.randint(0, len(guns))))


def _move(field: Field, orders: MoveOrders, random: Random) -> Words:
    """Most moves go to the enemy, leaders and HQs to friends in the line, some anywhere."""
    pieces = list(orders.pieces())
    if not pieces or random.random() < 0.04:
        return END
    piece = random.choice(pieces)
    board = orders.board
    reached = field.reach(board, piece)
    ways = [hex_ for hex_, way in reached.items() if len(way.path) > 1]
    if not ways:
        return END
    where = _wanted(field, board, piece)
    if where and random.random() < 0.75:
        wanted = random.choice(where)
        hex_ = min(ways, key=lambda way: (way.distance(wanted), random.random()))
    else:
        hex_ = random.choice(ways)
    return ("move", piece.name, board.map.number(hex_))


def _wanted(field: Field, board: Board, piece: Piece) -> Sequence[Hex]:
    foes = [foe.at for foe in board.of(field.enemy(piece.side)) if foe.at]
    if piece.kind not in (HQ, LEADER):
        return sorted(foes, key=lambda foe: foe.distance(piece.at or foe))[:3]
    friends = [one.at for one in board.of(piece.side) if one.at and one.kind in FIGHTS]
    return [hex_ for hex_ in friends if min((hex_.distance(foe) for foe in foes), default=0) <= 2]


# ------------------------------------------------------------------ what a match has used


def used(match: Match) -> set[Use]:
    """Give what a match has used of the card and of the scenario's chart."""
    return {use for _, use in uses(match)}


def uses(match: Match) -> Iterator[tuple[int, Use]]:
    """Read a match's log, and give what it uses, each with the number of answers until then."""
    number, card = 0, match.field.card
    for entry in match.log:
        if isinstance(entry, Line):
            yield from ((number, use) for use in _told(card, entry))
        elif isinstance(entry, Reply):
            number += 1
            yield from ((number, use) for use in _answered(match.field, entry))


def _told(card: Card, line: Line) -> Iterator[Use]:
    """A line counts by its phrase and the phrases in it, a modifier by its sign or its side, and an
    option when a told reading names it."""
    if line.reading.option:
        yield "option", line.reading.option
    if line.kind == "modifier":
        up = isinstance(line.value, int | Fraction) and line.value > 0
        yield "modifier", f"{line.id} {line.side or ('+' if up else '-')}"
    else:
        yield "phrase", line.id
    within = [value for _, value in line.blanks if isinstance(value, Text)]
    yield from (("phrase", id_) for id_, text in card.phrases.items() if text in within)
    yield from _read(card, line)


def _read(card: Card, line: Line) -> Iterator[Use]:
    """A table counts by its columns, its rows, its halves and its doubtful halves, each for the
    side that reads it; a result by the codes of what a side applied."""
    blanks = {key: value.en if isinstance(value, Text) else value for key, value in line.blanks}
    match line.id:
        case "ratio":
            yield "ratio dice", f"{line.value:+}"
        case "basic-column":
            yield "ratio", str(line.value)
        case "final-column":
            yield "column", str(line.value)
        case "look-up":
            yield "row", f"{line.side} {blanks['row']}"
            yield "half", f"{line.side} {line.value}"
            if line.reading.reason:
                yield "doubtful half", f"{line.side} {blanks['row']} {blanks['column']}"
        case "attacker-applies" | "defender-applies":
            codes = card.table("combat").parse_half(str(line.value)).options[0]
            yield from (("code", f"{line.side} {code}") for code in codes)
        case "morale-clamped":
            yield "morale limit", str(line.value)
        case "ground-helps":
            yield "helps", str(blanks["ground"])
        case "attacker-owes" | "defender-owes" if blanks["blocked"]:
            yield "no way back", str(line.side)


def _answered(field: Field, given: Reply) -> Iterator[Use]:
    """A question counts by its name, an answer to it by its words."""
    ask, answer = given.ask, given.answer
    if isinstance(ask, Order) and isinstance(answer, tuple):
        yield "phrase", ask.phase
        yield from _ordered(field, ask.board, tuple(map(str, answer)))
    elif isinstance(ask, Choose | Roll):
        yield "phrase", ask.what
        words = answer if isinstance(answer, tuple) else (answer,)
        phrases = (f"{ask.what}.{word}" for word in words)
        yield from (("phrase", id_) for id_ in phrases if id_ in field.card.phrases)


def _ordered(field: Field, board: Board, order: Words) -> Iterator[Use]:
    """An attack counts by the terrain of its target and of the sides that it crosses, a move by
    the terrain that it enters, the sides that it crosses and the ways along which it goes."""
    sheet = board.map
    yield "order", order[0]
    if order[0] == "attack":
        target = sheet.hex(order[1])
        yield from (("attacked", row.id) for row in sheet.rows(target))
        yield from (("takes part", board.piece(name).kind) for name in order[2:])
    if order[0] != "move":
        return
    piece = board.piece(order[1])
    way = field.route(board, piece, order[2:])
    yield "moved", piece.unit_class
    for here, there in pairwise(way.path):
        yield from (("entered", row.id) for row in sheet.rows(there))
        ways = [id_ for id_ in sheet.ways_between(here, there) if _along(board, piece, id_)]
        yield from (("along", id_) for id_ in ways)
        yield from (("crossed", id_) for id_ in sheet.between(here, there) if not ways)
    if way.stop:
        zone = field.zoc(board, field.enemy(piece.side))
        yield "stopped", "zone" if way.path[-1] in zone else "terrain"
    pe = sum(p.steps for p in (*board.stack(way.path[-1]), piece) if p.kind not in (HQ, LEADER))
    if pe == field.card.number("stacking_pe"):
        yield "stacked", "full"


def _along(board: Board, piece: Piece, way: str) -> bool:
    return piece.unit_class in board.map.terrain[way].cost


# ------------------------------------------------------------------ few and short


def _uses(seed: int) -> set[Use]:
    return used(play(seed))


def main() -> None:
    """Find the matches and write them."""
    with Pool() as pool:
        found = dict(zip(SEEDS, pool.map(_uses, SEEDS), strict=True))
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    matches.save(raid(), FOLDER / "raid.json")
    done = used(raid())
    found = {seed: each - done for seed, each in found.items()}
    for seed in needed(found):
        match = cut(play(seed), found[seed] - done, uses)
        done |= used(match)
        file = FOLDER / f"{seed}.json"
        matches.save(match, file)
        sys.stdout.write(f"{file}: {len(match.answers)} answers\n")


if __name__ == "__main__":
    main()
