"""Panzer Grenadier on the map: lines of sight, and the hexsides that a fire crosses."""

from collections.abc import Mapping
from functools import lru_cache

from grognard.maps.board import Map
from grognard.maps.hexes import Hex, line

SIDES = 6
between = lru_cache(maxsize=1 << 14)(line)  # exact, and the same on every map


def top(sheet: Map, hex_: Hex) -> int:
    """Give how high a hex stands with what grows or is built on it."""
    obstacles = [int(row.values.get("obstacle", 0)) for row in sheet.rows(hex_)]
    return sheet.places[hex_].height + max(obstacles, default=0)


def blockers(sheet: Map, here: Hex, there: Hex, options: Mapping[str, str]) -> tuple[Hex, ...]:
    """Give the first hexes on the way that hide two hexes from each other; none: they see."""
    way = between(here, there)
    for passed, hexes in enumerate(way[1:-1], start=1):
        hiding = tuple(
            hex_
            for hex_ in hexes
            if hex_ in sheet.places
            and _hides(sheet, (here, there), hex_, (passed, len(way) - 1), options["sight_over"])
        )
        if len(hiding) == len(hexes) or (hiding and options["sight_along"] == "either_blocks"):
            return hiding
    return ()


def _hides(sheet: Map, ends: tuple[Hex, Hex], hex_: Hex, place: tuple[int, int], over: str) -> bool:
    """Tell whether a hex rises above the line of sight that passes it."""
    first, second = (sheet.places[end].height for end in ends)
    if over == "highest":
        return top(sheet, hex_) > max(first, second)
    passed, steps = place
    return top(sheet, hex_) * steps > first * (steps - passed) + second * passed


def hexsides(here: Hex, target: Hex) -> frozenset[int]:
    """Give the sides of the target hex through which fire from a hex comes.

    They are numbered as directions; a line that comes through a corner belongs to both sides.
    """
    return frozenset(target.direction(hex_) for hex_ in between(here, target)[-2])


def apart(some: frozenset[int], others: frozenset[int], options: Mapping[str, str]) -> bool:
    """Tell whether two fires come through hexsides that do not touch; of a corner either side is
    enough, or by option both must be apart."""
    enough = all if options["corner_fire"] == "both_sides" else any
    return enough(
        (one - other) % SIDES not in (0, 1, SIDES - 1) for one in some for other in others
    )
