"""The draft of a card: its data, a sample fight, and everything that is still wrong with it."""

import re
import unicodedata
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from grognard.card import checks, defaults
from grognard.card.card import Card, decode_hook
from grognard.files import toml_file
from grognard.files.value_path import written
from grognard.study.workshop.card_text import CardData, normal
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

MOST_TABLES, MOST_ROWS = 12, 100


class _TableShape(Struct):
    grid: list[list[str]]
    results: dict[str, str | dict[str, Any]] = msgspec.field(default_factory=dict)
    id: str = ""
    dice: str = ""
    cells: str = ""


class _RowShape(Struct):
    id: str = ""
    when: str | list[str] = ""


class _CardShape(Struct):
    """What the page needs of a card's data to draw it; the rest is for the card's own checks."""

    tables: list[_TableShape]
    modifiers: list[_RowShape] = []
    terrain: list[_RowShape] = []
    facts: list[_RowShape] = []
    unit_fields: list[_RowShape] = []
    states: list[_RowShape] = []
    checks: list[_RowShape] = []
    procedures: list[_RowShape] = []
    phrases: dict[str, Any] = {}


def checked(data: CardData) -> CardData:
    """Give the data of a card in the form that the page edits; refuse what can't be drawn."""
    blank: CardData = {"procedures": [{}], "tables": [{"grid": [], "results": {}}]}
    found = normal({**blank, **_without_null(data)})
    shape = toml_file.converted(found, _CardShape)
    if not 0 < len(shape.tables) <= MOST_TABLES:
        raise Refusal(say("a card has 1 to {most} tables here", most=MOST_TABLES), place="tables")
    if not shape.procedures:
        raise Refusal(say("the card does not say how its fights run"), place="procedures")
    for part in ("modifiers", "terrain", "facts", "unit_fields", "states", "checks"):
        if len(getattr(shape, part)) > MOST_ROWS:
            raise Refusal(say("at most {most} rows here", most=MOST_ROWS), place=part)
    tables = [_filled(table) for table in found["tables"]]
    return {**found, "tables": tables}


def _without_null(value: Any) -> Any:  # noqa: ANN401  # data of any shape
    """Leave out what JSON calls null: a card's file has no word for it."""
    if isinstance(value, dict):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_null(item) for item in value if item is not None]
    return value


def _filled(table: CardData) -> CardData:
    """Make all lines of a grid equally long."""
    grid = table["grid"] or [[""]]
    width = max(2, *map(len, grid))
    lines = [[*line, *[""] * (width - len(line))] for line in grid]
    return {**table, "grid": lines if len(lines) > 1 else [*lines, [""] * width]}


# ------------------------------------------------------------------ problems


class DraftProblem(NamedTuple):
    """What is wrong or missing in a draft, and the path of the value as it is written."""

    problem: Message
    place: str


def slug(words: str, joint: str = "-") -> str:
    """Make an id of words: letters, digits and a joint."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", joint, plain).strip(joint)[:60].rstrip(joint)


def plain_name(card: CardData, lang: Lang = "en") -> str:
    """Give the name of the game that a draft is for."""
    return worded(card.get("name", ""), lang)


def worded(text: object, lang: Lang) -> str:
    """Give a wording of a card's data, which has one language or both."""
    if isinstance(text, dict):
        return str(text.get(lang) or next(iter(text.values()), ""))
    return text if isinstance(text, str) else ""


def read_draft(data: CardData) -> tuple[Card | None, list[DraftProblem]]:
    """Read a draft as a card; give what is wrong with it instead, or what is missing."""
    completed = defaults.completed(data, slug(plain_name(data)) or "draft")
    try:
        card = toml_file.read_data(completed, Card, "", "", decode_hook)
        found = [*checks.problems(card)]
    except Refusal as refusal:
        return None, [DraftProblem(refusal.problem, refusal.place)]
    return card, [DraftProblem(problem, written(path)) for problem, path in found]


def playable(data: CardData) -> CardData:
    """Give a draft for its sample fight: a result without a meaning does nothing yet."""
    tables = [
        {**table, "results": {code: _meaning(does) for code, does in table["results"].items()}}
        for table in data["tables"]
    ]
    return {**data, "tables": tables}


def _meaning(does: object) -> object:
    if isinstance(does, dict):
        return does if does.get("does") else {**does, "does": "nothing"}
    return does or "nothing"
