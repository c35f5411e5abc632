"""Boards of White October for tests."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.games.white_october.conditions import setup
from grognard.games.white_october.field import WhiteOctoberField
from grognard.games.white_october.stated import Attack, WhiteOctoberFight
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import Doing, Order, Yielded
from grognard.rules.ask import Answer, Ask, Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line

SCENARIO = scenarios.load("pulkovo")
FIELD = WhiteOctoberField(SCENARIO)
START = SCENARIO.board()


def field(**options: str) -> WhiteOctoberField:
    return WhiteOctoberField(replace(SCENARIO, options=options))


def only(hexes: Mapping[str, str], **states: str) -> Board:
    """Set up these pieces alone; states as `Talabsk="routed"`, names with _ for the blank."""
    marks = {name.replace("_", " "): state for name, state in states.items()}
    pieces = [
        replace(
            piece,
            at=START.map.hex(hexes[piece.name]) if piece.name in hexes else None,
            states=frozenset(marks.get(piece.name, "").split()),
        )
        for piece in START.pieces
    ]
    assert set(hexes) <= {piece.name for piece in pieces}
    return START.changed(*pieces)


def hexes(*numbers: str) -> set[Hex]:
    return {START.map.hex(number) for number in numbers}


def numbers(found: Iterable[Hex]) -> set[str]:
    return {START.map.number(hex_) for hex_ in found}


def at(board: Board, name: str) -> str:
    hex_ = board.piece(name).at
    return board.map.number(hex_) if hex_ else "-"


class Ran(NamedTuple):
    """How a piece of the sequence of play went."""

    value: Any
    lines: list[Line]
    asked: list[Ask]

    @property
    def ids(self) -> list[str]:
        return [line.id for line in self.lines]

    def line(self, id_: str) -> Line:
        return next(line for line in self.lines if line.id == id_)


Choices = Mapping[str, Answer | list[Answer]]


class Driver:
    """Answers choices by their name (else with the first option), the combat dice so that the
    column is read, and other dice as given; ends every phase."""

    def __init__(self, choices: Choices, column: int, die: int) -> None:
        self.left = {key: list(v) if isinstance(v, list) else [v] for key, v in choices.items()}
        self.column, self.die = column, die
        self.lines: list[Line] = []
        self.asked: list[Ask] = []

    def reply(self, said: Yielded) -> Answer | Play | None:
        match said:
            case Line():
                self.lines.append(said)
            case Fight():
                return self.fought(said)
            case Order():
                return ("end",)
            case Roll() | Choose():
                return self.answer(said)
        return None

    def fought(self, fight: Fight) -> Play:
        play = Play(fight)
        while play.asking is not None:
            play.answer(self.answer(play.asking, play))
        self.lines += [told.line for told in play.told]
        return play

    def answer(self, ask: Ask, play: Play | None = None) -> Answer:
        self.asked.append(ask)
        if isinstance(ask, Roll):
            return self.dice(ask, play)
        assert isinstance(ask, Choose)
        known = self.left.get(ask.what)
        if not known:
            return ask.options[0]
        return known.pop(0) if len(known) > 1 else known[0]

    def dice(self, ask: Roll, play: Play | None) -> Answer:
        if play is None:
            return (self.die,) * ask.dice.count
        assert isinstance(play.fight, WhiteOctoberFight)
        total = self.column - play.fight.die_modifier
        assert 2 <= total <= 12, total
        return total // 2, total - total // 2


def run(doing: Doing[object], choices: Choices | None = None, column: int = 7, die: int = 1) -> Ran:
    """Run a part of the rules to its end."""
    driver = Driver(choices or {}, column, die)
    sent: Answer | Play | None = None
    while True:
        try:
            sent = driver.reply(doing.send(sent))
        except StopIteration as end:
            return Ran(end.value, driver.lines, driver.asked)


def plan(board: Board, *words: str, rules: WhiteOctoberField = FIELD) -> Engagement:
    """Give the attack that an order means; the side is that of the first unit."""
    side = board.piece(words[1]).side
    return rules.engagement(board, side, ("attack", *words))


def stated(
    board: Board, *words: str, rules: WhiteOctoberField = FIELD, theirs: tuple[str, ...] = ()
) -> tuple[Attack, Ran]:
    """Derive a fight from the board; `theirs` fire for the defence."""
    guns = tuple(board.piece(name) for name in theirs)
    ran = run(setup(rules, board, plan(board, *words, rules=rules), guns))
    assert isinstance(ran.value, Attack)
    return ran.value, ran


def attacked(
    board: Board,
    *words: str,
    column: int,
    choices: Choices | None = None,
    rules: WhiteOctoberField = FIELD,
) -> tuple[Board, Ran]:
    choices = {"defensive-fires": (), **(choices or {})}
    ran = run(rules.attack(board, plan(board, *words, rules=rules)), choices, column)
    assert isinstance(ran.value, Board)
    return ran.value, ran


def cut_off() -> dict[str, str]:
    """Sailors in the woods by the sea, and Whites on both sides of them."""
    return {"Sailors": "0106", "Talabsk": "0206", "Semenov": "0107", "Ostrov": "0105"}


OPEN = {"Talabsk": "0606", "53 Rifles": "0605"}  # clear terrain, nothing else near


def scattered(random: Random) -> Board:
    """Put every unit somewhere on land, never with enemies."""
    land = [h for h, place in START.map.places.items() if "sea" not in place.terrain]
    board = START.changed(*(replace(piece, at=None) for piece in START.pieces))
    for piece in START.pieces:
        if piece.kind in ("aircraft", "fleet", "leader"):
            continue
        free = [h for h in land if board.side_of(h) in (None, piece.side)]
        near = [h for h in free if 3 <= h.q <= 8]
        routed = {"routed"} if random.random() < 0.2 else set()
        board = board.changed(piece.marked(*routed)).moved([piece.name], random.choice(near))
    return board
