"""Atomic writes: a file is replaced as a whole, and is on the disk before its name is."""

import os
from pathlib import Path

import pytest

from grognard import Refusal
from grognard.files import atomic_file


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The calls that bring a file to the disk, in order, each with the name of its file."""
    seen: list[tuple[str, str]] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(handle: int) -> None:
        seen.append(("fsync", Path(f"/proc/self/fd/{handle}").readlink().name))
        fsync(handle)

    def noted_replace(path: Path, target: Path) -> Path:
        seen.append(("rename", target.name))
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    return seen


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="names of open files are in /proc")
def test_the_file_is_on_the_disk_before_the_rename_and_the_folder_after_it(
    tmp_path: Path, calls: list[tuple[str, str]]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    atomic_file.write(folder / "match.json", b"{}")
    (first, written), renamed, (last, synced) = calls
    assert first == "fsync"
    assert written.startswith(".match.json.")
    assert written.endswith(".part")
    assert renamed == ("rename", "match.json")
    assert (last, synced) == ("fsync", "folder")
    assert (folder / "match.json").read_bytes() == b"{}"


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "match.json"
    target.write_text("old")

    def write_half() -> None:
        with atomic_file.whole_file(target) as beside:
            beside.write_text("half of the new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_can_not_be_synced_does_not_replace_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "match.json"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refusal, match="No space left"):
        atomic_file.write(target, b"new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
