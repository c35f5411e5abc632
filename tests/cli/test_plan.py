"""`grognard plan`: what it prints, and what it refuses."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.command import refused, run

PLANS = Path(__file__).parents[2] / "examples" / "plans"
GOOD = """
game = "bautzen"
[[units]]
name = "A"
attack = 8
[[targets]]
name = "T"
reaches = ["A"]
[[targets.defenders]]
name = "D"
defence = 2
"""


def test_the_plan_in_words() -> None:
    shown = run("plan", PLANS / "bautzen.toml").output
    assert "Goal: as many targets as possible, by their value." in shown
    assert "▶ 112/20Pz, 1244/1 FJ: 8 : 2 → 4/1, die −1 · 100 %" in shown
    assert "Alternative 1: " in shown
    french = run("plan", PLANS / "bautzen.toml", "--lang", "fr").output
    assert "But : autant d'objectifs que possible" in french.replace("\u202f", " ")
    assert "Autre répartition 1" in french


def test_the_plan_as_json_by_another_goal() -> None:
    found = json.loads(run("plan", PLANS / "bautzen.toml", "--goal", "all", "--json").output)
    assert found["goal"] == "all"
    assert found["complete"]
    best = found["best"]
    chances = [Fraction(target["p"]) for target in best["targets"]]
    assert Fraction(best["all"]) == chances[0] * chances[1] * chances[2]
    assert "all" in best["best_for"]
    second = best["targets"][1]["attacks"][1]
    assert Fraction(second["needed"]) == Fraction(2, 3)


def test_a_plan_from_standard_input_is_json_too() -> None:
    stated = {
        "game": "bautzen",
        "units": [{"name": "A", "attack": 8}],
        "targets": [{"name": "T", "defenders": [{"name": "D", "defence": 2}]}],
    }
    assert "▶ A: 8 : 2" in run("plan", "-", stdin=json.dumps(stated)).output


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('reaches = ["A"]', 'reaches = ["B"]', ":8: targets[0].reaches[0]: there is no unit 'B'"),
        ("attack = 8", "attck = 8", ":5: units[0].attck: unknown key 'attck'"),
        ("attack = 8", 'attack = "8"', ":5: units[0].attack: expected a whole number"),
        ("defence = 2", "defence = -2", ":11: targets[0].defenders[0].defence: expected"),
        ('reaches = ["A"]', 'terrain = ["lava"]', ":8: targets[0].terrain"),
        ('reaches = ["A"]', "vaule = 2", ":8: targets[0].vaule: unknown key 'vaule'"),
        ('reaches = ["A"]', "value = 0", ":8: targets[0].value: expected"),
        ('reaches = ["A"]', "then = { cl = 1 }", ":8: targets[0].then.cl: unknown key"),
        ('game = "bautzen"', 'game = "bautzen"\ngoal = "most"', ":3: goal: "),
        ('game = "bautzen"', 'game = "bautzen"\nchain = 9', ":3: chain: expected"),
        ('game = "bautzen"', 'game = "bautzen"\ndefender = "x"', ":3: defender: there is no"),
        ('game = "bautzen"', 'game = "bautzen"\nfacts = { x = 1 }', ":3: facts.x: unknown key"),
        ('game = "bautzen"', 'game = "bautze"', "there is no game 'bautze'"),
        ('name = "A"\n', 'name = "A"\nkind = "hq"\n', "targets[0]: no unit attacks"),
        ("[[targets.defenders]]", "[[targets.attackers]]", "targets[0].attackers: the attackers"),
    ],
)
def test_a_bad_plan_is_refused_in_one_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert GOOD.count(old) == 1
    file = tmp_path / "plan.toml"
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    assert told in refused("plan", file)


def test_a_procedure_without_two_sides_is_refused() -> None:
    stated = {"game": "normandy", "procedure": "attrition", "units": [], "targets": []}
    assert "no attackers and defenders" in refused("plan", "-", stdin=json.dumps(stated))
