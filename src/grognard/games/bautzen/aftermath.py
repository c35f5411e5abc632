"""Bautzen 1945 on the map, after a fight: retreat, advance, columns that lost their escort."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grognard.board import Board, Piece
from grognard.field import Playing
from grognard.games.bautzen.ground import Ground
from grognard.hexes import Hex


class Engagement(NamedTuple):
    """An attack as ordered: the hex, who attacks it, and who supports either side."""

    target: Hex
    attackers: tuple[Piece, ...]
    supports: tuple[Piece, ...]
    defenders: tuple[Piece, ...]


class Aftermath(Ground):
    """8.4, 8.5: where the defender goes, and who takes his place."""

    # -------------------------------------------------------------- retreat

    def retreats(self, board: Board, plan: Engagement, here: Hex, hexes: int) -> list[Hex]:
        """8.5: where a stack may go from here with so many hexes still to retreat."""
        stack = [p for p in (board.piece(piece.name) for piece in plan.defenders) if p.alive]
        side = plan.defenders[0].side
        zone = self.zoc(board, self.enemy(side))
        open_ = [
            there
            for there in board.map.around[here]
            if board.side_of(there) in (None, side)
            and there not in zone
            and there != plan.target
            and all(self.entry(board, piece, here, there, first=True) for piece in stack)
        ]
        if hexes > 1:
            return [there for there in open_ if self.retreats(board, plan, there, hexes - 1)]
        return [
            there
            for there in open_
            if self.stacking_problem(board, there, (*_others(board, there, stack), *stack)) is None
        ]

    def retreat(self, board: Board, plan: Engagement, hexes: int) -> Playing:
        """8.5: hex by hex, the whole stack together; as far as it can, else it pays for it."""
        stack = [piece for piece in plan.defenders if board.piece(piece.name).alive]
        names, here = [piece.name for piece in stack], plan.target
        far = max(
            (n for n in range(1, hexes + 1) if self.retreats(board, plan, here, n)), default=0
        )
        for left in range(far, 0, -1):
            ways = self.retreats(board, plan, here, left)
            here = yield from self.choose_hex(
                board, "defender", "retreat-where", ways, ", ".join(names)
            )
            board = board.moved(names, here)
            number = board.map.number(here)
            yield self.tell("retreat", "retreats-to", "8.5.1", side="defender", value=number)
            yield board
        board = board.changed(*(board.piece(name).marked("retreated") for name in names))
        if far < hexes:
            yield self.tell("remark", "cannot-retreat", "8.5.2a", side="defender")
            board = yield from self._all_lose(board, names, "8.5.2a")
        fed = [piece.name for piece in stack if "unsupplied" not in piece.states]
        if fed and here not in self.supplied(board, stack[0].side):
            yield self.tell("remark", "unsupplied-by-retreat", "8.5.2a", side="defender")
            board = yield from self._all_lose(board, fed, "8.5.2a")
        return board

    def _all_lose(self, board: Board, names: Sequence[str], rule: str) -> Playing:
        for name in names:
            piece = board.piece(name)
            if piece.alive and piece.kind != "cl":
                board = yield from self.loses(board, "defender", name, rule)
        return board

    # -------------------------------------------------------------- advance

    def advance(self, board: Board, names: tuple[str, ...], to: Hex) -> Playing:
        """8.4: those named advance, within the stacking rules of the hex as it is now (5)."""
        for name in names:
            together = (*board.stack(to), board.piece(name))
            if self.stacking_problem(board, to, together) is None:
                board = board.moved([name], to)
            else:
                yield self.tell("remark", "no-room", "8.4", unit=name, value=board.map.number(to))
        return board

    def overrun(self, board: Board, plan: Engagement) -> Playing:
        """8.6.3: columns that outlive their escort stand alone in a hex that is entered."""
        side, table = plan.attackers[0].side, self.card.table("cl-fate")
        for piece in [p for p in board.stack(plan.target) if p.side != side]:
            die = yield from self.roll("cl-roll", 1, "8.6.3", piece.name)
            row = table.row_labels[table.rows.position(die) or 0]
            full = sum(p.kind == "cl" for p in board.of(side)) >= self.card.number("cl_on_map")
            if full or table.cell(row, table.column_labels[0]).codes[0] == "D":
                yield self.tell("eliminated", "cl-destroyed", "8.6.3", unit=piece.name)
                board = board.removed(piece.name)
            else:
                yield self.tell("captured", "cl-captured", "8.6.3", unit=piece.name)
                board = board.changed(replace(piece, side=side, nation=plan.attackers[0].nation))
        return board


def _others(board: Board, hex_: Hex, stack: list[Piece]) -> list[Piece]:
    names = {piece.name for piece in stack}
    return [piece for piece in board.stack(hex_) if piece.name not in names]
