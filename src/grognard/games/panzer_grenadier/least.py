"""Panzer Grenadier: what the odds of direct fire still depend on once the table is read."""

from functools import lru_cache

from msgspec.structs import replace

from grognard.games.panzer_grenadier.stated import (
    DirectFight,
    Hit,
    Kind,
    TrimmedFire,
    TrimmedTarget,
)
from grognard.rules.fight import Case
from grognard.rules.kept import kept
from grognard.rules.procedure import Carried


def carried(fight: DirectFight) -> Carried:
    """Give what the outcome has of a fire whose table is read, whatever happens later."""
    return (("result", fight.result),)


def least(fight: DirectFight) -> DirectFight:
    """Keep the units that a result can do something to.

    Where no steps are lost, the others stay as they are; of those who may check their morale the
    steps do not count, nor does their kind, but for leaders and trucks.
    """
    return _least(fight.case, fight.bonus, fight.hits)


@lru_cache(maxsize=4096)
def _least(case: Case[TrimmedFire], bonus: int, hits: tuple[Hit, ...]) -> DirectFight:
    legend, targets = case.card.table("direct-fire").legend, case.setup.defenders
    if any(legend[hit.code].values["steps"] for hit in hits):
        return _stated(case, targets, bonus, hits)
    checking = {place for code, places in hits if legend[code].values["check"] for place in places}
    able = [p for p, unit in enumerate(targets) if p in checking and not unit.armoured]
    units = [_plain(targets[place]) for place in able]
    at = {place: number for number, place in enumerate(able)}
    called = [Hit(code, tuple([at[p] for p in places if p in at])) for code, places in hits]
    if not any(unit.kind == "leader" for unit in units):  # 6.5: whom leaders help is not doubtful
        units = [replace(unit, morale=unit.morale + bonus) for unit in units]
        bonus = 0
    return _stated(
        case, tuple(units) or (_UNHARMED,), bonus, tuple([hit for hit in called if hit.places])
    )


@kept
def _stated(
    case: Case[TrimmedFire], targets: tuple[TrimmedTarget, ...], bonus: int, hits: tuple[Hit, ...]
) -> DirectFight:
    """Give the fire at some targets that has these results; always the same object."""
    stated = case.restated(TrimmedFire(defenders=targets))
    return DirectFight(case=stated, defenders=targets, bonus=bonus, hits=hits)


@lru_cache(maxsize=1024)
def _plain(unit: TrimmedTarget) -> TrimmedTarget:
    kind: Kind = unit.kind if unit.kind in ("leader", "truck") else "other"
    return replace(unit, kind=kind, steps=1, variety=0)


_UNHARMED = TrimmedTarget(name="*", kind="other", morale=0, state="good-order", beside=False)
