"""The analysis of a fight: every roll with its weight, every choice by doctrine.

Two passes over the same trees: backward from the end each choice is valued; forward, integer
weights are distributed over the fights between the steps. Once the kind of a fight is known, the
rest is worked out once for all fights of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec.structs import replace

from grognard.fights.chances import Found, Mixed, Odds, Parts, Worth, average
from grognard.fights.commitments import decided
from grognard.fights.doctrine import Doctrine
from grognard.fights.kind import Doubt, Renamed, kind_of
from grognard.fights.memory import LARGEST, EndsKey, Known, Memory, shared_memory
from grognard.fights.refused_work import refused_once
from grognard.fights.runner import run_on
from grognard.fights.stack_room import with_stack_room
from grognard.fights.tree import (
    Begun,
    Changes,
    Chosen,
    Committed,
    Node,
    Rolled,
    changes_of,
    follow,
    grow,
    leaves_out,
)
from grognard.fights.weights import by_outcome, mix, reduced
from grognard.fights.work_budget import allowed
from grognard.rules.ask import Answer, Later
from grognard.rules.fight import Case, CaseKey, Fight, Outcome, steps
from grognard.rules.line import Line, doubtful
from grognard.rules.procedure import FIRST_STAND_IN, Glance, Procedure
from grognard.words.refusal import Refusal

K = TypeVar("K")
T = TypeVar("T")
WeightedFights = tuple[dict[Fight, int], int]  # weights, and their sum
WeightedNodes = Sequence[tuple[int, Node]]
SMALL = 24  # steps of both sides: up to here the ends are found sooner than room for them
NO_DOUBTS: dict[Doubt, None] = {}
NO_GLANCES: Mapping[int, Glance] = MappingProxyType({})


class Analysis:
    """The analysis of one fight with given doctrines.

    Trees and values are kept while it lives, or longer in a memory shared with others. With
    `by_kind`, a fight whose kind is known gets the odds and the value of its kind. With `apart`,
    the ends tell which unit has suffered what, also where that makes no difference to the odds.
    """

    def __init__(
        self,
        fight: Fight,
        attacker: Doctrine,
        defender: Doctrine,
        *,
        step: int = 0,
        doubts: Iterable[Doubt] = (),
        merging: bool = True,
        by_kind: bool = True,
        apart: bool = False,
        memory: Memory | None = None,
    ) -> None:
        self.start = fight
        self.first = step
        self.merging = merging
        self._apart = apart
        self.doctrines = (attacker, defender)
        self.steps = fight.case.procedure.steps
        self.doubts = dict.fromkeys(doubts)
        self.commitments: list[Mixed] = []
        # The step at which the kind of a fight is known; beyond the last one if kinds are not used.
        self._known = fight.case.procedure.trimmed if by_kind and merging else len(self.steps) + 1
        self._shared = memory is not None and not apart
        # The step before which ends are summed up; beyond the last one if each end is looked at.
        self._read = len(self.steps) if apart else fight.case.procedure.read
        self._memory = Memory() if memory is None else memory
        self._stops = _stops(fight.case.procedure, self._known, self._read, glancing=self._shared)
        self._glances = fight.case.procedure.glances if self._shared else NO_GLANCES
        self._cases: dict[CaseKey, Case[Any]] = {}
        self._kinds: dict[Fight, Found] = {}  # of fights whose kind is known

    def same(self, fight: Fight) -> Fight:
        """Give an equal fight with the case object that is used here.

        Cases are compared by identity, and every run of a fight trims it to a case of its own.
        """
        case = self._cases.setdefault(CaseKey(fight.case), fight.case)
        return fight if case is fight.case else replace(fight, case=case)

    def tree(self, step: int, fight: Fight) -> Node:
        """Give the tree of a step; it is grown once for equal fights."""
        trees = self._memory.trees[step]
        known = trees.get(fight) or self._find(trees, fight, partial(self._grown, step, fight))
        return self._met(known)

    def _grown(self, step: int, fight: Fight, begun: Begun | None = None) -> Node:
        return grow(self.steps[step], fight, self.doubts, merging=self.merging, begun=begun)

    def _tree_ahead(self, step: int, fight: Fight) -> Node:
        """Give the tree along which weight is distributed."""
        if not self._apart:
            return self.tree(step, fight)
        return grow(self.steps[step], fight, self.doubts, settling=False)

    def _find(self, kept: dict[K, Known[T]], key: K, find: Callable[[], T]) -> Known[T]:
        """Work out a value and keep it, with the doubts met meanwhile."""
        before, self.doubts = self.doubts, {}
        try:
            kept[key] = known = Known(find(), self.doubts or NO_DOUBTS)
        finally:
            self.doubts = before
        return known

    def _met(self, known: Known[T]) -> T:
        """Use a cached value, and note its doubts."""
        if known.doubts:
            self.doubts.update(known.doubts)
        return known.value

    def node_at(self, step: int, fight: Fight, since: tuple[Answer, ...]) -> Node:
        """Give the node of the question that follows these answers in a run of a step."""
        same = self.same(fight)
        tree = self._tree_ahead(step, same)
        if leaves_out(tree):
            tree = self._grown_ahead(step, same, every=True)
        try:
            return follow(tree, since)
        except ValueError:  # an answer without a child of its own
            return self._grown_ahead(step, same, since=since)

    def _grown_ahead(
        self, step: int, fight: Fight, *, every: bool = False, since: tuple[Answer, ...] = ()
    ) -> Node:
        """Grow the tree of a step from a position, without keeping it."""
        return grow(
            self.steps[step],
            fight,
            self.doubts,
            merging=self.merging,
            every=every,
            settling=not self._apart,
            since=since,
        )

    @with_stack_room
    def ends(self) -> dict[Fight, int]:
        """Distribute the weight over the fights at the end."""
        return self._through(self.first, len(self.steps), {self.start: 1}, {})

    @with_stack_room
    def ends_after(self, step: int, nodes: WeightedNodes) -> dict[Fight, int]:
        """Distribute the weight over the fights at the end, from nodes of a step."""
        return self._through(step, len(self.steps), *self._after(step, nodes))

    def _through(
        self, step: int, last: int, fights: dict[Fight, int], done: dict[Fight, int]
    ) -> dict[Fight, int]:
        """Distribute the weight over the fights that reach the step `last`.

        `fights` are before a run of the first step, `done` are through with it.
        """
        waiting = {step: fights, step + 1: done}
        for at in range(step, last):
            fights = waiting.pop(at, {})
            while fights:
                after, grown = self._run(at, fights)
                if grown != 1:
                    for stage in waiting.values():
                        stage.update({fight: weight * grown for fight, weight in stage.items()})
                fights = {}
                for fight, weight in after.items():
                    to, there = (at, fight) if fight.pending else self._onward(at + 1, fight)
                    stage = fights if to == at else waiting.setdefault(to, {})
                    stage[there] = stage.get(there, 0) + weight
        return waiting.get(last, {})

    def _onward(self, step: int, fight: Fight) -> tuple[int, Fight]:
        """Run steps that ask nothing, up to a question or a place where something is shared."""
        if step in self._stops or self._apart or not self.merging:
            return step, fight
        kept = self._memory.onward[step]
        return self._met(
            kept.get(fight) or self._find(kept, fight, partial(self._ran, step, fight))
        )

    def _ran(self, step: int, fight: Fight) -> tuple[int, Fight]:
        allowance, procedure, glances = allowed(), fight.case.procedure, self._glances
        while not fight.pending:
            if (rule := glances.get(step)) is not None:
                glanced = self._seen_at_a_glance(rule, fight)
                if len(glanced[0]) > 1:
                    break
                (fight,) = glanced[0]
                step += not fight.pending
                if step in self._stops:
                    break
                continue
            lines = list[Line]()
            if allowance is not None:
                allowance.spend(procedure.weight)
            running = self.steps[step](fight)
            after = run_on(running, None, lines, Later.doubtful)
            if not isinstance(after, Fight):
                trees, begun = self._memory.trees[step], Begun(running, after, lines)
                if fight not in trees:
                    self._find(trees, fight, partial(self._grown, step, fight, begun))
                self._memory.onward[step].setdefault(fight, Known((step, fight), NO_DOUBTS))
                break
            if lines:
                self.doubts.update(dict.fromkeys(doubtful(lines)))
            fight = procedure.settled(after)
            step += not fight.pending
            if step in self._stops:
                break
        return step, fight

    def _after(self, step: int, nodes: WeightedNodes) -> tuple[dict[Fight, int], dict[Fight, int]]:
        """Distribute the weight of nodes over fights that run the step again, and the others."""
        after, _ = mix([(weight, self.spread(step, node)) for weight, node in nodes])
        again = {fight: weight for fight, weight in after.items() if fight.pending}
        return again, {fight: weight for fight, weight in after.items() if not fight.pending}

    def found(self) -> Found:
        """Sum the weights of the ends by outcome."""
        return self._summed(self.first, {self.start: 1}, {})

    @with_stack_room
    def found_after(self, step: int, nodes: WeightedNodes, doubts: Iterable[Doubt] = ()) -> Found:
        """Sum up the odds of everything that follows from nodes of a step.

        `doubts` are those met in the step itself.
        """
        self.commitments, self.doubts = [], dict.fromkeys(doubts)
        return self._summed(step, *self._after(step, nodes))

    def _summed(self, step: int, fights: dict[Fight, int], done: dict[Fight, int]) -> Found:
        if step <= self._known < len(self.steps):
            return self._found(self._of_kinds(self._through(step, self._known, fights, done)))
        if step < self._read < len(self.steps):
            return self._with_ends(
                self._read_at_once(step, fights) or self._through(step, self._read, fights, done)
            )
        return self._found(reduced(by_outcome(self._through(step, len(self.steps), fights, done))))

    def _read_at_once(self, step: int, fights: dict[Fight, int]) -> dict[Fight, int]:
        """Run the step that reads the table on a single fight, if it is the next one and a run of
        it is enough; otherwise give nothing."""
        if step + 1 != self._read or len(fights) != 1:
            return {}
        (fight,) = fights
        read = self._glanced(step, fight)
        return {} if read is None or any(after.pending for after in read[0]) else read[0]

    def _with_ends(self, fights: Mapping[Fight, int]) -> Found:
        """Sum up the ends of fights whose table is read."""
        keys, ends = [*map(self._ends_key, fights)], self._memory.ends
        if not ends.keys() >= set(keys):
            small = steps(self.start.attackers) + steps(self.start.defenders) <= SMALL
            (self._complete if small else with_stack_room(self._complete))(keys)
        parts = [
            (weight, self._met(ends[key]))
            for key, weight in zip(keys, fights.values(), strict=True)
        ]
        self.commitments += [mixed for _, part in parts for mixed in part.commitments]
        return self._found(tuple(parts))

    def _ends_key(self, fight: Fight) -> EndsKey:
        """Give what the ends of a fight depend on once its table is read."""
        if not self._shared:
            return fight, ()
        procedure = fight.case.procedure
        return procedure.least(fight), procedure.carried(fight)

    def _complete(self, keys: Iterable[EndsKey]) -> None:
        """Work out the ends of those fights of which they are not known."""
        kept = self._memory.ends
        for key in keys:
            if key not in kept:
                self._find(kept, key, partial(self._completed, *key))

    def _completed(self, least: Fight, carried: Iterable[tuple[str, object]]) -> Found:
        """Work out the ends of a fight, with what was settled of its outcomes before.

        Fights share them that differ only in the names of their units.
        """
        if not self._shared:
            return self._ended(least)
        kept, (alike, names, _) = self._memory.unnamed, kind_of(least)
        known = kept.get(alike) or self._find(kept, alike, lambda: self._ended(alike))
        if known.doubts:
            self.doubts[Renamed(known.doubts, names)] = None
        return known.value.named(names, dict(carried))

    def _ended(self, fight: Fight) -> Found:
        before, self.commitments = self.commitments, []
        step, onward = self._ran(self._read, fight)
        weights = by_outcome(self._through(step, len(self.steps), {onward: 1}, {}))
        commitments, self.commitments = tuple(self.commitments), before
        return Found(self.doctrines, weights, commitments)

    def _found(self, given: Mapping[Outcome, int] | Parts) -> Found:
        return Found(self.doctrines, given, tuple(self.commitments), tuple(self.doubts))

    @with_stack_room
    def odds(self) -> Odds:
        return Odds(self.found())

    def _of_kinds(self, fights: Mapping[Fight, int]) -> Parts:
        """Give the odds of fights whose kinds are known, with their weights."""
        parts = tuple([(weight, self._by_kind(fight)) for fight, weight in fights.items()])
        self.commitments += [mixed for _, part in parts for mixed in part.commitments]
        return parts

    def _by_kind(self, fight: Fight) -> Found:
        """Give the odds of a fight whose kind is known."""
        if (found := self._kinds.get(fight)) is None:
            kind = kind_of(fight)
            found = of_kind(kind.fight, *self.doctrines)
            if kind.other_names:
                found = found.named(kind.other_names)
            self._kinds[fight] = found
        if found.met:
            self.doubts.update(dict.fromkeys(found.met))
        return found

    def _run(self, step: int, fights: dict[Fight, int]) -> WeightedFights:
        """Run a step once on all fights; the second value is the factor of all weights."""
        spreads = [
            (w, self._glanced(step, f) or self.spread(step, self._tree_ahead(step, f)))
            for f, w in fights.items()
        ]
        after, total = mix(spreads)
        return after, total // sum(fights.values())

    def _glanced(self, step: int, fight: Fight) -> WeightedFights | None:
        """Run a step on what it looks at, once, and put what it changes into the fight; None if it
        is not such a step."""
        rule = self._glances.get(step)
        return None if rule is None else self._seen_at_a_glance(rule, fight)

    def _seen_at_a_glance(self, rule: Glance, fight: Fight) -> WeightedFights:
        """Put what a step changes of what it looks at into a fight."""
        shown, names = rule.stand_ins.of(fight) if rule.stand_ins else (fight, ())
        kept, key = self._memory.glances, rule.looks_at(shown)
        if (known := kept.get(key)) is None:
            known = self._find(kept, key, partial(self._changes, rule, shown))
        if rule.stand_ins is None:
            parts, total = self._met(known)
            settled, weights = fight.case.procedure.settled, dict[Fight, int]()
            for changed, weight in parts:
                after = settled(replace(fight, **changed))
                weights[after] = weights.get(after, 0) + weight
            return weights, total
        (parts, total), back = known.value, rule.stand_ins.back
        if known.doubts:
            called = dict(enumerate(names, FIRST_STAND_IN))
            self.doubts[Renamed(known.doubts, called)] = None
        return {replace(fight, **back(fight, changed)): weight for changed, weight in parts}, total

    def _changes(self, rule: Glance, shown: Fight) -> Changes:
        return changes_of(rule, rule.seen(shown), self.doubts)

    def spread(self, step: int, node: Node) -> WeightedFights:
        """Distribute a weight over the fights that follow from a node."""
        if isinstance(node, Fight):
            return {node: 1}, 1
        match node:
            case Rolled():
                spreads = [self.spread(step, child) for child in node.children]
                return mix(list(zip(node.weights, spreads, strict=True)))
            case Chosen():
                return self.spread(step, node.children[self.pick(step, node)])
            case Committed():
                mixed = self.commitment(step, node)
                self.commitments.append(mixed)
                return mix([(w, self.spread(step, child)) for w, child in mixed.children(node)])

    def pick(self, step: int, node: Chosen) -> int:
        """Let the side that is asked take what its doctrine values most, the first of equals."""
        picks = self._memory.picks
        known = picks.get(node) or self._find(picks, node, lambda: self._best(step, node))
        return self._met(known)

    def _best(self, step: int, node: Chosen) -> int:
        wanted = (node.ask.wanted if self.merging else ()) or node.ask.rank
        wanted = wanted or tuple(range(len(node.children)))
        best, most = wanted[0], self.worth(step, node.children[wanted[0]])
        looked_at = {id(node.children[best])}  # options that are alike share a child
        for place in wanted[1:]:
            child = node.children[place]
            if id(child) not in looked_at:
                looked_at.add(id(child))
                worth = self.worth(step, child)
                if worth.above(most, node.ask.side):
                    best, most = place, worth
        return best

    def worth(self, step: int, node: Node) -> Worth:
        """Value a node by what follows from it in this step and all later ones."""
        if isinstance(node, Fight):
            settled = node.case.procedure.settled(node) if self._apart else node
            return self._worth_between(step if node.pending else step + 1, settled)
        match node:
            case Rolled():
                children = [self.worth(step, child) for child in node.children]
                return average(list(zip(node.weights, children, strict=True)))
            case Chosen():
                return self.worth(step, node.children[self.pick(step, node)])
            case Committed():
                children_ = self.commitment(step, node).children(node)
                return average([(w, self.worth(step, child)) for w, child in children_])

    def _worth_between(self, step: int, fight: Fight) -> Worth:
        if step <= self._known < len(self.steps):  # what comes before it, and its odds, are kept
            return self._worth_of(step, fight)
        worths = self._memory.worths[step]
        known = worths.get(fight) or self._find(worths, fight, lambda: self._worth_of(step, fight))
        return self._met(known)

    def _worth_of(self, step: int, fight: Fight) -> Worth:
        if step < len(self.steps) and not fight.pending:
            step, fight = self._onward(step, fight)
        if step == self._known and not fight.pending:
            return self._by_kind(fight).worth
        if step < len(self.steps):
            if (glanced := self._glanced(step, fight)) is not None:
                return average([(w, self.worth(step, after)) for after, w in glanced[0].items()])
            return self.worth(step, self.tree(step, fight))
        outcome = fight.case.procedure.outcome(fight)
        attacker, defender = self.doctrines
        return Worth(attacker.value(outcome, "attacker"), defender.value(outcome, "defender"), 1)

    def commitment(self, step: int, node: Committed) -> Mixed:
        """Let both sides decide a secret commitment."""
        return decided(node, self.doctrines, lambda child: self.worth(step, child))


@lru_cache(maxsize=256)
def _stops(procedure: Procedure, known: int, read: int, *, glancing: bool) -> frozenset[int]:
    """Give the steps before which something is shared, and the end."""
    glances = [step for step in procedure.glances if step < read] if glancing else []
    return frozenset((known, read, len(procedure.steps), *glances))


@lru_cache(maxsize=4096)
@refused_once
def of_kind(fight: Fight, attacker: Doctrine, defender: Doctrine) -> Found:
    """Work out the odds of a kind of fight."""
    return with_shared_memory(
        Analysis.found, fight, fight.case.procedure.trimmed, attacker, defender
    )


def with_shared_memory(
    work: Callable[[Analysis], T],
    fight: Fight,
    step: int,
    attacker: Doctrine,
    defender: Doctrine,
    *,
    apart: bool = False,
) -> T:
    """Analyse a fight of a known kind with the memory that all fights under its rules share."""
    memory = shared_memory(fight.case.bare, attacker, defender)
    analysis = Analysis(
        fight, attacker, defender, step=step, by_kind=False, apart=apart, memory=memory
    )
    try:
        return work(analysis)
    except Refusal:  # a budget must not be stretched by asking again
        memory.clear()
        raise
    finally:
        if len(memory) > LARGEST:
            memory.clear()
