"""The areas in which units are deployed before the first turn."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from grognard.maps.board import Board, Map, Piece
from grognard.maps.hexes import Hex, within
from grognard.maps.scenario import Area, Scenario


class Areas:
    """The areas of a scenario, and the units that are deployed in them."""

    def __init__(self, scenario: Scenario) -> None:
        self.areas = {area.id: area for area in filter(scenario.has, scenario.areas)}
        self.forces = {f.name: f for f in scenario.forces if f.area in self.areas}
        self._sheet = scenario.built_map

    @cached_property
    def _fixed(self) -> Mapping[str, tuple[Hex, ...]]:
        return {id_: _hexes(self._sheet, area) for id_, area in self.areas.items()}

    def fixed_hexes(self, side: str) -> frozenset[Hex]:
        """Give the hexes in which a side's units may be deployed whoever else is on the map."""
        areas = {force.area for force in self.forces.values() if force.side == side}
        return frozenset(hex_ for id_ in areas for hex_ in self._fixed[id_])

    def area(self, piece: Piece) -> Area:
        return self.areas[self.forces[piece.name].area]

    def usual(self, piece: Piece) -> Hex:
        """Give the hex in which a piece usually begins."""
        return self._sheet.hex(self.forces[piece.name].hex or "")

    def of(self, board: Board, side: str) -> Iterator[Piece]:
        """Give the pieces that a side deploys; those beside others come last."""
        own = [p for p in board.pieces if p.side == side and p.name in self.forces]
        return iter(sorted(own, key=lambda piece: bool(self.area(piece).beside)))

    def hexes(self, board: Board, piece: Piece) -> tuple[Hex, ...]:
        """Give the hexes of a piece's area on a board."""
        area = self.area(piece)
        beside = [
            near
            for other in board.of(piece.side)
            if area.beside in ("any", other.nation)
            and other.name != piece.name
            and (other.formation or not area.of_formations)
            for near in (other.place, *board.map.around[other.place])
        ]
        return tuple(dict.fromkeys((*self._fixed[area.id], *beside)))


def _hexes(sheet: Map, area: Area) -> tuple[Hex, ...]:
    """Give the hexes of an area that do not depend on other units."""
    centres = map(sheet.hex, area.around)
    named = {
        *map(sheet.hex, area.hexes),
        *(h for centre in centres for h in within(centre, area.within)),
    }
    return tuple(
        hex_
        for hex_ in sheet.places
        if hex_ in named
        or int(sheet.number(hex_)[-2:]) in area.rows
        or int(sheet.number(hex_)[:2]) in area.columns
    )
