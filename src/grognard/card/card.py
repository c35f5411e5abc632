"""A printed card: its tables, modifiers, terrain, numbers and options, as typed immutable values.

These types are the file format: `card.toml` is read straight into them (see docs/cards.md).
`checks` holds what must fit together between the parts of a card.
"""

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec.structs import replace

from grognard.card.map_rules import MapRules
from grognard.card.modifier_rows import Condition, Fact, Group, Limit, Modifier
from grognard.card.procedures import CheckRow, ProcedureRow, StateRow, UnitField
from grognard.card.rows import CardPart, Reading, Row, Value
from grognard.card.tables import Table
from grognard.card.terrain_look import TerrainLook
from grognard.files.struct_types import prepare
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import NO_WORDS, Text

FORMAT = 1


class Choice(CardPart, frozen=True, kw_only=True):
    """One way to play an option."""

    id: str
    text: Text


class Option(Row, frozen=True, kw_only=True):
    """A question that the printed rules leave open, with its answers; the first is the default."""

    choices: tuple[Choice, ...]
    formerly: str | None = None  # the default of matches that were saved without this option

    @property
    def default(self) -> str:
        return self.choices[0].id


class Note(CardPart, frozen=True, kw_only=True):
    """A mark beside a printed row, and what it says."""

    mark: str | None = None
    text: Text
    rule: str | None = None


# Movement points ("1", "1/2"), added to those of the hex ("+1"), the move ending there ("2 stop"),
# only for a unit that starts adjacent ("+1 adjacent"), as the other terrain of the hex ("other"),
# only along a road or railway ("way"), never ("no").
COST = re.compile(r"\+?[0-9]{1,3}(/[1-9][0-9]?)?( stop| adjacent)?|other|way|no")


class Terrain(Row, frozen=True, kw_only=True):
    """A row of the terrain chart."""

    on: Literal["hex", "hexside", "way", "marker", "zoc"]
    cost: Mapping[str, str] = MappingProxyType({})  # unit class -> cost, see COST
    combat: tuple[str, ...] = ()  # the modifiers that it brings
    stacking: int | Literal["other"] | None = None
    values: Mapping[str, Value] = MappingProxyType({})
    look: TerrainLook | None = None  # on the map; None: the one that the words of the id tell
    notes: tuple[Note, ...] = ()


class Number(Row, frozen=True, kw_only=True):
    """A number that the card prints outside its tables."""

    value: Fraction


