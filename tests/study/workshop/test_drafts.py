"""Drafts: cards as data and back, changes of every kind, and what is kept."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

from grognard.card.card import Card, encode_hook
from grognard.rules import game, game_places
from grognard.study.workshop import changes
from grognard.study.workshop.card_text import CardData, card_toml, read_data
from grognard.study.workshop.changes import Change, changed
from grognard.study.workshop.draft import checked, playable, read_draft
from grognard.study.workshop.kept_games import Exists, keep
from grognard.study.workshop.sample import Sample, rules_of, stated
from grognard.study.workshop.table_draft import pasted
from grognard.words.refusal import Refusal
from tests.tiers import examples

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "games").glob("**/*.toml"))
CARDS = [file for file in EXAMPLES if "[[tables]]" in file.read_text(encoding="utf-8")]
TABLE = "die 1-2 1-1 2-1 3-1\n1-2 AE AR EX DR\n3-4 AR - DR DR\n5-6 - DR DE DE"


def plain(card: Card) -> object:
    return msgspec.to_builtins(card, enc_hook=encode_hook)


@pytest.fixture
def draft() -> CardData:
    return checked({"name": "Ford", "tables": [pasted(TABLE, {})]})


def after(card: CardData, *done: tuple[Any, ...]) -> CardData:
    for do, at, value in done:
        card = changed(card, Change(do, at, value), "en")
    return card


def chance(card: CardData, sample: Sample, of: str) -> str:
    rules = rules_of(card_toml(playable(card)))
    return str(rules.fight(stated(rules, sample).setup).odds().chance(of))


@pytest.mark.parametrize("file", CARDS, ids=lambda file: file.stem)
def test_every_example_comes_back_from_the_workshop(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    data = checked(read_data(text, file.name))
    written = card_toml(data)
    assert plain(game.read_card(written, str(file))) == plain(game.read_card(text, str(file)))
    assert checked(read_data(written, file.name)) == data


def test_a_pasted_table_is_a_card(draft: CardData) -> None:
    assert read_draft(draft)[1] == []
    # 2-1: EX, DR, DE with a third each; the defender is gone with EX (8 to 4) and DE.
    assert chance(draft, Sample(attack=8, defence=4), "defender_eliminated") == "2/3"


def test_a_line_of_the_card_has_its_fact_and_changes_the_odds(draft: CardData) -> None:
    made = after(
        draft,
        ("add-modifier", (), ""),
        ("modifier", (0, "text"), "Across a river"),
        ("add-terrain", (), ""),
        ("terrain", (0, "text"), "Woods"),
        ("terrain", (0, "changes"), "column"),
        ("terrain", (0, "amount"), "−2"),
        ("add-modifier", (), "marked"),
        ("modifier", (2, "text"), "Cut off"),
    )
    assert [row["id"] for row in made["modifiers"]] == ["across_a_river", "woods", "cut_off"]
    assert [row["id"] for row in made["facts"]] == ["across_a_river"]
    assert read_draft(made)[1] == []
    on_river = Sample(attack=8, defence=4, facts={"across_a_river": True})
    assert chance(made, on_river, "defender_eliminated") == "0"  # 1-1: AR, -, DR
    in_woods = Sample(attack=8, defence=4, terrain=("woods",))
    assert chance(made, in_woods, "attacker_eliminated") == "1/3"  # 1-2: AE, AR, -
    both_cut_off = Sample(attack=8, defence=4, marked=("cut_off",))
    assert chance(made, both_cut_off, "defender_eliminated") == "2/3"  # 4 to 2
    less = after(made, ("remove-modifier", (0,), ""), ("remove-terrain", (0,), ""))
    assert "facts" not in less
    assert "terrain" not in less
    assert [row["id"] for row in less["modifiers"]] == ["cut_off"]


def test_meanings_are_picked(draft: CardData) -> None:
    made = after(
        draft,
        ("effect", (0, "DR", 0, 0, "amount"), "2"),
        ("add-effect", (0, "DR"), "or"),
        ("chooser", (0, "DR"), "attacker"),
        ("effect", (0, "AR", 0, 0, "what"), "check:morale"),
        ("effect", (0, "EX", 0, 0, "what"), "lose"),
        ("effect", (0, "EX", 0, 0, "side"), "both"),
    )
    assert made["tables"][0]["results"] | {"AE": "", "DE": ""} == {
        "AE": "",
        "AR": "attacker checks morale",
        "EX": "both lose 1 step",
        "DR": "defender retreats 2 or defender loses 1 step, attacker chooses",
        "-": "nothing",
        "DE": "",
    }
    assert [row["id"] for row in made["checks"]] == ["morale"]
    assert [row["id"] for row in made["states"]] == ["disrupted"]
    assert read_draft(made)[1] == []
    back = after(made, ("remove-effect", (0, "DR", 1, 0), ""))
    assert back["tables"][0]["results"]["DR"] == "defender retreats 2"


def test_cells_rows_and_columns(draft: CardData) -> None:
    made = after(
        draft,
        ("cell", (0, 1, 1), "Q"),
        ("add-line", (0,), "column"),
        ("add-line", (0,), "row"),
        ("remove-line", (0, 2), "row"),
        ("dice", (0,), "d8"),
        ("family", (0,), "difference"),
        ("procedure", ("rounding",), "nearest"),
    )
    table = made["tables"][0]
    assert table["grid"][1] == ["1-2", "Q", "AR", "EX", "DR", ""]
    assert len(table["grid"]) == 4
    assert table["results"]["Q"] == ""
    assert (table["dice"], table["columns"]) == ("d8", {"of": "difference"})
    assert made["procedures"] == [{"rounding": "nearest"}]


WORDS = st.sampled_from(["", "1", "-9", "what", "side", "text", "state:x", "AE", "name", "[[x]]"])


@examples(150)
@given(
    st.sampled_from(sorted(changes._CHANGES)),
    st.lists(st.integers(-2, 9) | WORDS, max_size=5).map(tuple),
    WORDS | st.just(TABLE),
)
def test_any_change_gives_a_draft_or_a_refusal(
    do: str, at: tuple[int | str, ...], value: str
) -> None:
    card = checked({"name": "Ford", "tables": [pasted(TABLE, {})], "terrain": [{"id": "wood"}]})
    with suppress(Refusal):
        read_draft(changed(card, Change(do, at, value), "en"))


# ------------------------------------------------------------------ keeping


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("grognard.study.workshop.kept_games.data_folder", lambda: tmp_path)
    monkeypatch.setattr("grognard.rules.game_places.data_folder", lambda: tmp_path)
    game_places.refresh()
    return tmp_path / "games"


def test_a_kept_draft_is_a_game(draft: CardData, own: Path) -> None:
    assert keep(draft, replace=False) == "ford"
    assert game.load("ford").card.name.en == "Ford"
    with pytest.raises(Exists):
        keep(draft, replace=False)
    changed_ = after(draft, ("words", ("about",), "Second edition"))
    assert keep(changed_, replace=True) == "ford"
    assert game.load("ford").card.about.en == "Second edition"
    assert [file.name for file in own.iterdir()] == ["ford.toml"]


@pytest.mark.parametrize("name", ["../../evil", "/etc/evil", "evil\x00", "..\\evil", "  Évil! "])
def test_no_name_leaves_the_folder(draft: CardData, own: Path, name: str) -> None:
    id_ = keep({**draft, "name": name}, replace=False)
    assert id_.endswith("evil")
    assert [file.name for file in own.iterdir()] == [f"{id_}.toml"]


@pytest.mark.parametrize("name", ["", "…", "../.."])
def test_a_game_needs_a_name(draft: CardData, own: Path, name: str) -> None:
    with pytest.raises(Refusal, match="needs a name"):
        keep({**draft, "name": name}, replace=True)
    assert not own.exists()


def test_a_game_of_the_package_is_never_replaced(draft: CardData, own: Path) -> None:
    with pytest.raises(Refusal, match="another game 'bautzen'"):
        keep({**draft, "name": "Bautzen"}, replace=True)
    assert not own.exists()


def test_an_unfinished_draft_is_not_kept(draft: CardData, own: Path) -> None:
    with pytest.raises(Refusal):
        keep(after(draft, ("cell", (0, 1, 1), "Q")), replace=True)
    assert not own.exists()
