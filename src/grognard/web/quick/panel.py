"""The fight panel: headline, printed table with chances, outcomes, explanation.

Quick combat shows it for the stated fight, the map for the fight that the board gives.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec import Struct

from grognard.card.card import Card
from grognard.card.rows import SIDES, Reading, Side
from grognard.card.tables import Cell, Table
from grognard.card.wording import MARKS, in_words
from grognard.draw.text.card import axis_names
from grognard.draw.text.chances import hundredfold
from grognard.fights.chances import Found, Odds
from grognard.fights.explain import Explanation
from grognard.fights.table_cells import Lit, cells
from grognard.rules import game
from grognard.rules.fight import Fight, units_of
from grognard.rules.line import Line
from grognard.words.message import Message, say
from grognard.words.numbers import mixed, signed
from grognard.words.text import Lang, Text, colon


class Headline(NamedTuple):
    """The numbers that decide."""

    attack: str | None
    defence: str | None
    basic: str | None
    columns: tuple[Line, ...]  # final columns: several, if there are several targets
    die: str | None


def headline(explanation: Explanation) -> Headline:
    """Take the deciding numbers from an explanation."""
    totals, column = explanation.totals(), explanation.column()
    finals = tuple(line for line in explanation.lines if line.id == "final-column")
    dice = [line.value for line in explanation.lines if line.id == "die-modifier"]
    die = dice[-1] if dice and isinstance(dice[-1], int) else None
    return Headline(
        attack=_written(totals["attack"]),
        defence=_written(totals["defence"]),
        basic=_written(column["basic"]),
        columns=finals,
        die=None if die is None else signed(die),
    )


def _written(value: int | Fraction | str | None) -> str | None:
    return None if value is None else str(mixed(value))


# ------------------------------------------------------------------ the printed table


CellLabels = tuple[str, str]  # the labels of a row and a column


class ShownCell(NamedTuple):
    """A printed cell, the sides whose roll can hit it, and whether it was hit."""

    halves: tuple[str, ...]
    doubt: Text | None  # why its reading is doubtful
    in_question: bool  # in a column that can be hit
    lit: tuple[Side | None, ...]
    hit: bool


class ShownTableRow(NamedTuple):
    """A row of the table, with its chance if the roll gives the row."""

    name: str
    cells: tuple[ShownCell, ...]
    chance: Fraction | None


class ShownTable(Struct, frozen=True, eq=False):
    """The printed table, with the chance of each row, or of each column if the roll gives that."""

    table: Table
    columns: tuple[str, ...]
    in_question: tuple[bool, ...]  # a column that can be hit
    rows: tuple[ShownTableRow, ...]
    rolled: bool  # rows have chances
    below: tuple[Fraction, ...] | None


def shown_table(
    card: Card, table_id: str, chances: Mapping[Lit, Fraction], hit: Iterable[Lit], lang: Lang
) -> ShownTable:
    """Lay out a table with the cells that can be hit and that were hit."""
    units = {unit: str(n) for n, unit in enumerate({lit.unit: None for lit in chances})}
    nameless = tuple(
        [(lit.of(units[lit.unit]), *p.as_integer_ratio()) for lit, p in chances.items()]
    )
    struck = tuple(lit.of("") for lit in hit)
    return _laid_out(card.id, table_id, nameless, struck, lang)


@lru_cache(maxsize=2048)
def _laid_out(
    game_id: str,
    table_id: str,
    lit_cells: tuple[tuple[Lit, int, int], ...],  # a fraction is slow to hash
    hit: tuple[Lit, ...],
    lang: Lang,
) -> ShownTable:
    table = game.card(game_id).table(table_id)
    chances = {lit: Fraction(part, whole) for lit, part, whole in lit_cells}
    lit: dict[CellLabels, list[Side | None]] = {}
    for cell in chances:
        lit.setdefault((cell.row, _column_label(table, cell.column)), []).append(cell.side)
    struck = {(cell.row, _column_label(table, cell.column)) for cell in hit}
    questioned = {column for _, column in lit}
    by_row, by_column = _sums(chances, table)
    below = None
    if len(by_column) > 1 and len(by_row) < len(by_column):
        below = tuple(by_column.get(label, Fraction(0)) for label in table.column_labels)
    rolled = len(by_row) > 1 and below is None
    cells = {
        place: ShownCell(
            *printed,
            place[1] in questioned,
            tuple(dict.fromkeys(lit.get(place, ()))),
            place in struck,
        )
        for place, printed in _printed(game_id, table_id, lang).items()
    }
    names = axis_names(table.rows, table.row_labels, lang)
    rows = tuple(
        ShownTableRow(
            name,
            tuple(cells[row, column] for column in table.column_labels),
            by_row.get(row, Fraction(0)) if rolled else None,
        )
        for row, name in zip(table.row_labels, names, strict=True)
    )
    columns = axis_names(table.columns, table.column_labels, lang)
    in_question = tuple(label in questioned for label in table.column_labels)
    return ShownTable(table, columns, in_question, rows, rolled, below)


@cache
def _printed(
    game_id: str, table_id: str, lang: Lang
) -> Mapping[CellLabels, tuple[tuple[str, ...], Text | None]]:
    """Give every cell of a table as printed, and why its reading is doubtful."""
    card = game.card(game_id)
    table = card.table(table_id)
    places = [(row, column) for row in table.row_labels for column in table.column_labels]
    found = {place: table.cell(*place) for place in places}
    return {
        place: (
            _halves(card, table, cell, lang),
            next((doubt.reading.reason for doubt in cell.doubts), None),
        )
        for place, cell in found.items()
    }


def _column_label(table: Table, told: str) -> str:
    """Find the label of a column by its name; a single column has none."""
    if not told:
        return table.column_labels[0]
    for label, name in zip(table.column_labels, table.columns.names, strict=False):
        if told in (name.en, name.fr):
            return label
    return told


def _sums(
    chances: Mapping[Lit, Fraction], table: Table
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Add up the chances by row and by column; a roll that is read several times counts once."""
    first = next(((lit.side, lit.unit) for lit in chances), None)
    rows: dict[str, Fraction] = {}
    columns: dict[str, Fraction] = {}
    for lit, chance in chances.items():
        if (lit.side, lit.unit) == first:
            label = _column_label(table, lit.column)
            rows[lit.row] = rows.get(lit.row, Fraction(0)) + chance
            columns[label] = columns.get(label, Fraction(0)) + chance
    return rows, columns


