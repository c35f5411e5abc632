"""Panzer Grenadier on the map: states of pieces, night, sight, movement, stacking."""

from collections.abc import Mapping
from functools import lru_cache
from typing import get_args

from grognard.card.card import Card
from grognard.games.panzer_grenadier.stated import STATES, TRANSPORT, Kind, State
from grognard.maps.board import Board, Map, Piece
from grognard.maps.hexes import Hex, line
from grognard.maps.mobility import Mobility
from grognard.maps.movement import POINT, Entry, parsed
from grognard.maps.scenario import Scenario
from grognard.maps.scenario_checks import NUMBER, NUMBERS, Needs
from grognard.matches.field import Field
from grognard.words.message import Message, say

AIRCRAFT = "aircraft"  # off the map; the one kind of piece that is not a kind of target
ACTED = "acted"
SHAKEN = ("disrupted", "demoralised")


def state_of(piece: Piece) -> State:
    """Give the morale state of a piece."""
    return next((state for state in STATES if state in piece.states), STATES[0])


def shaken(piece: Piece) -> bool:
    """Tell whether a piece is disrupted or demoralised."""
    return any(state in piece.states for state in SHAKEN)


def is_combat(piece: Piece) -> bool:
    """Tell combat units from transport, leaders and aircraft."""
    return piece.kind not in (*TRANSPORT, "leader", AIRCRAFT)


def may_act(piece: Piece, side: str) -> Message | None:
    """Say why a piece may not act now; None where it may. A unit acts once a turn."""
    if piece.side != side:
        return say("{unit} is not yours to use here", unit=piece.name)
    if piece.at is None and (piece.kind != AIRCRAFT or not piece.alive):
        return say("{unit} is not on the map", unit=piece.name)
    if ACTED in piece.states:
        return say("{unit} has acted already this turn", unit=piece.name)
    return None


def may_use_arms(piece: Piece, side: str) -> Message | None:
    """Say why a piece may do nothing now, or nothing but try to recover."""
    problem = may_act(piece, side)
    if problem is None and "demoralised" in piece.states:
        return say("{unit} is demoralised and may only try to recover", unit=piece.name)
    return problem


# ------------------------------------------------------------------ sight

SIDES = 6
between = lru_cache(maxsize=1 << 14)(line)  # exact, and the same on every map


def top(sheet: Map, hex_: Hex) -> int:
    """Give how high a hex stands with what grows or is built on it."""
    obstacles = [int(row.values.get("obstacle", 0)) for row in sheet.rows(hex_)]
    return sheet.places[hex_].height + max(obstacles, default=0)


def blockers(sheet: Map, here: Hex, there: Hex, options: Mapping[str, str]) -> tuple[Hex, ...]:
    """Give the first hexes on the way that hide two hexes from each other; none: they see."""
    way = between(here, there)
    for passed, hexes in enumerate(way[1:-1], start=1):
        hiding = tuple(
            hex_
            for hex_ in hexes
            if hex_ in sheet.places
            and _hides(sheet, (here, there), hex_, (passed, len(way) - 1), options["sight_over"])
        )
        if len(hiding) == len(hexes) or (hiding and options["sight_along"] == "either_blocks"):
            return hiding
    return ()


def _hides(sheet: Map, ends: tuple[Hex, Hex], hex_: Hex, place: tuple[int, int], over: str) -> bool:
    """Tell whether a hex rises above the line of sight that passes it."""
    first, second = (sheet.places[end].height for end in ends)
    if over == "highest":
        return top(sheet, hex_) > max(first, second)
    passed, steps = place
    return top(sheet, hex_) * steps > first * (steps - passed) + second * passed


def hexsides(here: Hex, target: Hex) -> frozenset[int]:
    """Give the sides of the target hex through which fire from a hex comes.

    They are numbered as directions; a line that comes through a corner belongs to both sides.
    """
    return frozenset(target.direction(hex_) for hex_ in between(here, target)[-2])


def apart(some: frozenset[int], others: frozenset[int], options: Mapping[str, str]) -> bool:
    """Tell whether two fires come through hexsides that do not touch; of a corner either side is
    enough, or by option both must be apart."""
    enough = all if options["corner_fire"] == "both_sides" else any
    return enough(
        (one - other) % SIDES not in (0, 1, SIDES - 1) for one in some for other in others
    )


# ------------------------------------------------------------------ the ground


