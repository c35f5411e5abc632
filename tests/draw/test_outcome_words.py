"""An outcome is told in words; the code of the table stands behind."""

from pathlib import Path

import pytest

from grognard import load
from grognard.draw.text.fight import chances
from grognard.draw.text.outcome import happened_words, outcome_words, play_words, result_words
from grognard.fights.fight_file import read_fight
from grognard.files.source import read_source
from grognard.rules import game
from grognard.rules.ask import Choose
from grognard.rules.fight import Outcome
from grognard.rules.wording import named
from grognard.words.message import say
from grognard.words.numbers import Counted

EXAMPLES = Path(__file__).parents[2] / "examples"

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


def test_losses_are_counted_in_the_words_of_the_game() -> None:
    fight = read_fight(read_source(str(EXAMPLES / "white-october.toml")))
    told = "\n".join(chances(fight.odds(), fight, "fr"))
    assert "pertes" in told
    assert "pas perdus" not in told


def test_answer_names_what_a_unit_loses() -> None:
    ask = Choose("attacker", "who-loses", (("A",), ("B",)), blanks=(("counted", "PE"),))
    assert named(game.card("white-october"), ask, ("A",), "fr") == "A perd 1 PE"


def test_numbers_choose_their_nouns_and_have_a_true_minus() -> None:
    hint = say("Enter rolls; or type {n} {n:die|dice}, such as {example}", n=1, example="5")
    assert hint.in_("fr") == "Entrée pour lancer, ou tapez 1 dé, par exemple 5"
    retreats = game.card("normandy").phrase("retreats")
    assert retreats.en.format(value=Counted(1, "en")) == "The defender retreats 1 hex"
    assert f"{Counted(-4, 'fr')}" == "−4"


def test_units_that_are_gone_are_named_while_others_of_their_side_are_left() -> None:
    """Two defenders have one step each; on 1/1 the defence that stays loses one of them."""
    stated = {
        "attackers": [{"name": "A", "attack": 9, "steps": 2}],
        "defenders": [{"name": name, "defence": 2, "steps": 1} for name in ("D1", "D2")],
    }
    found = set[str]()
    for die in range(1, 7):
        play = load("bautzen").fight(stated).play()
        play.answer((die,))
        while isinstance(play.asking, Choose):
            play.answer(play.asking.options[0])
        words, lost = play_words(play, "en"), play.outcome.defender_steps_lost
        assert ("D1 is eliminated" in words) == (lost == 1)
        assert ("defender eliminated" in words) == (lost == 2)
        found.add(f"{lost}")
    assert "1" in found
