"""Flood fill on a hex map with bit sets.

A set of hexes is one integer with a bit for each hex. A step of all of them in one of the six
directions is then one shift, which Python does much faster than a search hex by hex.
"""

from collections.abc import Iterable, Mapping
from itertools import compress

from grognard.maps.hexes import DIRECTIONS, Hex

_TRUTHS = bytes.maketrans(b"01", b"\x00\x01")


class Flood:
    """Flood fill over a graph of hexes: for each hex, the neighbours that can be entered from it.
    Immutable, so threads may share it."""

    def __init__(self, ways: Mapping[Hex, tuple[Hex, ...]]) -> None:
        columns, rows = [hex_.q for hex_ in ways], [hex_.r for hex_ in ways]
        left, top, tall = min(columns), min(rows), max(rows) - min(rows) + 1
        places = {hex_: (hex_.q - left) * tall + hex_.r - top for hex_ in ways}
        self._bits = {hex_: 1 << place for hex_, place in places.items()}
        by_place = {place: hex_ for hex_, place in places.items()}
        nowhere = next(iter(ways))  # fills the gaps: the bit of a place without a hex is never set
        self._hexes = [by_place.get(place, nowhere) for place in range(max(by_place) + 1)]
        self._shifts = [
            (
                sum(self._bits[hex_] for hex_ in ways if hex_.step(number) in ways[hex_]),
                q * tall + r,
            )
            for number, (q, r) in enumerate(DIRECTIONS)
        ]

    def spread(
        self, starts: Iterable[Hex], shut: Iterable[Hex], most: int | None = None
    ) -> frozenset[Hex]:
        """Find the hexes that can be reached from the starts, in at most `most` steps.

        A shut hex is reached but not passed.
        """
        found, barred = self._bits_of(starts), self._bits_of(shut)
        edge = found & ~barred
        while edge and most != 0:
            ring = 0
            for leaving, shift in self._shifts:
                step = edge & leaving
                ring |= step << shift if shift > 0 else step >> -shift
            ring &= ~found
            found |= ring
            edge = ring & ~barred
            most = None if most is None else most - 1
        return self._hexes_of(found)

    def _bits_of(self, hexes: Iterable[Hex]) -> int:
        return sum({self._bits.get(hex_, 0) for hex_ in hexes})

    def _hexes_of(self, bits: int) -> frozenset[Hex]:
        truths = f"{bits:b}"[::-1].encode().translate(_TRUTHS)
        return frozenset(compress(self._hexes, truths))
