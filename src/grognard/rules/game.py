"""Finding and loading the games that come with Grognard."""

from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any

import msgspec
from msgspec import Struct

from grognard.card import checks
from grognard.card.card import Card, decode_hook
from grognard.files import toml_file
from grognard.rules.procedure import Game
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Text

_GAMES = Path(__file__).parents[1] / "games"
# msgspec learns a type when it first reads or decodes it. Two threads that make it learn the same
# type at once crash the process: it learns those of a game here, one thread at a time.
_LOADING = RLock()


@cache
def ids() -> tuple[str, ...]:
    """List the ids of all games: the folders of `games` that hold a card."""
    return tuple(sorted(file.parent.name.replace("_", "-") for file in _GAMES.glob("*/card.toml")))


def load(game: str) -> Game:
    """Load a game: its card and its rules. Every thread gets the same one, complete."""
    with _LOADING:
        return _load(game)


@cache
def _load(game: str) -> Game:
    rules = module(card(game).id, "rules")
    for procedure in rules.PROCEDURES:
        msgspec.json.Decoder(procedure.setup)
    return Game(card(game), rules.PROCEDURES)


def module(game: str, name: str) -> Any:  # noqa: ANN401  # a module has any names
    """Import a module of a game."""
    return import_module(f"grognard.games.{folder(game).name}.{name}")


class Heading(Struct, frozen=True):
    """The first lines of a card: id, name and description."""

    id: str
    name: Text
    about: Text


def heading(game: str) -> Heading:
    """Read only the first lines of a card, which is enough to list the games."""
    text = _file(game).read_text(encoding="utf-8")
    with _LOADING:
        return toml_file.read(text.partition("\n[[")[0], Heading, _source(game))


def card(game: str) -> Card:
    """Load a game's card, or refuse an unknown game with the near matches."""
    with _LOADING:
        return _card(game)


@cache
def _card(game: str) -> Card:
    if game not in ids():
        raise Refusal(say("there is no game '{game}'; {near}", game=game, near=near(game, ids())))
    return read_card(_file(game).read_text(encoding="utf-8"), _source(game))


def folder(game: str) -> Path:
    """Give the folder of a game."""
    return _GAMES / game.replace("-", "_")


def _file(game: str) -> Path:
    return folder(game) / "card.toml"


def _source(game: str) -> str:
    return f"games/{folder(game).name}/card.toml"


def read_card(text: str, source: str) -> Card:
    """Read a card from TOML text; refuse a wrong one with file, line, key and reason."""
    with _LOADING:
        read = toml_file.read(text, Card, source, decode_hook)
    for problem, path in checks.problems(read):
        raise toml_file.refuse_at(problem, path, text, source)
    return read
