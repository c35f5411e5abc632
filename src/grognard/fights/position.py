"""The position of a play: where it stands, on the kind of its fight as soon as that is known.

On its kind a fight shares trees, values and odds with all fights that differ only in names.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from grognard.fights.kind import UnitNames, kind_of
from grognard.fights.opening import opening
from grognard.fights.play import Given, Play
from grognard.fights.runner import Runner
from grognard.rules.ask import Answer, Ask, Choose, Commit
from grognard.rules.fight import CaseKey, Fight, shared_case


class Position(NamedTuple):
    """A place in a procedure: the fight before the present run of a step, and the answers since.

    Equal for all plays of a kind that have come to the same.
    """

    fight: Fight
    step: int
    since: tuple[Answer, ...]

    @property
    def of_kind(self) -> bool:
        """Tell whether the fight has tokens for the names of its units."""
        return self.step >= self.fight.case.procedure.trimmed

    def runner(self) -> Runner:
        """Give a runner that stands here."""
        runner = Runner(self.fight, self.step)
        if self.step < len(self.fight.case.procedure.steps):
            runner.run()
        for answer in self.since:
            runner.run(answer)
        return runner


class Placed(NamedTuple):
    """A position, and the names by their tokens."""

    position: Position
    names: UnitNames


def placed(play: Play) -> Placed:
    """Find the position of a play."""
    return _along(play.start, play.given)


def _along(fight: Fight, given: Iterable[Given]) -> Placed:
    begun, answers = opening(fight), iter(given)
    names: UnitNames = {}
    known, answer = False, None
    runner = Runner(begun.fight, begun.step)
    while not runner.over:
        if not known and runner.asking is None and runner.step == fight.case.procedure.trimmed:
            kind = begun.kind or kind_of(runner.fight)
            runner, names, known = Runner(kind.fight, runner.step), kind.names, True
        runner.run(answer)
        answer = None
        if runner.asking is not None:
            if (given_ := next(answers, None)) is None:
                break
            answer = _same_place(given_, runner.asking)
    return Placed(Position(_shared(runner.fight), runner.step, runner.since), names)


def _shared(fight: Fight) -> Fight:
    """Give an equal fight with the case object that equal cases share."""
    return replace(fight, case=shared_case(CaseKey(fight.case)))


def _same_place(given: Given, ask: Ask) -> Answer:
    """Give the answer that has the same place among the options of the same question."""
    match given.ask, ask, given.answer:
        case Choose(options=options), Choose(), _ if given.answer in options:
            return ask.options[options.index(given.answer)]
        case Commit(), Commit(), (ours, theirs):
            mine = ask.attacker[given.ask.attacker.index(ours)]
            return mine, ask.defender[given.ask.defender.index(theirs)]
    return given.answer
