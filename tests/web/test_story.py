"""The page of a match that was played, its file, and the rematch."""

import json
import re
from html import unescape

import httpx
import msgspec
import pytest

from grognard.matches.match import saved
from grognard.testing.random_matches import random_match

AUTOS = ("allied",)


@pytest.fixture(scope="module")
def finished(site: httpx.Client) -> str:
    match = json.loads(msgspec.json.encode(saved(random_match("weissenberg", 1))))
    body = {"match": match, "autos": AUTOS, "name": "Tuesday"}
    return str(site.post("/api/matches/import", json=body).json()["id"])


def test_the_end_of_a_match_leads_to_its_verdict(site: httpx.Client, finished: str) -> None:
    page = site.get(f"/matches/{finished}").text
    assert f'href="/matches/{finished}/story"' in page
    story = site.get(f"/matches/{finished}/story", params={"lang": "fr"}).text
    assert "victoire\u202f: Allemands" in story
    assert "Décisions coûteuses" in story
    assert 'class="points-chart"' in story


def test_the_verdict_says_why(site: httpx.Client, finished: str) -> None:
    """Who holds which goal: together the points of each side."""
    story = site.get(f"/matches/{finished}/story", params={"lang": "en"}).text
    (why,) = re.findall(r'<ul class="why-won in-a-row">(.*?)</ul>', story, re.DOTALL)
    told = re.findall(r'hidden">([^<]+)</span> .*?<b>(\d+)</b>', why)
    sides = site.get(f"/api/matches/{finished}").json()["sides"]
    for side in sides:
        held = [int(points) for name, points in told if name == side["name"]]
        assert sum(held) == side["points"]


def test_steps_by_turn_are_those_of_the_whole_match(site: httpx.Client, finished: str) -> None:
    """Also where a side regains some: the page shows them with a plus."""
    told = site.get(f"/api/matches/{finished}/story").json()
    page = site.get(f"/matches/{finished}/story").text
    for lost in told["losses"]:
        steps = [turn["steps_lost"][lost["side"]] for turn in told["turns"]]
        assert sum(steps) == lost["steps"]
        for n in filter(None, steps):
            assert f'<td class="small">{f"−{n}" if n > 0 else f"+{-n}"}</td>' in page


def test_a_rematch_has_the_sides_changed(site: httpx.Client, finished: str) -> None:
    story = site.get(f"/matches/{finished}/story").text
    (body,) = re.findall(r'data-begin="([^"]*)"', story)
    again = site.post("/api/matches", json=json.loads(unescape(body))).json()
    assert {side["id"]: side["automatic"] for side in again["sides"]} == {
        "german": True,
        "allied": False,
    }
    assert again["options"] == site.get(f"/api/matches/{finished}").json()["options"]


def test_the_file_holds_all_it_needs(site: httpx.Client, finished: str) -> None:
    answer = site.get(f"/matches/{finished}/story.html")
    assert answer.headers["content-disposition"].startswith('attachment; filename="weissenberg-')
    assert len(answer.content) < 1_000_000
    text = answer.text
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert "data-begin" not in text
    (data,) = re.findall(r'<script type="application/json" id="story-data">(.*?)</script>', text)
    told = json.loads(data)
    assert len(told["frames"]["frames"]) == len(told["steps"]) + 1


@pytest.mark.slow
def test_a_match_with_hidden_stacks_is_open_when_it_is_over(site: httpx.Client) -> None:
    match = json.loads(msgspec.json.encode(saved(random_match("bautzen-1945", 1))))
    body = {"match": match, "autos": AUTOS}
    id_ = site.post("/api/matches/import", json=body).json()["id"]
    text = site.get(f"/matches/{id_}/story").text
    assert "all stacks are open" in text
    assert "face-down" not in text


def test_a_match_that_goes_on_has_a_story_too(site: httpx.Client) -> None:
    id_ = site.post("/api/matches", json={"scenario": "weissenberg"}).json()["id"]
    answer = site.get(f"/matches/{id_}/story")
    assert answer.status_code == 200
    assert "The match is not over." in answer.text
    assert site.get("/matches/nothing/story").status_code == 404


def test_script_in_a_name_stays_text_in_the_story_and_in_its_file(site: httpx.Client) -> None:
    """Whoever keeps the file opens it without the server, and without its policy."""
    match = json.loads(msgspec.json.encode(saved(random_match("weissenberg", 1))))
    name = "</title><script>alert('1')</script><img src=x onerror=alert(2)>\"'&"
    body = {"match": match, "autos": AUTOS, "name": name}
    id_ = site.post("/api/matches/import", json=body).json()["id"]
    for path in ("story", "story.html"):
        answer = site.get(f"/matches/{id_}/{path}")
        assert answer.status_code == 200
        assert name in unescape(answer.text)
        for raw in ("<script>alert", "<img src=x", "</title><script"):
            assert raw not in answer.text
    assert f"weissenberg-{id_}.html" in answer.headers["content-disposition"]
