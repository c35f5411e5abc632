"""A printed card: its tables, modifiers, terrain, numbers and options, as typed immutable values.

These types are the file format: `card.toml` is read straight into them (see docs/cards.md).
What must hold between the parts of a card is in `card_check`.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct, field

from grognard.message import say
from grognard.refusal import Refusal, near
from grognard.text import Text

FORMAT = 1

Side = Literal["attacker", "defender"]
SIDES: tuple[Side, Side] = ("attacker", "defender")
Value = bool | int | str


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A piece of a card; mappings in it can't be changed either."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, dict):
                msgspec.structs.force_setattr(self, name, MappingProxyType(value))


class Reading(Part, frozen=True, kw_only=True):
    """How sure we are of what we read, and why."""

    status: Literal["certain", "reconstructed", "assumed"] = "certain"
    confidence: int | None = None  # percent
    reason: Text | None = None
    option: str | None = None  # the option that reads it otherwise

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.status != "certain" and self.reason is None:
            raise Refusal(say("a reading that is {status} needs its reason", status=self.status))
        if self.status == "reconstructed" and self.confidence is None:
            raise Refusal(say("a reconstructed reading needs its confidence, in percent"))
        if self.confidence is not None and not 0 < self.confidence <= 100:
            raise Refusal(say("a confidence is 1 to 100 percent, not {n}", n=self.confidence))

    @property
    def doubtful(self) -> bool:
        """Whether the reader must be told: not certain, or certain as printed but suspect."""
        return self.reason is not None


CERTAIN = Reading()


class Row(Part, frozen=True, kw_only=True):
    """What every printed row has: a name to refer to it, its wording, its rule, our reading."""

    id: str
    text: Text
    rule: str | None = None
    reading: Reading = CERTAIN


class Choice(Part, frozen=True, kw_only=True):
    """One way to play an option."""

    id: str
    text: Text


class Option(Row, frozen=True, kw_only=True):
    """A question that the print leaves open, and the ways to answer it; the first is ours."""

    choices: tuple[Choice, ...]

    @property
    def default(self) -> str:
        return self.choices[0].id


class Comparison(Enum):
    """How a condition looks at a fact."""

    HOLDS = ""
    IS = "="
    AT_LEAST = ">="
    AT_MOST = "<="
    HAS = "has"


class Test(NamedTuple):
    """A look at one fact."""

    fact: str
    comparison: Comparison
    value: int | tuple[str, ...] | None
    negated: bool


class Condition:
    """What a modifier needs: `night`, `not supplied`, `range >= 3`, `terrain has town|wood`, or
    several such tests with `or` between them.

    Not a Struct or tuple: the file writes it in words, which those types would not accept.
    """

    __slots__ = ("tests", "words")
    words: Final[str]
    tests: Final[tuple[Test, ...]]

    def __init__(self, words: str) -> None:
        self.words = words
        self.tests = tuple(_test(part) for part in words.split(" or "))

    def __str__(self) -> str:
        return self.words


def _test(words: str) -> Test:
    match = re.fullmatch(r"(not )?([a-z_0-9]+)(?: (?:(=|has) (\S+)|(>=|<=) (-?\d+)))?", words)
    if not match:
        raise Refusal(
            say(
                "'{words}' is not a condition; expected for instance 'night', 'not supplied', "
                "'range >= 3' or 'terrain has town|wood'",
                words=words,
            )
        )
    comparison = Comparison(match[3] or match[5] or "")
    value: int | tuple[str, ...] | None = None
    if match[6]:
        value = int(match[6])
    elif match[4]:
        value = tuple(match[4].split("|"))
    return Test(match[2], comparison, value, bool(match[1]))


class Fact(Row, frozen=True, kw_only=True):
    """Something that a fight states and modifiers look at."""

    kind: Literal["flag", "number", "word", "set"]
    of: Literal["fight", "attacker", "defender", "side", "unit"] = "fight"  # side: each its own
    least: int | None = None
    most: int | None = None
    values: tuple[str, ...] = ()  # of a word or set; empty: the terrain rows


class Group(Row, frozen=True):
    """A heading under which modifiers are printed."""


class Limit(Row, frozen=True, kw_only=True):
    """How the modifiers of one family come together: summed within bounds, the best, or once."""

    combine: Literal["sum", "best", "once"] = "sum"
    least: int | None = None
    most: int | None = None

    def within(self, value: int) -> int:
        """Bring a value between the bounds."""
        if self.least is not None:
            value = max(value, self.least)
        return value if self.most is None else min(value, self.most)


class Instead(Part, frozen=True, kw_only=True):
    """A modifier's other amount under a further condition."""

    when: tuple[Condition, ...]
    value: int