def _halves(card: Card, table: Table, cell: Cell, lang: Lang) -> tuple[str, ...]:
    if table.cells == "options":
        return tuple(map(str, cell.halves))
    return (in_words(cell.printed, card, lang),)


# ------------------------------------------------------------------ outcomes


class ChanceBar(NamedTuple):
    """A chance as a bar."""

    text: str
    chance: Fraction
    side: Side | None = None

    @property
    def width(self) -> str:
        """In percent of the whole."""
        return f"{hundredfold(self.chance):.2f}"


def _ground_bars(odds: Odds, sides: Sequence[Side], lang: Lang) -> Iterator[ChanceBar]:
    """Give the chances for the hex, if two sides fight for it, and for whole sides."""
    if len(sides) > 1:
        rows: tuple[tuple[Message, Fraction, Side], ...] = (
            (say("hex taken"), odds.chance("taken"), "attacker"),
            (say("hex vacated"), odds.chance("vacated"), "attacker"),
            (say("hex held"), 1 - odds.chance("vacated"), "defender"),
        )
        for text, chance, side in rows:
            yield ChanceBar(text.in_(lang), chance, side)
    for side in sides:
        gone = say("{side} eliminated", side=MARKS[side])
        yield ChanceBar(gone.in_(lang), odds.chance(f"{side}_eliminated"), side)


