"""The three tiers of the test suite: how many random cases a test draws, what a tier leaves out.

The tests are the same in each tier. `pytest --tier=quick|test|soak` chooses one; `make quick`,
`make test` and `make soak` do so. A test states the number of random cases of the tier `test`
with `sized` or `examples`; the other tiers draw a fixed share or multiple of that number.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, get_args

import pytest
from hypothesis import HealthCheck, settings

Tier = Literal["quick", "test", "soak"]
TESTS: Final = Path(__file__).parent
TIERS: Final = get_args(Tier)
FACTORS: Final[dict[Tier, float]] = {"quick": 0.1, "test": 1, "soak": 100}
# Markers of the tests that a tier leaves out. `quick` does not even import some files.
LEFT_OUT: Final[dict[Tier, tuple[str, ...]]] = {
    "quick": ("browser", "process", "slow", "soak"),
    "test": ("soak",),
    "soak": (),
}
NOT_QUICK_FILES: Final = ("browser", "parallel/test_ray_cluster.py", "web/test_openapi.py")
# Seconds that a test may take in `soak`; the limit of the other tiers stands in pyproject.toml.
SOAK_LIMIT: Final = 12 * 3600

for name in TIERS:
    settings.register_profile(
        name,
        max_examples=round(100 * FACTORS[name]),
        deadline=None,  # a busy machine must not make a test fail
        derandomize=name != "soak",  # soak draws new examples in every run
        print_blob=name == "soak",  # and tells how to repeat those that fail
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )

_chosen: Tier = "test"


def choose(tier: Tier) -> None:
    """Set the tier of this process, before any test module is imported."""
    global _chosen  # noqa: PLW0603  # one process runs one tier
    _chosen = tier
    settings.load_profile(tier)


def sized(test: int, *, quick: int | None = None, soak: int | None = None) -> int:
    """Give the number of random cases: `test`, or what the chosen tier makes of it."""
    stated = {"quick": quick, "test": test, "soak": soak}[_chosen]
    return stated if stated is not None else max(1, round(test * FACTORS[_chosen]))


def examples(test: int) -> settings:
    """Give the settings of a Hypothesis test that draws `test` examples in the tier `test`."""
    return settings(max_examples=sized(test))


def soaked(names: Iterable[str], *long: str) -> list[object]:
    """Give the parameters of a test; those that take long are for `soak` only."""
    return [pytest.param(name, marks=pytest.mark.soak) if name in long else name for name in names]


def left_out(item: pytest.Item) -> bool:
    """Say whether the chosen tier leaves a test out."""
    return any(item.get_closest_marker(name) for name in LEFT_OUT[_chosen])


def unread(path: Path) -> bool:
    """Say whether the chosen tier does not read a file or folder of tests."""
    return _chosen == "quick" and str(path.relative_to(TESTS)) in NOT_QUICK_FILES


def limited(item: pytest.Item) -> None:
    """Give a test the time that its soak size needs."""
    if _chosen == "soak" and item.get_closest_marker("timeout") is None:
        item.add_marker(pytest.mark.timeout(SOAK_LIMIT))
