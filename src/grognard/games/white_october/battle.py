"""White October on the map: the attack, from the order to the fight and back to the board."""

from collections.abc import Iterable

from grognard.card.rows import SIDES, Side
from grognard.fights.play import Play
from grognard.games.white_october import aftermath
from grognard.games.white_october.conditions import setup
from grognard.games.white_october.ground import DISORGANISED, DRY, GUNS, ROUTED, Ground
from grognard.games.white_october.stated import WhiteOctoberFight
from grognard.maps.board import Board, Piece
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import Playing
from grognard.rules.fight import enemy_of


def attack(ground: Ground, board: Board, plan: Engagement) -> Playing:
    """From the order to the fight, and from its outcome back to the board."""
    active = plan.side
    theirs = yield from ground.defensive_support(board, plan, "defensive-fires")
    stated = yield from setup(ground, board, plan, theirs)
    firing = (*plan.supports, *theirs)
    dry = _used_without_supply(ground, board, plan.attackers, firing)
    play, fight = yield from ground.fought(stated, WhiteOctoberFight)
    board = _applied(board, firing, fight)
    board = yield from _run_out(ground, board, dry)
    yield board
    board = yield from _settled(ground, board, plan, fight)
    for side, hexes, rout in ordered_back(play):
        names = [unit.name for unit in plan.engaged(side)]
        board = yield from aftermath.withdraw(ground, board, side, names, hexes, rout=rout)
    board = yield from ground.gather(board, active)
    if fight.advanced and fight.winner:
        name = next(told.line.unit for told in play.told if told.line.kind == "advance")
        board = yield from aftermath.advances(
            ground, board, fight.winner, plan, name, fight.advanced
        )
        board = yield from ground.gather(board, active)
    yield board
    return board


def _applied(board: Board, firing: Iterable[Piece], fight: WhiteOctoberFight) -> Board:
    """Bring losses, states and marks from the fight to the board."""
    for units, mark in ((fight.attackers, "attacked"), (fight.defenders, "defended")):
        for unit in units:
            shaken = {ROUTED: unit.routed, DISORGANISED: unit.disorganised}
            states = (state for state, holds in shaken.items() if holds)
            board = board.with_steps(unit.name, unit.steps, mark, *states)
    return board.changed(*(board.piece(gun.name).marked("fired") for gun in firing))


def _used_without_supply(
    ground: Ground, board: Board, attackers: Iterable[Piece], firing: Iterable[Piece]
) -> list[str]:
    """Name who attacks or fires without a supply line."""
    guns = [gun for gun in firing if gun.kind in GUNS]
    who = {"unsupplied": [*attackers, *guns], "guns": guns, "never": []}
    used = who[ground.options["ammunition"]]
    return [piece.name for piece in used if not ground.has_supply(board, piece)]


def _run_out(ground: Ground, board: Board, names: Iterable[str]) -> Playing:
    for name in names:
        piece = board.piece(name)
        if piece.alive and DRY not in piece.states:
            yield ground.tell("state", "runs-out", unit=name)
            board = board.changed(piece.marked(DRY))
    return board


def _settled(ground: Ground, board: Board, plan: Engagement, fight: WhiteOctoberFight) -> Playing:
    """Let the victor say what becomes of units that surrender, where players settle it."""
    if ground.options["surrender"] != "players":
        return board
    for side in SIDES:
        if side not in fight.left or f"{side[0].upper()} surrenders" not in fight.details:
            continue
        how = yield from ground.choose(enemy_of(side), "surrender", ("captured", "stay"))
        names = [u.name for u in plan.engaged(side) if board.piece(u.name).alive]
        if how == "captured":
            for name in names:
                yield ground.tell("captured", "is-captured", side=side, unit=name)
            board = board.removed(*names)
    return board


def ordered_back(play: Play) -> list[tuple[Side, int, bool]]:
    """Give who must retreat, how far, and whether it is a rout, in the order of the fight."""
    lines = (told.line for told in play.told if told.line.kind == "retreat")
    return [
        (line.side, int(line.value or 0), line.id.endswith("-rout")) for line in lines if line.side
    ]
