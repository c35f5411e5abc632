"""Panzer Grenadier on the map: movement, stacking, and what befalls units on the move."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from grognard.games.panzer_grenadier.battle import (
    ACTED,
    SHAKEN,
    BattleField,
    Shot,
    Volley,
    is_combat,
    state_of,
)
from grognard.games.panzer_grenadier.stated import STATES, TRANSPORT, DirectFire, FireFight, Firer
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import POINT, Entry, Reached, parsed, reach
from grognard.maps.scenario import Scenario
from grognard.matches.field import Doing, Playing, Roles, Words
from grognard.words.message import Message, say

MOVING = "moving"  # in this action segment
RIDES = ("infantry", "engineers", "mortar", "anti-tank", "anti-aircraft", "artillery", "other")
HOLD: Words = ("hold",)


class GroundField(BattleField):
    """Movement on a board."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._limit = int(self.card.number("stacking"))
        self._wheels = int(self.card.number("transport_stacking"))
        self._charts: dict[str, Mapping[tuple[Hex, Hex, bool], Entry | None]] = {}

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
        return self.may_use_arms(piece, piece.side)

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
                (here, there, first): super(GroundField, self).entry(
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

    def find_reach(self, board: Board, piece: Piece) -> dict[Hex, Reached]:
        """Find where a piece can go: a disrupted one moves hexes instead of movement points."""
        if piece.at is None or not piece.move:
            return {}
        closed, disrupted = self.closed(board, piece), "disrupted" in piece.states
        chart, zone = self.chart(board, piece), self.zoc(board, self.enemy(piece.side))

        def enter(here: Hex, there: Hex, first: bool) -> Entry | None:
            if there in closed:
                return None
            step = chart[here, there, first]
            if step is None and first:  # perhaps with the help of engineers
                step = self.entry(board, piece, here, there, first=first)
            if step is None:
                return None
            return Entry(POINT if disrupted else step.sixths, step.stop or there in zone)

        most = self.allowance(board, piece)
        if disrupted:
            most = int(self.card.number("disrupted_move")) * POINT
        found = reach(piece.at, most, board.map.around, enter)
        return {
            hex_: way
            for hex_, way in found.items()
            if hex_ == piece.at
            or hex_ not in board.stacks()
            or self.may_end(board, piece, hex_) is None
        }

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

    def ride(self, board: Board, carrier: Piece, load: Piece) -> Message | None:
        """Say why a truck, wagon or sledge can't carry a unit: one that stands with it."""
        if carrier.kind not in TRANSPORT:
            return say("{unit} is no truck, wagon or sledge", unit=carrier.name)
        riders = (*RIDES, "leader") if self.options["truck_load"] == "with_leader" else RIDES
        if load.kind not in riders or load.side != carrier.side:
            return say("{unit} can't be carried", unit=load.name)
        if load.at != carrier.at:
            return say("{unit} is not in the hex of {other}", unit=load.name, other=carrier.name)
        return self.may_move(board, load)

    def overload(self, carrier: Piece, loads: Sequence[Piece]) -> Message | None:
        """Say why units are too much for a truck, wagon or sledge."""
        leaders = sum(load.kind == "leader" for load in loads)
        most = 2 if self.options["truck_load"] == "two_units" else 1
        if leaders > 1 or len(loads) - leaders > most:
            return say("{unit} can't carry so much", unit=carrier.name)
        return None

    def loads(
        self, board: Board, carrier: Piece, able: Sequence[Piece]
    ) -> Iterator[tuple[Piece, ...]]:
        """Give what a truck, wagon or sledge can carry of some units."""
        riders = [load for load in able if self.ride(board, carrier, load) is None]
        for count in range(1, len(riders) + 1):
            for group in combinations(riders, count):
                if self.overload(carrier, group) is None:
                    yield group

    # -------------------------------------------------------------- a move, hex by hex

    def march(
        self, board: Board, names: tuple[str, ...], path: Sequence[Hex], turn: int
    ) -> Playing:
        """Move units along a path: each hex may bring mines and opportunity fire."""
        before, fired, walked = [board.piece(name) for name in names], False, [path[0]]
        for here, there in pairwise(path):
            board = yield from self._enters(board, names, here, there)
            walked.append(there)
            board = yield from self._mines(board, names, there)
            if not fired or self.options["opportunity"] == "each_hex":
                board, shot = yield from self._watched(board, names, there, turn)
                fired = fired or shot
            if any(_worse(board.piece(piece.name), piece) for piece in before):
                break
        return (yield from self._settles(board, names, walked, len(path)))

    def _enters(self, board: Board, names: tuple[str, ...], here: Hex, there: Hex) -> Playing:
        """Put the units into the next hex, taking what is undefended there."""
        first = board.piece(names[0])
        states = [ACTED, MOVING]
        if self.chart(board, first)[here, there, True] is None:
            helper = self.helpers(board, first, here, there)[0]
            river = self.river_beside(board, there)
            yield self.tell(
                "note", "crosses", "5.7", unit=first.name, helper=helper.name, river=river
            )
            states.append("crossing")
        for piece in board.stack(there):
            if piece.side != first.side:
                number = board.map.number(there)
                yield self.tell(
                    "captured", "is-captured", side="defender", unit=piece.name, value=number
                )
                board = board.removed(piece.name)
        moved = (board.piece(name).cleared("dug-in", "digging").marked(*states) for name in names)
        board = board.changed(*moved).moved(names, there)
        yield board
        return board

    def _mines(self, board: Board, names: tuple[str, ...], hex_: Hex) -> Playing:
        """An enemy minefield attacks those who enter it."""
        first = board.piece(names[0])
        owner = self.enemy(first.side)
        if (
            self.options["minefields"] == "no_attack"
            or self.marked_by(board, hex_, "minefield") != owner
        ):
            return board
        number = board.map.number(hex_)
        yield self.tell("remark", "enters-mines", unit=first.name, value=number)
        mines = Firer(name=number, fire=int(self.card.number("minefield_fire")))
        yield Roles(owner, first.side)
        targets = tuple(map(board.piece, names))
        terrain = yield from self.terrain_of(board, hex_)
        leaders = yield from self.leaders_for(board, first.side, hex_, targets)
        setup = DirectFire(
            attackers=(mines,),
            defenders=(*map(self.target, targets), *leaders),
            range=0,
            terrain=terrain,
        )
        fire = self.game.fight(setup, options=self.options)
        _, fight = yield from self.fought(fire, FireFight)
        yield Roles(first.side, owner)
        board = self.applied(board, fight)
        yield board
        return board

    def _watched(
        self, board: Board, names: tuple[str, ...], hex_: Hex, turn: int
    ) -> Doing[tuple[Board, bool]]:
        """13.0: ask the other side whether it fires at those who move into its sight."""
        targets = tuple(piece for piece in map(board.piece, names) if piece.alive)
        if not any(piece.kind != "leader" for piece in targets):
            return board, False
        side = targets[0].side
        enemy = self.enemy(side)
        ways = tuple(self.opportunities(board, enemy, targets, hex_, turn))
        if not ways:
            return board, False
        who = ", ".join(piece.name for piece in targets)
        chosen = yield from self.choose("defender", "opportunity", (*ways, HOLD), "13.0", who)
        if chosen == HOLD:
            return board, False
        yield Roles(enemy, side)
        if chosen[0] == "fire":
            firers = tuple(map(board.piece, chosen[1:]))
            board = yield from self.fires(
                board, Volley(hex_, firers, targets, turn, opportunity=True)
            )
        else:
            target = next(piece for piece in targets if piece.name == chosen[1])
            shot = Shot(board.piece(chosen[2]), target, turn, opportunity=True)
            board = yield from self.shoots(board, shot)
        yield Roles(side, enemy)
        yield board
        return board, True

    def opportunities(
        self, board: Board, side: str, targets: tuple[Piece, ...], hex_: Hex, turn: int
    ) -> Iterator[Words]:
        """13.0: how a side may fire at moving units: anti-tank fire, then direct fire of a hex's
        units together or of one alone, the strongest first."""
        mine = [stack for stack in board.stacks().values() if stack[0].side == side]
        for piece in (piece for stack in mine for piece in stack):
            for target in targets:
                if self.may_shoot(board, side, piece, target, turn) is None:
                    yield ("shoot", target.name, piece.name)
        groups: list[tuple[Piece, ...]] = []
        for stack in mine:
            able = tuple(p for p in stack if self.may_fire(board, side, p, hex_, turn) is None)
            groups += [able, *((piece,) for piece in able)] if len(able) > 1 else [able]
        groups.sort(key=lambda group: -sum(piece.number("fire") for piece in group))
        for group in groups:
            if group and self.enough_fire(group):
                yield ("fire", *(piece.name for piece in group))

    def _settles(
        self, board: Board, names: tuple[str, ...], walked: list[Hex], planned: int
    ) -> Playing:
        """End a move; where it was halted in a full hex, in the last one with room or there."""
        alive = [piece for piece in map(board.piece, names) if piece.alive]
        if not alive or len(walked) == planned:
            return board
        who = ", ".join(piece.name for piece in alive)
        yield self.tell("remark", "halts", unit=who, value=board.map.number(walked[-1]))
        if self.options["halted_full"] == "stays":
            return board
        place = len(walked) - 1
        while place and not self.fits(board, walked[place], alive):
            place -= 1
        if place != len(walked) - 1:
            board = board.moved([piece.name for piece in alive], walked[place])
            yield self.tell(
                "retreat", "falls-back", unit=who, value=board.map.number(walked[place])
            )
            yield board
        return board


def shaken(piece: Piece) -> bool:
    """Tell whether a piece is disrupted or demoralised."""
    return any(state in piece.states for state in SHAKEN)


def _worse(now: Piece, before: Piece) -> bool:
    """Tell whether a piece is gone, or in a worse morale state than before."""
    return not now.alive or STATES.index(state_of(now)) > STATES.index(state_of(before))
