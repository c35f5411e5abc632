"""Recorded matches of the steppe village that use every rule of the card, and how they were found.

`python -m tests.fields.panzer_grenadier_records` plays random matches that seek contact, chooses a
few that together have used everything that any of them has, cuts each down to what it is needed
for (from there on both sides pass), and writes them.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count, pairwise
from multiprocessing import Pool
from pathlib import Path
from random import Random

from grognard.games.panzer_grenadier.conditions import SHOT
from grognard.games.panzer_grenadier.ground import state_of
from grognard.games.panzer_grenadier.stated import AFVS, DirectFight
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches import match as matches
from grognard.matches.field import Field
from grognard.matches.match import Match, Reply
from grognard.matches.protocol import END, Order, Words
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.line import Line
from grognard.words.text import Text
from tests.fields.recording import Use, at_random, cut

NAME = "steppe"
FOLDER = Path(__file__).parent / NAME
SEEDS = range(240)
RARE = ("strike", "recover", "shoot")
GREAT = 7  # the place of the column 30


def play(seed: int) -> Match:
    """Play a random match that seeks contact."""
    return at_random(NAME, seed, _order, _dice)


def _dice(match: Match, ask: Roll, random: Random) -> Answer:
    """Rare chances are taken: the best columns have the best dice, and many rolls are extreme."""
    fight = match.play.fight if match.play is not None else None
    great = isinstance(fight, DirectFight) and any((g.column or 0) >= GREAT for g in fight.groups)
    if great or random.random() < 1 / 3:
        return (random.choice((1, 6)),) * ask.dice.count
    return tuple(random.randint(1, 6) for _ in range(ask.dice.count))


def _order(match: Match, ask: Order, random: Random) -> Words:
    orders = [order for order in ask.orders.all() if order != END]
    if not orders or random.random() < 0.1:
        return END
    chances = [order for order in orders if _chance(ask.board, order)]
    if chances and random.random() < 0.4:
        return random.choice(chances)
    rare = [order for order in orders if order[0] in RARE]
    if rare and random.random() < 0.4:
        return random.choice(rare)
    fires = [order for order in orders if order[0] == "fire"]
    if fires and random.random() < 0.35:
        most = max(map(len, fires))
        return random.choice([order for order in fires if len(order) == most])
    moves = [order for order in orders if order[0] == "move"]
    if not moves or random.random() < 0.3:
        return random.choice(orders)
    board, sheet = ask.board, ask.board.map
    foes = [piece.at for piece in board.of(match.field.enemy(ask.side)) if piece.at]

    def far(order: Words) -> float:
        hex_ = sheet.hex(order[-1])
        near = min((hex_.distance(foe) for foe in foes), default=0)
        return near - len(board.stack(hex_)) / 2 + random.random()

    return min(random.sample(moves, min(len(moves), 8)), key=far)


def _chance(board: Board, order: Words) -> bool:
    """Tell what seldom comes: tanks helped across a river, and fire at units that have just moved,
    cross a river, were shot at this turn or stand in a wood."""
    sheet = board.map
    match order:
        case ("move", name, number):
            piece, there = board.piece(name), sheet.hex(number)
            return piece.kind in AFVS and _over_river(board, piece, there)
        case ("shoot", name, _):
            states = board.piece(name).states
            shot = any(state.startswith(f"{SHOT}-") for state in states)
            return shot or bool({"moved-before", "crossing"} & states)
        case ("fire", number, *_):
            wood = "wood" in sheet.places[sheet.hex(number)].terrain
            stack = board.stack(sheet.hex(number))
            return wood or any("crossing" in piece.states for piece in stack)
    return False


def _over_river(board: Board, piece: Piece, there: Hex) -> bool:
    here, sheet = piece.at, board.map
    if here is None or there not in sheet.around[here]:
        return False
    return "river" in sheet.between(here, there) and not sheet.ways_between(here, there)


# ------------------------------------------------------------------ what a match has used


def used(match: Match) -> set[Use]:
    """Give what a match has used of the card and of the scenario's chart."""
    return {use for _, use in uses(match)}


def uses(match: Match) -> Iterator[tuple[int, Use]]:
    """Read a match's log, and give what it uses, each with the number of answers until then."""
    number, board, states = 0, match.field.scenario.board(), dict[str, str]()
    order: Words = END
    for entry in match.log:
        if isinstance(entry, Line):
            yield from ((number, use) for use in _told(board, entry))
            if entry.id in ("check-disrupted", "check-demoralised"):
                states[entry.unit] = entry.id.removeprefix("check-")
        if not isinstance(entry, Reply):
            continue
        if isinstance(entry.ask, Order) and isinstance(entry.answer, tuple):
            ended = _marched(match.field, board, entry.ask.board, order)
            yield from ((number, use) for use in ended)
            board, order, states = entry.ask.board, tuple(map(str, entry.answer)), {}
            answered = _ordered(board, order)
        else:
            answered = _answered(entry, board, states)
        number += 1
        yield from ((number, use) for use in answered)
    yield from ((number, use) for use in _marched(match.field, board, match.board, order))


