"""Work budget of one request: a limit on the situations that odds may examine."""

from contextvars import ContextVar

from grognard.words.message import say
from grognard.words.refusal import Refusal


class Allowance:
    """The situations that may still be examined: runs of a step, and their options."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def spend(self, count: int) -> None:
        """Use up some of the budget; refuse if it is exceeded."""
        self.left -= count
        if self.left < 0:
            problem = say(
                "too much can happen in this fight: more than {n} situations; state fewer units, "
                "or ask on the command line",
                n=self.most,
            )
            raise Refusal(problem)


_allowed: ContextVar[Allowance | None] = ContextVar("_allowed", default=None)


def allow(most: int | None) -> None:
    """Set the budget of this context; None for no limit."""
    _allowed.set(None if most is None else Allowance(most))


def allowed() -> Allowance | None:
    """Give the budget of this context; None for no limit."""
    return _allowed.get()
