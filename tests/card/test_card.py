"""Cards of the games: whole, unchangeable, every cell read; conditions, axes, options."""

import re
import tomllib
from fractions import Fraction

import msgspec
import pytest

from grognard.card import checks
from grognard.card.card import Card, decode_hook, shared_phrases
from grognard.card.modifier_rows import Comparison, Condition
from grognard.card.modifier_rows import Test as Look
from grognard.card.tables import Axis
from grognard.maps import scenario
from grognard.rules import game
from grognard.words.refusal import Refusal
from grognard.words.text import Text
from tests.card.full_card import FILE, ROOT, edited, refusal
from tests.example_games import FOUND, finds_examples

GAMES = game.ids()
pytestmark = finds_examples

# ------------------------------------------------------------------ the cards of the games


def _text(id_: str) -> str:
    file = ROOT / "src" / "grognard" / "games" / id_.replace("-", "_") / "card.toml"
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("id_", FOUND)
def test_a_game_has_a_card_without_problems(id_: str) -> None:
    card = game.card(id_)
    assert card.id == id_
    assert card.format == 1
    assert list(checks.problems(card)) == []
    assert game.card(id_) is card, "a card is read once"


@pytest.mark.parametrize("id_", GAMES)
def test_a_cell_that_is_not_in_the_legend_is_found_in_a_real_card(id_: str) -> None:
    first = game.card(id_).tables[0]
    cell = first.grid[1][1]
    text = _text(id_)
    start = text.index(f'"{cell}"', text.index("grid = ["))
    broken = text[:start] + '"ZZZ"' + text[start + len(cell) + 2 :]
    line = broken[:start].count("\n") + 1
    message = str(refusal(broken))
    assert message.startswith(f"{FILE}:{line}: tables[0].grid[1][1]: "), message
    assert "ZZZ" in message


@pytest.mark.parametrize("id_", GAMES)
def test_a_lost_cell_is_found_in_a_real_card(id_: str) -> None:
    text = _text(id_)
    start = text.index("grid = [")
    end = text.index("],\n]", start)
    comma = text.rindex(",", start, end)
    broken = text[:comma] + text[end:]
    message = str(refusal(broken))
    line = broken[:comma].count("\n") + 1
    assert message.startswith(f"{FILE}:{line}: tables[0].grid["), message
    assert "cells; expected" in message


@pytest.mark.parametrize("id_", GAMES)
def test_a_card_that_comes_with_grognard_has_every_text_in_both_languages(id_: str) -> None:
    """The types alone accept it; a wording in one language needs to be completed first."""
    msgspec.convert(tomllib.loads(_text(id_)), Card, dec_hook=decode_hook)


@pytest.mark.parametrize("words", ['"Night"', '{ en = "Night" }', '{ fr = "Night" }'])
def test_one_wording_stands_for_both_languages(words: str) -> None:
    text = edited('{ en = "Night", fr = "Nuit" }', words)
    (night,) = (fact for fact in game.read_card(text, FILE).facts if fact.id == "night")
    assert night.text == Text("Night", "Night")


@pytest.mark.parametrize("id_", GAMES)
def test_every_option_changes_something(id_: str) -> None:
    card = game.card(id_)
    folder = ROOT / "src" / "grognard" / "games" / id_.replace("-", "_")
    rules = " ".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    for shared in ("rules", "matches"):
        for file in (ROOT / "src" / "grognard" / shared).rglob("*.py"):
            rules += file.read_text(encoding="utf-8")
    facts = {
        test.fact
        for modifier in card.modifiers
        for when in (modifier.when, *(instead.when for instead in modifier.instead))
        for condition in when
        for test in condition.tests
    }
    cells = {d.reading.option for table in card.tables for d in table.doubts if d.instead}
    battles = scenario.of_game(id_)
    parts = [part.when for s in battles for part in s.areas]
    parts += [part.when for s in battles for part in s.units]
    for option in card.options:
        used = option.id in facts | cells or f'"{option.id}"' in rules
        used = used or any(option.id in when for when in parts)
        assert used, f"option {option.id} of {id_} has no effect"


@pytest.mark.parametrize("id_", GAMES)
def test_the_readme_of_a_game_lists_its_options_and_choices(id_: str) -> None:
    folder = ROOT / "src" / "grognard" / "games" / id_.replace("-", "_")
    page = (folder / "README.md").read_text(encoding="utf-8")
    part = page.split("\n## Options\n")[1].split("\n## ")[0]
    rows = [line.split("|") for line in part.splitlines() if line.startswith("| `")]
    listed = {row[1].strip(" `"): re.findall(r"\w+", " ".join(row[2:])) for row in rows}
    options = game.card(id_).options
    assert list(listed) == [option.id for option in options]
    for option in options:
        choices = [choice.id for choice in option.choices]
        assert [word for word in listed[option.id] if word in choices] == choices, option.id


