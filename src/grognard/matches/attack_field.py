"""The map rules of games in which units attack adjacent hexes, retreat hex by hex, and advance.

Named hooks again, on top of `Field`: a game overrides what its rulebook says otherwise. Options of
one name mean the same in every game: `retreat_direction` (farther, any_hex) and `retreat_zoc`
(never, friends, free).
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from grognard.card.rows import Reading, Side
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.protocol import Doing, Order, Orders, Playing, Roles, Words
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

# Of a retreat: the hex where it began first, the last one reached last.
RetreatPath = tuple[Hex, ...]


class Engagement(NamedTuple):
    """An attack as ordered: the hex, who attacks it, who stands in it, who supports the attack."""

    target: Hex
    attackers: tuple[Piece, ...]
    defenders: tuple[Piece, ...]
    supports: tuple[Piece, ...] = ()

    @property
    def side(self) -> str:
        return self.attackers[0].side

    @property
    def enemy(self) -> str:
        return self.defenders[0].side

    def engaged(self, role: Side) -> tuple[Piece, ...]:
        return self.attackers if role == "attacker" else self.defenders


class Phase(NamedTuple):
    """A part of a side's turn, and the orders that it asks for."""

    run: Callable[[Board, str, int], Playing]
    name: str = ""  # of its orders; empty if it asks for none
    asked: str = ""  # the side that gives them


