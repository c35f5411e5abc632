"""White October on the map, after a fight: retreats, routs, and the advance of the winner."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grognard.card.rows import Side
from grognard.games.white_october.ground import Ground, troops
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Playing

NOBODY = "nobody"


class Engagement(NamedTuple):
    """An attack as ordered: the hex, who attacks it, who fires in support, who stands there."""

    target: Hex
    attackers: tuple[Piece, ...]
    supports: tuple[Piece, ...]
    defenders: tuple[Piece, ...]

    def engaged(self, side: Side) -> tuple[Piece, ...]:
        return self.attackers if side == "attacker" else self.defenders


class Aftermath(Ground):
    """Where beaten units may go, and who takes their place."""

    # -------------------------------------------------------------- the ways back

    def retreats(
        self, board: Board, stack: Sequence[Piece], path: tuple[Hex, ...], hexes: int
    ) -> list[Hex]:
        """Give the next hexes of a retreat along a path that can be carried through: each step
        leads away; the last hex has room, or the way goes on through it."""
        ways = [
            there
            for there in board.map.around[path[-1]]
            if self._leads_away(path, there) and self.may_retreat(board, stack, path[-1], there)
        ]
        if hexes > 1:
            return [w for w in ways if self.retreats(board, stack, (*path, w), hexes - 1)]
        free = [way for way in ways if self._has_room(board, stack, way)]
        if free or self.options["overstacking"] == "blocked":
            return free
        return [way for way in ways if self.retreats(board, stack, (*path, way), 1)]

    def _leads_away(self, path: tuple[Hex, ...], there: Hex) -> bool:
        """Farther from where the retreat began; by option anywhere, but nowhere twice."""
        if self.options["retreat_direction"] == "any_hex":
            return there not in path
        return there.distance(path[0]) > path[-1].distance(path[0])

    def may_retreat(self, board: Board, stack: Sequence[Piece], here: Hex, there: Hex) -> bool:
        """Not into enemies or impassable ground; into their zones only where friends stand."""
        side = stack[0].side
        holder = board.side_of(there)
        if holder == self.enemy(side):
            return False
        friends = holder == side and self.options["retreat_zoc"] == "friends"
        if there in self.zoc(board, self.enemy(side)) and not friends:
            return False
        return all(self.entry(board, unit, here, there, first=True) for unit in stack)

    def _has_room(self, board: Board, stack: Sequence[Piece], hex_: Hex) -> bool:
        names = {unit.name for unit in stack}
        others = [piece for piece in board.stack(hex_) if piece.name not in names]
        return self.stacking_problem(board, hex_, (*others, *stack)) is None

    def furthest(self, board: Board, stack: Sequence[Piece], hexes: int) -> int:
        """Tell how many of so many hexes a stack can retreat."""
        here = stack[0].at
        while here and hexes and not self.retreats(board, stack, (here,), hexes):
            hexes -= 1
        return hexes if here else 0

    def way_open(self, board: Board, units: Iterable[Piece]) -> bool:
        """Tell whether any of these units can retreat a hex."""
        return any(self.furthest(board, [unit], 1) for unit in units)

    # -------------------------------------------------------------- retreat and rout

    def withdraw(
        self, board: Board, side: Side, names: Iterable[str], hexes: int, *, rout: bool
    ) -> Playing:
        """Let the beaten units go, stack by stack."""
        for stack in stacks_of(map(board.piece, names)).values():
            gone = [unit.name for unit in stack]
            board = yield from self._goes(board, side, gone, hexes, rout=rout)
        return board

    def _goes(
        self, board: Board, side: Side, names: Sequence[str], hexes: int, *, rout: bool
    ) -> Playing:
        """A stack goes together as far as it must; where it can't, each unit by itself, and what
        is missing is paid for."""
        stack = [board.piece(name) for name in names]
        able = self.furthest(board, stack, hexes)
        apart = self.options["retreat_apart"] == "apart"
        if able < hexes and len(stack) > 1 and apart:
            for name in names:
                board = yield from self._goes(board, side, [name], hexes, rout=rout)
            return board
        here, left = stack[0].at, able
        if here is None:
            return board
        path: tuple[Hex, ...] = (here,)
        while left:
            ways = self.retreats(board, stack, path, left)
            ways = self.towards_supply(board, stack[0].side, ways) if rout else ways
            here = yield from self.choose_hex(board, side, "retreat-where", ways, ", ".join(names))
            board, path = board.moved(names, here), (*path, here)
            number = board.map.number(here)
            yield self.tell(
                "retreat", "retreats-to", side=side, unit=", ".join(names), value=number
            )
            yield board
            left -= 1
            if not left and self.stacking_problem(board, here, board.stack(here)):
                left = 1
        if able < hexes:
            board = yield from self._pays(board, side, names, hexes - able)
        return board

    def towards_supply(self, board: Board, side: str, ways: list[Hex]) -> list[Hex]:
        """A rout runs towards the nearest own supply source."""
        sources = board.map.sources_of(side)
        if not sources or self.options["rout_path"] == "owner":
            return ways
        far = {way: min(way.distance(source) for source in sources) for way in ways}
        return [way for way in ways if far[way] == min(far.values())]

    def _pays(self, board: Board, side: Side, names: Sequence[str], hexes: int) -> Playing:
        """Pay for each hex that can't be retreated with a loss, or with all that is left."""
        yield self.tell("remark", "no-way-on", side=side, unit=", ".join(names), value=hexes)
        if self.options["no_retreat"] == "eliminated":
            for name in names:
                yield self.tell("eliminated", "is-eliminated", side=side, unit=name)
            return board.removed(*names)
        for _ in range(hexes * int(self.card.number("no_retreat_loss"))):
            left = tuple(name for name in names if board.piece(name).alive)
            if left:
                name = yield from self.choose(side, "which-loses", left)
                board = yield from self.loses(board, side, name)
        yield board
        return board

    # -------------------------------------------------------------- advance

    def advances(
        self, board: Board, side: Side, plan: Engagement, name: str, hexes: int
    ) -> Playing:
        """The unit that must advances into a hex that the loser has left; others may follow; then
        perhaps a second hex. An advance minds no zone of control."""
        ours = plan.engaged(side)
        starts = (unit.at for unit in plan.attackers if unit.at)
        ground = [plan.target] if side == "attacker" else list(dict.fromkeys(starts))
        piece = board.piece(name)
        open_ = [
            hex_
            for hex_ in ground
            if board.side_of(hex_) is None and self.enters(board, piece, hex_)
        ]
        if not open_:
            yield self.tell("remark", "advance-blocked", side=side, unit=name)
            return board
        hex_ = yield from self.choose_hex(board, side, "advance-where", open_, name)
        board = yield from self._steps_to(board, side, name, hex_)
        if self.options["followers"] == "may":
            board = yield from self._follow(board, side, [unit.name for unit in ours], hex_)
        if hexes > 1:
            board = yield from self._second_hex(board, side, name, piece.at)
        return board

    def _steps_to(self, board: Board, side: Side, name: str, hex_: Hex) -> Playing:
        board = board.moved([name], hex_)
        number = board.map.number(hex_)
        yield self.tell("advance", "advances-to", side=side, unit=name, value=number)
        yield board
        return board

    def _follow(self, board: Board, side: Side, names: list[str], hex_: Hex) -> Playing:
        """Others of the engaged units may follow, as stacking allows."""
        while True:
            able = tuple(
                name
                for name in names
                if (unit := board.piece(name)).alive
                and self.enters(board, unit, hex_)
                and self.stacking_problem(board, hex_, (*board.stack(hex_), unit)) is None
            )
            if not able:
                return board
            name = yield from self.choose(side, "who-follows", (NOBODY, *able))
            if name == NOBODY:
                return board
            board = yield from self._steps_to(board, side, name, hex_)

    def _second_hex(self, board: Board, side: Side, name: str, start: Hex | None) -> Playing:
        """8.2.7: on into a hex that is free of enemies."""
        ways = [way for way in self.second_hexes(board, board.piece(name)) if way != start]
        if not ways:
            yield self.tell("remark", "second-hex-blocked", "8.2.7", side=side, unit=name)
            return board
        hex_ = yield from self.choose_hex(board, side, "advance-where", ways, name)
        return (yield from self._steps_to(board, side, name, hex_))

    def second_hexes(self, board: Board, piece: Piece) -> list[Hex]:
        """Give the hexes around a piece into which it could go on."""
        if piece.at is None:
            return []
        enemy = self.enemy(piece.side)
        closed = self.options["second_hex_zoc"] == "closed"
        zone = self.zoc(board, enemy) if closed else frozenset()
        return [
            there
            for there in board.map.around[piece.at]
            if board.side_of(there) != enemy
            and there not in zone
            and self.enters(board, piece, there)
            and self.stacking_problem(board, there, (*board.stack(there), piece)) is None
        ]


def stacks_of(units: Iterable[Piece]) -> dict[Hex, list[Piece]]:
    """Sort units by the hexes in which they stand."""
    found: dict[Hex, list[Piece]] = {}
    for unit in troops(units):
        if unit.at is not None:
            found.setdefault(unit.at, []).append(unit)
    return found
