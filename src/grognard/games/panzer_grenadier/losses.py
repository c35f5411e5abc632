"""Panzer Grenadier, 7.61: step losses, and the units that must check morale."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from msgspec.structs import replace

from grognard.games.panzer_grenadier.morale import check_of, must_check
from grognard.games.panzer_grenadier.stated import (
    TRANSPORT,
    Check,
    DirectFight,
    Hit,
    TrimmedTarget,
    is_combat_unit,
    still_there,
)
from grognard.rules.ask import Asking, choose
from grognard.rules.losses import lose_steps

Placed = frozenset[tuple[tuple[TrimmedTarget, int], int]]


def losses(fight: DirectFight) -> Asking[DirectFight]:
    """7.61: each result takes its steps, from units on its own column; then who must check."""
    legend = fight.case.card.table("direct-fire").legend
    for hit in fight.hits:
        values = legend[hit.code].values
        if count := int(values["steps"]):
            units = still_there(fight, hit.places)
            soft = [u for u in units if is_combat_unit(u) and u.kind != "afv-closed"]
            fight = yield from _lose_among(fight, soft, count, int(values["open_top_steps"]))
            transport = [u for u in units if u.kind in TRANSPORT]
            fight = yield from _lose_among(fight, transport, count)
    checks = tuple(check for hit in fight.hits for check in _called(fight, hit))
    return (yield from must_check(replace(fight, hits=()), checks))


def _lose_among(
    fight: DirectFight, takers: list[TrimmedTarget], count: int, open_top: int = 0
) -> Asking[DirectFight]:
    """7.61: the owner places the steps within a category; a missing one is ignored."""
    if not takers:
        return fight
    options = spreads(takers, count, open_top, fight.case.options["step_losses"])
    chosen = yield from choose("defender", "who-loses", options, "7.61", count=str(count))
    for name in dict.fromkeys(chosen):
        fight = yield from lose_steps(fight, "defender", name, "7.61", lost=chosen.count(name))
    return fight


def spreads(
    takers: list[TrimmedTarget], count: int, open_top: int, way: str
) -> list[tuple[str, ...]]:
    """7.61: how the steps may be placed, some of them on an open-top AFV if there is one.

    Units that differ in nothing but their name are the same to the rules: of such ways only the
    first is offered.
    """
    if way == "one_unit":
        ways = [(unit.name,) * min(count, unit.steps) for unit in takers]
    else:
        most = {unit.name: 1 if way == "one_each" else unit.steps for unit in takers}
        pool = [name for name, times in most.items() for _ in range(times)]
        ways = list(combinations(pool, min(count, len(pool))))
    open_tops = {unit.name for unit in takers if unit.kind == "afv-open"}
    if open_tops:
        ways = [names for names in ways if sum(name in open_tops for name in names) >= open_top]
    like = {unit.name: replace(unit, name="") for unit in takers}
    different: dict[Placed, tuple[str, ...]] = {}
    for names in ways:
        different.setdefault(_placed(names, like), names)
    return list(different.values())


def _placed(names: tuple[str, ...], like: Mapping[str, TrimmedTarget]) -> Placed:
    """Give how many units of which kind lose how many steps."""
    each = {name: names.count(name) for name in names}
    return frozenset(Counter((like[name], lost) for name, lost in each.items()).items())


def _called(fight: DirectFight, hit: Hit) -> Iterator[Check]:
    """14.1, 7.61: who checks morale after a result, and what is added to the dice."""
    options = fight.case.options
    values = fight.case.card.table("direct-fire").legend[hit.code].values
    if not values["check"]:
        return
    for unit in still_there(fight, hit.places):
        if unit.kind == "leader" and options["leaders_check"] == "exempt":
            continue
        if "other_check" in values:
            key = "closed_top_check" if unit.kind == "afv-closed" else "other_check"
            yield check_of(fight, unit, int(values[key]))
        elif not unit.armoured and (unit.kind != "truck" or options["trucks_check"] == "check"):
            yield check_of(fight, unit, int(values["check_modifier"]))
