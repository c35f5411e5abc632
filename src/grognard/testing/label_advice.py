"""Advice on the labels of a table: overlaps, gaps, rows out of reach of the dice, plain heads."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil

from grognard.card.card import Card
from grognard.card.tables import Axis, Table
from grognard.files.value_path import ValuePath
from grognard.words.message import Message, say

_BAND = re.compile(r"\D*\d+(?:[-–/]| to | à |\.\.)([+−-]?\d+)")  # 10-11, -1 to +1
_ODDS = re.compile(r"\d\D+\d")  # 3:2, 3-2


def label_advice(card: Card) -> Iterator[tuple[Message, ValuePath]]:
    """Say which labels of the card's tables look wrong, and where."""
    for number, table in enumerate(card.tables):
        path: ValuePath = ("tables", number, "grid")
        modified = any(row.changes == "die" for row in card.modifiers)
        faces = None if table.dice is None or modified else table.rolled.values()
        for at, told in _bands(table.rows, table.row_labels, faces):
            yield told, (*path, at + 1, 0)
        for at, told in _bands(table.columns, table.column_labels):
            yield told, (*path, 0, at + 1)
        for at in _above_every_roll(card, table):
            label = table.row_labels[at]
            told = say("no roll of {dice} reaches row '{row}'", dice=table.dice or "", row=label)
            yield told, (*path, at + 1, 0)
        if table.columns.of == "ratio" and not any(map(_ODDS.search, table.column_labels)):
            told = say(
                "the columns are read as odds, as nothing else is said; for a strength write "
                "columns = {example}",
                example='{ of = "attack" }',
            )
            yield told, (*path, 0)


def _bands(
    axis: Axis, labels: Sequence[str], rolled: Iterable[int] | None = None
) -> Iterator[tuple[int, Message]]:
    """Compare the end of each label, such as 11 of 10-11, with the start of the next; where it is
    known what is rolled, only that counts: nobody rolls 17 to 20 on a d66."""
    if axis.of == "ratio" or len(axis.starts) != len(labels):
        return
    for at, (label, after) in enumerate(pairwise(labels), start=1):
        band = _BAND.fullmatch(label)
        if band is None:
            continue
        end = int(band[1].replace("−", "-"))
        if end >= axis.starts[at]:
            yield at, say("'{label}' and '{after}' overlap", label=label, after=after)
        elif any(
            end < value < axis.starts[at]
            for value in (range(end + 1, ceil(axis.starts[at])) if rolled is None else rolled)
        ):
            told = say(
                "nothing is printed between '{label}' and '{after}'; it counts as '{label}'",
                label=label,
                after=after,
            )
            yield at, told


def _above_every_roll(card: Card, table: Table) -> Iterator[int]:
    """Give the rows above every roll, with all die modifiers that help."""
    changes = [row for row in card.modifiers if row.changes == "die"]
    if table.dice is None or table.rows.of not in (None, "roll") or any(r.times for r in changes):
        return
    most = max(table.rolled.values()) + sum(max(row.value or 0, 0) for row in changes)
    for at, start in enumerate(table.rows.starts):
        if start > most:
            yield at
