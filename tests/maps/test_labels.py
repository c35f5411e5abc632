"""Counters are called by their labels in the reader's language; names stay what files know."""

import pytest

from grognard.maps import scenario
from grognard.maps.labels import labelled, labelled_html, labels_of
from grognard.matches.match import begin
from tests.command import run

ENGLISH = [
    "Rifles",
    "Pioneers",
    "Wagon",
    "Cossacks",
    "Battery",
    "Flight",
    "Bear",
    "Horse",
    "First",
    "Aid",
    "Army",
    "Latvians",
    "Guns",
    "Militia",
    "Sailors",
    "HQ",
]


def test_labels_stand_in_the_place_of_whole_names() -> None:
    labels = (("Rifles 1", "Tirailleurs 1"), ("Wagon", "Chariot"))
    assert labelled("Rifles 1, Rifles 11: Wagon", labels) == "Tirailleurs 1, Rifles 11: Chariot"
    html = '<b data-unit="Wagon" title="Wagon">Wagon</b><script>"Wagon"</script>'
    shown = '<b data-unit="Wagon" title="Chariot">Chariot</b><script>"Wagon"</script>'
    assert labelled_html(html, labels) == shown


@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_no_counter_has_an_english_noun_in_french(name: str) -> None:
    battle = scenario.load(name)
    french = dict(labels_of([battle], "fr"))
    shown = [french.get(name, name) for name in {unit.name for unit in battle.units}]
    assert not [label for label in shown if set(label.split()) & set(ENGLISH)]
    assert len(set(shown)) == len(shown)
    assert not labels_of([battle], "en")


def test_a_match_is_told_with_labels_and_typed_with_names() -> None:
    for name in ("Bulak Horse", "Cavalerie Boulak"):
        typed = f"move '{name}' 1006\nquit\n"
        shown = run("play", "pulkovo", "--lang", "fr", stdin=typed).stdout
        assert "Cavalerie Boulak va en 1006" in shown
        assert "Bulak Horse" not in shown.replace(f"move '{name}' 1006", "")
    assert "Cavalerie Boulak" in run("map", "pulkovo", "--lang", "fr").stdout
    assert "Bulak Horse" in run("map", "pulkovo", "--lang", "en").stdout
    match = begin("pulkovo")
    match.answer(("move", "Bulak Horse", "1006"))
    assert match.board.piece("Bulak Horse").at is not None
