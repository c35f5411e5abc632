"""Bautzen 1945, 8.2 (7), (8), 8.3 to 8.6.3: losses, retreat, advance, logistic columns alone."""

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate, combinations

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Side
from grognard.games.bautzen.stated import (
    BautzenFight,
    in_hex,
    loss_takers,
    only_support,
    vacated,
)
from grognard.rules.ask import Asking, choose, roll
from grognard.rules.fight import alive, units_of, with_unit
from grognard.rules.losses import each_loses, lose_steps, next_to_lose, one_loses, steps_lost
from grognard.rules.rolls import code_at, row_at

# ------------------------------------------------------------------ 8.3 losses


def attacker_losses(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.3: the attacker takes his losses; he never retreats (8.4)."""
    return (yield from lose(fight, "attacker", fight.owed[0]))


def lose(fight: BautzenFight, side: Side, count: int) -> Asking[BautzenFight]:
    """8.3: one step after the other, spread over the units, the owner choosing among equals."""
    lost = {unit.name: 0 for unit in loss_takers(fight, side)}
    reading = (
        fight.case.doubt("support_losses") if only_support(side, units_of(fight, side)) else CERTAIN
    )
    for _ in range(count):
        left = {unit.name: unit.steps for unit in loss_takers(fight, side)}
        candidates = next_to_lose(left, lost)
        if not candidates:
            return fight
        fight, name = yield from one_loses(fight, side, candidates, "8.3", reading=reading)
        lost[name] += 1
    return fight


# ------------------------------------------------------------------ 8.5 retreat


def defender_answers(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (7), 8.5: steps of loss exchanged for hexes of retreat, one for one."""
    owed = fight.owed[1]
    if owed == 0:
        return fight
    doomed = yield from _attacked_again(fight)
    if doomed and fight.case.options["reattacked"] == "inflicted":
        before = fight.defenders
        fight = yield from _die(fight, doomed)
        owed -= steps_lost(before, fight.defenders)
        if owed <= 0 or not alive(in_hex(fight.defenders)):
            return fight
        doomed = []
    fight = yield from _lost_or_traded(fight, owed)
    if doomed and _have_lost(fight, doomed):
        return (yield from _die(fight, doomed))
    return fight


def _lost_or_traded(fight: BautzenFight, owed: int) -> Asking[BautzenFight]:
    """8.5.1: the defender chooses how many steps he trades; the others are lost."""
    setup, case = fight.case.setup, fight.case
    farthest = yield from _farthest(fight, owed)
    most = owed
    if case.options["no_retreat_loss"] == "nothing_traded":
        if not farthest:
            return (yield from _cannot_retreat(fight, owed, 0))
        most = farthest
    traded = yield from choose("defender", "trade", range(most + 1), "8.5.1")
    if traded > farthest:
        return (yield from _cannot_retreat(fight, owed, traded))
    fight = yield from lose(fight, "defender", owed - traded)
    if not traded or not alive(in_hex(fight.defenders)):
        return fight
    yield case.tell("retreat", "retreats", "8.5.1", side="defender", value=traded)
    fight = replace(fight, retreat=traded)
    if setup.retreat_unsupplied:
        yield case.tell("remark", "unsupplied-by-retreat", "8.5.2a", side="defender")
        fight = yield from each_loses(fight, "defender", in_hex(fight.defenders), "8.3")
    return fight


def _farthest(fight: BautzenFight, owed: int) -> Asking[int]:
    """8.5.2a: how far the stack can retreat; by option it does not begin what it can't finish."""
    case, setup = fight.case, fight.case.setup
    room = owed if setup.retreat_room is None else min(owed, setup.retreat_room)
    if setup.can_retreat and room < owed:
        doubt = case.doubt("retreat_short")
        yield case.tell("note", "short-way", "8.5.2a", side="defender", value=room, reading=doubt)
        if case.options["retreat_short"] != "stays":
            return owed
    if setup.can_retreat and room == owed:
        return owed
    farthest, doubt = room if setup.can_retreat else 0, case.doubt("no_retreat_loss")
    phrase = "no-farther" if farthest else "no-way-back"
    yield case.tell("note", phrase, "8.5.2a", side="defender", value=farthest, reading=doubt)
    return farthest


def _cannot_retreat(fight: BautzenFight, owed: int, traded: int) -> Asking[BautzenFight]:
    """8.5.2a: the stack stays, and each of its units loses one step more."""
    case, besides = fight.case, {"nothing_traded": owed, "added": owed - traded, "only": 0}
    doubt = case.doubt("no_retreat_loss")
    yield case.tell("remark", "cannot-retreat", "8.5.2a", side="defender", reading=doubt)
    fight = yield from lose(fight, "defender", besides[case.options["no_retreat_loss"]])
    return (yield from each_loses(fight, "defender", in_hex(fight.defenders), "8.3"))


# ------------------------------------------------------------------ 8.5.2b attacked again


def _attacked_again(fight: BautzenFight) -> Asking[list[str]]:
    """8.5.2b: tell who has retreated before; name those who die if they suffer a step."""
    case, units = fight.case, alive(in_hex(fight.defenders))
    again = [unit.name for unit in units if unit.retreated]
    if not again:
        return again
    others = [unit.name for unit in units if not unit.retreated]
    told = [("retreated-before", again, "reattacked")]
    if others:
        told.append(("first-attacked", others, "reattacked_units"))
    for phrase, names, option in told:
        doubt, joined = case.doubt(option), ", ".join(names)
        yield case.tell("note", phrase, "8.5.2b", side="defender", unit=joined, reading=doubt)
    whole = case.options["reattacked_units"] == "whole_stack"
    return [*again, *others] if whole else again


def _die(fight: BautzenFight, names: list[str]) -> Asking[BautzenFight]:
    """8.5.2b: they are eliminated."""
    doubt = fight.case.doubt("reattacked")
    yield fight.case.tell("remark", "attacked-again", "8.5.2b", side="defender", reading=doubt)
    for unit in alive(in_hex(fight.defenders)):
        if unit.name in names:
            for _ in range(unit.steps):
                fight = yield from lose_steps(fight, "defender", unit.name, "8.5.2b")
    return fight


def _have_lost(fight: BautzenFight, names: list[str]) -> bool:
    """8.5.2b under its other reading: tell whether one of these units has really lost a step."""
    before, after = fight.case.setup.defenders, fight.defenders
    pairs = zip(before, after, strict=True)
    return any(new.steps < old.steps for old, new in pairs if old.name in names)


# ------------------------------------------------------------------ 8.4 advance


def advance(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (8), 8.4: participants move into the vacant hex, within stacking; never HQs or CLs."""
    if not vacated(fight):
        return fight
    able = [u for u in alive(fight.attackers) if u.kind not in ("hq", "cl") and not u.at_distance]
    groups = fitting(tuple((unit.name, unit.points) for unit in able), fight.case.setup.room)
    # Whoever goes, the hex is taken.
    names = yield from choose("attacker", "who-advances", groups, "8.4", map(bool, groups))
    if not names:
        yield fight.case.tell("remark", "nobody-advances", "8.4", side="attacker")
    for name in names:
        yield fight.case.tell("advance", "advances", "8.4", side="attacker", unit=name)
    return replace(fight, advanced=names)


@lru_cache(maxsize=256)
def fitting(points: tuple[tuple[str, int], ...], room: int) -> tuple[tuple[str, ...], ...]:
    """Give every group of units that fits into the hex, nobody first."""
    most = bisect_right(list(accumulate(sorted(needed for _, needed in points))), room)
    return tuple(
        tuple(name for name, _ in group)
        for count in range(most + 1)
        for group in combinations(points, count)
        if sum(needed for _, needed in group) <= room
    )


# ------------------------------------------------------------------ 8.6.3 logistic columns alone


def columns_alone(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.6.3: no combat; a die for each logistic column that stands alone in the hex."""
    if not fight.columns_alone:
        return fight
    case, table = fight.case, fight.case.card.table("cl-fate")
    room = case.setup.cl_room
    fates: list[str] = []
    for unit in fight.defenders:
        if unit.kind != "cl" or unit.at_distance:
            continue
        die = yield from roll("cl-roll", 1, "8.6.3", unit=unit.name)
        row, fate = row_at(table, die), code_at(table, die)
        yield case.tell("lookup", "look-up-row", "8.6.3", value=fate, of=table.id, row=row)
        if fate == "C" and fates.count("C") >= room:
            yield case.tell("limit", "cl-full", "7.2", side="attacker", value=room)
            fate = "D"
        fates.append(fate)
        if fate == "C":
            yield case.tell("captured", "cl-captured", "8.6.3", side="defender", unit=unit.name)
        else:
            yield case.tell("eliminated", "cl-destroyed", "8.6.3", side="defender", unit=unit.name)
        fight = with_unit(fight, "defender", replace(unit, steps=0))
    return replace(fight, fates=tuple(fates), result="+".join(fates))
