"""No English word in what a French reader is shown."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import httpx
import pytest

from grognard.maps import scenario
from grognard.maps.labels import labelled, labels_of
from grognard.rules import game
from tests import french_output
from tests.example_games import finds_examples
from tests.french_output import Shown
from tests.french_words import english_words, in_a_name, wrong_french
from tests.reports import Reports
from tests.tiers import sized

pytestmark = finds_examples


def _no_english(shown: Iterable[Shown], *, typed: bool = False) -> None:
    found = defaultdict[str, list[Shown]](list)
    for one in shown:
        for word in (*english_words(one.text, typed=typed), *wrong_french(one.text)):
            found[word].append(one)
    told = [
        f"'{word}' in “{places[0].text[:200]}” ({places[0].place}; {len(places)} times)"
        for word, places in found.items()
    ]
    assert not found, (
        "English in French output. Give the text its French: in grognard.po (then `make words`), "
        "in the card (a phrase, `word-…` for an id, `question.answer` for an option), or as a "
        "`Text`. A French word that is spelt as in English goes to SHARED of tests/french_words.py."
        "\n  " + "\n  ".join(told)
    )


@pytest.mark.slow
def test_help_and_errors_of_click() -> None:
    _no_english(french_output.helps(), typed=True)


def test_names_in_examples_are_no_english_words() -> None:
    found = {one for one in french_output.names_in_examples() if in_a_name(one.text)}
    assert not found, "a name is shown as it is written: choose one that both languages have"


@pytest.mark.slow
def test_cards_and_lists() -> None:
    _no_english(french_output.tables())


@pytest.mark.slow
def test_examples_on_the_terminal_and_as_json() -> None:
    _no_english(french_output.examples())


def test_questions_answers_and_lines_of_random_fights() -> None:
    _no_english(french_output.questions(sized(20)))


def _no_names_with_a_label(shown: Iterable[Shown]) -> None:
    """A counter that has another name in French is called by it, in sample fights too."""
    labels = labels_of(map(scenario.own, scenario.ids()), "fr")
    assert {one for one in shown if labelled(one.text, labels) != one.text} == set()


@pytest.mark.slow
def test_pages(site: httpx.Client) -> None:
    shown = list(french_output.pages(site))
    _no_english(shown, typed=True)
    _no_names_with_a_label(shown)


@pytest.mark.slow
def test_quick_combat_from_the_first_look_to_the_end(site: httpx.Client) -> None:
    shown = list(french_output.taps(site))
    _no_english(shown)
    _no_names_with_a_label(shown)


@pytest.mark.slow  # whole matches: 5 s each
def test_maps_matches_and_series(tmp_path: Path) -> None:
    _no_english(french_output.matches(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("id_", game.ids())
def test_reports(id_: str, reports: Reports) -> None:
    shown = list(french_output.in_html(f"report {id_}", reports(id_, "fr").read_text("utf-8")))
    _no_english(shown)
    _no_names_with_a_label(shown)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ligne 9- : none", ["none"]),
        ("l'unité perd un step", ["step"]),
        ("« none » n'est pas un résultat ; un pas perdu", []),
        ("White October, table de combat", []),
    ],
)
def test_an_english_word_is_found(text: str, found: list[str]) -> None:
    assert english_words(text) == found
