"""Files that an editor on Windows has written, with a UTF-8 mark and its ends of lines."""

import json
from pathlib import Path

import pytest

from grognard.maps import scenario
from grognard.matches.match import begin, save
from grognard.rules import game
from tests.command import run

EXAMPLES = Path(__file__).parents[2] / "examples"


def _marked(good: Path, folder: Path) -> Path:
    file = folder / f"marked{good.suffix}"
    file.write_bytes(b"\xef\xbb\xbf" + good.read_bytes().replace(b"\n", b"\r\n"))
    return file


def _good(kind: str, folder: Path) -> Path:
    match kind:
        case "record":
            file = folder / "record.json"
            words = ("resolve", EXAMPLES / "bautzen.toml", "--auto", "--seed", "1")
            assert run(*words, "--record", file).exit_code == 0
        case "match":
            file = folder / "match.json"
            save(begin("weissenberg"), file)
        case "json":
            file = folder / "fight.json"
            unit = {"name": "é", "attack": 4, "defence": 4}
            fight = {"game": "bautzen", "attackers": [unit], "defenders": [{**unit, "name": "D"}]}
            file.write_text(json.dumps(fight, ensure_ascii=False), encoding="utf-8")
        case "scenario":
            return scenario.ids()["weissenberg"]
        case "card":
            return game.place("bautzen").folder / "card.toml"
        case "sweep":
            return EXAMPLES / "sweeps" / "bautzen.toml"
        case _:
            return EXAMPLES / "bautzen.toml"
    return file


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("fight", ["explain"]),
        ("json", ["explain"]),
        ("record", ["replay"]),
        ("match", ["map"]),
        ("scenario", ["map"]),
        ("sweep", ["sweep", "--workers", "1"]),
        pytest.param("card", ["report", "bautzen", "--card"], marks=pytest.mark.slow),
    ],
)
def test_a_file_of_a_windows_editor_is_read(kind: str, words: list[str], tmp_path: Path) -> None:
    good = _good(kind, tmp_path)
    plain, marked = run(*words, good), run(*words, _marked(good, tmp_path))
    assert marked.exit_code == plain.exit_code == 0, marked.output
    assert marked.stdout == plain.stdout
