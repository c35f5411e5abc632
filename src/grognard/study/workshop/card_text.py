"""Cards as plain data and as text: what the workshop edits, keeps and hands out."""

from collections.abc import Sequence
from typing import Any

from grognard.card.defaults import grid_of
from grognard.files import toml_file
from grognard.files.toml_text import toml_text

CardData = dict[str, Any]  # a card as its file has it: JSON and TOML hold the same


_FIRST = ("format", "id", "name", "about", "credit", "procedures", "tables")


def card_toml(data: CardData) -> str:
    """Write a card as its file: what is read first stands first, tables aligned as on paper."""
    tables = [
        {key: drawn(value) if key == "grid" else value for key, value in table.items()}
        for table in data.get("tables", ())
    ]
    found = {**data, "tables": tables}
    ordered = dict.fromkeys(key for key in (*_FIRST, *found) if key in found)
    return toml_text({key: found[key] for key in ordered})


def read_data(text: str, source: str) -> CardData:
    """Read a card's file into plain data, with tables cut into cells and legends by code."""
    return normal(toml_file.parse(text, source))


def normal(data: CardData) -> CardData:
    """Give a card's data in the one form that the workshop edits."""
    tables = data.get("tables")
    if not isinstance(tables, list):
        return data
    return {**data, "tables": [_table(one) if isinstance(one, dict) else one for one in tables]}


def _table(table: CardData) -> CardData:
    found = {"results": {}, **table}
    if isinstance(grid := found.get("grid"), str):
        found["grid"] = grid_of(grid)
    results = found["results"]
    if isinstance(results, list) and all(isinstance(row, dict) for row in results):
        found["results"] = {
            str(row.get("code", "")): {key: row[key] for key in row if key != "code"}
            for row in results
        }
    return found


def drawn(grid: object) -> object:
    """Draw a grid in aligned columns; one that could not be cut again stays a list."""
    if not isinstance(grid, Sequence) or isinstance(grid, str):
        return grid
    widths: list[int] = []
    for line in grid:
        for place, cell in enumerate(line):
            widths += [0] * (place + 1 - len(widths))
            widths[place] = max(widths[place], len(cell))
    lines = ("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=False)) for line in grid)
    drawn = "".join(f"{line.rstrip()}\n" for line in lines)
    return drawn if grid_of(drawn) == [list(line) for line in grid] else grid
