"""Panzer Grenadier on the map: a move hex by hex, with transport, mines, opportunity fire."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from grognard.games.panzer_grenadier import battle, conditions
from grognard.games.panzer_grenadier.ground import ACTED, Ground, state_of
from grognard.games.panzer_grenadier.stated import STATES, TRANSPORT, DirectFire, FireFight, Firer
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.protocol import Doing, Playing, Roles, Words
from grognard.words.message import Message, say

MOVING = "moving"  # in this action segment
RIDES = ("infantry", "engineers", "mortar", "anti-tank", "anti-aircraft", "artillery", "other")
HOLD: Words = ("hold",)

# ------------------------------------------------------------------ transport


def ride(ground: Ground, board: Board, carrier: Piece, load: Piece) -> Message | None:
    """Say why a truck, wagon or sledge can't carry a unit: one that stands with it."""
    if carrier.kind not in TRANSPORT:
        return say("{unit} is no truck, wagon or sledge", unit=carrier.name)
    riders = (*RIDES, "leader") if ground.options["truck_load"] == "with_leader" else RIDES
    if load.kind not in riders or load.side != carrier.side:
        return say("{unit} can't be carried", unit=load.name)
    if load.at != carrier.at:
        return say("{unit} is not in the hex of {other}", unit=load.name, other=carrier.name)
    return ground.may_move(board, load)


def overload(ground: Ground, carrier: Piece, loads: Sequence[Piece]) -> Message | None:
    """Say why units are too much for a truck, wagon or sledge."""
    leaders = sum(load.kind == "leader" for load in loads)
    most = 2 if ground.options["truck_load"] == "two_units" else 1
    if leaders > 1 or len(loads) - leaders > most:
        return say("{unit} can't carry so much", unit=carrier.name)
    return None


def loads(
    ground: Ground, board: Board, carrier: Piece, able: Sequence[Piece]
) -> Iterator[tuple[Piece, ...]]:
    """Give what a truck, wagon or sledge can carry of some units."""
    riders = [load for load in able if ride(ground, board, carrier, load) is None]
    for count in range(1, len(riders) + 1):
        for group in combinations(riders, count):
            if overload(ground, carrier, group) is None:
                yield group


# ------------------------------------------------------------------ a move, hex by hex


def march(
    ground: Ground, board: Board, names: tuple[str, ...], path: Sequence[Hex], turn: int
) -> Playing:
    """Move units along a path: each hex may bring mines and opportunity fire."""
    before, fired, walked = [board.piece(name) for name in names], False, [path[0]]
    for here, there in pairwise(path):
        board = yield from _enters(ground, board, names, here, there)
        walked.append(there)
        board = yield from _mines(ground, board, names, there)
        if not fired or ground.options["opportunity"] == "each_hex":
            board, shot = yield from _watched(ground, board, names, there, turn)
            fired = fired or shot
        if any(_worse(board.piece(piece.name), piece) for piece in before):
            break
    return (yield from _settles(ground, board, names, walked, len(path)))


def _enters(ground: Ground, board: Board, names: tuple[str, ...], here: Hex, there: Hex) -> Playing:
    """Put the units into the next hex, taking what is undefended there."""
    first = board.piece(names[0])
    states = [ACTED, MOVING]
    if ground.chart(board, first)[here, there, True] is None:
        helper = ground.helpers(board, first, here, there)[0]
        river = conditions.river_beside(board, there)
        yield ground.tell(
            "note", "crosses", "5.7", unit=first.name, helper=helper.name, river=river
        )
        states.append("crossing")
    for piece in board.stack(there):
        if piece.side != first.side:
            number = board.map.number(there)
            yield ground.tell(
                "captured", "is-captured", side="defender", unit=piece.name, value=number
            )
            board = board.removed(piece.name)
    moved = (board.piece(name).cleared("dug-in", "digging").marked(*states) for name in names)
    board = board.changed(*moved).moved(names, there)
    yield board
    return board


