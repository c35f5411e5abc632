"""Scenarios beside a card: found by their names, listed when broken, refused with the line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard import Refusal
from grognard.maps import scenario
from grognard.rules import game_places
from tests.example_games import BATTLE, FOLDER, look_in

CARD = (FOLDER / "river-line.toml").read_text(encoding="utf-8")
TEXT = (FOLDER / f"{BATTLE}.toml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "river-line.toml").write_text(CARD, encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    yield
    game_places.refresh()


def test_a_file_beside_the_card_is_found_by_its_name(tmp_path: Path) -> None:
    (tmp_path / f"{BATTLE}.toml").write_text(TEXT, encoding="utf-8")
    found = scenario.own(BATTLE)
    assert (found.id, found.game, found.format) == (BATTLE, "river-line", 1)
    assert scenario.of_game("river-line") == (found,)
    assert scenario.load(str(tmp_path / f"{BATTLE}.toml")) == found


def test_a_folder_game_has_its_scenarios_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "grey-water"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "card.toml").write_text(CARD, encoding="utf-8")
    (folder / "scenarios" / "crossing.toml").write_text(TEXT, encoding="utf-8")
    game_places.refresh()
    found = scenario.own("crossing")
    assert (found.id, found.game) == ("crossing", "grey-water")


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / f"{BATTLE}.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert scenario.own(BATTLE).turns == 6
    file.write_text(TEXT.replace("turns = 6", "turns = 3"), encoding="utf-8")
    assert scenario.own(BATTLE).turns == 3


def test_a_broken_scenario_is_listed_with_its_problem_and_the_others_work(tmp_path: Path) -> None:
    (tmp_path / f"{BATTLE}.toml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "river-line.flood.toml").write_text("turns = 0\n", encoding="utf-8")
    found = scenario.library()
    assert [broken.id for broken in found.broken] == ["river-line.flood"]
    assert {BATTLE, "weissenberg"} <= set(found.works)
    with pytest.raises(Refusal, match=r"river-line\.flood\.toml"):
        scenario.own("river-line.flood")


def test_a_name_that_is_taken_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "grey-water"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "card.toml").write_text(CARD, encoding="utf-8")
    (folder / "scenarios" / "weissenberg.toml").write_text(TEXT, encoding="utf-8")
    game_places.refresh()
    (broken,) = scenario.library().broken
    assert "there is another scenario 'weissenberg'" in str(broken.problem)
    assert scenario.own("weissenberg").game == "bautzen"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("turns = 6", 'turns = 6\nid = "other"', r":\d+: id: the id 'other' differs"),
        ("turns = 6", 'turns = 6\ngame = "bauzen"', r":\d+: game: there is no game 'bauzen'"),
        (
            "faces = [{ attack = 3, defence = 2 }]",
            "faces = [{ atack = 3, defence = 2 }]",
            r":\d+: units\[\d+\].faces\[0\].atack: unknown key 'atack'; near matches: attack",
        ),
        (
            "faces = [{ attack = 3, defence = 2 }]",
            'faces = [{ attack = "3", defence = 2 }]',
            r"faces\[0\].attack: expected a whole number, found '3'",
        ),
        (
            "faces = [{ attack = 3, defence = 2 }]",
            'states = ["lost"]\nfaces = [{ attack = 3, defence = 2 }]',
            r"states\[0\]: there is no state 'lost'",
        ),
        (
            "faces = [{ attack = 3, defence = 2 }]",
            'unit_class = "foot"\nfaces = [{ attack = 3, defence = 2 }]',
            "unit_class: there is no unit class 'foot'; known: units",
        ),
    ],
)
def test_a_wrong_scenario_is_refused_with_file_line_key_and_reason(
    old: str, new: str, words: str, tmp_path: Path
) -> None:
    assert old in TEXT
    (tmp_path / f"{BATTLE}.toml").write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Refusal, match=rf"{BATTLE}.toml.*{words}"):
        scenario.own(BATTLE)


def test_a_card_without_a_part_map_says_what_is_missing(tmp_path: Path) -> None:
    bare = CARD.partition("# How it is played")[0]
    bare = "".join(f"{line}\n" for line in bare.splitlines() if not line.startswith("cost"))
    (tmp_path / "river-line.toml").write_text(bare, encoding="utf-8")
    (tmp_path / f"{BATTLE}.toml").write_text(TEXT, encoding="utf-8")
    game_places.refresh()
    with pytest.raises(Refusal, match=r"has no part \[map\]"):
        scenario.own(BATTLE)
