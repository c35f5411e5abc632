"""Boards of the whole game of Bautzen 1945 for tests."""

from grognard.games.bautzen import campaign
from grognard.games.bautzen.field import BautzenField
from grognard.maps import scenario
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.deployment_areas import Areas
from grognard.matches.match import Match, begin, new_field
from grognard.matches.protocol import END
from grognard.rules.ask import Answer, Choose, Roll

NAME = "bautzen-1945"


def field(**options: str) -> BautzenField:
    made = new_field(scenario.own(NAME).with_options(options))
    assert isinstance(made, BautzenField)
    return made


def deployed(**options: str) -> Match:
    """Begin a match in the usual set-up."""
    match = begin(NAME, options)
    match.answer(END)
    match.answer(END)
    return match


FIELD = field()
START = deployed().board


def at(board: Board, number: str) -> Hex:
    return board.map.hex(number)


def put(board: Board, name: str, number: str) -> Board:
    return board.moved([name], at(board, number))


def only(*units: tuple[str, str]) -> Board:
    """Give the map with a few units on it, and nobody in control of anything."""
    board = FIELD.scenario.board()
    for name, number in units:
        board = put(board, name, number)
    return board


def area_of(name: str, **options: str) -> set[str]:
    """Give the hexes in which a unit may be placed on a map without enemies and companions."""
    with_options = field(**options)
    areas = Areas(with_options.scenario)
    board = with_options.scenario.board()
    return {board.map.number(hex_) for hex_ in areas.hexes(board, board.piece(name))}


def roll_of(board: Board, turn: int, die: int, **options: str) -> tuple[Board, list[str]]:
    """Roll on the table of reinforcements; give the board after it and the lines told."""
    playing = campaign.reinforcements(field(**options), board, turn)
    told: list[str] = []
    sent: Answer | None = None
    try:
        while True:
            said = playing.send(sent)
            sent = None
            if isinstance(said, Roll):
                sent = (die,)
            elif isinstance(said, Choose):
                sent = said.options[0]
            elif not isinstance(said, Board):
                told.append(getattr(said, "id", ""))
    except StopIteration as end:
        return end.value, told


def came(before: Board, after: Board) -> set[str]:
    return {p.formation for p in after.pieces if p.at and before.piece(p.name).at is None}
