"""Aid files: how the fights of a game are stated at the table, besides what its card says."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.rows import Side, Value
from grognard.fights.explain import Explanation
from grognard.files import toml_file
from grognard.words.text import Text


def in_words(id_: str) -> Text:
    """Make words of an id, for what neither card nor aid has words for."""
    words = id_.replace("_", " ").replace("-", " ")
    return Text(words, words)


class AidTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of an aid file."""


class UnitList(AidTable, frozen=True, kw_only=True, eq=False):
    """A list of units in a set-up: one side, or the targets of a strafing run."""

    list: str
    text: Text
    side: Side | None = None
    factor: str = ""  # the field that is summed
    shows: tuple[str, ...] = ()  # the fields on a unit's counter, in this order
    new: Mapping[str, Value] = MappingProxyType({})  # fields of a unit that is only a number
    faces: Mapping[str, str] = MappingProxyType({})  # field -> its name on a scenario's counters
    # Kind of a scenario's counter -> its implied fields; counters of other kinds are no units here.
    kinds: Mapping[str, Mapping[str, Value]] | None = None
    # Kind of a counter that only supports -> the facts it adds to: a number, `true`, or the name
    # of a factor on its face, after `-` if it counts for the other side.
    adds: Mapping[str, Mapping[str, Value]] = MappingProxyType({})


class PlayerSheet(AidTable, frozen=True, kw_only=True):
    """The sheet of one procedure: its table, its groups of modifiers, its units."""

    procedure: str
    text: Text
    table: str
    groups: tuple[str, ...] = ()
    first: tuple[str, ...] = ()  # facts above the modifiers
    start: Mapping[str, Value] = MappingProxyType({})  # values of an empty sheet
    by: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # fact -> fields it depends on
    units: tuple[UnitList, ...] = ()
    example: Mapping[str, object] = MappingProxyType({})  # a typical fight, as in a fight file
    together: tuple[str, ...] = ()  # facts of the example that need all its fighting attackers
    chooses: bool = False  # whether what is stated chooses the table

    def read_by(self, explanation: Explanation) -> "PlayerSheet":
        """Give the sheet with the table on which a fight is read, where a procedure has several."""
        table = explanation.table
        return (
            self if table in (None, self.table) or not self.chooses else replace(self, table=table)
        )

    def unit_list(self, list_: str) -> UnitList:
        return next(units for units in self.units if units.list == list_)


class SharedWords(AidTable, frozen=True, kw_only=True):
    """Words for fields and steps that several games have, as in `shared_words.toml`."""

    labels: Mapping[str, Text]
    steps: Mapping[str, Text]


@cache
def shared_words() -> SharedWords:
    """Load the words that the aid of every game may use."""
    file = Path(__file__).parent / "shared_words.toml"
    return toml_file.read(file.read_text(encoding="utf-8"), SharedWords, file.name)


class Aid(AidTable, frozen=True, kw_only=True):
    """The aid file of a game."""

    format: Literal[1] = 1
    labels: Mapping[str, Text] = MappingProxyType({})  # of fields that are not facts of the card
    values: Mapping[str, Text] = MappingProxyType({})  # of words that are not terrain of the card
    words: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # field -> its possible words
    steps: Mapping[str, Text] = MappingProxyType({})  # of procedures, as in the rulebook
    sheets: tuple[PlayerSheet, ...] = ()

    def step(self, name: str) -> Text:
        """Give the wording of a step of a procedure."""
        return self.steps.get(name) or in_words(name)

    def sheet(self, procedure: str) -> PlayerSheet:
        return next(sheet for sheet in self.sheets if sheet.procedure == procedure)
