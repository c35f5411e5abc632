"""What rules may ask for: a roll, a choice of one side, a secret commitment of both.

Rules never roll and never decide. A step of a procedure is a generator that yields what it asks,
is sent the answer, tells what happens as lines, and returns the fight as it is afterwards.
"""

from collections.abc import Generator, Hashable, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

from grognard.card.rows import Side
from grognard.rules.line import Blanks, Line

Answer = int | str | tuple["Answer", ...]
A = TypeVar("A", bound=Answer)
T = TypeVar("T")


class Roll(Struct, frozen=True, gc=False):
    """Dice to roll; only their sum may matter to the rules that ask for them."""

    what: str  # the phrase that names it
    dice: int = 1
    rule: str | None = None
    blanks: Blanks = ()
    # The least sum of each band, where the same follows from all sums of a band; empty: each alone.
    bands: tuple[int, ...] = ()

    @property
    def starts(self) -> Sequence[int]:
        """Give the least sum of each band that must be told apart."""
        return self.bands or range(self.dice, 6 * self.dice + 1)


class Choose(Struct, frozen=True, gc=False):
    """A choice of one side among the legal answers; never empty."""

    side: Side
    what: str
    options: tuple[Answer, ...]
    rule: str | None = None
    blanks: Blanks = ()
    # One entry an option: options with equal entries come to the same outcomes, whichever of them
    # is taken. Odds then look at one of them only. Empty: every option may matter.
    alike: tuple[Hashable, ...] = ()


class Commit(Struct, frozen=True, gc=False):
    """Secret decisions of both sides, revealed together. The first option of a side is nothing."""

    what: str
    attacker: tuple[Answer, ...]
    defender: tuple[Answer, ...]
    rule: str | None = None


Ask = Roll | Choose | Commit


def first_answer(ask: Choose | Commit) -> Answer:
    """Give the answer that a preview assumes: the first option, nothing committed."""
    return ask.options[0] if isinstance(ask, Choose) else (ask.attacker[0], ask.defender[0])


# What a step yields is asked or told; what it is sent is the answer, or None after a line.
Asking = Generator[Ask | Line, Answer | None, T]


def roll(
    what: str,
    dice: int = 1,
    rule: str | None = None,
    *,
    bands: tuple[int, ...] = (),
    **blanks: str,
) -> Asking[int]:
    """Ask for dice and give their sum."""
    answer = yield Roll(what, dice, rule, tuple(blanks.items()), bands)
    if not isinstance(answer, tuple):
        raise TypeError(f"a roll is answered with its dice, not with {answer!r}")
    return sum(die for die in answer if isinstance(die, int))


def choose(
    side: Side,
    what: str,
    options: Sequence[A],
    rule: str | None = None,
    alike: Iterable[Hashable] = (),
    **blanks: str,
) -> Asking[A]:
    """Ask a side to choose; where only one answer is legal it is given without asking."""
    legal = tuple(options)
    if len(legal) == 1:
        return legal[0]
    answer = yield Choose(side, what, legal, rule, tuple(blanks.items()), tuple(alike))
    return legal[legal.index(answer)]


def commit(
    what: str, attacker: Sequence[A], defender: Sequence[A], rule: str | None = None
) -> Asking[tuple[A, A]]:
    """Ask both sides secretly and at the same time; nothing is asked where neither has a choice."""
    mine, theirs = tuple(attacker), tuple(defender)
    if len(mine) == len(theirs) == 1:
        return mine[0], theirs[0]
    answer = yield Commit(what, mine, theirs, rule)
    if not isinstance(answer, tuple):
        raise TypeError(f"a commitment is answered by both sides, not with {answer!r}")
    ours, other = answer
    return mine[mine.index(ours)], theirs[theirs.index(other)]
