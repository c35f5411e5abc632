"""Checking the log of a play: every number must follow from the lines before it.

docs/games.md has the vocabulary of lines. No game is known here: a number is what lines count
towards, a place on a table is what the table's axis makes of a number.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import floor

import msgspec

from grognard.card.rows import SIDES, Side
from grognard.card.tables import Axis, Table
from grognard.fights.play import Given, Play
from grognard.rules.ask import Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Blank, Line
from grognard.testing.line_arithmetic import EVERY, Amount, Arithmetic, marks


def doubts(play: Play) -> Iterator[str]:
    """Describe the numbers that do not follow from the lines before them."""
    proof = _Proof(play.start)
    for entry in play.log:
        if not isinstance(entry, Given):
            yield from proof.line(entry.line)
        elif isinstance(entry.ask, Roll):
            proof.roll = entry.ask.dice.value(entry.answer)
            proof.unread = entry.ask.what
    yield from proof.unused()


class _Proof(Arithmetic):
    """The numbers and the places on tables told so far."""

    def __init__(self, fight: Fight) -> None:
        super().__init__(fight)
        self.unread = ""  # the roll of which nothing was told yet
        self.places: dict[str, dict[str, int]] = {}  # table -> unit -> column, as shifted so far
        self.heads: dict[tuple[str, str], str] = {}  # table and unit -> column to read
        self.read_rows: dict[tuple[str, Side | None], str] = {}
        self.clamped: set[str] = set()  # the units whose column was brought back to the table
        self.words: dict[str, set[str]] = defaultdict(set)  # what is said of each unit
        for unit in (*fight.attackers, *fight.defenders):
            stated = msgspec.structs.asdict(unit).values()
            self.words[unit.name] = {word for word in stated if isinstance(word, str)}

    def line(self, line: Line) -> Iterator[str]:
        if self.unread and not line.of:
            yield f"nothing is read after the roll {self.unread}"
        self.unread = ""
        check = _CHECKS.get(line.kind)
        if check and (line.changes or line.kind not in _OF_CHANGES):
            for problem in check(self, line):
                yield f"“{line.in_('en')}”: {problem}"

    def counts(self, line: Line) -> Iterator[str]:
        """A note that changes the column: the scale goes on beyond the table."""
        if line.changes == "column" and isinstance(line.value, int):
            yield from self._beyond(line.value)
        else:
            yield from super().counts(line)

    def clamps(self, line: Line) -> Iterator[str]:
        """The column that is brought back to the table is told next."""
        if line.changes == "column":
            self.clamped.update(self.names(line))
        else:
            yield from super().clamps(line)

    def _beyond(self, columns: int) -> Iterator[str]:
        """A scale goes on at its last pace."""
        id_ = next(reversed(self.places))
        axis = self.card.table(id_).columns
        number, (before, last) = self._measured(axis, None, EVERY) or 0, axis.starts[-2:]
        beyond = floor((number - last) / (last - before))
        if columns != beyond:
            yield f"{number} lies {beyond} columns beyond the last"
        self.places[id_][EVERY] += columns

    def column(self, line: Line) -> Iterator[str]:
        """At first the place that a number has on the axis, then that place and all shifts."""
        table = self._table(line)
        if table is None:
            yield "it does not say of which table"
            return
        for name in ("attack", "defence"):
            if dict(line.blanks).get(name, told := self.number(name, None, EVERY)) != told:
                yield f"{name} has come to {told}"
        label = str(line.value)
        if table.id not in self.places:
            yield from self._first_column(table, line, label)
        else:
            for unit in self.names(line):
                yield from self._shifted(table, unit, label)
        for unit in self.names(line):
            self.heads[table.id, unit] = label

    def _first_column(self, table: Table, line: Line, label: str) -> Iterator[str]:
        stated = table.columns.of is None
        place = self._place(table.columns, table.column_labels, line)
        if label not in table.column_labels or not (stated or label == place):
            yield f"the table has column {place} there"
            return
        self.places[table.id] = {EVERY: table.column_labels.index(label)}

    def _shifted(self, table: Table, unit: str, label: str) -> Iterator[str]:
        places, labels = self.places[table.id], table.column_labels
        place = places.get(unit, places[EVERY]) + int(self.accounts["column", None].take(unit))
        places[unit] = place
        end = labels[max(0, min(len(labels) - 1, place))]
        outside = not 0 <= place < len(labels)
        if outside and unit not in self.clamped:
            yield "the shifts lead off the table, and nothing was told of that"
        elif label != end and not (outside and label not in labels):
            yield f"the shifts told lead to {end}"
        self.clamped.discard(unit)

    def row(self, line: Line) -> Iterator[str]:
        """The row that a number has on the axis, or one that was told of the other side."""
        table = self._table(line)
        if table is None:
            yield "it does not say of which table"
            return
        if (table.id, line.side) in self.read_rows:
            rows = {label for (id_, _), label in self.read_rows.items() if id_ == table.id}
        else:
            rows = {self._place(table.rows, table.row_labels, line) or ""}
            self.accounts.pop((table.rows.of or "", line.side), None)
        if line.value not in rows:
            yield f"the table has row {', '.join(rows)} there"
        self.read_rows[table.id, line.side] = str(line.value)

    def looked_up(self, line: Line) -> Iterator[str]:
        """The modified roll, or a cell of a table."""
        blanks = dict(line.blanks)
        if line.of == "roll":
            yield from self._modified(line, blanks.get("rolled"))
            return
        table = self._table(line)
        if table is None:
            if line.kind == "lookup" or "row" in blanks:
                yield "it does not say of which table"
            return
        row = _label(blanks.get("row"), table.rows, table.row_labels)
        column = _label(blanks.get("column"), table.columns, table.column_labels)
        if row not in table.row_labels or column not in table.column_labels:
            yield "the table has no such cell"
            return
        yield from self._where(table, line, row, column)
        cell = _cell(table, row, column, self.options, line.side)
        if line.value != cell:
            yield f"the cell says {cell}"
        self._learn(table, line)

    def _modified(self, line: Line, rolled: Blank | None) -> Iterator[str]:
        if rolled not in (None, self.roll):
            yield f"{self.roll} was rolled"
        whole = self.roll + self.accounts["roll", line.side].take(line.unit)
        if line.value != whole:
            yield f"the roll and what was told come to {whole}"
        self.roll = whole

    def _where(self, table: Table, line: Line, row: str, column: str) -> Iterator[str]:
        """The row and the column must have been told, or follow from a number."""
        rows, columns = table.rows, table.columns
        own = self.read_rows.get((table.id, line.side))
        place = own or self._place(rows, table.row_labels, line, "roll" if table.dice else None)
        if place not in (None, row):
            yield f"it is read in row {place}"
        for unit in self.names(line):
            head = self.heads.get((table.id, unit), self.heads.get((table.id, EVERY)))
            if head is None and columns.of:
                head = self._place(columns, table.column_labels, line)
            if head not in (None, column):
                yield f"it is read in column {head}"
            elif head is None and len(table.column_labels) > 1 and column not in self.words[unit]:
                yield f"{unit} was not stated to be {column}"

    def _learn(self, table: Table, line: Line) -> None:
        """Remember what a result says: the code itself, and the numbers in its legend."""
        code = str(line.value)
        for unit in self.names(line):
            self.words[unit].add(code)
        if line.changes:
            self.told[line.changes, None, EVERY] = int(code)
        legend = [table.legend[part] for part in code.split() if part in table.legend]
        values = [value for result in legend for value in result.values.values()]
        self.given |= {v for v in values if isinstance(v, int) and not isinstance(v, bool)}

    def _table(self, line: Line) -> Table | None:
        return next((table for table in self.card.tables if table.id == line.of), None)

    def _place(
        self, axis: Axis, labels: tuple[str, ...], line: Line, of: str | None = None
    ) -> str | None:
        """Find the label of a number; without starts the label carries the number itself."""
        number = self._measured(axis, line.side, line.unit, of)
        if number is None:
            return labels[0] if len(labels) == 1 else None
        if not axis.starts:
            return marks(axis, labels).get(number)
        place = axis.position(number)
        return None if place is None else labels[place]

    def _measured(
        self, axis: Axis, side: Side | None, unit: str, of: str | None = None
    ) -> Amount | None:
        name = axis.of or of
        return self.number(name, side, unit) if name else None

    def unused(self) -> Iterator[str]:
        """Every shift and every die modifier must have come to something."""
        for name in ("column", "die"):
            for unit in self.accounts[name, None].shares:
                if self.accounts[name, None].sum(unit) and unit not in self.clamped:
                    yield f"what was told to change the {name} {unit} was never added up"


def _label(blank: Blank | None, axis: Axis, labels: tuple[str, ...]) -> str | None:
    """Give the label that a line means: by its name, or the only one there is."""
    if blank is None and len(labels) == 1:
        return labels[0]
    named = [label for label, name in zip(labels, axis.names, strict=False) if name == blank]
    return named[0] if named else str(blank)


def _cell(
    table: Table, row: str, column: str, options: Mapping[str, str], side: Side | None
) -> str:
    if table.cells == "codes":
        return " ".join(table.read(row, column, options).options[0])
    sides: Iterable[Side] = [side] if side else SIDES
    return "/".join(str(table.read(row, column, options, each)) or "-" for each in sides)


_OF_CHANGES = ("note", "limit", "clamp")  # checked only if they change a number
_CHECKS: Mapping[str, Callable[[_Proof, Line], Iterator[str]]] = {
    "note": _Proof.counts,
    "modifier": _Proof.modifies,
    "limit": _Proof.limits,
    "clamp": _Proof.clamps,
    "total": _Proof.comes_to,
    "die": _Proof.comes_to,
    "dominant": _Proof.dominant,
    "column": _Proof.column,
    "row": _Proof.row,
    "lookup": _Proof.looked_up,
    "result": _Proof.looked_up,
    "spent": _Proof.spent,
}
