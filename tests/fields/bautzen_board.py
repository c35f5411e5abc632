"""Boards of Weissenberg for tests, and rules run on them with given answers."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.games.bautzen.field import BautzenField
from grognard.games.bautzen.ground import GERMAN
from grognard.games.bautzen.stated import Attack, BautzenPreparation
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.match import look_ahead
from grognard.matches.orders import AttackOrders, typed
from grognard.matches.protocol import END, Doing, Order, Roles
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.refusal import Refusal

# Ground of our own with every terrain of the card close together.
NAME = str(Path(__file__).parent / "training_ground.toml")
ASSAULT = 'attack 1910 with 21/20 50/20 112/20 "QG 20 Pz" "QG 57 PzK"'
FIELD = BautzenField(scenarios.load(NAME))
WHOLE = FIELD.scenario.board()
SHEET = WHOLE.map
ROOM_OF_ONE = {"861/294": "1706", "21/20": "1606", "Pi 70": "1708", "PzJg 20": "2006"}


def played(**options: str) -> BautzenField:
    """Give the battle with other options."""
    return BautzenField(replace(FIELD.scenario, options=options))


def board(where: Mapping[str, str], *, held: bool = True, **pools: int) -> Board:
    """Set up a board with these units only; the Strohmberg is the Allies' unless nobody's."""
    pieces = [
        replace(piece, at=SHEET.hex(where[piece.name]) if piece.name in where else None)
        for piece in WHOLE.pieces
    ]
    assert set(where) <= {piece.name for piece in pieces}
    holders = WHOLE.holders if held else {}
    return replace(WHOLE, pieces=tuple(pieces), holders=holders, pools={"air": 3, **pools})


def changed(on: Board, name: str, *states: str, steps: int | None = None) -> Board:
    piece = on.piece(name).marked(*states)
    return on.changed(piece if steps is None else replace(piece, steps=steps))


def at(number: str) -> Hex:
    return SHEET.hex(number)


def numbers(hexes: object) -> set[str]:
    assert isinstance(hexes, list | tuple | set | frozenset | dict)
    return {SHEET.number(hex_) for hex_ in hexes}


def where(on: Board, name: str) -> str:
    hex_ = on.piece(name).at
    return SHEET.number(hex_) if hex_ else ""


def cost(on: Board, name: str, to: str, field: BautzenField = FIELD) -> Fraction | None:
    found = field.reach(on, on.piece(name)).get(at(to))
    return found.cost if found else None


def path(on: Board, name: str, to: str) -> list[str]:
    return [SHEET.number(hex_) for hex_ in FIELD.reach(on, on.piece(name))[at(to)].path]


class Run:
    """Rules run to their end with answers by question; the first option and a 1 otherwise."""

    def __init__(self, playing: Doing[Board], **answers: object) -> None:
        self.lines: list[Line] = []
        self.asked: list[str] = []
        self._answers = {
            what.replace("_", "-"): iter(given) if isinstance(given, list) else given
            for what, given in answers.items()
        }
        sent: Answer | Play | None = None
        while True:
            try:
                said = playing.send(sent)
            except StopIteration as end:
                self.board: Board = end.value
                return
            sent = None
            match said:
                case Line():
                    self.lines.append(said)
                case Board() | Roles():
                    pass
                case Fight():
                    sent = self._fight(said)
                case _:
                    sent = self._answer(said)

    def _fight(self, fight: Fight) -> Play:
        play = Play(fight)
        while play.asking is not None:
            play.answer(self._answer(play.asking))
        self.lines += [told.line for told in play.told]
        return play

    def _answer(self, ask: Order | Roll | Choose | Commit) -> Answer:
        what = ask.phase if isinstance(ask, Order) else ask.what
        self.asked.append(what)
        given = self._answers.get(what)
        if isinstance(given, Iterator):
            given = next(given)
        match ask:
            case Order():
                return END
            case Roll():
                return (given,) if isinstance(given, int) else (1,) * ask.dice.count
            case Choose():
                assert given is None or given in ask.options, ask.options
                return ask.options[0] if given is None else given
            case Commit():
                return given or (ask.attacker[0], ask.defender[0])  # type: ignore[return-value]

    def told(self, id_: str) -> list[str]:
        return [line.in_("en") for line in self.lines if line.id == id_]

    def counted(self) -> dict[str, object]:
        return {line.id: line.value for line in self.lines if line.kind == "modifier"}


def attack(on: Board, side: str, order: str, field: BautzenField = FIELD, **answers: object) -> Run:
    """Carry an attack out to its end."""
    words = typed(order)
    AttackOrders(field, on, side).check(words)
    return Run(field.carry_out(on, side, words), **answers)


def setup(on: Board, side: str, order: str, field: BautzenField = FIELD) -> Attack:
    """Give what the board fills in for an attack."""
    fight = look_ahead(field.carry_out(on, side, typed(order)), side).fight
    assert isinstance(fight, BautzenPreparation)
    return fight.case.setup


def refused(on: Board, side: str, order: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        AttackOrders(FIELD, on, side).check(typed(order))


def ways(
    on: Board, hexes: int, order: str = "attack 1910 with 21/20", field: BautzenField = FIELD
) -> set[str]:
    """Give the first hexes of a retreat of so many hexes."""
    plan = field.engagement(on, GERMAN, typed(order))
    return numbers(field.retreats(on, plan.defenders, (plan.target,), hexes))


def columns(on: Board, number: str) -> list[str]:
    """Give whose logistic columns stand in a hex."""
    return [piece.side for piece in on.stack(at(number)) if piece.kind == "cl"]