# ------------------------------------------------------------------ values


@pytest.mark.parametrize("id_", FOUND)
def test_a_card_can_not_be_changed(id_: str) -> None:
    card = game.card(id_)
    parts: list[msgspec.Struct] = [
        card,
        card.name,
        card.tables[0],
        card.tables[0].rows,
        card.tables[0].results[0],
        card.modifiers[0],
        card.modifiers[0].reading,
        *(option.choices[0] for option in card.options[:1]),
        *card.numbers[:1],
    ]
    for part in parts:
        for field in part.__struct_fields__:
            with pytest.raises(AttributeError):
                setattr(part, field, None)
        with pytest.raises(AttributeError):
            part.extra = 1  # type: ignore[attr-defined]


def _mappings(part: object) -> list[object]:
    """Find every mapping inside a card."""
    if isinstance(part, msgspec.Struct):
        inner = [getattr(part, field) for field in part.__struct_fields__]
        return [found for value in inner for found in _mappings(value)]
    if isinstance(part, tuple):
        return [found for value in part for found in _mappings(value)]
    return [part] if hasattr(part, "keys") else []


@pytest.mark.parametrize("id_", FOUND)
def test_mappings_of_a_card_can_not_be_changed(id_: str) -> None:
    found = _mappings(game.card(id_))
    assert found
    for mapping in found:
        with pytest.raises(TypeError):
            mapping["x"] = 1  # type: ignore[index]
        with pytest.raises(TypeError):
            del mapping["x"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("id_", FOUND)
def test_a_card_holds_tuples_and_no_lists(id_: str) -> None:
    def lists(part: object) -> bool:
        if isinstance(part, msgspec.Struct):
            return any(lists(getattr(part, field)) for field in part.__struct_fields__)
        return isinstance(part, list | dict | set) or (
            isinstance(part, tuple) and any(map(lists, part))
        )

    assert not lists(game.card(id_))


@pytest.mark.parametrize(
    ("words", "tests"),
    [
        ("night", [Look("night", Comparison.HOLDS, None, False)]),
        ("not supplied", [Look("supplied", Comparison.HOLDS, None, True)]),
        ("range >= 3", [Look("range", Comparison.AT_LEAST, 3, False)]),
        ("not range <= -1", [Look("range", Comparison.AT_MOST, -1, True)]),
        ("terrain has town|wood", [Look("terrain", Comparison.HAS, ("town", "wood"), False)]),
        ("weather = clear", [Look("weather", Comparison.IS, ("clear",), False)]),
        (
            "dug_in or terrain has town",
            [
                Look("dug_in", Comparison.HOLDS, None, False),
                Look("terrain", Comparison.HAS, ("town",), False),
            ],
        ),
    ],
)
def test_a_condition_is_written_in_words(words: str, tests: list[Look]) -> None:
    condition = Condition(words)
    assert list(condition.tests) == tests
    assert str(condition) == words


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Night",
        "range > 3",
        "range >=",
        "range >= x",
        "has town",
        "a b",
        "a or",
        "a  or b",
    ],
)
def test_other_words_are_no_condition(words: str) -> None:
    with pytest.raises(Refusal, match="is not a condition"):
        Condition(words)


AXIS = Axis(text=Text(en="odds", fr="rapport"), starts=(Fraction(1, 3), Fraction(1), Fraction(4)))


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (Fraction(1, 3), 0),
        (Fraction(999, 1000), 0),
        (1, 1),
        (Fraction(7, 2), 1),
        (4, 2),
        (10**9, 2),
    ],
)
def test_a_value_falls_into_the_last_place_that_it_reaches(
    value: Fraction | int, place: int
) -> None:
    assert AXIS.position(value) == place


def test_a_value_below_the_first_falls_into_it_unless_the_axis_says_none() -> None:
    assert AXIS.position(0) == 0
    closed = msgspec.structs.replace(AXIS, below="none")
    assert closed.position(0) is None
    assert closed.position(Fraction(1, 3)) == 0


def test_an_axis_without_values_has_no_places() -> None:
    words = msgspec.structs.replace(AXIS, starts=(), below="none")
    assert words.position(1) is None


# ------------------------------------------------------------------ reading cells


def _read(row: str, column: str, side: str, **chosen: str) -> str:
    table = game.card("white-october").table("combat")
    assert side in ("attacker", "defender")
    return str(table.read(row, column, chosen, "attacker" if side == "attacker" else "defender"))


