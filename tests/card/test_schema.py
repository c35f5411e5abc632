"""The JSON Schema of the card format that is shipped with the program."""

import copy
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # has no types

from grognard.rules import game
from tests.example_games import FOLDER as EXAMPLE_FOLDER
from tests.example_games import GAMES as EXAMPLE_GAMES
from tests.schema import FILE, written

GAMES = Path(game.__file__).parents[1] / "games"
EXAMPLES = [EXAMPLE_FOLDER / f"{id_}.toml" for id_ in EXAMPLE_GAMES]


def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(FILE.read_bytes()))


def _data(id_: str) -> dict[str, Any]:
    file = GAMES / id_.replace("-", "_") / "card.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def test_the_shipped_schema_is_the_one_of_the_types() -> None:
    assert FILE.read_bytes() == written(), "the card's types changed: run `make schema`"


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json.loads(FILE.read_bytes()))


@pytest.mark.parametrize("id_", game.ids())
def test_every_card_is_valid(id_: str) -> None:
    assert list(_validator().iter_errors(_data(id_))) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "one"),
        (("surprise",), 1),
        (("name",), {"de": "Bautzen"}),
        (("name",), {}),
        (("name", "fr"), " "),
        (("tables", 0, "grid", 1, 1), 3),
        (("tables", 0, "cells"), "triple"),
        (("tables", 0, "rows", "from", 0), "1/0"),
        (("tables", 0, "rows", "from", 0), 0.5),
        (("modifiers", 0, "value"), "1"),
        (("modifiers", 0, "changes"), "colour"),
        (("modifiers", 0, "when", 0), "Night!"),
        (("terrain", 0, "cost", "infantry"), 1.5),
        (("numbers", 0, "value"), None),
    ],
)
def test_a_broken_card_is_not_valid(path: tuple[str | int, ...], value: object) -> None:
    data: Any = copy.deepcopy(_data("bautzen"))
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    errors = list(_validator().iter_errors(data))
    assert errors
    assert any(tuple(error.absolute_path)[:1] in ((), path[:1]) for error in errors)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_card_that_is_a_whole_game_is_valid(file: Path) -> None:
    assert list(_validator().iter_errors(tomllib.loads(file.read_text(encoding="utf-8")))) == []


def test_a_card_without_tables_is_not_valid() -> None:
    data = _data("bautzen")
    del data["tables"]
    (error,) = _validator().iter_errors(data)
    assert "tables" in error.message