# Compared by identity, so that it can be the key of a cache.
class Card(CardPart, frozen=True, kw_only=True, dict=True, eq=False):
    """Everything printed on a game's card, and the decisions needed to read it."""

    format: int
    id: str
    name: Text
    about: Text = NO_WORDS
    credit: Text = NO_WORDS
    options: tuple[Option, ...] = ()
    facts: tuple[Fact, ...] = ()
    tables: tuple[Table, ...]
    groups: tuple[Group, ...] = ()
    limits: tuple[Limit, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    unit_classes: tuple[Row, ...] = ()
    terrain_columns: tuple[Row, ...] = ()  # printed columns that stand in `Terrain.values`
    terrain: tuple[Terrain, ...] = ()
    numbers: tuple[Number, ...] = ()
    phrases: Mapping[str, Text] = MappingProxyType({})
    # How its fights run, where no Python says so.
    procedures: tuple[ProcedureRow, ...] = ()
    unit_fields: tuple[UnitField, ...] = ()
    states: tuple[StateRow, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    map: MapRules | None = None  # None: not played on a map, or by rules in Python

    @property
    def rows(self) -> dict[str, tuple[Row, ...]]:
        """The rows to which rules refer by their ids, under the name of their part."""
        return {
            "options": self.options,
            "facts": self.facts,
            "groups": self.groups,
            "limits": self.limits,
            "modifiers": self.modifiers,
            "unit_classes": self.unit_classes,
            "terrain": self.terrain,
            "numbers": self.numbers,
            "procedures": self.procedures,
            "unit_fields": self.unit_fields,
            "states": self.states,
            "checks": self.checks,
        }

    def table(self, id_: str) -> Table:
        return self._tables[id_]

    def number(self, id_: str) -> Fraction:
        return self._numbers[id_].value

    def procedure_row(self, id_: str) -> ProcedureRow:
        return self._procedures[id_]

    def check_row(self, id_: str) -> CheckRow:
        return self._checks[id_]

    def state_row(self, id_: str) -> StateRow:
        return self._states[id_]

    def terrain_row(self, id_: str) -> Terrain:
        return self._terrain[id_]

    def fact(self, id_: str) -> Fact:
        return self._facts[id_]

    def limit(self, id_: str) -> Limit:
        return self._limits[id_]

    def number_row(self, id_: str) -> Number:
        return self._numbers[id_]

    def doubt(self, option: str) -> Reading:
        """Give the reading of an option: for lines that another choice of it would change."""
        return self._doubts[option]

    @cached_property
    def tested_options(self) -> tuple[str, ...]:
        """The options that conditions of modifiers test."""
        tested = {row.id for rows in self._options_tested.values() for row in rows}
        return tuple(option.id for option in self.options if option.id in tested)

    def options_of(self, modifier: Modifier) -> tuple[Option, ...]:
        """Give the options that the conditions of a modifier test."""
        return self._options_tested.get(modifier.id, ())

    def phrase(self, id_: str) -> Text:
        """Give a phrase of this card, or one that all games share."""
        found = self._all_phrases.get(id_)
        if found is None:
            raise Refusal(say("the card of {game} has no phrase '{id}'", game=self.id, id=id_))
        return found

    def find_phrase(self, id_: str) -> Text | None:
        """Give a phrase of this card, or one that all games share, if there is one."""
        return self._all_phrases.get(id_)

    @cached_property
    def _all_phrases(self) -> Mapping[str, Text]:
        return {**shared_phrases(), **self.phrases}

    def wording(self, word: str) -> Text | None:
        """Translate an id that rules use: by its phrase, or by the text of its row."""
        return self.phrases.get(f"word-{word}") or self.row_names.get(word)

    @cached_property
    def row_names(self) -> Mapping[str, Text]:
        """The wording of labels of rows that are words."""
        return {
            label: name
            for table in self.tables
            for label, name in zip(table.row_labels, table.rows.names, strict=False)
        }

    def modifying(self, table: str, changes: str) -> tuple[Modifier, ...]:
        """Give the modifiers that change something of a table, in printed order; then those that
        belong to no table."""
        known = self._modifying_table.get((table, changes))
        if known is None:
            common = self._modifying.get(("", changes), ())
            known = (*self._modifying.get((table, changes), ()), *common) if table else common
            self._modifying_table[table, changes] = known
        return known

    @cached_property
    def _modifying_table(self) -> dict[tuple[str, str], tuple[Modifier, ...]]:
        return {}  # filled as it is asked for

    @cached_property
    def _modifying(self) -> Mapping[tuple[str, str], tuple[Modifier, ...]]:
        rows: dict[tuple[str, str], tuple[Modifier, ...]] = {}
        for row in self.modifiers:
            key = (row.table or "", row.changes)
            rows[key] = (*rows.get(key, ()), row)
        return rows

    @cached_property
    def _doubts(self) -> Mapping[str, Reading]:
        return {row.id: replace(row.reading, option=row.id) for row in self.options}

    @cached_property
    def _options_tested(self) -> Mapping[str, tuple[Option, ...]]:
        tested: dict[str, tuple[Option, ...]] = {}
        for row in self.modifiers:
            facts = row.facts
            if options := tuple(option for option in self.options if option.id in facts):
                tested[row.id] = options
        return tested

    @cached_property
    def _limits(self) -> Mapping[str, Limit]:
        return {limit.id: limit for limit in self.limits}

    @cached_property
    def _tables(self) -> Mapping[str, Table]:
        return {table.id: table for table in self.tables}

    @cached_property
    def _terrain(self) -> Mapping[str, Terrain]:
        return {row.id: row for row in self.terrain}

    @cached_property
    def _facts(self) -> Mapping[str, Fact]:
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def bounded_facts(self) -> tuple[Fact, ...]:
        """The numbers that must be stated within printed bounds."""
        numbers = (fact for fact in self.facts if fact.kind == "number")
        return tuple(f for f in numbers if f.least is not None or f.most is not None)

    @cached_property
    def _numbers(self) -> Mapping[str, Number]:
        return {number.id: number for number in self.numbers}

    @cached_property
    def _procedures(self) -> Mapping[str, ProcedureRow]:
        return {row.id: row for row in self.procedures}

    @cached_property
    def _checks(self) -> Mapping[str, CheckRow]:
        return {row.id: row for row in self.checks}

    @cached_property
    def _states(self) -> Mapping[str, StateRow]:
        return {row.id: row for row in self.states}

    @cached_property
    def _defaults(self) -> Mapping[str, str]:
        return {option.id: option.default for option in self.options}

    @cached_property
    def former_defaults(self) -> Mapping[str, str]:
        """The defaults of matches that were saved without some of the options."""
        return {row.id: row.formerly for row in self.options if row.formerly is not None}

    @cached_property
    def _choices(self) -> Mapping[str, tuple[str, ...]]:
        return {option.id: tuple(c.id for c in option.choices) for option in self.options}

    def chosen(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        """Complete a player's option settings with the defaults; refuse what is not known."""
        if not settings:
            return self._defaults
        chosen, choices = dict(self._defaults), self._choices
        for id_, choice in settings.items():
            if id_ not in chosen:
                close = near(id_, chosen)
                problem = say(
                    "{game} has no option '{option}'; {near}", game=self.id, option=id_, near=close
                )
                raise Refusal(problem, place=f"options.{id_}")
            if choice not in choices[id_]:
                close = near(choice, choices[id_])
                problem = say(
                    "option {option} is never '{choice}'; {near}",
                    option=id_,
                    choice=choice,
                    near=close,
                )
                raise Refusal(problem, place=f"options.{id_}")
            chosen[id_] = choice
        return chosen


@cache
def shared_phrases() -> Mapping[str, Text]:
    """Load the phrases that every game may use."""
    file = Path(__file__).parent / "phrases.toml"
    phrases = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType(msgspec.convert(phrases, dict[str, Text]))


_NOT_A_FRACTION = say("expected a whole number or a fraction such as '1/2'")


def decode_hook(type_: type, value: object) -> object:
    """Decode the types that TOML does not have: fractions and conditions."""
    if type_ is Fraction:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise Refusal(_NOT_A_FRACTION)
        try:
            return Fraction(value.replace(":", "/") if isinstance(value, str) else value)
        except (ValueError, ZeroDivisionError):
            raise Refusal(_NOT_A_FRACTION) from None
    if type_ is Condition and isinstance(value, str):
        return Condition(value)
    raise Refusal(say("expected a condition in words"))


def encode_hook(value: object) -> object:
    """Encode the same types for JSON."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Condition):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(f"a card holds no {type(value).__name__}")


prepare(Card, decode_hook)
