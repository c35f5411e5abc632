"""The whole application, for tests that only ask it."""

from collections.abc import Iterator

import httpx
import pytest

from grognard.web.app import create
from tests.web.serving import served


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Serve the application on a file of its own."""
    with served(create(tmp_path_factory.mktemp("site") / "matches.sqlite")) as client:
        yield client
