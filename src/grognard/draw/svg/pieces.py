"""The changing part of a picture: counters, and the holders of objectives."""

from collections.abc import Iterator
from html import escape

from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg.counter import SIDE, CounterSheet
from grognard.draw.svg.elements import layer, words
from grognard.draw.svg.layout import MARGIN, Layout, Point
from grognard.maps.board import FACE_DOWN, Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.scenario import Scenario
from grognard.words.text import Lang, Text

TURN = Text("turn", "tour")
AT_HAND = Text("at hand", "disponible")

TOP, SUM = -31.0, 8.0  # below a hex's number; the height of the line with the sum of a stack
ROOM, NAMED = 73.0, 64.0  # between the number and the lower edge, or the name of the hex
STEP, ASIDE = 9.0, 2.5  # of the counters of a stack: so far that a name is read below the next


class Pieces:
    """The counters of a board in their places."""

    def __init__(self, board: Board, scenario: Scenario, lang: Lang) -> None:
        self.board, self.scenario, self.lang = board, scenario, lang
        self.layout, self.counters = Layout(board.map), CounterSheet(scenario)

    def drawn(self) -> str:
        """Draw the group of all counters on the map."""
        layers = layer("holders", self.holders()) + layer("counters", self.stacks())
        return f'<g class="pieces">\n{layers}</g>\n'

    def holders(self) -> Iterator[str]:
        """Mark each objective with the side that holds it."""
        for objective in self.scenario.objectives:
            hex_ = self.board.map.numbering.hex(objective.hex)
            holder = self.board.holders.get(hex_, "")
            if holder in self.counters.liveries:
                at, number = self.layout.centre(hex_), self.board.map.number(hex_)
                yield (
                    f'<g class="holder" data-holder="{number}" data-side="{escape(holder)}" '
                    f'transform="translate({at})">{self.counters.badge(holder, -36, 12.5, 4)}</g>'
                )

    def stacks(self) -> Iterator[str]:
        """Draw the counters hex by hex."""
        return (self.stack(hex_) for hex_ in self.layout.hexes if self.board.stack(hex_))

    def stack(self, hex_: Hex) -> str:
        """Draw the counters of a hex, the first on top and lowest."""
        number = self.board.map.number(hex_)
        drawn = [self.counter(piece, place) for piece, place in self.placed(hex_)]
        return f'<g class="stack" data-at="{number}">{"".join(drawn)}{self.sum(hex_)}</g>'

    def placed(self, hex_: Hex) -> list[tuple[Piece, Point]]:
        """Give the counters of a hex with their places, the lowest of the stack first."""
        pairs = zip(self.board.stack(hex_), self.places(hex_), strict=True)
        return list(reversed(list(pairs)))

    def sum(self, hex_: Hex) -> str:
        """Write below a stack how many counters it has, and the sum of their factors."""
        pieces = self.board.stack(hex_)
        if len(pieces) < 2:
            return ""
        line = f"×{len(pieces)} Σ{svg_symbols.stack_sum(pieces)}".removesuffix(" Σ")
        if any(piece.kind == FACE_DOWN for piece in pieces):
            line = f"×{len(pieces)}"
        at = self.places(hex_)[0]
        return words("sum", at.x, at.y + SIDE / 2 + SUM - 0.5, line)

    def places(self, hex_: Hex) -> list[Point]:
        """Place the counters of a hex: below its number, above its name."""
        at, above = self.layout.centre(hex_), len(self.board.stack(hex_)) - 1
        if not above:
            return [Point(at.x, at.y - 2)]
        room = (NAMED if self.board.map.places[hex_].name else ROOM) - SIDE - SUM
        step, aside = min(STEP, room / above), min(ASIDE, 2 * ASIDE / above)
        lowest = TOP + SIDE / 2 + step * above
        return [
            Point(at.x + aside * (place - above / 2), at.y + lowest - step * place)
            for place in range(above + 1)
        ]

    def counter(self, piece: Piece, at: Point) -> str:
        """Draw a counter; its group can be moved by its transform."""
        hex_ = f'data-hex="{self.board.map.number(piece.at)}" ' if piece.at else ""
        return (
            f'<g class="counter" data-unit="{escape(piece.name)}" {hex_}'
            f'data-side="{escape(piece.side)}" transform="translate({at})">'
            f"{self.inside(piece)}</g>"
        )

    def inside(self, piece: Piece) -> str:
        """Draw what is in the group of a counter."""
        return (
            f"<title>{escape(svg_symbols.described(piece, self.lang))}</title>"
            f"{self.counters.counter(piece, self.lang, svg_symbols.use(piece.kind))}"
        )

    # -------------------------------------------------------------- beside the map

    def waiting(self) -> list[Piece]:
        """Give the units beside the map in the order of their arrival."""
        pieces = [piece for piece in self.board.pieces if piece.at is None and piece.alive]
        return sorted(pieces, key=lambda p: (p.arrives, p.side != self.counters.first))

    def beside(self, top: float) -> tuple[str, float]:
        """Draw the units beside the map; give their lower end too."""
        x, y, drawn = MARGIN, top, list[str]()
        for piece in self.waiting():
            if x + SIDE > self.layout.width - MARGIN:
                x, y = MARGIN, y + 62
            turn, at_hand = TURN.in_(self.lang), AT_HAND.in_(self.lang)
            when = f"{turn} {piece.arrives}" if piece.arrives else at_hand
            drawn.append(words("turn", x + SIDE / 2, y, when))
            drawn.append(self.counter(piece, Point(x + SIDE / 2, y + 27)))
            x += 52
        return "".join(drawn), y + 49
