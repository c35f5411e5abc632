"""The opening of a fight: the steps before its first question, run once and cached."""

from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grognard.fights.kind import Kind, kind_of
from grognard.fights.runner import Runner, run_on
from grognard.rules.ask import Ask, Later, Saying, made
from grognard.rules.fight import CaseKey, Fight
from grognard.rules.lazy import Lazy
from grognard.rules.line import Line, doubtful


class Told(Struct, frozen=True):
    """A line, and the step in which it was told."""

    step: str
    line: Line


class _Rest(NamedTuple):
    """What is told between a place and the first question, and that question."""

    lines: tuple[Line, ...]
    asking: Ask | None


class Opening(Struct, frozen=True, eq=False, dict=True):
    """The part of a fight before its first question."""

    # The last place before the first question, but not beyond the trimming.
    fight: Fight
    step: int
    told: tuple[tuple[int, list[Saying]], ...]  # before that place, by the number of the step
    halted: _Rest | None = None  # what follows, where a question stopped the fight

    @property
    def trimmed(self) -> bool:
        """Whether no question comes before the trimming."""
        return self.step == self.fight.case.procedure.trimmed

    @Lazy
    def kind(self) -> Kind | None:
        """The kind of the fight; None if a question comes before it is known."""
        return kind_of(self.fight) if self.trimmed else None

    @Lazy
    def before(self) -> tuple[Told, ...]:
        """The lines told before that place."""
        steps = self.fight.case.procedure.steps
        return tuple(
            [
                Told(steps[number].__name__, line)
                for number, said in self.told
                for line in made(said)
            ]
        )

    @Lazy
    def doubts(self) -> tuple[Line, ...]:
        """The doubtful lines among these."""
        return tuple(
            dict.fromkeys([line for _, said in self.told for line in doubtful(made(said))])
        )

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines told before the first question."""
        return (*(line for _, said in self.told for line in made(said)), *self._rest.lines)

    @property
    def asking(self) -> Ask | None:
        """The first question, or None where the fight ends without one."""
        return self._rest.asking

    @Lazy
    def _rest(self) -> _Rest:
        """What follows that place. Odds do not look at it."""
        if self.halted:
            return self.halted
        runner, lines = Runner(self.fight, self.step), list[Line]()
        while runner.asking is None and not runner.over:
            lines += runner.run()
        return _Rest(tuple(lines), runner.asking)


def opening(fight: Fight) -> Opening:
    """Run a fight to its first question; cached for equal set-ups."""
    return cached_opening(Started(fight))


class Started(CaseKey):
    """A fight at its start as a cache key."""

    __slots__ = ("fight",)

    def __init__(self, fight: Fight) -> None:
        super().__init__(fight.case)
        self.fight = fight

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Started) or not super().__eq__(other):
            return False
        return self.fight is other.fight or self.fight == replace(other.fight, case=self.case)

    __hash__ = CaseKey.__hash__


@lru_cache(maxsize=4096)
def cached_opening(started: Started) -> Opening:
    """Run a fight from its start to its first question, or to its trimming."""
    return begin(started.fight)


def begin(fight: Fight) -> Opening:
    """Run a fight to its first question, or to its trimming; without the cache."""
    procedure = fight.case.procedure
    steps, last, number = procedure.steps, procedure.trimmed, 0
    told = list[tuple[int, list[Saying]]]()
    while number < last:
        now, lines = fight, list[Saying]()
        while (
            isinstance(said := run_on(steps[number](now), None, lines, Later.itself), Fight)
            and said.pending
        ):
            now = said  # a step with work left runs again
        if not isinstance(said, Fight):
            return Opening(fight, number, tuple(told), _Rest(tuple(made(lines)), said))
        if lines:
            told.append((number, lines))
        fight, number = said, number + 1
    return Opening(fight, number, tuple(told))
