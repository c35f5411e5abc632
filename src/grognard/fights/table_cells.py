"""Before the roll: which cells of the printed table can be hit, and how likely each one is.

The rules are run from where they ask for dice, once for every sum, until they read the table.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from grognard.card.rows import Side
from grognard.fights.kind import Names
from grognard.fights.opening import opening
from grognard.fights.tree import sums
from grognard.rules.ask import Answer, Ask, Asking, Choose, Commit, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.text import Text

_DEEPEST = 3  # rolls before the table is read: where there are more, its cells are not told apart


class Lit(NamedTuple):
    """A cell of a table that is read, perhaps for one side or for some units only."""

    row: str
    column: str
    side: Side | None = None
    unit: str = ""

    def of(self, unit: str) -> "Lit":
        """Give the cell as it is read for another unit."""
        return Lit(self.row, self.column, self.side, unit)


class _Place(NamedTuple):
    """Where a fight stands: the fight when the step began, and the answers given in it since."""

    step: int
    fight: Fight
    since: tuple[Answer, ...] = ()

    def after(self, answer: Answer) -> "_Place":
        return _Place(self.step, self.fight, (*self.since, answer))


def cells(fight: Fight, table: str) -> Mapping[Lit, Fraction]:
    """Give every cell of a table that the next rolls can hit, with its chance."""
    kind = opening(fight).kind
    if kind is None:
        return walked(fight, 0, table)
    chances, names = _of_kind(kind.fight, table), Names(kind.names)
    return {lit.of(names.text(lit.unit)): chance for lit, chance in chances.items()}


@lru_cache(maxsize=4096)
def _of_kind(fight: Fight, table: str) -> Mapping[Lit, Fraction]:
    """Find the cells for all fights of a kind, units by their tokens."""
    return walked(fight, fight.case.procedure.reckoned, table)


def walked(fight: Fight, step: int, table: str) -> Mapping[Lit, Fraction]:
    """Find the cells by going all ways from a step, nothing remembered."""
    found: dict[Lit, tuple[int, int]] = {}
    for lit, part, whole in _walk(_Place(step, fight), table, 1, 1, _DEEPEST):
        before, of = found.get(lit, (0, whole))
        if of == whole:
            found[lit] = before + part, whole
        else:
            found[lit] = before * whole + part * of, of * whole
    return {lit: Fraction(part, whole) for lit, (part, whole) in found.items()}


def _walk(
    place: _Place, table: str, part: int, whole: int, depth: int
) -> Iterator[tuple[Lit, int, int]]:
    """Go on to the next roll, through choices as an explanation makes them; so many ways of the
    whole have led here."""
    place, asked, found = _run(place, table)
    if found:
        yield from ((lit, part, whole) for lit in found)
        return
    match asked:
        case Roll() if depth:
            ways = sums(asked.dice)
            whole *= sum(weight for _, weight in ways)
            for faces, weight in ways:
                yield from _walk(place.after(faces), table, part * weight, whole, depth - 1)
        case Choose():
            yield from _walk(place.after(asked.options[0]), table, part, whole, depth)
        case Commit():
            nothing = (asked.attacker[0], asked.defender[0])
            yield from _walk(place.after(nothing), table, part, whole, depth)


def _run(place: _Place, table: str) -> tuple[_Place, Ask | None, list[Lit]]:
    """Run from a place to the next question, or to the end of the step that reads the table; give
    the cells that are read after the last answer."""
    steps = place.fight.case.procedure.steps
    lines: list[Line] = []
    found: list[Lit] = []
    while place.step < len(steps) and not found:
        running: Asking[Fight] = steps[place.step](place.fight)
        try:
            asked = _next(running, None, lines)
            for answer in place.since:
                lines.clear()
                asked = _next(running, answer, lines)
        except StopIteration as end:
            fight: Fight = end.value
            place = _Place(place.step + (not fight.pending), fight)
            found = [] if fight.pending else [*look_ups(lines, table)]
        else:
            return place, asked, [*look_ups(lines, table)]
    return place, None, found


def _next(running: Asking[Fight], answer: Answer | None, lines: list[Line]) -> Ask:
    """Run a step to its next question, and gather what it tells."""
    said = running.send(answer)
    while isinstance(said, Line):
        lines.append(said)
        said = running.send(None)
    return said


def look_ups(lines: Iterable[Line], table: str) -> Iterator[Lit]:
    """Give the cells of a table that lines tell of; a table without columns has only rows."""
    for line in lines:
        if line.of == table and "row" in (blanks := dict(line.blanks)):
            column = blanks.get("column", "")
            label = column.en if isinstance(column, Text) else str(column)
            yield Lit(str(blanks["row"]), label, line.side, line.unit)
