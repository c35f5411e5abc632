"""Bautzen 1945 on the map: the attack, from the order to the fight and back to the board."""

from grognard.card.rows import SIDES, Side
from grognard.fights.play import Play
from grognard.games.bautzen import aftermath
from grognard.games.bautzen.conditions import near_columns, setup
from grognard.games.bautzen.ground import Ground
from grognard.games.bautzen.stated import SUPPORTS, BautzenFight, in_hex
from grognard.maps.board import Board, Piece
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import Playing
from grognard.rules.fight import alive


def attack(ground: Ground, board: Board, plan: Engagement) -> Playing:
    """8.2: from the order to the fight, and from its outcome back to the board."""
    theirs: tuple[Piece, ...] = ()
    if any(piece.kind != "cl" for piece in plan.defenders):
        theirs = yield from ground.defensive_support(board, plan, "defender-support", "9.1")
    stated = yield from setup(ground, board, plan, theirs)
    play, fight = yield from ground.fought(stated, BautzenFight)
    board = yield from _applied(ground, board, plan, theirs, fight)
    board = yield from _spend(ground, board, plan, play)
    yield board
    if fight.retreat and alive(in_hex(fight.defenders)):
        board = yield from aftermath.retreat(ground, board, plan, fight)
    board = yield from aftermath.escort_lost(ground, board, plan, entered=bool(fight.advanced))
    board = yield from aftermath.advance(ground, board, fight.advanced, plan.target)
    return (yield from aftermath.check_stacking(ground, board))


def _applied(
    ground: Ground, board: Board, plan: Engagement, theirs: tuple[Piece, ...], fight: BautzenFight
) -> Playing:
    """Bring steps, states and captures from the fight to the board."""
    used = {
        **{p.name: "attacked" for p in plan.attackers},
        **{p.name: "supported" for p in plan.supports},
        **{p.name: "defended" for p in (*plan.defenders, *theirs) if p.kind in SUPPORTS},
    }
    for unit in (*fight.attackers, *fight.defenders):
        marks = (used[unit.name],) if unit.name in used else ()
        board = board.with_steps(unit.name, unit.steps, *marks)
    for piece, fate in zip(plan.defenders, fight.fates, strict=False):
        if fate == "C":
            board = yield from aftermath.captured(ground, board, piece, plan.side)
    return board


def _spend(ground: Ground, board: Board, plan: Engagement, play: Play) -> Playing:
    """7.2, 10: remove the columns that were used, and count the air markers."""
    committed = {side: _committed(play, side) for side in SIDES}
    board = board.pooled("air_used", sum(air for _, air in committed.values()))
    for side, (columns, _) in committed.items():
        for _ in range(columns):
            names = tuple(piece.name for piece in near_columns(board, plan.engaged(side)))
            name = yield from ground.choose(side, "which-column", names, "7.2")
            yield ground.tell("spent", "column-used", "7.2", side=side, unit=name)
            board = board.removed(name)
    return board


def _committed(play: Play, side: Side) -> tuple[int, int]:
    """Read in the log how many logistic columns and air markers a side has committed."""
    lines = (told.line for told in play.told if told.line.id == f"{side}-commits")
    blanks = next((dict(line.blanks) for line in lines), {"cl": 0, "air": 0})
    return int(str(blanks["cl"])), int(str(blanks["air"]))