class Ground(Field):
    """What the terrain, the night and the state of a piece allow."""

    zoc_to_zoc = True

    @classmethod
    def needs(cls, card: Card) -> Needs:  # noqa: ARG003  # a hook
        """Name what the rules look for in a scenario."""
        turns = ("night_turns", "german_air_turns", "soviet_air_turns")
        return Needs(
            kinds=(*get_args(Kind), AIRCRAFT),
            values={
                "steps_for_a_point": NUMBER,
                "even_points": ("german", "soviet"),
                **dict.fromkeys(turns, NUMBERS),
            },
            entry_hexes=True,
            terrain_numbers=("obstacle",),
        )

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._seen: dict[tuple[Hex, Hex], tuple[Hex, ...]] = {}
        self._nights = self.stated_turns("night_turns")
        self.night_sight = int(self.card.number("night_sight"))
        self.leader_reach = int(self.card.number("leader_reach"))
        self._limit = int(self.card.number("stacking"))
        self._wheels = int(self.card.number("transport_stacking"))
        self._charts: dict[str, Mapping[tuple[Hex, Hex, bool], Entry | None]] = {}

    # -------------------------------------------------------------- what the scenario states

    def stated_turns(self, key: str) -> frozenset[int]:
        """Give the turns that the scenario lists under a key, such as its night turns."""
        return frozenset(map(int, str(self.scenario.values.get(key, "")).split()))

    def night(self, turn: int) -> bool:
        return turn in self._nights

    def marked_by(self, board: Board, hex_: Hex, marker: str) -> str | None:
        """Give the side that a marker of a hex belongs to, or None; `all` where it is anybody's."""
        row = next(
            (row for row in board.map.rows(hex_) if row.values.get("marker") == marker), None
        )
        return None if row is None else str(row.values.get("owner", "all"))

    # -------------------------------------------------------------- sight and range

    def hidden_by(self, board: Board, here: Hex, there: Hex) -> tuple[Hex, ...]:
        """Give the hexes that hide a hex from another; none where they see each other."""
        if (here, there) not in self._seen:
            self._seen[here, there] = blockers(board.map, here, there, self.options)
        return self._seen[here, there]

    def exerts_zoc(self, piece: Piece) -> bool:
        """Tell that no unit has a zone of control, as the game knows opportunity fire instead;
        by option combat units in order have."""
        if self.options["zones"] == "none" or not is_combat(piece):
            return False
        return piece.alive and "demoralised" not in piece.states

    # -------------------------------------------------------------- movement

    def may_move(self, board: Board, piece: Piece) -> Message | None:  # noqa: ARG002  # a hook
        """Say why a piece may not move now: once a turn, and not when demoralised."""
        if piece.at is None:
            return say("{unit} is not on the map", unit=piece.name)
        return may_use_arms(piece, piece.side)

    def entry(
        self, board: Board, piece: Piece, here: Hex, there: Hex, *, first: bool
    ) -> Entry | None:
        """5.7: where the chart forbids a river, engineers help across; the move ends there."""
        step = self.chart(board, piece)[here, there, first]
        if step is None and first and self.helpers(board, piece, here, there):
            words = [row.cost.get(piece.unit_class, "other") for row in board.map.rows(there)]
            if not {"no", "way"} & set(words):
                costs = [cost.sixths for cost in map(parsed, words) if cost]
                return Entry(max(costs, default=0), stop=True)
        return step

    def chart(self, board: Board, piece: Piece) -> Mapping[tuple[Hex, Hex, bool], Entry | None]:
        """Read the chart for every step of a class of units, the first of a move and later ones.

        The map of a scenario never changes, so this is done once.
        """
        if piece.unit_class not in self._charts:
            self._charts[piece.unit_class] = {
                (here, there, first): super(Ground, self).entry(
                    board, piece, here, there, first=first
                )
                for here, around in board.map.around.items()
                for there in around
                for first in (True, False)
            }
        return self._charts[piece.unit_class]

    def helpers(self, board: Board, piece: Piece, here: Hex, there: Hex) -> list[Piece]:
        """5.7: engineers in good order on either bank, or on its own, who help a piece across."""
        if "river" not in board.map.between(here, there):
            return []
        banks = (here,) if self.options["crossing_help"] == "same_hex" else (here, there)
        return [
            unit
            for hex_ in banks
            for unit in board.stack(hex_)
            if unit.kind == "engineers" and unit.side == piece.side and not shaken(unit)
        ]

    def mobility(self, board: Board, piece: Piece) -> Mobility:
        """Give how a piece moves: a disrupted one by hexes instead of movement points."""
        chart, disrupted = self.chart(board, piece), "disrupted" in piece.states

        def ground(here: Hex, there: Hex, first: bool) -> Entry | None:
            step = chart[here, there, first]
            if step is None and first:  # perhaps with the help of engineers
                step = self.entry(board, piece, here, there, first=first)
            return step._replace(sixths=POINT) if step and disrupted else step

        found = super().mobility(board, piece)._replace(ground=ground)
        if not disrupted:
            return found
        most = int(self.card.number("disrupted_move")) * POINT
        return found._replace(allowance=most, in_hexes=True)

    def closed(self, board: Board, piece: Piece) -> frozenset[Hex]:
        """Give the hexes that a piece may not enter because of enemies in them."""
        enemy = self.enemy(piece.side)
        takes = (
            self.options["undefended"] == "captured"
            and is_combat(piece)
            and "demoralised" not in piece.states
        )
        return frozenset(
            hex_
            for hex_, stack in board.stacks().items()
            if stack[0].side == enemy and not (takes and not any(map(is_combat, stack)))
        )

    def may_end(self, board: Board, piece: Piece, hex_: Hex) -> Message | None:
        """4.4: within stacking; enemies who are captured make room."""
        if hex_ not in board.stacks():
            return None
        friends = tuple(unit for unit in board.stack(hex_) if unit.side == piece.side)
        return self.stacking_problem(board, hex_, (*friends, piece))

    def stacking_problem(
        self, board: Board, hex_: Hex, pieces: tuple[Piece, ...]
    ) -> Message | None:
        """4.4: so many combat units, as many transports; leaders are free."""
        problem = super().stacking_problem(board, hex_, pieces)
        if problem is not None:
            return problem
        if sum(map(is_combat, pieces)) > self._limit:
            return say("more than {limit} combat units in the hex", limit=self._limit)
        if sum(piece.kind in TRANSPORT for piece in pieces) > self._wheels:
            return say("more than {limit} trucks, wagons or sledges in the hex", limit=self._wheels)
        return None
