"""Loading games: those that come with Grognard, and those of the user."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

import msgspec
from msgspec import Struct

from grognard.card import checks, defaults
from grognard.card.card import Card, decode_hook
from grognard.card.written_lines import as_written, line_in_card
from grognard.files import toml_file
from grognard.files.value_path import written
from grognard.rules import card_game, game_places
from grognard.rules.game_places import GamePlace
from grognard.rules.procedure import Game
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import NO_WORDS, Text

# msgspec learns a type when it first reads or decodes it. Two threads that make it learn the same
# type at once crash the process: it learns those of a game here, one thread at a time.
_LOADING = RLock()
_MOST = 1024  # games that are kept


class Broken(Struct, frozen=True):
    """A game that can't be used, and why."""

    id: str
    problem: Refusal


class Library(Struct, frozen=True):
    """The games that were found: those that work by id, and those that do not."""

    works: Mapping[str, GamePlace]
    broken: tuple[Broken, ...]


def ids() -> tuple[str, ...]:
    """List the ids of all games that work."""
    return tuple(library().works)


def library() -> Library:
    """Find every game. One that is broken is named with its problem, and the others work."""
    with _LOADING:
        return _library(game_places.places())


@lru_cache(maxsize=8)
def _library(places: tuple[GamePlace, ...]) -> Library:
    works: dict[str, GamePlace] = {}
    broken: list[Broken] = []
    for place in places:
        if place.id in works:
            problem = say("there is another game '{game}' in {place}", **_other(works[place.id]))
            broken.append(Broken(place.id, Refusal(problem, source=place.source)))
            continue
        try:
            if not place.shipped:
                _load(place)
        except Refusal as refusal:
            broken.append(Broken(place.id, refusal))
        else:
            works[place.id] = place
    return Library(dict(sorted(works.items())), tuple(broken))


def _other(place: GamePlace) -> dict[str, str]:
    return {"game": place.id, "place": place.source}


def _find(game: str) -> GamePlace:
    found = library()
    if game in found.works:
        return found.works[game]
    for broken in found.broken:
        if broken.id == game:
            raise broken.problem
    known = found.works
    raise Refusal(say("there is no game '{game}'; {near}", game=game, near=near(game, known)))


def load(game: str) -> Game:
    """Load a game: its card and its rules. Every thread gets the same one, complete."""
    with _LOADING:
        return _load(_find(game))


@lru_cache(maxsize=_MOST)
def _load(place: GamePlace) -> Game:
    found = _card(place)
    if found.procedures:
        return made(found)
    try:
        return _learnt(Game(found, place.module("rules").PROCEDURES))
    except Refusal:
        raise
    except Exception as error:
        if place.shipped:
            raise
        problem = say("its rules can't be loaded: {problem}", problem=foreign(error))
        raise Refusal(problem, source=place.source) from error


def made(card: Card) -> Game:
    """Make a game from a card that says how its fights run."""
    with _LOADING:
        return _learnt(Game(card, card_game.procedures(card)))


def _learnt(game: Game) -> Game:
    for procedure in game.procedures:
        msgspec.json.Decoder(procedure.setup)
    return game


def module(game: str, name: str) -> Any:  # noqa: ANN401  # a module has any names
    """Import a module of a game."""
    return _find(game).module(name)


class Heading(Struct, frozen=True):
    """The first lines of a card: id, name and description."""

    id: str
    name: Text
    about: Text = NO_WORDS


def heading(game: str) -> Heading:
    """Read only the first lines of a card, which is enough to list the games."""
    place = _find(game)
    if place.shipped:
        text = place.text().partition("\n[[")[0]
        try:
            with _LOADING:
                return toml_file.read(text, Heading, place.source)
        except Refusal:  # a part of the heading stands further down
            pass
    found = card(game)
    return Heading(found.id, found.name, found.about)


def card(game: str) -> Card:
    """Load a game's card, or refuse an unknown game with the near matches."""
    with _LOADING:
        return _card(_find(game))


@lru_cache(maxsize=_MOST)
def _card(place: GamePlace) -> Card:
    text = place.text()
    found = read_card(text, place.source)
    if found.id != place.id:
        problem = say(
            "the id '{id}' differs from the name of the file or folder; expected '{name}'",
            id=found.id,
            name=place.id,
        )
        raise toml_file.refuse_at(problem, ("id",), text, place.source)
    return found


def place(game: str) -> GamePlace:
    """Give the place of a game."""
    return _find(game)


def read_card(text: str, source: str) -> Card:
    """Read a card from TOML text; refuse a wrong one with file, line, key and reason."""
    data = toml_file.parse(text, source)
    completed = defaults.completed(data, _name_of(source)) if "procedures" in data else data
    with _LOADING:
        read = toml_file.read_data(completed, Card, text, source, decode_hook)
    for problem, path in checks.problems(read):
        place = written(as_written(path, data))
        raise Refusal(problem, source=source, line=line_in_card(text, data, path), place=place)
    return read


def _name_of(source: str) -> str:
    """Give the name of a card's file, or of the folder in which it is."""
    file = Path(source)
    return (file.parent.name if file.name == game_places.CARD else file.stem).replace("_", "-")
