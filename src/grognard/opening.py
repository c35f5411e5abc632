"""How a fight begins: the steps that only reckon, run once for its explanation and its odds."""

from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grognard.ask import Ask
from grognard.fight import Fight, Stated
from grognard.kind import Kind, kind_of
from grognard.line import Line
from grognard.procedure import Step


class Opening(Struct, frozen=True, eq=False):
    """What a fight tells before it asks anything, and how far that leads."""

    lines: tuple[Line, ...]  # all that is told before the first question
    asking: Ask | None  # that question, or None where the fight ends without one
    # Where nothing was asked so far, and not beyond the place where the kind is known.
    fight: Fight
    step: int
    doubts: tuple[Line, ...]  # told before that place
    kind: Kind | None  # unless something must be decided before it is known


def opening(fight: Fight) -> Opening:
    """Run a fight from its start to the first question; the same for all that is stated alike."""
    return _opening(_Started(fight))


def forget() -> None:
    """Forget how fights began."""
    _opening.cache_clear()


class _Started(Stated):
    """A fight at its start as the cache sees it."""

    __slots__ = ("fight",)

    def __init__(self, fight: Fight) -> None:
        super().__init__(fight.case)
        self.fight = fight

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Started) or not super().__eq__(other):
            return False
        return self.fight is other.fight or self.fight == replace(other.fight, case=self.case)

    __hash__ = Stated.__hash__


@lru_cache(maxsize=4096)
def _opening(started: _Started) -> Opening:
    begun = begin(started.fight)
    doubts = dict.fromkeys(line for line in begun.before if line.reading.reason is not None)
    known = begun.step == begun.fight.case.procedure.reckoned
    kind = kind_of(begun.fight) if known else None
    return Opening(begun.lines, begun.asking, begun.fight, begun.step, tuple(doubts), kind)


class Begun(NamedTuple):
    """How far a fight runs by itself."""

    lines: tuple[Line, ...]  # all that is told before the first question
    asking: Ask | None
    # Where nothing was asked so far, and not beyond the place where the kind is known.
    fight: Fight
    step: int
    before: tuple[Line, ...]  # the lines that are told before that place


def begin(fight: Fight) -> Begun:
    """Run a fight from its start to the first question, with nothing remembered."""
    now, step = fight, 0
    procedure = now.case.procedure
    lines: list[Line] = []
    reached, told = (now, step), 0
    asking: Ask | None = None
    while asking is None and step < len(procedure.steps):
        after, asking = _run(procedure.steps[step], now, lines)
        if asking is None:
            now, step = after, step + (not after.pending)
            if step <= procedure.reckoned and not now.pending:
                reached, told = (now, step), len(lines)
    return Begun(tuple(lines), asking, *reached, tuple(lines[:told]))


def _run(step: Step, fight: Fight, lines: list[Line]) -> tuple[Fight, Ask | None]:
    """Run a step to its end or to its first question, and gather what it tells."""
    running = step(fight)
    try:
        while isinstance(said := next(running), Line):
            lines.append(said)
    except StopIteration as end:
        after: Fight = end.value
        return after, None
    return fight, said
