"""Compiled odds on the disk: used if they fit, replaced without harm if they do not."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from msgspec.structs import replace

from grognard import load
from grognard.arrays import compiled_odds
from grognard.arrays.batch import Batch
from grognard.fights.chances import Found
from grognard.fights.doctrine import Doctrine
from grognard.fights.odds import found_by_kinds
from grognard.fights.tree import Node
from grognard.files import cache_file
from grognard.files.folders import cache_folder
from grognard.rules.ask import Asking
from grognard.rules.fight import Fight
from grognard.rules.game import ids
from grognard.rules.procedure import Game, Step

COLUMNS = {"attackers[0].attack": np.array([3, 6, 9, 12]), "defender_cl": np.array([0, 1, 0, 2])}


def batch(folder: Path | None, **settings: object) -> Batch:
    stated = {"attackers": [{"name": "A"}], "defenders": [{"name": "D", "defence": 3}]}
    return Batch(load("bautzen"), stated, COLUMNS, folder=folder, **settings)  # type: ignore[arg-type]  # whichever


def answer(folder: Path | None, **settings: object) -> list[object]:
    fights = batch(folder, **settings).fights(COLUMNS)
    return list(fights.exactly("defender_steps_lost"))


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Node]]:
    """The kinds that were not in the file."""
    seen: list[Node] = []

    def counted(node: Node, *doctrines: Doctrine) -> Found:
        seen.append(node)
        return found_by_kinds(node, *doctrines)

    monkeypatch.setattr(compiled_odds, "found_by_kinds", counted)
    return iter([seen])


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_what_is_compiled_is_found_again(tmp_path: Path, worked_out: Iterator[list[Node]]) -> None:
    seen = next(worked_out)
    first = answer(tmp_path)
    assert seen
    assert len(files(tmp_path)) == 1
    seen.clear()
    assert answer(tmp_path) == first
    assert not seen


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:0],
        lambda raw: raw[:40],
        lambda raw: raw[:-1],
        lambda raw: raw[:-5] + bytes([raw[-5] ^ 1]) + raw[-4:],
        lambda raw: b"x" + raw[1:],
        lambda raw: b"not a compiled game" * len(raw),
    ],
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: object) -> None:
    first = answer(tmp_path)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))  # type: ignore[operator]  # a function of the bytes
    assert answer(tmp_path) == first
    assert sorted(path.read_bytes()) == sorted(whole)
    assert answer(tmp_path) == first


def test_every_setting_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(tmp_path)
    answer(tmp_path, defender="hold")
    answer(tmp_path, attacker="hold")
    answer(tmp_path, options={"low_die": "no_effect"})
    assert len(files(tmp_path)) == 4
    monkeypatch.setattr(metadata, "version", lambda _: "99.0")
    answer(tmp_path)
    assert len(files(tmp_path)) == 5


def test_another_card_has_its_own_file(tmp_path: Path) -> None:
    printed = load("bautzen")
    changed = Game(replace(printed.card, numbers=printed.card.numbers[1:]), printed.procedures)
    columns = {"defender_cl": np.array([0])}
    stated = {"attackers": [{"name": "A", "attack": 4}], "defenders": [{"name": "D", "defence": 3}]}
    for game in (printed, changed):
        Batch(game, stated, columns, folder=tmp_path).fights(columns)
    assert len(files(tmp_path)) == 2


def test_other_rules_have_their_own_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer(tmp_path)
    monkeypatch.setattr(compiled_odds, "text_digest", lambda _: b"another text of the rules")
    answer(tmp_path)
    assert len(files(tmp_path)) == 2


def with_first_step(step: Step) -> Game:
    printed = load("bautzen")
    rules = printed.procedure()
    return Game(printed.card, (replace(rules, steps=(step, *rules.steps[1:])),))


def test_another_step_has_its_own_file(tmp_path: Path) -> None:
    def commitments(fight: Fight) -> Asking[Fight]:
        return fight
        yield

    columns = {"defender_cl": np.array([0])}
    stated = {"attackers": [{"name": "A", "attack": 4}], "defenders": [{"name": "D", "defence": 3}]}
    for game in (load("bautzen"), with_first_step(commitments)):
        Batch(game, stated, columns, folder=tmp_path).fights(columns)
    assert len(files(tmp_path)) == 2


def modules_behind_the_odds(id_: str) -> list[str]:
    """List our modules that a process imports to compile the odds of a game."""
    code = (
        "import sys; from grognard import load; from grognard.arrays import compiled_odds; "
        f"load({id_!r}); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split() if name.startswith("grognard.")]


@pytest.mark.slow
@pytest.mark.parametrize("id_", ids())
def test_the_digest_covers_every_module_that_odds_may_depend_on(id_: str) -> None:
    package = f"grognard.games.{id_.replace('-', '_')}"
    covered = {*(f"grognard.{name}" for name in compiled_odds.ENGINE), package}
    found = modules_behind_the_odds(id_)
    assert any(compiled_odds.package_of(name) == package for name in found)
    assert {compiled_odds.package_of(name) for name in found} - {"grognard.games"} <= covered


def test_the_package_of_a_rule() -> None:
    package_of = compiled_odds.package_of
    assert package_of("grognard.games.bautzen.rules") == "grognard.games.bautzen"
    assert package_of("grognard.games.bautzen.combat.losses") == "grognard.games.bautzen"
    assert package_of("grognard.rules.stages") == "grognard.rules"
    assert package_of("my_game.combat.losses") == "my_game"
    assert package_of("__main__") == "__main__"


@pytest.fixture
def own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An author's own package, with folders in it, and a module beside it."""
    package = tmp_path / "own_rules"
    (package / "deep" / "deeper").mkdir(parents=True)
    for folder in (package, package / "deep", package / "deep" / "deeper"):
        (folder / "__init__.py").touch()
    (package / "deep" / "deeper" / "losses.py").write_text("LOSSES = 1\n")
    (tmp_path / "own_module.py").write_text("LOSSES = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


def digest(package: str) -> bytes | None:
    compiled_odds.text_digest.cache_clear()
    return compiled_odds.text_digest(package)


@pytest.mark.parametrize(
    ("package", "file", "counts"),
    [
        ("own_rules", "own_rules/__init__.py", True),
        ("own_rules", "own_rules/deep/deeper/losses.py", True),
        ("own_rules", "own_rules/deep/new.py", True),
        ("own_rules", "own_rules/deep/notes.txt", False),
        ("own_rules", "own_module.py", False),
        ("own_module", "own_module.py", True),
        ("own_module", "beside_it.py", True),
        ("own_module", "own_rules/deep/deeper/losses.py", False),  # a home folder may be large
    ],
)
def test_a_changed_text_changes_the_digest_of_its_package(
    own_rules: Path, package: str, file: str, counts: bool
) -> None:
    before = digest(package)
    (own_rules / file).write_text("LOSSES = 2\n")
    assert (digest(package) != before) == counts


def test_every_package_of_the_engine_has_its_own_text() -> None:
    digests = [digest(f"grognard.{name}") for name in compiled_odds.ENGINE]
    assert None not in digests
    assert len({*digests}) == len(digests)


def test_rules_that_were_typed_in_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their text is in no file, so a change of them could not be noticed."""
    typed = ModuleType("typed")
    monkeypatch.setitem(sys.modules, "typed", typed)

    def commitments(fight: Fight) -> Asking[Fight]:
        return fight
        yield

    commitments.__module__ = "typed"
    columns = {"defender_cl": np.array([0])}
    stated = {"attackers": [{"name": "A", "attack": 4}], "defenders": [{"name": "D", "defence": 3}]}
    Batch(with_first_step(commitments), stated, columns, folder=tmp_path).fights(columns)
    assert files(tmp_path) == []


def test_a_folder_that_cant_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    assert answer(blocked) == answer(None)
    assert blocked.read_text() == "a file where the folder should be"


def test_a_folder_in_the_place_of_the_file_costs_nothing_but_time(tmp_path: Path) -> None:
    first = answer(tmp_path)
    (path,) = files(tmp_path)
    path.unlink()
    path.mkdir()
    assert answer(tmp_path) == first
    assert files(tmp_path) == [path]


def test_two_that_write_at_once_keep_what_both_found(
    tmp_path: Path, worked_out: Iterator[list[Node]]
) -> None:
    seen = next(worked_out)
    one, other = batch(tmp_path), batch(tmp_path)
    one.fights({name: column[:2] for name, column in COLUMNS.items()})
    other.fights({name: column[2:] for name, column in COLUMNS.items()})
    seen.clear()
    answer(tmp_path)
    assert not seen


def test_a_record_that_was_cut_short_loses_only_itself(
    tmp_path: Path, worked_out: Iterator[list[Node]]
) -> None:
    seen = next(worked_out)
    one = batch(tmp_path)
    for row in range(4):
        one.fights({name: column[row : row + 1] for name, column in COLUMNS.items()})
    found = len(seen)
    (path,) = files(tmp_path)
    path.write_bytes(path.read_bytes()[:-3])
    seen.clear()
    first = answer(tmp_path)
    assert 0 < len(seen) < found
    seen.clear()
    assert answer(tmp_path) == first
    assert not seen


def test_the_oldest_files_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_file, "MOST_FILES", 2)
    for age, name in enumerate(("new", "old", "older")):
        path = tmp_path / f"{name}.compiled"
        path.touch()
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "else").touch()
    answer(tmp_path)
    left = [path.stem for path in files(tmp_path)]
    assert "else" in left
    assert "new" in left
    assert len(left) == 3


def test_the_user_may_name_the_folder_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("GROGNARD_CACHE", "")
    assert cache_folder() is None
    monkeypatch.delenv("GROGNARD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "grognard"
