"""Commands of the map for a game that its card alone brings to it."""

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest

from grognard.rules import game_places
from tests.command import run
from tests.example_games import BATTLE, FOLDER, look_in


@pytest.fixture(autouse=True)
def _found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("river-line", BATTLE):
        copy(FOLDER / f"{name}.toml", tmp_path)
    look_in(tmp_path, monkeypatch)
    yield
    game_places.refresh()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "words"), [("en", "Rough ground or town"), ("fr", "Terrain accidenté ou ville")]
)
def test_it_plays_itself_to_a_verdict(lang: str, words: str) -> None:
    result = run(
        "play", BATTLE, "--auto", "all", "--level", "sergeant", "--seed", "3", "--lang", lang
    )
    assert result.exit_code == 0, result.output
    assert words in result.stdout
    assert "vict" in result.stdout.strip().splitlines()[-1]


@pytest.mark.slow
def test_a_match_is_saved_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    typed = f"move 'Lancers' 0307\nsave {file}\nquit\n"
    assert run("play", BATTLE, stdin=typed).exit_code == 0
    assert json.loads(file.read_text(encoding="utf-8"))["scenario"] == BATTLE
    result = run("play", file, "--auto", "all", "--level", "sergeant", "--seed", "1")
    assert result.exit_code == 0, result.output


def test_the_map_is_drawn_with_the_looks_of_the_card(tmp_path: Path) -> None:
    result = run("map", BATTLE, "-o", tmp_path / "map.svg")
    assert result.exit_code == 0, result.output
    drawn = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert 'fill="#e4ecc8"' in drawn  # the orchard
    assert 'id="ground-wood"' in drawn
    assert 'data-unit="Blue Armour"' in drawn


def test_a_series_of_it_is_played() -> None:
    result = run("series", BATTLE, "--matches", "1", "--workers", "1")
    assert result.exit_code == 0, result.output
    assert "The Bridgehead: 1 automatic match" in result.stdout


def test_broken_scenarios_are_listed_with_their_problem(tmp_path: Path) -> None:
    (tmp_path / "river-line.flood.toml").write_text("turns = 0\n", encoding="utf-8")
    listed = run("scenarios", "--lang", "fr").stdout
    assert "La Tête de pont" in listed
    assert "river-line.flood" in listed
    assert "river-line.flood.toml" in listed
