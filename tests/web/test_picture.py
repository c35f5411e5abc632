"""The picture of a fight: counters, column, dice, and the chance that there was."""

import random
import xml.etree.ElementTree as ET

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from grognard.fights.record import plain
from grognard.rules import game
from grognard.rules.ask import Choose, Roll, first_answer
from grognard.study import player_sheet
from grognard.web.quick import links
from grognard.web.quick.tap import Tap, play_of

SHEETS = [(id_, sheet.procedure) for id_ in game.ids() for sheet in player_sheet.rolled(id_)]
# 26 : 6 on column 2/1 with +1, die 2: row 3 gives 1/0, and the attacker had 1 in 3 for the hex.
WEISSENBERG = Tap(
    fight=msgspec.to_builtins(dict(player_sheet.load("bautzen").sheet("attack").example)),
    answers=([2], "21/20Pz"),
)


def address(id_: str, procedure: str, tap: Tap, lang: str = "en") -> str:
    link = links.encode(id_, procedure, tap)
    return f"/games/{id_}/{procedure}/picture.svg?f={link}&lang={lang}"


def words(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("image/svg+xml")
    texts = ET.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()) for text in texts]


def test_it_shows_counters_column_die_and_chance(site: httpx.Client) -> None:
    answer = site.get(address("bautzen", "attack", WEISSENBERG))
    found = words(answer)
    assert {"Bautzen 1945 · Attack", "26", "6", "3/1", "21/20Pz", "861/294"} <= set(found)
    assert "you had 50.0 % to take the hex" in [word.replace("\xa0", " ") for word in found]
    assert answer.text.count('class="die"') == 1
    assert answer.text.count('<circle cx="-6.5" cy="-6.5"') == 1  # a two
    assert 'class="reduced"' in answer.text  # 21/20Pz has lost a step
    assert "de chances" in "".join(words(site.get(address("bautzen", "attack", WEISSENBERG, "fr"))))


@pytest.mark.parametrize(("id_", "procedure"), SHEETS)
def test_every_procedure_has_its_picture(site: httpx.Client, id_: str, procedure: str) -> None:
    example = msgspec.to_builtins(dict(player_sheet.load(id_).sheet(procedure).example))
    tap, dice = Tap(fight=example), random.Random(1)
    play = play_of(id_, procedure, tap)
    while (asked := play.asking) is not None:
        if isinstance(asked, Roll):
            play.answer(asked.dice.draw(dice))
        else:
            play.answer(asked.options[-1] if isinstance(asked, Choose) else first_answer(asked))
    over = replace(tap, answers=tuple(plain(given.answer) for given in play.given))
    assert len(words(site.get(address(id_, procedure, over)))) > 4


@pytest.mark.parametrize(
    "path",
    [
        "/games/bautzen/attack/picture.svg",
        "/games/bautzen/attack/picture.svg?f=xyz",
        address("bautzen", "attack", replace(WEISSENBERG, answers=())),
    ],
)
def test_a_fight_that_is_not_over_has_none(site: httpx.Client, path: str) -> None:
    assert site.get(path).status_code == 422


def test_the_outcome_names_units_as_their_counters_do(site: httpx.Client) -> None:
    """M1 by a ten; then each of the three exceeds its morale by three with another ten."""
    stated = msgspec.to_builtins(
        dict(player_sheet.load("panzer-grenadier").sheet("direct-fire").example)
    )
    tap = Tap(fight=stated, answers=([5, 5], [5, 5], [5, 5], [5, 5]))
    found = words(site.get(address("panzer-grenadier", "direct-fire", tap, "fr")))
    outcome = next(text for text in found if "démoralisée" in text)
    assert outcome.startswith("Tirailleurs 1 démoralisée, Tirailleurs 2 démoralisée")
