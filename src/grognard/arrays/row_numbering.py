"""Numbering rows of whole numbers from narrow ranges: equal rows have the same number."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[np.integer]]
Codes = NDArray[np.int32]

MOST = 1 << 21  # numbers: what is found for each of them is kept in arrays of this length
AT_ONCE = 1 << 15  # rows that are numbered together while they are near at hand


class Dense(NamedTuple):
    """A numbering of all rows whose columns are within given ranges."""

    names: tuple[str, ...]
    low: tuple[int, ...]
    spans: tuple[int, ...]

    @property
    def size(self) -> int:
        size = 1
        for span in self.spans:
            size *= span
        return size

    def widened(self, other: "Dense") -> "Dense":
        """Give the numbering of all rows of both."""
        low = tuple(map(min, self.low, other.low))
        ends = [
            max(a + b, c + d)
            for a, b, c, d in zip(self.low, self.spans, other.low, other.spans, strict=True)
        ]
        return Dense(self.names, low, tuple(e - s for e, s in zip(ends, low, strict=True)))

    def numbers(self, columns: Columns, count: int) -> Codes:
        """Number rows. Numbers may run over on the way: what is left of them is the same."""
        codes = np.empty(count, np.int32)
        room = np.empty(min(count, AT_ONCE), np.int32)
        least = sum(low * step for low, step in zip(self.low, self._steps(), strict=True))
        for start in range(0, count, AT_ONCE):
            part = codes[start : start + AT_ONCE]
            part.fill(_run_over(-least))
            times = room[: len(part)]
            for name, step in zip(self.names, self._steps(), strict=True):
                column = columns[name][start : start + AT_ONCE]
                np.multiply(column, step, out=times, dtype=np.int32, casting="unsafe")
                part += times
        return codes

    def rows(self, codes: Codes) -> dict[str, NDArray[np.int64]]:
        """Give the rows that have these numbers."""
        return {
            name: codes.astype(np.int64) // step % span + low
            for name, step, span, low in zip(
                self.names, self._steps(), self.spans, self.low, strict=True
            )
        }

    def _steps(self) -> Sequence[int]:
        steps, step = [], 1
        for span in self.spans:
            steps.append(step)
            step *= span
        return steps


def _run_over(number: int) -> int:
    """Give what 32 bits keep of a number."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def dense(columns: Columns) -> Dense:
    """Find the ranges of columns."""
    low = tuple(int(column.min()) for column in columns.values())
    high = tuple(int(column.max()) for column in columns.values())
    spans = tuple(top - bottom + 1 for top, bottom in zip(high, low, strict=True))
    return Dense(tuple(columns), low, spans)
