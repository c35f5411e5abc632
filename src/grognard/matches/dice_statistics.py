"""Statistics of the dice of a match: the faces of each side, and a test of fairness.

The test is Pearson's: it measures how far the faces are from equally many. Its chance is that of
fair dice to be as uneven as these or more. For few dice every possible set is counted, in whole
numbers; for many the chi-square distribution is near enough.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb, erfc, exp, pi, sqrt

from msgspec import Struct

from grognard.card.dice import Dice
from grognard.matches.match import Match, Reply
from grognard.matches.protocol import Roles, side_of
from grognard.matches.storage.rows import Source
from grognard.rules.ask import Roll

MOST_WORK = 400_000  # situations that an exact test may count


class Die(Struct, frozen=True, order=True):
    """A kind of dice."""

    faces: int
    lowest: int

    def __str__(self) -> str:
        return str(Dice(1, self.faces, "sum", self.lowest)).removeprefix("1")


class Fairness(Struct, frozen=True):
    """How uneven a set of dice is."""

    chance: float  # that fair dice are as uneven, or more
    exact: bool  # else by the chi-square distribution


class Tally(Struct, frozen=True):
    """The dice of one kind that a side has rolled, from one source; None: of all."""

    die: Die
    side: str | None
    source: Source | None
    counts: tuple[int, ...]  # of each face, from the lowest

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def fairness(self) -> Fairness:
        return fairness(self.counts)


def tallies(match: Match) -> list[Tally]:
    """Count the dice of a match: for each kind all of them, then those of each side and source."""
    found: dict[tuple[Die, str | None, Source | None], Counter[int]] = defaultdict(Counter)
    for die, side, source, faces in _rolled(match):
        found[die, None, None].update(faces)
        found[die, side, source].update(faces)
    order = [side.id for side in match.field.scenario.sides]

    def key(of: tuple[Die, str | None, Source | None]) -> tuple[Die, int, str]:
        die, side, source = of
        return die, order.index(side) if side else -1, source or ""

    return [
        Tally(*of, tuple(found[of][of[0].lowest + n] for n in range(of[0].faces)))
        for of in sorted(found, key=key)
    ]


def _rolled(match: Match) -> Iterator[tuple[Die, str, Source, list[int]]]:
    """Give each roll: its dice, the side that rolled, where the dice come from, its faces."""
    roles = Roles(*(side.id for side in match.field.scenario.sides))
    for entry in match.log:
        if isinstance(entry, Roles):
            roles = entry
        if isinstance(entry, Reply) and isinstance(entry.ask, Roll):
            dice = entry.ask.dice
            faces = entry.answer if isinstance(entry.answer, tuple) else (entry.answer,)
            shown = [face for face in faces if isinstance(face, int)]
            yield Die(dice.faces, dice.first), side_of(roles, entry.ask.side), entry.source, shown


# ------------------------------------------------------------------ the test of fairness


def fairness(counts: Sequence[int]) -> Fairness:
    """Test whether faces come equally often."""
    if _work(sum(counts), len(counts)) <= MOST_WORK:
        return Fairness(float(exact_chance(counts)), exact=True)
    return Fairness(chi_square_chance(counts), exact=False)


def exact_chance(counts: Sequence[int]) -> Fraction:
    """Give the exact chance that fair dice are as uneven, or more.

    Sets with the same number of dice differ in Pearson's measure as their sums of squares do. So it
    is the share of all ordered rolls whose counts have at least this sum of squares: ways to fill
    the one half of the faces are joined with ways to fill the other.
    """
    dice, faces = sum(counts), len(counts)
    least = sum(count * count for count in counts)
    half, rest = _squares(dice, faces // 2), _squares(dice, faces - faces // 2)
    ways = 0
    for used in range(dice + 1):
        other = rest[dice - used]
        sums = sorted(other)
        # Number of ways whose sum of squares is at least that of each place.
        behind = [*accumulate((other[total] for total in reversed(sums)), initial=0)][::-1]
        joined = sum(
            number * behind[bisect_left(sums, least - total)]
            for total, number in half[used].items()
        )
        ways += comb(dice, used) * joined
    return Fraction(ways, faces**dice)


def _squares(dice: int, faces: int) -> list[Mapping[int, int]]:
    """Give for each number of dice the sums of squares of their counts, with the number of ordered
    rolls that have it."""
    found: list[dict[int, int]] = [{0: 1}, *({} for _ in range(dice))]
    for _ in range(faces):
        after: list[dict[int, int]] = [{} for _ in range(dice + 1)]
        for used, sums in enumerate(found):
            for more in range(dice - used + 1):
                ways, target = comb(used + more, more), after[used + more]
                for total, number in sums.items():
                    place = total + more * more
                    target[place] = target.get(place, 0) + ways * number
        found = after
    return list(found)


def _work(dice: int, faces: int) -> int:
    """Estimate the situations of an exact test: the larger half of the faces, filled in order."""
    return comb(dice + faces - faces // 2, faces - faces // 2)


def chi_square_chance(counts: Sequence[int]) -> float:
    """Give the chance by the chi-square distribution, whose error falls with the number of dice."""
    dice, faces = sum(counts), len(counts)
    if not dice:
        return 1.0
    squares = sum(count * count for count in counts)
    return chi_square_tail(squares * faces / dice - dice, faces - 1)


def chi_square_tail(value: float, freedom: int) -> float:
    """Give the chance of a larger value; by the recurrence of the incomplete gamma function."""
    half = value / 2
    if freedom % 2:
        term, tail = sqrt(half / pi) * 2 * exp(-half), erfc(sqrt(half))
        for n in range(3, freedom + 1, 2):
            tail += term
            term *= half / (n / 2)
        return min(tail, 1.0)
    term = tail = exp(-half)
    for n in range(1, freedom // 2):
        term *= half / n
        tail += term
    return min(tail, 1.0)