class Modifier(Row, frozen=True, kw_only=True, cache_hash=True):
    """A printed modifier: what it needs, what it changes, by how much, under which limit."""

    group: str
    changes: Literal["column", "die", "attack", "defence", "strength", "morale"]
    table: str | None = None  # the table whose column or die it changes
    side: Side | None = None  # whose morale or strength
    scope: Literal["fight", "hex", "unit"] = "fight"
    when: tuple[Condition, ...] = ()
    value: int | None = None
    factor: Fraction | None = None  # for strengths: 1/2 halves
    times: str | None = None  # the amount is value × this number
    sign_of: str | None = None  # the amount is value × the sign of this number
    instead: tuple[Instead, ...] = ()
    limit: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.value is None) == (self.factor is None):
            raise Refusal(say("a modifier has either a value or a factor"))
        if self.times and self.sign_of:
            raise Refusal(say("a modifier has times or sign_of, not both"))


class Span(Part, frozen=True, kw_only=True):
    """A heading over several columns, from one label to another."""

    text: Text
    first: str
    last: str


class Axis(Part, frozen=True, kw_only=True):
    """What the rows or columns of a table stand for, and the value from which each one holds."""

    text: Text
    starts: tuple[Fraction, ...] = field(default=(), name="from")
    names: tuple[Text, ...] = ()  # wording of labels that are words
    below: Literal["first", "none"] = "first"  # a value below the first start
    # What is looked up: attack / defence, attack - defence, the attack alone, the roll, the morale,
    # or what a roll has over the morale.
    of: Literal["ratio", "difference", "attack", "roll", "morale", "excess"] | None = None
    spans: tuple[Span, ...] = ()

    def position(self, value: Fraction | int) -> int | None:
        """Find the row or column that a value falls into; None where the table has none."""
        place = bisect_right(self.starts, value) - 1
        if place < 0:
            return 0 if self.below == "first" else None
        return place


class Result(Part, frozen=True, kw_only=True):
    """A code of a table's legend, its meaning in words and, where the rules need it, in values."""

    code: str
    text: Text
    rule: str | None = None
    reading: Reading = CERTAIN
    values: Mapping[str, Value] = MappingProxyType({})


class Doubt(Part, frozen=True, kw_only=True):
    """A cell, or one side's half of it, that the print leaves in doubt."""

    row: str
    column: str
    half: Side | None = None
    reading: Reading
    printed: str | None = None  # what is legible, letter by letter
    instead: Mapping[str, str] = MappingProxyType({})  # choice of the reading's option -> code

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.reading.doubtful:
            raise Refusal(say("a doubt needs a reading with its reason"))


REFUSED = "?"  # in `Doubt.instead`: under this choice nothing is read, the fight is refused


class Half(NamedTuple):
    """One side's part of a cell: options, each a row of legend codes, and who picks among them."""

    options: tuple[tuple[str, ...], ...]
    chooser: Literal["owner", "defender"] = "owner"

    def __str__(self) -> str:
        prefix = "D:" if self.chooser == "defender" else ""
        return prefix + "/".join("".join(codes) for codes in self.options)


