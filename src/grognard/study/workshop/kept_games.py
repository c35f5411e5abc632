"""Keeping a draft as a game of the user: a card in his folder of games."""

from pathlib import Path

from grognard.files import atomic_file
from grognard.files.folders import data_folder
from grognard.rules import game, game_places
from grognard.study.workshop.card_text import CardData
from grognard.study.workshop.commented_card import written
from grognard.study.workshop.draft import plain_name, slug
from grognard.words.message import say
from grognard.words.refusal import Refusal


class Exists(Refusal):
    """The user has a game of that name; it is replaced only if he says so."""


def game_id(card: CardData) -> str:
    """Give the id under which a draft is kept: its name in plain letters."""
    id_ = slug(plain_name(card))
    if not id_:
        raise Refusal(say("the game needs a name, with at least one letter or digit"), place="name")
    return id_


def keep(card: CardData, *, replace: bool, before: str = "") -> str:
    """Write a draft into the user's folder of games, and give its id; refuse an unfinished one.
    `before` is the text that it was taken up from."""
    id_ = game_id(card)
    file = data_folder() / "games" / f"{id_}.toml"
    text = written({key: value for key, value in card.items() if key != "id"}, before)
    game.read_card(text, f"{id_}.toml")
    _check_place(id_, file, replace=replace)
    atomic_file.make_folder(file.parent)
    atomic_file.write(file, text.encode())
    game_places.refresh()
    game.load(id_)
    return id_


def _check_place(id_: str, file: Path, *, replace: bool) -> None:
    """Refuse a name that another game has; one's own is replaced only on request."""
    game_places.refresh()
    for place in game_places.places():
        if place.id == id_ and place.file != file.absolute():
            problem = say("there is another game '{game}'; choose another name", game=id_)
            raise Refusal(problem, place="name")
    if file.exists() and not replace:
        raise Exists(say("you have a game '{game}' already; replace it?", game=id_), place="name")
