"""How many decisions a play has had, and how many it will have in any case."""

from collections.abc import Iterator
from typing import NamedTuple

from grognard.fights.play import Play
from grognard.fights.position import placed
from grognard.fights.runner import Runner
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.words.refusal import Refusal

MOST_RUNS = 200  # answers that are tried to find out how many decisions follow


class QuestionNumber(NamedTuple):
    """The number of the open decision, and of all; None where that depends on what comes."""

    n: int
    all: int | None = None


def question_number(play: Play) -> QuestionNumber | None:
    """Number the open decision of a play; None for a roll and at the end."""
    if play.asking is None or isinstance(play.asking, Roll):
        return None
    n = 1 + sum(not isinstance(given.ask, Roll) for given in play.given)
    follow = _Counting().after(placed(play).position.runner())
    return QuestionNumber(n, None if follow is None else n + follow)


class _Counting:
    """Tries every answer until two ways differ, or until that takes too long."""

    def __init__(self) -> None:
        self._runs = 0

    def after(self, runner: Runner) -> int | None:
        """Count the decisions after the open question, if that is the same on all ways."""
        counts = set[int | None]()
        for answer in _answers(runner.asking):
            self._runs += 1
            counts.add(self._behind(runner.again(), answer) if self._runs <= MOST_RUNS else None)
            if len(counts) > 1 or None in counts:
                return None
        return counts.pop()

    def _behind(self, runner: Runner, answer: Answer) -> int | None:
        try:
            runner.run(answer)
            while runner.asking is None and not runner.over:
                runner.run()
        except Refusal:  # by later rules, such as a damaged cell
            return None
        if runner.asking is None:
            return 0
        later = self.after(runner)
        return None if later is None else later + (not isinstance(runner.asking, Roll))


def _answers(ask: Ask | None) -> Iterator[Answer]:
    """Give an answer of each kind that leads to something different."""
    match ask:
        case Roll():
            yield from (faces for faces, _ in ask.dice.ways(ask.bands))
        case Choose():
            kinds = ask.alike or ask.options
            yield from dict(zip(reversed(kinds), reversed(ask.options), strict=True)).values()
        case Commit():
            yield from ((ours, theirs) for ours in ask.attacker for theirs in ask.defender)
