"""The printed map in a picture: hexes with terrain, sides, ways, numbers, names and marks."""

from collections.abc import Iterable, Iterator
from html import escape

from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.elements import fitted, short
from grognard.draw.svg.pieces import Pieces
from grognard.draw.svg.terrain import HACHURE, INK, WATER, WATER_INK, ordered
from grognard.draw.svg.ways import Ways
from grognard.maps.hexes import Hex, Hexside
from grognard.words.text import Text

_FREE = ((30, 21), (-30, -20), (30, -20))  # beside the counters


class GroundLayer:
    """The printed map, layer by layer."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces, self.map, self.layout = pieces, pieces.board.map, pieces.layout
        self.lang = pieces.lang
        objectives = pieces.scenario.objectives
        self.objectives = {self.map.numbering.hex(o.hex): o for o in objectives}

    def layers(self) -> Iterator[tuple[str, Iterable[str]]]:
        """Give the layers that lie below the counters, the lowest first."""
        hexes = self.layout.hexes
        yield "hexes", (self.ground(hex_) for hex_ in hexes)
        yield "grid", (f'<polygon points="{self.layout.outline(hex_)}"/>' for hex_ in hexes)
        yield "figures", (self.figures(hex_) for hex_ in hexes)
        yield "sides", self.sides()
        yield "ways", Ways(self.map, self.layout).drawn()
        yield "numbers", (self.number(hex_) for hex_ in hexes)
        yield "marks", self.marks()
        yield "river-names", self.river_names()

    def names(self) -> Iterable[str]:
        """Draw the names of places, above the counters."""
        return (self.name(hex_) for hex_ in self.layout.hexes)

    def features(self) -> list[str]:
        """Give the hex terrain that occurs, in the order of the card."""
        used = {id_ for place in self.map.places.values() for id_ in place.terrain}
        return ordered(used, self.map.terrain)

    def pair(self, side: Hexside) -> str:
        return f"{self.map.number(side.first)}-{self.map.number(side.second)}"

    # -------------------------------------------------------------- the ground

    def level(self, hex_: Hex) -> int:
        """Give the height of a hex; a hill without a stated height is one level high."""
        place = self.map.places[hex_]
        hilly = any(svg_terrain.ground(row).edge == "hill" for row in self.map.rows(hex_))
        return max(place.height, int(hilly))

    def ground(self, hex_: Hex) -> str:
        terrain = ordered(self.map.places[hex_].terrain, self.map.terrain)
        number, at = self.map.number(hex_), self.layout.centre(hex_)
        words = ", ".join(self.map.terrain[id_].text.in_(self.lang) for id_ in terrain)
        points = self.layout.outline(hex_)
        parts = [f'<polygon class="ground" points="{points}" fill="{self.fill(hex_, terrain)}"/>']
        for id_ in terrain:
            row = self.map.terrain[id_]
            if svg_terrain.ground(row).pattern:
                parts.append(
                    f'<polygon class="pattern" data-terrain="{escape(id_)}" points="{points}" '
                    f'fill="url(#{svg_terrain.pattern_id(row)})"/>'
                )
            if svg_terrain.ground(row).edge == "coast":
                parts.append(self.shore(hex_))
        parts.append(self.hachures(hex_))
        return (
            f'<g class="hex" data-hex="{number}" data-x="{short(at.x)}" data-y="{short(at.y)}" '
            f'data-terrain="{escape(" ".join(terrain))}">'
            f"<title>{escape(f'{number}: {words}')}</title>{''.join(parts)}</g>"
        )

    def fill(self, hex_: Hex, terrain: Iterable[str]) -> str:
        looks = [svg_terrain.ground(self.map.terrain[id_]) for id_ in terrain]
        best = max(looks, key=lambda look: look.rank, default=svg_terrain.GROUND["clear"])
        level = self.level(hex_)
        return svg_terrain.height_fill(level) if level and best.rank <= 25 else best.fill

    def hachures(self, hex_: Hex) -> str:
        """Draw a contour with strokes downhill along the sides towards lower ground."""
        level = self.level(hex_)
        lines, strokes = [], []
        for direction in range(6):
            beyond = hex_.step(direction)
            if beyond not in self.map.places or self.level(beyond) >= level:
                continue
            one, other = self.layout.ends(hex_, direction, 0.82)
            lines.append(f"M{one}L{other}")
            outer, outer_end = self.layout.ends(hex_, direction, 0.95)
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
            beyond = hex_.step(direction)
            if beyond in self.map.places and not any(
                svg_terrain.look(row) in ("sea", "lake") for row in self.map.rows(beyond)
            ):
                continue
            one, other = self.layout.ends(hex_, direction)
            inner, inner_end = self.layout.ends(hex_, direction, 0.8)
            wave, wave_end = self.layout.ends(hex_, direction, 0.9)
            bands.append(
                f'<path d="M{one}L{other}L{inner_end}L{inner}Z" fill="{WATER}"/>'
                f'<path d="M{inner}L{inner_end}" stroke="{WATER_INK}" stroke-width="1.4"/>'
                f'<path d="M{wave}L{wave_end}" stroke="{WATER_INK}" stroke-dasharray="5 3"/>'
            )
        return f'<g class="shore">{"".join(bands)}</g>'

    def figures(self, hex_: Hex) -> str:
        at = self.layout.centre(hex_)
        drawn: list[str] = []
        corners: list[str] = []
        for id_ in ordered(self.map.places[hex_].terrain, self.map.terrain):
            row = self.map.terrain[id_]
            look, known = svg_terrain.ground(row), svg_terrain.is_known(row)
            corner = svg_terrain.initial(row, self.lang, known=known) or look.corner
            if look.figure:
                drawn.append(f'<g data-terrain="{escape(id_)}">{look.figure}</g>')
            if corner:
                x, y = _FREE[len(corners) % len(_FREE)]
                moved = f'transform="translate({x} {y})"'
                corners.append(f'<g data-terrain="{escape(id_)}" {moved}>{corner}</g>')
        drawn += corners
        place = f'<g transform="translate({at})" data-at="{self.map.number(hex_)}">'
        return f"{place}{''.join(drawn)}</g>" if drawn else ""

    def number(self, hex_: Hex) -> str:
        at = self.layout.centre(hex_)
        return f'<text x="{short(at.x)}" y="{short(at.y - 34)}">{self.map.number(hex_)}</text>'

    def name(self, hex_: Hex) -> str:
        name = self.map.places[hex_].name
        if not name:
            return ""
        at = self.layout.centre(hex_)
        return (
            f'<text x="{short(at.x)}" y="{short(at.y + 40.5)}">{escape(name.in_(self.lang))}</text>'
        )

    # -------------------------------------------------------------- sides

    def sides(self) -> Iterator[str]:
        """Draw the features of hexsides: the lowest lines first, so that joints are smooth."""
        kinds: dict[str, list[Hexside]] = {}
        for side, ids in sorted(self.map.hexsides.items()):
            for id_ in ids:
                kinds.setdefault(id_, []).append(side)
        for id_ in ordered(kinds, self.map.terrain):
            for number, stroke in enumerate(svg_terrain.side(self.map.terrain[id_]).strokes):
                for side in kinds[id_]:
                    one, other = self.layout.side_ends(side)
                    named = "" if number else f' data-side="{self.pair(side)}"'
                    path = svg_terrain.line(f"M{one}L{other}", stroke)
                    yield f'<path class="side {escape(id_)}"{named} {path}/>'
            for side in kinds[id_]:
                yield self.side_figure(id_, side)

    def side_figure(self, id_: str, side: Hexside) -> str:
        """Draw a feature's extras: a causeway's dam, an unknown feature's letter."""
        middle, row = self.layout.middle(side), self.map.terrain[id_]
        look = svg_terrain.side_look(row)
        if look == "causeway":
            across = self.layout.centre(side.first), self.layout.centre(side.second)
            start, end = middle.towards(across[0], 0.32), middle.towards(across[1], 0.32)
            way = f'd="M{start}L{end}" stroke-linecap="butt"'
            return (
                f'<g class="dam"><path {way} stroke="{INK}" stroke-width="17"/>'
                f'<path {way} stroke="#e9d9b4" stroke-width="13.5"/></g>'
            )
        initial = svg_terrain.initial(row, self.lang, known=bool(look))
        return f'<g transform="translate({middle})">{initial}</g>' if initial else ""

    def river_names(self) -> Iterator[str]:
        named: dict[Text, list[Hexside]] = {}
        printed = {row.text for row in self.map.terrain.values()}
        for side, name in self.map.names.items():
            if name.in_(self.lang).lower() in {text.in_(self.lang).lower() for text in printed}:
                continue  # it stands in the legend
            named.setdefault(name, []).append(side)
        for name, sides in named.items():
            words = name.in_(self.lang)
            side, upper = min(
                ((s, at) for s in sides for at in s), key=lambda c: self.awkward(c[0], c[1], sides)
            )
            one, other = self.layout.ends(
                upper, upper.direction(side[1] if upper == side[0] else side[0])
            )
            inner = one.towards(other, 0.5).towards(self.layout.centre(upper), 0.2)
            turn = self.slope(side)
            how = f'class="river-name" transform="rotate({turn} {inner})"'
            yield fitted(words, inner.x, inner.y + 2.2, 8, 58, how)

    def awkward(self, side: Hexside, at: Hex, sides: list[Hexside]) -> tuple[bool, bool, bool, int]:
        """Rate a place in a hex for the name of a side; the lowest number is best."""
        lies_above = at == side.first and self.slope(side) == 0
        place = self.map.places[at]
        busy = bool(place.name) and self.slope(side) == 0
        crowded = bool(self.map.ways_between(*side)) or at in self.objectives
        return (crowded, busy, not lies_above, abs(sides.index(side) - len(sides) // 2))

    def slope(self, side: Hexside) -> int:
        return {0: 0, 1: 60, 2: -60}[side.first.direction(side.second) % 3]

    # -------------------------------------------------------------- marks

    def marks(self) -> Iterator[str]:
        for hex_ in self.layout.hexes:
            at = self.layout.centre(hex_)
            number = self.map.number(hex_)
            objective = self.objectives.get(hex_)
            if objective:
                yield (
                    f'<g class="objective" data-objective="{number}" transform="translate({at})">'
                    f"<title>{escape(objective.text.in_(self.lang))}</title>"
                    f"{svg_terrain.star(-35, 0, str(objective.points))}</g>"
                )
            if hex_ in self.map.sources:
                yield (
                    f'<g class="source" data-source="{number}" transform="translate({at})">'
                    f"{self.pieces.counters.source(self.map.sources[hex_], 36, 0)}</g>"
                )
            if self.map.places[hex_].height:
                x, y = (-30, -15) if hex_ in self.map.sources else (33, 3)
                yield (
                    f'<text class="height" x="{short(at.x + x)}" y="{short(at.y + y)}">'
                    f"▲{self.map.places[hex_].height}</text>"
                )
