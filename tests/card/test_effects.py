"""The vocabulary of results, and what a card may leave out."""

from fractions import Fraction

import pytest

from grognard.card.defaults import grid_of, start_of
from grognard.card.effect_wording import wording
from grognard.card.effects import VOCABULARY, Effect, parse_does
from grognard.words.refusal import Refusal


@pytest.mark.parametrize("words", VOCABULARY)
def test_every_entry_is_read_and_written_back(words: str) -> None:
    does = parse_does(words)
    assert parse_does(str(does)) == does
    text = wording(does, {})
    assert text.en
    assert text.fr != text.en or words == "nothing"


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("both sides lose 1 step", "both lose 1 step"),
        ("all attackers eliminated", "attacker is eliminated"),
        ("The defenders are eliminated.".lower(), "defender is eliminated"),
        ("defenders lose 2 steps and retreat 1", "defender loses 2 steps and retreats 1"),
    ],
)
def test_what_tables_print_is_read_too(printed: str, words: str) -> None:
    assert parse_does(printed) == parse_does(words)


def test_a_subject_holds_until_the_next_one() -> None:
    (way,) = parse_does("defender retreats 1 and loses 2 steps and attacker may advance").ways
    assert [effect.side for effect in way] == ["defender", "defender", "attacker"]


def test_the_side_that_a_choice_is_about_decides_unless_another_is_named() -> None:
    assert parse_does("attacker loses 1 step or retreats 1").decider() == "attacker"
    assert parse_does("defender loses 1 step or retreats 1").decider() == "defender"
    named = parse_does("defender loses 1 step or retreats 1, attacker chooses")
    assert named.decider() == "attacker"


def test_amounts_may_be_words() -> None:
    (way,) = parse_does("defender loses a step and loses half").ways
    assert way == (
        Effect(kind="lose", side="defender", amount=1),
        Effect(kind="lose", side="defender", amount="half"),
    )


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        ("defender retreat two", "defender retreats 2"),
        ("exchanges", "exchange"),
        ("defender looses 2 steps", "defender loses 2 steps"),
        ("", "nothing"),
    ],
)
def test_other_words_are_refused_with_the_nearest_entry(words: str, nearest: str) -> None:
    with pytest.raises(Refusal, match=nearest):
        parse_does(words)


@pytest.mark.parametrize(
    ("label", "odds", "start"),
    [
        ("3:2", True, Fraction(3, 2)),
        ("1-4", True, Fraction(1, 4)),
        ("1.5:1", True, Fraction(3, 2)),
        ("6/1+", True, Fraction(6)),
        ("-6/-5", False, Fraction(-6)),
        ("−2", False, Fraction(-2)),
        ("+6 to +8", False, Fraction(6)),
        ("2-3", False, Fraction(2)),
        ("5+", False, Fraction(5)),
        ("≤1", False, Fraction(1)),
        ("effect", False, None),
    ],
)
def test_a_label_says_where_it_starts(label: str, odds: bool, start: Fraction | None) -> None:
    assert start_of(label, odds=odds) == start


@pytest.mark.parametrize(
    "text", ["    | 1:1 or less | 2:1\n  1 | A | B", "\t1:1\t2:1\n1\tA\tB", "   1:1 2:1\n1 A B"]
)
def test_the_corner_of_a_table_may_be_empty(text: str) -> None:
    (corner, *labels), row = grid_of(text)
    assert (corner, labels[0][:3], labels[1], row) == ("", "1:1", "2:1", ["1", "A", "B"])


@pytest.mark.parametrize(
    "text",
    [
        "die 1:1 2:1\n1 A B\n",
        "die|1:1|2:1\n---|---|---\n1|A|B",
        "| die | 1:1 | 2:1 |\n| 1 | A | B |",
        "die\t1:1\t2:1\n1\tA\tB",
        "die | 1:1 | 2:1\n1 | A | B",
    ],
)
def test_a_table_is_cut_as_it_is_typed_or_pasted(text: str) -> None:
    assert grid_of(text) == [["die", "1:1", "2:1"], ["1", "A", "B"]]


def test_a_printed_dash_is_an_empty_cell() -> None:
    assert grid_of("die 1:1 2:1\n1 – −") == [["die", "1:1", "2:1"], ["1", "-", "-"]]
