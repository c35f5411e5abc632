"""Exact hex geometry in axial coordinates, and the numbers printed in the hexes of a map.

Hexes stand in columns (a flat side on top), as on most printed maps. The six directions are
numbered clockwise from the top.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from grognard.words.message import say
from grognard.words.refusal import Refusal


class Hex(NamedTuple):
    """A hex: q counts columns to the right, r hexes downwards along a column."""

    q: int
    r: int

    def step(self, direction: int) -> "Hex":
        q, r = DIRECTIONS[direction % 6]
        return Hex(self.q + q, self.r + r)

    def neighbours(self) -> tuple["Hex", ...]:
        """Give the six hexes around, clockwise from the top."""
        return tuple(self.step(direction) for direction in range(6))

    def distance(self, other: "Hex") -> int:
        q, r = self.q - other.q, self.r - other.r
        return max(abs(q), abs(r), abs(q + r))

    def direction(self, other: "Hex") -> int:
        """Give the direction of a neighbour."""
        return DIRECTIONS.index((other.q - self.q, other.r - self.r))

    def side(self, direction: int) -> "Hexside":
        return hexside(self, self.step(direction))


DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


class Hexside(NamedTuple):
    """The side between two neighbours, the smaller hex first: each side has one name."""

    first: Hex
    second: Hex


def hexside(one: Hex, other: Hex) -> Hexside:
    """Name the side between two neighbouring hexes."""
    if one.distance(other) != 1:
        raise ValueError(f"{one} and {other} are no neighbours")
    return Hexside(*sorted((one, other)))


def ring(centre: Hex, radius: int) -> Iterator[Hex]:
    """Give the hexes at exactly this distance, clockwise from the top."""
    if radius == 0:
        yield centre
        return
    at = Hex(centre.q, centre.r - radius)
    for corner in range(6):
        for _ in range(radius):
            yield at
            at = at.step(corner + 2)


def within(centre: Hex, radius: int) -> Iterator[Hex]:
    """Give the hexes up to this distance, from the centre outwards."""
    for distance in range(radius + 1):
        yield from ring(centre, distance)


def line(start: Hex, end: Hex) -> tuple[tuple[Hex, ...], ...]:
    """Give the hexes that the straight line between two centres crosses, in order.

    Each entry is one hex, or the two whose common side the line follows.
    """
    steps = start.distance(end)
    if steps == 0:
        return ((start,),)
    return tuple(_at(start, end, step, steps) for step in range(steps + 1))


def _at(start: Hex, end: Hex, step: int, steps: int) -> tuple[Hex, ...]:
    """Round a point on the line to the nearest hex; to both where it lies half-way.

    Coordinates are multiplied by the number of steps, so that they stay integers.
    """
    q = start.q * steps + (end.q - start.q) * step
    r = start.r * steps + (end.r - start.r) * step
    base = Hex(q // steps, r // steps)
    near = [Hex(base.q + i, base.r + j) for i in (0, 1) for j in (0, 1)]

    def squared(hex_: Hex) -> int:
        """Give the square of the distance from the hex's centre; good for comparisons only."""
        right, down = q - hex_.q * steps, r - hex_.r * steps
        return right * right + down * down + right * down

    least = min(map(squared, near))
    return tuple(hex_ for hex_ in near if squared(hex_) == least)


class Numbering(NamedTuple):
    """Printed hex numbers: column then row, as in 1910, and which columns stand lower."""

    lower: Literal["odd", "even"] = "even"
    digits: int = 2

    def hex(self, number: str) -> Hex:
        """Find the hex of a printed number."""
        if len(number) != 2 * self.digits or not (number.isascii() and number.isdigit()):
            example = "1910" if self.digits == 2 else "1" * (2 * self.digits)
            problem = say(
                "'{number}' is not a hex number such as {example}", number=number, example=example
            )
            raise Refusal(problem)
        column, row = int(number[: self.digits]), int(number[self.digits :])
        return Hex(column, row - self._above(column))

    def number(self, hex_: Hex) -> str:
        """Give the printed number of a hex."""
        row = hex_.r + self._above(hex_.q)
        return f"{hex_.q:0{self.digits}}{row:0{self.digits}}"

    def lettered(self, first: str, grid: str) -> Iterator[tuple[Hex, str]]:
        """Give each letter of a grid with its hex, from the number of the first on; `_` is no
        hex."""
        column, row = int(first[: self.digits]), int(first[self.digits :])
        for down, line in enumerate(grid_lines(grid)):
            for across, letter in enumerate(line):
                if letter != "_":
                    number = f"{column + across:0{self.digits}}{row + down:0{self.digits}}"
                    yield self.hex(number), letter

    def _above(self, column: int) -> int:
        """Give the offset between printed and axial rows in a column."""
        return column // 2 if self.lower == "odd" else (column + 1) // 2


def grid_lines(grid: str) -> list[str]:
    """Give the rows of letters of a map's text; blanks between letters are ignored."""
    return [line.replace(" ", "") for line in grid.strip().splitlines()]
