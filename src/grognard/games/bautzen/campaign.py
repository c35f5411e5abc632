"""Bautzen 1945, the whole game: reinforcements of the Allies (11) and victory (13)."""

from collections.abc import Sequence

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, joined_readings
from grognard.games.bautzen.ground import ALLIED, GERMAN, HELD, Ground
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.protocol import Condition, Playing, Verdict
from grognard.rules.rolls import code_at
from grognard.words.message import Message, say
from grognard.words.numbers import signed
from grognard.words.text import NO_WORDS, Text

FIRST_ROLL = 2  # the turn
EARLY = (2, 3)  # turns with a die modifier
NEWCOMERS = {"95": "95 GRD", "95A": "95 GRD", "4A": "4 GTC"}
TOWNS, PLACES, CAPITAL = "victory_towns", "victory_places", "victory_capital"
ENOUGH = 2  # places that the Germans need
# What holding each is worth to the automatic player: if all conditions are needed, and if fewer do.
ALL_AIMS = {TOWNS: 3, PLACES: 1, CAPITAL: 4}
FEWER_AIMS = {TOWNS: 2, PLACES: 2, CAPITAL: 4}


def is_campaign(ground: Ground) -> bool:
    """Tell whether a scenario is the whole game, with its table of reinforcements."""
    return TOWNS in ground.scenario.values


def hexes(ground: Ground, board: Board, key: str) -> list[Hex]:
    """Give the hexes of places that the scenario names; by option those of the printed numbers."""
    printed = f"{key}_printed"
    values = ground.scenario.values
    by_number = ground.options["places"] == "numbers" and printed in values
    return [board.map.hex(number) for number in str(values[printed if by_number else key]).split()]


# ------------------------------------------------------------------ 11 reinforcements


def reinforcements(ground: Ground, board: Board, turn: int) -> Playing:
    """11.1: one roll on the table in each Allied supply segment from turn 2 on."""
    if turn < FIRST_ROLL:
        return board
    if ground.options["reinforcement_roll"] == "may_decline":
        tests = yield from ground.choose("attacker", "reinforcement-test", ("yes", "no"), "11.1")
        if tests == "no":
            return board
    die = yield from ground.roll("reinforcement-roll", 1, "11.1")
    added = modifier(ground, board, turn)
    table = ground.card.table("reinforcements")
    code = code_at(table, die + added)
    sums = ("reinforcement_modifiers", "places")
    doubts = (
        ground.doubt("reinforcement_roll"),
        ground.swayed(lambda field: modifier(field, board, turn), *sums),
    )
    yield ground.tell(
        "result",
        "reinforcement-result",
        "11.1",
        value=code,
        rolled=die,
        added=signed(added) if added else "",
        what=table.legend[code].text,
        reading=joined_readings(doubts),
    )
    if code == "G":
        return (yield from _released(ground, board))
    return (yield from _come(ground, board, turn, code)) if code in NEWCOMERS else board


def modifier(ground: Ground, board: Board, turn: int) -> int:
    """11.1: −2 on turns 2 and 3; +1 for a hex of Bautzen, +2 for one and Weissenberg."""
    early = -2 if turn in EARLY else 0
    town = any(ground.control(board, hex_) == GERMAN for hex_ in hexes(ground, board, TOWNS))
    both = town and ground.control(board, hexes(ground, board, PLACES)[0]) == GERMAN
    if both and ground.options["reinforcement_modifiers"] == "added":
        return early + 3
    return early + (2 if both else 1 if town else 0)


def _released(ground: Ground, board: Board) -> Playing:
    """11.3: one of the divisions that are held back may go south from now on."""
    began = {force.formation for force in ground.scenario.forces if HELD in force.states}
    units = [piece for piece in board.pieces if piece.formation in began]
    held = guards(board)
    first_only = ground.options["second_guards"] == "nothing"
    second = any(HELD not in piece.states for piece in units)
    doubt = ground.doubt("second_guards") if held and second else CERTAIN
    if not held or (first_only and second):
        yield ground.tell("remark", "in-play-already", "11.1", reading=doubt)
        return board
    name = yield from ground.choose("attacker", "which-released", held, "11.3")
    yield ground.tell("remark", "released", "11.3", value=name, reading=doubt)
    return board.changed(*(p.cleared(HELD) for p in board.pieces if p.formation == name))


def guards(board: Board) -> tuple[str, ...]:
    """Name the formations that are held back."""
    return tuple(dict.fromkeys(p.formation for p in board.pieces if HELD in p.states))


