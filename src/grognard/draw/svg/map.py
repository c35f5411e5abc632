"""A board as one self-contained SVG, readable without colours.

What a page may build on:

* `svg.grognard-map` holds, from the lowest up, `g.layer.hexes`, `.grid`, `.figures`, `.sides`,
  `.ways`, `.numbers`, `.marks`, `.river-names`; then `g.pieces` with `g.layer.holders` and
  `g.layer.counters`; then `g.layer.names`; below the map `g.beside` and `g.legend`.
* `g.hex` has `data-hex` (its number), `data-x` and `data-y` (its centre), `data-terrain`.
* `path.side` has `data-side` (the numbers of both hexes), `path.way` and `g.stack` have `data-at`,
  `g.objective` has `data-objective`, `g.source` has `data-source`, `g.holder` has `data-holder`
  and `data-side`.
* `g.counter` has `data-unit`, `data-hex` (none beside the map) and `data-side`. It is drawn around
  the origin and stands where its `transform` puts it, so that another one moves it.
* `pieces` draws `g.pieces` anew for another board of the same map, `counter` one counter as a
  small picture of its own (`svg.grognard-counter`).
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.counter import SIDE, CounterSheet
from grognard.draw.svg.elements import layer, short, wide, words
from grognard.draw.svg.ground import GroundLayer
from grognard.draw.svg.layout import MARGIN
from grognard.draw.svg.legend import Legend, caption
from grognard.draw.svg.pieces import Pieces
from grognard.draw.svg.terrain import INK, PAPER
from grognard.maps.board import Board, Piece
from grognard.maps.scenario import Scenario
from grognard.rules import game
from grognard.words.message import say
from grognard.words.text import Lang, Text

BESIDE = Text("Beside the map", "Hors carte")


def draw(board: Board, scenario: Scenario, lang: Lang) -> str:
    """Draw a board as SVG."""
    return "".join(_Picture(board, scenario, lang).drawn())


def pieces(board: Board, scenario: Scenario, lang: Lang) -> str:
    """Draw only the pieces of a board: a group that replaces the one in a picture."""
    return Pieces(board, scenario, lang).drawn()


def counter(piece: Piece, scenario: Scenario, lang: Lang) -> str:
    """Draw one counter as a small self-contained picture."""
    return counter_of(CounterSheet(scenario), piece, lang)


def counter_of(sheet: CounterSheet, piece: Piece, lang: Lang) -> str:
    """Draw one of many counters with the sheet of them all."""
    drawn = sheet.counter(piece, lang, svg_symbols.drawing(piece.kind))
    half = SIDE / 2 + 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="grognard-counter" '
        f'data-unit="{escape(piece.name)}" data-side="{escape(piece.side)}" '
        f'viewBox="{short(-half)} {short(-half)} {short(2 * half)} {short(2 * half)}" '
        f'width="{short(2 * half)}" height="{short(2 * half)}" role="img" '
        f'font-family="{_FONT}">'
        f"<title>{escape(svg_symbols.described(piece, lang))}</title>{drawn}</svg>\n"
    )


class _Picture:
    """A board that is being drawn."""

    def __init__(self, board: Board, scenario: Scenario, lang: Lang) -> None:
        self.board, self.scenario, self.lang = board, scenario, lang
        self.pieces = Pieces(board, scenario, lang)
        self.layout = self.pieces.layout
        self.ground = GroundLayer(self.pieces)

    def drawn(self) -> Iterator[str]:
        beside, y = self.beside(self.layout.bottom + 30)
        legend, bottom = Legend(self.ground).drawn(y)
        width, height, lang = self.layout.width, bottom + 20, self.lang
        units = sum(piece.at is not None for piece in self.board.pieces)
        about = say(
            "Map with {hexes} hexes and {units} {units:unit|units}.",
            hexes=len(self.layout.hexes),
            units=units,
        ).in_(lang)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="grognard-map" lang="{lang}" '
            f'viewBox="0 0 {short(width)} {short(height)}" width="{short(width * 1.6)}" '
            f'height="{short(height * 1.6)}" role="img" fill="{INK}" '
            'aria-labelledby="map-title map-about">\n'
            f'<title id="map-title">{escape(self.scenario.name.in_(lang))}</title>\n'
            f'<desc id="map-about">{escape(self.scenario.about.in_(lang))} {escape(about)}</desc>\n'
            f"<style>{_STYLE}</style>\n<defs>\n{self.definitions()}</defs>\n"
            f'<rect class="paper" width="{short(width)}" height="{short(height)}" '
            f'fill="{PAPER}"/>\n'
        )
        yield self.heading()
        for name, parts in self.ground.layers():
            yield layer(name, parts)
        yield self.pieces.drawn()
        yield layer("names", self.ground.names())
        yield f'{beside}<g class="legend">{legend}</g>\n</svg>\n'

    def definitions(self) -> str:
        rows = (self.board.map.terrain[id_] for id_ in self.ground.features())
        patterns = {svg_terrain.pattern_id(row): row for row in rows}
        kinds = {svg_symbols.known(piece.kind): piece.kind for piece in self.board.pieces}
        return "".join(
            f"{made}\n"
            for made in (
                *(svg_terrain.pattern(patterns[id_]) for id_ in sorted(patterns)),
                *(
                    svg_symbols.drawing(kind, f'id="symbol-{name}" ')
                    for name, kind in sorted(kinds.items())
                ),
            )
            if made
        )

    def heading(self) -> str:
        """Draw the names of the battle and its game, and its sides at the right."""
        lang = self.lang
        line = [
            words("title", MARGIN, 30, self.scenario.name.in_(lang)),
            words("about", MARGIN, 48, game.card(self.scenario.game).name.in_(lang)),
        ]
        x = self.layout.width - MARGIN
        for player in reversed(self.scenario.sides):
            name = player.name.in_(lang)
            x -= wide(name, 12)
            line.append(words("side", x, 50, name))
            line.append(self.pieces.counters.badge(player.id, x - 13, 46))
            x -= 38
        return f'<g class="heading">{"".join(line)}</g>\n'

    def beside(self, top: float) -> tuple[str, float]:
        """Draw the units beside the map; give the top of the next part too."""
        if not self.pieces.waiting():
            return "", top
        head = caption(BESIDE.in_(self.lang), top, self.layout.width - 2 * MARGIN)
        drawn, bottom = self.pieces.beside(top + 22)
        return f'<g class="beside">{head}{drawn}</g>\n', bottom + 30


_FONT = "'Helvetica Neue',Arial,'DejaVu Sans',sans-serif"
_CSS = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_STYLE = "".join(line.strip() for line in _CSS.splitlines())
