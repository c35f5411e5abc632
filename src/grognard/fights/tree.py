"""The tree of one step: its questions as nodes, the fights after it as leaves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from grognard.fights.kind import Doubt
from grognard.fights.runner import run_on
from grognard.fights.weights import mix
from grognard.fights.work_budget import Allowance, allowed
from grognard.rules.ask import (
    Answer,
    Ask,
    Asking,
    Choose,
    Commit,
    Later,
    Roll,
)
from grognard.rules.fight import Fight
from grognard.rules.line import Line, doubtful
from grognard.rules.procedure import Glance, Step, as_it_is, changes


class Rolled(Struct, frozen=True, eq=False, gc=False):
    """A roll: the weight of each child."""

    ask: Roll
    weights: tuple[int, ...]
    children: tuple[Node, ...]


class Chosen(Struct, frozen=True, eq=False, gc=False):
    """A choice: a child for each option."""

    ask: Choose
    children: tuple[Node, ...]


class Committed(Struct, frozen=True, eq=False, gc=False):
    """A commitment: children[i][j] follows the attacker's option i and the defender's j."""

    ask: Commit
    children: tuple[tuple[Node, ...], ...]


Node = Rolled | Chosen | Committed | Fight


def leaves(node: Node) -> Iterator[Fight]:
    """Give the fights at the leaves of a node."""
    match node:
        case Rolled() | Chosen():
            for child in node.children:
                yield from leaves(child)
        case Committed():
            for line in node.children:
                for child in line:
                    yield from leaves(child)
        case _:
            yield node


def follow(node: Node, answers: Iterable[Answer]) -> Node:
    """Go down from a node along some answers; a ValueError at one that has no child of its own: it
    is no longer offered, or an option that is alike stands for it, after which other names may be
    asked for."""
    for answer in answers:
        node = _child(node, answer)
    return node


def _child(node: Node, answer: Answer) -> Node:
    match node, answer:
        case Rolled(), tuple():
            rolled = node.ask.dice.value(answer)
            return node.children[bisect_right(node.ask.starts, rolled) - 1]
        case Chosen(ask=Choose(options=options)), _:
            place = options.index(answer)
            child = node.children[place]
            if any(child is other for other in node.children[:place]):
                raise ValueError(f"{answer!r} is alike to another answer")
            return child
        case Committed(ask=Commit(attacker=ours, defender=theirs)), (mine, other):
            return node.children[ours.index(mine)][theirs.index(other)]
    raise TypeError(f"{answer!r} does not answer {node!r}")


def leaves_out(node: Node) -> bool:
    """Tell whether some options of a tree have no child of their own."""
    match node:
        case Chosen():
            return bool(node.ask.wanted) or any(map(leaves_out, node.children))
        case Rolled():
            return any(map(leaves_out, node.children))
        case Committed():
            return any(leaves_out(child) for line in node.children for child in line)
    return False


def rolled(node: Node) -> tuple[dict[Fight, int], int]:
    """Distribute a weight over the fights that follow from rolls alone."""
    if isinstance(node, Fight):
        return {node: 1}, 1
    if not isinstance(node, Rolled):
        raise TypeError(f"{node.ask!r} is no roll")
    children = [rolled(child) for child in node.children]
    return mix(list(zip(node.weights, children, strict=True)))


Changes = tuple[list[tuple[dict[str, Any], int]], int]  # of fields, with weights; their sum


def changes_of(step: Glance, seen: Fight, doubts: dict[Doubt, None]) -> Changes:
    """Find what a step that only rolls changes, with the weight of each change."""
    weights, total = rolled(grow(step, seen, doubts, settling=False))
    return [(changes(seen, after), weight) for after, weight in weights.items()], total


def grow(
    step: Step,
    fight: Fight,
    doubts: dict[Doubt, None] | None = None,
    *,
    merging: bool = True,
    every: bool = False,
    settling: bool = True,
    since: tuple[Answer, ...] = (),
    begun: Begun | None = None,
) -> Node:
    """Run a step with every possible answer after those given; add doubtful lines to `doubts`.

    An option that no doctrine wants shares the child of one that is wanted, unless `every` asks for
    its own. Without `settling` the fights at the leaves are those of just these units. A run that
    has begun goes on from its first question.
    """
    settled = fight.case.procedure.settled if merging and settling else as_it_is
    growth = _Growth(step, fight, [], merging, every or not merging, settled, allowed())
    if begun is not None:
        node = growth.from_first(begun)
    elif since:
        node = growth.after(growth.again(since[:-1]), since[-1], since)
    else:
        node = growth.after(growth.begin(), None, ())
    if doubts is not None:
        doubts.update((line, None) for line in doubtful(growth.lines))
    return node


class Begun(NamedTuple):
    """A run of a step that stands at its first question, and the lines told before it."""

    running: Asking[Any]
    ask: Ask
    lines: list[Line]


class _Growth(NamedTuple):
    """A step run again for every answer, since a generator can't be copied."""

    step: Step
    fight: Fight
    lines: list[Line]  # that may be doubtful, told in any of the runs
    merging: bool  # whether options and values that are alike share a child
    every: bool  # whether options that no doctrine wants have a child of their own
    settled: Callable[[Any], Fight]
    allowance: Allowance | None

    def begin(self) -> Asking[Any]:
        if self.allowance is not None:
            self.allowance.spend(self.fight.case.procedure.weight)
        running: Asking[Any] = self.step(self.fight)
        return running

    def after(
        self, running: Asking[Any], answer: Answer | None, before: tuple[Answer, ...]
    ) -> Node:
        """Send an answer, and grow the node that follows."""
        return self._node(running, self._next(running, answer), before)

    def from_first(self, begun: Begun) -> Node:
        """Grow the node of the question at which a run stands."""
        self.lines.extend(begun.lines)
        if self.allowance is not None and isinstance(begun.ask, Choose):
            self.allowance.spend(len(begun.ask.options))
        return self._node(begun.running, begun.ask, ())

    def _node(self, running: Asking[Any], said: Ask | Fight, before: tuple[Answer, ...]) -> Node:
        if isinstance(said, Fight):
            return self.settled(said)
        match said:
            case Roll():
                ways = said.dice.ways(said.bands if self.merging else ())
                children = self._children(running, before, [faces for faces, _ in ways])
                return Rolled(said, tuple(weight for _, weight in ways), children)
            case Choose():
                return Chosen(said, self._options(running, before, said))
            case Commit():
                pairs = [(ours, theirs) for ours in said.attacker for theirs in said.defender]
                children = self._children(running, before, pairs)
                width = len(said.defender)
                rows = [children[i : i + width] for i in range(0, len(children), width)]
                return Committed(said, tuple(rows))

    def _children(
        self, running: Asking[Any], before: tuple[Answer, ...], answers: Sequence[Answer]
    ) -> tuple[Node, ...]:
        """Grow a child for each answer; the run that asked goes on with the first one."""
        children = [self.after(running, answers[0], (*before, answers[0]))]
        for answer in answers[1:]:
            children.append(self.after(self.again(before), answer, (*before, answer)))
        return tuple(children)

    def _options(
        self, running: Asking[Any], before: tuple[Answer, ...], ask: Choose
    ) -> tuple[Node, ...]:
        """Grow a child for each option that is wanted, once for those that are alike."""
        kinds: Sequence[Hashable] = ask.alike if self.merging and ask.alike else ask.options
        places = ask.wanted if ask.wanted and not self.every else range(len(kinds))
        first: dict[Hashable, Answer] = {}
        for place in places:
            first.setdefault(kinds[place], ask.options[place])
        grown = dict(zip(first, self._children(running, before, [*first.values()]), strict=True))
        return tuple(grown.get(kind) or grown[kinds[places[0]]] for kind in kinds)

    def again(self, answers: tuple[Answer, ...]) -> Asking[Any]:
        """Run the step once more to the question after these answers."""
        running = self.begin()
        self._next(running, None)
        for answer in answers:
            self._next(running, answer)
        return running

    def _next(self, running: Asking[Any], answer: Answer | None) -> Ask | Fight:
        said = run_on(running, answer, self.lines, Later.doubtful)
        if self.allowance is not None and isinstance(said, Choose):
            self.allowance.spend(len(said.options))
        return said
