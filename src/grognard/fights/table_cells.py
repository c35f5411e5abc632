"""The cells of a table that the next roll can hit, with their chances.

The rules are run from where they ask for dice, once for every value, until they read the table.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from grognard.card.rows import Side
from grognard.fights.kind import Names
from grognard.fights.odds import CACHES
from grognard.fights.opening import opening
from grognard.fights.play import Play
from grognard.fights.position import Position, placed
from grognard.fights.runner import Runner
from grognard.rules.ask import Choose, Commit, Roll, first_answer
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.text import Text

_DEEPEST = 3  # rolls before the table is read: where there are more, its cells are not told apart


class Lit(NamedTuple):
    """A cell that is read, perhaps for one side or for some units only."""

    row: str
    column: str
    side: Side | None = None
    unit: str = ""
    doubt: Text | None = None  # why it is doubtful that this roll reads it

    def of(self, unit: str) -> "Lit":
        """Give the cell as it is read for another unit."""
        return self._replace(unit=unit)


class _Share(NamedTuple):
    """A share of all equally likely rolls."""

    part: int
    whole: int


def cells(fight: Fight, table: str) -> Mapping[Lit, Fraction]:
    """Give every cell of a table that the next rolls can hit, with its chance."""
    return cells_ahead(Play(fight, known=opening(fight)), table)


def cells_ahead(play: Play, table: str) -> Mapping[Lit, Fraction]:
    """Give every cell of a table that the next rolls of a play can hit, with its chance."""
    position, names = placed(play)
    if not position.of_kind:
        return _walked(position, table)
    named = Names(names)
    return {lit.of(named.text(lit.unit)): p for lit, p in _of_kind(position, table).items()}


@lru_cache(maxsize=4096)
def _of_kind(position: Position, table: str) -> Mapping[Lit, Fraction]:
    """Find the cells for a kind of fight, with tokens for unit names."""
    return _walked(position, table)


CACHES.append(_of_kind)


def walked(fight: Fight, step: int, table: str) -> Mapping[Lit, Fraction]:
    """Find the cells by trying every roll from a step on, without the cache."""
    return _walked(Position(fight, step, ()), table)


def _walked(position: Position, table: str) -> Mapping[Lit, Fraction]:
    found: dict[Lit, tuple[int, int]] = {}
    for lit, part, whole in _walk(position.runner(), [], table, _Share(1, 1), _DEEPEST):
        before, of = found.get(lit, (0, whole))
        if of == whole:
            found[lit] = before + part, whole
        else:
            found[lit] = before * whole + part * of, of * whole
    return {lit: Fraction(part, whole) for lit, (part, whole) in found.items()}


def _walk(
    runner: Runner, lines: list[Line], table: str, share: _Share, depth: int
) -> Iterator[tuple[Lit, int, int]]:
    """Go on until the table is read. Rolls branch; choices are answered as in an explanation.

    `lines` were told since the last answer; `share` of all rolls have led here.
    """
    while not ((found := _read(runner, lines, table)) or runner.asking or runner.over):
        lines += runner.run()
    if found:
        yield from ((lit, *share) for lit in found)
        return
    match runner.asking:
        case Roll() if depth:
            ways = runner.asking.dice.ways()
            whole = share.whole * sum(weight for _, weight in ways)
            for faces, weight in ways:
                twin = runner.again()
                part = _Share(share.part * weight, whole)
                yield from _walk(twin, twin.run(faces), table, part, depth - 1)
        case Choose() | Commit():
            told = runner.run(first_answer(runner.asking))
            yield from _walk(runner, told, table, share, depth)


def _read(runner: Runner, lines: Iterable[Line], table: str) -> list[Lit]:
    """Give the cells read so far; none while the step still has look-ups to make."""
    unfinished = runner.asking is None and runner.fight.pending
    return [] if unfinished else [*look_ups(lines, table)]


def look_ups(lines: Iterable[Line], table: str) -> Iterator[Lit]:
    """Give the cells of a table that lines tell of; a table without columns has only rows."""
    for line in lines:
        if line.of == table and "row" in (blanks := dict(line.blanks)):
            column = blanks.get("column", "")
            label = column.en if isinstance(column, Text) else str(column)
            yield Lit(str(blanks["row"]), label, line.side, line.unit, line.reading.reason)
