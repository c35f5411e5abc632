"""Running the steps of a fight: the one place where a step's generator is driven."""

from collections.abc import Callable, Iterable
from typing import Any

from grognard.rules.ask import Answer, Ask, Asking, Later, Saying
from grognard.rules.fight import Fight
from grognard.rules.line import Line


def run_on(
    running: Asking[Any],
    answer: Answer | None,
    lines: list[Any],
    later: Callable[[Later], Iterable[Saying]] | None = None,
) -> Ask | Fight:
    """Send an answer (None starts the step); run to the next question or to the step's end.

    Lines told on the way are collected; those to be made later are made now, or `later` says what
    becomes of them. The end of a step is the fight after it.
    """
    try:
        while True:
            said = running.send(answer)
            if isinstance(said, tuple):
                lines += said
            elif isinstance(said, Line):
                lines.append(said)
            elif isinstance(said, Later):
                lines += said.make() if later is None else later(said)
            else:
                return said
            answer = None
    except StopIteration as end:
        after: Fight = end.value
        return after


class Runner:
    """A fight on its way through the steps of its procedure, one run of a step at a time.

    A generator can't be copied. To try another answer, `again` runs the step once more with the
    answers given so far.
    """

    def __init__(self, fight: Fight, step: int = 0) -> None:
        self.fight = fight  # while a question is open: as the present run of the step began
        self.step = step
        self.since: tuple[Answer, ...] = ()  # the answers given in the present run
        self.asking: Ask | None = None
        self._steps = fight.case.procedure.steps
        self._running: Asking[Any] | None = None

    @property
    def over(self) -> bool:
        return self.step == len(self._steps)

    @property
    def step_name(self) -> str:
        return self._steps[self.step].__name__

    def run(self, answer: Answer | None = None) -> list[Line]:
        """Run to the next question or to the end of the run; give the lines told on the way."""
        if self._running is None:
            self._running, self.since = self._steps[self.step](self.fight), ()
        elif answer is not None:
            self.since = (*self.since, answer)
        lines = list[Line]()
        said = run_on(self._running, answer, lines)
        if isinstance(said, Fight):
            self.fight, self.asking, self._running = said, None, None
            self.step += not said.pending  # a step with work left runs again
        else:
            self.asking = said
        return lines

    def again(self) -> "Runner":
        """Give another runner that stands at the same question."""
        twin = Runner(self.fight, self.step)
        twin.run()
        for answer in self.since:
            twin.run(answer)
        return twin
