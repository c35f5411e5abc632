"""Bautzen 1945, 8.2 (8), 8.4: the advance into the hex that the defender has left."""

from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from grognard.games.bautzen.stated import BautzenFight, vacated
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import alive


def advance(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (8), 8.4: participants move into the vacant hex, within stacking; never HQs or CLs."""
    if not vacated(fight):
        return fight
    groups = _fitting(fight)
    # Whoever goes, the hex is taken.
    names = yield from choose("attacker", "who-advances", groups, "8.4", map(bool, groups))
    if not names:
        yield fight.case.tell("remark", "nobody-advances", "8.4", side="attacker")
    for name in names:
        yield fight.case.tell("advance", "advances", "8.4", side="attacker", unit=name)
    return replace(fight, advanced=names)


def _fitting(fight: BautzenFight) -> tuple[tuple[str, ...], ...]:
    """Give every group of participants that fits into the hex, nobody first."""
    units = [
        unit
        for unit in alive(fight.attackers)
        if unit.kind not in ("hq", "cl") and not unit.at_distance
    ]
    points = tuple((unit.name, unit.points) for unit in units)
    return _groups(points, fight.case.setup.room)


@lru_cache(maxsize=256)
def _groups(points: tuple[tuple[str, int], ...], room: int) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(name for name, _ in group)
        for count in range(len(points) + 1)
        for group in combinations(points, count)
        if sum(needed for _, needed in group) <= room
    )
