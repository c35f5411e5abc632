"""Bautzen 1945 on the map: retreat, advance, columns without escort, over-stacking."""

from collections.abc import Sequence

from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.games.bautzen.ground import Ground
from grognard.games.bautzen.stated import BautzenFight, loss_takers
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import Doing, Playing
from grognard.rules.losses import next_to_lose
from grognard.rules.rolls import code_at

OVER = "overstacked"


def lengths(ground: Ground, board: Board, plan: Engagement, most: int) -> list[int]:
    """8.5: how many hexes a stack can retreat, up to so many; perhaps two, and not one."""
    stack, start = left_of(board, plan), plan.target
    found, reached = list[int](), {start}
    for hexes in range(1, most + 1):
        if any(ground.retreats(board, stack, (start, here), 1) for here in reached):
            found.append(hexes)
        reached = {h for here in reached for h in ground.retreat_steps(board, stack, (start, here))}
    return found


def retreat_room(ground: Ground, board: Board, plan: Engagement) -> int | None:
    """8.5.2a: how far a stack can go, where it stays if that is too short a way."""
    if ground.options["retreat_short"] != "stays":
        return None
    most = max(map(int, ground.card.table("combat").legend))
    possible = lengths(ground, board, plan, most)
    return next((hexes for hexes in range(most) if hexes + 1 not in possible), most)


def retreat(ground: Ground, board: Board, plan: Engagement, fight: BautzenFight) -> Playing:
    """8.5: hex by hex, the whole stack together; as far as it can, else it pays for it."""
    stack, here = left_of(board, plan), plan.target
    names, far = [piece.name for piece in stack], max(lengths(ground, board, plan, fight.retreat))
    for left in range(far, 0, -1):
        ways = ground.retreats(board, left_of(board, plan), (plan.target, here), left)
        here = yield from ground.choose_hex(
            board, "defender", "retreat-where", ways, ", ".join(names)
        )
        board = board.moved(names, here, held=left == 1 or ground.holds_in_passing())
        number = board.map.number(here)
        yield ground.tell("retreat", "retreats-to", "8.5.1", side="defender", value=number)
        yield board
    board = board.changed(*(board.piece(name).marked("retreated") for name in names))
    short, way = fight.retreat - far, ground.options["retreat_short"]
    if short and way == "each_unit":
        yield ground.tell("remark", "stops-short", "8.5.2a", side="defender")
        board = yield from _all_lose(ground, board, names, "8.5.2a")
    elif short and way == "steps":
        yield ground.tell("remark", "hexes-lost", "8.5.2a", side="defender", value=short)
        board = yield from _steps_again(ground, board, fight, short)
    fed = [piece.name for piece in stack if "unsupplied" not in piece.states]
    if fed and here not in ground.supplied(board, stack[0].side):
        yield ground.tell("remark", "unsupplied-by-retreat", "8.5.2a", side="defender")
        board = yield from _all_lose(ground, board, fed, "8.5.2a")
    return board


def _steps_again(ground: Ground, board: Board, fight: BautzenFight, count: int) -> Playing:
    """8.3: steps that were traded in vain, spread together with those lost in the fight."""
    before = {unit.name: unit.steps for unit in fight.case.setup.defenders}
    takers = [unit.name for unit in loss_takers(fight, "defender")]
    for _ in range(count):
        left = {name: board.piece(name).steps for name in takers if board.piece(name).alive}
        if not left:
            break
        lost = {name: before[name] - steps for name, steps in left.items()}
        board = yield from ground.one_loses(board, "defender", next_to_lose(left, lost), "8.3")
    return board


def _all_lose(ground: Ground, board: Board, names: Sequence[str], rule: str) -> Playing:
    for name in names:
        piece = board.piece(name)
        if piece.alive and piece.kind != "cl":
            board = yield from ground.loses(board, "defender", name, rule)
    return board


# ------------------------------------------------------------------ advance


def advance(ground: Ground, board: Board, names: tuple[str, ...], to: Hex) -> Playing:
    """8.4: those named advance, within the stacking rules of the hex as it is now (5)."""
    number, closed = board.map.number(to), ground.options["advance_ground"] == "closed"
    for name in names:
        piece = board.piece(name)
        held_back = to in ground.forbidden_ground(board, piece)
        if held_back or (closed and not ground.enters(board, piece, to)):
            yield ground.tell("remark", "advance-closed", "8.4", unit=name, value=number)
        elif _crowded(ground, board, piece, to):
            yield ground.tell("remark", "no-room", "8.4", unit=name, value=number)
        else:
            board = board.moved([name], to)
    return board


