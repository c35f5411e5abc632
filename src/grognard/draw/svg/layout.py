"""Where the hexes of a map lie in a picture.

Hexes have a flat side on top; a side is 50 long, half a hex 43.3 high. The map stands below a
heading, in the middle of the sheet.
"""

from typing import NamedTuple

from grognard.draw.svg.elements import short
from grognard.maps.board import Map
from grognard.maps.hexes import Hex, Hexside

SIDE, HALF = 50.0, 43.3  # the length of a side, half the height of a hex
MARGIN, HEAD = 24.0, 66.0
LEAST_WIDTH = 620.0
CORNERS = ((50.0, 0.0), (25.0, HALF), (-25.0, HALF), (-50.0, 0.0), (-25.0, -HALF), (25.0, -HALF))


class Point(NamedTuple):
    """A place in the picture."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"{short(self.x)} {short(self.y)}"

    def towards(self, other: "Point", share: float) -> "Point":
        return Point(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)


class Layout:
    """The places of a map's hexes, their corners and their sides."""

    def __init__(self, sheet: Map) -> None:
        self.hexes = sorted(sheet.places)
        columns = [hex_.q for hex_ in self.hexes] or [0]
        rows = [2 * hex_.r + hex_.q for hex_ in self.hexes] or [0]
        self._left, self._top = min(columns), min(rows)
        across = 1.5 * SIDE * (max(columns) - self._left) + 2 * SIDE
        self.width = max(across + 2 * MARGIN, LEAST_WIDTH)
        self.bottom = HEAD + HALF * (max(rows) - self._top + 2)  # of the map
        self._indent = (self.width - across) / 2

    def centre(self, hex_: Hex) -> Point:
        return Point(
            self._indent + SIDE + 1.5 * SIDE * (hex_.q - self._left),
            HEAD + HALF * (2 * hex_.r + hex_.q - self._top + 1),
        )

    def ends(self, hex_: Hex, direction: int, scale: float = 1) -> tuple[Point, Point]:
        """Give the corners of a hex's side, clockwise; a smaller scale lies inside the hex."""
        at = self.centre(hex_)
        one, other = CORNERS[(direction + 4) % 6], CORNERS[(direction + 5) % 6]
        return (
            Point(at.x + one[0] * scale, at.y + one[1] * scale),
            Point(at.x + other[0] * scale, at.y + other[1] * scale),
        )

    def side_ends(self, side: Hexside) -> tuple[Point, Point]:
        return self.ends(side.first, side.first.direction(side.second))

    def middle(self, side: Hexside) -> Point:
        one, other = self.side_ends(side)
        return one.towards(other, 0.5)

    def outline(self, hex_: Hex) -> str:
        """Give the corners of a hex as the points of a polygon."""
        at = self.centre(hex_)
        return " ".join(f"{short(at.x + x)},{short(at.y + y)}" for x, y in CORNERS)
