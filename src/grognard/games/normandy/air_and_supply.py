"""Normandy '44: strafing (19.1.3) and the attrition of isolated units (18.5)."""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.games.normandy.losses import picked_loses
from grognard.games.normandy.stated import Camp, Steps
from grognard.rules.ask import Asking, roll
from grognard.rules.facts import stated_facts
from grognard.rules.fight import Case, Fight, Outcome, Setup, Unit, alive
from grognard.rules.losses import lose_steps, steps_lost
from grognard.rules.procedure import Procedure
from grognard.rules.rolls import die_modifier, look_up
from grognard.rules.setup_checks import need, units_named_once
from grognard.words.message import say

# ------------------------------------------------------------------ strafing


class Target(Unit, frozen=True, kw_only=True):
    """A counter under the aircraft; only an armour silhouette loses a step."""

    steps: Steps = 1
    armoured: bool = True


class Strafing(Setup, frozen=True, kw_only=True):
    """The set-up of a strafing."""

    targets: tuple[Target, ...]
    flak_present: bool = False
    strafed_strategic: bool = False


class StrafingFight(Fight, frozen=True, kw_only=True):
    """A strafing; the targets are the defenders."""

    case: Case[Strafing]
    defenders: tuple[Target, ...] = ()


def strafe(fight: StrafingFight) -> Asking[StrafingFight]:
    """19.1.3: one roll against the targets."""
    modifier = die_modifier(fight.case, "strafing", stated_facts(fight.case), "19.1.3")
    yield from modifier.lines
    die = yield from roll("strafing-roll", 1, "19.1.3")
    (code,) = yield from look_up(fight.case, "strafing", die, modifier.value)
    return replace(fight, result=code)


def strafing_losses(fight: StrafingFight) -> Asking[StrafingFight]:
    """19.1.3: a hit costs an armour silhouette a step."""
    values = fight.case.card.table("strafing").legend[fight.result].values
    for _ in range(int(values["steps"])):
        names = [unit.name for unit in alive(fight.defenders) if unit.armoured]
        fight = yield from picked_loses(fight, "defender", names, "owner", "19.1.3")
    return fight


def _check_strafing(setup: Strafing, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    units_named_once(setup.targets)
    problem = say("no armour silhouette among the targets; strafing harms nothing else")
    need(any(unit.armoured for unit in setup.targets), problem, "targets")


def _start_strafing(case: Case[Strafing]) -> StrafingFight:
    return StrafingFight(case=case, defenders=case.setup.targets)


def _strafed(fight: StrafingFight) -> Outcome:
    return _suffered(fight, fight.case.setup.targets)


def _suffered(fight: Fight, before: tuple[Unit, ...]) -> Outcome:
    return Outcome(
        result=fight.result,
        defender_steps_lost=steps_lost(before, fight.defenders),
        defender_eliminated=not alive(fight.defenders),
    )


STRAFING = Procedure(
    id="strafing",
    setup=Strafing,
    start=_start_strafing,
    steps=(strafe, strafing_losses),
    outcome=_strafed,
    check=_check_strafing,
)


# ------------------------------------------------------------------ attrition


class Isolated(Unit, frozen=True, kw_only=True):
    """An isolated counter, and to what it can still trace a supply line, if to anything."""

    steps: Steps = 1
    quality: int = 0
    supply_line_to: Literal["town", "hq", "strongpoint", "coast"] | None = None


class Attrition(Setup, frozen=True, kw_only=True):
    """The set-up of the attrition rolls of isolated units."""

    units: tuple[Isolated, ...]
    camp: Camp


class AttritionFight(Fight, frozen=True, kw_only=True):
    """The rolls of isolated units; they are the defenders."""

    case: Case[Attrition]
    defenders: tuple[Isolated, ...] = ()


def attrition(fight: AttritionFight) -> Asking[AttritionFight]:
    """18.5: a roll for each unit, one a run."""
    waiting = fight.pending or tuple(unit.name for unit in fight.defenders)
    unit = next(unit for unit in fight.defenders if unit.name == waiting[0])
    facts = {"supply_line": unit.supply_line_to is not None, "unit_quality": unit.quality}
    modifier = die_modifier(fight.case, "attrition", facts, "18.5", unit.name)
    yield from modifier.lines
    die = yield from roll("attrition-roll", 1, "18.5", unit=unit.name)
    (code,) = yield from look_up(fight.case, "attrition", die, modifier.value)
    values = fight.case.card.table("attrition").legend[code].values
    for _ in range(int(values["steps"])):
        fight = yield from lose_steps(fight, "defender", unit.name, "18.5")
    return replace(fight, pending=waiting[1:])


def _check_attrition(setup: Attrition, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    units_named_once(setup.units)
    need(setup.units, say("no unit is isolated; name at least one"), "units")
    aims = {unit.supply_line_to for unit in setup.units}
    coast, strongpoint = "coast" in aims, "strongpoint" in aims
    need(
        setup.camp == "allied" or not coast,
        say("only Allied units trace a supply line to the coast (18.5)"),
        "units",
    )
    need(
        setup.camp == "german" or not strongpoint,
        say("only German units trace a supply line to a strongpoint (18.5)"),
        "units",
    )


def _start_attrition(case: Case[Attrition]) -> AttritionFight:
    return AttritionFight(case=case, defenders=case.setup.units)


def _worn_down(fight: AttritionFight) -> Outcome:
    suffered = _suffered(fight, fight.case.setup.units)
    lost = suffered.defender_steps_lost
    return replace(suffered, result=f"-{lost}" if lost else "-")  # written as in the table


ATTRITION = Procedure(
    id="attrition",
    setup=Attrition,
    start=_start_attrition,
    steps=(attrition,),
    outcome=_worn_down,
    check=_check_attrition,
)
