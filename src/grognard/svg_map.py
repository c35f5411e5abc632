"""A board as a picture: one SVG that needs nothing else, readable without colours.

Layers are groups with classes, hexes carry `data-hex`, counters `data-unit`, so that a page can
take the same layers. Hexes have a flat side on top; a side is 50 long, half a hex 43.3 high.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import NamedTuple

from grognard import game, svg_symbols, svg_terrain
from grognard.board import Board, Map, Piece
from grognard.hexes import Hex, Hexside
from grognard.scenario import Scenario
from grognard.svg_symbols import Livery, Stripes, fitted
from grognard.svg_terrain import HACHURE, INK, PAPER, WATER, WATER_INK, short
from grognard.text import Lang, Text

SIDE, HALF = 50.0, 43.3  # the length of a side, half the height of a hex
MARGIN, HEAD = 24.0, 66.0
LEAST_WIDTH = 620.0
CORNERS = ((50.0, 0.0), (25.0, HALF), (-25.0, HALF), (-50.0, 0.0), (-25.0, -HALF), (25.0, -HALF))

TERRAIN = Text("Terrain", "Terrain")
MARKS = Text("Marks", "Marques")
COUNTERS = Text("Counters", "Pions")
BESIDE = Text("Beside the map", "Hors carte")
TURN = Text("turn", "tour")
AT_HAND = Text("at hand", "disponible")
SOURCE = Text("supply source", "source de ravitaillement")
OBJECTIVE = Text("objective, its points and who holds it", "objectif, ses points et qui le tient")
HEIGHT = Text("height", "altitude")
BELOW = Text("below", "en bas")
OR = Text(" or ", " ou ")
TO_LEFT = Text("left", "à gauche")
TO_RIGHT = Text("right", "à droite")
FORMATION = Text("stripe: formation", "bande : formation")
STACK = Text("stack: number of units, sum of factors", "pile : nombre d'unités, somme des facteurs")
MAP_OF = Text(
    "Map with {hexes} hexes and {units} units.", "Carte de {hexes} hex et {units} unités."
)


class Point(NamedTuple):
    """A place in the picture."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"{short(self.x)} {short(self.y)}"

    def towards(self, other: "Point", share: float) -> "Point":
        return Point(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)


def draw(board: Board, scenario: Scenario, lang: Lang) -> str:
    """Draw a board as SVG."""
    return "".join(_Picture(board, scenario, lang).drawn())


