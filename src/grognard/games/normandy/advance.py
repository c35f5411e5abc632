"""Normandy '44: advance after combat (14), and Reserve."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from grognard.games.normandy.stated import (
    NormandyFight,
    TrimmedAttack,
    TrimmedAttacker,
    effect,
    one_step_engaged,
    vacated,
)
from grognard.rules.ask import Asking, Choose, Former, choose
from grognard.rules.fight import Case, alive

MOST_IN_GROUP = 8  # units; more would make too many groups, and are asked one by one


def advance(fight: NormandyFight) -> Asking[NormandyFight]:
    """14: each attacker that is left advances into the hex, goes into Reserve, or stays."""
    values = effect(fight)
    way_in, reserve = values["advance"], bool(values["reserve"])
    allowed = way_in != "none" and (way_in != "limited" or one_step_engaged(fight))
    enter = allowed and vacated(fight)
    if not (enter or reserve):
        return fight
    units = alive(fight.attackers)
    chosen = yield from _choose_ways({u.name: _open_ways(u, enter, reserve) for u in units})
    limited = way_in == "limited"
    for unit in units:
        ends = limited or unit.advance == "first-hex"
        yield from _tell_way(fight.case, unit.name, chosen[unit.name], ends=ends)
    taken, reserved = (way in chosen.values() for way in ("advance", "reserve"))
    if enter and not taken:
        yield fight.case.tell("remark", "nobody-advances", "14", side="attacker")
    return replace(fight, taken=taken, reserve=reserved)


def _open_ways(unit: TrimmedAttacker, enter: bool, reserve: bool) -> tuple[str, ...]:
    ways = {"advance": enter and unit.advance != "barred", "reserve": reserve, "stay": True}
    return tuple(way for way, open_ in ways.items() if open_)


def _choose_ways(menus: Mapping[str, tuple[str, ...]]) -> Asking[dict[str, str]]:
    """Ask who advances, then who of the others goes into Reserve."""
    first = next((ways for ways in menus.values() if len(ways) > 1), ())
    if len(menus) > MOST_IN_GROUP:
        return (yield from _one_by_one(menus))
    former = Former("after-combat", first) if first else None
    chosen = dict.fromkeys(menus, "stay")
    for way, what in (("advance", "who-advances"), ("reserve", "who-reserves")):
        able = [name for name, ways in menus.items() if way in ways and chosen[name] == "stay"]
        if not able:
            continue
        groups = _groups(tuple(able))
        alike = tuple(map(bool, groups))  # whoever goes, the outcome is the same
        answer = yield Choose("attacker", what, groups, "14", alike=alike, former=former)
        if isinstance(answer, str):
            return (yield from _one_by_one(menus, answer))
        chosen |= dict.fromkeys(groups[groups.index(answer)], way)
        former = None
    return chosen


def _one_by_one(menus: Mapping[str, tuple[str, ...]], first: str = "") -> Asking[dict[str, str]]:
    """Ask for each unit; older records have the answer for the first of them already."""
    chosen: dict[str, str] = {}
    for name, ways in menus.items():
        # What another unit has done already changes nothing any more.
        alike = [way == "stay" or way in chosen.values() or way for way in ways]
        if first and len(ways) > 1:
            chosen[name], first = first, ""
        else:
            chosen[name] = yield from choose(
                "attacker", "after-combat", ways, "14", alike, unit=name
            )
    return chosen


@lru_cache(maxsize=256)
def _groups(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Give every group of the names, all of them first, nobody last."""
    return tuple(
        group for count in range(len(names), -1, -1) for group in combinations(names, count)
    )


def _tell_way(case: Case[TrimmedAttack], name: str, way: str, *, ends: bool) -> Asking[None]:
    if way == "advance":
        yield case.tell("advance", "advances", "14", side="attacker", unit=name)
        if ends:
            yield case.tell("remark", "advance-ends", "14.4", side="attacker", unit=name)
    elif way == "reserve":
        doubt = case.doubt("reserve")
        yield case.tell("state", "into-reserve", side="attacker", unit=name, reading=doubt)
