"""The example games that are one file, and how tests look for games in a folder."""

from pathlib import Path

import pytest

from grognard.rules import game_places

FOLDER = Path(__file__).parents[1] / "examples" / "games"
GAMES = sorted(file.stem for file in FOLDER.glob("*.toml") if "." not in file.stem)
BATTLE = "river-line.bridgehead"


def look_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for games in a folder, and nowhere else besides the package."""
    monkeypatch.setenv(game_places.FOLDERS, str(folder))
    game_places.refresh()