class _Picture:
    """A board that is being drawn."""

    def __init__(self, board: Board, scenario: Scenario, lang: Lang) -> None:
        self.board, self.scenario, self.lang = board, scenario, lang
        self.map: Map = board.map
        self.hexes = sorted(self.map.places)
        self.left = min((hex_.q for hex_ in self.hexes), default=0)
        self.top = min((2 * hex_.r + hex_.q for hex_ in self.hexes), default=0)
        right = max((hex_.q for hex_ in self.hexes), default=0)
        bottom = max((2 * hex_.r + hex_.q for hex_ in self.hexes), default=0)
        self.map_width = 1.5 * SIDE * (right - self.left) + 2 * SIDE
        self.map_bottom = HEAD + HALF * (bottom - self.top + 2)
        self.width = max(self.map_width + 2 * MARGIN, LEAST_WIDTH)
        self.indent = (self.width - self.map_width) / 2
        self.firsts = scenario.sides[0].id
        self.liveries: Mapping[str, Livery] = {
            side.id: svg_symbols.livery(side.colour, first=side.id == self.firsts)
            for side in scenario.sides
        }
        self.strengths = {u.name: u.steps or len(u.faces) for u in scenario.units}
        self.stripes = Stripes(piece.formation for piece in board.pieces)
        self.objectives = {self.map.numbering.hex(o.hex): o for o in scenario.objectives}

    # -------------------------------------------------------------- geometry

    def centre(self, hex_: Hex) -> Point:
        return Point(
            self.indent + SIDE + 1.5 * SIDE * (hex_.q - self.left),
            HEAD + HALF * (2 * hex_.r + hex_.q - self.top + 1),
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

    def pair(self, side: Hexside) -> str:
        return f"{self.map.number(side.first)}-{self.map.number(side.second)}"

    # -------------------------------------------------------------- the whole

    def drawn(self) -> Iterator[str]:
        beside, bottom = self.beside(self.map_bottom + 30)
        legend, bottom = _Legend(self, bottom).drawn()
        scenario, lang = self.scenario, self.lang
        height = bottom + 14
        units = sum(piece.at is not None for piece in self.board.pieces)
        about = MAP_OF.in_(lang).format(hexes=len(self.hexes), units=units)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="grognard-map" lang="{lang}" '
            f'viewBox="0 0 {short(self.width)} {short(height)}" width="{short(self.width * 1.6)}" '
            f'height="{short(height * 1.6)}" role="img" fill="{INK}" '
            'aria-labelledby="map-title map-about">\n'
            f'<title id="map-title">{escape(scenario.name.in_(lang))}</title>\n'
            f'<desc id="map-about">{escape(scenario.about.in_(lang))} {escape(about)}</desc>\n'
            f"<style>{_STYLE}</style>\n<defs>\n{self.definitions()}</defs>\n"
            f'<rect class="paper" width="{short(self.width)}" height="{short(height)}" '
            f'fill="{PAPER}"/>\n'
        )
        yield self.heading()
        yield _layer("hexes", (self.ground(hex_) for hex_ in self.hexes))
        yield _layer("grid", (self.outline(hex_) for hex_ in self.hexes))
        yield _layer("sides", self.sides())
        yield _layer("ways", self.ways())
        yield _layer("figures", (self.figures(hex_) for hex_ in self.hexes))
        yield _layer("numbers", (self.number(hex_) for hex_ in self.hexes))
        yield _layer("marks", self.marks())
        yield _layer("river-names", self.river_names())
        yield _layer("counters", (self.stack(hex_) for hex_ in self.hexes))
        yield _layer("names", (self.name(hex_) for hex_ in self.hexes))
        yield beside
        yield legend
        yield "</svg>\n"

    def definitions(self) -> str:
        patterns = {svg_terrain.pattern_id(id_): id_ for id_ in self.features()}
        kinds = {svg_symbols.known(piece.kind): piece.kind for piece in self.board.pieces}
        return "".join(
            f"{made}\n"
            for made in (
                *(svg_terrain.pattern(id_) for _, id_ in sorted(patterns.items())),
                *(svg_symbols.definition(kind) for _, kind in sorted(kinds.items())),
            )
            if made
        )

    def features(self) -> list[str]:
        """Give the terrain of hexes that occurs, in the order of the card."""
        used = {id_ for place in self.map.places.values() for id_ in place.terrain}
        return _ordered(used, self.map.terrain)

    def heading(self) -> str:
        lang = self.lang
        card = game.card(self.scenario.game)
        line = [
            _words("title", MARGIN, 30, self.scenario.name.in_(lang)),
            _words("about", MARGIN, 48, card.name.in_(lang)),
        ]
        x = self.width - MARGIN
        for player in reversed(self.scenario.sides):
            words = player.name.in_(lang)
            x -= 7 * len(words) + 4
            first = player.id == self.firsts
            line.append(_words("side", x, 50, words))
            x -= 20
            line.append(self.badge(player.id, x + 7, 46))
            x -= 10 if not first else 0
        return f'<g class="heading">{"".join(line)}</g>\n'

    def badge(self, side: str, x: float, y: float, reach: float = 7) -> str:
        """Draw a side's mark on its colour."""
        made = self.liveries[side]
        mark = svg_symbols.side_mark(
            first=side == self.firsts, x=x, y=y, reach=reach * 0.55, fill=made.ink
        )
        return (
            f'<rect x="{short(x - reach)}" y="{short(y - reach)}" width="{short(2 * reach)}" '
            f'height="{short(2 * reach)}" rx="2" fill="{made.fill}" stroke="{made.edge}" '
            f'stroke-width=".8"/>{mark}'
        )

    # -------------------------------------------------------------- the ground

    def level(self, hex_: Hex) -> int:
        """Tell how high a hex stands; a hill whose height is not stated is one level high."""
        place = self.map.places[hex_]
        hilly = any(svg_terrain.ground(id_).edge == "hill" for id_ in place.terrain)
        return max(place.height, int(hilly))

    def ground(self, hex_: Hex) -> str:
        terrain = _ordered(self.map.places[hex_].terrain, self.map.terrain)
        number = self.map.number(hex_)
        words = ", ".join(self.map.terrain[id_].text.in_(self.lang) for id_ in terrain)
        points = self.outline_points(hex_)
        parts = [f'<polygon class="ground" points="{points}" fill="{self.fill(hex_, terrain)}"/>']
        for id_ in terrain:
            if svg_terrain.ground(id_).pattern:
                parts.append(
                    f'<polygon class="pattern" data-terrain="{escape(id_)}" points="{points}" '
                    f'fill="url(#{svg_terrain.pattern_id(id_)})"/>'
                )
            if svg_terrain.ground(id_).edge == "coast":
                parts.append(self.shore(hex_))
        parts.append(self.hachures(hex_))
        return (
            f'<g class="hex" data-hex="{number}" data-terrain="{escape(" ".join(terrain))}">'
            f"<title>{escape(f'{number}: {words}')}</title>{''.join(parts)}</g>"
        )

    def fill(self, hex_: Hex, terrain: Iterable[str]) -> str:
        looks = [svg_terrain.ground(id_) for id_ in terrain]
        best = max(looks, key=lambda look: look.rank, default=svg_terrain.GROUND["clear"])
        level = self.level(hex_)
        return svg_terrain.height_fill(level) if level and best.rank <= 25 else best.fill

    def outline_points(self, hex_: Hex) -> str:
        at = self.centre(hex_)
        return " ".join(f"{short(at.x + x)},{short(at.y + y)}" for x, y in CORNERS)

    def outline(self, hex_: Hex) -> str:
        return f'<polygon points="{self.outline_points(hex_)}"/>'

    def hachures(self, hex_: Hex) -> str:
        """Draw a contour with strokes downhill along the sides towards lower ground."""
        level = self.level(hex_)
        lines, strokes = [], []
        for direction in range(6):
            beyond = hex_.step(direction)
            if beyond not in self.map.places or self.level(beyond) >= level:
                continue
            one, other = self.ends(hex_, direction, 0.82)
            lines.append(f"M{one}L{other}")
            outer, outer_end = self.ends(hex_, direction, 0.95)
            for tick in range(6):
                share = (tick + 0.5) / 6
                start, end = one.towards(other, share), outer.towards(outer_end, share)
                strokes.append(f"M{start}L{end}")
        if not lines:
            return ""
        return (
            f'<g class="contour" fill="none" stroke="{HACHURE}" stroke-linecap="round">'
            f'<path d="{"".join(lines)}" stroke-width="1.5"/>'
            f'<path d="{"".join(strokes)}" stroke-width="1.1"/></g>'
        )

    def shore(self, hex_: Hex) -> str:
        """Draw water along the sides towards the sea or the edge of the map."""
        bands = []
        for direction in range(6):
            beyond = self.map.places.get(hex_.step(direction))
            if beyond and not any(
                svg_terrain.look(id_) in ("sea", "lake") for id_ in beyond.terrain
            ):
                continue
            one, other = self.ends(hex_, direction)
            inner, inner_end = self.ends(hex_, direction, 0.8)
            wave, wave_end = self.ends(hex_, direction, 0.9)
            bands.append(
                f'<path d="M{one}L{other}L{inner_end}L{inner}Z" fill="{WATER}"/>'
                f'<path d="M{inner}L{inner_end}" stroke="{WATER_INK}" stroke-width="1.4"/>'
                f'<path d="M{wave}L{wave_end}" stroke="{WATER_INK}" stroke-dasharray="5 3"/>'
            )
        return f'<g class="shore">{"".join(bands)}</g>'

    def figures(self, hex_: Hex) -> str:
        at = self.centre(hex_)
        drawn: list[str] = []
        corners: list[str] = []
        for id_ in _ordered(self.map.places[hex_].terrain, self.map.terrain):
            look = svg_terrain.ground(id_)
            corner = look.corner or ("" if svg_terrain.is_known(id_) else self.initial(id_))
            if look.figure:
                drawn.append(f'<g data-terrain="{escape(id_)}">{look.figure}</g>')
            if corner:
                x, y = _FREE[len(corners) % len(_FREE)]
                moved = f'transform="translate({x} {y})"'
                corners.append(f'<g data-terrain="{escape(id_)}" {moved}>{corner}</g>')
        drawn += corners
        place = f'<g transform="translate({at})" data-at="{self.map.number(hex_)}">'
        return f"{place}{''.join(drawn)}</g>" if drawn else ""

    def initial(self, id_: str) -> str:
        """Draw the first letter of a feature that we don't know."""
        return svg_terrain.letter(self.map.terrain[id_].text.in_(self.lang)[:1].upper(), 0, 0)

    def number(self, hex_: Hex) -> str:
        at = self.centre(hex_)
        return f'<text x="{short(at.x)}" y="{short(at.y - 34)}">{self.map.number(hex_)}</text>'

    def name(self, hex_: Hex) -> str:
        name = self.map.places[hex_].name
        if not name:
            return ""
        at = self.centre(hex_)
        return (
            f'<text x="{short(at.x)}" y="{short(at.y + 37.5)}">{escape(name.in_(self.lang))}</text>'
        )

    # -------------------------------------------------------------- sides

    def sides(self) -> Iterator[str]:
        """Draw the features of hexsides: the lowest lines first, so that joints are smooth."""
        kinds: dict[str, list[Hexside]] = {}
        for side, ids in sorted(self.map.hexsides.items()):
            for id_ in ids:
                kinds.setdefault(id_, []).append(side)
        for id_ in _ordered(kinds, self.map.terrain):
            strokes = svg_terrain.side(id_)
            for number, stroke in enumerate(strokes):
                for side in kinds[id_]:
                    one, other = self.side_ends(side)
                    named = "" if number else f' data-side="{self.pair(side)}"'
                    path = svg_terrain.line(f"M{one}L{other}", stroke)
                    yield f'<path class="side {escape(id_)}"{named} {path}/>'
            for side in kinds[id_]:
                yield self.side_figure(id_, side)

    def side_figure(self, id_: str, side: Hexside) -> str:
        """Draw what a feature has besides its lines: a causeway's dam, an unknown one's letter."""
        one, other = self.side_ends(side)
        middle = one.towards(other, 0.5)
        if svg_terrain.side_look(id_) == "causeway":
            across = self.centre(side.first), self.centre(side.second)
            start, end = middle.towards(across[0], 0.32), middle.towards(across[1], 0.32)
            way = f'd="M{start}L{end}" stroke-linecap="butt"'
            return (
                f'<g class="dam"><path {way} stroke="{INK}" stroke-width="17"/>'
                f'<path {way} stroke="#e9d9b4" stroke-width="13.5"/></g>'
            )
        if svg_terrain.side_look(id_) is None:
            return f'<g transform="translate({middle})">{self.initial(id_)}</g>'
        return ""

    def river_names(self) -> Iterator[str]:
        named: dict[Text, list[Hexside]] = {}
        printed = {row.text for row in self.map.terrain.values()}
        for side, name in self.map.names.items():
            if name.in_(self.lang).lower() in {text.in_(self.lang).lower() for text in printed}:
                continue  # the legend says it
            named.setdefault(name, []).append(side)
        for name, sides in named.items():
            words = name.in_(self.lang)
            side, upper = min(
                ((s, at) for s in sides for at in s), key=lambda c: self.awkward(c[0], c[1], sides)
            )
            one, other = self.ends(upper, upper.direction(side[1] if upper == side[0] else side[0]))
            inner = one.towards(other, 0.5).towards(self.centre(upper), 0.2)
            turn = self.slope(side)
            how = f'class="river-name" transform="rotate({turn} {inner})"'
            yield fitted(words, inner.x, inner.y + 2.2, 8, 58, how)

    def awkward(self, side: Hexside, at: Hex, sides: list[Hexside]) -> tuple[bool, bool, bool, int]:
        """Tell how bad a place in a hex is for the name of a side: the least is the best."""
        lies_above = at == side.first and self.slope(side) == 0
        place = self.map.places[at]
        busy = bool(place.name) and self.slope(side) == 0
        crowded = bool(self.map.ways_between(*side)) or at in self.objectives
        return (crowded, busy, not lies_above, abs(sides.index(side) - len(sides) // 2))

    def slope(self, side: Hexside) -> int:
        return {0: 0, 1: 60, 2: -60}[side.first.direction(side.second) % 3]

    # -------------------------------------------------------------- ways

    def ways(self) -> Iterator[str]:
        """Draw roads and railways through the centres, smoothly where one goes straight on."""
        kinds = {id_ for ids in self.map.ways.values() for id_ in ids}
        order = _ordered(kinds, self.map.terrain)
        for id_ in sorted(order, key=lambda kind: (svg_terrain.is_rail(kind), order.index(kind))):
            pieces = list(self.way_pieces(id_))
            for number, stroke in enumerate(svg_terrain.way(id_)):
                for hex_, path in pieces:
                    at = "" if number else f' data-at="{self.map.number(hex_)}"'
                    line = svg_terrain.line(path, stroke)
                    yield f'<path class="way {escape(id_)}"{at} {line}/>'

    def way_pieces(self, id_: str) -> Iterator[tuple[Hex, str]]:
        shifts = self.shifts(id_)
        for hex_ in self.hexes:
            gates = [
                (side, self.gate(side, shifts))
                for direction in range(6)
                if id_ in self.map.ways.get(side := hex_.side(direction), ())
            ]
            at = self.centre(hex_)
            if len(gates) == 2:
                (one, start), (other, end) = gates
                bend = self.bend(at, (one, other), shifts)
                yield hex_, f"M{start}Q{bend} {end}"
            elif len(gates) == 1 and (edge := self.way_out(hex_, gates[0][0])):
                yield hex_, f"M{gates[0][1]}Q{at} {edge}"
            elif gates:
                yield hex_, "".join(f"M{gate}L{at}" for _, gate in gates)

    def way_out(self, hex_: Hex, side: Hexside) -> Point | None:
        """Give the point where a way that ends in a hex at the edge leaves the map."""
        straight = hex_.direction(side.second if hex_ == side.first else side.first) + 3
        for direction in (straight, straight + 1, straight - 1):
            if hex_.step(direction) not in self.map.places:
                one, other = self.ends(hex_, direction)
                return one.towards(other, 0.5)
        return None

    def bend(self, at: Point, sides: Iterable[Hexside], shifts: Mapping[Hexside, Point]) -> Point:
        moved = [shifts[side] for side in sides if side in shifts]
        return Point(at.x + sum(p.x for p in moved) / 2, at.y + sum(p.y for p in moved) / 2)

    def gate(self, side: Hexside, shifts: Mapping[Hexside, Point]) -> Point:
        """Give the point where a way crosses a side: its middle, beside it where two ways do."""
        one, other = self.side_ends(side)
        middle, shift = one.towards(other, 0.5), shifts.get(side, Point(0, 0))
        return Point(middle.x + shift.x, middle.y + shift.y)

    def shifts(self, id_: str) -> dict[Hexside, Point]:
        """Move a railway to one side of the road that runs along with it, all the way the same."""
        if not svg_terrain.is_rail(id_):
            return {}
        shared = {side for side, ids in self.map.ways.items() if id_ in ids and len(ids) > 1}
        shifts: dict[Hexside, Point] = {}
        for begin in sorted(shared):
            ahead = [(begin.first, begin.second)] if begin not in shifts else []
            while ahead:
                here, there = ahead.pop()
                side = here.side(here.direction(there))
                if side in shifts:
                    continue
                one, other = self.ends(here, here.direction(there))
                shifts[side] = Point((other.x - one.x) * 0.15, (other.y - one.y) * 0.15)
                ahead += [(there, n) for n in there.neighbours() if _side(there, n) in shared]
                ahead += [(n, here) for n in here.neighbours() if _side(here, n) in shared]
        return shifts

    # -------------------------------------------------------------- marks

    def marks(self) -> Iterator[str]:
        for hex_ in self.hexes:
            at = self.centre(hex_)
            number = self.map.number(hex_)
            objective = self.objectives.get(hex_)
            if objective:
                holder = self.board.holders.get(hex_, "")
                badge = self.badge(holder, -36, 12.5, 4) if holder in self.liveries else ""
                yield (
                    f'<g class="objective" data-objective="{number}" transform="translate({at})">'
                    f"<title>{escape(objective.text.in_(self.lang))}</title>"
                    f"{svg_terrain.star(-35, 0, str(objective.points))}{badge}</g>"
                )
            if hex_ in self.map.sources:
                yield (
                    f'<g class="source" data-source="{number}" transform="translate({at})">'
                    f"{self.source(self.map.sources[hex_], 36, 0)}</g>"
                )
            if self.map.places[hex_].height:
                x, y = (-30, -15) if hex_ in self.map.sources else (33, 3)
                yield (
                    f'<text class="height" x="{short(at.x + x)}" y="{short(at.y + y)}">'
                    f"▲{self.map.places[hex_].height}</text>"
                )

    def source(self, side: str, x: float, y: float) -> str:
        """Draw a supply source: a wheel in its side's colour, with the side's mark."""
        made = self.liveries[side]
        spokes = "".join(
            f"M0 0L{short(8 * a)} {short(8 * b)}"
            for a, b in ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))
        )
        mark = svg_symbols.side_mark(first=side == self.firsts, x=0, y=0, reach=2.9, fill=made.ink)
        return (
            f'<g transform="translate({short(x)} {short(y)})"><circle r="8" fill="{PAPER}" '
            f'stroke="{INK}" stroke-width="2"/><path d="{spokes}" stroke="{INK}"/>'
            f'<circle r="5" fill="{made.fill}" stroke="{INK}" stroke-width=".8"/>{mark}</g>'
        )

    # -------------------------------------------------------------- counters

    def counter(self, piece: Piece, x: float, y: float) -> str:
        drawn = svg_symbols.counter(
            piece,
            self.liveries[piece.side],
            self.stripes,
            self.lang,
            first=piece.side == self.firsts,
            reduced=piece.steps < self.strengths.get(piece.name, len(piece.faces)),
        )
        return (
            f'<g class="counter" data-unit="{escape(piece.name)}" data-side="{escape(piece.side)}" '
            f'transform="translate({short(x)} {short(y)})">'
            f"<title>{escape(svg_symbols.described(piece, self.lang))}</title>{drawn}</g>"
        )

    def stack(self, hex_: Hex) -> str:
        """Draw the counters of a hex, the first on top."""
        pieces = self.board.stack(hex_)
        if not pieces:
            return ""
        at = self.centre(hex_)
        step = min(3.5, 12 / max(len(pieces) - 1, 1))
        first = -step * (len(pieces) - 1) / 2
        bottom = at.y - 3 - 0.8 * first  # room for the sum and the name below
        drawn = [
            self.counter(piece, at.x + first + step * place, bottom - step * place)
            for place, piece in reversed(list(enumerate(pieces)))
        ]
        if len(pieces) > 1:
            words = f"×{len(pieces)} Σ{svg_symbols.stack_sum(pieces)}".removesuffix(" Σ")
            drawn.append(_words("sum", at.x + first, bottom + 28.7, words))
        return f'<g class="stack" data-at="{self.map.number(hex_)}">{"".join(drawn)}</g>'

    def beside(self, top: float) -> tuple[str, float]:
        """Draw the units beside the map by their turn; tell where the next part begins."""
        waiting = [piece for piece in self.board.pieces if piece.at is None and piece.alive]
        if not waiting:
            return "", top
        parts = [_heading(BESIDE.in_(self.lang), MARGIN, top, self.width - MARGIN)]
        x, y = MARGIN, top + 24
        for piece in sorted(waiting, key=lambda p: (p.arrives, p.side != self.firsts)):
            turn = (
                f"{TURN.in_(self.lang)} {piece.arrives}"
                if piece.arrives
                else AT_HAND.in_(self.lang)
            )
            if x + svg_symbols.SIDE > self.width - MARGIN:
                x, y = MARGIN, y + 64
            parts.append(_words("turn", x + 22, y, turn))
            parts.append(self.counter(piece, x + 22, y + 27))
            x += 52
        return f'<g class="beside">{"".join(parts)}</g>\n', y + 76


