"""Reckoning again what a fight tells: each number must follow from the lines before it.

docs/games.md has the vocabulary of lines. No game is known here: a number is what lines count
towards, a place on a table is what the table's axis makes of a number.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor, prod
from typing import TypeGuard

import msgspec

from grognard.ask import Roll
from grognard.card import Axis, Modifier, Side, Table
from grognard.fight import Fight, Unit
from grognard.line import Blank, Line
from grognard.modifiers import limited
from grognard.play import Given, Play
from grognard.text import Text

Number = int | Fraction
Key = tuple[str, Side | None]  # a number, and whose it is
SIDES: tuple[Side, Side] = ("attacker", "defender")
EVERY = ""  # the share of a number that is nobody's own


def doubts(play: Play) -> Iterator[str]:
    """Say which numbers do not follow from what was told before them."""
    proof = _Proof(play.start)
    for entry in play.log:
        if not isinstance(entry, Given):
            yield from proof.line(entry.line)
        elif isinstance(entry.ask, Roll) and isinstance(entry.answer, tuple):
            proof.roll = sum(die for die in entry.answer if isinstance(die, int))
            proof.unread = entry.ask.what
    yield from proof.unused()


class _Account:
    """A number being reckoned: what each unit brings, by families that have a limit."""

    def __init__(self) -> None:
        self.shares: dict[str, dict[str | None, list[Number]]] = {}
        self.held: dict[Number, Number] = {}  # a value, and how many have it

    def add(self, unit: str, amount: Number, family: str | None = None) -> None:
        self.shares.setdefault(unit, {}).setdefault(family, []).append(amount)

    def put(self, unit: str, amount: Number) -> None:
        if unit == EVERY:
            self.shares.clear()
        self.shares[unit] = {None: [amount]}

    def sum(self, unit: str = EVERY) -> Number:
        shares = self.shares.values() if unit == EVERY else [self.shares.get(unit, {})]
        return sum(sum(amounts) for share in shares for amounts in share.values())

    def take(self, unit: str) -> Number:
        whole = self.sum(unit)
        if unit == EVERY:
            self.shares.clear()
        else:
            self.shares.pop(unit, None)
        return whole


class _Proof:
    """What has been told so far."""

    def __init__(self, fight: Fight) -> None:
        self.card, self.options = fight.case.card, fight.case.options
        self.rows = {row.id: row for row in self.card.modifiers}
        self.units = {unit.name: _printed(unit) for unit in (*fight.attackers, *fight.defenders)}
        self.words: dict[str, set[str]] = defaultdict(set)  # what is said of each unit
        for unit in (*fight.attackers, *fight.defenders):
            stated = msgspec.structs.asdict(unit).values()
            self.words[unit.name] = {word for word in stated if isinstance(word, str)}
        self.accounts: dict[Key, _Account] = defaultdict(_Account)
        self.factors: dict[tuple[Key, str], list[Fraction]] = {}
        self.told: dict[tuple[str, Side | None, str], Number] = {}
        self.roll: Number = 0
        self.unread = ""  # the roll of which nothing was told yet
        self.places: dict[str, dict[str, int]] = {}  # table -> unit -> column, as shifted so far
        self.heads: dict[tuple[str, str], str] = {}  # table and unit -> column to read
        self.read_rows: dict[tuple[str, Side | None], str] = {}
        self.clamped: set[str] = set()  # the units whose column was brought back to the table
        self.given: set[Number] = set()  # what the results read so far say in numbers

    def line(self, line: Line) -> Iterator[str]:
        """Look at one line after the other."""
        if self.unread and not line.of:
            yield f"nothing is read after the roll {self.unread}"
        self.unread = ""
        check = _CHECKS.get(line.kind)
        if check:
            for problem in check(self, line):
                yield f"“{line.in_('en')}”: {problem}"

    # -------------------------------------------------------------- what counts

    def counts(self, line: Line) -> Iterator[str]:
        """A note that changes a number states an amount, or works it out from what is printed."""
        if not line.changes:
            return
        if not _is_number(line.value):
            yield f"{line.value} is no number"
            return
        blanks, account = dict(line.blanks), self.accounts[_key(line)]
        if line.changes == "column":
            yield from self._beyond(int(line.value))
            return
        if "weight" in blanks:
            yield from self._holds(line, line.value, blanks["weight"])
            return
        printed, factor = blanks.get("printed", line.value), blanks.get("factor", 1)
        if not (_is_number(printed) and _is_number(factor)):
            yield "what is printed and its factor are numbers"
            return
        yield from self._is_stated(line, printed, blanks.get("reason"))
        told = self._told_factor(line, blanks.get("reason") if "factor" in blanks else None)
        if factor != told:
            yield f"multiplied by {factor}, but {told} was told"
        if printed * factor != line.value:
            yield f"{printed} × {factor} is not {line.value}"
        for unit in self.names(line):
            if "factor" in blanks:
                account.put(unit, line.value)
            else:
                account.add(unit, line.value)

    def _beyond(self, columns: int) -> Iterator[str]:
        """A scale that goes on beyond the last column of its table, at its last pace."""
        id_ = next(reversed(self.places))
        axis = self.card.table(id_).columns
        number, (before, last) = self._measured(axis, None, EVERY) or 0, axis.starts[-2:]
        beyond = floor((number - last) / (last - before))
        if columns != beyond:
            yield f"{number} lies {beyond} columns beyond the last"
        self.places[id_][EVERY] += columns

    def _holds(self, line: Line, value: Number, weight: Blank) -> Iterator[str]:
        """So many have this value; the dominant one will be asked for."""
        units = [self.units.get(unit, {}) for unit in self.names(line)]
        if not all(value in unit.values() for unit in units):
            yield f"not every unit has {value}"
        sums = {key: sum(unit.get(key, 0) for unit in units) for unit in units for key in unit}
        if not _is_number(weight) or weight not in sums.values():
            yield f"the units do not have {weight} together"
            return
        held = self.accounts[_key(line)].held
        held[value] = held.get(value, 0) + weight

    def _is_stated(self, line: Line, printed: Number, reason: Blank | None) -> Iterator[str]:
        if self._reason(reason) == printed:
            return
        for unit in self.names(line) if line.unit else ():
            own, account = self.units.get(unit, {}), self.accounts[_key(line)]
            if printed not in own.values() and printed != account.sum(unit):
                yield f"{unit} was not stated with {printed}"

    def _told_factor(self, line: Line, reason: Blank | None) -> Number:
        factors = self.factors.pop((_key(line), line.unit), [])
        return prod(factors, start=self._reason(reason) or Fraction(1))

    def _reason(self, reason: Blank | None) -> Number | None:
        """The number of the card whose wording is given as the reason."""
        found = (row.value for row in self.card.numbers if row.text == reason)
        return next(found, None) if isinstance(reason, Text) else None

    def modifies(self, line: Line) -> Iterator[str]:
        """A whole number is added, a fraction multiplies; each is one that the card knows."""
        value, row = line.value, self.rows.get(line.id)
        if not _is_number(value):
            yield f"{value} is no number"
            return
        if not (self._of_row(row, value) if row else self._of_another(line, value)):
            yield f"{value} is not what the card or a line before says"
        if isinstance(value, Fraction):
            self.factors.setdefault((_key(line), line.unit), []).append(value)
            return
        for unit in self.names(line):
            self.accounts[_key(line)].add(unit, value, row.limit if row else None)

    def _of_row(self, row: Modifier, value: Number) -> bool:
        if row.value is None:
            return value == row.factor
        known = self.told.get((row.times or row.sign_of or "", None, EVERY))
        amounts = (row.value, *(instead.value for instead in row.instead))
        if row.sign_of:
            return any(abs(value) == abs(a) and _same_sign(value, a, known) for a in amounts)
        if row.times:
            return any(value == a * known if known is not None else value % a == 0 for a in amounts)
        return value in amounts

    def _of_another(self, line: Line, value: Number) -> bool:
        if line.of:
            return value == self.accounts[line.of, line.side].sum()
        return value in self.given or (line.id, value) in {
            (n.id, n.value) for n in self.card.numbers
        }

    # -------------------------------------------------------------- what holds a number back

    def limits(self, line: Line) -> Iterator[str]:
        """A family within its limit of the card, or a number at a bound that is printed or told."""
        if not line.changes:
            return
        key, value = _key(line), line.value
        if not _is_number(value):
            yield f"{value} is no number"
            return
        if factors := self.factors.get((key, line.unit)):
            if prod(factors) != value:
                yield f"multiplied by {prod(factors)}"
            return
        for unit in self.names(line):
            yield from self._bounded(line, unit, value)

    def _bounded(self, line: Line, unit: str, value: Number) -> Iterator[str]:
        account = self.accounts[_key(line)]
        family = account.shares.get(unit, {}).get(line.id)
        if family:
            amounts = [amount for amount in family if isinstance(amount, int)]
            if limited(self.card.limit(line.id), amounts) != value:
                yield f"{amounts} within this limit are not {value}"
            family[:] = [value]
            return
        whole = account.sum(unit)
        if dict(line.blanks).get(line.changes, whole) != whole:
            yield f"{line.changes} has come to {whole}"
        told = {other.sum() for key, other in self.accounts.items() if key != _key(line)}
        if abs(Fraction(value)) >= abs(Fraction(whole)) or value not in told | self._bounds():
            yield f"{whole} is not held at {value} by anything printed or told"
        account.put(unit, value)

    def _bounds(self) -> set[Number]:
        numbers: set[Number] = {row.value for row in self.card.numbers}
        limits = [bound for row in self.card.limits for bound in (row.least, row.most)]
        return numbers | {bound for bound in limits if bound is not None}

    def clamps(self, line: Line) -> Iterator[str]:
        """Rounding, or the end of a table."""
        if not line.changes:
            return
        if line.changes == "column":
            self.clamped.update(self.names(line))
            return
        value = line.value
        if not _is_number(value):
            yield f"{value} is no number"
            return
        unit = line.unit
        exact = self._number(line.changes, line.side, unit)
        if exact is not None and not self._near(line.changes, exact, value):
            yield f"{exact} is neither rounded nor brought to a bound at {value}"
        if exact is None and not self._instead_of_none(line.changes, value):
            yield f"{value} follows from nothing"
        if line.changes == "roll":
            self.roll = value
        elif (account := self.accounts[_key(line)]).shares:
            account.put(unit, value)
        else:
            self.told[line.changes, None, unit] = self.told[line.changes, line.side, unit] = value

    def _near(self, name: str, exact: Number, value: Number) -> bool:
        """Whole and less than one away, or the next place of an axis."""
        if value == int(value) and 0 < abs(Fraction(value - exact)) < 1:
            return True
        low, high = sorted((exact, value))
        scales = [
            _marks(axis, labels)
            for table in self.card.tables
            for axis, labels in (
                (table.rows, table.row_labels),
                (table.columns, table.column_labels),
            )
            if axis.of == name
        ]
        return low != high and any(
            value in scale and not any(low < mark < high for mark in scale) for scale in scales
        )

    def _instead_of_none(self, name: str, value: Number) -> bool:
        """A ratio to no defence at all: the attack to one, or the best of the table."""
        best = [t.columns.starts[-1] for t in self.card.tables if t.columns.of == name]
        return name == "ratio" and (value == self._number("attack", None, EVERY) or value in best)

    # -------------------------------------------------------------- what it comes to

    def comes_to(self, line: Line) -> Iterator[str]:
        """A total, of one side or of the attacker's less the defender's; it may count further."""
        if not line.of or not _is_number(line.value):
            yield "it does not say which number it sums up"
            return
        parts = {key: v for key, v in line.blanks if key != "value" and _is_number(v)}
        yield from self._are_told(line, parts)
        for unit in self.names(line):
            whole = self._closed(line.of, line.side, unit) + sum(parts.values())
            if whole != line.value:
                yield f"what was told comes to {whole}"
        if any(key == (line.of, line.side) for key, _ in self.factors):
            yield "a factor was told that nothing was multiplied by"
        self._keep(line, line.value)

    def _are_told(self, line: Line, parts: Mapping[str, Number]) -> Iterator[str]:
        """Parts that a total names itself: of the unit, or told before under their name."""
        for name, part in parts.items():
            if name == "printed" and line.unit:
                yield from self._is_stated(line, part, None)
            elif part and name != "printed":
                told = [self.accounts[name, side].sum() for side in {None, line.side}]
                if part not in told:
                    yield f"{part} for {name} was not told"

    def _closed(self, of: str, side: Side | None, unit: str) -> Number:
        ours, theirs = ((of, each) for each in SIDES)
        if side is None and (of, None) not in self.accounts and self._either(of):
            return self._side_sum(ours) - self._side_sum(theirs)
        return self.accounts[of, side].take(unit)

    def _either(self, of: str) -> bool:
        return any((of, side) in self.accounts for side in SIDES)

    def _side_sum(self, key: Key) -> Number:
        account = self.accounts[key]
        return account.take(EVERY) if account.shares else self.told.get((*key, EVERY), 0)

    def _keep(self, line: Line, value: Number) -> None:
        """Remember a sum by the name of the number and of the line, and count it further."""
        for name in (line.of, line.id.removesuffix("-total")):
            self.told[name, line.side, line.unit] = self.told[name, None, line.unit] = value
        if line.changes:
            for unit in self.names(line):
                self.accounts[line.changes, line.side].add(unit, value)
            self.told[line.changes, None, line.unit] = value

    def dominant(self, line: Line) -> Iterator[str]:
        """The value that most have; among equals any of them."""
        account = self.accounts[line.of, line.side]
        held = account.held or {account.take(EVERY): 1}
        most = max(held.values())
        if not _is_number(line.value) or held.get(line.value) != most:
            yield f"it is not the one that most have: {held}"
            return
        account.held = {}
        self._keep(line, line.value)

    # -------------------------------------------------------------- tables

    def column(self, line: Line) -> Iterator[str]:
        """At first the place that a number has on the axis, then that place and all shifts."""
        table = self._table(line)
        if table is None:
            yield "it does not say of which table"
            return
        for name in ("attack", "defence"):
            if dict(line.blanks).get(name, told := self._number(name, None, EVERY)) != told:
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
        whole = self.roll + self.accounts["roll", None].take(line.unit)
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
            return _marks(axis, labels).get(number)
        place = axis.position(number)
        return None if place is None else labels[place]

    def _measured(
        self, axis: Axis, side: Side | None, unit: str, of: str | None = None
    ) -> Number | None:
        name = axis.of or of
        return self._number(name, side, unit) if name else None

    def _number(self, name: str, side: Side | None, unit: str) -> Number | None:
        """Give a number as it stands: the roll, one made of two others, one told or still open."""
        if name == "roll":
            return self.roll
        if (name, None, unit) in self.told and not self._open(name, side):
            return self.told.get((name, side, unit), self.told[name, None, unit])
        attack, defence = (self.told.get((key, None, EVERY), 0) for key in ("attack", "defence"))
        match name:
            case "ratio":
                return Fraction(attack) / defence if defence else None
            case "difference":
                return attack - defence
            case "excess":
                return self.roll - self.told.get(("morale", side, unit), 0)
        return self.accounts[name, side].sum(unit) if self._open(name, side) else None

    def _open(self, name: str, side: Side | None) -> bool:
        return (name, side) in self.accounts and bool(self.accounts[name, side].shares)

    # -------------------------------------------------------------- whose, and the end

    def names(self, line: Line) -> list[str]:
        """Name the units of a line; several are joined with commas."""
        if not line.unit or line.unit in self.units:
            return [line.unit]
        return line.unit.split(", ")

    def spent(self, line: Line) -> Iterator[str]:
        """What a side has committed is known by the side and the blank: attacker_air."""
        for name, count in line.blanks:
            if _is_number(count):
                self.told[f"{line.side}_{name}", None, EVERY] = count
        yield from ()

    def unused(self) -> Iterator[str]:
        """Every shift and every die modifier must have come to something."""
        for name in ("column", "die"):
            for unit in self.accounts[name, None].shares:
                if self.accounts[name, None].sum(unit) and unit not in self.clamped:
                    yield f"what was told to change the {name} {unit} was never added up"


def _printed(unit: Unit) -> dict[str, int]:
    """Give the numbers that were stated of a unit."""
    values = msgspec.structs.asdict(unit).items()
    return {k: v for k, v in values if isinstance(v, int) and not isinstance(v, bool)}


def _marks(axis: Axis, labels: Iterable[str]) -> dict[Number, str]:
    """Give the number of each label: where it starts, or the one that is written in it."""
    if axis.starts:
        return dict(zip(axis.starts, labels, strict=True))
    written = ((re.findall(r"-?\d+", label), label) for label in labels)
    return {int(numbers[0]): label for numbers, label in written if len(numbers) == 1}


def _is_number(value: object) -> TypeGuard[Number]:
    return isinstance(value, int | Fraction)


def _same_sign(value: Number, amount: int, known: Number | None) -> bool:
    return known is None or (value > 0) == (amount * known > 0)


def _key(line: Line) -> Key:
    return line.changes, line.side


def _label(blank: Blank | None, axis: Axis, labels: tuple[str, ...]) -> str | None:
    """Give the label that a line means: by its name, or the only one there is."""
    if blank is None and len(labels) == 1:
        return labels[0]
    named = [label for label, name in zip(labels, axis.names, strict=False) if name == blank]
    return named[0] if named else str(blank)


def _cell(
    table: Table, row: str, column: str, options: Mapping[str, str], side: Side | None
) -> str:
    """Read a cell as a line tells it."""
    if table.cells == "codes":
        return " ".join(table.read(row, column, options).options[0])
    sides: Iterable[Side] = [side] if side else SIDES
    return "/".join(str(table.read(row, column, options, each)) or "-" for each in sides)


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
