"""Normandy '44 on the map: the attack, from the order to the fight and back to the board."""

from collections.abc import Iterator

from grognard.fights.play import Play
from grognard.games.normandy import pursuit
from grognard.games.normandy.conditions import reasons, setup
from grognard.games.normandy.ground import Ground
from grognard.games.normandy.stated import NormandyFight, effect, surviving
from grognard.games.normandy.support import (
    ARMIES,
    Effort,
    costs,
    defending_hqs,
    forces,
    in_main,
    pool,
    ships,
    sorties,
    supporting_hqs,
)
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.orders import AttackOrders
from grognard.matches.protocol import Doing, Playing, Words
from grognard.words.message import say
from grognard.words.refusal import Refusal

# ------------------------------------------------------------------ who may attack


def check_plan(ground: Ground, board: Board, plan: Engagement) -> None:
    """Refuse an attack of both Allied armies, and one at odds that are not allowed."""
    if len({piece.nation for piece in plan.attackers} & set(ARMIES)) > 1:
        raise Refusal(say("US and British units do not attack together"))
    if not main_forces(ground, board, plan):
        effort = Effort(forces(ground, board, plan)[0])
        ground.check_fight(setup(ground, board, plan, effort))  # it says why not


def main_forces(ground: Ground, board: Board, plan: Engagement) -> list[str]:
    """Name the main forces with which the odds allow the attack, the strongest first; once for a
    board, as an attack is listed, checked and carried out."""
    attack_ = plan.target, tuple(piece.name for piece in plan.attackers)
    return ground.kept(board, "mains", attack_, lambda on, _: _find_mains(ground, on, plan))


def _find_mains(ground: Ground, board: Board, plan: Engagement) -> list[str]:
    allowed = [m for m in forces(ground, board, plan) if _allowed(ground, board, plan, Effort(m))]

    def factors(main: str) -> int:
        inside = [p for p in plan.attackers if in_main(ground, board, p, main)]
        return sum(piece.number("attack") for piece in inside)

    return sorted(allowed, key=factors, reverse=True)


def _allowed(ground: Ground, board: Board, plan: Engagement, effort: Effort) -> bool:
    try:
        ground.check_fight(setup(ground, board, plan, effort))
    except Refusal:
        return False
    return True


class Attacks(AttackOrders):
    """For each army all that can attack a hex, and each unit alone."""

    def groups(self, target: Hex) -> Iterator[Words]:
        """Name the groups that could attack a hex, at odds that are allowed."""
        number, able = self.board.map.number(target), self.able(target)
        for nation in dict.fromkeys(piece.nation for piece in able):
            together = tuple(piece.name for piece in able if piece.nation == nation)
            for group in dict.fromkeys((together, *((name,) for name in together))):
                if self.legal(("attack", number, *group)):
                    yield group


# ------------------------------------------------------------------ the attack


def attack(ground: Ground, board: Board, plan: Engagement) -> Playing:
    """From the order to the fight, and from its outcome back to the board."""
    effort = yield from _decide(ground, board, plan)
    board = yield from _call(ground, board, plan, effort)
    stated = setup(ground, board, plan, effort)
    yield from reasons(ground, board, plan, effort, stated)
    play, fight = yield from ground.fought(stated, NormandyFight)
    if ground.options["defensive_hq"] == "once":
        used = defending_hqs(ground, board, plan)
        board = board.changed(*(hq.marked("defended") for hq in used))
    return (yield from after(ground, board, plan, play, fight))


def _decide(ground: Ground, board: Board, plan: Engagement) -> Doing[Effort]:
    """Ask the attacker for his main force and for what he calls."""
    mains = tuple(main_forces(ground, board, plan))
    main = yield from ground.choose("attacker", "main-force", mains, "10.3")
    groups = tuple(supporting_hqs(ground, board, plan))
    names = yield from ground.choose("attacker", "call-hq", groups, "11.6")
    most = sorties(ground, board, plan)
    columns = tuple(range(most, -1, -1))
    air = yield from ground.choose("attacker", "call-air", columns, "19.1.2")
    calls = ("yes", "no") if ships(ground, board, plan) else ("no",)
    naval = yield from ground.choose("attacker", "call-naval", calls, "19.2")
    return Effort(main, tuple(map(board.piece, names)), air, naval == "yes")


def _call(ground: Ground, board: Board, plan: Engagement, effort: Effort) -> Playing:
    """Use up what was called, and tell it."""
    for hq in effort.hqs:
        here, reach = board.map.number(hq.place), hq.number("range")
        yield ground.tell("note", "hq-supports", "11.6", unit=hq.name, value=here, range=reach)
        if costs(ground, board.piece(hq.name)):
            board = board.pooled(pool(hq.nation), -1)
            left = board.pools[pool(hq.nation)]
            yield ground.tell(
                "spent", "supply-spent", "11.6", side="attacker", unit=hq.name, value=left
            )
        board = board.changed(board.piece(hq.name).marked("supported"))
    if effort.air:
        board = board.pooled("air", -effort.air)
        left = board.pools["air"]
        yield ground.tell("note", "air-called", "19.1.2", value=effort.air, left=left)
    coast = ships(ground, board, plan) if effort.naval else None
    if coast is not None:
        board = board.pooled("naval", -1)
        yield ground.tell("note", "naval-called", "19.2", value=board.map.number(coast))
    yield board
    return board


# ------------------------------------------------------------------ after the fight


def after(
    ground: Ground, board: Board, plan: Engagement, play: Play, fight: NormandyFight
) -> Playing:
    """Bring the outcome to the board: steps, marks, fortification, retreat, advance, Reserve."""
    board = _applied(board, fight)
    if fight.fortification_removed:
        board = yield from ground.without_fortification(board, plan.target)
    yield board
    if fight.retreated:
        board = yield from pursuit.retreat(
            ground, board, surviving(fight), plan.target, fight.retreated
        )
    advancing, ending, reserve = (
        [told.line.unit for told in play.told if told.line.id == id_]
        for id_ in ("advances", "advance-ends", "into-reserve")
    )
    board = board.changed(*(board.piece(name).marked("reserve") for name in reserve))
    if advancing and board.side_of(plan.target) != plan.enemy:
        further = [name for name in advancing if name not in ending]
        one_hex = ground.options["advance_length"] == "one_hex"
        on = 0 if one_hex else max(int(effect(fight)["retreat"]) - 1, 0)
        board = yield from pursuit.advance(ground, board, advancing, plan.target, further, on)
    yield board
    return board


def _applied(board: Board, fight: NormandyFight) -> Board:
    shaken = ("disorganised",) if fight.disorganised else ()
    for unit in fight.attackers:
        board = board.with_steps(unit.name, unit.steps, "attacked")
    for defender in fight.defenders:
        board = board.with_steps(defender.name, defender.steps, *shaken)
    return board
