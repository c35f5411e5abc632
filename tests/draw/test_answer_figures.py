"""Figures behind the answers to a question: one measure for all of them."""

from fractions import Fraction

from grognard.draw.text.chances import figures
from grognard.fights.chances import Found, Odds
from grognard.fights.doctrine import BEST
from grognard.fights.prospects import Prospect
from grognard.rules.fight import Outcome


def losing(*steps: int) -> Prospect:
    """An answer after which the defender loses each of these numbers of steps, equally likely."""
    weights = {Outcome(defender_steps_lost=n): 1 for n in steps}
    odds = Odds(Found((BEST, BEST), weights, len(steps)))
    return Prospect(answer="+".join(map(str, steps)), odds=odds, share=Fraction(0), best=False)


def losses(*options: Prospect) -> list[str]:
    return [found[0].text for found in figures(options, "defender", "en")]


def test_losses_that_may_be_none_are_told_as_chances() -> None:
    assert losses(losing(0, 1), losing(0, 1, 2, 3), losing(0)) == [
        "a step lost 50.0 %",
        "a step lost 75.0 %",
        "no loss",
    ]


def test_one_answer_that_always_costs_makes_all_of_them_means() -> None:
    assert losses(losing(0, 1), losing(1, 2), losing(2)) == [
        "0.50 steps lost on average",
        "1.50 steps lost on average",
        "2 steps lost",
    ]
