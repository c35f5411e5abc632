"""Questions that rules ask: a roll, a choice of one side, a secret commitment of both.

Rules never roll and never decide. A step of a procedure is a generator: it yields questions and
lines, is sent the answers, and returns the fight after the step.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from grognard.card.dice import D6, Dice
from grognard.card.rows import Side
from grognard.rules.line import Blank, Blanks, Line

Answer = int | str | tuple["Answer", ...]
A = TypeVar("A", bound=Answer)
T = TypeVar("T")


class Roll(Struct, frozen=True, gc=False):
    """Dice to roll. Rules may use only the number that they are read as."""

    what: str  # the phrase that names it
    dice: Dice = D6
    rule: str | None = None
    blanks: Blanks = ()
    # The lowest value of each band with equal consequences; empty: each value is a band.
    bands: tuple[int, ...] = ()
    side: Side = "attacker"  # that rolls: the one whose unit is tested, else the one that acts

    @property
    def starts(self) -> Sequence[int]:
        """The lowest value of each band that leads to something different."""
        return self.bands or self.dice.values()


class Former(Struct, frozen=True, gc=False):
    """How older records answer a question: its former name, and answers no longer offered."""

    what: str
    options: tuple[Answer, ...]


class Choose(Struct, frozen=True, gc=False):
    """A choice of one side among the legal answers; never empty."""

    side: Side
    what: str
    options: tuple[Answer, ...]
    rule: str | None = None
    blanks: Blanks = ()
    # One entry per option: options with equal entries lead to the same outcomes, so odds follow
    # only one of them. Empty: every option may matter.
    alike: tuple[Hashable, ...] = ()
    # Places of the options that a doctrine may prefer; the others are never better for the side.
    # Empty: any of them.
    wanted: tuple[int, ...] = ()
    # Places of all options in the order in which a doctrine takes one of several that it values
    # alike; empty: as listed.
    rank: tuple[int, ...] = ()
    former: Former | None = None  # still legal, so that older records can be played


class Commit(Struct, frozen=True, gc=False):
    """Secret decisions of both sides, revealed together. The first option commits nothing."""

    what: str
    attacker: tuple[Answer, ...]
    defender: tuple[Answer, ...]
    rule: str | None = None
    # Of answers that are several numbers: how much of each counts at most (None, empty: all).
    most: tuple[int | None, ...] = ()


Ask = Roll | Choose | Commit


def first_answer(ask: Choose | Commit) -> Answer:
    """Give the answer that a preview assumes: the first option, nothing committed."""
    return ask.options[0] if isinstance(ask, Choose) else (ask.attacker[0], ask.defender[0])


class Later(Struct, frozen=True, gc=False):
    """Lines that are made when somebody reads them: most odds are worked out without."""

    make: Callable[[], Iterable[Line]]
    certain: bool = False  # none of them is doubtful

    def itself(self) -> tuple[Later]:
        """Leave the lines to be made later."""
        return (self,)

    def doubtful(self) -> Iterable[Line]:
        """Make the lines if they may be doubtful: odds look at no others."""
        return () if self.certain else self.make()


Saying = Line | Later


def made(told: Iterable[Saying]) -> Iterator[Line]:
    """Make the lines that are still to be made."""
    for said in told:
        if isinstance(said, Line):
            yield said
        else:
            yield from said.make()


# A step yields questions, and lines one by one, several at once, or to be made later; it is sent
# the answer, or None after lines.
Asking = Generator[Ask | Saying | tuple[Line, ...], Answer | None, T]


def told(telling: Asking[T]) -> tuple[T, tuple[Line, ...]]:
    """Run a part of a step that asks nothing; give its value and the lines that it tells."""
    lines = list[Line]()
    try:
        while True:
            said = next(telling)
            if isinstance(said, Line):
                lines.append(said)
            elif isinstance(said, tuple):
                lines += said
            elif isinstance(said, Later):
                lines += said.make()
            else:
                raise TypeError(f"nobody answers {said!r} here")
    except StopIteration as end:
        return end.value, tuple(lines)


def roll(
    what: str,
    dice: int | Dice = D6,
    rule: str | None = None,
    *,
    bands: tuple[int, ...] = (),
    side: Side = "attacker",
    **blanks: Blank,
) -> Asking[int]:
    """Ask for dice, or for a number of six-sided ones, and give what they are read as."""
    rolled = Dice(dice) if isinstance(dice, int) else dice
    answer = yield Roll(what, rolled, rule, tuple(blanks.items()), bands, side)
    value = rolled.read_as(answer)
    if value is None:
        raise TypeError(f"a roll is answered with its dice, not with {answer!r}")
    return value


def choose(
    side: Side,
    what: str,
    options: Sequence[A],
    rule: str | None = None,
    alike: Iterable[Hashable] = (),
    wanted: tuple[int, ...] = (),
    rank: tuple[int, ...] = (),
    **blanks: Blank,
) -> Asking[A]:
    """Ask a side to choose; a single legal answer is taken without asking."""
    legal = tuple(options)
    if len(legal) == 1:
        return legal[0]
    said = tuple(blanks.items())
    answer = yield Choose(side, what, legal, rule, said, tuple(alike), wanted, rank)
    return legal[legal.index(answer)]


def ranked(keys: Sequence[tuple[Any, ...]]) -> tuple[int, ...]:
    """Give the places of options in the order of their keys."""
    return tuple(sorted(range(len(keys)), key=keys.__getitem__))


def commit(
    what: str,
    attacker: Sequence[A],
    defender: Sequence[A],
    rule: str | None = None,
    most: tuple[int | None, ...] = (),
) -> Asking[tuple[A, A]]:
    """Ask both sides in secret; without a choice on either side nothing is asked."""
    mine, theirs = tuple(attacker), tuple(defender)
    if len(mine) == len(theirs) == 1:
        return mine[0], theirs[0]
    answer = yield Commit(what, mine, theirs, rule, most)
    if not isinstance(answer, tuple):
        raise TypeError(f"a commitment is answered by both sides, not with {answer!r}")
    ours, other = answer
    return mine[mine.index(ours)], theirs[theirs.index(other)]
