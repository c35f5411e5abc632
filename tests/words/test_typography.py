"""Typography: true minus signs, narrow French spaces, and where nothing may change."""

import pytest

from grognard.words.numbers import decimal, percentage
from grognard.words.text import Text, colon
from grognard.words.typography import NARROW, spaced, with_minus


def test_spaces_beside_french_punctuation_are_narrow_and_do_not_break() -> None:
    written = spaced("« Rien » : 5 % ; vraiment ? Oui !")
    assert written == "«_Rien_»_: 5_%_; vraiment_? Oui_!".replace("_", NARROW)


@pytest.mark.parametrize(
    "words", ["http://a:8000/?lang=fr", "a ?lang=fr", "width: 5%", "12:30", "a, b. c", "4/1 +1"]
)
def test_addresses_styles_and_other_marks_stay(words: str) -> None:
    assert spaced(words) == words


def test_the_french_of_a_text_is_spaced_when_it_is_made_or_read() -> None:
    text = Text(en="Why: 5 %?", fr="Pourquoi : 5 % ?")
    assert text.in_("en") == "Why: 5 %?"
    assert text.fr == text.in_("fr") == f"Pourquoi{NARROW}: 5{NARROW}%{NARROW}?"


def test_numbers_and_colons_are_those_of_the_language() -> None:
    assert (decimal(1.25, 2, "en"), decimal(1.25, 2, "fr")) == ("1.25", "1,25")
    assert (percentage(5, "en"), percentage(5, "fr")) == ("5 %", f"5{NARROW}%")
    assert (colon("en"), colon("fr")) == (": ", f"{NARROW}: ")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("it counts as -1", "it counts as −1"),
        ("-2 (-1 in town)", "−2 (−1 in town)"),
        ("more (+) or fewer (-)", "more (+) or fewer (−)"),
        ("rows 1-4, T-34, 2-1", "rows 1-4, T-34, 2-1"),
        ("1/-1", "1/−1"),
    ],
)
def test_a_minus_is_no_hyphen(typed: str, written: str) -> None:
    assert with_minus(typed) == written
    assert Text(typed, typed).en == written
