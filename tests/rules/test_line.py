"""Numbers as lines write them."""

from fractions import Fraction

import pytest

from grognard.rules import game
from grognard.rules.line import Teller
from grognard.words.numbers import mixed


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(33, 2), "16½"),
        (Fraction(1, 2), "½"),
        (Fraction(17, 3), "5⅔"),
        (Fraction(7, 5), "1 2/5"),
        (Fraction(2, 5), "2/5"),
        (Fraction(8, 2), 4),
        (9, 9),
        ("3/1", "3/1"),
    ],
)
def test_a_fraction_is_written_as_the_hobby_does(
    value: int | str | Fraction, written: int | str
) -> None:
    assert mixed(value) == written


def test_a_line_says_its_fractions_so_and_keeps_its_value() -> None:
    teller = Teller()
    teller.card = game.card("normandy")
    line = teller.tell("total", "attack-total", value=Fraction(33, 2))
    assert line.in_("en") == "Attack total: 16½"
    assert line.value == Fraction(33, 2)
