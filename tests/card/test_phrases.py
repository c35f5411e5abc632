"""Phrases of a card: wrong blanks are refused when the card is read, not during a fight."""

import pytest

from grognard.rules import game
from grognard.rules.ask import Choose
from grognard.rules.wording import named
from grognard.words.blanks import filled
from grognard.words.refusal import Refusal

CARD = """
[[procedures]]
[[tables]]
grid = [["die", "1:1", "2:1"], ["1-6", "DR", "DR"]]
results = { DR = "defender retreats 1 or loses 1 step" }
[phrases]
"""


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ('retreats = "Back {hexes}"', "'retreats' has blanks that nothing fills: {hexes}; known: "),
        ('"advance-now.stay" = "{why} stay"', "nothing fills: {why}; known: -"),
        ('"which-loses.unit" = "{unit} of {side}"', "nothing fills: {side}; known: {n}, {names}"),
        ('adds-die = "{plus}"', "nothing fills: {plus}; known: {value}"),
        ('word-held = "{x}"', "nothing fills: {x}; known: -"),
        ('retreats = "Back {value"', "a brace of 'retreats' has no partner"),
        ('retreats = { en = "{value}", fr = "{unit}" }', "the blanks of 'retreats' differ"),
    ],
)
def test_a_blank_that_nothing_fills_is_refused_with_its_line(phrase: str, told: str) -> None:
    with pytest.raises(Refusal) as refused:
        game.read_card(CARD + phrase + "\n", "words.toml")
    assert told in str(refused.value)
    assert str(refused.value).startswith("words.toml:7: phrases.")


def test_a_card_says_a_shared_phrase_in_its_own_words() -> None:
    rules = game.made(game.read_card(CARD + 'retreats = "Back by {value}!"\n', "words.toml"))
    one = [{"name": "A", "attack": 2, "defence": 2, "steps": 2}]
    play = rules.fight(attackers=one, defenders=[{**one[0], "name": "D"}]).play()
    play.answer((3,))
    play.answer("defender retreats 1")
    assert "Back by 1!" in [told.line.in_("en") for told in play.told]


def test_a_blank_that_rules_in_python_do_not_fill_is_refused_and_named() -> None:
    with pytest.raises(Refusal, match="that nothing fills: who; known: unit"):
        filled("{unit} and {who}", unit="Guard")


def test_an_option_is_named_by_the_word_of_its_card() -> None:
    said = 'word-held = { en = "held on", fr = "position tenue" }\n'
    card = game.read_card(CARD + said, "words.toml")
    ask = Choose("attacker", "which-loses", ("held", "other"))
    assert named(card, ask, "held", "fr") == "position tenue"


def test_a_phrase_that_is_missing_is_refused_with_the_game_and_its_name() -> None:
    card = game.read_card(CARD, "words.toml")
    with pytest.raises(Refusal, match=r"the card of words has no phrase 'never-written'"):
        card.phrase("never-written")
