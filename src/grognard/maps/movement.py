"""Movement: the hexes that a piece can reach, with cost and path.

Costs are counted in sixths of a movement point, so that halves and thirds are integers.
"""

import heapq
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from grognard.maps.board import Map
from grognard.maps.hexes import Hex

POINT = 6  # sixths in a movement point


class Cost(NamedTuple):
    """A cost of the terrain chart."""

    sixths: int
    added: bool = False  # on top of the hex
    stop: bool = False
    adjacent: bool = False  # only for a unit that starts beside it


@cache
def parsed(words: str) -> Cost | None:
    """Read a chart's cost: `1`, `1/2`, `+1`, `2 stop`, `+1 adjacent`; None for words alone."""
    number, _, rest = words.partition(" ")
    if number in ("other", "way", "no"):
        return None
    sixths = Fraction(number.removeprefix("+")) * POINT
    return Cost(int(sixths), number.startswith("+"), rest == "stop", rest == "adjacent")


class Entry(NamedTuple):
    """The cost of entering a hex, and whether the move ends there."""

    sixths: int
    stop: bool = False


class Reached(NamedTuple):
    """A hex that can be reached: cost, path, and whether the move ends there."""

    sixths: int
    path: tuple[Hex, ...]
    stop: bool

    @property
    def cost(self) -> Fraction:
        return Fraction(self.sixths, POINT)


class StepCosts(NamedTuple):
    """Costs of a step between neighbours by the terrain chart; None where it is forbidden."""

    across: Entry | None  # away from roads
    at_first: Entry | None  # the same as the first step of a move
    by_way: Entry | None  # along a road or railway


@lru_cache(maxsize=64)
def steps(sheet: Map, unit_class: str) -> Mapping[tuple[Hex, Hex], StepCosts]:
    """Read the chart for every step on a map, once for a class of units.

    Threads may share the result: it depends on nothing but the map, and nobody changes it.
    """
    found = {}
    for here, around in sheet.around.items():
        for there in around:
            across = _across(sheet, unit_class, here, there, first=False)
            at_first = _across(sheet, unit_class, here, there, first=True)
            found[here, there] = StepCosts(
                across, at_first, _by_way(sheet, unit_class, here, there)
            )
    return found


def _across(sheet: Map, unit_class: str, here: Hex, there: Hex, *, first: bool) -> Entry | None:
    """Give the cost of a step off the roads: the highest among the hex's features, plus the
    hexside's."""
    whole, stop = 0, False
    for row in sheet.rows(there):
        words = row.cost.get(unit_class, "other")
        if words in ("no", "way"):
            return None
        if cost := parsed(words):
            whole, stop = max(whole, cost.sixths), stop or cost.stop
    for feature in sheet.between(here, there):
        words = sheet.terrain[feature].cost.get(unit_class, "0")
        cost = parsed(words)
        if cost is None or (cost.adjacent and not first):
            return None
        whole, stop = whole + cost.sixths, stop or cost.stop
    return Entry(whole, stop)


def _by_way(sheet: Map, unit_class: str, here: Hex, there: Hex) -> Entry | None:
    rows = [sheet.terrain[way] for way in sheet.ways_between(here, there)]
    costs = [cost.sixths for row in rows if (cost := parsed(row.cost.get(unit_class, "other")))]
    return Entry(min(costs)) if costs else None


Enter = Callable[[Hex, Hex, bool], Entry | None]


def reach(
    start: Hex,
    allowance: int,
    neighbours: Mapping[Hex, tuple[Hex, ...]],
    enter: Enter,
    goal: Hex | None = None,
) -> dict[Hex, Reached]:
    """Find every hex that can be reached with an allowance (in sixths), by its cheapest path.

    `enter` gives the cost of a step (None: not allowed); its last argument says whether it is the
    first step of the move. The cheapest path to a hex may end the move there while a dearer one
    passes through it, so the two kinds are kept apart until the end. With a goal the search stops
    as soon as nothing cheaper can lead there; other hexes may be missing then.
    """
    passed: dict[Hex, Reached] = {start: Reached(0, (start,), False)}
    ended: dict[Hex, Reached] = {}
    waiting: list[tuple[int, int, Hex]] = [(0, 0, start)]
    order = 0
    while waiting and not _settled(goal, waiting[0][0], passed, ended):
        spent, _, here = heapq.heappop(waiting)
        now = passed[here]
        if spent > now.sixths:
            continue
        for there in neighbours[here]:
            if (known := passed.get(there)) is not None and known.sixths <= spent:
                continue  # nothing cheaper can come of it
            entry = enter(here, there, here == start)
            if entry is None or (cost := spent + entry.sixths) > allowance:
                continue
            kept = ended if entry.stop else passed
            if (known := kept.get(there)) is not None and known.sixths <= cost:
                continue
            kept[there] = Reached(cost, (*now.path, there), entry.stop)
            if not entry.stop:
                order += 1
                heapq.heappush(waiting, (cost, order, there))
    for hex_, way in ended.items():
        if hex_ not in passed or way.sixths < passed[hex_].sixths:
            passed[hex_] = way
    return passed


def _settled(goal: Hex | None, spent: int, *kinds: Mapping[Hex, Reached]) -> bool:
    """Tell whether no way that is longer than so much can lead to a goal more cheaply."""
    if goal is None:
        return False
    return any(goal in found and found[goal].sixths <= spent for found in kinds)
