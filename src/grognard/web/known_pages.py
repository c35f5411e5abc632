"""Games and procedures that an address names; unknown ones are refused with 404."""

from collections.abc import Sequence

from grognard.rules import game
from grognard.study import player_sheet
from grognard.web.responses import HttpRefusal
from grognard.words.message import say
from grognard.words.refusal import Refusal, near


def known_game(game_id: str) -> str:
    """Give a game's id, if there is such a game."""
    if game_id in game.ids():
        return game_id
    problem = say("there is no game '{game}'; {near}", game=game_id, near=near(game_id, game.ids()))
    raise HttpRefusal(404, Refusal(problem))


def known_procedure(game_id: str, procedure: str, known: Sequence[str]) -> str:
    """Give a procedure's id, if it is one of those that the game has here."""
    if procedure in known:
        return procedure
    problem = say(
        "{game} has no procedure '{id}'; {near}",
        game=game_id,
        id=procedure,
        near=near(procedure, known),
    )
    raise HttpRefusal(404, Refusal(problem))


def known_sheet(game_id: str, procedure: str) -> tuple[str, str]:
    """Give the ids of a game and of a procedure that has a sheet."""
    sheets = [sheet.procedure for sheet in player_sheet.load(known_game(game_id)).sheets]
    return game_id, known_procedure(game_id, procedure, sheets)
