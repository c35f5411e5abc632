"""Random outcomes by integer weights; a fight's draw does not depend on the fights around it.

Fight number i of a seed always has the same random bits: they come from a counter, not from a
generator's state. If the weights of a distribution add up to 256 or less, one byte is one draw, and
a table holds the outcome of each byte; bytes beyond the last whole multiple of the total are
rejected, and 64 bits are drawn instead. Greater totals are drawn with 64 bits, or with as many
64-bit words as they need.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.signedinteger[Any]]
Starts = NDArray[np.int64]
Bits64 = NDArray[np.uint64]

BLOCK = 1 << 16  # fights whose random bits are generated together
BYTE = 256
WORD = 1 << 64
SEEDS = 1 << 64
AGAIN = -1  # in place of an outcome: this byte is rejected
GOLDEN = 0x9E3779B97F4A7C15
MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


class Distribution(NamedTuple):
    """Outcomes, as indices, with their integer weights."""

    outcomes: tuple[int, ...]
    weights: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.weights)


class Sampler:
    """Draws outcomes for fights that are given by the index of their distribution."""

    def __init__(self, weighted: Sequence[Distribution]) -> None:
        self.count = len(weighted)
        totals = [each.total for each in weighted]
        most = max((max(each.outcomes) for each in weighted), default=0)
        bytes_of = np.array([_bytes_of(each) for each in weighted], least_type(most))
        self._bytes: Indices = bytes_of.reshape(-1)
        self._wide = np.array([total > BYTE for total in totals])
        self._totals = np.array([min(total, BYTE) for total in totals], np.uint64)
        self._words = _WordSampler(weighted)

    def draw(self, weighted: Indices, fights: Indices, seed: int, first: int = 0) -> Indices:
        """Draw an outcome for each fight; `first` is the number of the first one in its series.

        `fights` holds indices into `weighted`, which holds indices of distributions.
        """
        drawn: Indices = np.empty(len(fights), self._bytes.dtype)
        buffer = np.empty(min(len(fights), BLOCK), np.int64)
        starts = weighted.astype(np.int64) * BYTE
        wide = self._wide.take(weighted)
        for start, stop, block in _blocks(first, len(fights)):
            part = slice(start - first, stop - first)
            bits = _BlockBits(seed, block, slice(start - block * BLOCK, stop - block * BLOCK))
            if not wide.all():
                self._by_bytes(starts, fights[part], drawn[part], buffer[: stop - start], bits)
            if wide.any():
                places = np.flatnonzero(wide.take(fights[part]))
                entries = weighted.take(fights[part][places])
                drawn[part][places] = self._words.draw(entries, places, bits)
        again = np.flatnonzero(drawn == AGAIN)
        drawn[again] = self._once_more(weighted.take(fights[again]), again + first, seed)
        return drawn

    def _by_bytes(
        self, starts: Starts, fights: Indices, drawn: Indices, buffer: Starts, bits: "_BlockBits"
    ) -> None:
        """Look up the outcome of each byte, or that the byte is rejected."""
        starts.take(fights, out=buffer, mode="clip")
        np.add(buffer, bits.bytes(), out=buffer)
        self._bytes.take(buffer, out=drawn, mode="clip")

    def _once_more(self, entries: Indices, numbered: NDArray[np.intp], seed: int) -> Indices:
        """Draw with 64 bits for the few fights whose byte was rejected."""
        totals = self._totals.take(entries)
        last = np.uint64(WORD - 1) - (np.uint64(WORD - 1) % totals + np.uint64(1)) % totals
        numbers, attempt = _mixed(seed, 0, numbered), 0
        while (beyond := numbers > last).any():
            attempt += 1
            numbers[beyond] = _mixed(seed, attempt, numbered[beyond])
        turns = (numbers % totals).astype(np.int64)
        return self._bytes.take(entries.astype(np.int64) * BYTE + turns)


def least_type(most: int) -> type[np.signedinteger[Any]]:
    """Give the narrowest signed integer type that holds every index up to `most`."""
    return next(type_ for type_ in (np.int8, np.int16, np.int32) if most <= np.iinfo(type_).max)


def _bytes_of(weighted: Distribution) -> list[int]:
    """Give the outcome of each byte, or AGAIN; not used for distributions drawn by words."""
    total = weighted.total
    if total > BYTE:
        return [0] * BYTE
    once = [o for o, w in zip(weighted.outcomes, weighted.weights, strict=True) for _ in range(w)]
    whole = once * (BYTE // total)
    return whole + [AGAIN] * (BYTE - len(whole))


def _blocks(first: int, count: int) -> list[tuple[int, int, int]]:
    """Split a series of fights into the blocks in which their random bits are generated."""
    last = first + count
    return [
        (max(first, block * BLOCK), min(last, (block + 1) * BLOCK), block)
        for block in range(first // BLOCK, -(-last // BLOCK))
    ]


class _BlockBits(NamedTuple):
    """The random bits of a part of one block."""

    seed: int
    block: int
    within: slice

    def bytes(self) -> NDArray[np.uint8]:
        return _raw(self.seed, (0, 0, self.block), BLOCK // 8).view(np.uint8)[self.within]

    def words(self, attempt: int) -> Bits64:
        raw = _raw(self.seed, (1, attempt, self.block), BLOCK)
        return raw[self.within].astype(np.uint64, copy=False)


def _raw(seed: int, stream: tuple[int, int, int], count: int) -> Bits64:
    source = np.random.Philox(key=seed, counter=[0, *stream])
    return source.random_raw(count).astype("<u8", copy=False)


def _mixed(seed: int, attempt: int, numbered: NDArray[np.intp]) -> Bits64:
    """Give 64 bits for each of some fights, from its number (SplitMix64)."""
    (key,) = _raw(seed, (2, attempt, 0), 1)
    numbers = (numbered + 1).astype(np.uint64) * np.uint64(GOLDEN) + np.uint64(key)
    for shift, factor in MIXING:
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    mixed: Bits64 = numbers ^ (numbers >> np.uint64(31))
    return mixed


class _WordSampler:
    """Draws with 64 bits: finds the outcome whose cumulated weight is hit."""

    def __init__(self, weighted: Sequence[Distribution]) -> None:
        self._weighted = weighted
        within = [w if w.total < WORD else Distribution((0,), (1,)) for w in weighted]
        self._long = np.array([w.total >= WORD for w in weighted])
        self._totals = np.array([w.total for w in within], np.uint64)
        # The last number below a whole multiple of the total; beyond it the draw is rejected.
        self._last = np.array([WORD // w.total * w.total - 1 for w in within], np.uint64)
        sums = [list(accumulate(w.weights)) for w in within]
        self._starts = np.cumsum([0, *map(len, sums)], dtype=np.int64)
        self._sums = np.array([s for each in sums for s in [*each[:-1], WORD - 1]], np.uint64)
        self._outcomes = np.array([o for w in within for o in w.outcomes], np.int32)

    def draw(
        self, weighted: NDArray[np.integer], places: NDArray[np.intp], bits: _BlockBits
    ) -> Indices:
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

    def _hit(self, weighted: NDArray[np.integer], numbers: Bits64) -> Indices:
        """Find the first cumulated weight above each number, by binary search."""
        low, high = self._starts.take(weighted), self._starts[1:].take(weighted) - 1
        while (low < high).any():
            middle = (low + high) >> 1
            above = self._sums.take(middle) > numbers
            high = np.where(above, middle, high)
            low = np.where(above, low, np.minimum(middle + 1, high))
        return self._outcomes.take(low)

    def _long_draw(self, weighted: int, place: int, bits: _BlockBits) -> int:
        """Draw with as many words as the weights need; repeat while the draw is rejected."""
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
