"""Half of a character (a lone surrogate) in a name is refused in every input, with one message."""

import json
from pathlib import Path

import httpx
import pytest

from grognard.web.quick import links
from grognard.web.quick.tap import Tap
from tests.command import refused
from tests.web.test_matches import begin

HALF = "\ud800"
JSON = {"content-type": "application/json"}
WORDS = "half of a character"
FIGHT = {
    "game": "bautzen",
    "attackers": [{"name": f"A{HALF}", "attack": 8}],
    "defenders": [{"name": "D", "defence": 4}],
}
STATED = {key: value for key, value in FIGHT.items() if key != "game"}


def test_in_a_fight_and_a_match_file(tmp_path: Path) -> None:
    assert WORDS in refused("explain", "-", stdin=json.dumps(FIGHT))
    match = tmp_path / "match.json"
    saved = {"match": 1, "scenario": "weissenberg", "options": {}, "answers": [["move", HALF]]}
    match.write_text(json.dumps(saved))
    assert WORDS in refused("play", match)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("explain", 'game = "bautzen"\n[[attackers]]\nname = "A\\uD800"\nattack = 8\n'),
        (
            "sweep",
            'game = "bautzen"\n[[attackers]]\nname = "A\\uD800"\nattack = { from = 1, to = 2 }\n',
        ),
        ("map", 'scenario = 1\nid = "a"\nname = "\\uD800"\n'),
        ("check", '[[tables]]\n[[procedures]]\nname = "\\uD800"\n'),
    ],
)
def test_toml_knows_no_half_characters(command: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "half.toml"
    file.write_text(text)
    assert "not a Unicode scalar value" in refused(command, file)


def test_in_a_request(site: httpx.Client) -> None:
    for address in ("/api/explain", "/api/odds", "/api/resolve"):
        answer = site.post(address, content=json.dumps(FIGHT), headers=JSON)
        assert answer.status_code in (400, 422), address
        assert WORDS in answer.text, address
    match = begin(site)["id"]
    body = json.dumps({"version": 0, "answer": ["move", HALF, "1811"]})
    answer = site.post(f"/api/matches/{match}/answers", content=body, headers=JSON)
    assert answer.status_code in (400, 409, 422)


def test_at_the_very_end_of_a_request_and_a_number_of_5000_digits(site: httpx.Client) -> None:
    answer = site.post("/api/explain", content=rb'{"game":"\ud800"}', headers=JSON)
    assert answer.status_code == 400
    assert WORDS in answer.text
    digits = '{"game": "bautzen", "attackers": [{"attack": ' + "9" * 5000 + "}]}"
    for number in (digits, digits.replace("9" * 5000, "1e999")):
        answer = site.post("/api/explain?lang=fr", content=number, headers=JSON)
        assert answer.status_code == 422
        assert "le nombre est trop grand" in answer.text


def test_in_a_tap_and_in_links_long_and_short(site: httpx.Client) -> None:
    tap = json.dumps({"fight": STATED})
    answer = site.post("/games/bautzen/attack/tap", content=tap, headers=JSON)
    assert answer.status_code in (400, 422)
    assert WORDS in answer.text
    answer = site.get("/games/bautzen/attack", params={"s": tap})
    assert answer.status_code in (400, 422)
    assert WORDS in answer.text
    answer = site.get(
        "/games/bautzen/attack", params={"f": links.encode("bautzen", "attack", Tap(fight=STATED))}
    )
    assert answer.status_code in (400, 422)
    assert WORDS in answer.text
