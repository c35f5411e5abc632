"""A card as JSON: as in its file, each table with its cells parsed."""

from typing import Literal

import msgspec

from grognard.card.card import Card, encode_hook
from grognard.card.tables import Table
from grognard.draw.json.structs import JsonStruct, joined
from grognard.draw.text import card as card_text
from grognard.words.refusal import Refusal


class HalfCellJson(JsonStruct):
    """One side's part of a cell."""

    chooser: Literal["owner", "defender"]
    options: tuple[tuple[str, ...], ...]


class CellJson(JsonStruct):
    """A cell of a printed table, parsed."""

    row: str
    column: str
    printed: str
    halves: list[HalfCellJson]
    doubtful: bool


def card_json(card: Card, name: str | None) -> object:
    """Give the card as in its file, each table with its cells parsed; or one part of it."""
    tables = {table.id: {**_builtins(table), "read": _cells(table)} for table in card.tables}
    data = {**_builtins(card), "tables": list(tables.values())}
    if name is None:
        return data
    found = tables.get(name) or (data.get(name) if name in card_text.PARTS else None)
    if found is None:
        raise Refusal(card_text.unknown_part(card, name))
    return found


def _builtins(part: Card | Table) -> dict[str, object]:
    data: dict[str, object] = msgspec.to_builtins(part, enc_hook=encode_hook)
    return data


def _cells(table: Table) -> list[CellJson]:
    return [
        CellJson(
            row=row,
            column=column,
            printed=cell.printed,
            halves=[joined(HalfCellJson, half) for half in cell.halves],
            doubtful=bool(cell.doubts),
        )
        for row in table.row_labels
        for column in table.column_labels
        for cell in [table.cell(row, column)]
    ]
