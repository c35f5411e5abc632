"""Facts that stay true once the store has told them, so that it is not asked again."""

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class KnownFacts(Generic[T]):
    """A set of limited size that threads share; when it is full, it begins anew."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._facts = set[T]()
        self._lock = Lock()

    def __contains__(self, fact: T) -> bool:
        return fact in self._facts

    def add(self, fact: T) -> None:
        """Note a fact."""
        with self._lock:
            if len(self._facts) >= self._most:
                self._facts = set()
            self._facts.add(fact)
