"""Bautzen 1945 on the map, after a fight: retreat, advance, columns that lost their escort."""

from collections.abc import Sequence

from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.games.bautzen.ground import Ground
from grognard.games.bautzen.losses import next_to_lose
from grognard.games.bautzen.stated import BautzenFight, loss_takers
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement, Way
from grognard.matches.field import Doing, Playing
from grognard.rules.rolls import code_at

OVER = "overstacked"


class Aftermath(Ground):
    """8.4, 8.5: where the defender goes, and who takes his place."""

    # -------------------------------------------------------------- retreat

    def retreat_steps(self, board: Board, stack: Sequence[Piece], way: Way) -> list[Hex]:
        """8.5.1: the hexes beside a stack through which its way back may lead; by option with room
        in every one of them."""
        steps = super().retreat_steps(board, stack, way)
        if self.options["retreat_overstacking"] == "not_in_passing":
            return self.retreat_ends(board, stack, way, steps)
        return steps

    def retreat_ends(
        self, board: Board, stack: Sequence[Piece], way: Way, steps: list[Hex]
    ) -> list[Hex]:
        """8.5.1: no stack goes back over the limit onto friends; into an empty hex it may."""
        fitting = set(super().retreat_ends(board, stack, way, steps))
        alone = self.options["retreat_overstacking"] != "never"
        return [h for h in steps if h in fitting or (alone and not _others(board, h, stack))]

    def lengths(self, board: Board, plan: Engagement, most: int) -> list[int]:
        """8.5: how many hexes a stack can retreat, up to so many; perhaps two, and not one."""
        stack, start = left_of(board, plan), plan.target
        found, reached = list[int](), {start}
        for hexes in range(1, most + 1):
            if any(self.retreats(board, stack, (start, here), 1) for here in reached):
                found.append(hexes)
            reached = {
                h for here in reached for h in self.retreat_steps(board, stack, (start, here))
            }
        return found

    def retreat_room(self, board: Board, plan: Engagement) -> int | None:
        """8.5.2a: how far a stack can go, where it stays if that is too short a way."""
        if self.options["retreat_short"] != "stays":
            return None
        most = max(map(int, self.card.table("combat").legend))
        lengths = self.lengths(board, plan, most)
        return next((hexes for hexes in range(most) if hexes + 1 not in lengths), most)

    def retreat(self, board: Board, plan: Engagement, fight: BautzenFight) -> Playing:
        """8.5: hex by hex, the whole stack together; as far as it can, else it pays for it."""
        stack, here = left_of(board, plan), plan.target
        names, far = [piece.name for piece in stack], max(self.lengths(board, plan, fight.retreat))
        for left in range(far, 0, -1):
            ways = self.retreats(board, left_of(board, plan), (plan.target, here), left)
            here = yield from self.choose_hex(
                board, "defender", "retreat-where", ways, ", ".join(names)
            )
            board = board.moved(names, here)
            number = board.map.number(here)
            yield self.tell("retreat", "retreats-to", "8.5.1", side="defender", value=number)
            yield board
        board = board.changed(*(board.piece(name).marked("retreated") for name in names))
        if far < fight.retreat:
            board = yield from self._pays(board, fight, names, fight.retreat - far)
        fed = [piece.name for piece in stack if "unsupplied" not in piece.states]
        if fed and here not in self.supplied(board, stack[0].side):
            yield self.tell("remark", "unsupplied-by-retreat", "8.5.2a", side="defender")
            board = yield from self._all_lose(board, fed, "8.5.2a")
        return board

    def _pays(self, board: Board, fight: BautzenFight, names: list[str], hexes: int) -> Playing:
        """8.5.2a: what a stack loses by the hexes that it can't go, as the option for it says."""
        match self.options["retreat_short"]:
            case "each_unit":
                yield self.tell("remark", "stops-short", "8.5.2a", side="defender")
                board = yield from self._all_lose(board, names, "8.5.2a")
            case "steps":
                yield self.tell("remark", "hexes-lost", "8.5.2a", side="defender", value=hexes)
                board = yield from self._steps_again(board, fight, hexes)
        return board

    def _steps_again(self, board: Board, fight: BautzenFight, count: int) -> Playing:
        """8.3: steps that were traded in vain, spread together with those lost in the fight."""
        before = {unit.name: unit.steps for unit in fight.case.setup.defenders}
        takers = [unit.name for unit in loss_takers(fight, "defender")]
        for _ in range(count):
            left = {name: board.piece(name).steps for name in takers if board.piece(name).alive}
            if not left:
                break
            lost = {name: before[name] - steps for name, steps in left.items()}
            board = yield from self.one_loses(board, "defender", next_to_lose(left, lost), "8.3")
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
        number = board.map.number(to)
        for name in names:
            piece = board.piece(name)
            if self._closed(board, piece, to):
                yield self.tell("remark", "advance-closed", "8.4", unit=name, value=number)
            elif self._crowded(board, piece, to):
                yield self.tell("remark", "no-room", "8.4", unit=name, value=number)
            else:
                board = board.moved([name], to)
        return board

    def _closed(self, board: Board, piece: Piece, to: Hex) -> bool:
        """Tell whether a unit is kept from advancing by the ground."""
        return self.options["advance_ground"] == "closed" and not self.enters(board, piece, to)

    def _crowded(self, board: Board, piece: Piece, to: Hex) -> bool:
        problem = {"all": self.stacking_problem, "limits_only": self.limit_problem}
        together = (*board.stack(to), piece)
        return problem[self.options["advance_together"]](board, to, together) is not None

    def escort_lost(self, board: Board, plan: Engagement, *, entered: bool) -> Playing:
        """8.6.3: columns that outlive their escort stand alone in their hex."""
        side, rule = plan.side, self.options["lost_escort"]
        left = [piece for piece in board.stack(plan.target) if piece.side != side]
        if any(piece.kind != "cl" for piece in left) or (rule == "on_entry" and not entered):
            return board
        for piece in left:
            captured = False
            if rule != "destroyed":
                captured = yield from self._is_captured(board, side, piece)
            if captured:
                yield self.tell("captured", "cl-captured", "8.6.3", unit=piece.name)
                board = board.changed(replace(piece, side=side, nation=plan.attackers[0].nation))
            else:
                yield self.tell("eliminated", "cl-destroyed", "8.6.3", unit=piece.name)
                board = board.removed(piece.name)
        return board

    def _is_captured(self, board: Board, side: str, piece: Piece) -> Doing[bool]:
        """8.6.3: a die, and room for one more column."""
        die = yield from self.roll("cl-roll", 1, "8.6.3", piece.name)
        full = sum(p.kind == "cl" for p in board.of(side)) >= self.card.number("cl_on_map")
        return not full and code_at(self.card.table("cl-fate"), die) == "C"

    # -------------------------------------------------------------- over-stacking

    def check_stacking(self, board: Board) -> Playing:
        """5.3: mark who is over-stacked, and clear who is no longer."""
        for hex_, stack in list(board.stacks().items()):
            marked = [piece for piece in stack if OVER in piece.states]
            if self.limit_problem(board, hex_, stack) is None:
                for piece in marked:
                    yield self.tell("state", "no-longer-overstacked", "5.3", unit=piece.name)
                    board = board.changed(piece.cleared(OVER))
            elif len(marked) < len(stack):
                number, limit = board.map.number(hex_), self.limit(board, hex_)
                points = sum(map(self.points, stack))
                yield self.tell(
                    "state", "is-overstacked", "5.3", value=number, points=points, limit=limit
                )
                board = board.changed(*(piece.marked(OVER) for piece in stack))
        yield board
        return board

    def segment_ends(self, board: Board, active: str) -> Playing:
        """5.2: the limits are looked at; surplus units go where they may not stay."""
        board = yield from self.check_stacking(board)
        if self.options["overstacked"] != "removed":
            return board
        for hex_ in list(board.stacks()):
            while self.limit_problem(board, hex_, board.stack(hex_)):
                board = yield from self._one_goes(board, hex_, active)
        return (yield from self.check_stacking(board))

    def _one_goes(self, board: Board, hex_: Hex, active: str) -> Playing:
        """Let the owner of a hex remove one of its units."""
        stack = board.stack(hex_)
        role: Side = "attacker" if stack[0].side == active else "defender"
        names, number = tuple(piece.name for piece in stack), board.map.number(hex_)
        name = yield from self.choose(role, "which-removed", names, "5.2", number)
        yield self.tell("eliminated", "is-eliminated", "5.2", side=role, unit=name)
        return board.removed(name)


def left_of(board: Board, plan: Engagement) -> list[Piece]:
    """Give the attacked pieces that are left, as they are now."""
    return [p for p in (board.piece(piece.name) for piece in plan.defenders) if p.alive]


def _others(board: Board, hex_: Hex, stack: Sequence[Piece]) -> list[Piece]:
    names = {piece.name for piece in stack}
    return [piece for piece in board.stack(hex_) if piece.name not in names]
