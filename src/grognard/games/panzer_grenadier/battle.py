"""Panzer Grenadier on the map: who may fire, and the fire, from the order back to the board."""

from grognard.games.panzer_grenadier import conditions
from grognard.games.panzer_grenadier.fire import value_of
from grognard.games.panzer_grenadier.ground import (
    ACTED,
    AIRCRAFT,
    SHAKEN,
    Ground,
    hexsides,
    may_use_arms,
)
from grognard.games.panzer_grenadier.stated import FireFight
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.protocol import Playing
from grognard.words.message import Message, say

HEAVY = ("mortar", "artillery")

# ------------------------------------------------------------------ who may fire


def out_of_sight(
    ground: Ground, board: Board, piece: Piece, target: Hex, reach: int, turn: int
) -> Message | None:
    """Say why a piece can't fire at a hex: too far, dark, or something in the way."""
    if piece.at is None:
        return say("{unit} is not on the map", unit=piece.name)
    distance = piece.at.distance(target)
    hiding = () if distance > reach else ground.hidden_by(board, piece.at, target)
    dark = ground.night(turn) and distance > ground.night_sight
    if distance <= reach and not hiding and not dark:
        return None
    number = board.map.number(target)
    if distance > reach:
        return say(
            "{hex} is out of range for {unit}: {distance} hexes; at most {reach}",
            hex=number,
            unit=piece.name,
            distance=distance,
            reach=reach,
        )
    if dark:
        return say("{unit} does not see {hex} at night", unit=piece.name, hex=number)
    return say(
        "{unit} does not see {hex}; hidden by {between}",
        unit=piece.name,
        hex=number,
        between=" ".join(map(board.map.number, hiding)),
    )


def may_fire(
    ground: Ground, board: Board, side: str, piece: Piece, target: Hex, turn: int
) -> Message | None:
    """Say why a piece may not join a direct fire at a hex."""
    problem = may_use_arms(piece, side)
    if problem is None and not _fires_directly(ground, piece):
        problem = say("{unit} has no fire value", unit=piece.name)
    return problem or out_of_sight(ground, board, piece, target, piece.number("range"), turn)


def _fires_directly(ground: Ground, piece: Piece) -> bool:
    """Tell who has a fire value for direct fire; mortars and artillery by option."""
    silent = piece.kind in HEAVY and ground.options["heavy_weapons"] == "silent"
    return piece.kind != AIRCRAFT and bool(piece.number("fire")) and not silent


def may_shoot(
    ground: Ground, board: Board, side: str, piece: Piece, target: Piece, turn: int
) -> Message | None:
    """Say why a piece may not fire at a unit with its anti-tank value."""
    problem = may_use_arms(piece, side)
    if problem is not None:
        return problem
    if "anti_tank" not in piece.face:
        return say("{name} has no anti-tank value", name=piece.name)
    if target.at is None or target.side == side:
        return say("{unit} is no enemy on the map", unit=target.name)
    if "armour" not in target.face and target.kind != "truck":
        return say("{name} has no armour; anti-tank fire is at AFVs and trucks", name=target.name)
    return out_of_sight(ground, board, piece, target.at, piece.number("at_range"), turn)


def enough_fire(ground: Ground, firers: tuple[Piece, ...]) -> bool:
    """Tell whether units have together a fire value that can attack."""
    if ground.options["fire_below_one"] == "column_1":
        return True
    whole = sum(
        value_of(conditions.firer_counter(piece), piece.number("fire"), ground.card, ground.options)
        for piece in firers
    )
    return whole >= ground.card.number("fire_least")


# ------------------------------------------------------------------ fire


def fires(ground: Ground, board: Board, volley: conditions.Volley) -> Playing:
    """10: direct fire, from the board to its outcome on the board."""
    setup = yield from conditions.direct_setup(ground, board, volley)
    _, fight = yield from ground.fought(setup, FireFight, "direct-fire")
    board = board.changed(*(board.piece(p.name).marked(ACTED) for p in volley.firers))
    return applied(board, fight)


def shoots(ground: Ground, board: Board, shot: conditions.Shot) -> Playing:
    """11: anti-tank fire, from the board to its outcome on the board."""
    setup = yield from conditions.anti_tank_setup(ground, board, shot)
    _, fight = yield from ground.fought(setup, FireFight, "anti-tank")
    here, there = shot.firer.place, shot.target.place
    sides = "".join(map(str, sorted(hexsides(here, there))))
    mark = f"{conditions.SHOT}-{board.map.number(here)}-{sides}"
    board = board.changed(
        board.piece(shot.firer.name).marked(ACTED), board.piece(shot.target.name).marked(mark)
    )
    return applied(board, fight)


def applied(board: Board, fight: FireFight) -> Board:
    """Bring steps and morale states from a fire to the board."""
    for unit in fight.defenders:
        states = {unit.state} & set(SHAKEN)
        board = board.changed(board.piece(unit.name).cleared(*SHAKEN))
        board = board.with_steps(unit.name, unit.steps, *states)
    return board
