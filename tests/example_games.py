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


# ------------------------------------------------------------------ one doubtful reading

DOUBTFUL_BATTLE = "river-line.ford"
_HALVED = 'when = "cut_off"\ntext = { en = "Cut off"'
_OPTION = """
[[options]]
id = "half"
text = { en = "Units that are cut off", fr = "Les unités isolées" }
choices = [{ id = "halved", text = "halved" }, { id = "full", text = "full" }]

[options.reading]
status = "assumed"
reason = { en = "The print is smudged.", fr = "Le texte est taché." }
"""
_FORD = """
turns = 2
sides = [{ id = "blue", name = "Blue" }, { id = "red", name = "Red" }]

[[units]]
name = "Foot"
side = "blue"
kind = "infantry"
hex = "0102"
move = 3
faces = [{ attack = 4, defence = 4 }]

[[units]]
name = "Line"
side = "red"
kind = "infantry"
hex = "0202"
move = 3
faces = [{ attack = 4, defence = 7 }]

[map]
first = "0101"
grid = \"\"\"
. . .
. . .
. . .
\"\"\"
legend = { "." = ["clear"] }
sources = { blue = ["0303"], red = ["0301"] }
"""


def write_doubtful(folder: Path) -> Path:
    """Write River Line with an option whether a unit that is cut off is halved, and a small battle
    in which that forbids the only attack; give the file of the battle."""
    card = example_card("river-line")
    assert card.count(_HALVED) == 1
    asks = _HALVED.replace('"cut_off"\n', '["cut_off", "half = halved"]\n', 1)
    card = card.replace(_HALVED, asks).replace("[[procedures]]", f"{_OPTION}\n[[procedures]]")
    (folder / "river-line.toml").write_text(card, encoding="utf-8")
    battle = folder / f"{DOUBTFUL_BATTLE}.toml"
    battle.write_text(_FORD, encoding="utf-8")
    return battle
