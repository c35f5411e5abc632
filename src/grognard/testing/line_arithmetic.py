"""Checking the arithmetic of lines: each number must follow from the lines before it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import TypeGuard

import msgspec

from grognard.card.modifier_rows import Modifier
from grognard.card.rows import SIDES, Side
from grognard.card.tables import Axis
from grognard.rules.fight import Fight, Setup, Unit
from grognard.rules.line import Blank, Line
from grognard.rules.modifiers import limited
from grognard.words.text import Text

Amount = int | Fraction
Key = tuple[str, Side | None]  # a number, and whose it is
MADE_OF_OTHERS = ("ratio", "difference", "excess")
EVERY = ""  # the share of a number that is nobody's own


class Account:
    """A number being added up: the share of each unit, by family of modifiers."""

    def __init__(self) -> None:
        self.shares: dict[str, dict[str | None, list[Amount]]] = {}
        self.held: dict[Amount, Amount] = {}  # a value, and how many have it

    def add(self, unit: str, amount: Amount, family: str | None = None) -> None:
        self.shares.setdefault(unit, {}).setdefault(family, []).append(amount)

    def put(self, unit: str, amount: Amount) -> None:
        if unit == EVERY:
            self.shares.clear()
        self.shares[unit] = {None: [amount]}

    def sum(self, unit: str = EVERY) -> Amount:
        shares = self.shares.values() if unit == EVERY else [self.shares.get(unit, {})]
        return sum(sum(amounts) for share in shares for amounts in share.values())

    def take(self, unit: str) -> Amount:
        whole = self.sum(unit)
        if unit == EVERY:
            self.shares.clear()
        else:
            self.shares.pop(unit, None)
        return whole


class Arithmetic:
    """The numbers of a fight, as far as they have been told."""

    def __init__(self, fight: Fight) -> None:
        self.card, self.options = fight.case.card, fight.case.options
        self.setup: Setup = fight.case.setup
        self.rows = {row.id: row for row in self.card.modifiers}
        self.numbers = {row.id: row.value for row in self.card.numbers}
        units = (*fight.attackers, *fight.defenders)
        self.units = {unit.name: _printed(unit) for unit in units}
        self.accounts: dict[Key, Account] = defaultdict(Account)
        self.factors: dict[tuple[Key, str], list[Fraction]] = {}
        self.told: dict[tuple[str, Side | None, str], Amount] = {}
        self.roll: Amount = 0
        self.given: set[Amount] = set()  # what the results read so far say in numbers

    def names(self, line: Line) -> list[str]:
        """Name the units of a line; several are joined with commas."""
        if not line.unit or line.unit in self.units:
            return [line.unit]
        return line.unit.split(", ")

    def counts(self, line: Line) -> Iterator[str]:
        """A note that changes a number states an amount, or works it out from what is printed."""
        if not is_number(line.value):
            yield f"{line.value} is no number"
            return
        blanks, account = dict(line.blanks), self.accounts[key_of(line)]
        if "weight" in blanks:
            yield from self._holds(line, line.value, blanks["weight"])
            return
        printed, factor = blanks.get("printed", line.value), blanks.get("factor", 1)
        if not (is_number(printed) and is_number(factor)):
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

    def _holds(self, line: Line, value: Amount, weight: Blank) -> Iterator[str]:
        """So many have this value; the dominant one will be asked for."""
        units = [self.units.get(unit, {}) for unit in self.names(line)]
        if not all(value in unit.values() for unit in units):
            yield f"not every unit has {value}"
        sums = {key: sum(unit.get(key, 0) for unit in units) for unit in units for key in unit}
        if not is_number(weight) or weight not in sums.values():
            yield f"the units do not have {weight} together"
            return
        held = self.accounts[key_of(line)].held
        held[value] = held.get(value, 0) + weight

    def _is_stated(self, line: Line, printed: Amount, reason: Blank | None) -> Iterator[str]:
        if self._reason(reason) == printed:
            return
        for unit in self.names(line) if line.unit else ():
            own, account = self.units.get(unit, {}), self.accounts[key_of(line)]
            if printed not in own.values() and printed != account.sum(unit):
                yield f"{unit} was not stated with {printed}"

    def _told_factor(self, line: Line, reason: Blank | None) -> Amount:
        factors = self.factors.pop((key_of(line), line.unit), [])
        return prod(factors, start=self._reason(reason) or Fraction(1))

    def _reason(self, reason: Blank | None) -> Amount | None:
        """The number of the card whose wording is given as the reason."""
        found = (row.value for row in self.card.numbers if row.text == reason)
        return next(found, None) if isinstance(reason, Text) else None

    def modifies(self, line: Line) -> Iterator[str]:
        """A whole number is added, a fraction multiplies; each is one that the card knows."""
        value, row = line.value, self.rows.get(line.id)
        if not is_number(value):
            yield f"{value} is no number"
            return
        if not (self._of_row(row, value) if row else self._of_another(line, value)):
            yield f"{value} is not what the card or a line before says"
        if isinstance(value, Fraction):
            self.factors.setdefault((key_of(line), line.unit), []).append(value)
            return
        for unit in self.names(line):
            self.accounts[key_of(line)].add(unit, value, row.limit if row else None)

    def _of_row(self, row: Modifier, value: Amount) -> bool:
        if row.value is None:
            return value == row.factor
        known = self._fact(row.times or row.sign_of or "")
        amounts = (row.value, *(instead.value for instead in row.instead))
        if row.sign_of:
            return any(abs(value) == abs(a) and _same_sign(value, a, known) for a in amounts)
        if row.times:
            return any(value == a * known if known is not None else value % a == 0 for a in amounts)
        return value in amounts

    def _fact(self, name: str) -> Amount | None:
        """Give a number that modifiers look at: as told, or else as it was stated."""
        told, stated = self.number(name, None, EVERY), getattr(self.setup, name, None)
        return stated if told is None and is_number(stated) else told

    def _of_another(self, line: Line, value: Amount) -> bool:
        """A number told before, a number of the card, or one that a result has given."""
        if line.of:
            return value == self.accounts[line.of, line.side].sum()
        printed = self.numbers.get(line.id)
        return value in self.given if printed is None else value == printed

    def limits(self, line: Line) -> Iterator[str]:
        """A family within its limit of the card, or a number at a bound that is printed or told."""
        key, value = key_of(line), line.value
        if not is_number(value):
            yield f"{value} is no number"
            return
        if factors := self.factors.get((key, line.unit)):
            if prod(factors) != value:
                yield f"multiplied by {prod(factors)}"
            return
        for unit in self.names(line):
            yield from self._bounded(line, unit, value)

    def _bounded(self, line: Line, unit: str, value: Amount) -> Iterator[str]:
        account = self.accounts[key_of(line)]
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
        told = {other.sum() for key, other in self.accounts.items() if key != key_of(line)}
        if abs(Fraction(value)) >= abs(Fraction(whole)) or value not in told | self._bounds(
            line.id
        ):
            yield f"{whole} is not held at {value} by anything printed or told"
        account.put(unit, value)

    def _bounds(self, id_: str) -> set[Amount]:
        limits = [bound for row in self.card.limits for bound in (row.least, row.most)]
        printed = (*limits, self.numbers.get(id_))
        return {bound for bound in printed if bound is not None}

    def clamps(self, line: Line) -> Iterator[str]:
        """Rounding, or the end of a table."""
        value, unit = line.value, line.unit
        if not is_number(value):
            yield f"{value} is no number"
            return
        exact = self.number(line.changes, line.side, unit)
        if dict(line.blanks).get("exact", exact) != exact:
            yield f"{line.changes} has come to {exact}"
        elif exact is not None and not self._near(line.changes, exact, value):
            yield f"{exact} is neither rounded nor brought to a bound at {value}"
        elif exact is None and not self._instead_of_none(line.changes, value):
            yield f"{value} follows from nothing"
        if line.changes == "roll":
            self.roll = value
        elif (account := self.accounts[key_of(line)]).shares:
            account.put(unit, value)
        else:
            self.told[line.changes, None, unit] = self.told[line.changes, line.side, unit] = value

    def _near(self, name: str, exact: Amount, value: Amount) -> bool:
        """Whole and less than one away, or the next place of an axis."""
        if value == int(value) and 0 < abs(Fraction(value - exact)) < 1:
            return True
        low, high = sorted((exact, value))
        scales = [
            marks(axis, labels)
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

    def _instead_of_none(self, name: str, value: Amount) -> bool:
        """A ratio to no defence at all: the attack to one, or the best of the table."""
        best = [t.columns.starts[-1] for t in self.card.tables if t.columns.of == name]
        return name == "ratio" and (value == self.number("attack", None, EVERY) or value in best)

    def comes_to(self, line: Line) -> Iterator[str]:
        """A total, of one side or of the attacker's less the defender's; it may count further."""
        if not line.of or not is_number(line.value):
            yield "it does not say which number it sums up"
            return
        parts = {key: v for key, v in line.blanks if key != "value" and is_number(v)}
        if line.of in MADE_OF_OTHERS:
            yield from self._made(line, parts)
            return
        yield from self._are_told(line, parts)
        for unit in self.names(line):
            whole = self._closed(line.of, line.side, unit) + sum(parts.values())
            if whole != line.value:
                yield f"what was told comes to {whole}"
        if any(key == (line.of, line.side) for key, _ in self.factors):
            yield "a factor was told that nothing was multiplied by"
        self._keep(line, line.value)

    def _made(self, line: Line, parts: Mapping[str, Amount]) -> Iterator[str]:
        """A number that is made of others, as its name says."""
        for name, stated in ((line.of, line.value), *parts.items()):
            number = self.number(name, line.side, line.unit)
            if number != stated:
                yield f"{name} has come to {number}"

    def _are_told(self, line: Line, parts: Mapping[str, Amount]) -> Iterator[str]:
        """Parts that a total names itself: of the unit, or told before under their name."""
        for name, part in parts.items():
            if name == "printed" and line.unit:
                yield from self._is_stated(line, part, None)
            elif part and name != "printed":
                told = [self.accounts[name, side].sum() for side in {None, line.side}]
                if part not in told:
                    yield f"{part} for {name} was not told"

    def _closed(self, of: str, side: Side | None, unit: str) -> Amount:
        known = any(self._open(of, s) or (of, s, EVERY) in self.told for s in SIDES)
        if side is None and known and not self._open(of, None):
            ours, theirs = (self._of_side(of, each) for each in SIDES)
            return ours - theirs
        return self.accounts[of, side].take(unit)

    def _of_side(self, of: str, side: Side) -> Amount:
        if self._open(of, side):
            return self.accounts[of, side].take(EVERY)
        return self.told.get((of, side, EVERY), 0)

    def _keep(self, line: Line, value: Amount) -> None:
        """Remember a sum by the name of the number and of the line, and count it further."""
        for name in (line.of, line.id.removesuffix("-total")):
            self.told[name, line.side, line.unit] = self.told[name, None, line.unit] = value
        if line.changes:
            for unit in self.names(line):
                self.accounts[line.changes, line.side].add(unit, value)

    def dominant(self, line: Line) -> Iterator[str]:
        """The value that most have; among equals any of them."""
        account = self.accounts[line.of, line.side]
        held = account.held or {account.take(EVERY): 1}
        most = max(held.values())
        if not is_number(line.value) or held.get(line.value) != most:
            yield f"it is not the one that most have: {held}"
            return
        account.held = {}
        self._keep(line, line.value)

    def spent(self, line: Line) -> Iterator[str]:
        """What a side has committed is known by the side and the blank: attacker_air."""
        for name, count in line.blanks:
            if is_number(count):
                self.told[f"{line.side}_{name}", None, EVERY] = count
        yield from ()

    def number(self, name: str, side: Side | None, unit: str) -> Amount | None:
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


def _printed(unit: Unit) -> dict[str, int]:
    values = msgspec.structs.asdict(unit).items()
    return {k: v for k, v in values if isinstance(v, int) and not isinstance(v, bool)}


def marks(axis: Axis, labels: Iterable[str]) -> dict[Amount, str]:
    """Give the number of each label: where it starts, or the one that is written in it."""
    if axis.starts:
        return dict(zip(axis.starts, labels, strict=True))
    written = ((re.findall(r"-?\d+", label), label) for label in labels)
    return {int(numbers[0]): label for numbers, label in written if len(numbers) == 1}


def is_number(value: object) -> TypeGuard[Amount]:
    """Tell numbers from words and from nothing."""
    return isinstance(value, int | Fraction)


def _same_sign(value: Amount, amount: int, known: Amount | None) -> bool:
    return known is None or (value > 0) == (amount * known > 0)


def key_of(line: Line) -> Key:
    """Give the number to which a line counts, and whose it is."""
    return line.changes, line.side
