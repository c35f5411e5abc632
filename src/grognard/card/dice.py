"""Dice: how many, how many faces, how they are read, and the exact weight of every value."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from random import Random
from typing import Literal

from msgspec import Struct

from grognard.words.message import say
from grognard.words.refusal import Refusal

Reading = Literal["sum", "digits", "highest", "lowest", "difference"]
MOST_DICE, MOST_FACES = 20, 100


class Dice(Struct, frozen=True, cache_hash=True, gc=False):
    """Dice that are rolled together and read as one number."""

    count: int = 1
    faces: int = 6
    read: Reading = "sum"
    first: int = 1  # the lowest face: 0 for a ten-sided die that shows 0 to 9

    def __str__(self) -> str:
        if self.read == "digits":
            return f"d{str(self.faces) * self.count}"
        if self.read == "difference":
            return f"{self.count // 2}d{self.faces} - {self.count // 2}d{self.faces}"
        of = "" if self.read == "sum" else f"{self.read} of "
        first = "" if self.first == 1 else f" from {self.first}"
        return f"{of}{self.count}d{self.faces}{first}"

    @property
    def last(self) -> int:
        """The highest face."""
        return self.first + self.faces - 1

    @property
    def sides(self) -> range:
        """Every face of one die."""
        return range(self.first, self.last + 1)

    def value(self, answer: object) -> int:
        """Read the dice that were rolled as one number."""
        rolled = [die for die in _parts(answer) if isinstance(die, int)]
        match self.read:
            case "sum":
                return sum(rolled)
            case "digits":
                return int("".join(map(str, rolled)))
            case "highest":
                return max(rolled)
            case "lowest":
                return min(rolled)
            case "difference":
                return sum(rolled[: self.count // 2]) - sum(rolled[self.count // 2 :])

    def check(self, answer: object) -> bool:
        """Tell whether an answer is a roll of these dice."""
        rolled, first, last = _parts(answer), self.first, self.last
        if len(rolled) != self.count:
            return False
        for die in rolled:  # noqa: SIM110  # odds check every roll, and this is three times as fast
            if type(die) is not int or not first <= die <= last:
                return False
        return True

    def read_as(self, answer: object) -> int | None:
        """Read the dice that were rolled as one number; None if they are not these dice."""
        return _read_as(self, answer) if type(answer) is tuple else None

    def draw(self, random: Random) -> tuple[int, ...]:
        """Roll the dice with a source of random numbers."""
        return tuple(random.randint(self.first, self.last) for _ in range(self.count))

    def middling(self) -> tuple[int, ...]:
        """Give the roll that a preview assumes: every die shows its middle face."""
        return ((self.first + self.last) // 2,) * self.count

    def weights(self) -> dict[int, int]:
        """Give every value with the number of rolls that show it, in order."""
        return _weights(self)

    def values(self) -> tuple[int, ...]:
        """Give every value that the dice can show, in order."""
        return tuple(_weights(self))

    def ways(self, bands: Sequence[int] = ()) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Give one roll for each value, or each band of values, and the number of such rolls."""
        return _ways(self, tuple(bands))

    def showing(self, value: int) -> tuple[int, ...]:
        """Give the first roll, in the order of its faces, that is read as a value."""
        match self.read:
            case "digits":
                return tuple(map(int, str(value)))
            case "highest":
                return (*(self.first,) * (self.count - 1), value)
            case "lowest":
                return (value,) * self.count
            case "difference":
                half = Dice(self.count // 2, self.faces, "sum", self.first)
                least, most = half.first * half.count, half.last * half.count
                ours = max(least, value + least)
                return half.showing(min(ours, most)) + half.showing(min(ours, most) - value)
        rolled, left = list[int](), value
        for others in range(self.count - 1, -1, -1):
            rolled.append(max(self.first, left - others * self.last))
            left -= rolled[-1]
        return tuple(rolled)


@lru_cache(maxsize=4096)  # odds read the same rolls over and over
def _read_as(dice: Dice, answer: tuple[object, ...]) -> int | None:
    return dice.value(answer) if dice.check(answer) else None


@cache
def _weights(dice: Dice) -> dict[int, int]:
    match dice.read:
        case "sum":
            return _sums(dice)
        case "difference":  # by symmetry, the sum of all dice, moved so that its middle is 0
            middle = dice.count * (dice.first + dice.last) // 2
            return {value - middle: weight for value, weight in _sums(dice).items()}
        case "digits":
            return {dice.value(faces): 1 for faces in product(dice.sides, repeat=dice.count)}
    most = {face: face - dice.first + 1 for face in dice.sides}  # faces up to this one
    if dice.read == "lowest":
        most = {face: dice.last - face + 1 for face in dice.sides}
    return {face: up**dice.count - (up - 1) ** dice.count for face, up in most.items()}


def _sums(dice: Dice) -> dict[int, int]:
    """Add one die after the other."""
    sums = {0: 1}
    for _ in range(dice.count):
        grown: dict[int, int] = {}
        for value, weight in sums.items():
            for face in dice.sides:
                grown[value + face] = grown.get(value + face, 0) + weight
        sums = grown
    return sums


@cache
def _ways(dice: Dice, bands: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    starts = bands or dice.values()
    found: dict[int, tuple[int, int]] = {}
    for value, weight in dice.weights().items():
        band = bisect_right(starts, value)
        first, before = found.get(band, (value, 0))
        found[band] = first, before + weight
    return tuple((dice.showing(first), weight) for first, weight in found.values())


def _parts(answer: object) -> tuple[object, ...]:
    return answer if isinstance(answer, tuple) else ()


D6 = Dice()
_WRITTEN = re.compile(r"(?:(highest|lowest) of )?(\d*)d(\d+)(?: from ([01]))?")


@cache
def parse_dice(words: str) -> Dice:
    """Read dice as they are written: `2d6`, `d10`, `d66`, `highest of 2d6`, `1d6 - 1d6`."""
    ours, both, theirs = words.lower().partition(" - ")
    match = _WRITTEN.fullmatch(ours)
    if match is None or (both and (theirs != ours or match[1])):
        raise _no_dice(words)
    read, count, faces, first = match[1] or "sum", int(match[2] or 1), int(match[3]), match[4]
    if faces in (66, 666) and not match[1] and not match[2]:
        return Dice(len(match[3]), 6, "digits")
    if not (1 <= count <= MOST_DICE and 2 <= faces <= MOST_FACES):
        raise _no_dice(words)
    if both:
        return Dice(2 * count, faces, "difference", int(first or 1))
    reading: Reading = "highest" if read == "highest" else "lowest" if read == "lowest" else "sum"
    return Dice(count, faces, reading, int(first or 1))


def _no_dice(words: str) -> Refusal:
    return Refusal(
        say(
            "'{words}' are not dice; expected for instance 1d6, 2d6, d10, d66, d100, "
            "'d10 from 0', 'highest of 2d6' or '1d6 - 1d6' (both sides roll), up to {dice} dice "
            "of {faces} faces",
            words=words,
            dice=MOST_DICE,
            faces=MOST_FACES,
        )
    )