def _crowded(ground: Ground, board: Board, piece: Piece, to: Hex) -> bool:
    problem = {"all": ground.stacking_problem, "limits_only": ground.limit_problem}
    together = (*board.stack(to), piece)
    return problem[ground.options["advance_together"]](board, to, together) is not None


def escort_lost(ground: Ground, board: Board, plan: Engagement, *, entered: bool) -> Playing:
    """8.6.3: columns that outlive their escort stand alone in their hex."""
    side, rule = plan.side, ground.options["lost_escort"]
    left = [piece for piece in board.stack(plan.target) if piece.side != side]
    if any(piece.kind != "cl" for piece in left) or (rule == "on_entry" and not entered):
        return board
    for piece in left:
        taken = False
        if rule != "destroyed":
            taken = yield from _is_captured(ground, board, side, piece)
        if taken:
            yield ground.tell("captured", "cl-captured", "8.6.3", unit=piece.name)
            board = yield from captured(ground, board, piece, side)
        else:
            yield ground.tell("eliminated", "cl-destroyed", "8.6.3", unit=piece.name)
            board = board.removed(piece.name)
    return board


def captured(ground: Ground, board: Board, piece: Piece, side: str) -> Playing:
    """8.6.3: turn a column to its new owner's face; the loser can have it again (7.2)."""
    waits = (p for p in board.pieces if p.kind == "cl" and p.side == side and p.at is None)
    mine = replace(next(waits), at=piece.at, steps=1, arrives=0, states=frozenset())
    yield ground.tell("remark", "cl-turned", "8.6.3", unit=mine.name, value=piece.name)
    return board.removed(piece.name).changed(mine)


def _is_captured(ground: Ground, board: Board, side: str, piece: Piece) -> Doing[bool]:
    """8.6.3: a die, and room for one more column."""
    die = yield from ground.roll("cl-roll", 1, "8.6.3", piece.name)
    full = sum(p.kind == "cl" for p in board.of(side)) >= ground.card.number("cl_on_map")
    return not full and code_at(ground.card.table("cl-fate"), die) == "C"


# ------------------------------------------------------------------ over-stacking


def check_stacking(ground: Ground, board: Board) -> Playing:
    """5.3: mark who is over-stacked, and clear who is no longer."""
    for hex_, stack in list(board.stacks().items()):
        marked = [piece for piece in stack if OVER in piece.states]
        if ground.limit_problem(board, hex_, stack) is None:
            for piece in marked:
                yield ground.tell("state", "no-longer-overstacked", "5.3", unit=piece.name)
                board = board.changed(piece.cleared(OVER))
        elif len(marked) < len(stack):
            number, limit = board.map.number(hex_), ground.limit(board, hex_)
            points = sum(map(ground.points, stack))
            yield ground.tell(
                "state",
                "is-overstacked",
                "5.3",
                value=number,
                reading=ground.doubt("overstacked"),
                points=points,
                limit=limit,
            )
            board = board.changed(*(piece.marked(OVER) for piece in stack))
    yield board
    return board


def segment_ends(ground: Ground, board: Board, active: str) -> Playing:
    """5.2: the limits are looked at; surplus units go where they may not stay."""
    board = yield from check_stacking(ground, board)
    if ground.options["overstacked"] != "removed":
        return board
    for hex_ in list(board.stacks()):
        while ground.limit_problem(board, hex_, board.stack(hex_)):
            board = yield from _one_goes(ground, board, hex_, active)
    return (yield from check_stacking(ground, board))


def _one_goes(ground: Ground, board: Board, hex_: Hex, active: str) -> Playing:
    stack = board.stack(hex_)
    role: Side = "attacker" if stack[0].side == active else "defender"
    names, number = tuple(piece.name for piece in stack), board.map.number(hex_)
    name = yield from ground.choose(role, "which-removed", names, "5.2", number)
    yield ground.tell("eliminated", "is-eliminated", "5.2", side=role, unit=name)
    return board.removed(name)


def left_of(board: Board, plan: Engagement) -> list[Piece]:
    """Give the attacked pieces that are left, as they are now."""
    return [p for p in (board.piece(piece.name) for piece in plan.defenders) if p.alive]
