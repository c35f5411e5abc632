"""The opening of a fight: the steps before its first question, run once and cached."""

from functools import cached_property, lru_cache

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


class Opening(Struct, frozen=True, eq=False, dict=True):
    """The part of a fight before its first question."""

    lines: tuple[Line, ...]  # told before the first question
    asking: Ask | None  # that question, or None where the fight ends without one
    # The last place before the first question, but not beyond the trimming.
    fight: Fight
    step: int
    before: tuple[Told, ...]  # told before that place
    doubts: tuple[Line, ...] = ()  # the doubtful lines among these

    @property
    def trimmed(self) -> bool:
        """Whether no question comes before the trimming."""
        return self.step == self.fight.case.procedure.trimmed

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of the fight; None if a question comes before it is known."""
        return kind_of(self.fight) if self.trimmed else None


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
    """Run a fight from its start to its first question."""
    begun = begin(started.fight)
    told = (told.line for told in begun.before)
    doubts = tuple(dict.fromkeys(line for line in told if line.reading.reason is not None))
    return replace(begun, doubts=doubts)


def begin(fight: Fight) -> Opening:
    """Run a fight to its first question, without the cache; doubts are left open."""
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
    return Opening(tuple(lines), runner.asking, *reached, tuple(before))
