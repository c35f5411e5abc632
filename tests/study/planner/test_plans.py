"""The best plan against plain trying of everything, with the odds of single fights only."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.fights.fight_file import stated_fight
from grognard.fights.remains import remains
from grognard.files.source import read_source
from grognard.rules.ask import Roll
from grognard.study.planner.assaults import UnitClasses, Valuer
from grognard.study.planner.plan_file import GOALS, Goal, read_plan, stated_plan
from grognard.study.planner.planner import Planned, best_plan
from grognard.words.refusal import Refusal
from tests.example_games import finds_examples
from tests.tiers import sized

PLANS = sorted((Path(__file__).parents[3] / "examples" / "plans").glob("*.toml"))
NOTHING = Fraction(0)

pytestmark = finds_examples

# For each game: a unit, a defender, and facts, drawn at random.
FRONTS: Mapping[str, Any] = {
    "bautzen": lambda r: (
        {"attack": r.randint(2, 8)},
        {"defence": r.randint(1, 5), "steps": r.randint(1, 2)},
        {"terrain": [r.choice(["clear", "village", "wood"])]},
    ),
    "normandy": lambda r: (
        {"factor": r.randint(2, 8), "steps": r.randint(1, 3), "main_force": r.random() < 0.7},
        {"factor": r.randint(1, 4), "steps": r.randint(1, 2)},
        {"terrain": [r.choice(["clear", "bocage"])]},
    ),
    "white-october": lambda r: (
        {"pe": r.randint(1, 4), "strength": r.randint(2, 7), "quality": 4, "morale": 4},
        {"pe": r.randint(1, 3), "strength": r.randint(1, 5), "quality": 3, "morale": 3},
        {"terrain_value": r.randint(0, 3)},
    ),
    "panzer-grenadier": lambda r: (
        {"fire": r.randint(3, 20)},
        {"morale": r.randint(6, 8), "steps": r.randint(1, 2)},
        {"range": r.randint(1, 4)},
    ),
    "river-line": lambda r: (
        {"attack": r.randint(2, 8)},
        {"defence": r.randint(1, 4)},
        {"across_river": r.random() < 0.3},
    ),
}


def front(game: str, random: Random) -> dict[str, Any]:
    """Draw three or four units and two or three targets; some units reach only some targets."""
    draw = FRONTS[game]
    names = [f"U{n}" for n in range(random.randint(3, 4))]
    targets = []
    for number in range(random.randint(2, 3)):
        _, defender, facts = draw(random)
        reaches = [name for name in names if random.random() < 0.75]
        targets.append(
            {
                "name": f"T{number}",
                "value": random.randint(1, 3),
                "reaches": reaches,
                "defenders": [{"name": f"D{number}", **defender}],
                **facts,
            }
        )
    return {
        "game": game,
        "units": [{"name": name, **draw(random)[0]} for name in names],
        "targets": targets,
    }


def odds_of(stated: dict[str, Any], target: dict[str, Any], names: Sequence[str]) -> Any:  # noqa: ANN401  # odds, or nothing
    keys = ("name", "value", "reaches")
    fight = {key: value for key, value in target.items() if key not in keys}
    fight["game"] = stated["game"]
    fight["attackers"] = [unit for unit in stated["units"] if unit["name"] in names]
    try:
        return stated_fight(deepcopy(fight)).odds()
    except Refusal:
        return None


def gone(odds: Any) -> Fraction:  # noqa: ANN401  # odds
    """Give the chance that the defender is gone, from the list of outcomes."""
    return sum(
        (p for o, p in odds.outcomes() if o.vacated or o.taken or o.defender_eliminated), NOTHING
    )


def everything(stated: dict[str, Any]) -> Iterator[dict[Goal, Fraction]]:
    """Try every way to send each unit to a target or to none."""
    names = [unit["name"] for unit in stated["units"]]
    targets, known = stated["targets"], dict[tuple[str, tuple[str, ...]], Any]()
    for places in product(range(len(targets) + 1), repeat=len(names)):
        chances, gain, allowed = [], NOTHING, True
        for number, target in enumerate(targets):
            sent = tuple(name for name, place in zip(names, places, strict=True) if place == number)
            allowed = allowed and set(sent) <= set(target["reaches"])
            if not allowed:
                break
            key = target["name"], sent
            if key not in known:
                known[key] = odds_of(stated, target, sent) if sent else None
            odds = known[key]
            allowed = not sent or odds is not None
            chances.append(gone(odds) if odds else NOTHING)
            if odds:
                gain += target["value"] * odds.expected("defender_steps_lost")
                gain -= odds.expected("attacker_steps_lost")
        if allowed:
            values = [target["value"] for target in targets]
            yield {
                "each": sum((v * p for v, p in zip(values, chances, strict=True)), NOTHING),
                "all": prod(chances, start=Fraction(1)),
                "one": 1 - prod((1 - p for p in chances), start=Fraction(1)),
                "losses": gain,
            }


@pytest.mark.slow
@pytest.mark.parametrize("game", FRONTS)
def test_no_division_is_better(game: str) -> None:
    random = Random(game)
    for _ in range(sized(6, soak=60)):
        stated = front(game, random)
        if not all(target["reaches"] for target in stated["targets"]):
            continue
        try:
            plans = {
                goal: best_plan(stated_plan({**deepcopy(stated), "goal": goal})) for goal in GOALS
            }
        except Refusal:  # nobody may attack one of the targets
            continue
        tried = list(everything(stated))
        for goal, found in plans.items():
            assert found.complete
            assert found.best.by(goal) == max(one[goal] for one in tried), (goal, stated)
            assert goal in found.best.best_for
            check_chances(stated, found.best)
            for other in found.alternatives:
                check_chances(stated, other)
                assert any(a > b for a, b in zip(other.measures, found.best.measures, strict=True))


def check_chances(stated: dict[str, Any], planned: Planned) -> None:
    """Compare the chances of a division with those of its fights, one by one."""
    chances, own, used = [], NOTHING, list[str]()
    for target, one in zip(stated["targets"], planned.targets, strict=True):
        names = [name for attack in one.attacks for name in attack.units]
        odds = odds_of(stated, target, names) if names else None
        chances.append(gone(odds) if odds else NOTHING)
        own += odds.expected("attacker_steps_lost") if odds else NOTHING
        used += names
        assert set(names) <= set(target["reaches"])
    assert [one.chance for one in planned.targets] == chances
    assert planned.all == prod(chances, start=Fraction(1))
    assert planned.one == 1 - prod((1 - p for p in chances), start=Fraction(1))
    assert planned.expected == sum(chances)
    assert planned.own == own
    assert sorted([*used, *planned.unused]) == sorted(unit["name"] for unit in stated["units"])


# ------------------------------------------------------------------ attacks in a row


# Two units one after the other on two defenders that may lose some steps and hold.
ROWS: Mapping[str, Any] = {
    "normandy": {
        "game": "normandy",
        "units": [
            {"name": "A", "factor": 6, "steps": 3, "main_force": True},
            {"name": "B", "factor": 5, "steps": 2, "main_force": True},
        ],
        "facts": {"fortification": "entrenchment"},
        "targets": [
            {
                "name": "T",
                "defenders": [
                    {"name": "D", "factor": 2, "steps": 3, "reduced": {"factor": 1}},
                    {"name": "E", "factor": 1, "steps": 2},
                ],
            }
        ],
    },
    "bautzen": {
        "game": "bautzen",
        "units": [{"name": "A", "attack": 12}, {"name": "B", "attack": 7}],
        "facts": {"terrain": ["village"]},
        "defender": "hold",
        "targets": [
            {
                "name": "T",
                "then": {"defender_cl": 1},
                "defenders": [
                    {"name": "D", "defence": 3, "reduced": {"defence": 1}},
                    {"name": "E", "defence": 1},
                ],
            }
        ],
    },
}


@pytest.mark.parametrize("game", ROWS)
def test_a_second_attack_meets_what_the_first_has_left(game: str) -> None:
    stated = ROWS[game]
    plan = stated_plan(deepcopy(stated))
    valuer = Valuer(plan, UnitClasses(plan), 10)
    assault = valuer.assault(plan.targets[0], ((1, 0), (0, 1)))
    assert assault is not None
    first, second = assault.attacks
    chance, own, worn = by_every_die(stated)
    assert worn > 0  # some of what is left has lost steps
    assert (assault.chance, assault.own) == (chance, own)
    assert second.needed == 1 - first.chance
    assert assault.chance == first.chance + second.needed * second.chance


def by_every_die(stated: dict[str, Any]) -> tuple[Fraction, Fraction, int]:
    """Resolve the first attack with every pair of dice, and give the odds of the second."""
    (target,), way = stated["targets"], stated.get("defender", "best")
    reduced = {unit["name"]: unit.get("reduced", {}) for unit in target["defenders"]}
    plain = [{k: v for k, v in u.items() if k != "reduced"} for u in target["defenders"]]
    facts = {"game": stated["game"], **stated["facts"]}
    start = stated_fight({**facts, "attackers": stated["units"][:1], "defenders": plain})
    chance, own, worn = NOTHING, NOTHING, 0
    for dice in product(range(1, 7), repeat=2):
        play = start.resolve(dice, defender=way)
        assert sum(isinstance(given.ask, Roll) for given in play.given) <= len(dice)
        own += Fraction(play.outcome.attacker_steps_lost, 36)
        if play.outcome.vacated:
            chance += Fraction(1, 36)
            continue
        left = {unit.name: unit.steps for unit in play.fight.defenders}
        then = []
        for unit, before in zip(plain, start.defenders, strict=True):
            lost = left[unit["name"]] < before.steps
            worn += lost
            if left[unit["name"]]:
                changed = reduced[unit["name"]] if lost else {}
                then.append({**unit, "steps": left[unit["name"]], **changed})
        again = {**facts, **target.get("then", {}), "attackers": stated["units"][1:]}
        if getattr(play.fight, "fortification_removed", False):
            again["fortification"] = "none"
        odds = stated_fight({**again, "defenders": then}).odds(defender=way)
        chance += gone(odds) / 36
        own += odds.expected("attacker_steps_lost") / 36
    return chance, own, worn


def test_a_state_stays_for_the_second_attack() -> None:
    """A unit that the first fire has disrupted is fired at as a disrupted one."""
    stated = {
        "game": "panzer-grenadier",
        "units": [{"name": "A", "fire": 16}, {"name": "B", "fire": 16}],
        "targets": [{"name": "T", "range": 2, "defenders": [{"name": "D", "morale": 7}]}],
    }
    plan = stated_plan(deepcopy(stated))
    fight = {"game": "panzer-grenadier", "range": 2, "attackers": [stated["units"][0]]}
    first = stated_fight({**fight, "defenders": [{"name": "D", "morale": 7}]})
    states = {
        (unit.steps, unit.state)
        for end in remains(first)
        for unit in end.setup.defenders  # type: ignore[attr-defined]  # fire has defenders
    }
    assert {(2, "disrupted"), (2, "good-order"), (1, "disrupted")} <= states
    (alike,) = UnitClasses(plan).names
    assert alike == ("A", "B")


def test_facts_of_a_group_hold_only_for_the_whole_group() -> None:
    stated = {
        "game": "bautzen",
        "units": [{"name": name, "attack": 3} for name in "ABC"],
        "targets": [
            {
                "name": "T",
                "together": [{"units": ["A", "B"], "formation_complete": True}],
                "defenders": [{"name": "D", "defence": 2}],
            }
        ],
    }
    plan = stated_plan(deepcopy(stated))
    valuer = Valuer(plan, UnitClasses(plan), 10)
    assert valuer.classes.names == (("A", "B"), ("C",))
    whole, part = (valuer.assault(plan.targets[0], (group,)) for group in ((2, 0), (1, 1)))
    assert whole is not None
    assert part is not None
    dice = [found.attacks[0].fight.explain().die_modifier for found in (whole, part)]
    assert dice == [1, 0]


# ------------------------------------------------------------------ files and budgets


@pytest.mark.parametrize("file", PLANS, ids=lambda file: str(file.stem))
def test_the_examples_are_planned_to_the_end(file: Path) -> None:
    plan = read_plan(read_source(str(file)))
    answer = best_plan(plan)
    assert answer.complete
    assert answer.best.by(plan.goal) > 0
    assert answer.alternatives


def test_a_search_that_is_cut_off_says_so() -> None:
    stated = front("bautzen", Random(1))
    answer = best_plan(stated_plan(stated), 3)
    assert not answer.complete