class Losses(NamedTuple):
    """The possible step losses of a side, and their mean."""

    side: Side
    expected: Fraction
    bars: tuple[ChanceBar, ...]
    shaken: tuple[ChanceBar, ...]  # points of disorder; empty if there can be none


class Outcomes(Struct, frozen=True, eq=False):
    """The chances of the outcomes, as bars."""

    ground: tuple[ChanceBar, ...]
    losses: tuple[Losses, ...]


@lru_cache(maxsize=4096)
def _outcomes(found: Found, sides: tuple[Side, ...], lang: Lang) -> Outcomes:
    """Give the chances of the outcomes; they are the same for all fights of a kind."""
    odds = Odds(found)
    losses = tuple(
        Losses(
            side,
            odds.expected(f"{side}_steps_lost"),
            _spread(odds, f"{side}_steps_lost", side),
            _spread(odds, f"{side}_shaken", side) if odds.expected(f"{side}_shaken") else (),
        )
        for side in sides
    )
    return Outcomes(tuple(_ground_bars(odds, sides, lang)), losses)


def _spread(odds: Odds, number: str, side: Side) -> tuple[ChanceBar, ...]:
    return tuple(ChanceBar(str(n), chance, side) for n, chance in odds.spread(number).items())


# ------------------------------------------------------------------ lines and doubts


class ShownLine(NamedTuple):
    """A line of an explanation or a log."""

    kind: str
    side: Side | None
    text: str
    amount: str
    rule: str | None
    reading: Reading


def shown_lines(lines: Iterable[Line], lang: Lang) -> tuple[ShownLine, ...]:
    """Lay out lines: wording, amount, rule, and a mark for a doubtful reading."""
    return tuple(_shown_line(line, lang) for line in lines)


def _shown_line(line: Line, lang: Lang) -> ShownLine:
    text = line.in_(lang)
    if line.unit and line.kind in ("modifier", "limit") and line.unit not in text:
        text = f"{line.unit}{colon(lang)}{text}"
    amount = ""
    if line.kind == "modifier" and line.value is not None:
        fraction = isinstance(line.value, Fraction)
        amount = f"×{mixed(line.value)}" if fraction else signed(int(line.value))
    return ShownLine(line.kind, line.side, text, amount, line.rule, line.reading)


class ShownDoubt(NamedTuple):
    """A doubtful reading, its reason, and the option that changes it."""

    about: str
    reason: str
    confidence: int | None
    option: Text | None


def shown_doubts(card: Card, lines: Iterable[Line], lang: Lang) -> tuple[ShownDoubt, ...]:
    """Give each doubtful reading once."""
    options = {option.id: option.text for option in card.options}
    found: dict[str, ShownDoubt] = {}
    for line in lines:
        reading = line.reading
        if reading.reason is not None and (reason := reading.reason.in_(lang)) not in found:
            option = options.get(reading.option or "")
            found[reason] = ShownDoubt(line.in_(lang), reason, reading.confidence, option)
    return tuple(found.values())


# ------------------------------------------------------------------ all of it


class Panel(NamedTuple):
    """Everything that the panel shows before the roll."""

    headline: Headline
    table: ShownTable
    odds: Odds
    outcomes: Outcomes
    lines: tuple[ShownLine, ...]
    doubts: tuple[ShownDoubt, ...]


def panel(
    fight: Fight,
    table_id: str,
    lang: Lang,
    doctrines: tuple[str, str] = ("best", "best"),
    hit: Iterable[Lit] = (),
) -> Panel:
    """Compute the panel of a fight."""
    card = fight.case.card
    explanation, odds = fight.explain(), fight.odds(*doctrines)
    chances = cells(fight, table_id)
    sides = tuple(side for side in SIDES if units_of(fight, side))
    return Panel(
        headline(explanation),
        shown_table(card, table_id, chances, hit, lang),
        odds,
        _outcomes(odds.found, sides, lang),
        shown_lines(explanation.lines, lang),
        shown_doubts(card, (*explanation.lines, *odds.doubts), lang),
    )
