"""Row numbers: equal rows of whole numbers get the same number, if their ranges are narrow."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import prod
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

InputColumns = Mapping[str, NDArray[np.integer]]
RowCodes = NDArray[np.int32]

MOST_ROWS = 1 << 21  # greatest size of a numbering: the cache has an entry for each number
AT_ONCE = 1 << 15  # rows numbered together, so that they stay in the processor's cache


class RowNumbering(NamedTuple):
    """A numbering of all rows whose values are within given ranges."""

    names: tuple[str, ...]
    low: tuple[int, ...]
    spans: tuple[int, ...]

    @property
    def size(self) -> int:
        return prod(self.spans)

    def widened(self, other: "RowNumbering") -> "RowNumbering":
        """Give a numbering that covers the rows of both."""
        low = tuple(map(min, self.low, other.low))
        ends = [
            max(a + b, c + d)
            for a, b, c, d in zip(self.low, self.spans, other.low, other.spans, strict=True)
        ]
        return RowNumbering(self.names, low, tuple(e - s for e, s in zip(ends, low, strict=True)))

    def numbers(self, columns: InputColumns, count: int) -> RowCodes:
        """Number the rows; 32-bit overflow on the way does not change the sum."""
        codes = np.empty(count, np.int32)
        buffer = np.empty(min(count, AT_ONCE), np.int32)
        least = sum(low * step for low, step in zip(self.low, self._steps(), strict=True))
        for start in range(0, count, AT_ONCE):
            part = codes[start : start + AT_ONCE]
            part.fill(_wrapped(-least))
            times = buffer[: len(part)]
            for name, step in zip(self.names, self._steps(), strict=True):
                column = columns[name][start : start + AT_ONCE]
                np.multiply(column, step, out=times, dtype=np.int32, casting="unsafe")
                part += times
        return codes

    def rows(self, codes: RowCodes) -> dict[str, NDArray[np.int64]]:
        """Give the rows that have these numbers."""
        return {
            name: codes.astype(np.int64) // step % span + low
            for name, step, span, low in zip(
                self.names, self._steps(), self.spans, self.low, strict=True
            )
        }

    def _steps(self) -> Sequence[int]:
        return list(accumulate(self.spans[:-1], mul, initial=1))


def _wrapped(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def numbering_of(columns: InputColumns) -> RowNumbering:
    """Give the numbering that covers the rows of some columns."""
    low = tuple(int(column.min()) for column in columns.values())
    high = tuple(int(column.max()) for column in columns.values())
    spans = tuple(top - bottom + 1 for top, bottom in zip(high, low, strict=True))
    return RowNumbering(tuple(columns), low, spans)
