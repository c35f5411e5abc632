"""Every game that tests find: those of the package, and the examples that are one file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.rules import game, game_places

FOLDER = Path(__file__).parents[1] / "examples" / "games"
GAMES = sorted(file.stem for file in FOLDER.glob("*.toml") if "." not in file.stem)
BATTLE = "river-line.bridgehead"
FOUND = sorted({*game.ids(), *GAMES})
SMALL_CARD = """
[[procedures]]
[[tables]]
grid = \"\"\"
die  1:1  2:1
1-3  AR   DR
4-6  DR   DE
\"\"\"
[tables.results]
AR = "attacker retreats 1"
DR = "defender retreats 1"
DE = "defender is eliminated"
"""


def look_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for games in a folder, and nowhere else besides the package."""
    monkeypatch.setenv(game_places.FOLDERS, str(folder))
    game_places.refresh()


@pytest.fixture
def example_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Find the example games besides those of the package, until the test ends."""
    with monkeypatch.context() as patched:
        look_in(FOLDER, patched)
        yield
    game_places.refresh()


# A test or a module with this mark finds all of FOUND.
finds_examples = pytest.mark.usefixtures("example_games")


def example_card(id_: str) -> str:
    """Give the text of the card of an example."""
    return (FOLDER / f"{id_}.toml").read_text(encoding="utf-8")


def procedures() -> list[tuple[str, str]]:
    """Give every procedure of every game that is found."""
    cards = {id_: game.read_card(example_card(id_), f"{id_}.toml") for id_ in GAMES}
    made = [(id_, row.id) for id_, card in cards.items() for row in card.procedures]
    return [(id_, p.id) for id_ in game.ids() for p in game.load(id_).procedures] + made
