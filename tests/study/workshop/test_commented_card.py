"""A card that is written again keeps the comments and the layout of the text it came from."""

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
    before, after = tomllib.loads(text), tomllib.loads(again)
    for part in ("states", "checks", "unit_fields", "map", "options", "phrases"):
        assert after.get(part) == before.get(part), part


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
