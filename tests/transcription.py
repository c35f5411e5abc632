"""Read the printed cards as typed by hand: `tests/printed/<game>/<table>.tsv`.

Lines that begin with `#` are comments; the first other line names the columns. The last columns,
`row` and `choices`, name the matching ids of the card; `-` means none.
"""

from pathlib import Path

PRINTED = Path(__file__).parent / "printed"
GAMES = tuple(sorted(folder.name for folder in PRINTED.iterdir() if folder.is_dir()))

Line = dict[str, str]


def files(game: str) -> set[str]:
    """Name every table that is written down for a game."""
    return {file.stem for file in (PRINTED / game).glob("*.tsv")}


def grid(game: str, table: str) -> list[list[str]]:
    """Read a table as it is written: the line of labels, then the rows."""
    text = (PRINTED / game / f"{table}.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    assert all(len(line) == len(lines[0]) for line in lines), f"{game}/{table}.tsv is uneven"
    return lines


def lines(game: str, table: str) -> list[Line]:
    """Read a list as lines with named columns; none where the game has no such list."""
    if table not in files(game):
        return []
    head, *rest = grid(game, table)
    return [dict(zip(head, line, strict=True)) for line in rest]


def ids(words: str) -> list[str]:
    """Take the ids of a `row` or `choices` apart."""
    return [] if words == "-" else words.split()
