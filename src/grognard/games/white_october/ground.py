"""White October on the ground: zones of control, movement, stacking, supply, encirclement.

The card gives the zones of control only; the rest is the common rule of the hobby, by options.
"""

from collections.abc import Iterable, Sequence

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.scenario import Scenario
from grognard.maps.scenario_checks import Needs
from grognard.matches.attack_field import AttackField, RetreatPath
from grognard.matches.protocol import Playing
from grognard.words.message import Message, say

ANO = "ano"
COMBAT = ("infantry", "cavalry")  # the combat units
VEHICLES = ("tank", "armoured-car")
FIGHTS = (*COMBAT, *VEHICLES)  # what attacks
GUNS = ("artillery", "armoured-train", "fleet")
SUPPORTS = (*GUNS, "aircraft")  # what fires in support
HQ, LEADER = "hq", "leader"
MOBILE = ("cavalry", "armoured-car")  # what follows up for a second hex
ROUTED, DISORGANISED, DRY, ISOLATED = "routed", "disorganised", "out_of_ammunition", "isolated"


class Ground(AttackField):
    """Zones of control, movement, stacking, supply and encirclement."""

    nobody_attacks = say("no unit attacks; at least one that does more than fire in support")

    @classmethod
    def needs(cls, card: Card) -> Needs:  # noqa: ARG003  # a hook
        """Name what the rules look for in a scenario."""
        return Needs(kinds=(*FIGHTS, *SUPPORTS, HQ, LEADER))

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.zoc_to_zoc = self.options["zoc_movement"] == "infiltrate"
        self._limit = int(self.card.number("stacking_pe"))
        self._uncounted = (LEADER,) if self.options["hq_stacking"] == "counted" else (HQ, LEADER)

    # -------------------------------------------------------------- zones of control

    def exerts_zoc(self, piece: Piece) -> bool:
        """Only a combat unit has one: no tank, armoured car, HQ, fleet or routed unit."""
        return piece.alive and piece.kind in COMBAT and ROUTED not in piece.states

    # -------------------------------------------------------------- movement and stacking

    def may_end(self, board: Board, piece: Piece, hex_: Hex) -> Message | None:
        """Within stacking; a leader only with a unit; a routed unit not beside the enemy."""
        problem = super().may_end(board, piece, hex_)
        if problem is not None:
            return problem
        if piece.kind == LEADER and not troops(board.stack(hex_)):
            return say("{unit} ends a move only with a unit", unit=piece.name)
        passive = ROUTED in piece.states and self.options["routed_units"] == "passive"
        if passive and hex_ in self.zoc(board, self.enemy(piece.side)):
            return say("{unit} is routed and goes to no enemy zone of control", unit=piece.name)
        return None

    def stacking_problem(
        self, board: Board, hex_: Hex, pieces: tuple[Piece, ...]
    ) -> Message | None:
        """Count the PE of all units, HQs by option; leaders are persons."""
        problem = super().stacking_problem(board, hex_, pieces)
        if problem is not None:
            return problem
        limit = self._limit
        pe = sum(piece.steps for piece in pieces if piece.kind not in self._uncounted)
        return say("{pe} PE in a hex; at most {limit}", pe=pe, limit=limit) if pe > limit else None

    # -------------------------------------------------------------- supply

    def find_shut(self, board: Board, side: str) -> frozenset[Hex]:
        """No line over water, nor through enemies or their zones, friends apart."""
        wet = (row.id for row in board.map.terrain.values() if row.values.get("no_supply"))
        return super().find_shut(board, side).union(*map(board.map.hexes_with, wet))

    def has_supply(self, board: Board, piece: Piece) -> bool:
        """Tell whether a piece has a supply line, as `supply` would trace it."""
        return piece.at in self.supplied(board, piece.side)

    # -------------------------------------------------------------- encirclement

    def encircled(self, board: Board, hex_: Hex, side: str) -> bool:
        """Tell whether a side's stack is encircled, as the option for it defines."""
        stack = troops(board.stack(hex_))
        if self.options["encirclement"] == "no_supply":
            return not any(self.has_supply(board, piece) for piece in stack)
        edge_closes = self.options["encirclement"] != "edge_open"
        return self.surrounded(board, hex_, self.enemy(side), edge_closes=edge_closes)

    def no_way_out(self, board: Board, here: Hex, there: Hex) -> bool:
        """Terrain closes a way out for units none of which could enter it."""
        stack = troops(board.stack(here))
        return all(self.entry(board, p, here, there, first=True) is None for p in stack)

    # -------------------------------------------------------------- attack and support

    def only_supports(self, piece: Piece) -> bool:
        """Guns and aircraft."""
        return piece.kind in SUPPORTS

    def attacked(self, board: Board, target: Hex) -> tuple[Piece, ...]:
        """The units of the hex; leaders are persons."""
        return tuple(troops(board.stack(target)))

    def unfit(self, piece: Piece) -> Message | None:
        """Not what does not fight; once a phase; routed units by option."""
        if piece.kind not in FIGHTS:
            return say("{unit} does not attack", unit=piece.name)
        problem = super().unfit(piece)
        passive = ROUTED in piece.states and self.options["routed_units"] == "passive"
        if problem is None and passive:
            return say("{unit} is routed and does not attack", unit=piece.name)
        return problem

    def barred(self, board: Board, piece: Piece, target: Hex) -> Message | None:
        """Into a hex that the unit could enter; by option each hex is attacked once."""
        hex_ = board.map.number(target)
        free = piece.kind in VEHICLES and self.options["vehicle_attack"] == "anywhere"
        if not free and not self.enters(board, piece, target):
            return say("{unit} can't enter {hex}, nor attack it", unit=piece.name, hex=hex_)
        attacked = all("defended" in unit.states for unit in troops(board.stack(target)))
        if attacked and self.options["hex_attacked"] == "once":
            return say("{hex} has been attacked already", hex=hex_)
        return None

    def may_support(
        self,
        board: Board,
        side: str,
        piece: Piece,
        target: Hex,
        engaged: Sequence[Piece],  # noqa: ARG002  # here support is for a hex
    ) -> Message | None:
        """Once a phase, within range, with ammunition; aircraft once a turn, and by day."""
        if piece.side != side or not piece.alive:
            return say("{unit} is not yours to use here", unit=piece.name)
        if "fired" in piece.states:
            return say("{unit} has given its support already", unit=piece.name)
        if piece.kind != "aircraft":
            return self._silent(board, piece, target)
        if self.night(board) and self.options["night_flying"] == "no":
            return say("{unit} does not fly by night", unit=piece.name)
        return None

    def _silent(self, board: Board, gun: Piece, target: Hex) -> Message | None:
        """Say why a gun can't fire at a hex, or for it."""
        if gun.at is None:
            return say("{unit} is not on the map", unit=gun.name)
        if DRY in gun.states or ROUTED in gun.states:
            return say("{unit} is routed or out of ammunition and can't fire", unit=gun.name)
        if not gun.reaches(target):
            hex_ = board.map.number(target)
            return say("{hex} is out of range of {unit}", unit=gun.name, hex=hex_)
        return None

    def night(self, board: Board) -> bool:
        return board.pools.get("night", 0) > 0

    # -------------------------------------------------------------- the ways of a retreat

    def retreat_ends(
        self, board: Board, stack: Sequence[Piece], way: RetreatPath, steps: list[Hex]
    ) -> list[Hex]:
        """The last hex has room; where none has, the retreat goes on through one, by option."""
        free = super().retreat_ends(board, stack, way, steps)
        if free or self.options["overstacking"] == "blocked":
            return free
        return [step for step in steps if self.retreats(board, stack, (*way, step), 1)]

    def leads_away(self, way: RetreatPath, there: Hex) -> bool:
        """Farther from where the retreat began; by option anywhere, but nowhere twice."""
        return there not in way and super().leads_away(way, there)

    # -------------------------------------------------------------- leaders

    def gather(self, board: Board, active: str) -> Playing:
        """A leader who is left alone joins the nearest unit of his side, or is captured."""
        for leader in [piece for piece in board.pieces if piece.kind == LEADER and piece.at]:
            here = leader.place
            if troops(board.stack(here)):
                continue
            role: Side = "attacker" if leader.side == active else "defender"
            friends = (p.place for p in board.of(leader.side) if p.kind in (*FIGHTS, HQ))
            stands = {hex_: here.distance(hex_) for hex_ in friends}
            caught = here in self.zoc(board, self.enemy(leader.side))
            if not stands or (caught and self.options["lone_leader"] == "captured"):
                yield self.tell("captured", "is-captured", side=role, unit=leader.name)
                board = board.removed(leader.name)
                continue
            nearest = [hex_ for hex_, far in stands.items() if far == min(stands.values())]
            hex_ = yield from self.choose_hex(board, role, "joins-where", nearest, leader.name)
            board = board.moved([leader.name], hex_)
            number = board.map.number(hex_)
            yield self.tell("remark", "joins", side=role, unit=leader.name, value=number)
        yield board
        return board


def troops(stack: Iterable[Piece]) -> list[Piece]:
    """Give the units of a stack: leaders are persons."""
    return [piece for piece in stack if piece.kind != LEADER]
