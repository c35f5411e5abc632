"""Bautzen 1945 on the map: ZOC, movement, stacking, supply, command, who may attack."""

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.games.bautzen.stated import (
    MECHANICAL,
    SUPPORTS,
    Kind,
    stacking_limit,
    stacking_points,
)
from grognard.maps.board import Board, Map, Piece
from grognard.maps.hexes import Hex, within
from grognard.maps.movement import POINT, Entry, parsed
from grognard.maps.scenario import Scenario
from grognard.maps.scenario_checks import Needs
from grognard.matches.attack_field import AttackField, RetreatPath
from grognard.words.message import Message, say

GERMAN, ALLIED = "german", "allied"
GUNS = ("artillery", "anti-tank")


class Ground(AttackField):
    """Zones of control, movement, stacking, supply and command."""

    zoc_exit = POINT
    move_rule, supply_rule = "4", "7.1"
    supply_options = ("supply_lakes", "zoc_units")
    arrival_options = ("late_arrival", "stacking_check", "cl_supply", "supply_lakes", "zoc_units")
    nobody_attacks = say("no unit attacks; at least one that is not an HQ, artillery or CL")

    @classmethod
    def needs(cls, card: Card) -> Needs:
        """Name what the rules look for in a scenario."""
        return Needs(
            sides=(GERMAN, ALLIED), kinds=get_args(Kind), sizes=card.table("stacking").row_labels
        )

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._limits: dict[frozenset[str], int] = {}
        sizes = self.card.table("stacking").row_labels
        self._points = {size: stacking_points(self.card, size) for size in sizes}

    # -------------------------------------------------------------- 3 zones of control

    def exerts_zoc(self, piece: Piece) -> bool:
        """3: every unit but a logistic column, HQs included; guns by option."""
        without = ("cl", *(GUNS if self.options["zoc_units"] == "no_guns" else ()))
        return piece.alive and piece.kind not in without

    # -------------------------------------------------------------- 4 movement

    def allowance(self, board: Board, piece: Piece) -> int:
        """7.3: unsupplied armour, motorised and mechanised units, engineers, HQs move half."""
        halved = "unsupplied" in piece.states and piece.kind in MECHANICAL
        move = piece.move // 2 if halved else piece.move
        return super().allowance(board, replace(piece, move=move))

    def way_helps(self, board: Board, piece: Piece, here: Hex, there: Hex) -> bool:
        """4.2: road movement neither begins nor ends in an enemy zone of control."""
        zone = self.zoc(board, self.enemy(piece.side))
        return here not in zone and there not in zone

    def entry(
        self, board: Board, piece: Piece, here: Hex, there: Hex, *, first: bool
    ) -> Entry | None:
        """A dominant position is open to other units than infantry along a road only; where road
        movement does not help, at the cost of its other terrain, or not at all."""
        step = super().entry(board, piece, here, there, first=first)
        if step is not None or self.options["dominant_in_zoc"] == "closed":
            return step
        return _up_by_road(board.map, piece.unit_class, here, there)

    def may_end(self, board: Board, piece: Piece, hex_: Hex) -> Message | None:
        """5.2, 7.1: within stacking, and never where the unit would be unsupplied."""
        together = (*board.stack(hex_), piece)
        if self.options["stacking_check"] == "each_move":
            problem = self.stacking_problem(board, hex_, together)
        else:
            problem = self.company_problem(board, hex_, together)
        needs_supply = piece.kind != "cl" or self.options["cl_supply"] == "as_units"
        if problem is None and needs_supply and hex_ not in self.supplied(board, piece.side):
            return say("{unit} would be unsupplied there", unit=piece.name)
        return problem

    # -------------------------------------------------------------- 5 stacking

    def stacking_problem(
        self, board: Board, hex_: Hex, pieces: tuple[Piece, ...]
    ) -> Message | None:
        """5.2, 5.4 to 5.6: points, one nationality, one formation and a guest."""
        return self.company_problem(board, hex_, pieces) or self.limit_problem(board, hex_, pieces)

    def limit_problem(self, board: Board, hex_: Hex, pieces: tuple[Piece, ...]) -> Message | None:
        """5.2: not more points than the terrain has room for."""
        limit = self.limit(board, hex_)
        points = sum(map(self.points, pieces))
        if points > limit:
            return say("{points} stacking points; at most {limit}", points=points, limit=limit)
        return None

    def company_problem(self, board: Board, hex_: Hex, pieces: tuple[Piece, ...]) -> Message | None:
        """5.4 to 5.6: one nationality, one formation and a guest."""
        problem = super().stacking_problem(board, hex_, pieces)
        if problem is not None or len(pieces) < 2:
            return problem
        if len({piece.nation for piece in pieces}) > 1:
            return say("units of two nations may not stack")
        formations = [p.formation for p in pieces if p.formation and not for_all(p)]
        counts = sorted(formations.count(name) for name in set(formations))
        if len(counts) > 2 or (len(counts) == 2 and counts[0] > 1):
            return say("units of one formation, and at most one of another")
        return None

    def limit(self, board: Board, hex_: Hex) -> int:
        """5.2: the stacking points that a hex has room for."""
        terrain = board.map.places[hex_].terrain
        if terrain not in self._limits:
            self._limits[terrain] = stacking_limit(self.card, tuple(terrain))
        return self._limits[terrain]

    def points(self, piece: Piece) -> int:
        """5.1: the stacking points of a piece."""
        return self._points[piece.size]

    # -------------------------------------------------------------- 7 supply and command

    def needs_supply(self, piece: Piece) -> bool:
        """7.1: every unit; logistic columns are supply themselves."""
        return piece.kind != "cl"

    def find_shut(self, board: Board, side: str) -> frozenset[Hex]:
        """7.1, 10.4: not past enemies, their zones or their dominant positions, friends apart."""
        felt = self.dominated(board, self.enemy(side))
        if self.options["supply_lakes"] == "closed":
            felt |= set(board.map.hexes_with("lake"))
        return super().find_shut(board, side) | (felt - self.occupied(board, side))

    def dominated(self, board: Board, side: str) -> frozenset[Hex]:
        """Give the hexes within two of a dominant position that a side holds."""
        return self.kept(board, "dominated", side, self._find_dominated)

    def _find_dominated(self, board: Board, side: str) -> frozenset[Hex]:
        reach = int(self.card.number("dominant_range"))
        return frozenset(
            near
            for hex_ in board.map.hexes_with("dominant-position")
            if (board.side_of(hex_) or board.holders.get(hex_)) == side
            for near in within(hex_, reach)
        )

    def commands(self, hq: Piece, piece: Piece) -> bool:
        """6.1: within command range of its formation's HQ, or of a corps or army HQ."""
        if hq.kind != "hq" or hq.nation != piece.nation or not hq.reaches(piece.at):
            return False
        return for_all(hq) or not piece.formation or hq.formation == piece.formation

    # -------------------------------------------------------------- 8.1, 9 attack and support

    def only_supports(self, piece: Piece) -> bool:
        """9.1, 8.6.2: HQs and artillery."""
        return piece.kind in SUPPORTS

    def unfit(self, piece: Piece) -> Message | None:
        """8.1: once a segment, and not with a logistic column."""
        if piece.kind == "cl":
            return say("a logistic column does not attack")
        return super().unfit(piece)

    def may_support(
        self, board: Board, side: str, piece: Piece, target: Hex, engaged: Sequence[Piece]
    ) -> Message | None:
        """9.1, 9.2, 8.6.2: in range of an engaged unit that it may support, once a segment as
        attacker and once as defender."""
        if piece.side != side or piece.at is None:
            return say("{unit} is not yours to use here", unit=piece.name)
        used = "defended" if board.side_of(target) == side else "supported"
        if used in piece.states:
            return say("{unit} has given its support already", unit=piece.name)
        hq = piece.kind == "hq"
        near = any(self.commands(piece, u) if hq else piece.reaches(u.at) for u in engaged)
        return None if near else say("{unit} supports no engaged unit", unit=piece.name)

    # -------------------------------------------------------------- 8.5.1 the ways of a retreat

    def retreat_steps(self, board: Board, stack: Sequence[Piece], way: RetreatPath) -> list[Hex]:
        """8.5.1: the hexes beside a stack through which its way back may lead; by option with room
        in every one of them."""
        steps = super().retreat_steps(board, stack, way)
        if self.options["retreat_overstacking"] == "not_in_passing":
            return self.retreat_ends(board, stack, way, steps)
        return steps

    def retreat_ends(
        self, board: Board, stack: Sequence[Piece], way: RetreatPath, steps: list[Hex]
    ) -> list[Hex]:
        """8.5.1: no stack goes back over the limit onto friends; into an empty hex it may."""
        names = {piece.name for piece in stack}
        free = {h for h in steps if names.issuperset(piece.name for piece in board.stack(h))}
        alone = free if self.options["retreat_overstacking"] != "never" else set()
        fitting = super().retreat_ends(board, stack, way, steps)
        return [hex_ for hex_ in steps if hex_ in alone or hex_ in fitting]


def _up_by_road(sheet: Map, unit_class: str, here: Hex, there: Hex) -> Entry | None:
    """Give what the other terrain of a hex asks of those whom the chart lets in by road only."""
    words = [row.cost.get(unit_class, "other") for row in sheet.rows(there)]
    if "no" in words or not sheet.ways_between(here, there):
        return None
    costs = [cost.sixths for word in words if (cost := parsed(word))]
    sides = [
        parsed(sheet.terrain[id_].cost.get(unit_class, "0")) for id_ in sheet.between(here, there)
    ]
    return Entry(max(costs, default=0) + sum(side.sixths for side in sides if side))


def for_all(piece: Piece) -> bool:
    """9.2: German corps and Polish army HQs serve every unit of their nation."""
    return piece.kind == "hq" and piece.size == "army-hq" and piece.nation != "soviet"