class Cell(NamedTuple):
    """A cell as printed and as read; two halves where each side has its own result."""

    printed: str
    halves: tuple[Half, ...]
    doubts: tuple[Doubt, ...]

    @property
    def codes(self) -> tuple[str, ...]:
        """The legend codes of a cell without choices."""
        return self.halves[0].options[0]


class Table(Part, frozen=True, kw_only=True, dict=True):
    """A printed table. The grid's first line holds the column labels, each line's first word its
    row label, just as on paper."""

    id: str
    text: Text
    rule: str | None = None
    reading: Reading = CERTAIN
    dice: str | None = None
    cells: Literal["codes", "pair", "options"] = "codes"
    rows: Axis
    columns: Axis
    grid: tuple[tuple[str, ...], ...]
    results: tuple[Result, ...]
    doubts: tuple[Doubt, ...] = ()

    @cached_property
    def row_labels(self) -> tuple[str, ...]:
        return tuple(line[0] for line in self.grid[1:])

    @cached_property
    def column_labels(self) -> tuple[str, ...]:
        return self.grid[0][1:]

    @cached_property
    def legend(self) -> Mapping[str, Result]:
        return MappingProxyType({result.code: result for result in self.results})

    def cell(self, row: str, column: str) -> Cell:
        """Look a cell up by its labels."""
        return self._cells[row, column]

    def read(
        self, row: str, column: str, chosen: Mapping[str, str], side: Side | None = None
    ) -> Half:
        """Read a cell, or a side's half of it, under the chosen options."""
        cell = self.cell(row, column)
        for doubt in cell.doubts:
            code = doubt.instead.get(chosen.get(doubt.reading.option or "", ""))
            if doubt.half != side or code is None:
                continue
            if code == REFUSED:
                raise Refusal(
                    say(
                        "cell {row}, {column} of table {table} is damaged in print, and option "
                        "{option} refuses such cells",
                        row=row,
                        column=column,
                        table=self.id,
                        option=doubt.reading.option,
                    )
                )
            return self.parse_half(code) if side else self.parse(code)[0]
        return cell.halves[1 if side == "defender" else 0]

    def parse(self, code: str) -> tuple[Half, ...]:
        """Read a cell's text by the table's grammar; refuse what does not fit."""
        if self.cells == "codes":
            codes = tuple(code.split())
            for word in codes:
                self._known(word, code)
            return (Half((codes,)),)
        separator = "/" if self.cells == "pair" else "|"
        halves = code.split(separator)
        if len(halves) != 2:
            raise Refusal(
                say(
                    "cell '{cell}' needs the attacker's and the defender's part with one "
                    "'{separator}' between them",
                    cell=code,
                    separator=separator,
                )
            )
        return tuple(self.parse_half(half) for half in halves)

    def parse_half(self, code: str) -> Half:
        """Read one side's part of a cell."""
        if self.cells == "pair":
            self._known(code, code)
            return Half(((code,),))
        chooser: Literal["owner", "defender"] = "defender" if code.startswith("D:") else "owner"
        options = code.removeprefix("D:").split("/")
        return Half(tuple(self._tokens(option) for option in options), chooser)

    @cached_property
    def _cells(self) -> Mapping[tuple[str, str], Cell]:
        cells = {}
        for line in self.grid[1:]:
            for column, code in zip(self.column_labels, line[1:], strict=True):
                doubts = tuple(d for d in self.doubts if (d.row, d.column) == (line[0], column))
                cells[line[0], column] = Cell(code, self.parse(code), doubts)
        return cells

    @cached_property
    def _token(self) -> re.Pattern[str]:
        codes = sorted(self.legend, key=len, reverse=True)
        return re.compile("|".join(re.escape(code) for code in codes))

    def _tokens(self, option: str) -> tuple[str, ...]:
        """Split an option into legend codes, longest match first."""
        codes = tuple(self._token.findall(option))
        if "".join(codes) != option:
            self._known(option, option)
        return codes

    def _known(self, code: str, cell: str) -> None:
        if code not in self.legend:
            raise Refusal(
                say(
                    "result '{code}' of cell '{cell}' is not in the legend; "
                    "expected one of {codes}",
                    code=code,
                    cell=cell,
                    codes=", ".join(self.legend),
                )
            )


