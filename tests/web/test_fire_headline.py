"""The headline of a fire: what may become of a target, in one sentence, in every face."""

import json
import re
from fractions import Fraction
from html import unescape

import httpx
import pytest

from grognard import load
from grognard.draw.text.chances import percent
from grognard.fights.doctrine import DOCTRINES
from grognard.games.panzer_grenadier.stated import DirectFire
from grognard.words.text import Lang
from grognard.words.typography import spaced
from tests.command import run
from tests.oracles import panzer_grenadier as oracle

STATED = {
    "range": 2,
    "attackers": [{"name": "HMG", "fire": 16}],
    "defenders": [{"name": "Company A", "morale": 7, "steps": 2}],
}
# The states by their names, as the sentence tells them; then a step at least.
SENTENCES: dict[Lang, str] = {
    "en": "Company A: disrupted {disrupted}, demoralised {demoralised}, eliminated {eliminated}, "
    "a step lost {step}",
    "fr": "Company A : désorganisée {disrupted}, démoralisée {demoralised}, "
    "éliminée {eliminated}, un pas perdu {step}",
}


def expected(lang: Lang) -> str:
    """Give the sentence with the chances of the oracle."""
    rules = load("panzer-grenadier")
    setup = rules.setup(rules.procedure("direct-fire"), STATED)
    assert isinstance(setup, DirectFire)
    chances = dict.fromkeys(("disrupted", "demoralised", "eliminated", "step"), Fraction(0))
    for branch in oracle.direct_fire(setup, dict(rules.card.chosen({})), DOCTRINES["best"]):
        for end, chance in branch.best[0].items():
            became = {detail.removeprefix("Company A ") for detail in end.details}
            if end.defender_steps_lost:
                became.add("step")
            if end.defender_eliminated:
                became.add("eliminated")
            for word in became:
                chances[word] += branch.chance * chance
    assert all(chances.values())
    told = {word: percent(chance, lang) for word, chance in chances.items()}
    said = SENTENCES[lang].format(**told)
    return spaced(said) if lang == "fr" else said


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_terminal_tells_what_may_become_of_the_target_in_one_sentence(lang: Lang) -> None:
    stated = json.dumps({"game": "panzer-grenadier", **STATED})
    said = run("odds", "-", "--lang", lang, stdin=stated).stdout.splitlines()
    assert f"  ◆ {expected(lang)}" in said


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_tells_it_in_the_same_sentence(site: httpx.Client, lang: Lang) -> None:
    params = {"s": json.dumps({"fight": STATED}), "lang": lang}
    page = site.get("/games/panzer-grenadier/direct-fire", params=params).text
    fate = page.split('<p class="fate defender">')[1].split("</p>")[0]
    assert unescape(re.sub("<[^>]*>", "", fate)).strip() == f"◆ {expected(lang)}"