def _come(ground: Ground, board: Board, turn: int, code: str) -> Playing:
    """11.2: a formation enters by the supply sources, perhaps with an air marker."""
    formation = NEWCOMERS[code]
    waiting = [
        piece
        for piece in board.pieces
        if piece.formation == formation and piece.at is None and piece.alive and not piece.arrives
    ]
    doubt = ground.doubt("in_play_already") if code.endswith("A") and not waiting else CERTAIN
    if not waiting:
        yield ground.tell("remark", "in-play-already", "11.1", reading=doubt)
    if code.endswith("A") and (waiting or ground.options["in_play_already"] == "air_still_comes"):
        yield ground.tell("remark", "air-comes", "11.2")
        board = board.pooled("air", 1)
    for piece in waiting:
        due = replace(piece, arrives=turn)
        board = yield from ground.arrives(board.changed(due), due, "11.2")
    return board


# ------------------------------------------------------------------ 13 victory


def verdict(ground: Ground, board: Board) -> Verdict:
    """13: the Germans win if all conditions hold; by option with fewer of them."""
    conditions = (_bautzen(ground, board), _places(ground, board), _dresden(ground, board))
    holds = tuple(condition.holds for condition in conditions)
    points = {GERMAN: sum(holds), ALLIED: len(holds) - sum(holds)}
    return Verdict(points, GERMAN if _won(ground, *holds) else ALLIED, conditions)


def _won(ground: Ground, towns: bool, places: bool, capital: bool) -> bool:
    match ground.options["victory"]:
        case "either_and_dresden":
            return (towns or places) and capital
        case "one_is_enough":  # ours, for players of equal strength
            return towns or places or capital
        case _:
            return towns and places and capital


def aims(ground: Ground, board: Board) -> dict[Hex, int]:
    """13: what the conditions need; where fewer do, both hexes of Bautzen count less."""
    worth = ALL_AIMS if ground.options["victory"] == "all_three" else FEWER_AIMS
    return {hex_: points for key, points in worth.items() for hex_ in hexes(ground, board, key)}


def _bautzen(ground: Ground, board: Board) -> Condition:
    towns = hexes(ground, board, TOWNS)
    lost = [hex_ for hex_ in towns if ground.control(board, hex_) == GERMAN]
    ringed = [hex_ for hex_ in towns if hex_ not in lost and encircled(ground, board, towns, hex_)]
    why = say(
        "controlled: {held}; encircled: {ringed}; neither: {free}",
        held=_listed(board, lost),
        ringed=_listed(board, ringed),
        free=_listed(board, [hex_ for hex_ in towns if hex_ not in (*lost, *ringed)]),
    )
    text = say("the Germans control or encircle both hexes of Bautzen")
    return Condition(text, len(lost) + len(ringed) == len(towns), why)


def encircled(ground: Ground, board: Board, towns: Sequence[Hex], hex_: Hex) -> bool:
    """13: no Allied supply line leads from the hex; by option a ring around the town is closed."""
    if ground.options["encircled"] == "no_supply_line":
        return hex_ not in ground.supplied(board, ALLIED)
    zone = ground.zoc(board, GERMAN)
    around = {there for town in towns for there in board.map.around[town]} - set(towns)
    return all(
        board.side_of(there) == GERMAN or (board.side_of(there) is None and there in zone)
        for there in around
    )


def _places(ground: Ground, board: Board) -> Condition:
    taken = [hex_ for hex_ in hexes(ground, board, PLACES) if ground.control(board, hex_) == GERMAN]
    text = say(
        "the Germans control at least {n} of {places}",
        n=ENOUGH,
        places=_listed(board, hexes(ground, board, PLACES)),
    )
    why = say("controlled: {held}", held=_listed(board, taken))
    return Condition(text, len(taken) >= ENOUGH, why)


def _dresden(ground: Ground, board: Board) -> Condition:
    (capital,) = hexes(ground, board, CAPITAL)
    safe = ground.control(board, capital) != ALLIED
    why = say("the Allies do not control it") if safe else say("the Allies control it")
    return Condition(say("Dresden is not controlled by the Allies"), safe, why)


def _listed(board: Board, found: Sequence[Hex]) -> Text | Message:
    """List hexes with their names."""
    if not found:
        return say("none")
    sheet = board.map
    named = [(sheet.number(hex_), sheet.places[hex_].name or NO_WORDS) for hex_ in found]
    return Text(
        ", ".join(f"{number} {name.en}".strip() for number, name in named),
        ", ".join(f"{number} {name.fr}".strip() for number, name in named),
    )
