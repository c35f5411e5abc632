"""Panzer Grenadier: what the odds of a fire depend on before the dice are rolled."""

from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from grognard.games.panzer_grenadier.stated import (
    AFVS,
    TRANSPORT,
    FireFight,
    TrimmedFire,
    TrimmedTarget,
)
from grognard.rules.fight import Case
from grognard.rules.kept import kept
from grognard.rules.procedure import Outset

_TOLD_APART = ("leader", *AFVS, *TRANSPORT)  # by losses and checks; other kinds are alike


def outset(fight: FireFight) -> Outset:
    """Keep the units of the hex, and of their kinds what losses and checks look at."""
    case = _in_hex(fight.case.bare, fight.defenders)
    return Outset(replace(fight, case=case, defenders=case.setup.defenders))


@kept
def _in_hex(case: Case[Any], units: tuple[TrimmedTarget, ...]) -> Case[TrimmedFire]:
    """6.5: leaders next to the hex have given their bonus; units are known by their places."""
    last = max(place for place, unit in enumerate(units) if not unit.beside)
    return case.restated(TrimmedFire(defenders=tuple(map(_alike, units[: last + 1]))))


@lru_cache(maxsize=1024)
def _alike(unit: TrimmedTarget) -> TrimmedTarget:
    kind = unit.kind if unit.kind in _TOLD_APART else "other"
    return replace(unit, kind=kind, variety=0)
