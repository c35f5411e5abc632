"""Supply lines: the shortest way from a unit to its source, or the hexes that cut it."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from grognard.maps.hexes import Hex


class Supply(NamedTuple):
    """A supply line: its way to the source, or the hexes that cut it."""

    path: tuple[Hex, ...]
    cut_by: tuple[Hex, ...] = ()

    @property
    def traced(self) -> bool:
        return bool(self.path)


def trace(
    around: Mapping[Hex, tuple[Hex, ...]],
    start: Hex,
    goal: Callable[[Hex], bool],
    shut: Collection[Hex],
    *,
    passes: Callable[[Hex, Hex], bool] | None = None,
    longest: int | None = None,
) -> Supply:
    """Trace the shortest line to a goal, or tell which shut hexes cut it.

    A line may start in a shut hex. `passes` tells whether it may step from a hex to a neighbour.
    """
    before: dict[Hex, Hex | None] = {start: None}
    length, cut, waiting = {start: 0}, dict[Hex, None](), [start]
    for here in waiting:
        if goal(here):
            return Supply(tuple(_way_back(before, here))[::-1])
        for there in around[here] if longest is None or length[here] < longest else ():
            if there in before:
                continue
            if there in shut:
                cut[there] = None
            elif passes is None or passes(here, there):
                before[there], length[there] = here, length[here] + 1
                waiting.append(there)
    return Supply((), tuple(cut))


def _way_back(before: Mapping[Hex, Hex | None], hex_: Hex | None) -> Iterator[Hex]:
    while hex_ is not None:
        yield hex_
        hex_ = before[hex_]
