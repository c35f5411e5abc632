"""The tables of a card: axes, cells as printed and as read, legend, doubtful cells."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import field

from grognard.card.dice import Dice, parse_dice
from grognard.card.rows import CERTAIN, CardPart, Reading, Side, Value
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Text

# attack / defence, attack - defence, the attack alone, the roll, the morale, or what a roll has
# over the morale.
NUMBERS = ("ratio", "difference", "attack", "roll", "morale", "excess")


class Span(CardPart, frozen=True, kw_only=True):
    """A heading over several columns, from one label to another."""

    text: Text
    first: str
    last: str


class Axis(CardPart, frozen=True, kw_only=True, dict=True):
    """The rows or columns of a table: the number they stand for and where each one starts."""

    text: Text
    starts: tuple[Fraction, ...] = field(default=(), name="from")
    names: tuple[Text, ...] = ()  # wording of labels that are words
    below: Literal["first", "none"] = "first"  # a value below the first start
    # What is looked up, one of NUMBERS; where the card says how fights run, also a fact or a field
    # of units that is a number.
    of: str | None = None
    # Of a field of units: whose best counts, or the attackers' best minus the defenders'.
    whose: Literal["attacker", "defender", "difference"] = "attacker"
    spans: tuple[Span, ...] = ()

    def position(self, value: Fraction | int) -> int | None:
        """Find the row or column that a value falls into; None where the table has none."""
        if type(value) is Fraction and value.denominator == 1:
            value = value.numerator
        starts = self._whole_starts if type(value) is int else self.starts
        place = bisect_right(starts, value) - 1
        if place < 0:
            return 0 if self.below == "first" else None
        return place

    @cached_property
    def _whole_starts(self) -> tuple[int, ...]:
        """The first whole number of each row or column: whole numbers are compared faster."""
        return tuple(map(ceil, self.starts))


class Result(CardPart, frozen=True, kw_only=True):
    """A code of a table's legend: its meaning in words and, for the rules, in values."""

    code: str
    text: Text
    rule: str | None = None
    reading: Reading = CERTAIN
    values: Mapping[str, Value] = MappingProxyType({})
    does: str = ""  # in the vocabulary of `effects`, where the card says how fights run


class Doubt(CardPart, frozen=True, kw_only=True):
    """A cell, or one side's half of it, that is doubtful in print."""

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


class Table(CardPart, frozen=True, kw_only=True, dict=True):
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
    def rolled(self) -> Dice:
        """The dice that are rolled on it."""
        return parse_dice(self.dice or "1d6")

    @cached_property
    def row_labels(self) -> tuple[str, ...]:
        return tuple(line[0] for line in self.grid[1:])

    @cached_property
    def column_labels(self) -> tuple[str, ...]:
        return self.grid[0][1:]

    @cached_property
    def legend(self) -> Mapping[str, Result]:
        return MappingProxyType({result.code: result for result in self.results})

    def column_name(self, label: str) -> str | Text:
        """Give the wording of a column, or its label where it has none."""
        names = self.columns.names
        return names[self.column_labels.index(label)] if names else label

    def within(self, column: int) -> int:
        return max(0, min(len(self.column_labels) - 1, column))

    def cell(self, row: str, column: str) -> Cell:
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
                problem = say(
                    "cell {row}, {column} of table {table} is damaged in print, and option "
                    "{option} refuses such cells",
                    row=row,
                    column=column,
                    table=self.id,
                    option=doubt.reading.option,
                )
                raise Refusal(problem)
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
            problem = say(
                "cell '{cell}' needs the attacker's and the defender's part with one "
                "'{separator}' between them",
                cell=code,
                separator=separator,
            )
            raise Refusal(problem)
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
            problem = say(
                "result '{code}' of cell '{cell}' is not in the legend; expected one of {codes}",
                code=code,
                cell=cell,
                codes=", ".join(self.legend),
            )
            raise Refusal(problem)
