"""A card as text for the terminal, laid out like the printed card."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import click

from grognard.card.card import Card, Number, Option, Terrain
from grognard.card.rows import SIDES, Reading, Row
from grognard.card.tables import Axis, Cell, Table
from grognard.card.wording import MARK, MARKS, effect, in_words
from grognard.words.message import Message, say
from grognard.words.numbers import label, percentage
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang, colon

PARTS = ("modifiers", "terrain", "numbers", "options")


def part(card: Card, name: str | None, lang: Lang, width: int) -> Iterator[str]:
    """Show one table or part of a card, or all of it."""
    if name is None:
        yield from _title(card, lang)
    if name is not None and name not in _known(card):
        raise Refusal(unknown_part(card, name))
    for table in card.tables:
        if name in (None, table.id):
            yield from _table(card, table, lang, width)
    if name in (None, "modifiers"):
        yield from _modifiers(card, lang, width)
    if card.terrain and name in (None, "terrain"):
        yield from _terrain(card, lang, width)
    if card.numbers and name in (None, "numbers"):
        yield from _numbers(card.numbers, lang, width)
    if card.options and name in (None, "options"):
        yield from _options(card.options, lang, width)


def unknown_part(card: Card, name: str) -> Message:
    """Say that the card has no such part, and name the nearest."""
    return say(
        "{game} has no table '{name}'; {near}",
        game=card.id,
        name=name,
        near=near(name, _known(card)),
    )


def _known(card: Card) -> list[str]:
    return [table.id for table in card.tables] + [p for p in PARTS if getattr(card, p)]


def _title(card: Card, lang: Lang) -> Iterator[str]:
    yield click.style(card.name.in_(lang), bold=True)
    yield card.about.in_(lang)
    yield click.style(card.credit.in_(lang), dim=True)
    yield ""


def _heading(words: str, rule: str | None = None, after: str = "") -> str:
    return click.style(words.upper(), bold=True) + _rule(rule) + after


def _rule(rule: str | None) -> str:
    return click.style(f"  [{rule}]", dim=True) if rule else ""


# ------------------------------------------------------------------ tables


class _TableText(NamedTuple):
    """A table as text, with the width of each column."""

    card: Card
    table: Table
    lang: Lang
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    widths: list[int]
    left: int

    @classmethod
    def of(cls, card: Card, table: Table, lang: Lang) -> "_TableText":
        rows = axis_names(table.rows, table.row_labels, lang)
        columns = axis_names(table.columns, table.column_labels, lang)
        widths = [
            max(len(line) for line in [name, *_column(card, table, label, lang)])
            for name, label in zip(columns, table.column_labels, strict=True)
        ]
        left = max(len(name) for name in [table.rows.text.in_(lang), *rows])
        return cls(card, table, lang, rows, columns, widths, left)

    def lines(self, row: str, column: str) -> list[str]:
        return _lines(self.card, self.table.cell(row, column), self.lang)


def _table(card: Card, table: Table, lang: Lang, width: int) -> Iterator[str]:
    dice = f"  {table.dice}" if table.dice else ""
    yield _heading(table.text.in_(lang) + _mark(table.reading), table.rule, dice)
    sheet = _TableText.of(card, table, lang)
    for places in _pages(sheet, width):
        yield from _spans(sheet, places)
        yield from _page(sheet, places)
        yield ""
    yield from _legend(card, table, lang, width)
    yield from _notes(_table_doubts(card, table, lang), width)
    yield ""


def axis_names(axis: Axis, labels: tuple[str, ...], lang: Lang) -> tuple[str, ...]:
    """Name the rows or columns of a table; without names their labels stand."""
    names = [text.in_(lang) for text in axis.names] or [label(word, lang) for word in labels]
    return tuple(names)


def _column(card: Card, table: Table, label: str, lang: Lang) -> Iterator[str]:
    for row in table.row_labels:
        yield from _lines(card, table.cell(row, label), lang)


def _lines(card: Card, cell: Cell, lang: Lang) -> list[str]:
    """Write a cell: one line, or one for each side if sides have options to choose from."""
    if "|" not in cell.printed:
        return [in_words(cell.printed, card, lang) + (MARK if cell.doubts else "")]
    doubtful = {doubt.half for doubt in cell.doubts}
    return [
        str(half) + (MARK if side in doubtful else "")
        for half, side in zip(cell.halves, SIDES, strict=True)
    ]


def _pages(sheet: _TableText, width: int) -> Iterator[range]:
    """Break the columns into pages that fit the terminal, one below the other."""
    room = width - sheet.left - 5
    first, used = 0, 0
    for place, needed in enumerate(sheet.widths):
        if place > first and used + needed + 2 > room:
            yield range(first, place)
            first, used = place, 0
        used += needed + 2
    yield range(first, len(sheet.columns))


def _page(sheet: _TableText, places: range) -> Iterator[str]:
    table = sheet.table
    head = "  ".join(sheet.columns[p].rjust(sheet.widths[p]) for p in places)
    yield f"  {table.rows.text.in_(sheet.lang).rjust(sheet.left)} │ {click.style(head, bold=True)}"
    yield "  " + "─" * sheet.left + "─┼─" + "─" * len(head)
    for name, row in zip(sheet.rows, table.row_labels, strict=True):
        cells = [sheet.lines(row, table.column_labels[p]) for p in places]
        for number, line in enumerate(zip(*cells, strict=True)):
            label = click.style((name if number == 0 else "").rjust(sheet.left), bold=True)
            side = MARKS[SIDES[number]] if len(cells[0]) > 1 else "│"
            words = [_coloured(c.rjust(sheet.widths[p])) for c, p in zip(line, places, strict=True)]
            yield f"  {label} {side} {'  '.join(words)}"


def _coloured(cell: str) -> str:
    return click.style(cell, fg="yellow") if cell.endswith(MARK) else cell


def _spans(sheet: _TableText, places: range) -> Iterator[str]:
    """Write the headings over several columns, as far as they are on this page."""
    labels = sheet.table.column_labels
    line = ""
    for span in sheet.table.columns.spans:
        shown = [p for p in places if labels.index(span.first) <= p <= labels.index(span.last)]
        if shown:
            room = sum(sheet.widths[p] + 2 for p in shown) - 2
            words = textwrap.shorten(span.text.in_(sheet.lang), max(room - 2, 1), placeholder="…")
            line += f" {words} ".center(room, "·") + "  "
    if line:
        yield " " * (sheet.left + 5) + click.style(line.rstrip(), dim=True)


def _legend(card: Card, table: Table, lang: Lang, width: int) -> Iterator[str]:
    codes = [in_words(result.code, card, lang) for result in table.results]
    left = max(map(len, codes))
    for written, result in zip(codes, table.results, strict=True):
        code = click.style(written.rjust(left), bold=True)
        words = result.text.in_(lang) + _mark(result.reading)
        yield from _wrapped(f"  {code}  ", left + 4, words, width, _rule(result.rule))


def _table_doubts(card: Card, table: Table, lang: Lang) -> Iterator[str]:
    """Write each doubt once, with all its cells."""
    told: dict[str, list[str]] = {}
    rows = dict(zip(table.row_labels, axis_names(table.rows, table.row_labels, lang), strict=True))
    names = axis_names(table.columns, table.column_labels, lang)
    columns = dict(zip(table.column_labels, names, strict=True))
    for doubt in table.doubts:
        side = MARKS[doubt.half]
        cell = f"{rows[doubt.row]}×{columns[doubt.column]}{side}"
        told.setdefault(_reason(doubt.reading, lang), []).append(cell)
    if table.reading.doubtful:
        yield _reason(table.reading, lang)
    for reason, cells in told.items():
        yield _named_reason(", ".join(cells), reason, lang)
    for result in table.results:
        if result.reading.doubtful:
            code = in_words(result.code, card, lang)
            yield _named_reason(code, _reason(result.reading, lang), lang)


# ------------------------------------------------------------------ the other parts


def _modifiers(card: Card, lang: Lang, width: int) -> Iterator[str]:
    limits = {limit.id: limit for limit in card.limits}
    for group in card.groups:
        rows = [modifier for modifier in card.modifiers if modifier.group == group.id]
        yield _heading(group.text.in_(lang) + _mark(group.reading), group.rule)
        for row in rows:
            yield from _leader(row, effect(card, row, lang), lang, width)
        named = {row.limit: limits[row.limit] for row in rows if row.limit}
        for limit in named.values():
            yield "  " + click.style(limit.text.in_(lang), italic=True) + _mark(limit.reading)
        doubtful: list[Row] = [group, *rows, *named.values()]
        yield from _notes(_row_doubts(doubtful, lang), width)
        yield ""


def _leader(row: Row, effect: str, lang: Lang, width: int) -> Iterator[str]:
    """Write a line of the card: wording on the left, rule, effect on the right."""
    rule = row.rule or ""
    room = max(min(width, 100) - 6 - len(rule) - len(effect), 30)
    *lines, last = _fill(row.text.in_(lang) + _mark(row.reading), room, "  ")
    yield from (f"  {line}" for line in lines)
    dots = click.style(" " + "." * (room - len(last)), dim=True)
    yield f"  {last}{dots} {click.style(rule, dim=True)} {click.style(effect, bold=True)}"


def _numbers(numbers: Sequence[Number], lang: Lang, width: int) -> Iterator[str]:
    yield _heading(say("Numbers").in_(lang))
    for number in numbers:
        yield from _leader(number, str(number.value).replace("-", "−"), lang, width)
    yield from _notes(_row_doubts(numbers, lang), width)
    yield ""


def _terrain(card: Card, lang: Lang, width: int) -> Iterator[str]:
    """Write the terrain chart: a line for each row, its notes below it."""
    yield _heading(say("Terrain").in_(lang))
    head = [
        "",
        *(class_.text.in_(lang) for class_ in card.unit_classes),
        *(column.text.in_(lang) for column in card.terrain_columns),
        say("combat").in_(lang),
        say("stacking").in_(lang),
    ]
    lines = [head, *(_terrain_line(card, row, lang) for row in card.terrain)]
    used = [place for place in range(len(head)) if any(line[place] for line in lines[1:])]
    widths = {place: max(len(line[place]) for line in lines) for place in used}
    for number, line in enumerate(lines):
        text = "  ".join(line[p].ljust(widths[p]) for p in used).rstrip()
        yield "  " + (click.style(text, bold=True) if number == 0 else text)
        if number:
            yield from _terrain_notes(card, card.terrain[number - 1], lang, width)
    rows: list[Row] = [*card.unit_classes, *card.terrain_columns, *card.terrain]
    yield from _notes(_row_doubts(rows, lang), width)
    yield ""


def _terrain_notes(card: Card, row: Terrain, lang: Lang, width: int) -> Iterator[str]:
    """Write the printed notes of a terrain, and what its effects need besides the terrain."""
    for note in row.notes:
        mark = f"({note.mark}) " if note.mark else ""
        yield from _wrapped("      ", 6, mark + note.text.in_(lang), width, _rule(note.rule))
    for modifier in card.modifiers:
        if modifier.id in row.combat and not modifier.by_terrain_alone(row.id):
            words = f"{effect(card, modifier, lang)}{colon(lang)}{modifier.text.in_(lang)}"
            yield from _wrapped("      ", 6, words, width, _rule(modifier.rule))


def _terrain_line(card: Card, row: Terrain, lang: Lang) -> list[str]:
    effects = [effect(card, m, lang) for m in card.modifiers if m.id in row.combat]
    return [
        row.text.in_(lang) + _mark(row.reading),
        *(_cost(row.cost.get(class_.id, ""), lang) for class_ in card.unit_classes),
        *(_word(str(row.values.get(column.id, "")), lang) for column in card.terrain_columns),
        ", ".join(dict.fromkeys(effects)),  # one effect may have several conditions
        _word(str(row.stacking or ""), lang),
    ]


def _cost(value: str, lang: Lang) -> str:
    return say("prohibited").in_(lang) if value == "no" else _word(value, lang)


def _word(value: str, lang: Lang) -> str:
    """Translate the chart's own words; numbers stay."""
    for word, meaning in _WORDS.items():
        if value == word or value.endswith(f" {word}"):
            return value.removesuffix(word) + meaning.in_(lang)
    return value


