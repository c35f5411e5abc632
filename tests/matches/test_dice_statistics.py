"""Statistics of dice: counts of the faces, and a test of fairness that agrees with enumeration."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from grognard.matches.dice_statistics import (
    Die,
    chi_square_chance,
    chi_square_tail,
    exact_chance,
    fairness,
    tallies,
)
from grognard.matches.match import Match, Reply, begin
from grognard.players.bot import Bot, play_on
from grognard.rules.ask import Roll


def enumerated(counts: tuple[int, ...]) -> Fraction:
    """The same by trying every roll, with Pearson's own formula."""
    dice, faces = sum(counts), len(counts)

    def uneven(found: Sequence[int]) -> int:  # in units of 1 / (faces * dice)
        return sum((n * faces - dice) ** 2 for n in found)

    least, as_uneven = uneven(counts), 0
    for roll in product(range(faces), repeat=dice):
        as_uneven += uneven([roll.count(face) for face in range(faces)]) >= least
    return Fraction(as_uneven, faces**dice)


@pytest.mark.parametrize(
    "counts",
    [
        (1, 0),
        (3, 1),
        (2, 2),
        (5, 0),
        (2, 1, 0),
        (0, 0, 4),
        (2, 1, 1, 0),
        (1, 1, 1, 1, 1, 1),
        (3, 1, 1, 0, 0, 0),
        (6, 0, 0, 0, 0, 0),
        (0, 2, 0, 1, 2, 0),
        (1, 0, 0, 0, 0, 2, 0, 0, 0, 1),
    ],
)
def test_the_exact_chance_is_that_of_all_rolls(counts: tuple[int, ...]) -> None:
    assert exact_chance(counts) == enumerated(counts)
    found = fairness(counts)
    assert (found.chance, found.exact) == (float(enumerated(counts)), True)


def test_no_dice_are_as_even_as_can_be() -> None:
    assert exact_chance((0,) * 6) == 1
    assert chi_square_chance((0,) * 6) == 1


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    [  # from printed tables of the chi-square distribution
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (11.070, 5, 0.05),
        (15.086, 5, 0.01),
        (20.515, 5, 0.001),
        (16.919, 9, 0.05),
        (4.351, 5, 0.5),
        (18.307, 10, 0.05),
    ],
)
def test_the_chi_square_distribution_is_the_printed_one(
    value: float, freedom: int, tail: float
) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=2e-3)


def test_the_distribution_comes_near_the_exact_chance() -> None:
    for counts in [(20, 14, 15, 9, 12, 20), (30, 10, 10, 10, 10, 20), (17, 16, 14, 15, 16, 12)]:
        assert chi_square_chance(counts) == pytest.approx(float(exact_chance(counts)), abs=0.01)


def test_a_set_of_many_dice_is_tested_by_the_distribution() -> None:
    found = fairness((1000, 1100, 900, 1000, 1000, 1000))
    assert not found.exact
    assert 0 < found.chance < 0.01
    assert fairness((10,) * 6).exact
    assert fairness((30,) * 100).exact is False


def test_fair_dice_are_uneven_as_often_as_the_chance_says() -> None:
    random = Random(5)
    sets = [Counter(random.randrange(6) for _ in range(12)) for _ in range(400)]
    chances = [exact_chance(tuple(found[face] for face in range(6))) for found in sets]
    below = sum(chance <= Fraction(1, 4) for chance in chances)
    assert 60 < below <= 130  # at most a quarter, but for chance


# ------------------------------------------------------------------ of a match


@pytest.fixture(scope="module")
def match() -> Match:
    found = begin("weissenberg")
    for _ in play_on(found, {"german": Bot(1), "allied": Bot(2)}):
        pass
    return found


def test_every_die_of_a_match_is_counted_once_by_its_side_and_source(match: Match) -> None:
    replies = [entry for entry in match.log if isinstance(entry, Reply)]
    rolls = [n for n, reply in enumerate(replies) if isinstance(reply.ask, Roll)]
    assert len(rolls) > 3
    again = Match(match.field)
    for n, reply in enumerate(replies):
        again.answer(reply.answer, "fair" if n == rolls[0] else "rolled")
    found = tallies(again)
    whole, *parts = found
    assert (whole.die, whole.side, whole.source) == (Die(6, 1), None, None)
    assert whole.dice == len(rolls)
    assert [sum(column) for column in zip(*(p.counts for p in parts), strict=True)] == [
        *whole.counts
    ]
    assert sum(part.dice for part in parts if part.source == "fair") == 1
    assert {part.side for part in parts} <= {"german", "allied"}
    shown = [replies[n].answer for n in rolls]
    faces = Counter(face for roll in shown if isinstance(roll, tuple) for face in roll)
    assert whole.counts == tuple(faces[face] for face in range(1, 7))


def test_sources_of_an_older_match_are_unknown(match: Match) -> None:
    older = Match(match.field, match.answers)
    assert {tally.source for tally in tallies(older)} == {None, "unknown"}
