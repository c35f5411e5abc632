"""Playing a fight: questions, answers and undo."""

from collections.abc import Iterable

from msgspec import Struct

from grognard.card.rows import Side
from grognard.fights.opening import Opening, Told
from grognard.fights.runner import Runner
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.fight import Fight, Outcome, Unit, units_of
from grognard.rules.line import EXPLAINS, Line, about_anybody
from grognard.words.message import say
from grognard.words.refusal import Refusal


class Given(Struct, frozen=True):
    """A question and its answer, and the step in which it was asked."""

    step: str
    ask: Ask
    answer: Answer


class Play:
    """A fight being resolved. `asking` is the open question, or None when it is over.

    With a known opening, it continues from there.
    """

    def __init__(
        self, fight: Fight, answers: Iterable[Answer] = (), known: Opening | None = None
    ) -> None:
        self.start = fight
        self._known = known
        self._begin(answers)

    def _begin(self, answers: Iterable[Answer]) -> None:
        known = self._known
        self._runner = Runner(known.fight, known.step) if known else Runner(self.start)
        self.log: list[Told | Given] = [*known.before] if known else []
        self._run(None)
        for answer in answers:
            self.answer(answer)

    @property
    def asking(self) -> Ask | None:
        """The open question; None once the fight is over."""
        return self._runner.asking

    @property
    def fight(self) -> Fight:
        """The fight after the last step that was run to its end."""
        return self._runner.fight

    @property
    def step(self) -> int:
        return self._runner.step

    @property
    def since(self) -> tuple[Answer, ...]:
        """The answers given since the present run of the step began."""
        return self._runner.since

    def answer(self, answer: Answer) -> None:
        """Answer the open question; an answer that is refused changes nothing."""
        if self.asking is None:
            raise Refusal(say("the fight is over; nothing is asked any more"))
        checked = checked_answer(self.asking, answer)
        self.log.append(Given(self._runner.step_name, self.asking, checked))
        try:
            self._run(checked)
        except Refusal:  # by later rules, for example when a damaged cell must not be read
            self._begin([given.answer for given in self.given[:-1]])
            raise

    def can_undo(self) -> bool:
        """Tell whether the last answer may be taken back: it was no roll and no reveal."""
        return bool(self.given) and isinstance(self.given[-1].ask, Choose)

    def undo(self) -> None:
        """Take back the last answer, unless it was a roll or a reveal."""
        if not self.given:
            raise Refusal(say("nothing has been answered yet"))
        if not self.can_undo():
            raise Refusal(say("nothing can be taken back: dice or a reveal stand before this"))
        self._begin([given.answer for given in self.given[:-1]])

    @property
    def outcome(self) -> Outcome:
        """The outcome, once the fight is over."""
        if self.asking is not None:
            raise Refusal(say("the fight is not over yet"))
        outcome: Outcome = self.start.case.procedure.outcome(self.fight)
        return outcome

    def units(self, side: Side) -> tuple[Unit, ...]:
        """Give a side's units now; unchanged if trimming has dropped the whole side."""
        return units_of(self.fight, side) or units_of(self.start, side)

    @property
    def told(self) -> list[Told]:
        return [entry for entry in self.log if isinstance(entry, Told)]

    @property
    def doubts(self) -> tuple[Line, ...]:
        """The doubtful lines so far; of those that differ only in the unit, the first."""
        return about_anybody(told.line for told in self.told if told.line.reading.doubtful)

    @property
    def given(self) -> list[Given]:
        """Every answer so far, with its question."""
        return [entry for entry in self.log if isinstance(entry, Given)]

    @property
    def events(self) -> list[Told]:
        """The events so far: all lines that are not explanations."""
        return [told for told in self.told if told.line.kind not in EXPLAINS]

    def told_by(self, answer: Answer) -> list[Line]:
        """Give the lines that an answer would bring before the next question; nothing changes."""
        runner = self._runner.again()
        lines = runner.run(answer)
        while runner.asking is None and not runner.over:
            lines += runner.run()
        return lines

    def _run(self, answer: Answer | None) -> None:
        """Run to the next question or to the end of the fight."""
        runner = self._runner
        while not runner.over:
            step = runner.step_name
            self.log += [Told(step, line) for line in runner.run(answer)]
            if runner.asking is not None:
                return
            answer = None


def checked_answer(ask: Ask, answer: Answer) -> Answer:
    """Refuse an illegal answer, and list the legal ones."""
    match ask:
        case Roll():
            if not ask.dice.check(answer):
                problem = say(
                    "{answer} is not a roll; expected {n} {n:die|dice} from {first} to {last}",
                    answer=written_answer(answer),
                    n=ask.dice.count,
                    first=ask.dice.first,
                    last=ask.dice.last,
                )
                raise Refusal(problem)
        case Choose():
            if ask.former is None or answer not in ask.former.options:
                _one_of(answer, ask.options)
        case Commit():
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise Refusal(say("a commitment needs the answers of both sides"))
            _one_of(answer[0], ask.attacker)
            _one_of(answer[1], ask.defender)
    return answer


def _one_of(answer: Answer, options: tuple[Answer, ...]) -> None:
    if not any(answer == option and type(answer) is type(option) for option in options):
        problem = say(
            "{answer} is not legal here; expected one of {options}",
            answer=written_answer(answer),
            options=", ".join(written_answer(option) for option in options),
        )
        raise Refusal(problem)


def written_answer(answer: Answer) -> str:
    """Write an answer as a person would type it."""
    if isinstance(answer, tuple):
        return "+".join(written_answer(part) for part in answer) or "-"
    return str(answer)