_WORDS: dict[str, Message] = {
    "other": say("as the hex"),
    "way": say("by road or rail only"),
    "no": say("no"),
    "yes": say("yes"),
    "stop": say("and stop"),
    "adjacent": say("if adjacent"),
}


def _options(options: Sequence[Option], lang: Lang, width: int) -> Iterator[str]:
    yield _heading(say("Options").in_(lang))
    for option in options:
        label = f"  {click.style(option.id, bold=True)}{colon(lang)}"
        left = len(click.unstyle(label))
        words = option.text.in_(lang) + _mark(option.reading)
        yield from _wrapped(label, left, words, width, _rule(option.rule))
        for number, choice in enumerate(option.choices):
            sign = "●" if number == 0 else "○"
            label = f"      {sign} {choice.id}{colon(lang)}"
            yield from _wrapped(label, len(label), choice.text.in_(lang), width)
    yield from _notes(_row_doubts(options, lang), width)
    yield ""


# ------------------------------------------------------------------ doubts


def _mark(reading: Reading) -> str:
    return MARK if reading.doubtful else ""


def _row_doubts(rows: Iterable[Row], lang: Lang) -> Iterator[str]:
    for row in rows:
        if row.reading.doubtful:
            yield _named_reason(row.text.in_(lang), _reason(row.reading, lang), lang)


def _named_reason(what: str, why: str, lang: Lang) -> str:
    return say("{what}: {why}", what=what, why=why).in_(lang)


def _reason(reading: Reading, lang: Lang) -> str:
    words = reading.reason.in_(lang) if reading.reason else ""
    if reading.confidence is not None:
        words += f" ({percentage(reading.confidence, lang)})"
    if reading.option:
        words += " " + say("[option {id}]", id=reading.option).in_(lang)
    return words


def _notes(doubts: Iterable[str], width: int) -> Iterator[str]:
    for doubt in doubts:
        yield from _wrapped("  " + click.style(MARK, fg="yellow") + " ", 4, doubt, width)


def _wrapped(first: str, left: int, words: str, width: int, after: str = "") -> Iterator[str]:
    """Write words beside their label, wrapped to the width."""
    lines = _fill(words, max(width - left - len(click.unstyle(after)), 30))
    lines[-1] += after
    for number, line in enumerate(lines):
        yield (" " * left if number else first) + line


def _fill(words: str, room: int, indent: str = "") -> list[str]:
    """Break words into lines."""
    return textwrap.wrap(words, room, subsequent_indent=indent, break_on_hyphens=False)
