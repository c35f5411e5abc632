"""Parts of rules whose results are kept: those that look at card and options, not at the set-up.

Fights of one evening have the same units over and over. A part that looks at a unit, or at some
numbers, runs once for all of them.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from grognard.rules.ask import Asking, told
from grognard.rules.fight import Case
from grognard.rules.line import Line

P = ParamSpec("P")
T = TypeVar("T")
LARGEST = 4096  # results that are kept of a part


def kept(
    part: Callable[Concatenate[Case[Any], P], T],
) -> Callable[Concatenate[Case[Any], P], T]:
    """Keep the results of a part of the rules.

    It gets a case without a set-up, so that a part which looks at one fails. Of traced numbers
    (see arrays) nothing is kept: to hash one would settle it.
    """
    found: Callable[..., T] = lru_cache(maxsize=LARGEST, typed=True)(part)

    @wraps(part)
    def once(case: Case[Any], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if case.traced:
            return part(case, *args, **kwargs)
        return found(case.bare, *args, **kwargs)

    return once


def told_once(
    part: Callable[Concatenate[Case[Any], P], Asking[T]],
) -> Callable[Concatenate[Case[Any], P], Asking[T]]:
    """Keep the value and the lines of a part of a step that asks nothing, as `kept` does."""

    @kept
    @wraps(part)
    def telling(
        case: Case[Any], /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[T, tuple[Line, ...]]:
        return told(part(case, *args, **kwargs))

    @wraps(part)
    def once(case: Case[Any], /, *args: P.args, **kwargs: P.kwargs) -> Asking[T]:
        value, lines = telling(case, *args, **kwargs)
        if lines:
            yield lines
        return value

    return once
