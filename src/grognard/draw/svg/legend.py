"""The legend of a picture: the terrain, marks and counters that occur in it, in words."""

from collections.abc import Iterable, Iterator
from html import escape
from math import ceil
from typing import NamedTuple

from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.elements import short, wide, words
from grognard.draw.svg.ground import GroundLayer
from grognard.draw.svg.layout import CORNERS, MARGIN
from grognard.draw.svg.terrain import INK, ordered
from grognard.maps.board import Piece
from grognard.words.text import Text, colon

TERRAIN = Text("Terrain", "Terrain")
MARKS = Text("Marks", "Marques")
COUNTERS = Text("Counters", "Pions")
SOURCE = Text("supply source", "source de ravitaillement")
OBJECTIVE = Text("objective, its points and who holds it", "objectif, ses points et qui le tient")
HEIGHT = Text("height", "altitude")
BELOW = Text("below", "en bas")
TO_LEFT = Text("left", "à gauche")
TO_RIGHT = Text("right", "à droite")
FORMATION = Text("stripe: formation", "bande : formation")
STACK = Text("stack: number of units, sum of factors", "pile : nombre d'unités, somme des facteurs")

LETTERS = 9.6  # the height of the words
COLUMN = 140.0  # the least width of a column; a wider entry takes several


class LegendEntry(NamedTuple):
    """A figure around the origin, and its meaning."""

    figure: str
    lines: tuple[str, ...]


