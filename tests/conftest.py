"""Settings for all tests."""

import pytest
from hypothesis import HealthCheck, settings

from grognard.fights.work_budget import allow

# No test is timed: a busy machine must not make one fail. The examples are the same in every run.
settings.register_profile(
    "grognard",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("grognard")


@pytest.fixture(autouse=True)
def _without_limit() -> None:
    """A test that asks as the server does must not leave its limit to the next; every request has
    a context of its own."""
    allow(None)
