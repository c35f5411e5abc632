"""Settings for all tests: the tier, and no state that one test leaves to the next."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.fights.work_budget import allow
from grognard.rules import game_places
from tests import tiers
from tests.example_games import example_games  # noqa: F401  # a fixture
from tests.postgresql import address, postgresql  # noqa: F401  # fixtures
from tests.processes import let_children_be_interrupted
from tests.refusals import refusals_in_french
from tests.reports import reports  # noqa: F401  # a fixture


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "how much to test: see tests/tiers.py"
    parser.addoption("--tier", choices=tiers.TIERS, default="test", help=text)


def pytest_configure(config: pytest.Config) -> None:
    let_children_be_interrupted()
    tiers.choose(config.getoption("--tier"))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return tiers.unread(collection_path) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if tiers.left_out(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not tiers.left_out(item)]
    for item in items:
        tiers.limited(item)
        if item.get_closest_marker("hypothesis"):
            item.add_marker("no_cover")  # pytest-cov: tracing doubles the time of a test


@pytest.fixture(autouse=True)
def _without_budget() -> None:
    """Lift the work budget that a test set as the server does; a request has its own context."""
    allow(None)


@pytest.fixture(autouse=True)
def _same_games() -> Iterator[None]:
    """Forget a folder of games that a command of the test has named."""
    before = os.environ.get(game_places.FOLDERS, "")
    yield
    if os.environ.get(game_places.FOLDERS, "") != before:
        os.environ[game_places.FOLDERS] = before
        game_places.refresh()


@pytest.fixture(autouse=True, scope="session")
def _french_refusals() -> Iterator[None]:
    """Read the French of every refusal that a test meets."""
    with refusals_in_french():
        yield
