"""Bautzen 1945 on the map: who may attack, the attack, and its outcome back to the board."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.fights.play import Play
from grognard.games.bautzen.aftermath import Engagement
from grognard.games.bautzen.conditions import Conditions
from grognard.games.bautzen.stated import SUPPORTS, BautzenFight, in_hex
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Doing, Playing, Words
from grognard.matches.orders import AttackOrders
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal


class Battle(Conditions):
    """8: the attack."""

    # -------------------------------------------------------------- who may attack and support

    def engagement(self, board: Board, side: str, words: Words) -> Engagement:
        """Read an attack order, and refuse what the rules do not allow."""
        target = board.map.hex(words[1])
        if board.side_of(target) != self.enemy(side):
            raise Refusal(say("there is no enemy in {hex}", hex=words[1]))
        named = [board.piece(name) for name in dict.fromkeys(words[2:])]
        attackers = [p for p in named if p.kind not in SUPPORTS]
        for piece in attackers:
            self.refuse(self.may_attack(board, side, piece, target))
        if not attackers:
            raise Refusal(say("no unit attacks; at least one that is not an HQ, artillery or CL"))
        supports = [p for p in named if p.kind in SUPPORTS]
        for piece in supports:
            self.refuse(self.may_support(piece, side, attackers, "supported"))
        defenders = tuple(board.stack(target))
        return Engagement(target, tuple(attackers), tuple(supports), defenders)

    def may_attack(self, board: Board, side: str, piece: Piece, target: Hex) -> Message | None:
        """8.1: adjacent, once a segment, not out of a lake or with a logistic column."""
        if piece.side != side or piece.at is None:
            return say("{unit} is not yours to use here", unit=piece.name)
        if piece.kind == "cl":
            return say("a logistic column does not attack")
        if "attacked" in piece.states:
            return say("{unit} has attacked already", unit=piece.name)
        if piece.at.distance(target) != 1:
            hex_ = board.map.number(target)
            return say("{unit} is not adjacent to {hex}", unit=piece.name, hex=hex_)
        return None

    def may_support(
        self, piece: Piece, side: str, engaged: Iterable[Piece], used: str
    ) -> Message | None:
        """9.1, 9.2, 8.6.2: in range of an engaged unit that it may support, once a segment."""
        if piece.side != side or piece.at is None:
            return say("{unit} is not yours to use here", unit=piece.name)
        if used in piece.states:
            return say("{unit} has given its support already", unit=piece.name)
        if piece.kind == "hq":
            near = any(self.commands(piece, unit) for unit in engaged)
        else:
            near = any(
                unit.at and piece.at.distance(unit.at) <= piece.number("range") for unit in engaged
            )
        return None if near else say("{unit} supports no engaged unit", unit=piece.name)

    # -------------------------------------------------------------- the attack

    def attack(self, board: Board, plan: Engagement) -> Playing:
        """8.2: from the order to the fight, and from its outcome back to the board."""
        theirs = yield from self._defender_support(board, plan)
        setup = yield from self.setup(board, plan, theirs)
        play = yield from self.resolve(self.game.fight(setup, options=self.options))
        fight = play.fight
        if not isinstance(fight, BautzenFight):
            raise TypeError("an attack ends as an attack")
        board = self._applied(board, plan, theirs, fight)
        board = yield from self._spend(board, plan, play)
        yield board
        if fight.retreat and any(unit.alive for unit in in_hex(fight.defenders)):
            board = yield from self.retreat(board, plan, fight)
        board = yield from self.escort_lost(board, plan, entered=bool(fight.advanced))
        board = yield from self.advance(board, fight.advanced, plan.target)
        return (yield from self.check_stacking(board))

    def _defender_support(self, board: Board, plan: Engagement) -> Doing[tuple[Piece, ...]]:
        """9.1: which HQs and guns elsewhere support the defence; asked where there are any."""
        side = plan.defenders[0].side
        able = [
            piece
            for piece in board.of(side)
            if piece.kind in SUPPORTS
            and piece.at != plan.target
            and self.may_support(piece, side, plan.defenders, "defended") is None
        ]
        if not able or all(piece.kind == "cl" for piece in plan.defenders):
            return ()
        names = [piece.name for piece in able]
        groups = tuple(g for n in range(len(names), -1, -1) for g in combinations(names, n))
        chosen = yield from self.choose("defender", "defender-support", groups, "9.1")
        return tuple(piece for piece in able if piece.name in chosen)

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
            piece = board.piece(unit.name)
            if unit.name in used:
                piece = piece.marked(used[unit.name])
            board = board.changed(replace(piece, steps=unit.steps))
            if not unit.alive:
                board = board.removed(unit.name)
        captured = [p for p, fate in zip(plan.defenders, fight.fates, strict=False) if fate == "C"]
        side = plan.attackers[0].side
        for piece in captured:
            board = board.changed(replace(piece, side=side, nation=plan.attackers[0].nation))
        return board

    def _spend(self, board: Board, plan: Engagement, play: Play) -> Playing:
        """7.2, 10: remove the columns that were used, and count the air markers."""
        (ours, air), (theirs, their_air) = (
            _committed(play, "attacker"),
            _committed(play, "defender"),
        )
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


def _committed(play: Play, side: Side) -> tuple[int, int]:
    """Read in the log how many logistic columns and air markers a side has committed."""
    lines = (told.line for told in play.told if told.line.id == f"{side}-commits")
    blanks = next((dict(line.blanks) for line in lines), {"cl": 0, "air": 0})
    return int(str(blanks["cl"])), int(str(blanks["air"]))


class Attacks(AttackOrders):
    """8: all that can attack a hex, and each unit alone, with whatever may support them."""

    def __init__(self, field: Battle, board: Board, side: str) -> None:
        super().__init__(board, side)
        self.field = field

    def refuse(self, order: Words) -> None:
        """Refuse an attack that the rules do not allow."""
        self.field.engagement(self.board, self.side, order)

    def able(self, target: Hex) -> list[Piece]:
        """Give the units that could attack a hex."""
        return [
            piece
            for piece in self.board.of(self.side)
            if piece.kind not in SUPPORTS
            and self.field.may_attack(self.board, self.side, piece, target) is None
        ]

    def supports(self, target: Hex, group: Sequence[Piece]) -> list[Piece]:  # noqa: ARG002  # as fields are asked
        """Give the HQs and guns that could support a group."""
        return [
            piece
            for piece in self.board.of(self.side)
            if piece.kind in SUPPORTS
            and self.field.may_support(piece, self.side, group, "supported") is None
        ]

    def groups(self, target: Hex) -> Iterator[Words]:
        """Name the groups that could attack a hex."""
        able = self.able(target)
        for group in ([able] if able else []) + ([[p] for p in able] if len(able) > 1 else []):
            yield tuple(piece.name for piece in (*group, *self.supports(target, group)))
