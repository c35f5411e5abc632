"""Work that exceeded its budget is not begun again under the same budget."""

import pytest

from grognard.fights import refused_work
from grognard.fights.refused_work import refused_once
from grognard.fights.work_budget import OverBudget, TooHeavy, allow, allow_light, allowed

begun: list[int] = []


@refused_once
def costly(cost: int) -> int:
    """Need so much of the budget."""
    begun.append(cost)
    allowance = allowed()
    for _ in range(cost if allowance else 0):
        assert allowance is not None
        allowance.spend(1)
    return cost


@pytest.fixture(autouse=True)
def _from_the_start() -> None:
    begun.clear()


def test_the_same_work_is_refused_at_once() -> None:
    for _ in range(3):
        allow(10)
        with pytest.raises(OverBudget, match="more than 10 situations"):
            costly(11)
    assert begun == [11]


def test_a_larger_budget_tries_again() -> None:
    allow(10)
    with pytest.raises(OverBudget):
        costly(12)
    allow(20)
    assert costly(12) == 12
    allow(None)
    assert costly(12) == 12
    assert begun == [12, 12, 12]


def test_what_light_work_may_not_do_is_handed_on_at_once_and_done_elsewhere() -> None:
    for _ in range(2):
        allow_light(5)
        with pytest.raises(TooHeavy):
            costly(7)
    allow(10)
    assert costly(7) == 7
    assert begun == [7, 7]


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refused_work, "KEPT", 2)
    for cost in (101, 102, 103, 101):
        allow(100)
        with pytest.raises(OverBudget):
            costly(cost)
    assert begun == [101, 102, 103, 101]
