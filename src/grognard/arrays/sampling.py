"""Random outcomes by whole weights: the same for a fight whatever is drawn beside it.

Fight number i of a seed always has the same random bits: a counter makes them, not a state. Where
the weights of all that can happen come to no more than a byte holds, one byte is one draw, and a
table has the outcome of each byte; where a byte is beyond the last whole turn of the weights, 64
bits are drawn instead. Greater weights are drawn by 64 bits, and those beyond that by as many as
they need.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.signedinteger[Any]]
Starts = NDArray[np.int64]
Words = NDArray[np.uint64]

BLOCK = 1 << 16  # fights whose random bits are made together
BYTE = 256
WORD = 1 << 64
SEEDS = 1 << 64
AGAIN = -1
GOLDEN = 0x9E3779B97F4A7C15
MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


class Weighted(NamedTuple):
    """Outcomes by their numbers, with whole weights."""

    outcomes: tuple[int, ...]
    weights: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.weights)


class Draws:
    """Draws outcomes for fights that are given by the place of their weights in a list."""

    def __init__(self, weighted: Sequence[Weighted]) -> None:
        self.count = len(weighted)
        totals = [each.total for each in weighted]
        most = max((max(each.outcomes) for each in weighted), default=0)
        bytes_of = np.array([_bytes_of(each) for each in weighted], least_type(most))
        self._bytes: Ids = bytes_of.reshape(-1)
        self._wide = np.array([total > BYTE for total in totals])
        self._totals = np.array([min(total, BYTE) for total in totals], np.uint64)
        self._words = _Words(weighted)

    def draw(self, weighted: Ids, fights: Ids, seed: int, first: int = 0) -> Ids:
        """Draw an outcome for each fight, the first of which has a number in its series.

        A fight is the place of its entry in `weighted`, an entry the place of its weights.
        """
        drawn: Ids = np.empty(len(fights), self._bytes.dtype)
        room = np.empty(min(len(fights), BLOCK), np.int64)
        starts = weighted.astype(np.int64) * BYTE
        wide = self._wide.take(weighted)
        for start, stop, block in _blocks(first, len(fights)):
            part = slice(start - first, stop - first)
            bits = _Bits(seed, block, slice(start - block * BLOCK, stop - block * BLOCK))
            if not wide.all():
                self._by_bytes(starts, fights[part], drawn[part], room[: stop - start], bits)
            if wide.any():
                places = np.flatnonzero(wide.take(fights[part]))
                entries = weighted.take(fights[part][places])
                drawn[part][places] = self._words.draw(entries, places, bits)
        again = np.flatnonzero(drawn == AGAIN)
        drawn[again] = self._once_more(weighted.take(fights[again]), again + first, seed)
        return drawn

    def _by_bytes(
        self, starts: Starts, fights: Ids, drawn: Ids, room: Starts, bits: "_Bits"
    ) -> None:
        """Look up what each byte draws, or that it is beyond the last turn."""
        starts.take(fights, out=room, mode="clip")
        np.add(room, bits.bytes(), out=room)
        self._bytes.take(room, out=drawn, mode="clip")

    def _once_more(self, entries: Ids, numbered: NDArray[np.intp], seed: int) -> Ids:
        """Draw by 64 bits for the few whose byte was beyond the last turn."""
        totals = self._totals.take(entries)
        last = np.uint64(WORD - 1) - (np.uint64(WORD - 1) % totals + np.uint64(1)) % totals
        numbers, attempt = _mixed(seed, 0, numbered), 0
        while (beyond := numbers > last).any():
            attempt += 1
            numbers[beyond] = _mixed(seed, attempt, numbered[beyond])
        turns = (numbers % totals).astype(np.int64)
        return self._bytes.take(entries.astype(np.int64) * BYTE + turns)


def least_type(most: int) -> type[np.signedinteger[Any]]:
    """Give the narrowest numbers that hold every outcome, and those that are none."""
    return next(type_ for type_ in (np.int8, np.int16, np.int32) if most <= np.iinfo(type_).max)


def _bytes_of(weighted: Weighted) -> list[int]:
    """Give the outcome of each byte, or that it must be drawn again; any, where words are drawn."""
    total = weighted.total
    if total > BYTE:
        return [0] * BYTE
    once = [o for o, w in zip(weighted.outcomes, weighted.weights, strict=True) for _ in range(w)]
    whole = once * (BYTE // total)
    return whole + [AGAIN] * (BYTE - len(whole))


def _blocks(first: int, count: int) -> list[tuple[int, int, int]]:
    """Part a series of fights by the blocks in which their random bits are made."""
    last = first + count
    return [
        (max(first, block * BLOCK), min(last, (block + 1) * BLOCK), block)
        for block in range(first // BLOCK, -(-last // BLOCK))
    ]


class _Bits(NamedTuple):
    """The random bits of one block, as far as they are asked for."""

    seed: int
    block: int
    within: slice

    def bytes(self) -> NDArray[np.uint8]:
        """Give a byte for each fight."""
        return _raw(self.seed, (0, 0, self.block), BLOCK // 8).view(np.uint8)[self.within]

    def words(self, attempt: int) -> Words:
        """Give 64 bits for each fight."""
        raw = _raw(self.seed, (1, attempt, self.block), BLOCK)
        return raw[self.within].astype(np.uint64, copy=False)


def _raw(seed: int, stream: tuple[int, int, int], count: int) -> Words:
    source = np.random.Philox(key=seed, counter=[0, *stream])
    return source.random_raw(count).astype("<u8", copy=False)


def _mixed(seed: int, attempt: int, numbered: NDArray[np.intp]) -> Words:
    """Give 64 bits for some of the fights, each by its own number (SplitMix64)."""
    (key,) = _raw(seed, (2, attempt, 0), 1)
    numbers = (numbered + 1).astype(np.uint64) * np.uint64(GOLDEN) + np.uint64(key)
    for shift, factor in MIXING:
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    mixed: Words = numbers ^ (numbers >> np.uint64(31))
    return mixed


class _Words:
    """Draws by 64 bits: which part of the summed weights is hit."""

    def __init__(self, weighted: Sequence[Weighted]) -> None:
        self._weighted = weighted
        within = [w if w.total < WORD else Weighted((0,), (1,)) for w in weighted]
        self._long = np.array([w.total >= WORD for w in weighted])
        self._totals = np.array([w.total for w in within], np.uint64)
        # The last number of a whole count of turns; beyond it the draw is made again.
        self._last = np.array([WORD // w.total * w.total - 1 for w in within], np.uint64)
        sums = [list(accumulate(w.weights)) for w in within]
        self._starts = np.cumsum([0, *map(len, sums)], dtype=np.int64)
        self._sums = np.array([s for each in sums for s in [*each[:-1], WORD - 1]], np.uint64)
        self._outcomes = np.array([o for w in within for o in w.outcomes], np.int32)

    def draw(self, weighted: NDArray[np.integer], places: NDArray[np.intp], bits: _Bits) -> Ids:
        drawn = bits.words(0)[places]
        again = np.flatnonzero(drawn > self._last.take(weighted))
        attempt = 0
        while len(again):
            attempt += 1
            drawn[again] = bits.words(attempt)[places[again]]
            again = again[drawn[again] > self._last.take(weighted[again])]
        found = self._hit(weighted, drawn % self._totals.take(weighted))
        for place in np.flatnonzero(self._long.take(weighted)):
            found[place] = self._long_draw(int(weighted[place]), int(places[place]), bits)
        return found

    def _hit(self, weighted: NDArray[np.integer], numbers: Words) -> Ids:
        """Find by halving the first sum of weights that is above each number."""
        low, high = self._starts.take(weighted), self._starts[1:].take(weighted) - 1
        while (low < high).any():
            middle = (low + high) >> 1
            above = self._sums.take(middle) > numbers
            high = np.where(above, middle, high)
            low = np.where(above, low, np.minimum(middle + 1, high))
        return self._outcomes.take(low)

    def _long_draw(self, weighted: int, place: int, bits: _Bits) -> int:
        """Draw by as many words as the weights need, and once more while beyond the last turn."""
        each = self._weighted[weighted]
        words = -(-each.total.bit_length() // 64)
        beyond = (1 << 64 * words) // each.total * each.total
        attempt = 0
        while True:
            number = 0
            for _ in range(words):
                number = number << 64 | int(bits.words(attempt)[place])
                attempt += 1
            if number < beyond:
                sums = list(accumulate(each.weights))
                return each.outcomes[bisect_right(sums, number % each.total)]