def _ordered(board: Board, order: Words) -> Iterator[Use]:
    """An order counts by its verb, and a move by the state of the unit too."""
    yield "phrase", "phase-action"
    yield "order", "move with" if order[0] == "move" and len(order) > 3 else order[0]
    if order[0] == "move":
        yield "moved", state_of(board.piece(order[1]))


def _answered(given: Reply, board: Board, states: dict[str, str]) -> Iterator[Use]:
    """Opportunity fire counts by its kind, a morale check by the state of the unit before it."""
    ask, answer = given.ask, given.answer
    if isinstance(ask, Choose | Roll):
        yield "phrase", ask.what
        if ask.what == "opportunity" and isinstance(answer, tuple):
            yield "phrase", f"opportunity.{answer[0]}"
        if ask.what == "morale-roll":
            name = str(dict(ask.blanks)["unit"])
            yield "morale-check column", states.get(name) or state_of(board.piece(name))


def _told(board: Board, line: Line) -> Iterator[Use]:
    """A modifier counts when it is told and is not 0; a limit when it holds a sum back; a row, a
    column and a code of a table when a result is read there; terrain when it is fired at."""
    blanks = {key: value.en if isinstance(value, Text) else value for key, value in line.blanks}
    match line.kind:
        case "modifier" if line.value:
            yield "modifier", line.id
            yield "phrase", line.id
        case "limit":
            yield "limit", f"{line.id} {line.value}"
        case _:
            yield "phrase", line.id
    match line.id:
        case "look-up":
            yield "direct-fire", str(line.value)
            yield "direct-fire row", str(blanks["row"])
            yield "direct-fire column", str(blanks["column"])
        case "anti-tank-result":
            yield "anti-tank", str(line.value)
            yield "anti-tank row", str(blanks["row"])
        case "exceeded":
            yield "morale-check", str(line.value)
            yield "morale-check row", str(blanks["row"])
        case "check-passed":
            yield "morale-check", "passed"
            yield "morale-check row", "0-"
        case "unit-changed" | "unit-counts":
            yield "number", str(blanks["reason"])
        case "fires-from" | "strikes-at":
            hex_ = board.map.hex(str(blanks.get("there", line.value)))
            yield from (("fired at", row.id) for row in board.map.rows(hex_))


def _marched(field: Field, before: Board, after: Board, order: Words) -> Iterator[Use]:
    """A move that came to its end entered the hexes of its path, by road or across a river."""
    if order[0] != "move":
        return
    way, sheet = field.route(before, before.piece(order[1]), order[-1:]), before.map
    if after.piece(order[1]).at != way.path[-1]:
        return
    for here, there in pairwise(way.path):
        yield from (("entered", row.id) for row in sheet.rows(there))
        ways = sheet.ways_between(here, there)
        yield from (("along", id_) for id_ in ways)
        yield from (("crossed", id_) for id_ in sheet.between(here, there) if not ways)


# ------------------------------------------------------------------ few and short


def needed(found: dict[int, set[Use]]) -> list[int]:
    """Choose as few matches as can be that together use all that any of them uses."""
    often = Counter(use for each in found.values() for use in each)
    return next(chosen for most in count(1) if (chosen := _cover(found, often, set(often), most)))


def _cover(found: dict[int, set[Use]], often: Counter[Use], left: set[Use], most: int) -> list[int]:
    """Cover what is left with so many matches at most, its rarest use first; none if none do."""
    rarest = min(left, key=lambda use: (often[use], use))
    for seed, each in found.items():
        if rarest in each:
            if left <= each:
                return [seed]
            if most > 1 and (rest := _cover(found, often, left - each, most - 1)):
                return [seed, *rest]
    return []


def _uses(seed: int) -> set[Use]:
    return used(play(seed))


def main() -> None:
    """Find the matches and write them."""
    with Pool() as pool:
        found = dict(zip(SEEDS, pool.map(_uses, SEEDS), strict=True))
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    chosen, done = needed(found), set[Use]()
    for place, seed in enumerate(chosen):
        later = set[Use]().union(*(found[other] for other in chosen[place + 1 :]))
        match = cut(play(seed), found[seed] - later - done, uses)
        done |= used(match)
        file = FOLDER / f"{seed}.json"
        matches.save(match, file)
        sys.stdout.write(f"{file}: {len(match.answers)} answers\n")


if __name__ == "__main__":
    main()
