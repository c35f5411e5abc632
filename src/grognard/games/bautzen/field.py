"""Bautzen 1945 on the map: the turn and its phases, new logistic columns, breakthroughs (4.3)."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from msgspec.structs import replace

from grognard.games.bautzen import aftermath, battle
from grognard.games.bautzen.campaign import aims, is_campaign, reinforcements, verdict
from grognard.games.bautzen.ground import ALLIED, Ground
from grognard.games.bautzen.stated import SUPPORTS
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import POINT
from grognard.matches.orders import AttackOrders, MoveOrders
from grognard.matches.protocol import Doing, Orders, Playing, Verdict, Words
from grognard.rules.rolls import code_at
from grognard.words.message import say
from grognard.words.refusal import Refusal

# ------------------------------------------------------------------ 7.2 logistic columns


def _income(ground: Ground, side: str, turn: int) -> Doing[int]:
    """7.2: four a turn for the Allies, a die for the Germans from turn 3."""
    if side == ALLIED:
        return int(ground.card.number("cl_allied_income"))
    if turn < 3:
        return 0
    die = yield from ground.roll("cl-income-roll", 1, "7.2")
    code = code_at(ground.card.table("cl-income"), die)
    yield ground.tell("result", "cl-income", "7.2", value=code)
    return int(code)


def _columns(ground: Ground, board: Board, side: str, income: int) -> Playing:
    """7.2: new columns, four of a side on the map at most."""
    room = int(ground.card.number("cl_on_map")) - sum(p.kind == "cl" for p in board.of(side))
    waiting = [p for p in board.pieces if p.side == side and p.kind == "cl" and p.at is None]
    for piece in waiting[: max(min(income, room), 0)]:
        free = _free_for(ground, board, piece)
        if free:
            back = replace(piece, steps=1, arrives=0, states=frozenset())
            doubt = ground.swayed(partial(_free_for, board=board, piece=piece), *COLUMN_OPTIONS)
            board = yield from ground.comes_on(board, back, free, "7.2", reading=doubt)
            yield board
    return board


COLUMN_OPTIONS = ("cl_arrival", "cl_supply", "cl_nation", "guest_nation", "stacking_check")


def _free_for(ground: Ground, board: Board, piece: Piece) -> list[Hex]:
    """7.2: the hexes in which a column may appear: sources, by option HQs that are supplied."""
    at_hqs = ground.options["cl_arrival"] == "hq"
    places = _hqs(ground, board, piece.side) if at_hqs else board.map.sources_of(piece.side)
    return [hex_ for hex_ in places if ground.may_end(board, piece, hex_) is None]


def _hqs(ground: Ground, board: Board, side: str) -> list[Hex]:
    """Give the hexes of a side's supplied HQs."""
    fed = ground.supplied(board, side)
    hqs = (hq.at for hq in board.of(side) if hq.kind == "hq" and hq.at in fed)
    return list(dict.fromkeys(hex_ for hex_ in hqs if hex_))


# ------------------------------------------------------------------ 4.3 breakthroughs


def breaks_through(ground: Ground, board: Board, piece: Piece) -> Playing:
    """4.3: through enemy zones towards the nearest source, a die for each hex in them."""
    zone = ground.zoc(board, ground.enemy(piece.side))
    path = breakthrough(ground, board, piece)
    board = board.changed(piece.marked("moved"))
    for hex_ in path:
        takes = ground.takes_hexes(piece) and (hex_ == path[-1] or ground.holds_in_passing())
        board = board.moved([piece.name], hex_, held=takes)
        for _ in range(_crossed(ground, board, piece, hex_) if hex_ in zone else 0):
            die = yield from ground.roll("breakthrough-roll", 1, "4.3", piece.name)
            if code_at(ground.card.table("zoc-breakthrough"), die) == "1":
                board = yield from ground.loses(board, "attacker", piece.name, "4.3")
            if not board.piece(piece.name).alive:
                return board
    number = board.map.number(path[-1])
    yield ground.tell("remark", "breaks-through", "4.3", unit=piece.name, value=number)
    return board


def _crossed(ground: Ground, board: Board, piece: Piece, hex_: Hex) -> int:
    """4.3: one die for a hex in enemy zones; by option one for each stack that has a zone there."""
    if ground.options["breakthrough_dice"] == "each_hex":
        return 1
    enemy = ground.enemy(piece.side)
    stacks = (board.stack(near) for near in board.map.around[hex_])
    return sum(any(p.side == enemy and ground.exerts_zoc(p) for p in stack) for stack in stacks)


def breakthrough(ground: Ground, board: Board, piece: Piece) -> tuple[Hex, ...]:
    """Give the way on which a piece would break through, to where it may stand."""
    zone = ground.zoc(board, ground.enemy(piece.side))
    start = piece.at
    sources = ground.sources(board, piece.side)
    if start is None or not sources:
        return ()
    if start not in zone and ground.options["breakthrough"] == "from_zoc":
        return ()
    goal = min(sources, key=start.distance)
    closed = ground.closed(board, piece) | ground.off_limits(board, piece)
    left, here, path = ground.allowance(board, piece), start, list[Hex]()
    while here != goal:
        steps = [
            (there.distance(goal), there, entry.sixths + (POINT if here == start in zone else 0))
            for there in board.map.around[here]
            if there not in closed
            and there.distance(goal) < here.distance(goal)
            and (entry := ground.entry(board, piece, here, there, first=here == start))
        ]
        affordable = [step for step in steps if step[2] <= left]
        if not affordable:
            break
        _, here, cost = min(affordable)
        left -= cost
        path.append(here)
    while path and not _may_stand(ground, board, piece, path[-1]):
        path.pop()
    return tuple(path) if any(hex_ in zone for hex_ in path) else ()


