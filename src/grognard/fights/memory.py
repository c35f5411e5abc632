"""What is kept while odds are worked out: trees, values, and the ends of fights.

All kinds of fights under the same rules share a memory: those that come to equal fights once the
table is read share everything after it.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Any, Generic, TypeVar

from msgspec import Struct

from grognard.fights.chances import Found, Worth
from grognard.fights.doctrine import Doctrine
from grognard.fights.kind import Doubt
from grognard.fights.tree import Changes, Chosen, Node
from grognard.rules.fight import Case, Fight
from grognard.rules.procedure import Carried

T = TypeVar("T")


class Known(Struct, Generic[T], frozen=True, gc=False):
    """A cached value, and the doubtful lines met while it was worked out; they never change."""

    value: T
    doubts: dict[Doubt, None]


_BySteps = defaultdict[int, dict[Fight, Known[T]]]


# What ends depend on: the least of a fight, and fields with which outcomes are completed.
EndsKey = tuple[Fight, Carried]


class Memory:
    """Cached trees and values of fights by step, and the ends of fights whose table is read."""

    def __init__(self) -> None:
        self.trees: _BySteps[Node] = defaultdict(dict)
        self.worths: _BySteps[Worth] = defaultdict(dict)
        self.picks: dict[Chosen, Known[int]] = {}
        # Where fights come to by steps that ask nothing.
        self.onward: _BySteps[tuple[int, Fight]] = defaultdict(dict)
        self.ends: dict[EndsKey, Known[Found]] = {}
        self.unnamed: dict[Fight, Known[Found]] = {}  # ends of fights with tokens for names
        self.glances: dict[tuple[object, ...], Known[Changes]] = {}  # by what a step looks at

    def __len__(self) -> int:
        trees = sum(map(len, self.trees.values()))
        return trees + len(self.ends) + len(self.unnamed) + len(self.glances)

    def clear(self) -> None:
        """Forget all that is kept."""
        kept: tuple[dict[Any, Any], ...] = (self.trees, self.worths, self.onward, self.picks)
        for known in (*kept, self.ends, self.unnamed, self.glances):
            known.clear()


LARGEST = 20_000  # trees and ends that a memory keeps: some tens of megabytes at most


@lru_cache(maxsize=16)
def shared_memory(rules: Case[None], attacker: Doctrine, defender: Doctrine) -> Memory:  # noqa: ARG001  # they are its key
    """Give the memory that all fights under the rules of a bare case share for two doctrines."""
    return Memory()
