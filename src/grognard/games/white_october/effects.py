"""White October: surrender, retreat, rout and disorganisation."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.card.tables import Result
from grognard.games.white_october.losses import lose
from grognard.games.white_october.stated import TrimmedAttack, TrimmedCounter, can_retreat
from grognard.rules.ask import Asking
from grognard.rules.fight import Case, alive, steps

Effects = Mapping[str, Result]  # what a result does, and by which code of the legend


class Fate(NamedTuple):
    """The units of a side while its result is applied to them."""

    units: tuple[TrimmedCounter, ...]
    left: bool = False  # they have retreated, routed or surrendered
    details: tuple[str, ...] = ()


def effects_of(case: Case[TrimmedAttack], codes: Iterable[str]) -> Effects:
    """Part a result into losses, retreat, rout, surrender, disorganisation and advance."""
    legend = case.card.table("combat").legend
    return {key: legend[code] for code in codes for key in legend[code].values}


def amount(effects: Effects, key: str) -> int:
    """Give the losses or hexes of an effect; 0 where the result does not have it."""
    return int(effects[key].values[key]) if key in effects else 0


def surrender(case: Case[TrimmedAttack], side: Side, fate: Fate, effects: Effects) -> Asking[Fate]:
    """R: what the losses have left is captured, or settled by the players; its hex is empty."""
    if "surrender" not in effects:
        return fate
    reading = effects["surrender"].reading
    yield case.tell("state", f"{side}-surrenders", side=side, reading=reading)
    if case.options["surrender"] == "players":
        return Fate(fate.units, left=True, details=("surrenders",))
    for unit in alive(fate.units):
        yield case.tell("captured", "is-captured", side=side, unit=unit.name)
    captured = tuple(replace(unit, steps=0) for unit in fate.units)
    return Fate(captured, left=True, details=("captured",))


def retreat(case: Case[TrimmedAttack], side: Side, fate: Fate, effects: Effects) -> Asking[Fate]:
    """r, r2: retreat; dr: rout. Where there is no way back, the option for it decides."""
    kind = "rout" if "rout" in effects else "retreat"
    if kind not in effects:
        return fate
    hexes = amount(effects, kind)
    if can_retreat(case.setup, side):
        reading = effects[kind].reading
        yield case.tell("retreat", f"{side}-{kind}", side=side, value=hexes, reading=reading)
        fate = Fate(fate.units, left=True, details=(f"{kind} {hexes}",))
    else:
        fate = yield from _stuck(case, side, fate)
    if kind == "rout":
        fate = yield from _shaken(case, side, fate, "routed")
    return fate


def _stuck(case: Case[TrimmedAttack], side: Side, fate: Fate) -> Asking[Fate]:
    """No way back: the losses for it are taken already, or all that is left is eliminated."""
    reading = case.card.number_row("no_retreat_loss").reading
    yield case.tell("remark", f"{side}-stuck", side=side, reading=reading)
    if case.options["no_retreat"] == "eliminated":
        return Fate((yield from lose(case, side, fate.units, steps(fate.units))))
    return fate


def disorganisation(
    case: Case[TrimmedAttack], side: Side, fate: Fate, effects: Effects
) -> Asking[Fate]:
    """d: all engaged units that are left."""
    if "disorganised" not in effects or not alive(fate.units):
        return fate
    fate = fate._replace(details=(*fate.details, "disorganised"))
    return (yield from _shaken(case, side, fate, "disorganised"))


def _shaken(
    case: Case[TrimmedAttack], side: Side, fate: Fate, state: Literal["routed", "disorganised"]
) -> Asking[Fate]:
    after = list(fate.units)
    for place, unit in enumerate(fate.units):
        routed = unit.routed or state == "routed"
        disorganised = unit.disorganised or state == "disorganised"
        if unit.steps and (routed, disorganised) != (unit.routed, unit.disorganised):
            yield case.tell("state", f"is-{state}", side=side, unit=unit.name)
            after[place] = replace(unit, routed=routed, disorganised=disorganised)
    return fate._replace(units=tuple(after))
