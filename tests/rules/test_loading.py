"""The first use of the library: by several threads at once, and the names that it gives."""

import subprocess
import sys
from pathlib import Path

import pytest

import grognard
from grognard.rules import game

SCRIPT = Path(__file__).with_name("first_use.py")


def first_use() -> None:
    """Run four threads in a fresh interpreter; a crash ends it with a signal."""
    ran = subprocess.run(
        [sys.executable, SCRIPT], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("_", range(4))
def test_four_threads_may_load_every_game_at_once(_: int) -> None:
    first_use()


@pytest.mark.soak
@pytest.mark.parametrize("_", range(100))
def test_four_threads_may_load_every_game_at_once_many_times(_: int) -> None:
    first_use()


def test_games_are_listed_before_and_after_one_is_loaded() -> None:
    """The package of the games has the name of the function."""
    found = game.ids()
    assert grognard.games() == found
    grognard.load("bautzen")
    assert grognard.games() == found
