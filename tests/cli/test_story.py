"""`grognard story`: how a match went, as text, JSON and one HTML file."""

import json
from pathlib import Path

import pytest

from grognard.matches.match import save
from grognard.testing.random_matches import random_match
from tests.command import run


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("story") / "match.json"
    save(random_match("weissenberg", 1), path)
    return str(path)


def test_text_tells_points_losses_luck_and_decisions(file: str) -> None:
    result = run("story", file)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "Weissenberg: victory: Germans"
    for head in ("Points by turn", "Losses", "Luck", "Costly decisions"):
        assert head in lines
    assert "  ■ 8 steps, 4 units eliminated" in lines
    french = run("story", file, "--lang", "fr").output
    assert "Décisions coûteuses" in french


def test_json_and_page(file: str, tmp_path: Path) -> None:
    told = json.loads(run("story", file, "--json").output)
    assert told["verdict"]["winner"] == "german"
    assert [turn["turn"] for turn in told["turns"]] == [0, 1, 2, 3, 4]
    page = tmp_path / "match.html"
    assert run("story", file, "-o", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert len(text.encode()) < 1_000_000
    assert "http://www.w3.org" in text  # the name of SVG, and no other address
    assert not [part for part in ("src=", "<link", "https://", "import {") if part in text]


def test_what_is_no_match_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("a = 1\n", encoding="utf-8")
    for name in (str(other), "weissenberg"):
        result = run("story", name)
        assert result.exit_code == 2
        assert "not the file of a match" in result.output


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = run("story", str(tmp_path / "none.json"))
    assert result.exit_code == 2
    assert "can't be read" in result.output


def test_a_page_of_a_series_needs_readings_to_compare(tmp_path: Path) -> None:
    result = run("series", "weissenberg", "-o", str(tmp_path / "balance.html"))
    assert result.exit_code == 2
    assert "add --each-option" in result.output
