"""How a fight begins: the steps that only reckon, run once for its explanation and its odds."""

from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grognard.fights.kind import Kind, kind_of
from grognard.fights.runner import Runner
from grognard.rules.ask import Ask
from grognard.rules.fight import CaseKey, Fight
from grognard.rules.line import Line


class Told(Struct, frozen=True):
    """A line, and the step in which it was told."""

    step: str
    line: Line


class Opening(Struct, frozen=True, eq=False):
    """What a fight tells before it asks anything, and how far that leads."""

    lines: tuple[Line, ...]  # all that is told before the first question
    asking: Ask | None  # that question, or None where the fight ends without one
    # Where nothing was asked so far, and not beyond the place where the kind is known.
    fight: Fight
    step: int
    before: tuple[Told, ...]  # what is told before that place
    doubts: tuple[Line, ...]  # among it
    kind: Kind | None  # unless something must be decided before it is known


def opening(fight: Fight) -> Opening:
    """Run a fight from its start to the first question; the same for all that is stated alike."""
    return _opening(_Started(fight))


def forget() -> None:
    """Forget how fights began."""
    _opening.cache_clear()


class _Started(CaseKey):
    """A fight at its start as the cache sees it."""

    __slots__ = ("fight",)

    def __init__(self, fight: Fight) -> None:
        super().__init__(fight.case)
        self.fight = fight

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Started) or not super().__eq__(other):
            return False
        return self.fight is other.fight or self.fight == replace(other.fight, case=self.case)

    __hash__ = CaseKey.__hash__


@lru_cache(maxsize=4096)
def _opening(started: _Started) -> Opening:
    begun = begin(started.fight)
    told = (told.line for told in begun.before)
    doubts = tuple(dict.fromkeys(line for line in told if line.reading.reason is not None))
    known = begun.step == begun.fight.case.procedure.trimmed
    kind = kind_of(begun.fight) if known else None
    return Opening(*begun, doubts, kind)


class Begun(NamedTuple):
    """How far a fight runs by itself."""

    lines: tuple[Line, ...]  # all that is told before the first question
    asking: Ask | None
    # Where nothing was asked so far, and not beyond the place where the kind is known.
    fight: Fight
    step: int
    before: tuple[Told, ...]  # what is told before that place


def begin(fight: Fight) -> Begun:
    """Run a fight from its start to the first question, with nothing remembered."""
    runner = Runner(fight)
    last = fight.case.procedure.trimmed
    lines: list[Line] = []
    reached, before = (fight, 0), list[Told]()
    while runner.asking is None and not runner.over:
        step = runner.step_name
        lines += runner.run()
        if runner.asking is None and runner.step <= last and not runner.fight.pending:
            reached = runner.fight, runner.step
            before += [Told(step, line) for line in lines[len(before) :]]
    return Begun(tuple(lines), runner.asking, *reached, tuple(before))