class Note(Part, frozen=True, kw_only=True):
    """A mark beside a printed row, and what it says."""

    mark: str | None = None
    text: Text
    rule: str | None = None


# Movement points ("1", "1/2"), added to those of the hex ("+1"), the move ending there ("2 stop"),
# only for a unit that starts adjacent ("+1 adjacent"), as the other terrain of the hex ("other"),
# only along a road or railway ("way"), never ("no").
COST = re.compile(r"\+?\d+(/\d+)?( stop| adjacent)?|other|way|no")


class Terrain(Row, frozen=True, kw_only=True):
    """A row of the terrain chart."""

    on: Literal["hex", "hexside", "way", "marker", "zoc"]
    cost: Mapping[str, str] = MappingProxyType({})  # unit class -> cost, see COST
    combat: tuple[str, ...] = ()  # the modifiers that it brings
    stacking: int | Literal["other"] | None = None
    values: Mapping[str, Value] = MappingProxyType({})
    notes: tuple[Note, ...] = ()


class Number(Row, frozen=True, kw_only=True):
    """A number that the card prints outside its tables."""

    value: Fraction


class Card(Part, frozen=True, kw_only=True, dict=True):
    """Everything that is printed on a game's card, and what we had to decide to read it."""

    format: int
    id: str
    name: Text
    about: Text
    credit: Text
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
        }

    def table(self, id_: str) -> Table:
        return self._tables[id_]

    def number(self, id_: str) -> Fraction:
        return self._numbers[id_].value

    def terrain_row(self, id_: str) -> Terrain:
        return self._terrain[id_]

    def fact(self, id_: str) -> Fact:
        return self._facts[id_]

    def limit(self, id_: str) -> Limit:
        return self._limits[id_]

    def number_row(self, id_: str) -> Number:
        return self._numbers[id_]

    def phrase(self, id_: str) -> Text:
        """Give a phrase of this card, or one that all games share."""
        return self.phrases.get(id_) or shared_phrases()[id_]

    def wording(self, word: str) -> Text | None:
        """Give the wording of a word that rules use: a phrase for it, or the name of a row."""
        return self.phrases.get(f"word-{word}") or self._row_names.get(word)

    @cached_property
    def _row_names(self) -> Mapping[str, Text]:
        named = (table for table in self.tables if table.rows.names)
        return {
            label: name
            for table in named
            for label, name in zip(table.row_labels, table.rows.names, strict=True)
        }

    def modifying(self, table: str, changes: str) -> tuple[Modifier, ...]:
        """Give the modifiers that change something of a table, in printed order."""
        return self._modifying.get((table, changes), ())

    @cached_property
    def _modifying(self) -> Mapping[tuple[str, str], tuple[Modifier, ...]]:
        rows: dict[tuple[str, str], tuple[Modifier, ...]] = {}
        for row in self.modifiers:
            key = (row.table or "", row.changes)
            rows[key] = (*rows.get(key, ()), row)
        return rows

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
    def _defaults(self) -> Mapping[str, str]:
        return {option.id: option.default for option in self.options}

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
    file = Path(__file__).parent / "games" / "phrases.toml"
    phrases = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType(msgspec.convert(phrases, dict[str, Text]))


_NOT_A_FRACTION = say("expected a whole number or a fraction such as '1/2'")


def decode_hook(type_: type, value: object) -> object:
    """Read the types that TOML has no word for: fractions and conditions."""
    if type_ is Fraction:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise Refusal(_NOT_A_FRACTION)
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise Refusal(_NOT_A_FRACTION) from None
    if type_ is Condition and isinstance(value, str):
        return Condition(value)
    raise Refusal(say("expected a condition in words"))


def encode_hook(value: object) -> object:
    """Write the same types for JSON."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Condition):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(f"a card holds no {type(value).__name__}")
