"""Work budget of one request: a limit on the situations that odds may examine."""

from collections.abc import Callable
from contextvars import ContextVar, copy_context
from typing import TypeVar

from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

T = TypeVar("T")
SITUATIONS = 200_000  # budget of odds: of a command, of advice, and of a request to the server


ON_THE_COMMAND_LINE = say("ask on the command line")


class OverBudget(Refusal):
    """Work needs more than its budget. `count` tells how often that happened in this process."""

    count = 0

    def __init__(self, problem: Message) -> None:
        super().__init__(problem)
        OverBudget.count += 1


class Allowance:
    """The situations that may still be examined: runs of a step, and their options. A run counts
    as much as its procedure says."""

    def __init__(self, most: int, advice: Message) -> None:
        self.most = self.left = most
        self.advice = advice

    def spend(self, count: int) -> None:
        """Use up some of the budget; refuse if it is exceeded."""
        self.left -= count
        if self.left < 0:
            problem = say(
                "too much can happen in this fight: more than {n} situations; state fewer units, "
                "or {advice}",
                n=self.most,
                advice=self.advice,
            )
            raise OverBudget(problem)


class TooHeavy(Exception):  # it says where the work belongs, not that it failed
    """Work needs more than the budget of light work: somebody else has to do it."""


class LightAllowance(Allowance):
    """The budget of light work. Beyond it nothing is refused: the work is handed on."""

    def __init__(self, most: int) -> None:
        super().__init__(most, ON_THE_COMMAND_LINE)

    def spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise TooHeavy


_allowed: ContextVar[Allowance | None] = ContextVar("_allowed", default=None)


def allow(most: int | None, advice: Message = ON_THE_COMMAND_LINE) -> None:
    """Set the budget of this context; None for no limit. The advice says how to get more."""
    _allowed.set(None if most is None else Allowance(most, advice))


def allow_light(most: int) -> None:
    """Set the budget of light work for this context: beyond it, work raises `TooHeavy`."""
    _allowed.set(LightAllowance(most))


def only_light() -> bool:
    """Tell whether this context does light work only."""
    return isinstance(allowed(), LightAllowance)


def allowed() -> Allowance | None:
    """Give the budget of this context; None for no limit."""
    return _allowed.get()


def within_budget(work: Callable[[], T]) -> T | Refusal:
    """Do work that nobody must wait long for; where it is refused, give the reason.

    Without a budget of this context it gets one of its own.
    """

    def limited() -> T:
        allow(SITUATIONS)
        return work()

    try:
        return work() if allowed() else copy_context().run(limited)
    except Refusal as refusal:
        return refusal
