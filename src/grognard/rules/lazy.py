"""A value of an object that is found when it is first read, and kept in its `__dict__`."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Lazy(Generic[T]):
    """As `functools.cached_property`, without its lock: that costs as much as most of what is found
    here. Two threads may find a value twice, and then they find equal ones."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find, self._name = find, find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, of: None, kind: type) -> "Lazy[T]": ...

    @overload
    def __get__(self, of: object, kind: type) -> T: ...

    def __get__(self, of: object | None, kind: type) -> "Lazy[T] | T":
        if of is None:
            return self
        value = of.__dict__[self._name] = self._find(of)
        return value