def _mines(ground: Ground, board: Board, names: tuple[str, ...], hex_: Hex) -> Playing:
    """An enemy minefield attacks those who enter it."""
    first = board.piece(names[0])
    owner = ground.enemy(first.side)
    if (
        ground.options["minefields"] == "no_attack"
        or ground.marked_by(board, hex_, "minefield") != owner
    ):
        return board
    number = board.map.number(hex_)
    yield ground.tell("remark", "enters-mines", unit=first.name, value=number)
    mines = Firer(name=number, fire=int(ground.card.number("minefield_fire")))
    yield Roles(owner, first.side)
    targets = tuple(map(board.piece, names))
    terrain = yield from conditions.terrain_of(ground, board, hex_)
    leaders = yield from conditions.leaders_for(ground, board, first.side, hex_, targets)
    setup = DirectFire(
        attackers=(mines,),
        defenders=(*map(conditions.target_counter, targets), *leaders),
        range=0,
        terrain=terrain,
    )
    _, fight = yield from ground.fought(setup, FireFight)
    yield Roles(first.side, owner)
    board = battle.applied(board, fight)
    yield board
    return board


def _watched(
    ground: Ground, board: Board, names: tuple[str, ...], hex_: Hex, turn: int
) -> Doing[tuple[Board, bool]]:
    """13.0: ask the other side whether it fires at those who move into its sight."""
    targets = tuple(piece for piece in map(board.piece, names) if piece.alive)
    if not any(piece.kind != "leader" for piece in targets):
        return board, False
    side = targets[0].side
    enemy = ground.enemy(side)
    ways = tuple(opportunities(ground, board, enemy, targets, hex_, turn))
    if not ways:
        return board, False
    who = ", ".join(piece.name for piece in targets)
    chosen = yield from ground.choose("defender", "opportunity", (*ways, HOLD), "13.0", who)
    if chosen == HOLD:
        return board, False
    yield Roles(enemy, side)
    if chosen[0] == "fire":
        firers = tuple(map(board.piece, chosen[1:]))
        board = yield from battle.fires(
            ground, board, conditions.Volley(hex_, firers, targets, turn, opportunity=True)
        )
    else:
        target = next(piece for piece in targets if piece.name == chosen[1])
        shot = conditions.Shot(board.piece(chosen[2]), target, turn, opportunity=True)
        board = yield from battle.shoots(ground, board, shot)
    yield Roles(side, enemy)
    yield board
    return board, True


def opportunities(
    ground: Ground, board: Board, side: str, targets: tuple[Piece, ...], hex_: Hex, turn: int
) -> Iterator[Words]:
    """13.0: how a side may fire at moving units: anti-tank fire, then direct fire of a hex's
    units together or of one alone, the strongest first."""
    mine = [stack for stack in board.stacks().values() if stack[0].side == side]
    for piece in (piece for stack in mine for piece in stack):
        for target in targets:
            if battle.may_shoot(ground, board, side, piece, target, turn) is None:
                yield ("shoot", target.name, piece.name)
    groups: list[tuple[Piece, ...]] = []
    for stack in mine:
        able = tuple(
            p for p in stack if battle.may_fire(ground, board, side, p, hex_, turn) is None
        )
        groups += [able, *((piece,) for piece in able)] if len(able) > 1 else [able]
    groups.sort(key=lambda group: -sum(piece.number("fire") for piece in group))
    for group in groups:
        if group and battle.enough_fire(ground, group):
            yield ("fire", *(piece.name for piece in group))


def _settles(
    ground: Ground, board: Board, names: tuple[str, ...], walked: list[Hex], planned: int
) -> Playing:
    """End a move; where it was halted in a full hex, in the last one with room or there."""
    alive = [piece for piece in map(board.piece, names) if piece.alive]
    if not alive or len(walked) == planned:
        return board
    who = ", ".join(piece.name for piece in alive)
    yield ground.tell("remark", "halts", unit=who, value=board.map.number(walked[-1]))
    if ground.options["halted_full"] == "stays":
        return board
    place = len(walked) - 1
    while place and not ground.fits(board, walked[place], alive):
        place -= 1
    if place != len(walked) - 1:
        board = board.moved([piece.name for piece in alive], walked[place])
        yield ground.tell("retreat", "falls-back", unit=who, value=board.map.number(walked[place]))
        yield board
    return board


def _worse(now: Piece, before: Piece) -> bool:
    return not now.alive or STATES.index(state_of(now)) > STATES.index(state_of(before))
