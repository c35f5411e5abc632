"""The user's folders on Linux, and the environment variables that name others."""

import sys
from pathlib import Path

import pytest

from grognard.files.folders import cache_folder, data_folder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GROGNARD_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_by_default_they_are_in_the_home_folder(home: Path) -> None:
    assert cache_folder() == home / ".cache" / "grognard"
    assert data_folder() == home / ".local" / "share" / "grognard"


def test_the_desktop_s_variables_name_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert cache_folder() == tmp_path / "cache" / "grognard"
    assert data_folder() == tmp_path / "data" / "grognard"


@pytest.mark.parametrize("value", ["", "relative/folder"])
def test_a_variable_that_is_empty_or_relative_does_not_count(
    home: Path, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("XDG_DATA_HOME", value)
    assert cache_folder() == home / ".cache" / "grognard"
    assert data_folder() == home / ".local" / "share" / "grognard"


def test_our_own_variable_names_the_cache_or_turns_it_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.setenv("GROGNARD_CACHE", "")
    assert cache_folder() is None


def test_no_folder_is_made(home: Path) -> None:
    cache_folder()
    data_folder()
    assert list(home.iterdir()) == []
