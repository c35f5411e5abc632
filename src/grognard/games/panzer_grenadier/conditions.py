"""Panzer Grenadier on the map: every condition of a fire, filled in from the board."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from grognard.games.panzer_grenadier.ground import (
    AIRCRAFT,
    Ground,
    apart,
    hexsides,
    is_combat,
    state_of,
)
from grognard.games.panzer_grenadier.stated import AntiTankFire, DirectFire, Firer, Target
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.protocol import Doing
from grognard.rules.line import Blank

SHOT = "shot"  # whence anti-tank fire came this turn: shot-HEX-HEXSIDES, as in shot-0704-23


class Volley(NamedTuple):
    """A direct fire: who fires at which units in which hex."""

    target: Hex
    firers: tuple[Piece, ...]
    targets: tuple[Piece, ...]
    turn: int
    opportunity: bool = False


class Shot(NamedTuple):
    """An anti-tank fire: one unit at another."""

    firer: Piece
    target: Piece
    turn: int
    opportunity: bool = False


# ------------------------------------------------------------------ direct fire


def direct_setup(ground: Ground, board: Board, volley: Volley) -> Doing[DirectFire]:
    """Fill in every condition of a direct fire, each with a line that says why."""
    target, number = volley.target, board.map.number(volley.target)
    by_air = all(piece.kind == AIRCRAFT for piece in volley.firers)
    enemy = ground.enemy(volley.firers[0].side)
    range_ = yield from _range(ground, board, volley)
    adjacent = not by_air and all(p.place.distance(target) == 1 for p in volley.firers)
    if adjacent:
        yield ground.tell("note", "target-adjacent", value=number)
    terrain = yield from terrain_of(ground, board, target)
    entrenched = ground.marked_by(board, target, "entrenchment") in ("all", enemy)
    if entrenched:
        yield ground.tell("note", "target-entrenched", value=number)
    mined = ground.marked_by(board, target, "minefield") == volley.firers[0].side
    if mined:
        yield ground.tell("note", "target-mined", value=number)
    if ground.night(volley.turn):
        yield ground.tell("note", "is-night", value=volley.turn)
    guns = _anti_aircraft(ground, board, enemy, target) if by_air else None
    if guns is not None:
        away = guns.place.distance(target)
        here = board.map.number(guns.place)
        yield ground.tell("note", "aa-near", unit=guns.name, value=away, here=here)
    stacked = sum(is_combat(piece) for piece in volley.targets)
    if stacked >= ground.card.number("stacked_target"):
        yield ground.tell("note", "target-stack", "4.4", value=number, count=stacked)
    yield from _about_targets(ground, board, volley.targets, opportunity=volley.opportunity)
    leaders = yield from leaders_for(ground, board, enemy, target, volley.targets)
    return DirectFire(
        attackers=tuple(firer_counter(piece) for piece in volley.firers),
        defenders=(*(target_counter(piece) for piece in volley.targets), *leaders),
        range=range_,
        terrain=terrain,
        opportunity_fire=volley.opportunity,
        entrenched=entrenched,
        night=ground.night(volley.turn),
        adjacent_to_all=adjacent and range_ == 1,
        minefield_of_firer=mined,
        air_attack=by_air,
        aa_unit=guns is not None,
        aa_distance=guns.place.distance(target) if guns else None,
    )


def _range(ground: Ground, board: Board, volley: Volley) -> Doing[int]:
    """Tell from where each unit fires, and give the range that counts. Aircraft are above."""
    there, distances = board.map.number(volley.target), list[int]()
    for piece in volley.firers:
        if piece.at is None:
            yield ground.tell("note", "strikes-at", unit=piece.name, value=there)
            return 0
        away, here = piece.at.distance(volley.target), board.map.number(piece.at)
        distances.append(away)
        yield ground.tell("note", "fires-from", unit=piece.name, value=away, here=here, there=there)
    counts = min if ground.options["group_range"] == "nearest" else max
    if len(set(distances)) > 1:
        yield ground.tell("note", "range-counts", value=counts(distances))
    return counts(distances)


def terrain_of(ground: Ground, board: Board, hex_: Hex) -> Doing[tuple[str, ...]]:
    """Tell the terrain of the target hex, as far as the card has modifiers for it."""
    printed = {row.id for row in ground.card.terrain}
    found = [row for row in board.map.rows(hex_) if row.id in printed]
    for row in found:
        if row.combat:
            number = board.map.number(hex_)
            yield ground.tell("note", "target-terrain", value=number, terrain=row.text)
    return tuple(row.id for row in found) or ("clear",)


def _anti_aircraft(ground: Ground, board: Board, side: str, target: Hex) -> Piece | None:
    """Find the nearest anti-aircraft unit of a side that disturbs aircraft over a hex."""
    guns = [
        piece
        for piece in board.of(side)
        if piece.kind == "anti-aircraft"
        and "demoralised" not in piece.states
        and piece.place.distance(target) <= ground.card.number("aa_reach")
    ]
    return min(guns, key=lambda piece: piece.place.distance(target), default=None)


def _about_targets(
    ground: Ground, board: Board, targets: tuple[Piece, ...], *, opportunity: bool
) -> Doing[None]:
    for piece in targets:
        number = board.map.number(piece.place)
        if opportunity:
            yield ground.tell("note", "is-opportunity", "13.0", unit=piece.name, value=number)
        if "dug-in" in piece.states:
            yield ground.tell("note", "is-dug-in", "16.2", unit=piece.name)
        if "crossing" in piece.states:
            river = river_beside(board, piece.place)
            yield ground.tell("note", "is-crossing", "5.7", unit=piece.name, river=river)


def river_beside(board: Board, hex_: Hex) -> Blank:
    """Name the river that runs along a hex."""
    for there in board.map.around[hex_]:
        name = board.map.names.get(hex_.side(hex_.direction(there)))
        if "river" in board.map.between(hex_, there) and name:
            return name
    return board.map.terrain["river"].text


# ------------------------------------------------------------------ leaders


def leaders_near(ground: Ground, board: Board, side: str, hex_: Hex) -> Iterator[Piece]:
    """6.5: the leaders of a side whose bonus reaches a hex."""
    for piece in board.of(side):
        if (
            piece.kind == "leader"
            and "demoralised" not in piece.states
            and piece.place.distance(hex_) <= ground.leader_reach
        ):
            yield piece


def leader_bonus(ground: Ground, board: Board, piece: Piece) -> int:
    """6.5: what leaders add to the morale of a piece."""
    if piece.kind == "leader" and ground.options["leaders_helped"] == "no":
        return 0
    near = leaders_near(ground, board, piece.side, piece.place)
    bonuses = [leader.number("bonus") for leader in near]
    return sum(bonuses) if ground.options["leader_bonus"] == "sum" else max(bonuses, default=0)


def leaders_for(
    ground: Ground, board: Board, side: str, hex_: Hex, targets: tuple[Piece, ...]
) -> Doing[tuple[Target, ...]]:
    """Give the leaders who help a target without being one themselves."""
    names, found = {piece.name for piece in targets}, list[Target]()
    for leader in leaders_near(ground, board, side, hex_):
        number = board.map.number(leader.place)
        yield ground.tell("note", "leader-near", "6.5", unit=leader.name, value=number)
        if leader.name not in names:
            found.append(replace(target_counter(leader), distance=1))
    return tuple(found)


# ------------------------------------------------------------------ anti-tank fire


def anti_tank_setup(ground: Ground, board: Board, shot: Shot) -> Doing[AntiTankFire]:
    """Fill in every condition of an anti-tank fire, each with a line that says why."""
    firer, target = shot.firer, shot.target
    here, there = firer.place, target.place
    range_, ours, theirs = here.distance(there), board.map.number(here), board.map.number(there)
    yield ground.tell("note", "fires-from", unit=firer.name, value=range_, here=ours, there=theirs)
    terrain = yield from terrain_of(ground, board, there)
    moved = "moved-before" in target.states
    if moved:
        yield ground.tell("note", "has-moved", unit=target.name)
    higher = "hill" in terrain and (yield from _higher(ground, board, shot))
    yield from _about_targets(ground, board, (target,), opportunity=shot.opportunity)
    crossfire = yield from _crossed(ground, board, shot)
    leaders = yield from leaders_for(ground, board, target.side, there, (target,))
    return AntiTankFire(
        attackers=(firer_counter(firer),),
        defenders=(target_counter(target), *leaders),
        range=range_,
        terrain=terrain,
        opportunity_fire=shot.opportunity,
        target_moved=moved,
        target_higher=higher,
        crossfire=crossfire is not None,
        crossfire_hexes_only=crossfire is not None and crossfire[1],
    )


def _higher(ground: Ground, board: Board, shot: Shot) -> Doing[bool]:
    there, here = (board.map.places[piece.place].height for piece in (shot.target, shot.firer))
    if there > here:
        target, firer = shot.target.name, shot.firer.name
        yield ground.tell("note", "is-higher", unit=target, value=there, firer=firer, level=here)
    return there > here


def _crossed(ground: Ground, board: Board, shot: Shot) -> Doing[tuple[str, bool] | None]:
    """1.11: find the crossfire, and tell whence the earlier fire came."""
    here = shot.firer.place
    found = crossfire(ground, board, here, shot.target)
    if found:
        before, by_hexes = found
        phrase = "is-crossfire-by-hexes" if by_hexes else "is-crossfire"
        unit, number = shot.target.name, board.map.number(here)
        yield ground.tell("note", phrase, "1.11", unit=unit, value=number, before=before)
    return found


def crossfire(ground: Ground, board: Board, here: Hex, target: Piece) -> tuple[str, bool] | None:
    """1.11: an earlier anti-tank fire of the turn that makes this one a crossfire.

    It gives the hex from which that came, and whether only the firers' hexes are apart.
    """
    sides, by_hexes = hexsides(here, target.place), None
    for state in sorted(target.states):
        if not state.startswith(f"{SHOT}-"):
            continue
        _, number, before = state.split("-")
        if apart(sides, frozenset(map(int, before)), ground.options):
            return number, False
        if board.map.hex(number).distance(here) > 1:
            by_hexes = (number, True)
    return by_hexes


# ------------------------------------------------------------------ counters


def firer_counter(piece: Piece) -> Firer:
    """Make the counter of a firing piece."""
    anti_tank = piece.number("anti_tank") if "anti_tank" in piece.face else None
    return Firer(
        name=piece.name,
        steps=piece.steps,
        fire=piece.number("fire"),
        anti_tank=anti_tank,
        state=state_of(piece),
    )


def target_counter(piece: Piece) -> Target:
    """Make the counter of a piece that is fired at."""
    return Target(
        name=piece.name,
        kind=piece.kind,  # type: ignore[arg-type]  # the scenario's kinds are the game's
        morale=piece.number("morale"),
        steps=piece.steps,
        state=state_of(piece),
        armour=piece.number("armour") if "armour" in piece.face else None,
        dug_in="dug-in" in piece.states,
        engineers_crossing="crossing" in piece.states,
        bonus=piece.number("bonus"),
    )
