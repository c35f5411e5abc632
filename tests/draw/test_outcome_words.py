"""An outcome is told in words; the code of the table stands behind."""

import pytest

from grognard.draw.text.outcome import happened_words, outcome_words, result_words
from grognard.rules import game
from grognard.rules.fight import Outcome

TOLD = [
    (
        "normandy",
        Outcome(
            result="D1", defender_steps_lost=1, vacated=True, taken=True, details=("retreat 2",)
        ),
        "hex taken, ◆ 1 step lost, retreat of 2 hexes (D1)",
        "hex pris, ◆ 1 pas perdu, retraite de 2 hex (D1)",
    ),
    (
        "bautzen",
        Outcome(result="1/2", attacker_steps_lost=1, vacated=True, details=("retreat 2",)),
        "hex vacated, ▶ 1 step lost, retreat of 2 hexes (1/2)",
        "hex abandonné, ▶ 1 pas perdu, recul de 2 hex (1/2)",
    ),
    (
        "white-october",
        Outcome(
            result="1a/d|rd/r2",
            attacker_steps_lost=1,
            defender_steps_lost=2,
            vacated=True,
            taken=True,
            details=("D retreat 1",),
        ),
        "hex taken, ▶ 1 loss, ◆ 2 losses, ◆ retreat of 1 hex (1a/d|rd/r2)",
        "hex pris, ▶ 1 perte, ◆ 2 pertes, ◆ retraite de 1 hex (1a/d|rd/r2)",
    ),
    ("white-october", Outcome(result="-|-"), "no effect", "aucun effet"),
    ("panzer-grenadier", Outcome(result="M2"), "no effect (M2)", "aucun effet (M2)"),
    ("panzer-grenadier", Outcome(result="none"), "no effect", "aucun effet"),
    (
        "panzer-grenadier",
        Outcome(result="M2", defender_shaken=1, details=("GREN 1 disrupted",)),
        "GREN 1 disrupted (M2)",
        "GREN 1 désorganisée (M2)",
    ),
]


@pytest.mark.parametrize(("id_", "outcome", "english", "french"), TOLD)
def test_outcome_is_told_in_words(id_: str, outcome: Outcome, english: str, french: str) -> None:
    card = game.card(id_)
    assert outcome_words(outcome, card, "en") == english
    assert outcome_words(outcome, card, "fr") == french
    assert happened_words(outcome, card, "fr") == french.split(" (", maxsplit=1)[0]


def test_result_of_two_dashes_is_one_effect() -> None:
    assert result_words("-|-", game.card("white-october"), "fr") == "aucun effet"
