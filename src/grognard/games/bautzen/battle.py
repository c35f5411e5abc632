"""Bautzen 1945 on the map: who may attack, the attack, and its outcome back to the board."""

from collections.abc import Sequence

from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.games.bautzen.conditions import Conditions
from grognard.games.bautzen.stated import SUPPORTS, BautzenFight, in_hex
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.field import Playing
from grognard.rules.fight import alive
from grognard.words.message import Message, say


class Battle(Conditions):
    """8: the attack."""

    # -------------------------------------------------------------- who may attack and support

    nobody_attacks = say("no unit attacks; at least one that is not an HQ, artillery or CL")

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
        if piece.kind == "hq":
            near = any(self.commands(piece, unit) for unit in engaged)
        else:
            near = any(piece.reaches(unit.at) for unit in engaged)
        return None if near else say("{unit} supports no engaged unit", unit=piece.name)

    # -------------------------------------------------------------- the attack

    def attack(self, board: Board, plan: Engagement) -> Playing:
        """8.2: from the order to the fight, and from its outcome back to the board."""
        theirs: tuple[Piece, ...] = ()
        if any(piece.kind != "cl" for piece in plan.defenders):
            theirs = yield from self.defensive_support(board, plan, "defender-support", "9.1")
        setup = yield from self.setup(board, plan, theirs)
        attack = self.game.fight(setup, options=self.options)
        _, fight = yield from self.fought(attack, BautzenFight)
        board = self._applied(board, plan, theirs, fight)
        board = yield from self._spend(board, plan, fight)
        yield board
        if fight.retreat and alive(in_hex(fight)):
            board = yield from self.retreat(board, plan, fight)
        board = yield from self.escort_lost(board, plan, entered=bool(fight.advanced))
        board = yield from self.advance(board, fight.advanced, plan.target)
        return (yield from self.check_stacking(board))

    # -------------------------------------------------------------- the outcome

    def _applied(
        self, board: Board, plan: Engagement, theirs: tuple[Piece, ...], fight: BautzenFight
    ) -> Board:
        """Bring steps, states and captures from the fight to the board."""
        used = {
            **{p.name: "attacked" for p in plan.attackers},
            **{p.name: "supported" for p in plan.supports},
            **{p.name: "defended" for p in (*plan.defenders, *theirs) if p.kind in SUPPORTS},
        }
        for unit in (*fight.attackers, *fight.defenders):
            marks = (used[unit.name],) if unit.name in used else ()
            board = board.with_steps(unit.name, unit.steps, *marks)
        captured = [p for p, fate in zip(plan.defenders, fight.fates, strict=False) if fate == "C"]
        for piece in captured:
            board = board.changed(replace(piece, side=plan.side, nation=plan.attackers[0].nation))
        return board

    def _spend(self, board: Board, plan: Engagement, fight: BautzenFight) -> Playing:
        """7.2, 10: remove the columns that were used, and count the air markers."""
        ours, air, theirs, their_air = fight.committed
        board = board.pooled("air_used", air + their_air)
        sides: tuple[tuple[Side, int, tuple[Piece, ...]], ...] = (
            ("attacker", ours, plan.attackers),
            ("defender", theirs, plan.defenders),
        )
        for side, count, engaged in sides:
            for _ in range(count):
                names = tuple(piece.name for piece in self.near_columns(board, engaged))
                name = yield from self.choose(side, "which-column", names, "7.2")
                yield self.tell("spent", "column-used", "7.2", side=side, unit=name)
                board = board.removed(name)
        return board
