"""What is kept while odds are worked out: trees, values, and the ends of fights.

All kinds of fights under the same rules share a memory: those that come to equal fights once the
table is read share everything after it.
"""

from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from grognard.fights.chances import Found, Worth
from grognard.fights.doctrine import Doctrine
from grognard.fights.tree import Changes, Chosen, Node
from grognard.rules.fight import Case, Fight
from grognard.rules.line import Line

T = TypeVar("T")


class Known(NamedTuple, Generic[T]):
    """A cached value, and the doubtful lines met while it was worked out."""

    value: T
    doubts: tuple[Line, ...]


class Memory:
    """Cached trees and values of fights by step, and the ends of fights whose table is read."""

    def __init__(self, steps: int) -> None:
        self.trees: list[dict[Fight, Known[Node]]] = [{} for _ in range(steps)]
        self.worths: list[dict[Fight, Known[Worth]]] = [{} for _ in range(steps + 1)]
        self.picks: dict[Chosen, Known[int]] = {}
        # Where fights come to by steps that ask nothing.
        self.onward: list[dict[Fight, Known[tuple[int, Fight]]]] = [{} for _ in range(steps)]
        # By the least fight, and what its outcomes are completed with.
        self.ends: dict[tuple[object, ...], Known[Found]] = {}
        self.glances: dict[Fight, Known[Changes]] = {}  # by what a step looks at
        self._bare: Case[Any] | None = None

    def bare(self, case: Case[Any]) -> Case[Any]:
        """Give the case without a set-up under the rules of this memory."""
        if self._bare is None:
            self._bare = case.restated(None)
        return self._bare

    def __len__(self) -> int:
        return sum(map(len, self.trees)) + len(self.ends) + len(self.glances)

    def clear(self) -> None:
        """Forget all that is kept."""
        kept: list[dict[Any, Any]] = [*self.trees, *self.worths, *self.onward]
        for known in (*kept, self.picks, self.ends, self.glances):
            known.clear()


class SameRules:
    """A case as the key of a memory: equal for cases of one procedure, card and options."""

    __slots__ = ("case",)

    def __init__(self, case: Case[Any]) -> None:
        self.case = case

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SameRules):
            return NotImplemented
        ours, theirs = self.case, other.case
        return (
            ours.procedure is theirs.procedure
            and ours.card is theirs.card
            and (ours.options is theirs.options or ours.options == theirs.options)
        )

    def __hash__(self) -> int:
        return hash((self.case.procedure, *self.case.options.values()))


LARGEST = 20_000  # trees and ends that a memory keeps: some tens of megabytes at most


@lru_cache(maxsize=16)
def shared_memory(rules: SameRules, attacker: Doctrine, defender: Doctrine) -> Memory:  # noqa: ARG001  # they are its key
    """Give the memory that all fights under the same rules share for two doctrines."""
    return Memory(len(rules.case.procedure.steps))
