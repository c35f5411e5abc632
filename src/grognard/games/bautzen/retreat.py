"""Bautzen 1945, 8.2 (7), 8.5: the defender loses steps or retreats."""

from msgspec.structs import replace

from grognard.games.bautzen.losses import lose
from grognard.games.bautzen.stated import BautzenFight, TrimmedCounter, in_hex
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import alive
from grognard.rules.losses import lose_steps, steps_lost


def defender_answers(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (7), 8.5: steps of loss exchanged for hexes of retreat, one for one."""
    owed, setup, case = fight.owed[1], fight.case.setup, fight.case
    if owed == 0:
        return fight
    if setup.retreated_before and case.options["reattacked"] == "inflicted":
        return (yield from _destroyed_again(fight))
    traded = yield from choose("defender", "trade", range(owed + 1), "8.5.1")
    if not traded:
        return (yield from _stand(fight, owed))
    if not _goes(fight, traded):
        return (yield from _cannot_retreat(fight, owed, traded))
    fight = yield from lose(fight, "defender", owed - traded)
    if not alive(in_hex(fight.defenders)):
        return fight
    yield case.tell("retreat", "retreats", "8.5.1", side="defender", value=traded)
    fight = replace(fight, retreat=traded)
    if setup.retreat_unsupplied:
        yield case.tell("remark", "unsupplied-by-retreat", "8.5.2a", side="defender")
        fight = yield from _each_loses(fight)
    return (yield from _reattacked_loss(fight))


def _goes(fight: BautzenFight, hexes: int) -> bool:
    """Tell whether the stack can retreat; by option it does not begin what it can't finish."""
    setup = fight.case.setup
    if setup.retreat_room is None or fight.case.options["retreat_short"] != "stays":
        return setup.can_retreat
    return setup.can_retreat and hexes <= setup.retreat_room


def _stand(fight: BautzenFight, owed: int) -> Asking[BautzenFight]:
    fight = yield from lose(fight, "defender", owed)
    return (yield from _reattacked_loss(fight))


def _cannot_retreat(fight: BautzenFight, owed: int, traded: int) -> Asking[BautzenFight]:
    """8.5.2a: the stack stays, and each of its units loses one step more."""
    yield fight.case.tell("remark", "cannot-retreat", "8.5.2a", side="defender")
    besides = {"added": owed - traded, "only": 0, "nothing_traded": owed}
    fight = yield from lose(fight, "defender", besides[fight.case.options["no_retreat_loss"]])
    fight = yield from _each_loses(fight)
    return (yield from _reattacked_loss(fight))


def _each_loses(fight: BautzenFight) -> Asking[BautzenFight]:
    for unit in alive(in_hex(fight.defenders)):
        fight = yield from lose_steps(fight, "defender", unit.name, "8.3")
    return fight


def _reattacked_loss(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.5.2b under its other reading: only a step that was really lost destroys the stack."""
    lost = steps_lost(in_hex_at_start(fight), in_hex(fight.defenders))
    if fight.case.setup.retreated_before and lost:
        return (yield from _destroyed_again(fight))
    return fight


def in_hex_at_start(fight: BautzenFight) -> list[TrimmedCounter]:
    """Give the attacked units as they were before the attack."""
    names = {unit.name for unit in in_hex(fight.defenders)}
    return [unit for unit in fight.case.setup.defenders if unit.name in names]


def _destroyed_again(fight: BautzenFight) -> Asking[BautzenFight]:
    yield fight.case.tell("remark", "attacked-again", "8.5.2b", side="defender")
    for unit in alive(in_hex(fight.defenders)):
        for _ in range(unit.steps):
            fight = yield from lose_steps(fight, "defender", unit.name, "8.3")
    return fight
