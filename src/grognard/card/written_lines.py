"""Where a part of a card stands in its file, however short the file writes it."""

from collections.abc import Mapping

from grognard.card.defaults import is_row
from grognard.files.toml_lines import line_of
from grognard.files.value_path import ValuePath


def as_written(path: ValuePath, data: Mapping[str, object]) -> ValuePath:
    """Give the path of a part as the file has it: a result by its code, an axis by its labels."""
    match path:
        case ("tables", int(number), "results", int(place), *rest):
            results = _table(data, number).get("results")
            if isinstance(results, dict):
                return ("tables", number, "results", [*results][place], *rest)
        case ("tables", int(number), ("rows" | "columns") as axis, *_):
            if axis not in _table(data, number):
                return ("tables", number, "grid", int(axis == "rows"))
    return path


def _table(data: Mapping[str, object], number: int) -> Mapping[str, object]:
    tables = data.get("tables")
    table = tables[number] if isinstance(tables, list) and number < len(tables) else None
    return table if isinstance(table, dict) else {}


def line_in_card(text: str, data: Mapping[str, object], path: ValuePath) -> int | None:
    """Find the line of a part; a table that is typed as one text has a line for each row."""
    path = as_written(path, data)
    match path:
        case ("tables", int(number), "grid", int(row), *_):
            grid, start = _table(data, number).get("grid"), line_of(text, path[:3])
            if isinstance(grid, str) and start is not None:
                written = enumerate(text.splitlines()[start:], start + 1)
                rows = [line for line, words in written if is_row(words)]
                return rows[row] if row < len(rows) else start
    return line_of(text, path)
