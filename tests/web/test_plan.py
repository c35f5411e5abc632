"""The planner's page: taps change the plan, its answer is that of the command, links carry it."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import httpx
import pytest

from grognard.rules import game
from grognard.web.app import create
from grognard.web.planner.plan_state import first_sight, plannable
from tests.web.serving import served

TAP = "/plan/bautzen/attack/tap"
UNITS = [{"name": "A", "attack": 8}, {"name": "B", "attack": 4}]
TARGETS = [
    {"name": "T", "defenders": [{"name": "D", "defence": 2}]},
    {"name": "S", "reaches": ["B"], "defenders": [{"name": "E", "defence": 2}]},
]
PLAN: dict[str, Any] = {"units": UNITS, "targets": TARGETS}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with served(create(tmp_path_factory.mktemp("plan") / "matches.sqlite")) as client:
        yield client


def tap(site: httpx.Client, state: dict[str, Any], **change: object) -> dict[str, Any]:
    """Tap, and give the new state of the page."""
    answer = site.post(TAP, params={"lang": "en"}, json={**state, "change": change})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["state"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("id_", game.ids())
def test_every_game_begins_with_a_plan(site: httpx.Client, id_: str) -> None:
    for sheet in plannable(id_):
        page = site.get(f"/plan/{id_}/{sheet.procedure}?lang=fr").text
        assert "La meilleure répartition" in page
        assert 'class="refusal"' not in page


def test_the_sample_gives_no_target_what_only_the_whole_formation_has() -> None:
    """What units bring together is a group of each target; what a side has once is at one."""
    first, second = first_sight("bautzen", "attack", "en").targets
    for target in (first, second):
        assert "formation_complete" not in target
        (group,) = target["together"]
        assert group == {"units": ["21/20Pz", "59/20Pz", "112/20Pz"], "formation_complete": True}
    assert first["terrain"] == second["terrain"]
    assert (first.get("defender_cl"), second.get("defender_cl")) == (1, None)


def test_facts_that_are_not_as_usual_are_named(site: httpx.Client) -> None:
    page = site.get("/plan/bautzen/attack?lang=en").text
    assert "other facts: Logistic columns (CL) of the defender: 1</summary>" in page
    assert "other facts</summary>" in page  # of the other target


def test_the_planner_leads_to_the_first_game(site: httpx.Client) -> None:
    answer = site.get("/plan")
    assert answer.status_code == 307
    assert answer.headers["location"] == "/plan/bautzen/attack"
    assert site.get("/plan/chess").status_code == 404
    assert site.get("/plan/normandy/attrition").status_code == 404


def test_the_page_shows_the_chances_of_the_interface(site: httpx.Client) -> None:
    found = site.post("/api/plan", json={"game": "bautzen", **PLAN}).json()["best"]
    html = site.post(TAP, params={"lang": "en"}, json=PLAN).json()["html"]
    shown = re.findall(r'<strong class="chance">([\d.]+) %</strong>', html)[:2]
    assert shown == [
        f"{float(100 * Fraction(target['p'])):.1f}".removesuffix(".0")
        if Fraction(target["p"]) in (0, 1)
        else f"{float(100 * Fraction(target['p'])):.1f}"
        for target in found["targets"]
    ]


def test_who_reaches_whom(site: httpx.Client) -> None:
    fewer = tap(site, PLAN, do="reach", at="t0", name="B")
    assert fewer["targets"][0]["reaches"] == ["A"]
    again = tap(site, fewer, do="reach", at="t0", name="B")
    assert "reaches" not in again["targets"][0]
    across = {**TARGETS[1], "reaches": [{"name": "B", "across_river": True}]}
    kept = tap(site, {**PLAN, "targets": [across]}, do="reach", at="t0", name="A")
    assert kept["targets"][0]["reaches"] == ["A", {"name": "B", "across_river": True}]
    renamed = tap(site, PLAN, do="set", at="u1", field="name", value="C")
    assert renamed["targets"][1]["reaches"] == ["C"]
    gone = tap(site, PLAN, do="remove", at="u1")
    assert [unit["name"] for unit in gone["units"]] == ["A"]
    assert gone["targets"][1]["reaches"] == []


def test_counters_go_in_and_out(site: httpx.Client) -> None:
    more = tap(site, PLAN, do="counter", at="units", name="21/20Pz")
    assert more["units"][2]["attack"] == 6
    assert tap(site, more, do="counter", at="units", name="21/20Pz")["units"] == UNITS
    third = tap(site, PLAN, do="target")
    defended = tap(site, third, do="counter", at="t2", name="861/294")
    assert defended["targets"][2]["defenders"][0]["defence"] == 4
    own = tap(site, defended, do="new", at="t2")
    assert own["open"] == ["t2d1"]
    assert len(tap(site, own, do="remove", at="t2")["targets"]) == 2


def test_facts_and_wishes(site: httpx.Client) -> None:
    woods = tap(site, PLAN, do="word", at="t0", field="terrain", name="wood", value=True)
    assert woods["targets"][0]["terrain"] == ["wood"]
    bare = tap(site, woods, do="word", at="t0", field="terrain", name="wood", value=False)
    assert "terrain" not in bare["targets"][0]
    assert tap(site, PLAN, do="set", at="t0", field="value", value=3)["targets"][0]["value"] == 3
    assert tap(site, PLAN, do="choose", field="goal", value="all")["goal"] == "all"
    assert tap(site, PLAN, do="choose", field="chain", value=2)["chain"] == 2


def test_facts_of_units_that_attack_together(site: httpx.Client) -> None:
    """As `together` of a plan file: at first all that reach the target; one unit is no group."""
    grouped = tap(site, PLAN, do="new", at="t0g")
    assert grouped["targets"][0]["together"] == [{"units": ["A", "B"]}]
    named = tap(site, grouped, do="set", at="t0g0", field="formation_complete", value=True)
    group = {"units": ["A", "B"], "formation_complete": True}
    assert named["targets"][0]["together"] == [group]
    file = {"game": "bautzen", **PLAN, "targets": named["targets"]}
    asked = site.post("/api/plan", json=file).json()
    assert (
        asked["best"]
        == site.post("/api/plan", json=with_key(0, "together", [group])).json()["best"]
    )
    woods = tap(
        site, with_terrain(named), do="word", at="t0g0", field="terrain", name="village", value=True
    )
    assert woods["targets"][0]["together"][0]["terrain"] == ["wood", "village"]
    three = tap(
        site, {**named, "units": [*UNITS, {"name": "C", "attack": 1}]}, **member("C", on=True)
    )
    assert three["targets"][0]["together"][0]["units"] == ["A", "B", "C"]
    renamed = tap(site, three, do="set", at="u2", field="name", value="F")
    assert renamed["targets"][0]["together"][0]["units"] == ["A", "B", "F"]
    fewer = tap(site, renamed, do="remove", at="u2")
    assert fewer["targets"][0]["together"] == [group]
    assert tap(site, fewer, do="remove", at="u1")["targets"][0]["together"] == []
    assert tap(site, fewer, do="remove", at="t0g0")["targets"][0]["together"] == []
    alone = {**PLAN, "change": {"do": "new", "at": "t1g"}}  # only B reaches S
    assert site.post(TAP, json=alone).status_code == 422


def member(name: str, *, on: bool) -> dict[str, object]:
    return {"do": "word", "at": "t0g0", "field": "units", "name": name, "value": on}


def with_terrain(state: dict[str, Any]) -> dict[str, Any]:
    first, *others = state["targets"]
    return {**state, "targets": [{**first, "terrain": ["wood"]}, *others]}


def with_key(target: int, key: str, value: object) -> dict[str, Any]:
    """State the plan of this file with another key of a target."""
    targets = [{**one, key: value} if n == target else one for n, one in enumerate(TARGETS)]
    return {"game": "bautzen", "units": UNITS, "targets": targets}


def test_facts_of_the_next_attack(site: httpx.Client) -> None:
    """As `then` of a plan file."""
    again = tap(site, {**PLAN, "chain": 2}, do="set", at="t0n", field="attacker_cl", value=1)
    assert again["targets"][0]["then"] == {"attacker_cl": 1}
    back = tap(site, again, do="set", at="t0n", field="attacker_cl", value=None)
    assert not back["targets"][0].get("then")
    html = site.post(TAP, params={"lang": "en"}, json={**PLAN, "chain": 2}).json()["html"]
    assert 'data-unit="t0n"' in html
    assert 'data-unit="t0n"' not in site.post(TAP, json=PLAN).json()["html"]


def test_a_defender_once_it_has_lost_a_step(site: httpx.Client) -> None:
    """As `reduced` of a plan file; the page shows it where the defender is edited."""
    worn = tap(site, PLAN, do="set", at="t0d0r", field="defence", value=1)
    assert worn["targets"][0]["defenders"][0] == {
        "name": "D",
        "defence": 2,
        "reduced": {"defence": 1},
    }
    opened = {**worn, "open": ["t0d0"]}
    html = site.post(TAP, params={"lang": "en"}, json=opened).json()["html"]
    shown = re.search(r'id="c-defenders-defence-t0d0r"[^>]* value="(\d+)"', html)
    assert shown is not None
    assert shown[1] == "1"


def test_a_link_carries_the_plan(site: httpx.Client) -> None:
    link = site.post(TAP, json={**PLAN, "goal": "one"}).json()["link"]
    page = site.get("/plan/bautzen/attack", params={"p": link, "lang": "en"}).text
    assert re.search(r'<option value="one" selected>', page)
    assert 'data-name="B"' in page
    assert site.get("/plan/bautzen/attack", params={"p": link[:-2]}).status_code == 422


@pytest.mark.parametrize(
    "change",
    [
        {"do": "remove", "at": "u7"},
        {"do": "set", "at": "t0d9", "field": "defence", "value": 1},
        {"do": "counter", "at": "units", "name": "nobody"},
        {"do": "choose", "field": "units", "value": 1},
        {"do": "set", "at": "t0", "field": "defenders", "value": 1},
        {"do": "set", "at": "t0", "field": "then", "value": 1},
        {"do": "set", "at": "t0g0", "field": "night", "value": True},
        {"do": "set", "at": "t0d0", "field": "reduced", "value": 1},
        {"do": "choose", "field": "chain", "value": "x"},
    ],
)
def test_taps_on_what_is_not_there_are_refused(
    site: httpx.Client, change: dict[str, object]
) -> None:
    assert site.post(TAP, json={**PLAN, "change": change}).status_code == 422


def test_a_plan_that_is_refused_says_why(site: httpx.Client) -> None:
    bad = {"units": [{"name": "A", "attack": -1}], "targets": TARGETS[:1]}
    html = site.post(TAP, params={"lang": "en"}, json=bad).json()["html"]
    assert "a · attack: expected a whole number" in html.lower()
    odd_plans: list[dict[str, Any]] = [
        {"units": ["A"]},
        {"units": [{}]},
        {"targets": [{"defenders": 1}]},
    ]
    for odd in odd_plans:
        assert site.post(TAP, json=odd).status_code == 422
    wild = {"units": [{"name": "A", "attack": "x"}], "targets": [{"terrain": 4, "value": []}]}
    assert site.post(TAP, json=wild).status_code == 200
