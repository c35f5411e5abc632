"""The spread of luck: the probability of each loss, and of each number of points."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from grognard.card.rows import SIDES, Side
from grognard.fights.chances import Odds
from grognard.study.grid import HERE, GridPlace


class Luck(NamedTuple):
    """The distribution of a whole number: the probability of each value, in rising order."""

    chances: Mapping[int, Fraction]

    @property
    def mean(self) -> Fraction:
        return sum((value * chance for value, chance in self.chances.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        mean = self.mean
        parts = ((value - mean) ** 2 * chance for value, chance in self.chances.items())
        return sum(parts, Fraction(0))

    def point(self, share: Fraction) -> int:
        """Give the least value that is not exceeded with at least this probability."""
        below = Fraction(0)
        for value, chance in self.chances.items():
            below += chance
            if below >= share:
                return value
        raise ValueError(f"chances that add up to {below}")

    @property
    def points(self) -> tuple[int, int, int]:
        """The points of 10, 50 and 90 %."""
        low, middle, high = (self.point(Fraction(tenths, 10)) for tenths in (1, 5, 9))
        return low, middle, high


class PlaceLuck(Struct, frozen=True, kw_only=True, dict=True):
    """The luck at a place: the losses of each side, and the points of the attacker."""

    place: GridPlace
    losses: Mapping[Side, Luck]
    points: Luck

    @cached_property
    def ahead(self) -> Fraction:
        return sum((p for value, p in self.points.chances.items() if value > 0), Fraction(0))

    @cached_property
    def behind(self) -> Fraction:
        return sum((p for value, p in self.points.chances.items() if value < 0), Fraction(0))

    @property
    def equal(self) -> Fraction:
        return 1 - self.ahead - self.behind


def place_luck(odds: Odds, place: GridPlace = HERE) -> PlaceLuck:
    """Calculate the luck at a place from its odds."""
    attacker, _ = odds.doctrines
    weights: dict[int, int] = {}
    for outcome, weight in odds.found.weights.items():
        value = attacker.value(outcome, "attacker")
        weights[value] = weights.get(value, 0) + weight
    points = {value: Fraction(weights[value], odds.total) for value in sorted(weights)}
    return PlaceLuck(
        place=place,
        losses={side: Luck(odds.spread(f"{side}_steps_lost")) for side in SIDES},
        points=Luck(points),
    )
