"""Every message has its French, and the catalogue matches the sources."""

import ast
import re
import string
from gettext import GNUTranslations
from pathlib import Path

import pytest

from grognard.card.card import shared_phrases
from grognard.rules import game
from grognard.words.message import say
from grognard.words.typography import spaced
from tests import catalogue
from tests.example_games import FOUND, finds_examples


def _blanks(text: str) -> list[str]:
    return sorted(blank for _, blank, _, _ in string.Formatter().parse(text) if blank is not None)


def test_the_catalogue_is_that_of_the_sources() -> None:
    for file, content in catalogue.written().items():
        assert file.exists(), f"{file.name} is missing: run `make words`"
        assert file.read_bytes() == content, (
            f"{file.name} is out of step with the sources: run `make words`, "
            f"then give what is new its French in {catalogue.FRENCH.name} and run it again"
        )


@pytest.mark.parametrize("file", catalogue.wanted(), ids=lambda file: file.name)
def test_every_message_has_its_french(file: Path) -> None:
    missing = set(catalogue.wanted()[file]) - set(catalogue.translations(file))
    assert not missing, (
        f"run `make words`, write the French of these in {file.name}, run it again: {missing}"
    )


def test_the_blanks_of_a_message_are_the_same_in_french() -> None:
    for template, french in catalogue.french().items():
        assert _blanks(french) == _blanks(template), template


# A call of `say` in a page, with its template in either kind of quotation marks.
SAID = re.compile(r"""\bsay\(\s*(?:"([^"]*)"|'([^']*)')""")


@pytest.mark.slow
def test_every_call_of_say_is_extracted() -> None:
    said, other = set(), []
    for file in sorted(catalogue.SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id != "say":
                    continue
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    said.add(first.value)
                else:
                    other.append(file.name)
    pages = "\n".join(f.read_text(encoding="utf-8") for f in catalogue.SOURCES.rglob("*.html"))
    said |= {one or other_ for one, other_ in SAID.findall(pages)}
    assert said == set(catalogue.templates())
    # The places that say a template which stands beside them, or in a page
    assert other == ["toml_file.py", "templating.py"]


def test_the_compiled_french_is_what_a_reader_gets() -> None:
    with catalogue.FRENCH.with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for template, french in catalogue.french().items():
        assert compiled.gettext(template) == spaced(french)
    narrow = "deux lignes pour «\N{NARROW NO-BREAK SPACE}4\N{NARROW NO-BREAK SPACE}»"
    assert say("two rows for '{label}'", label="4").in_("fr") == narrow
    assert say("two rows for '{label}'", label="4").in_("en") == "two rows for '4'"


def test_a_message_within_a_message_is_in_the_same_language() -> None:
    inner = say("known: {words}", words="a")
    outer = say("there is no game '{game}'; {near}", game="b", near=inner)
    assert outer.in_("fr") == spaced("il n'y a pas de jeu « b » ; choix possibles : a")
    assert str(outer) == "there is no game 'b'; known: a"


@pytest.mark.parametrize("file", catalogue.written())
def test_the_catalogue_holds_no_date_and_no_machine(file: Path) -> None:
    content = file.read_bytes()
    for word in (b"Creation-Date", b"Revision-Date", b"Generated-By", b"Babel", b".py:"):
        assert word not in content


def test_french_keeps_the_marks_of_the_sentence() -> None:
    for template, french in catalogue.french().items():
        assert french == french.rstrip(), template
        assert (template[0] == " ") == (french[0] == " "), template
        assert template.endswith(":") == french.endswith(":"), template
        assert " :" in french or ":" not in french or ":" in template, template


@finds_examples
@pytest.mark.parametrize("id_", FOUND)
def test_the_phrases_of_a_card_have_the_same_blanks_in_both_languages(id_: str) -> None:
    for name, text in {**shared_phrases(), **game.card(id_).phrases}.items():
        assert set(_blanks(text.en)) == set(_blanks(text.fr)), name