class AttackField(Field):
    """A scenario with the rules of a game of attacks on adjacent hexes."""

    nobody_attacks: Message = say("nobody attacks; at least one unit must")
    supply_rule: str | None = None  # the rules that lines of supply and moves name
    move_rule: str | None = None
    unsupplied_marks: tuple[str, ...] = ("unsupplied",)

    # -------------------------------------------------------------- the turn

    def sequence(self, board: Board, since: Order | None = None) -> Playing:
        """Run the turns, in each the turn of either side, until one is beaten."""
        for turn in range(since.turn if since else 1, self.scenario.turns + 1):
            if since is None:
                board = yield from self.turn_begins(board, turn)
            for player in self.scenario.sides:
                if since is not None and not self._phases_from(player.id, since):
                    continue
                yield Roles(player.id, self.enemy(player.id))
                board = yield from self.side_turn(board, player.id, turn, since)
                since = None
                if any(self.beaten(board, one.id) for one in self.scenario.sides):
                    yield self.tell("remark", "all-gone")
                    return board
            board = self.turn_ends(board)
        return board

    def turn_begins(self, board: Board, turn: int) -> Playing:  # noqa: ARG002  # a hook
        """Do what comes before the turns of the sides."""
        yield from ()
        return board

    def turn_ends(self, board: Board) -> Board:
        """Clear what holds for one turn."""
        return board

    def beaten(self, board: Board, side: str) -> bool:  # noqa: ARG002  # a hook
        """Tell whether a side has lost all that could fight, which ends the match."""
        return False

    def side_turn(self, board: Board, side: str, turn: int, since: Order | None = None) -> Playing:
        """Run the phases of one side; with an order, from the phase that asks for it."""
        for phase in self._phases_from(side, since):
            board = yield from phase.run(board, side, turn)
        return board

    def phases(self, side: str) -> tuple[Phase, ...]:
        """Give the phases in the turn of a side: supply, movement, combat."""
        return (
            Phase(self.supply_phase),
            Phase(self.movement_phase, "phase-movement", side),
            Phase(self.combat_phase, "phase-combat", side),
        )

    def _phases_from(self, side: str, since: Order | None) -> tuple[Phase, ...]:
        """Give the phases of a side from the one that asks for an order; none if none does."""
        phases = self.phases(side)
        if since is None:
            return phases
        asked = ((phase.name, phase.asked) == (since.phase, since.side) for phase in phases)
        return phases[next((place for place, asks in enumerate(asked) if asks), len(phases)) :]

    def supply_phase(self, board: Board, side: str, turn: int) -> Playing:
        """Bring reinforcements, and see who is supplied."""
        board = yield from self.reinforced(board, side, turn)
        return (yield from self.check_supply(board, side))

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """Move one unit after the other."""
        board = yield from self.phase(board, side, "phase-movement", turn, self.move_orders)
        return board.changed(*(piece.cleared("moved") for piece in board.of(side)))

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """Carry out any number of attacks; a unit attacks once."""
        return self.phase(board, side, "phase-combat", turn, self.attack_orders)

    def move_orders(self, board: Board, side: str) -> Orders:
        """Give what may be ordered in a movement phase."""
        raise NotImplementedError

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Do what was ordered: an attack or a move."""
        if order[0] == "attack":
            return self.attack(board, self.engagement(board, side, order))
        if order[0] == "top":
            return self.turns_over(board, order[1])
        return self.moves(board, order, self.move_rule)

    # -------------------------------------------------------------- supply

    def needs_supply(self, piece: Piece) -> bool:  # noqa: ARG002  # a hook
        """Tell whether a piece can become unsupplied."""
        return True

    def check_supply(self, board: Board, side: str) -> Playing:
        """Mark who is unsupplied, and clear who is supplied again."""
        fed, rule = self.supplied(board, side), self.supply_rule
        for piece in board.of(side):
            marked = "unsupplied" in piece.states
            if self.needs_supply(piece) and piece.at not in fed:
                if not marked:
                    cut, unit = self.cut_at(board, piece), piece.name
                    phrase = "is-unsupplied" if cut != "-" else "no-supply-line"
                    doubt = self.supply_doubt(board, piece)
                    yield self.tell("state", phrase, rule, unit=unit, cut=cut, reading=doubt)
                board = board.changed(piece.marked(*self.unsupplied_marks))
            elif marked:
                doubt = self.supply_doubt(board, piece)
                yield self.tell("state", "is-supplied", rule, unit=piece.name, reading=doubt)
                board = board.changed(piece.cleared("unsupplied"))
        yield board
        return board

    def supply_doubt(self, board: Board, piece: Piece) -> Reading:
        """Give the reading that decides whether a piece is supplied, and where it is cut off."""
        return self.swayed(lambda field: field.supply(board, piece), *self.supply_options)

    # -------------------------------------------------------------- who attacks, who supports

    def engagement(self, board: Board, side: str, order: Words) -> Engagement:
        """Read an attack order, and refuse what the rules do not allow."""
        target = board.map.hex(order[1])
        self.enemies_in(board, side, target)
        named = [board.piece(name) for name in dict.fromkeys(order[2:])]
        attackers = tuple(piece for piece in named if not self.only_supports(piece))
        for piece in attackers:
            self.refuse(self.may_attack(board, side, piece, target))
        if not attackers:
            raise Refusal(self.nobody_attacks)
        for piece in self.unaccompanied(attackers):
            raise Refusal(
                say("{unit} only adds to a unit of its hex that attacks", unit=piece.name)
            )
        supports = tuple(piece for piece in named if self.only_supports(piece))
        for piece in supports:
            self.refuse(self.may_support(board, side, piece, target, attackers))
        return Engagement(target, attackers, self.attacked(board, target), supports)

    def attacked(self, board: Board, target: Hex) -> tuple[Piece, ...]:
        """Give who is attacked in a hex."""
        return board.stack(target)

    def only_supports(self, piece: Piece) -> bool:  # noqa: ARG002  # a hook
        """Tell whether a piece never attacks itself, but supports attacks and defences."""
        return False

    def only_adds(self, piece: Piece) -> bool:  # noqa: ARG002  # a hook
        """Tell whether a piece attacks only together with another one of its hex."""
        return False

    def unaccompanied(self, group: Sequence[Piece]) -> list[Piece]:
        """Give those of a group who only add to others, without another one of their hex."""
        others = {piece.at for piece in group if not self.only_adds(piece)}
        return [piece for piece in group if piece.at not in others]

    def may_attack(self, board: Board, side: str, piece: Piece, target: Hex) -> Message | None:
        """Say why a piece may not attack a hex; None where it may."""
        if piece.side != side or piece.at is None:
            return say("{unit} is not yours to use here", unit=piece.name)
        problem = self.unfit(piece)
        if problem is None and not self.reaches(piece, target):
            return self.too_far(board, piece, target)
        return problem or self.barred(board, piece, target)

    def attack_range(self, piece: Piece) -> int:  # noqa: ARG002  # a hook
        """Give how many hexes away a piece may attack."""
        return 1

    def reaches(self, piece: Piece, target: Hex) -> bool:
        """Tell whether a hex is within the range of a piece."""
        return piece.at is not None and 1 <= piece.at.distance(target) <= self.attack_range(piece)

    def too_far(self, board: Board, piece: Piece, target: Hex) -> Message:
        """Say that a hex is out of the range of a piece."""
        hex_, range_ = board.map.number(target), self.attack_range(piece)
        if range_ == 1:
            return say("{unit} is not adjacent to {hex}", unit=piece.name, hex=hex_)
        far = piece.place.distance(target)
        return say("{hex} is {n} hexes away; the range is {range}", hex=hex_, n=far, range=range_)

    def unfit(self, piece: Piece) -> Message | None:
        """Say why a piece can attack nobody now; None where it can."""
        if "attacked" in piece.states:
            return say("{unit} has attacked already", unit=piece.name)
        return None

    def barred(self, board: Board, piece: Piece, target: Hex) -> Message | None:
        """Say what keeps a piece from attacking this adjacent hex; None where nothing does."""
        for feature in board.map.between(piece.place, target):
            if board.map.terrain[feature].values.get("no_attack"):
                between = board.map.barrier(piece.place, target, feature)
                return say("no attack leads across this hexside: {what}", what=between)
        return None

    def may_support(
        self, board: Board, side: str, piece: Piece, target: Hex, engaged: Sequence[Piece]
    ) -> Message | None:
        """Say why a piece may not support the engaged pieces of its side; None where it may."""
        raise NotImplementedError

    def supporters(
        self, board: Board, side: str, target: Hex, engaged: Sequence[Piece]
    ) -> list[Piece]:
        """Give who may support a side's engaged pieces from outside the attacked hex."""
        return [
            piece
            for piece in board.pieces
            if piece.side == side
            and self.only_supports(piece)
            and piece.at != target
            and self.may_support(board, side, piece, target, engaged) is None
        ]

    def defensive_support(
        self, board: Board, plan: Engagement, what: str, rule: str | None = None
    ) -> Doing[tuple[Piece, ...]]:
        """Let the defender choose who supports him; he is asked where anybody can."""
        able = self.supporters(board, plan.enemy, plan.target, plan.defenders)
        if not able:
            return ()
        names = [piece.name for piece in able]
        groups = tuple(g for n in range(len(names), -1, -1) for g in combinations(names, n))
        chosen = yield from self.choose("defender", what, groups, rule)
        return tuple(piece for piece in able if piece.name in chosen)

    def attack(self, board: Board, plan: Engagement) -> Playing:
        """Carry an attack out: from the order to the fight, and from its outcome to the board."""
        raise NotImplementedError

    def surrounded(self, board: Board, hex_: Hex, by: str, *, edge_closes: bool) -> bool:
        """Tell whether all ways out of a hex are closed: by a side's units or zones of control, by
        the ground, and perhaps by the edge of the map. A unit of the hex's own side opens one."""
        zone = self.zoc(board, by)
        return all(
            (holder == by if holder else there in zone or self.no_way_out(board, hex_, there))
            if there in board.map.places
            else edge_closes
            for there in hex_.neighbours()
            for holder in (board.side_of(there),)
        )

    def no_way_out(self, board: Board, here: Hex, there: Hex) -> bool:  # noqa: ARG002  # a hook
        """Tell whether the ground closes the way out of a hex into an empty one."""
        return False

    # -------------------------------------------------------------- retreat

    def retreats(
        self, board: Board, stack: Sequence[Piece], way: RetreatPath, hexes: int
    ) -> list[Hex]:
        """Give the next hexes of a retreat from which it can be carried through."""
        steps = self.retreat_steps(board, stack, way)
        if hexes > 1:
            return [h for h in steps if self.retreats(board, stack, (*way, h), hexes - 1)]
        return self.retreat_ends(board, stack, way, steps)

    def retreat_steps(self, board: Board, stack: Sequence[Piece], way: RetreatPath) -> list[Hex]:
        """Give the hexes beside the last one of a way into which a stack may step back: into no
        enemy, over ground that all of it can enter."""
        here, side = way[-1], stack[0].side
        zone = self.zoc(board, self.enemy(side))
        return [
            there
            for there in board.map.around[here]
            if self.leads_away(way, there)
            and board.side_of(there) in (None, side)
            and (there not in zone or self.zone_open(board, there))
            and all(self.entry(board, piece, here, there, first=True) for piece in stack)
        ]

    def leads_away(self, way: RetreatPath, there: Hex) -> bool:
        """Tell whether a step leads farther from where the retreat began; by option (any_hex) it
        only may not lead back there."""
        if self.options["retreat_direction"] == "any_hex":
            return there != way[0]
        return there.distance(way[0]) > way[-1].distance(way[0])

    def zone_open(self, board: Board, there: Hex) -> bool:
        """Tell whether a retreat may enter an enemy zone of control in a hex without enemies."""
        choice = self.options.get("retreat_zoc", "never")
        return choice == "free" or (choice == "friends" and board.side_of(there) is not None)

    def retreat_ends(
        self,
        board: Board,
        stack: Sequence[Piece],
        way: RetreatPath,  # noqa: ARG002  # games look at it
        steps: list[Hex],
    ) -> list[Hex]:
        """Give those of the last steps with which a retreat may end."""
        return [hex_ for hex_ in steps if self.fits(board, hex_, stack)]

    def longest_retreat(
        self, board: Board, stack: Sequence[Piece], way: RetreatPath, hexes: int
    ) -> tuple[int, list[Hex]]:
        """Find how many of so many hexes a stack can retreat, and its next hexes then."""
        for length in range(hexes, 0, -1):
            if steps := self.retreats(board, stack, way, length):
                return length, steps
        return 0, []