class Legend:
    """The legend of a board, section by section."""

    def __init__(self, ground: GroundLayer) -> None:
        self.ground, self.lang = ground, ground.lang
        self.board, self.counters = ground.pieces.board, ground.pieces.counters
        self.width = ground.layout.width - 2 * MARGIN
        self.pieces = [piece for piece in self.board.pieces if piece.alive]

    def drawn(self, top: float) -> tuple[str, float]:
        """Draw the legend; give its lower end too."""
        parts, y = list[str](), top
        terrain, marks = [*self.grounds(), *self.lines()], list(self.marks())
        for heading, rows in (
            (TERRAIN, [(terrain, 18.0, 35.0)]),
            (MARKS, [(marks, 18.0, 24.0)]),
            (COUNTERS, [(list(self.examples()), 24.0, 52.0), (list(self.signs()), 18.0, 24.0)]),
        ):
            if any(entries for entries, _, _ in rows):
                parts.append(caption(heading.in_(self.lang), y, self.width))
                y += 12
            for entries, reach, row in rows:
                y = self.section(parts, entries, y, reach, row)
            y += 24
        return "".join(parts), y - 24

    def section(
        self, parts: list[str], entries: Iterable[LegendEntry], top: float, reach: float, row: float
    ) -> float:
        """Put entries into columns; `reach` is half a figure's width, `row` the height of a row."""
        columns = max(int(self.width // COLUMN), 1)
        cell, place, y = self.width / columns, 0, top
        for entry in entries:
            need = 2 * reach + 14 + max(wide(line, LETTERS) for line in entry.lines)
            span = min(ceil(need / cell), columns)
            if place + span > columns:
                place, y = 0, y + row
            parts.append(_entry(entry, MARGIN + place * cell, y + row / 2, reach))
            place += span
        return y + row if place else top

    # -------------------------------------------------------------- the map

    def grounds(self) -> Iterator[LegendEntry]:
        """Show each terrain of hexes on a small hex."""
        points = " ".join(f"{short(x * 0.34)},{short(y * 0.34)}" for x, y in CORNERS)
        for id_ in self.ground.features():
            row = self.ground.map.terrain[id_]
            look, known = svg_terrain.ground(row), svg_terrain.is_known(row)
            pattern = f'<polygon points="{points}" fill="url(#{svg_terrain.pattern_id(row)})"/>'
            letter = svg_terrain.initial(row, self.lang, known=known)
            yield self.terrain(
                id_,
                f'<polygon points="{points}" fill="{look.fill}" stroke="{INK}" stroke-width=".7"/>'
                f"{pattern if look.pattern else ''}"
                f'<g transform="scale(.34)">{svg_terrain.EDGES.get(look.edge, "")}{look.figure}</g>'
                f"{letter or look.corner}",
            )

    def terrain(self, id_: str, figure: str) -> LegendEntry:
        name = self.ground.map.terrain[id_].text.in_(self.lang)
        return LegendEntry(figure, (name[:1].upper() + name[1:],))

    def lines(self) -> Iterator[LegendEntry]:
        """Show the features of hexsides, then the roads and railways."""
        terrain = self.ground.map.terrain
        sides = {id_ for ids in self.ground.map.hexsides.values() for id_ in ids}
        ways = {id_ for ids in self.ground.map.ways.values() for id_ in ids}
        for id_ in ordered(sides, terrain):
            look = svg_terrain.side_look(terrain[id_])
            extra = svg_terrain.DAM if look == "causeway" else ""
            line = svg_terrain.sample("M-14 5L-7-5H7L14 5", svg_terrain.side(terrain[id_]).strokes)
            initial = svg_terrain.initial(terrain[id_], self.lang, known=bool(look))
            yield self.terrain(id_, line + extra + initial)
        for id_ in ordered(ways, terrain):
            strokes = svg_terrain.way(terrain[id_]).strokes
            yield self.terrain(id_, svg_terrain.sample("M-15 5Q0-10 15 3", strokes))

    def marks(self) -> Iterator[LegendEntry]:
        """Show the other marks on the map."""
        lang, sheet = self.lang, self.ground.map
        if self.ground.objectives:
            yield LegendEntry(svg_terrain.star(0, 0, "3"), (OBJECTIVE.in_(lang),))
        for player in self.ground.pieces.scenario.sides:
            if player.id in sheet.sources.values():
                line = f"{SOURCE.in_(lang)} ({player.name.in_(lang)})"
                yield LegendEntry(self.counters.source(player.id, 0, 0), (line,))
        if any(place.height for place in sheet.places.values()):
            yield LegendEntry('<text class="height" y="3">▲1</text>', (HEIGHT.in_(lang),))
        if any(len(stack) > 1 for stack in self.board.stacks().values()):
            yield LegendEntry('<text class="sum" y="3">×2 Σ9</text>', (STACK.in_(lang),))

    # -------------------------------------------------------------- the counters

    def examples(self) -> Iterator[LegendEntry]:
        """Show a counter of each form, with the meaning of its numbers."""
        forms = dict[tuple[str, ...], Piece]()
        for piece in self.pieces:
            forms.setdefault(self.form(piece), piece)
        for lines, piece in forms.items():
            if lines:
                symbol = svg_symbols.use(piece.kind)
                yield LegendEntry(self.counters.counter(piece, self.lang, symbol), lines)

    def form(self, piece: Piece) -> tuple[str, ...]:
        """Give the meaning of a counter's numbers: in its line, to the left, to the right."""
        lang, keys = self.lang, svg_symbols.beside_keys(piece.faces[0])
        left = [text.in_(lang) for key, text in svg_symbols.LEFT.items() if key in keys]
        right = [text.in_(lang) for key, text in svg_symbols.RIGHT.items() if key in keys]
        named = (
            (BELOW, svg_symbols.line_names(piece, lang)),
            (TO_LEFT, ", ".join(left)),
            (TO_RIGHT, ", ".join(right)),
        )
        return tuple(f"{where.in_(lang)}{colon(lang)}{names}" for where, names in named if names)

    def signs(self) -> Iterator[LegendEntry]:
        """Show the symbols, sizes and states that occur."""
        lang = self.lang
        kinds = dict.fromkeys(svg_symbols.known(piece.kind) for piece in self.pieces)
        for kind in [kind for kind in svg_symbols.SYMBOLS if kind in kinds] + ["unknown"]:
            if kind in kinds:
                symbol = svg_symbols.symbol(kind)
                yield LegendEntry(f'<use href="#symbol-{kind}"/>', (symbol.name.in_(lang),))
        sizes = dict.fromkeys(size for piece in self.pieces if (size := svg_symbols.size(piece)))
        for mark, name in sorted(sizes, key=list(svg_symbols.SIZES.values()).index):
            yield LegendEntry(words("size", 0, 3, mark), (name.in_(lang),))
        if any(piece.formation for piece in self.pieces):
            stripe = f'<rect x="-14" y="-4" width="28" height="8" fill="#fbe08a" stroke="{INK}"/>'
            yield LegendEntry(stripe, (FORMATION.in_(lang),))
        yield from self.states()

    def states(self) -> Iterator[LegendEntry]:
        """Show the states that units have."""
        lang = self.lang
        for state in sorted({s for piece in self.pieces for s in svg_symbols.states(piece)}):
            yield LegendEntry(
                f'<rect x="-6" y="-7" width="12" height="13" rx="2.5" fill="#fff" stroke="{INK}"/>'
                + words("size", 0, 3, svg_symbols.letter(state, lang)),
                (svg_symbols.state_name(state, lang),),
            )
        if any(svg_symbols.brief(state) for piece in self.pieces for state in piece.states):
            yield LegendEntry(f'<circle r="3" fill="{INK}"/>', (svg_symbols.ACTED.in_(lang),))
        if any(map(self.counters.reduced, self.pieces)):
            band = f'<rect x="-14" y="-5" width="28" height="10" fill="#fff" stroke="{INK}"/>'
            yield LegendEntry(band, (svg_symbols.REDUCED.in_(lang),))


def caption(text: str, y: float, width: float) -> str:
    """Draw the heading of a part below the map, with a line above."""
    return (
        f'<path d="M{short(MARGIN)} {short(y - 14)}h{short(width)}" stroke="#b9b09c" '
        f'stroke-width=".7"/>{words("caption", MARGIN, y, text)}'
    )


def _entry(entry: LegendEntry, x: float, y: float, reach: float) -> str:
    height = LETTERS + 2.6
    first = y + 3.5 - height * (len(entry.lines) - 1) / 2
    text = "".join(
        f'<text x="{short(x + 2 * reach + 6)}" y="{short(first + height * number)}">'
        f"{escape(line)}</text>"
        for number, line in enumerate(entry.lines)
    )
    return (
        f'<g class="entry"><g transform="translate({short(x + reach)} {short(y)})">'
        f"{entry.figure}</g>{text}</g>"
    )
