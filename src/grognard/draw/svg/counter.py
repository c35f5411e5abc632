"""Counters as on cardboard: the livery of a side, the stripe of a formation, and what they show.

A counter is 44 wide and high, its middle at the origin.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from grognard.card.rows import Value
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg.elements import fitted, short
from grognard.draw.svg.terrain import INK, PAPER
from grognard.maps.board import FACE_DOWN, Piece
from grognard.maps.scenario import Player, Scenario
from grognard.words.text import Lang, Text

SIDE = 44


class Livery(NamedTuple):
    """The colours of a side's counters; the second side's are dark, for prints without colour."""

    fill: str
    ink: str
    edge: str


_LIGHT = {
    "red": "#efbcae",
    "blue": "#bcd3e8",
    "grey": "#cdd1c8",
    "brown": "#dec69f",
    "green": "#c6d6a8",
}
_DARK = {
    "red": "#97301f",
    "blue": "#2c5079",
    "grey": "#4f5856",
    "brown": "#6b4a25",
    "green": "#3f572a",
}
# Tints of the stripes: pale, so that the name on them is read
_STRIPES = ("#fbe08a", "#ffffff", "#bfe3dc", "#f6c6d4", "#d9ccf0", "#f8cfa0", "#cfe6a4", "#d5d5d5")
_DASHES = ("", "4 2", "1.5 1.5", "7 2 1.5 2")


def livery(colour: str, *, first: bool) -> Livery:
    """Give the colours of a side."""
    if first:
        return Livery(_LIGHT[colour], INK, "#3a352d")
    return Livery(_DARK[colour], "#fffdf6", "#1c1915")


class Stripes:
    """The stripes of formations, in the order in which a scenario names them."""

    def __init__(self, formations: Iterable[str]) -> None:
        self._order = list(dict.fromkeys(f for f in formations if f))

    def drawn(self, formation: str, ink: str) -> str:
        if formation not in self._order:
            return ""
        number = self._order.index(formation)
        tint = _STRIPES[number % len(_STRIPES)]
        dash = _DASHES[number % len(_DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        return (
            f'<path class="formation" d="M-21.5-12V-18.5Q-21.5-21.5-18.5-21.5H18.5Q21.5'
            f'-21.5 21.5-18.5V-12Z" fill="{tint}"/>'
            f'<path d="M-21.5-12H21.5" stroke="{ink}" stroke-width="1.1"{dashed}/>'
        )


PLAIN_SIDES = (
    Player(id="first", name=Text("first side", "premier camp"), colour="red"),
    Player(id="second", name=Text("second side", "second camp"), colour="blue"),
)


class CounterSheet:
    """The counters of a scenario: the liveries of its sides, its stripes, what is full strength.

    Without a scenario its counters have plain liveries, those of the sides "first" and "second".
    """

    def __init__(self, scenario: Scenario | None) -> None:
        sides = scenario.sides if scenario else PLAIN_SIDES
        units = scenario.forces if scenario else ()
        self.first = sides[0].id
        self.liveries: Mapping[str, Livery] = {
            side.id: livery(side.colour, first=side.id == self.first) for side in sides
        }
        self._stripes = Stripes(unit.formation for unit in units)
        self._full = {unit.name: unit.steps or len(unit.faces) for unit in units}
        self._labels = {unit.name: unit.label for unit in units if unit.label}

    def reduced(self, piece: Piece) -> bool:
        """Tell whether a unit has lost steps."""
        return piece.steps < self._full.get(piece.name, len(piece.faces))

    def counter(self, piece: Piece, lang: Lang, symbol: str) -> str:
        """Draw a counter around the origin, with the given symbol."""
        return "".join(self._counter(piece, lang, symbol))

    def _counter(self, piece: Piece, lang: Lang, symbol: str) -> Iterator[str]:
        made = self.liveries[piece.side]
        if piece.kind == FACE_DOWN:
            yield from self._face_down(piece.side)
            return
        striped = self._stripes.drawn(piece.formation, made.edge)
        yield f'<rect x="-22" y="-22" width="44" height="44" rx="4" fill="{made.fill}"/>{striped}'
        ink = INK if striped else made.ink
        label = self._labels.get(piece.name)
        name = label.in_(lang) if label else piece.name
        yield fitted(name, 0, -14.2, 7, 40, f'fill="{ink}" font-weight="700"')
        reduced = self.reduced(piece)
        if reduced:
            yield (
                '<path class="reduced" d="M-22 11.5H22V18Q22 22 18 22H-18Q-22 22-22 18Z" '
                f'fill="#fff"/><path d="M-22 11.5H22" stroke="{INK}" stroke-width=".8"/>'
            )
        yield (
            '<rect x="-22" y="-22" width="44" height="44" rx="4" fill="none" '
            f'stroke="{made.edge}" stroke-width="1"/>'
        )
        mark = svg_symbols.size(piece)
        if mark:
            yield fitted(mark[0], 0, -6.2, 5.8, 24, f'fill="{made.ink}" font-weight="700"')
        yield f'<g transform="translate(0 2.5)">{symbol}</g>'
        yield from _slots(piece.face, made.ink)
        ink = INK if reduced else made.ink
        yield fitted(
            svg_symbols.factors(piece), 0, 19.4, 9.4, 40, f'fill="{ink}" font-weight="700"'
        )
        yield self.mark(piece.side, -17, -8, 2.2)
        if any(svg_symbols.brief(state) for state in piece.states):
            yield f'<circle class="acted" cx="-11.5" cy="-8" r="2" fill="{made.ink}"/>'
        yield _corner("".join(svg_symbols.letter(s, lang) for s in svg_symbols.states(piece)))

    def _face_down(self, side: str) -> Iterator[str]:
        """Draw the back of a counter that is hidden from the reader."""
        made = self.liveries[side]
        yield (
            f'<rect class="face-down" x="-22" y="-22" width="44" height="44" rx="4" '
            f'fill="{made.fill}" stroke="{made.edge}" stroke-width="1"/>'
        )
        yield fitted("?", 0, 9, 24, 40, f'fill="{made.ink}" font-weight="700"')
        yield self.mark(side, -17, -17, 2.2)

    # -------------------------------------------------------------- marks of a side

    def mark(self, side: str, x: float, y: float, reach: float) -> str:
        """Draw the mark of a side: a square for the first, a ring for the second."""
        at, ink = f'transform="translate({short(x)} {short(y)})"', self.liveries[side].ink
        if side == self.first:
            r = short(reach * 0.9)
            return f'<path d="M-{r}-{r}H{r}V{r}H-{r}Z" {at} fill="{ink}"/>'
        width = reach * 0.45
        ring = f'fill="none" stroke="{ink}" stroke-width="{short(width)}"'
        return f'<circle r="{short(reach - width / 2)}" {at} {ring}/>'

    def badge(self, side: str, x: float, y: float, reach: float = 7) -> str:
        """Draw a side's mark on its colour."""
        made = self.liveries[side]
        return (
            f'<rect x="{short(x - reach)}" y="{short(y - reach)}" width="{short(2 * reach)}" '
            f'height="{short(2 * reach)}" rx="2" fill="{made.fill}" stroke="{made.edge}" '
            f'stroke-width=".8"/>{self.mark(side, x, y, reach * 0.55)}'
        )

    def source(self, side: str, x: float, y: float) -> str:
        """Draw a supply source: a wheel in its side's colour, with the side's mark."""
        spokes = "".join(
            f"M0 0L{short(8 * a)} {short(8 * b)}"
            for a, b in ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))
        )
        return (
            f'<g transform="translate({short(x)} {short(y)})"><circle r="8" fill="{PAPER}" '
            f'stroke="{INK}" stroke-width="2"/><path d="{spokes}" stroke="{INK}"/>'
            f'<circle r="5" fill="{self.liveries[side].fill}" stroke="{INK}" stroke-width=".8"/>'
            f"{self.mark(side, 0, 0, 2.9)}</g>"
        )


def _slots(face: Mapping[str, Value], ink: str) -> Iterator[str]:
    for x, keys in ((-16.7, svg_symbols.LEFT), (16.7, svg_symbols.RIGHT)):
        values = svg_symbols.beside(face, keys)
        more = len(values) - 1
        top, apart = max(5 - 3.2 * more, 1.4), min(6.6, 10.6 / max(more, 1))  # below the corner
        for number, value in enumerate(values):
            y = top + apart * number
            yield fitted(value, x, y, 6.4, 8.5, f'fill="{ink}" font-weight="600"')


def _corner(letters: str) -> str:
    """Draw the corner that shows states, each by its letter."""
    if not letters:
        return ""
    width = 5 + 5.5 * len(letters)
    words = fitted(letters, 23.5 - width / 2, -4.9, 7.8, width, f'fill="{INK}" font-weight="700"')
    return (
        f'<g class="state"><rect x="{23.5 - width:g}" y="-12.5" width="{width:g}" height="9.6" '
        f'rx="2.5" fill="#fff" stroke="{INK}" stroke-width="1.2"/>{words}</g>'
    )
