"""Roads and railways in a picture: through the centres of hexes, side by side where both run."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.layout import HALF, Layout, Point
from grognard.maps.board import Map
from grognard.maps.hexes import Hex, Hexside, hexside


class Ways:
    """The roads and railways of a map."""

    def __init__(self, sheet: Map, layout: Layout) -> None:
        self.map, self.layout = sheet, layout

    def drawn(self) -> Iterator[str]:
        """Draw roads and railways through the centres, smoothly where one goes straight on."""
        kinds = {id_ for ids in self.map.ways.values() for id_ in ids}
        order = svg_terrain.ordered(kinds, self.map.terrain)
        rails = [id_ for id_ in order if svg_terrain.is_rail(self.map.terrain[id_])]
        for id_ in [*(id_ for id_ in order if id_ not in rails), *rails]:
            pieces = list(self.way_pieces(id_))
            for number, stroke in enumerate(svg_terrain.way(self.map.terrain[id_]).strokes):
                for hex_, path in pieces:
                    at = "" if number else f' data-at="{self.map.number(hex_)}"'
                    line = svg_terrain.line(path, stroke)
                    yield f'<path class="way {escape(id_)}"{at} {line}/>'

    def way_pieces(self, id_: str) -> Iterator[tuple[Hex, str]]:
        shifts = self.shifts(id_)
        widest = max(s.width for s in svg_terrain.way(self.map.terrain[id_]).strokes)
        for hex_ in self.layout.hexes:
            gates = [
                (side, self.gate(side, shifts))
                for direction in range(6)
                if id_ in self.map.ways.get(side := hex_.side(direction), ())
            ]
            at = self.layout.centre(hex_)
            if len(gates) == 2:
                (one, start), (other, end) = gates
                bend = self.bend(at, (one, other), shifts)
                yield hex_, f"M{start}Q{bend} {end}"
            elif len(gates) == 1 and (edge := self.way_out(hex_, gates[0][0], widest)):
                yield hex_, f"M{gates[0][1]}Q{at} {edge}"
            elif gates:
                yield hex_, "".join(f"M{gate}L{at}" for _, gate in gates)

    def way_out(self, hex_: Hex, side: Hexside, width: float) -> Point | None:
        """Give the point up to which a way that ends in a hex at the edge is drawn: its round end
        touches the edge of the map."""
        straight = hex_.direction(side.second if hex_ == side.first else side.first) + 3
        for direction in (straight, straight + 1, straight - 1):
            if hex_.step(direction) not in self.map.places:
                middle = self.layout.middle(hex_.side(direction))
                return middle.towards(self.layout.centre(hex_), width / 2 / HALF)
        return None

    def bend(self, at: Point, sides: Iterable[Hexside], shifts: Mapping[Hexside, Point]) -> Point:
        moved = [shifts[side] for side in sides if side in shifts]
        return Point(at.x + sum(p.x for p in moved) / 2, at.y + sum(p.y for p in moved) / 2)

    def gate(self, side: Hexside, shifts: Mapping[Hexside, Point]) -> Point:
        """Give the point where a way crosses a side: its middle, or beside it if two ways cross."""
        middle, shift = self.layout.middle(side), shifts.get(side, Point(0, 0))
        return Point(middle.x + shift.x, middle.y + shift.y)

    def shifts(self, id_: str) -> dict[Hexside, Point]:
        """Move a railway to one side of the road beside it, the same side all along."""
        if not svg_terrain.is_rail(self.map.terrain[id_]):
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
                one, other = self.layout.ends(here, here.direction(there))
                shifts[side] = Point((other.x - one.x) * 0.15, (other.y - one.y) * 0.15)
                ahead += [(there, n) for n in there.neighbours() if hexside(there, n) in shared]
                ahead += [(n, here) for n in here.neighbours() if hexside(here, n) in shared]
        return shifts