@pytest.mark.parametrize(
    ("cell", "chosen", "read"),
    [
        (("m1", "4", "attacker"), {}, "D:1r/rd"),
        (("m1", "4", "attacker"), {"damaged_cells": "fill"}, "D:1r/rd"),
        (("m1", "4", "attacker"), {"damaged_cells": "fill_1d"}, "D:1r/1d"),
        (("m1", "4", "attacker"), {"damaged_cells": "fill_1d_rd"}, "D:1r/1d/rd"),
        (("m2", "4", "attacker"), {"damaged_cells": "fill_1d_rd"}, "D:1r/rd"),
        (("m1", "4", "attacker"), {"damaged_cells": "legible"}, "D:1r"),
        (("m1", "4", "defender"), {"damaged_cells": "legible"}, "r/d"),
        (("m2", "6", "defender"), {"damaged_cells": "legible"}, ""),
        (("m2", "6", "attacker"), {"damaged_cells": "refuse"}, "D:r/d"),
        (("m6", "4", "attacker"), {"c4_m6_chooser": "owner"}, "2/1r/1d"),
        (("m6", "4", "attacker"), {"damaged_cells": "refuse"}, "D:2/1r/1d"),
        (("m5", "8", "attacker"), {"c8_slash_one": "defender"}, "1da"),
        (("m5", "8", "defender"), {"c8_slash_one": "defender"}, "r/d/1"),
        (("m6", "11", "defender"), {"c11_m6": "attacker"}, "r2/1r/1d"),
    ],
)
def test_a_doubtful_cell_is_read_as_the_option_says(
    cell: tuple[str, str, str], chosen: dict[str, str], read: str
) -> None:
    assert _read(*cell, **chosen) == read


def test_a_damaged_cell_can_be_refused() -> None:
    with pytest.raises(Refusal) as caught:
        _read("m1", "4", "defender", damaged_cells="refuse")
    for words in ("m1", "4", "combat", "damaged_cells"):
        assert words in str(caught.value)
    assert "abîmée" in caught.value.in_("fr")


def test_a_doubtful_whole_cell_is_read_as_the_option_says() -> None:
    table = game.card("normandy").table("determined-defence")
    assert table.read("5", "open", {}).options == (("-1",),)
    assert table.read("5", "open", {"dd_row_five": "cancelled"}).options == (("●", "-1"),)


def test_a_pair_is_read_for_each_side() -> None:
    table = game.card("bautzen").table("combat")
    assert str(table.read("1", "1/2-", {}, "attacker")) == "3"
    assert str(table.read("1", "1/2-", {}, "defender")) == "0"


@pytest.mark.parametrize("id_", FOUND)
def test_every_cell_is_read_under_every_choice_of_every_option(id_: str) -> None:
    card = game.card(id_)
    chosen = [{option.id: choice.id} for option in card.options for choice in option.choices]
    for options in ({}, *chosen):
        for table in card.tables:
            _read_all(card, table.id, options)


def _read_all(card: Card, id_: str, chosen: dict[str, str]) -> None:
    table = card.table(id_)
    for row in table.row_labels:
        for column in table.column_labels:
            try:
                if table.cells == "codes":
                    table.read(row, column, chosen)
                else:
                    table.read(row, column, chosen, "attacker")
                    table.read(row, column, chosen, "defender")
            except Refusal as refusal:
                assert "is damaged in print" in str(refusal)  # noqa: PT017  # the only one allowed


# ------------------------------------------------------------------ options


def test_settings_are_completed_with_the_defaults() -> None:
    card = game.card("bautzen")
    chosen = card.chosen({"low_die": "no_effect"})
    assert chosen["low_die"] == "no_effect"
    assert chosen["ratio_clamp"] == "before"
    assert set(chosen) == {option.id for option in card.options}


def test_an_unknown_option_is_refused_with_the_near_matches() -> None:
    with pytest.raises(Refusal, match="bautzen has no option 'low_dye'; near matches: low_die"):
        game.card("bautzen").chosen({"low_dye": "row_1"})


def test_an_unknown_choice_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refusal, match="low_die is never 'x'; known: row_1, no_effect"):
        game.card("bautzen").chosen({"low_die": "x"})


def test_an_unknown_game_is_refused_with_the_near_matches() -> None:
    with pytest.raises(Refusal, match="there is no game 'normandie'; near matches: normandy"):
        game.card("normandie")


def test_phrases_of_the_card_come_before_those_of_all_games() -> None:
    card = game.card("bautzen")
    assert card.phrase("commit-cl") == card.phrases["commit-cl"]
    assert card.phrase("combat-roll") == shared_phrases()["combat-roll"]


def test_numbers_are_exact() -> None:
    assert game.card("bautzen").number("hq_alone") == Fraction(1, 2)
    assert game.card("normandy").number("factor_cap") == 18