def _may_stand(ground: Ground, board: Board, piece: Piece, hex_: Hex) -> bool:
    """5.2, 7.1.2: tell whether a breakthrough may end in a hex."""
    crowd = ground.stacking_problem(board, hex_, (*board.stack(hex_), piece))
    return crowd is None and ground.may_end(board, piece, hex_) is None


class Moves(MoveOrders):
    """4.3 adds the breakthrough to what may be moved."""

    field: Ground

    def check(self, order: Words) -> None:
        """Refuse a move that is not legal."""
        match order:
            case ("break", name):
                if not breakthrough(self.field, self.board, self.movable(name)):
                    raise Refusal(say("{unit} has no enemy zone to break through", unit=name))
            case _:
                super().check(order)

    def deeds(self) -> Iterator[Words]:
        """Give every breakthrough, and what may lie on top of its stack."""
        yield from super().deeds()
        for piece in self.pieces():
            if breakthrough(self.field, self.board, piece):
                yield ("break", piece.name)

    def sound_moves(self, piece: Piece) -> Iterator[Words]:
        """Give the moves within the stacking limit; those over it can be ordered too."""
        return (order for order in self.moves(piece) if not self._too_many(piece, order[2]))

    def samples(self, piece: Piece) -> Iterator[Words]:
        """Give a move to a neighbour; else the first one that a whole search finds."""
        for hex_ in self.board.map.around[piece.place]:
            if self.field.way_to(self.board, piece, hex_):
                yield ("move", piece.name, self.board.map.number(hex_))
                return
        yield from islice(self.moves(piece), 1)

    def _too_many(self, piece: Piece, number: str) -> bool:
        """5.2: tell whether a move would end over the stacking limit."""
        hex_ = self.board.map.hex(number)
        there = self.board.stack(hex_)
        return bool(there) and (
            self.field.limit_problem(self.board, hex_, (*there, piece)) is not None
        )


class Attacks(AttackOrders):
    """8.1: groups of attackers; by option those of each nation apart."""

    def groups(self, target: Hex) -> Iterator[Words]:
        """Name all who can attack a hex, and each unit alone, with their support."""
        able = self.able(target)
        nations = dict.fromkeys(piece.nation for piece in able)
        if len(nations) < 2 or self.field.options["joint_attacks"] == "together":
            yield from super().groups(target)
            return
        for nation in nations:
            group = [piece for piece in able if piece.nation == nation]
            if not self.field.unaccompanied(group):
                yield tuple(piece.name for piece in (*group, *self.supports(target, group)))


# ------------------------------------------------------------------ 2 the turn

FRESH = ("moved", "attacked", "supported", "defended", "retreated")  # states of one segment


class BautzenField(Ground):
    """2: the turn: supply, movement, combat."""

    attack = battle.attack

    def turn_ends(self, board: Board) -> Board:
        """10: the Allied air markers are back for the next turn."""
        return board.pooled("air_used", -board.pools.get("air_used", 0))

    def supply_phase(self, board: Board, side: str, turn: int) -> Playing:
        """7: reinforcements, logistic columns, and who is supplied."""
        board = yield from self.reinforced(board, side, turn, "2")
        if side == ALLIED and is_campaign(self):
            board = yield from reinforcements(self, board, turn)
        income = yield from _income(self, side, turn)
        board = yield from _columns(self, board, side, income)
        return (yield from self.check_supply(board, side))

    def move_orders(self, board: Board, side: str) -> Orders:
        """4: moves and breakthroughs."""
        return Moves(self, board, side)

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """4: one unit after the other; then the stacking limits are looked at (5.2)."""
        board = yield from super().movement_phase(board, side, turn)
        return (yield from aftermath.segment_ends(self, board, side))

    def attack_orders(self, board: Board, side: str) -> Orders:
        """8: any number of attacks; a unit attacks once."""
        return Attacks(self, board, side)

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """8: the attacker looks at his supply (7.1), by option both sides; then the attacks."""
        both = self.options["supply_check"] == "both_sides"
        for player in (side, self.enemy(side)) if both else (side,):
            board = yield from self.check_supply(board, player)
        if not both and self._would_change(board, self.enemy(side)):
            doubt = self.doubt("supply_check")
            yield self.tell("note", "supply-later", "7.1", side="defender", reading=doubt)
        board = yield from super().combat_phase(board, side, turn)
        board = board.changed(*(piece.cleared(*FRESH) for piece in board.pieces))
        return (yield from aftermath.segment_ends(self, board, side))

    def _would_change(self, board: Board, side: str) -> bool:
        """Tell whether a side would find units newly cut off, or supplied again."""
        fed = self.supplied(board, side)
        return any(
            (piece.at in fed) == ("unsupplied" in piece.states)
            for piece in board.of(side)
            if self.needs_supply(piece)
        )

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Do what was ordered: an attack (8.2), a breakthrough (4.3) or a move (4)."""
        if order[0] == "break":
            return breaks_through(self, board, board.piece(order[1]))
        return super().carry_out(board, side, order)

    def verdict(self, board: Board) -> Verdict:
        """13: the conditions of the whole game; else the points of the scenario."""
        return verdict(self, board) if is_campaign(self) else super().verdict(board)

    def aims(self, board: Board) -> dict[Hex, int]:
        """13: what the conditions of the whole game need; else the points of the scenario."""
        return aims(self, board) if is_campaign(self) else super().aims(board)

    def fights(self, piece: Piece) -> bool:
        """HQs, artillery and logistic columns follow behind."""
        return piece.kind not in (*SUPPORTS, "cl")


FIELD = BautzenField
