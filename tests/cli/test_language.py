"""The language of help and of click's own messages: `--lang`, or that of the terminal."""

import os

import pytest

from grognard.cli.main import COMMANDS
from grognard.words.typography import spaced
from tests.command import run


@pytest.fixture(autouse=True)
def _english_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_in_the_language_that_is_asked_for(name: str) -> None:
    english, french = (run(name, "--help", "--lang", lang).output for lang in ("en", "fr"))
    assert "Usage: " in english
    assert "Show this message and exit." in english
    assert spaced("Usage : ") in french
    assert spaced("Options :\n") in french
    assert "Afficher cette aide et quitter." in french
    assert not {"Show", "message", "default", "Language", "the"} & set(french.split())


def test_help_is_in_the_language_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert spaced("Commandes :\n") in run("--help").output
    assert "Explain how" in run("explain", "--help", "--lang", "en").output
    assert "LANGUAGE" not in os.environ  # set only while the command runs


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("odds",), "Il manque l'argument 'COMBAT'."),
        (("odds", "a", "b"), "Argument en trop (b)"),
        (("odds", "--langue"), "Il n'y a pas d'option '--langue'."),
        (("serve", "--port", "x"), "Valeur incorrecte pour '--port' : 'x' n'est pas un nombre"),
        (("series", "pulkovo", "--matches", "0"), "'--matches' : 0 est inférieur à 1"),
        (("serve", "--port", "70000"), "70000 n'est pas compris entre 0 et 65535"),
        (("sweep", "a", "--refused", "b"), "'b' n'est pas un choix possible : 'drop', 'keep'."),
        (("play", "pulkovo", "--option", "a"), "« a » ne s'écrit pas id=choix"),
        (("series", "pulkovo", "--seed"), "L'option '--seed' demande une valeur."),
        (("gmaes",), "Il n'y a pas de commande 'gmaes'."),
    ],
)
def test_errors_of_click_are_french(words: tuple[str, ...], expected: str) -> None:
    for said in ([*words[:1], "--lang", "fr", *words[1:]], [*words[:1], "--lang=fr", *words[1:]]):
        result = run(*said)
        assert result.exit_code == 2
        assert spaced(expected) in result.stderr
        assert spaced("Erreur : ") in result.stderr
    assert "Error: " in run(*words).stderr


def test_the_hint_below_the_usage_is_french() -> None:
    assert spaced("Essayez « main odds --help » pour voir") in run("odds", "--lang", "fr").stderr
