"""Bautzen 1945 on the map: ZOC, movement, stacking, supply, command, who may attack."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import get_args

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import CERTAIN, Reading
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
from grognard.maps.scenario_checks import NUMBERS, Needs
from grognard.matches.attack_field import AttackField, Engagement, RetreatPath
from grognard.matches.protocol import Words
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

GERMAN, ALLIED = "german", "allied"
GUNS = ("artillery", "anti-tank")
HEIGHT = "dominant-position"
HELD = "held"  # 11.3: a division that may not yet go south
SOUTH = 5  # the first row from which it is kept
PLACES = "victory_"  # the beginning of the values that name places of 11 and 13
CORPS = "soviet_corps"  # of a scenario's values: the formations that are Soviet corps
HILL_WOOD = frozenset(("difficult", "wood"))


class Ground(AttackField):
    """Zones of control, movement, stacking, supply and command."""

    zoc_exit = POINT
    move_rule, supply_rule = "4", "7.1"
    supply_options = ("zoc_units", "source_in_zoc", "dominant_lines", "cl_occupies")
    arrival_options = (
        "late_arrival",
        "reinforcement_entry",
        "stacking_check",
        "cl_supply",
        *supply_options,
    )
    setup_options = ("deployment_stacking", "german_start")
    deployment_rule = "12.1"
    nobody_attacks = say("no unit attacks; at least one that is not an HQ, artillery or CL")

    @classmethod
    def needs(cls, card: Card) -> Needs:
        """Name what the rules look for in a scenario."""
        return Needs(
            sides=(GERMAN, ALLIED),
            kinds=get_args(Kind),
            sizes=card.table("stacking").row_labels,
            values={
                f"victory_{place}{printed}": NUMBERS
                for place in ("towns", "places", "capital")
                for printed in ("", "_printed")
            }
            | {CORPS: ()},
        )

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._limits: dict[frozenset[str], int] = {}
        sizes = self.card.table("stacking").row_labels
        self._points = {size: stacking_points(self.card, size) for size in sizes}
        self._soviet_corps = str(scenario.values.get(CORPS, "")).split(", ")

    # -------------------------------------------------------------- 10.3 hidden stacks

    def hides_stacks(self) -> bool:
        """10.3: unless stacks are open by option."""
        return self.options["hidden_stacks"] == "top_counter"

    def hidden(self, board: Board, viewer: str) -> frozenset[str]:
        """10.3: all but the top counter of an enemy stack, unless it is adjacent to a dominant
        position in which the side stands."""
        if not self.hides_stacks():
            return frozenset()
        return self.kept(board, "hidden", viewer, self._find_hidden)

    def _find_hidden(self, board: Board, viewer: str) -> frozenset[str]:
        watched = {
            near
            for height in board.map.hexes_with(HEIGHT)
            if board.side_of(height) == viewer
            for near in board.map.around[height]
        }
        return frozenset(
            piece.name
            for hex_, stack in board.stacks().items()
            if stack[0].side != viewer and hex_ not in watched
            for piece in stack[1:]
        )

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
        movement does not help, at the cost of its other terrain, or not at all. A village has its
        own cost, whatever else is in its hex. A lake is crossed by rail only, by option never."""
        lake = "lake" in board.map.between(here, there)
        if lake and self.options["lake_railway"] == "closed":
            return None
        step = super().entry(board, piece, here, there, first=first)
        terrain = board.map.places[there].terrain
        if step is None:
            closed = HEIGHT not in terrain or self.options["dominant_in_zoc"] == "closed"
            if lake or closed or not board.map.ways_between(here, there):
                return None
        elif step.sixths < POINT or not (terrain >= HILL_WOOD or "village" in terrain):
            return step
        choices = self.options["village_cost"], self.options["hill_wood_cost"]
        return _off_roads(board.map, piece.unit_class, here, there, *choices)

    def off_limits(self, board: Board, piece: Piece) -> frozenset[Hex]:
        """7.1.2, 11.3: hexes that would make the unit unsupplied, and the south for divisions that
        are held back."""
        barred = self.forbidden_ground(board, piece)
        if self.options["unsupplied_entry"] == "every_hex" and self._minds_supply(board, piece):
            return barred | (board.map.places.keys() - self.supplied_after(board, piece))
        return barred

    def forbidden_ground(self, board: Board, piece: Piece) -> frozenset[Hex]:
        """11.3: the rows from which a division is kept until the table releases it."""
        if HELD not in piece.states:
            return frozenset()
        return self.kept(board, "south", board.map, _south)

    def may_end(self, board: Board, piece: Piece, hex_: Hex) -> Message | None:
        """5.2, 7.1.2: within stacking, and never where the move would make the unit unsupplied."""
        together = (*board.stack(hex_), piece)
        if self.options["stacking_check"] == "each_move":
            problem = self.stacking_problem(board, hex_, together)
        else:
            problem = self.company_problem(board, hex_, together)
        if problem is None and hex_ in self.forbidden_ground(board, piece):
            return say("{unit} is held back and does not go there", unit=piece.name)
        if (
            problem is None
            and self._minds_supply(board, piece, at_end=True)
            and hex_ not in self.supplied_after(board, piece)
        ):
            return say("{unit} would be unsupplied there", unit=piece.name)
        return problem

    def _minds_supply(self, board: Board, piece: Piece, *, at_end: bool = False) -> bool:
        """7.1.2: tell whether a move must keep a piece supplied: a piece that is cut off already
        is not made so by its move."""
        if piece.kind == "cl" and self.options["cl_supply"] == "free":
            return False
        if piece.at is None or piece.at in self.supplied(board, piece.side):
            return True
        pocket = self.options["pocket_moves"]
        return pocket == "none" or (at_end and pocket == "only_to_supply")

    def supplied_after(self, board: Board, piece: Piece) -> frozenset[Hex]:
        """7.1.2: the hexes in which a piece would be supplied once it has left its own."""
        if piece.at is None or self.options["line_test"] == "before_step":
            return self.supplied(board, piece.side)
        return self.kept(board, "fed after", (piece.name, piece.at), self._find_supplied_after)

    def _find_supplied_after(self, board: Board, mover: tuple[str, Hex]) -> frozenset[Hex]:
        name, start = mover
        piece = board.piece(name)
        fed = self.supplied(board, piece.side)
        others = (other for other in board.stack(start) if other.name != name)
        if any(map(self.takes_hexes, others)):
            return fed
        raw = self.kept(board, "felt", piece.side, self._felt_lines)
        if start not in raw:
            return fed
        shut = self.shut(board, piece.side) | {start}
        return board.map.flood.spread(self.sources(board, piece.side), shut)

    def entries(self, board: Board, piece: Piece) -> list[Hex]:
        """11.2: its own entry hexes; without any the supply sources in which no enemy stands."""
        if piece.entry:
            return super().entries(board, piece)
        free = self.sources(board, piece.side)
        if self.options["reinforcement_entry"] == "free_of_units":
            return free
        zone = self.zoc(board, self.enemy(piece.side))
        return [hex_ for hex_ in free if hex_ not in zone]

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
        """5.4 to 5.6: one formation and a guest; independent units and HQs of corps and armies
        with their own nation. A logistic column stands with any unit of its side."""
        problem = super().stacking_problem(board, hex_, pieces)
        if problem is not None or len(pieces) < 2:
            return problem
        if len({piece.nation for piece in pieces if piece.nation}) > 1:
            strict = self.options["guest_nation"] == "same" or any(map(_keeps_nation, pieces))
            if strict or (
                self.options["cl_nation"] == "one_nation" and not all(p.nation for p in pieces)
            ):
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
        """7.1.2, 10.4: not past enemies, nor through their zones or near a dominant position in
        which they stand, unless a friend is there."""
        felt = self.kept(board, "felt", side, self._felt_lines) - self.stood_in(board, side)
        return self.stood_in(board, self.enemy(side)) | felt

    def takes_hexes(self, piece: Piece) -> bool:
        """13: every unit; a logistic column by option."""
        return piece.kind != "cl" or self.options["cl_occupies"] == "yes"

    def stood_in(self, board: Board, side: str) -> frozenset[Hex]:
        """7.1.2, 10.4: the hexes that a side occupies; logistic columns alone do so by option."""
        if self.options["cl_occupies"] == "yes":
            return self.occupied(board, side)
        return frozenset(p.place for p in board.of(side) if self.takes_hexes(p))

    def control(self, board: Board, hex_: Hex) -> str | None:
        """13: the side that occupies a hex, else the last that did."""
        there = next((p.side for p in board.stack(hex_) if self.takes_hexes(p)), None)
        return there or board.holders.get(hex_)

    def _felt_lines(self, board: Board, side: str) -> frozenset[Hex]:
        """7.1.2: the hexes that a line passes only where a friend stands; by option no source."""
        enemy = self.enemy(side)
        felt = self.zoc(board, enemy) | self.dominated(board, enemy, occupied=True)
        open_ = self.options["source_in_zoc"] == "open"
        return felt.difference(self.sources(board, side)) if open_ else felt

    def dominated(self, board: Board, side: str, *, occupied: bool = False) -> frozenset[Hex]:
        """10.2, 10.4: the hexes within two of a dominant position that a side controls, or in which
        it stands."""
        find = self._find_occupied_heights if occupied else self._find_held_heights
        return self.kept(board, "occupied heights" if occupied else "held heights", side, find)

    def _find_held_heights(self, board: Board, side: str) -> frozenset[Hex]:
        heights = board.map.hexes_with(HEIGHT)
        return self._near([hex_ for hex_ in heights if self.control(board, hex_) == side])

    def _find_occupied_heights(self, board: Board, side: str) -> frozenset[Hex]:
        heights = self.stood_in(board, side) & set(board.map.hexes_with(HEIGHT))
        if self.options["dominant_lines"] == "within_two":
            return self._near(heights)
        reach = int(self.card.number("dominant_range"))
        return frozenset(
            near for hex_ in heights for near in within(hex_, reach) if near.distance(hex_) == reach
        )

    def _near(self, heights: Iterable[Hex]) -> frozenset[Hex]:
        reach = int(self.card.number("dominant_range"))
        return frozenset(near for hex_ in heights for near in within(hex_, reach))

    def move_doubt(self, board: Board, piece: Piece, path: Sequence[Hex]) -> Reading:
        """13: who controls a dominant position or a place of victory that a move only passes."""
        passed = (hex_ for hex_ in path[1:-1] if hex_ in self._wanted(board))
        changes = self.takes_hexes(piece) and any(
            self.control(board, hex_) != piece.side for hex_ in passed
        )
        return self.doubt("control") if changes else CERTAIN

    def _wanted(self, board: Board) -> frozenset[Hex]:
        """10.2, 11, 13: the hexes whose control counts."""
        return self.kept(board, "wanted", board.map, self._find_wanted)

    def _find_wanted(self, board: Board, sheet: Map) -> frozenset[Hex]:
        named = " ".join(
            str(value) for key, value in self.scenario.values.items() if key.startswith(PLACES)
        )
        places = (*named.split(), *(objective.hex for objective in self.scenario.objectives))
        return frozenset((*board.map.hexes_with(HEIGHT), *map(sheet.hex, places)))

    def holds_in_passing(self) -> bool:
        """13: a move takes every hex that it enters; by option only the last one."""
        return self.options["control"] == "passing"

    def commands(self, hq: Piece, piece: Piece) -> bool:
        """6.1: within command range of its formation's HQ, or of a corps or army HQ."""
        if hq.kind != "hq" or hq.nation != piece.nation or not hq.reaches(piece.at):
            return False
        return self.serves_all(hq) or not piece.formation or hq.formation == piece.formation

    def serves_all(self, hq: Piece) -> bool:
        """6.1, 9.2: the HQs of German corps and of the Polish army; of Soviet corps by option."""
        corps = self.options["soviet_corps"] == "all_soviets" and hq.formation in self._soviet_corps
        return for_all(hq) or (corps and hq.kind == "hq")

    def supports_unit(self, hq: Piece, piece: Piece) -> bool:
        """9.1: commanded by it; by option an independent unit only by a corps or army HQ."""
        if not piece.formation and self.options["independents_support"] == "corps_or_army":
            return self.serves_all(hq) and self.commands(hq, piece)
        return self.commands(hq, piece)

    # -------------------------------------------------------------- 8.1, 9 attack and support

    def only_supports(self, piece: Piece) -> bool:
        """9.1, 8.6.2: HQs and artillery."""
        return piece.kind in SUPPORTS

    def unfit(self, piece: Piece) -> Message | None:
        """8.1: once a segment, and not with a logistic column."""
        if piece.kind == "cl":
            return say("a logistic column does not attack")
        return super().unfit(piece)

    def barred(self, board: Board, piece: Piece, target: Hex) -> Message | None:
        """8.1, 11.3: not across a lake; by option not into the rows from which it is held back."""
        held = self.options["guards_line"] == "also_attack"
        if held and target in self.forbidden_ground(board, piece):
            return say("{unit} is held back and does not attack there", unit=piece.name)
        return super().barred(board, piece, target)

    def only_adds(self, piece: Piece) -> bool:
        """1.2: an anti-tank unit adds to a unit of its hex that attacks the same target."""
        return piece.kind == "anti-tank" and self.options["at_alone"] == "no_attack"

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
        supports = self.supports_unit if piece.kind == "hq" else self._gun_supports
        near = any(supports(piece, unit) for unit in engaged)
        return None if near else say("{unit} supports no engaged unit", unit=piece.name)

    def _gun_supports(self, gun: Piece, unit: Piece) -> bool:
        """8.6.2: a unit within its fire distance; by option of its own nation only."""
        same = gun.nation == unit.nation or self.options["gun_nation"] == "any"
        return same and gun.reaches(unit.at)

    def engagement(self, board: Board, side: str, order: Words) -> Engagement:
        """8.1: units of different formations attack together, by option of one nation only."""
        plan = super().engagement(board, side, order)
        nations = {piece.nation for piece in plan.attackers}
        if len(nations) > 1 and self.options["joint_attacks"] == "one_nation":
            raise Refusal(say("units of two nations do not attack together"))
        return plan

    # -------------------------------------------------------------- 12 deployment

    def deployment_problem(
        self, board: Board, piece: Piece, hex_: Hex, together: tuple[Piece, ...]
    ) -> Message | None:
        """12.1, 5.2: within stacking, by option only for the Allies; by option no German where an
        Allied unit could have been deployed."""
        if piece.side == ALLIED:
            return self.stacking_problem(board, hex_, together)
        if self.options["german_start"] != "free_hexes" and hex_ in self.areas.fixed_hexes(ALLIED):
            return say("Allied units deploy there")
        if self.options["deployment_stacking"] == "allies_only":
            return super().stacking_problem(board, hex_, together)
        return self.stacking_problem(board, hex_, together)

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


