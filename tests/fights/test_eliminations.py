"""Answers say which units they eliminate, in every face and both languages."""

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from msgspec import UNSET

from grognard import load
from grognard.draw.json.fight import play_answer
from grognard.draw.json.fight_question import ChooseJson
from grognard.fights.advised import advised
from grognard.fights.automatic import sample
from grognard.fights.play import Play
from grognard.rules import game
from grognard.rules.ask import Choose
from grognard.testing import random_fights
from grognard.web.quick.quick_page import view
from grognard.web.quick.tap import Tap
from grognard.words.text import Lang
from grognard.words.typography import spaced
from tests.command import run
from tests.tiers import sized

# 6 against 2, 3-1 in clear terrain; on a 1 (D1) the attacker picks the defender's loss.
NORMANDY: dict[str, object] = {
    "terrain": ["clear"],
    "attacker_camp": "allied",
    "weather": "overcast",
    "attackers": [{"name": "A", "factor": 9, "steps": 2, "main_force": True}],
    "defenders": [
        {"name": "726/716", "factor": 1, "steps": 1},
        {"name": "736/716", "factor": 2, "steps": 2},
    ],
}
LAST = {
    "en": "726/716 loses its last step: eliminated",
    "fr": spaced("726/716 perd son dernier pas : éliminée"),
}


def asked(fight: Mapping[str, object]) -> Play:
    """The play of a fight in which somebody is asked which unit loses a step."""
    for die in range(1, 7):
        play = load("normandy").fight(fight).play()
        play.answer((die,))
        if isinstance(play.asking, Choose) and play.asking.what == "which-loses":
            return play
    raise AssertionError("no roll asks who loses a step")


def test_the_unit_with_one_step_left_is_eliminated_by_the_answer_that_names_it() -> None:
    known = advised(asked(NORMANDY)).eliminates
    assert known == {"726/716": ("726/716",), "736/716": ()}


@pytest.mark.parametrize("lang", LAST)
def test_every_face_says_which_answer_eliminates(lang: Lang, tmp_path: Path) -> None:
    play = asked(NORMANDY)
    roll, file = play.given[0].answer, tmp_path / "fight.json"
    assert isinstance(roll, tuple)
    file.write_text(json.dumps({"game": "normandy", **NORMANDY}))
    terminal = run("resolve", file, "--dice", str(roll[0]), "--lang", lang, stdin="1\n")
    assert f"1) {LAST[lang]}" in terminal.stdout
    assert "2) 736/716" in terminal.stdout

    asking = play_answer(play, lang).asking
    assert isinstance(asking, ChooseJson)
    assert [option.text for option in asking.options] == [LAST[lang], "736/716"]
    assert [option.eliminates for option in asking.options] == [("726/716",), UNSET]

    shown = view("normandy", "attack", Tap(fight=NORMANDY, answers=(roll,)), lang)
    assert shown.resolution is not None
    assert shown.resolution.question is not None
    (decision,) = shown.resolution.question.decisions
    assert [offer.text for offer in decision.offers] == [LAST[lang], "736/716"]


def test_an_answer_that_names_no_unit_names_those_that_it_eliminates() -> None:
    """Bautzen, 3/1: on a 3 both sides lose a step; holding costs the only one."""
    units = {
        "attackers": [{"name": "A", "attack": 14, "steps": 2}],
        "defenders": [{"name": "D", "defence": 4, "steps": 1}],
    }
    play = load("bautzen").fight(units).play()
    play.answer((3,))
    asking = play_answer(play, "en").asking
    assert isinstance(asking, ChooseJson)
    texts = [option.text for option in asking.options]
    assert texts == ["Hold and lose 1 step (D is eliminated)", "Retreat 1 hex"]


@pytest.mark.parametrize("id_", game.ids())
def test_answers_of_random_fights_name_all_whom_they_eliminate(id_: str) -> None:
    """What is told in advance is told after the answer, before the next question."""
    rules, random = load(id_), Random(12)
    for procedure in rules.procedures:
        for fight in islice(random_fights(rules, procedure.id, random), sized(6)):
            (played,) = sample(fight, 1, random.randrange(10**6))
            play = Play(fight)
            for given in played.given:
                known = advised(play).eliminates
                told = len(play.told)
                play.answer(given.answer)
                if isinstance(given.ask, Choose):
                    lines = (entry.line for entry in play.told[told:])
                    gone = tuple(line.unit for line in lines if line.kind == "eliminated")
                    assert known[given.answer] == gone
