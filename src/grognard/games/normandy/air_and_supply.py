"""Normandy '44: strafing (19.1.3), attrition (18.5) and reinforcements for points (6.5)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import Value
from grognard.games.normandy.results import picked_loses
from grognard.games.normandy.stated import Army, Camp, Steps
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import Case, Count, Fight, Outcome, Setup, Unit, alive
from grognard.rules.losses import lose_steps, steps_lost
from grognard.rules.modifiers import stated_facts
from grognard.rules.procedure import Procedure
from grognard.rules.rolls import die_modifier, look_up
from grognard.rules.setup_checks import need, units_named_once
from grognard.words.message import say
from grognard.words.refusal import near

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


def _suffered(fight: Fight, before: tuple[Unit, ...]) -> Outcome:
    return Outcome(
        result=fight.result,
        defender_steps_lost=steps_lost(before, fight.defenders),
        defender_eliminated=not alive(fight.defenders),
    )


STRAFING = Procedure(
    id="strafing",
    setup=Strafing,
    start=lambda case: StrafingFight(case=case, defenders=case.setup.targets),
    steps=(strafe, strafing_losses),
    outcome=lambda fight: _suffered(fight, fight.case.setup.targets),
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
    problem = say("only Allied units trace a supply line to the coast (18.5)")
    need(setup.camp == "allied" or "coast" not in aims, problem, "units")
    problem = say("only German units trace a supply line to a strongpoint (18.5)")
    need(setup.camp == "german" or "strongpoint" not in aims, problem, "units")


def _worn_down(fight: AttritionFight) -> Outcome:
    suffered = _suffered(fight, fight.case.setup.units)
    lost = suffered.defender_steps_lost
    return replace(suffered, result=f"-{lost}" if lost else "-")  # written as in the table


ATTRITION = Procedure(
    id="attrition",
    setup=Attrition,
    start=lambda case: AttritionFight(case=case, defenders=case.setup.units),
    steps=(attrition,),
    outcome=_worn_down,
    check=_check_attrition,
)


# ------------------------------------------------------------------ reinforcements


class Wanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Something to bring in, by its row of the table; the army matters for supply points."""

    what: str
    count: Annotated[int, Meta(ge=1)] = 1
    army: Army | None = None


class Purchase(Setup, frozen=True, kw_only=True):
    """The set-up of a purchase of reinforcements."""

    points: Count
    wanted: tuple[Wanted, ...]
    mulberries: tuple[Army, ...] = ()  # built: Omaha for the US, Arromanches for the British


class PurchaseFight(Fight, frozen=True, kw_only=True):
    """A purchase; there is nothing to roll."""

    case: Case[Purchase]


def arrivals(fight: PurchaseFight) -> Asking[PurchaseFight]:
    """6.5: everything that is wanted comes in, each at its price."""
    case, table = fight.case, fight.case.card.table("reinforcements")
    for item in case.setup.wanted:
        cost, count = price(case.card, item), item.count
        name = table.rows.names[table.row_labels.index(item.what)]
        yield case.tell(
            "note", "costs", "6.5", value=cost, changes="points", what=name, count=count
        )
        yield case.tell("state", "arrives", "6.5", side="attacker", what=name, count=count)
    spent = bill(case.setup, case.card)
    yield case.tell("total", "points-spent", "6.5", value=spent, of="points")
    yield case.tell("spent", "points-left", "6.5", side="attacker", value=case.setup.points - spent)
    return fight


def bill(setup: Purchase, card: Card) -> int:
    """Add up what everything wanted costs."""
    return sum(price(card, item) for item in setup.wanted)


def price(card: Card, item: Wanted) -> int:
    """Give what all pieces of one row cost."""
    return item.count * sum(int(values["points"]) for values in _row(card, item))


def _row(card: Card, item: Wanted) -> list[Mapping[str, Value]]:
    table = card.table("reinforcements")
    codes = table.cell(item.what, table.column_labels[0]).codes
    return [table.legend[code].values for code in codes]


def _check(setup: Purchase, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    need(setup.wanted, say("nothing is wanted; name at least one reinforcement"), "wanted")
    known = card.table("reinforcements").row_labels
    for place, item in enumerate(setup.wanted):
        where = f"wanted[{place}]"
        problem = say(
            "no points bring in '{what}'; {near}", what=item.what, near=near(item.what, known)
        )
        need(item.what in known, problem, f"{where}.what")
        if any(values["mulberry"] for values in _row(card, item)):
            _mulberry(setup, item, where)
    cost = bill(setup, card)
    problem = say("this costs {cost} points; there are {points}", cost=cost, points=setup.points)
    need(cost <= setup.points, problem, "points")


def _mulberry(setup: Purchase, item: Wanted, where: str) -> None:
    """6.5: supply points come in only once the Mulberry of that army is built."""
    need(item.army, say("say for which army the supply point is: us or british"), f"{where}.army")
    problem = say("the Mulberry of this army is not built yet: {army}", army=item.army)
    need(item.army in setup.mulberries, problem, where)


def _arrived(fight: PurchaseFight) -> Outcome:
    setup = fight.case.setup
    return Outcome(
        attacker_spent=bill(setup, fight.case.card),
        details=tuple(f"{item.count} × {item.what}" for item in setup.wanted),
    )


REINFORCEMENTS = Procedure(
    id="reinforcements",
    setup=Purchase,
    start=lambda case: PurchaseFight(case=case),
    steps=(arrivals,),
    outcome=_arrived,
    check=_check,
)
