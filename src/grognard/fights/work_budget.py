"""How many situations may be looked at for one answer, where somebody else waits for his own."""

from contextvars import ContextVar

from grognard.words.message import say
from grognard.words.refusal import Refusal


class Allowance:
    """How many situations may still be looked at: runs of a step, and what they offer."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def spend(self, count: int) -> None:
        """Take some away, or refuse."""
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
    """Let whatever is asked from here on in this context look at so many situations, or at all."""
    _allowed.set(None if most is None else Allowance(most))


def allowed() -> Allowance | None:
    """Give what is left, or None where there is no limit."""
    return _allowed.get()
