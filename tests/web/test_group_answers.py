"""Answers that are groups: figures and the star of the doctrine before anything is toggled."""

import json

import httpx

from grognard import load
from grognard.draw.text.answers import offered_answers
from grognard.fights.advised import advised
from grognard.fights.play import Play
from grognard.matches.advised import match_advised
from grognard.rules.ask import Choose
from grognard.web.quick.decision import decision
from tests.matches.test_before_fight import asked

# On a 6 the defender, who retreats, leaves his hex to whoever advances.
FIGHT = {
    "attackers": [
        {"name": "A", "attack": 7, "steps": 2},
        {"name": "B", "attack": 7, "steps": 2},
    ],
    "defenders": [{"name": "D", "defence": 4, "steps": 1}],
}


def advancing() -> Play:
    """A play in which the attacker is asked who advances."""
    play = load("bautzen").fight(FIGHT).play()
    play.answer((6,))
    while isinstance(play.asking, Choose) and play.asking.what != "who-advances":
        play.answer(play.asking.options[-1])
    return play


def test_groups_carry_figures_and_the_star() -> None:
    play = advancing()
    assert isinstance(play.asking, Choose)
    shown = decision(play.start.case.card, play.asking, "attacker", advised(play), "en")
    groups = {group["text"]: group for group in json.loads(shown.groups)}
    assert groups["Nobody advances"]["figures"] == "hex taken 0 %"
    assert not groups["Nobody advances"]["best"]
    assert groups["A and B advance"]["figures"] == "★ hex taken 100 %"
    assert groups["A and B advance"]["best"]
    assert shown.best is not None
    assert shown.best.text == "A advances"


def test_the_page_names_the_best_group_before_anything_is_toggled(site: httpx.Client) -> None:
    answers = [json.loads(json.dumps(given.answer)) for given in advancing().given]
    tap = {"fight": FIGHT, "answers": answers}
    page = site.get("/games/bautzen/attack", params={"s": json.dumps(tap)}).text
    assert "★ best by its doctrine: A advances (hex taken 100 %)" in page
    french = site.get("/games/bautzen/attack", params={"s": json.dumps(tap), "lang": "fr"}).text
    assert "A avance (hex pris" in french


def test_the_terminal_names_the_best_of_unlike_groups() -> None:
    """The defence of Weissenberg is asked for its support; each group gives another column."""
    match = asked()
    assert isinstance(match.asking, Choose)
    known = match_advised(match)
    lines = offered_answers(match.field.card, match.asking, "defender", known, "en").lines
    (best,) = [option for option in known.options("defender") if option.best]
    starred = [line for line in lines if " *" in line and "doctrine" not in line]
    assert len(starred) == 1
    assert isinstance(best.answer, tuple)
    assert all(str(name) in starred[0] for name in best.answer)


def test_a_single_group_is_named() -> None:
    """Whoever can only send one unit is not told of anybody."""
    alone = {**FIGHT, "attackers": [{"name": "A", "attack": 14, "steps": 2}]}
    play = load("bautzen").fight(alone).play()
    play.answer((6,))
    while isinstance(play.asking, Choose) and play.asking.what != "who-advances":
        play.answer(play.asking.options[-1])
    assert isinstance(play.asking, Choose)
    card = play.start.case.card
    lines = offered_answers(card, play.asking, "attacker", advised(play), "en").lines
    assert any(line.startswith("  A advances *") for line in lines)
    assert not any("anybody" in line for line in lines)
