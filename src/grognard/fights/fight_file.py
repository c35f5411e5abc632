"""Reading fights from TOML or JSON files; errors name file, line and key."""

import json
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from grognard.files import toml_file
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.words.message import say
from grognard.words.refusal import Refusal


class Source(Struct, frozen=True):
    """A text and where it came from."""

    name: str
    text: str

    def data(self) -> dict[str, object]:
        """Read the text as TOML, or as JSON where it begins like JSON."""
        if self._is_json:
            data: dict[str, object] = read_json(self.text, self.name)
            return data
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise toml_file.refuse_syntax(error, self.name) from None

    @property
    def _is_json(self) -> bool:
        return self.text.lstrip().startswith("{")

    @contextmanager
    def placing(self) -> Iterator[None]:
        """Add file and line to refusals."""
        try:
            yield
        except Refusal as refusal:
            path = toml_file.parsed(refusal.place)
            line = None if self._is_json else toml_file.line_of(self.text, path)
            problem, place = refusal.problem, refusal.place
            raise Refusal(problem, source=self.name, line=line, place=place) from None


def read_json(text: str, source: str) -> Any:  # noqa: ANN401  # as JSON; the reader checks it
    """Read a text as JSON, or refuse it with the line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = say("this is not JSON: {problem}", problem=error.msg)
        raise Refusal(problem, source=source, line=error.lineno) from None


def read_source(path: str) -> Source:
    """Read a file, or standard input for `-`; refuse what is not there or not text."""
    name = "standard input" if path == "-" else path
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        problem = say("can't be read: {problem}", problem=error.strerror)
        raise Refusal(problem, source=name) from None
    try:
        return Source(name, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        problem = say("this is not a text file: byte {n} is not UTF-8", n=error.start + 1)
        raise Refusal(problem, source=name) from None


def read_fight(source: Source) -> Fight:
    """Set up the fight that a file states."""
    data = source.data()
    with source.placing():
        return stated_fight(data)


class FightParts(NamedTuple):
    """The parts of a fight in a file: game, procedure, options; the rest is the set-up."""

    game: str
    procedure: str | None
    options: dict[str, object]
    setup: dict[str, object]

    def chosen(self) -> dict[str, str]:
        """Give the options; refuse values that are not strings."""
        chosen = {id_: choice for id_, choice in self.options.items() if isinstance(choice, str)}
        if len(chosen) < len(self.options):
            raise no_options()
        return chosen


def fight_parts(data: dict[str, object]) -> FightParts:
    """Split a fight into `game`, `procedure`, `options` and the set-up."""
    setup = dict(data)
    game_id = _word(setup, "game")
    if game_id is None:
        raise Refusal(say("the key 'game' is missing; known: {ids}", ids=", ".join(game.ids())))
    procedure = _word(setup, "procedure")
    options = setup.pop("options", {})
    if not isinstance(options, dict):
        raise no_options()
    return FightParts(game_id, procedure, options, setup)


def stated_fight(data: dict[str, object]) -> Fight:
    """Set up a fight from its parts in a mapping."""
    parts = fight_parts(data)
    rules = game.load(parts.game)
    return rules.fight(parts.setup, procedure=parts.procedure, options=parts.chosen())


def no_options() -> Refusal:
    """Make the refusal of options that are not pairs of strings."""
    return Refusal(say('options are pairs such as ratio_clamp = "after"'), place="options")


def _word(stated: dict[str, object], key: str) -> str | None:
    value = stated.pop(key, None)
    if value is not None and not isinstance(value, str):
        raise Refusal(say("expected a name, found {found}", found=repr(value)), place=key)
    return value
