"""Boards of Normandy '44 for tests."""

import random
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from grognard.fights.play import Play
from grognard.games.normandy import battle, conditions
from grognard.games.normandy.field import NormandyField
from grognard.games.normandy.ground import WEATHER
from grognard.games.normandy.stated import Attack
from grognard.games.normandy.support import Effort
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import END, Doing, Order, Roles
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line

NAME = "carrefour"
BEACH = "0501"


@cache
def field_of(options: tuple[tuple[str, str], ...] = ()) -> NormandyField:
    scenario = replace(scenarios.load(NAME), options=dict(options))
    return NormandyField(scenario)


def field(**options: str) -> NormandyField:
    return field_of(tuple(options.items()))


@cache
def whole_of() -> Board:
    return scenarios.load(NAME).board()


def board(where: Mapping[str, str], weather: str = "overcast", **pools: int) -> Board:
    """Set up a board with these units only."""
    whole = whole_of()
    pieces = [
        replace(piece, at=whole.map.hex(where[piece.name]) if piece.name in where else None)
        for piece in whole.pieces
    ]
    assert set(where) <= {piece.name for piece in pieces}
    return replace(whole, pieces=tuple(pieces), pools={"weather": WEATHER.index(weather), **pools})


def at(board_: Board, number: str) -> Hex:
    return board_.map.hex(number)


def numbers(board_: Board, hexes: object) -> set[str]:
    assert isinstance(hexes, list | tuple | set | frozenset | dict)
    return {board_.map.number(hex_) for hex_ in hexes}


def marked(board_: Board, name: str, *states: str) -> Board:
    return board_.changed(board_.piece(name).marked(*states))


class Run:
    """Rules run to their end with answers by question; the first option and a 1 otherwise."""

    def __init__(self, playing: Doing[Board], answers: Mapping[str, object] | None = None) -> None:
        self.lines: list[Line] = []
        self.asked: list[str] = []
        self.roles: list[Roles] = []
        self._answers = {
            what: iter(given) if isinstance(given, list) else given
            for what, given in (answers or {}).items()
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
                case Board():
                    pass
                case Roles():
                    self.roles.append(said)
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
            given = next(given, None)
        if given is None:
            match ask:
                case Order():
                    return END
                case Roll():
                    return (1,) * ask.dice.count
                case Choose():
                    return ask.options[0]
                case Commit():
                    return ask.attacker[0], ask.defender[0]
        if isinstance(ask, Order):
            assert isinstance(given, tuple)
            ask.orders.check(given)
        return given  # type: ignore[return-value]

    def told(self, id_: str) -> list[str]:
        return [line.in_("en") for line in self.lines if line.id == id_]


def engaged(where: Board, target: str, *names: str, on: NormandyField | None = None) -> Engagement:
    side = where.piece(names[0]).side
    return (on or field()).engagement(where, side, ("attack", target, *names))


def setup(where: Board, target: str, *names: str, main: str = "", **options: str) -> Attack:
    rules = field(**options)
    plan = engaged(where, target, *names, on=rules)
    mains = battle.main_forces(rules, where, plan)
    return conditions.setup(rules, where, plan, Effort(main or mains[0]))


def fought(
    where: Board,
    target: str,
    *names: str,
    answers: Mapping[str, object] | None = None,
    **options: str,
) -> Run:
    rules = field(**options)
    return Run(battle.attack(rules, where, engaged(where, target, *names, on=rules)), answers)


def scattered(rng: random.Random) -> Board:
    """Scatter the units over hexes that they can stand in, sides apart."""
    whole = whole_of()
    dry = [h for h, place in whole.map.places.items() if not place.terrain & {"marsh", "flooded"}]
    taken: dict[Hex, str] = {}
    where: dict[str, str] = {}
    for piece in whole.pieces:
        hex_ = rng.choice(dry)
        if taken.setdefault(hex_, piece.side) == piece.side and rng.random() < 0.8:
            where[piece.name] = whole.map.number(hex_)
    return board(where)
