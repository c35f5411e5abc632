"""A card that is written again keeps the comments and the layout of the text it came from."""

import re
import tomllib
from collections.abc import Callable

import pytest

from grognard.cli.new import FAMILIES, starter
from grognard.rules import game
from grognard.study.workshop.card_text import CardData, card_toml, normal, read_data
from grognard.study.workshop.changes import Change, changed
from grognard.study.workshop.commented_card import written
from grognard.study.workshop.draft import checked
from tests.example_games import FOLDER, GAMES

TEXTS = {id_: (FOLDER / f"{id_}.toml").read_text(encoding="utf-8") for id_ in GAMES}
TEXTS |= {f"starter {family}": starter(family, "en") for family in FAMILIES}
CHANGES = (
    Change("cell", (0, 2, 2), "QQ"),
    Change("modifier", (0, "text"), "Another wording"),
    Change("modifier", (0, "amount"), "2"),
    Change("add-modifier"),
    Change("add-terrain"),
    Change("words", ("about",), "Another description"),
    Change("procedure", ("losses",), "opponent"),
)


def comments(text: str) -> list[str]:
    return sorted(line.partition("#")[2] for line in text.splitlines() if "#" in line)


def headers(text: str) -> list[str]:
    """Give the rows of a card as they follow one another, by the lines that name them."""
    return [line for line in text.splitlines() if line.startswith("id = ")]


@pytest.mark.parametrize("name", TEXTS)
def test_a_card_that_was_not_changed_is_written_as_it_was(name: str) -> None:
    text = TEXTS[name]
    assert written(checked(read_data(text, name)), text) == text


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.do)
@pytest.mark.parametrize("name", TEXTS)
def test_a_change_keeps_every_comment_and_what_the_page_can_not_edit(
    name: str, change: Change
) -> None:
    text = TEXTS[name]
    draft = changed(checked(read_data(text, name)), change, "en")
    again = written(draft, text)
    assert normal(tomllib.loads(again)) == draft
    assert comments(again) == comments(text)
    assert [line for line in again.splitlines() if line in headers(text)] == headers(text)
    before, after = tomllib.loads(text), tomllib.loads(again)
    for part in ("states", "checks", "unit_fields", "map", "options", "phrases"):
        assert after.get(part) == before.get(part), part


APART = """\
[[procedures]]
[[tables]]
grid = [["die", "1:1"], ["1-6", "-"]]
[tables.results]
"-" = "nothing"

# the river
[[facts]]
id = "ford"
[[modifiers]]
id = "ford"
changes = "column"
value = -1
when = "ford"

# the night
[[facts]]
id = "night"
text = \"\"\"
[[modifiers]] at night\"\"\"
[[modifiers]]
id = "night"
changes = "die"
value = -1
when = "night"
[[states]]
id = "tired"
"""


def test_rows_that_stood_apart_stay_apart_and_new_ones_follow_the_last() -> None:
    draft = changed(checked(read_data(APART, "x")), Change("modifier", (1, "amount"), "3"), "en")
    assert written(draft, APART) == APART.replace('"die"\nvalue = -1', '"die"\nvalue = 3')
    draft = changed(checked(read_data(APART, "x")), Change("add-modifier"), "en")
    again = written(draft, APART)
    parts = re.findall(r"^\[\[(\w+)\]\]$", again, re.MULTILINE)
    new = ["facts", "modifiers"]  # what it looks at, and the modifier itself
    first, river, night = ["procedures", "tables"], ["facts", "modifiers"], ["facts", *new]
    assert parts == [*first, *river, *night, "modifiers", "states"]
    assert again.index("# the night") < again.index('id = "night"')


def test_a_row_that_is_removed_takes_only_its_own_lines() -> None:
    text = TEXTS["river-line"]
    draft = changed(checked(read_data(text, "x")), Change("remove-modifier", (0,)), "en")
    again = written(draft, text)
    assert len(comments(again)) == len(comments(text))
    new = set(again.splitlines()) - set(text.splitlines())
    assert new == {"combat = []"}  # the river brings nothing any more
    game.read_card(again, "river-line.toml")


def broken(text: str) -> str:
    return text[: len(text) // 2] + "= ="


@pytest.mark.parametrize("spoil", [broken, lambda _: "", lambda _: "x = [", str.upper])
def test_a_text_that_can_not_be_written_into_is_left_out(spoil: Callable[[str], str]) -> None:
    draft: CardData = checked(read_data(TEXTS["river-line"], "x"))
    assert normal(tomllib.loads(written(draft, spoil(TEXTS["river-line"])))) == draft
    assert written(draft) == card_toml(draft)
