"""The order of a card's parts in its text: rows that stood apart stay apart."""

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from grognard.study.workshop.card_text import CardData

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_LONG = re.compile(r'"""' + r"|'''")


class Block(NamedTuple):
    """A header with the lines up to the next one: a row of a list, or a table."""

    part: str
    row: str  # its name, where the part is a list of rows
    text: str


def in_order_of(text: str, before: str) -> str:
    """Put the parts of a text into the order that they had in another one; new rows follow the
    last of their part."""
    head, blocks = _cut(text)
    places = {(block.part, block.row): place for place, block in enumerate(_cut(before)[1])}
    last = {part: place for (part, _), place in places.items()}
    ordered = sorted(
        blocks,
        key=lambda block: places.get(
            (block.part, block.row), last.get(block.part, len(places)) + 0.5
        ),
    )
    for block in ordered:
        new = (block.part, block.row) not in places
        head += ("\n" if new and not head.endswith("\n\n") else "") + block.text
    return head


def _cut(text: str) -> tuple[str, list[Block]]:
    """Cut a card into what stands before the first header, and its blocks."""
    names = _row_names(tomllib.loads(text))
    head, blocks = "", list[Block]()
    for header, lines in _sections(text):
        part = header.lstrip("[")
        if not header:
            head = lines
        elif blocks and "." in part and part.partition(".")[0] == blocks[-1].part:
            blocks[-1] = blocks[-1]._replace(text=blocks[-1].text + lines)
        else:
            row = next(names.get(part, iter(())), "") if header.startswith("[[") else ""
            blocks.append(Block(part, row, lines))
    return head, blocks


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Give each header and the lines from it to the next one; texts of several lines have none."""
    header, lines, within = "", list[str](), False
    for line in text.splitlines(keepends=True):
        found = None if within else _HEADER.match(line)
        if found:
            yield header, "".join(lines)
            header, lines = found[1] + found[2], []
        lines.append(line)
        within ^= len(_LONG.findall(line)) % 2 == 1
    yield header, "".join(lines)


def row_name(row: CardData, place: int) -> str:
    """Name a row by its id, or by its place where it has none."""
    return str(row.get("id", place))


def _row_names(data: CardData) -> dict[str, Iterator[str]]:
    return {
        part: iter([row_name(row, place) for place, row in enumerate(rows)])
        for part, rows in data.items()
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    }
