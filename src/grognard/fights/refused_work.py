"""Work that exceeded its budget is not begun again under the same budget."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

from grognard.fights.work_budget import OverBudget, TooHeavy, allowed

P = ParamSpec("P")
T = TypeVar("T")
KEPT = 1_024  # questions that each function remembers


def refused_once(work: Callable[P, T]) -> Callable[P, T]:
    """Remember for which arguments a function needed more than was left of the budget.

    Asked again with no more left, it refuses at once. The arguments must be hashable.
    """
    known: OrderedDict[tuple[Hashable, ...], int] = OrderedDict()  # what was not enough
    lock = Lock()

    @wraps(work)
    def once(*args: P.args, **kwargs: P.kwargs) -> T:
        allowance = allowed()
        if allowance is None:
            return work(*args, **kwargs)
        left = allowance.left
        with lock:
            hopeless = known.get(args, -1) >= left
        if hopeless:
            allowance.spend(left + 1)
        try:
            return work(*args, **kwargs)
        except (OverBudget, TooHeavy):
            with lock:
                known[args] = max(left, known.pop(args, 0))
                while len(known) > KEPT:
                    known.popitem(last=False)
            raise

    return once
