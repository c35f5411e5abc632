"""A plan as JSON: the best division of units over targets, and the alternatives."""

from grognard.draw.json.odds import DoctrinesJson
from grognard.draw.json.structs import Exact, JsonStruct, NumberJson, number
from grognard.study.planner.plan_file import Goal, Success
from grognard.study.planner.planner import PlanAnswer, Planned, PlannedAttack, PlannedTarget


class PlannedAttackJson(JsonStruct):
    """One attack of a plan; its figures hold if it is made."""

    units: list[str]
    needed: Exact  # the chance that it is made: the attacks before it have not succeeded
    p: Exact  # of success
    attacker_steps_lost: Exact  # expected
    defender_steps_lost: Exact
    attack: NumberJson  # against the defenders that it meets most often
    defence: NumberJson
    column: NumberJson
    die_modifier: int


class PlannedTargetJson(JsonStruct):
    """A target, the attacks on it in their order, and the chance of success."""

    target: str
    value: int
    p: Exact
    attacks: list[PlannedAttackJson]


class DivisionJson(JsonStruct):
    """A division of the units over the targets, with its exact chances."""

    targets: list[PlannedTargetJson]
    unused: list[str]
    expected: Exact  # number of targets
    value: Exact  # of the targets, expected
    all: Exact  # the chance of every target
    one: Exact  # the chance of at least one
    attacker_steps_lost: Exact  # expected
    defender_steps_lost: Exact
    best_for: list[Goal]  # goals by which no division is better


class PlanJson(JsonStruct):
    """The best division of a plan, and others that are better in something."""

    game: str
    procedure: str
    goal: Goal
    success: Success
    doctrines: DoctrinesJson
    complete: bool  # whether every division was looked at; if not, a better one may exist
    best: DivisionJson
    alternatives: list[DivisionJson]


def plan_json(answer: PlanAnswer) -> PlanJson:
    """Give the answer to a plan; chances are fractions."""
    plan = answer.plan
    return PlanJson(
        game=plan.game.id,
        procedure=plan.procedure,
        goal=plan.goal,
        success=plan.success,
        doctrines=DoctrinesJson(attacker=plan.attacker, defender=plan.defender),
        complete=answer.complete,
        best=_division(answer.best),
        alternatives=[_division(other) for other in answer.alternatives],
    )


def _division(planned: Planned) -> DivisionJson:
    return DivisionJson(
        targets=[_target(one) for one in planned.targets],
        unused=list(planned.unused),
        expected=str(planned.expected),
        value=str(planned.value),
        all=str(planned.all),
        one=str(planned.one),
        attacker_steps_lost=str(planned.own),
        defender_steps_lost=str(planned.enemy),
        best_for=list(planned.best_for),
    )


def _target(planned: PlannedTarget) -> PlannedTargetJson:
    return PlannedTargetJson(
        target=planned.target.name,
        value=planned.target.value,
        p=str(planned.chance),
        attacks=[_attack(attack) for attack in planned.attacks],
    )


def _attack(planned: PlannedAttack) -> PlannedAttackJson:
    figures = planned.figures
    explained = figures.fight.explain()
    totals = explained.totals()
    return PlannedAttackJson(
        units=list(planned.units),
        needed=str(figures.needed),
        p=str(figures.chance),
        attacker_steps_lost=str(figures.own),
        defender_steps_lost=str(figures.enemy),
        attack=number(totals["attack"]),
        defence=number(totals["defence"]),
        column=number(explained.column()["final"]),
        die_modifier=explained.die_modifier,
    )
