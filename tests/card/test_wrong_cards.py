"""Wrong cards are refused with file, line, key and reason, in both languages."""

import ast
import re
from pathlib import Path

import pytest

from grognard.card import checks
from grognard.rules import game
from grognard.words.text import Text
from grognard.words.typography import spaced
from tests.card.full_card import EXAMPLE, FILE, FULL, edited, refusal
from tests.card.wrong_cards import ROWS, Wrong
from tests.card.wrong_tables import TABLES

WRONG = {**ROWS, **TABLES}


def _cases() -> list[object]:
    return [pytest.param(wrong, id=name) for name, wrong in WRONG.items()]


def test_the_example_of_the_documentation_is_a_whole_card() -> None:
    card = game.read_card(EXAMPLE, FILE)
    assert card.id == "skirmish"
    assert [table.id for table in card.tables] == ["combat"]
    assert card.options[0].default == "nothing"
    assert card.table("combat").cell("4+", "2-1+").codes == ("DE",)
    assert card.modifiers[0].text == Text(en="Wood", fr="Bois")


def test_the_card_that_is_edited_is_good() -> None:
    assert list(checks.problems(game.read_card(FULL, FILE))) == []


@pytest.mark.parametrize("wrong", _cases())
def test_a_wrong_card_is_refused_with_file_line_key_and_reason(wrong: Wrong) -> None:
    text = edited(wrong.old, wrong.new)
    message = str(refusal(text))
    # What is at fault stands on the first line of `at`, the last of several alike.
    line = text[: text.rindex(wrong.at)].count("\n") + 1
    where = f"{FILE}:{line}: " + (f"{wrong.place}: " if wrong.place else "")
    assert message.startswith(where), message
    for words in wrong.says:
        assert words in message.removeprefix(where), message


@pytest.mark.parametrize("wrong", _cases())
def test_a_wrong_card_is_refused_in_french_too(wrong: Wrong) -> None:
    told = refusal(edited(wrong.old, wrong.new))
    english, french = told.in_("en"), told.in_("fr")
    assert french != english
    assert french.startswith(f"{told.where}: ")
    assert str(told) == english
    for word in ("expected", "near matches", "known:", "missing"):
        assert word not in french


def test_every_check_of_cards_is_tried() -> None:
    tried = {refusal(edited(w.old, w.new)).problem.template for w in WRONG.values()}
    source = Path(checks.__file__).read_text(encoding="utf-8")
    said = {
        node.args[0].value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "say"
        and isinstance(node.args[0], ast.Constant)
    }
    assert said - tried == set()


def test_a_refusal_of_the_whole_file_names_the_file() -> None:
    message = str(refusal("format = 1"))
    assert re.match(rf"{FILE}: the key '\w+' is missing", message)


def test_an_unfinished_file_is_refused_at_its_last_line() -> None:
    text = EXAMPLE.replace('combat = ["wood"]', 'combat = ["wood"')
    last = len(text.splitlines())
    assert str(refusal(text)).startswith(f"{FILE}:{last}: this is not TOML")


def test_french_of_a_refusal_reads_like_french() -> None:
    wrong = WRONG["unknown cap"]
    french = refusal(edited(wrong.old, wrong.new)).in_("fr")
    problem = (
        "modifiers[1].limit: le modificateur « far » nomme « frog », inconnu comme limit ; "
        "vouliez-vous dire : fog ?"
    )
    assert french.endswith(spaced(problem))
