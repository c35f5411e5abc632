"""Figures behind the answers to a question: one measure for all of them."""

from fractions import Fraction

from grognard.draw.text.answer_figures import figures
from grognard.fights.chances import Found, Odds
from grognard.fights.doctrine import BEST
from grognard.fights.prospects import Prospect
from grognard.rules.fight import Outcome
from grognard.rules.game import card
from grognard.words.text import Lang
from grognard.words.typography import spaced


def losing(*steps: int) -> Prospect:
    """An answer after which the defender loses each of these numbers of steps, equally likely."""
    weights = {Outcome(defender_steps_lost=n): steps.count(n) for n in steps}
    odds = Odds(Found((BEST, BEST), weights))
    return Prospect(answer="+".join(map(str, steps)), odds=odds, share=Fraction(0), best=False)


def losses(*options: Prospect, game: str = "bautzen", lang: Lang = "en") -> list[str]:
    return [found[0].text for found in figures(options, "defender", card(game), lang)]


def test_losses_that_may_be_none_are_told_as_chances() -> None:
    assert losses(losing(0, 1), losing(0, 1, 2, 3), losing(0)) == [
        "a step lost 50.0 %",
        "a step lost 75.0 %",
        "no loss",
    ]


def test_one_answer_that_always_costs_makes_all_of_them_means() -> None:
    assert losses(losing(0, 1), losing(1, 2), losing(2)) == [
        "steps lost: 0.50 on average",
        "steps lost: 1.50 on average",
        "steps lost: 2.00 on average",
    ]


def test_losses_are_told_in_the_word_of_the_game() -> None:
    """White October counts losses, not steps."""
    told = [*losses(losing(0, 1), losing(0, 1, 1, 1), game="white-october", lang="fr")]
    assert told == [spaced("une perte 50,0 %"), spaced("une perte 75,0 %")]
    assert losses(losing(1, 2), losing(2), game="white-october") == [
        "losses: 1.50 on average",
        "losses: 2.00 on average",
    ]


def shaking(*units: int) -> Prospect:
    """An answer after which each of these numbers of the defender's units is shaken."""
    weights = {Outcome(defender_shaken=n): units.count(n) for n in units}
    odds = Odds(Found((BEST, BEST), weights))
    return Prospect(answer=units[0], odds=odds, share=Fraction(0), best=False)


def test_answers_that_differ_only_in_how_many_are_shaken_say_so() -> None:
    """A unit that an answer eliminates is not shaken; the doctrine sees that, so it is shown."""
    assert losses(shaking(2), shaking(1)) == [
        "units shaken, one demoralised or routed counting twice: 2.00 on average",
        "units shaken, one demoralised or routed counting twice: 1.00 on average",
    ]
    assert losses(shaking(0, 2), shaking(2)) == ["units shaken 50.0 %", "units shaken 100 %"]
