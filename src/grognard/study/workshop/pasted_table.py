"""Pasted tables: text from a PDF, a spreadsheet or a keyboard, cut into a grid of cells.

The grid's first line holds the labels of the columns, each line begins with the label of its row.
"""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from grognard.words.message import say
from grognard.words.refusal import Refusal

Grid = list[list[str]]
MOST_LINES, MOST_CELLS = 60, 40

_DASHES = re.compile("[‐‑‒–—―−﹣]")
_RULER = re.compile(r"[\s|+=_:-]*")  # a line that only draws
_SPACED = re.compile(r"(?<=\d)\s*([:/])\s*(?=[+-]?\d)")
_SPACED_DASH = re.compile(r"(?<=\d) ?- ?(?=\d)")
_SPACED_ODDS = re.compile(
    r"(?:[^\W\d]\w* +)?(?:\d+ - \d+\+? +)+\d+ - \d+\+?"
)  # a whole line of them
_TO = re.compile(r"(?<=\d)\s*(?:to|à|\.\.+)\s*(?=[+-]?\d)", re.IGNORECASE)
_MORE = re.compile(r"(?<=\d)\s*(?:or more|or higher|and up|et plus|ou plus)\b", re.IGNORECASE)
_LESS = re.compile(r"([+-]?\d+)\s*(?:or less|or lower|et moins|ou moins)\b", re.IGNORECASE)
# Letters that a scanner reads for digits, in labels only.
_MISREAD = str.maketrans({"l": "1", "I": "1", "|": "1", "O": "0", "o": "0"})
_LABEL = re.compile(r"[\dlIOo+\-:/.<>≤≥]+")


def read_grid(text: str) -> Grid:
    """Cut a pasted text into a grid; refuse a text that is no table."""
    lines = [_cleaned(line) for line in text.splitlines()]
    lines = [line for line in lines if not _RULER.fullmatch(line)]
    if len(lines) > MOST_LINES:
        raise Refusal(
            say("{n} lines are too many; at most {most} in a table", n=len(lines), most=MOST_LINES)
        )
    grid = _headed(_cut(lines))
    if len(grid) < 2 or max(map(len, grid)) < 2:  # labels, and one row
        problem = say(
            "this is no table yet; expected a line of column labels and below it a line for each "
            "row, with blanks, tabs, commas or | between the cells"
        )
        raise Refusal(problem)
    width = max(map(len, grid))
    if width > MOST_CELLS:
        raise Refusal(
            say("{n} columns are too many; at most {most}", n=width - 1, most=MOST_CELLS - 1)
        )
    grid = [[*line, *[""] * (width - len(line))] for line in grid]
    return _labelled(_upright(grid))


def _cleaned(line: str) -> str:
    """Undo what printers and scanners do to a line: wide digits, dashes, blanks around a colon."""
    line = unicodedata.normalize("NFKC", line).replace("\u2044", "/")
    line = _SPACED.sub(r"\1", _DASHES.sub("-", line))
    line = _LESS.sub(r"≤\1", _MORE.sub("+", line))
    if _SPACED_ODDS.fullmatch(line.strip()):
        line = _SPACED_DASH.sub("-", line)
    return _TO.sub(lambda found: _between(line, found.end()), line).strip(" ")


def _between(line: str, next_: int) -> str:
    """Give the mark of a band: a slash before a signed number, else a dash."""
    return "/" if line[next_ : next_ + 1] in ("+", "-") else "-"


# ------------------------------------------------------------------ cutting


def _bars(line: str) -> list[str]:
    return line.strip().strip("|").split("|")


def _tabs(line: str) -> list[str]:
    return line.strip("\n").split("\t")


def _commas(line: str) -> list[str]:
    return next(csv.reader([line]), [])


def _semicolons(line: str) -> list[str]:
    return next(csv.reader([line], delimiter=";"), [])


def _gaps(line: str) -> list[str]:
    return re.split(r"\s{2,}", line.strip())


_CUTS: tuple[Callable[[str], list[str]], ...] = (
    _bars, _tabs, _semicolons, _commas, _gaps, lambda line: line.split(),
)  # fmt: skip


def _cut(lines: Sequence[str]) -> Grid:
    """Cut all lines in the way that makes most of them equally long."""
    best: Grid = []
    most = 0
    for cut in _CUTS:
        grid = [[cell.strip() for cell in cut(line)] for line in lines]
        lengths = Counter(len(line) for line in grid if len(line) > 1)
        length, even = max(lengths.items(), key=lambda found: (found[1], found[0]), default=(0, 0))
        even += lengths.get(length - 1, 0)  # a line of labels without a corner
        if even > most:
            best, most = grid, even
    return best


def _headed(grid: Grid) -> Grid:
    """Find the line of column labels: titles above it go, a missing corner is put in."""
    if not grid:
        return grid
    width = Counter(map(len, grid)).most_common(1)[0][0]
    while len(grid) > 1 and (len(grid[0]) < width - 1 or _is_title(*grid[:2])):
        grid = grid[1:]
    first = grid[0]
    if len(first) == width - 1 and len(grid) > 1:
        return [["", *first], *grid[1:]]
    return grid


def _is_title(line: list[str], below: list[str]) -> bool:
    """Tell a title from column labels: it has no number, and labels stand below it."""
    labels = is_ratio(below[0]) or not _has_digit(below[0])
    return labels and any(map(_has_digit, below)) and not any(map(_has_digit, line))


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


# ------------------------------------------------------------------ labels


def _labelled(grid: Grid) -> Grid:
    first, *rows = grid
    return [
        [first[0], *map(_label, first[1:])],
        *([_label(line[0]), *line[1:]] for line in rows),
    ]


def _label(text: str) -> str:
    text = _SPACED_DASH.sub("-", text)
    if _LABEL.fullmatch(text) and re.search(r"\d|[lI]", text):
        return text.translate(_MISREAD)
    return text


def _upright(grid: Grid) -> Grid:
    """Turn a table whose dice stand above its columns."""
    dice, odds = [*grid[0][1:]], [line[0] for line in grid[1:]]
    whole = all(re.fullmatch(r"\d{1,2}", _label(label)) for label in dice)
    ratios = all(is_ratio(_label(label)) for label in odds)
    if whole and ratios and len(odds) > 1:
        return [list(line) for line in zip(*grid, strict=True)]
    return grid


_RATIO = re.compile(r"(\d+(?:[.,]\d)?)[:/-](\d+(?:[.,]\d)?)[+-]?")


def is_ratio(label: str) -> bool:
    """Tell whether a label reads as odds, such as `1-2`, `3:2` or `6-1+`."""
    return _RATIO.fullmatch(label) is not None