@lru_cache(maxsize=4096)
def _off_roads(
    sheet: Map, unit_class: str, here: Hex, there: Hex, village: str, hill_wood: str
) -> Entry | None:
    """Give the cost of a step without road movement: of the village (option `village_cost`), else
    of the dearest ground or of hill and wood together (`hill_wood_cost`); of the height, where the
    chart has one for the class; and of the hexside."""
    asked = {row.id: row.cost.get(unit_class, "other") for row in sheet.rows(there)}
    if "no" in asked.values():
        return None
    costs = {id_: cost.sixths for id_, words in asked.items() if (cost := parsed(words))}
    height = costs.pop(HEIGHT, 0)
    if "village" in costs and village == "one":
        ground = costs["village"]
    elif costs.keys() >= HILL_WOOD and hill_wood == "added":
        ground = sum(costs[id_] for id_ in HILL_WOOD)
    else:
        ground = max(costs.values(), default=0)
    features = (sheet.terrain[id_] for id_ in sheet.between(here, there))
    sides = [parsed(feature.cost.get(unit_class, "0")) for feature in features]
    return Entry(max(ground, height) + sum(side.sixths for side in sides if side))


def _south(board: Board, sheet: Map) -> frozenset[Hex]:
    """11.3: row 05 and what is south of it."""
    return frozenset(hex_ for hex_ in board.map.places if int(sheet.number(hex_)[-2:]) >= SOUTH)


def _keeps_nation(piece: Piece) -> bool:
    """5.5, 5.6: independent units and HQs of corps and armies stack within their nation."""
    return bool(piece.nation) and (not piece.formation or for_all(piece))


def for_all(piece: Piece) -> bool:
    """9.2: German corps and Polish army HQs serve every unit of their nation."""
    return piece.kind == "hq" and piece.size == "army-hq" and piece.nation != "soviet"
