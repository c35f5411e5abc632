"""The words of French players: those of the print, without what can be read in two ways."""

import re

import pytest

from grognard.rules import game
from grognard.words.typography import spaced
from tests.command import run
from tests.french_words import pairs
from tests.golden import ROOT


def _shown(*words: str) -> str:
    return run(*words, "--lang", "fr").stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("card", "normandy", "terrain"), "3 BDC"),
        (("card", "normandy", "terrain"), "Interdit"),
        (("card", "white-october"), "1/1,5"),
        (("card", "white-october"), "VALEURS"),
        (("card", "bautzen"), "dans la limite de 4"),
        (("card", "bautzen", "modifiers"), "+1 au dé"),
        (("card", "bautzen"), "6 pas perdus"),
        (("card", "panzer-grenadier"), "un pas"),
        (("explain", "bautzen"), "Soutien du QG 20 Pz"),
        (("explain", "bautzen"), "26 contre 6, colonne 4/1"),
        (("odds", "bautzen"), "pas perdus : 1,00 en moyenne"),
        (("explain", "bautzen"), "1 CL et 0 marqueur aérien "),
        (("card", "panzer-grenadier", "numbers"), " −2"),
        (("explain", "normandy"), "Bocage 3 BDC"),
        (("resolve", "bautzen", "--dice", "5", "--auto"), "recule de 2 hex"),
    ],
)
def test_the_words_of_the_print(words: tuple[str, ...], expected: str) -> None:
    command, name, *rest = words
    given = name if command == "card" else str(ROOT / "examples" / f"{name}.toml")
    assert spaced(expected) in _shown(command, given, *rest)


def test_white_october_and_normandy_retreat() -> None:
    """Their cards say `retraite` where Bautzen's rules say `recul`."""
    for id_ in ("white-october", "normandy"):
        assert not re.search(r"\brecul", _shown("card", id_))
        assert not [t.fr for t in game.card(id_).phrases.values() if re.search(r"\b[Rr]ecul", t.fr)]


def test_no_count_of_steps_can_be_read_as_none() -> None:
    """`pas de perte : 2` could mean that there is no loss."""
    for english, french in pairs():
        if "{" in french:
            assert not re.search(r"[Pp]as de pertes? *[:{]|\} pas de perte", french), english


@pytest.mark.slow
def test_white_october_counts_losses_not_steps() -> None:
    """What the dice take is a loss of PE, in odds, answers, hindsight, reports and series."""
    file = str(ROOT / "examples" / "white-october.toml")
    shown = [
        _shown("odds", file),
        _shown("resolve", file, "--seed", "1", "--auto"),
        _shown("series", "pulkovo", "--matches", "1", "--workers", "1"),
        _shown("report", "white-october"),
    ]
    for text in shown:
        assert "pertes" in text
        assert not re.findall(r"\b(?:un|\d) pas\b|\bpas perdus?\b", text)


def test_no_phrase_puts_de_before_a_name() -> None:
    """`de Escadrille ANO` needs an elision that a blank can't have."""
    for id_ in game.ids():
        texts = game.card(id_).phrases.values()
        assert not [t.fr for t in texts if re.search(r"\bde \{(unit|units|helper)\}", t.fr)]


def test_white_october_adds_to_two_dice() -> None:
    shown = _shown("explain", str(ROOT / "examples" / "white-october.toml"))
    assert "+2 aux dés" in shown
    assert "au dé" not in shown


def test_a_file_of_a_fight_is_named_as_in_the_help() -> None:
    assert not [french for _, french in pairs() if "FIGHT" in french]
