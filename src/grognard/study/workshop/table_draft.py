"""A pasted table as the table of a card: its family, its dice, and a meaning for each code."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from grognard.card.defaults import start_of
from grognard.card.dice import parse_dice
from grognard.study.workshop.card_text import CardData
from grognard.study.workshop.meanings import guessed_half, guessed_meaning
from grognard.study.workshop.pasted_table import Grid, is_ratio, read_grid
from grognard.words.refusal import Refusal

_BAND = re.compile(r"(\d+)(?:-(\d+))?")
_DICE = ("1d6", "2d6", "d10", "d10 from 0", "3d6", "d8", "d12", "d20", "d66", "d100", "2d10")


def pasted(text: str, table: CardData) -> CardData:
    """Give a table with the pasted grid; the meanings of codes that it knew already stay."""
    grid = read_grid(text)
    found: CardData = {**table, "dice": guessed_dice(grid), "grid": grid}
    family = guessed_family(grid[0][1:])
    found.pop("columns", None)
    found.pop("rows", None)
    found.pop("cells", None)
    found.pop("doubts", None)
    if family != "ratio":
        found["columns"] = {"of": family}
    if _is_pair(grid):
        found["cells"] = "pair"
    used, legend = {*codes_of(found)}, table.get("results", {})
    found["results"] = {code: does for code, does in legend.items() if code in used}
    return with_codes(found)


def with_codes(table: CardData) -> CardData:
    """Put every code of the cells into the legend, with its usual meaning.

    A code that no cell has any more stays only if somebody has given it a meaning of his own.
    """
    guess = guessed_half if table.get("cells") == "pair" else guessed_meaning
    used = dict.fromkeys(codes_of(table))
    legend = table.get("results", {})
    printed = {code: legend.get(code, guess(code)) for code in used}
    others = {
        code: does
        for code, does in legend.items()
        if code not in used and does not in ("", guess(code))
    }
    return {**table, "results": {**printed, **others}}


def codes_of(table: CardData) -> Iterator[str]:
    """Give the codes of the cells, each as often as it is printed."""
    for line in table.get("grid", [])[1:]:
        for cell in line[1:]:
            yield from filter(
                None, cell.split("/") if table.get("cells") == "pair" else cell.split()
            )


def _is_pair(grid: Grid) -> bool:
    cells = [cell for line in grid[1:] for cell in line[1:] if cell]
    return bool(cells) and all(re.fullmatch(r"[^/\s]+/[^/\s]+", cell) for cell in cells)


def guessed_family(labels: Sequence[str]) -> str:
    """Guess what the columns stand for: odds, a difference, or one side's strength."""
    if not _follow(labels) and sum(map(is_ratio, labels)) * 2 > len(labels):
        return "ratio"
    if any(re.match(r"[+-]\d|0$|[≤<]\s*[+-]", label) for label in labels):
        return "difference"
    return "attack" if _rising(labels, odds=False) else "ratio"


def _follow(labels: Iterable[str]) -> bool:
    """Tell whether labels are bands that follow each other: `1-3`, `4-6`, `7+`."""
    bands = [_BAND.fullmatch(label.rstrip("+")) for label in labels]
    ends = [(int(band[1]), int(band[2] or band[1])) for band in bands if band]
    pairs = pairwise(ends)
    return len(ends) == len(bands) and all(first[1] + 1 == then[0] for first, then in pairs)


def _rising(labels: Iterable[str], *, odds: bool) -> bool:
    starts: list[Fraction] = []
    for label in labels:
        start = start_of(label, odds=odds)
        if start is None or (starts and start <= starts[-1]):
            return False
        starts.append(start)
    return True


def guessed_dice(grid: Grid) -> str:
    """Guess the dice of the rows: as the corner says, or by the numbers that they cover."""
    corner = grid[0][0].lower().replace(" ", "")
    try:
        parse_dice(corner)
    except Refusal:
        pass
    else:
        return corner
    numbers = [int(word) for line in grid[1:] for word in re.findall(r"\d+", line[0])]
    least, most = min(numbers, default=1), max(numbers, default=6)
    if any(line[0].startswith(("-", "≤", "<")) for line in grid[1:]):
        least = 1  # rows for modified rolls below the dice
    for dice in _DICE:
        values = parse_dice(dice).values()
        if (values[0], values[-1]) == (least, most):
            return dice
    return "2d6" if least == 2 or most > 9 else "1d6"  # the rows of the common dice