class _Legend:
    """What the picture shows, in words: only what occurs."""

    def __init__(self, picture: _Picture, top: float) -> None:
        self.of, self.lang, self.y = picture, picture.lang, top

    def drawn(self) -> tuple[str, float]:
        parts = [
            *self.section(TERRAIN, [*self.grounds(), *self.lines()]),
            *self.section(MARKS, list(self.marks())),
            *self.section(COUNTERS, list(self.counters())),
            *self.key(),
        ]
        return f'<g class="legend">{"".join(parts)}</g>\n', self.y

    def section(self, heading: Text, items: list[tuple[str, str]]) -> Iterator[str]:
        if not items:
            return
        left, right = MARGIN, self.of.width - MARGIN
        yield _heading(heading.in_(self.lang), left, self.y, right)
        widest = max(len(words) for _, words in items) * 5.1 + 52
        columns = max(int((right - left) // widest), 1)
        wide = (right - left) / columns
        for place, (figure, words) in enumerate(items):
            x, y = left + place % columns * wide, self.y + 28 + place // columns * 34
            yield (
                f'<g class="entry"><g transform="translate({Point(x + 18, y)})">{figure}</g>'
                f'<text x="{short(x + 42)}" y="{short(y + 3.5)}">{escape(words)}</text></g>'
            )
        self.y += 28 + (len(items) - 1) // columns * 34 + 36

    def grounds(self) -> Iterator[tuple[str, str]]:
        points = " ".join(f"{short(x * 0.34)},{short(y * 0.34)}" for x, y in CORNERS)
        for id_ in self.of.features():
            row, look = self.of.map.terrain[id_], svg_terrain.ground(id_)
            pattern = f'<polygon points="{points}" fill="url(#{svg_terrain.pattern_id(id_)})"/>'
            letter = "" if svg_terrain.is_known(id_) else self.of.initial(id_)
            yield (
                f'<polygon points="{points}" fill="{look.fill}" stroke="{INK}" stroke-width=".7"/>'
                f"{pattern if look.pattern else ''}"
                f'<g transform="scale(.34)">{svg_terrain.EDGES.get(look.edge, "")}{look.figure}</g>'
                f"{look.corner}{letter}",
                _capital(row.text.in_(self.lang)),
            )

    def lines(self) -> Iterator[tuple[str, str]]:
        terrain = self.of.map.terrain
        sides = {id_ for ids in self.of.map.hexsides.values() for id_ in ids}
        ways = {id_ for ids in self.of.map.ways.values() for id_ in ids}
        for id_ in _ordered(sides, terrain):
            look = svg_terrain.side_look(id_)
            dam = '<path d="M0-11V11" stroke="#2a2620" stroke-width="11"/>' + (
                '<path d="M0-11V11" stroke="#e9d9b4" stroke-width="8"/>'
            )
            words = terrain[id_].text.in_(self.lang)
            extra = dam if look == "causeway" else "" if look else self.of.initial(id_)
            yield (
                svg_terrain.sample("M-14 5L-7-5H7L14 5", svg_terrain.side(id_)) + extra,
                _capital(words),
            )
        for id_ in _ordered(ways, terrain):
            yield (
                svg_terrain.sample("M-15 5Q0-10 15 3", svg_terrain.way(id_)),
                _capital(terrain[id_].text.in_(self.lang)),
            )

    def marks(self) -> Iterator[tuple[str, str]]:
        of = self.of
        if of.objectives:
            yield svg_terrain.star(0, 0, "3"), OBJECTIVE.in_(self.lang)
        for player in of.scenario.sides:
            if player.id in of.map.sources.values():
                words = f"{SOURCE.in_(self.lang)} ({player.name.in_(self.lang)})"
                yield of.source(player.id, 0, 0), words
        if any(place.height for place in of.map.places.values()):
            yield '<text class="height" y="3">▲1</text>', HEIGHT.in_(self.lang)
        if any(len(stack) > 1 for stack in of.board.stacks().values()):
            yield '<text class="sum" y="3">×2 Σ9</text>', STACK.in_(self.lang)

    def counters(self) -> Iterator[tuple[str, str]]:
        lang = self.lang
        pieces = [piece for piece in self.of.board.pieces if piece.alive]
        kinds = dict.fromkeys(svg_symbols.known(piece.kind) for piece in pieces)
        for kind in [kind for kind in svg_symbols.SYMBOLS if kind in kinds] + ["unknown"]:
            if kind in kinds:
                yield f'<use href="#symbol-{kind}"/>', svg_symbols.symbol(kind).name.in_(lang)
        sizes = dict.fromkeys(size for piece in pieces if (size := svg_symbols.size(piece)))
        for mark, name in sorted(sizes, key=list(svg_symbols.SIZES.values()).index):
            yield f'<text class="size" y="3">{mark}</text>', name.in_(lang)
        shown = sorted({s for piece in pieces for s in svg_symbols.states(piece)})
        for state in shown:
            yield (
                f'<rect x="-6" y="-7" width="12" height="13" rx="2.5" fill="#fff" stroke="{INK}"/>'
                + _words("size", 0, 3, svg_symbols.letter(state, lang)),
                svg_symbols.state_name(state, lang),
            )
        if any(svg_symbols.brief(state) for piece in pieces for state in piece.states):
            yield f'<circle r="3" fill="{INK}"/>', svg_symbols.ACTED.in_(lang)
        if any(piece.steps < self.of.strengths.get(piece.name, 0) for piece in pieces):
            band = f'<rect x="-14" y="-5" width="28" height="10" fill="#fff" stroke="{INK}"/>'
            yield band, svg_symbols.REDUCED.in_(lang)

    def key(self) -> Iterator[str]:
        """Say what the numbers of the counters are."""
        lang = self.lang
        pieces = [piece for piece in self.of.board.pieces if piece.alive]
        forms = dict.fromkeys(svg_symbols.line_names(piece, lang) for piece in pieces)
        used = {key for piece in pieces for key in svg_symbols.beside_keys(piece.faces[0])}
        left = [text.in_(lang) for key, text in svg_symbols.LEFT.items() if key in used]
        right = [text.in_(lang) for key, text in svg_symbols.RIGHT.items() if key in used]
        colon = " :" if lang == "fr" else ":"
        words = [
            f"{where.in_(lang)}{colon} {', '.join(names)}"
            for where, names in ((TO_LEFT, left), (TO_RIGHT, right))
            if names
        ]
        if any(piece.formation for piece in self.of.board.pieces):
            words.append(FORMATION.in_(lang))
        below = f"{BELOW.in_(lang)}{colon} {OR.in_(lang).join(form for form in forms if form)}"
        for line in (below, " · ".join(words)):
            yield _words("key", MARGIN, self.y, line)
            self.y += 14


# ------------------------------------------------------------------ pieces of drawing

_FREE = ((30, 21), (-30, -20), (30, -20))  # beside the counters

_STYLE = (
    ".grognard-map text{font-family:'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;"
    "font-variant-numeric:tabular-nums}"
    ".grognard-map .title{font:600 22px Georgia,'DejaVu Serif',serif}"
    ".grognard-map .about{font-size:10.5px;fill:#5a5347}"
    ".grognard-map .heading .side{font-size:12px;font-weight:600}"
    ".grognard-map .grid polygon{fill:none;stroke:#6f675a;stroke-width:.7}"
    ".grognard-map .sides path,.grognard-map .ways path{fill:none}"
    ".grognard-map .numbers text{font-size:6.8px;fill:#4a443a;text-anchor:middle;"
    "paint-order:stroke;stroke:#fbf7ec;stroke-width:1.6px}"
    ".grognard-map .names text{font:600 9.5px Georgia,'DejaVu Serif',serif;text-anchor:middle;"
    "font-variant:small-caps;letter-spacing:.3px;paint-order:stroke;stroke:#fbf7ec;"
    "stroke-width:3px;stroke-linejoin:round}"
    ".grognard-map .river-name{font-family:Georgia,'DejaVu Serif',serif;font-style:italic;"
    "fill:#17435c;paint-order:stroke;stroke:#fbf7ec;stroke-width:2.2px}"
    ".grognard-map .height{font-size:7.5px;font-weight:700;text-anchor:middle;fill:#5c3a18;"
    "paint-order:stroke;stroke:#fbf7ec;stroke-width:1.8px}"
    ".grognard-map .sum{font-size:7.2px;font-weight:700;text-anchor:middle;paint-order:stroke;"
    "stroke:#fbf7ec;stroke-width:2.4px;stroke-linejoin:round}"
    ".grognard-map .turn{font-size:7.5px;text-anchor:middle}"
    ".grognard-map .caption{font:600 12px Georgia,'DejaVu Serif',serif}"
    ".grognard-map .entry>text{font-size:9.6px}"
    ".grognard-map .key{font-size:9px;fill:#4a443a}"
    ".grognard-map .size{font-size:8.5px;font-weight:700;text-anchor:middle}"
    ".grognard-map .letter{font-size:9px;font-weight:700;text-anchor:middle}"
)


def _layer(name: str, parts: Iterable[str]) -> str:
    body = "\n".join(part for part in parts if part)
    return f'<g class="layer {name}">\n{body}\n</g>\n'


def _ordered(ids: Iterable[str], rows: Iterable[str]) -> list[str]:
    """Put ids in the order of the card's rows."""
    order = {id_: place for place, id_ in enumerate(rows)}
    return sorted(ids, key=lambda id_: (order.get(id_, len(order)), id_))


def _side(one: Hex, other: Hex) -> Hexside:
    return Hexside(*sorted((one, other)))


def _words(kind: str, x: float, y: float, words: str) -> str:
    return f'<text class="{kind}" x="{short(x)}" y="{short(y)}">{escape(words)}</text>'


def _heading(words: str, left: float, y: float, right: float) -> str:
    return (
        f'<path d="M{Point(left, y - 13)}H{short(right)}" stroke="#b9b09c" stroke-width=".7"/>'
        + _words("caption", left, y, words)
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
