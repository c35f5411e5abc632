"""What is still to come: what it looks at, and which fights are equal from here on."""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.effects import Effect, parse_does
from grognard.card.procedures import ProcedureRow
from grognard.card.rows import SIDES, Side
from grognard.rules.fight import Case, units_of
from grognard.rules.stages.state import (
    CardFight,
    CardPreparation,
    Fighter,
    exposed,
    row_of,
    sides_of,
    strength_left,
)


class Reads(IntEnum):
    """How closely the effects to come look at the units of a side."""

    NOTHING = 0  # not at all: every one of them will be lost
    SUMS = 1  # at the steps of all together
    NAMES = 2  # they also ask which of them loses steps
    UNITS = 3  # at each unit: its steps and its state


ANY = 10_000  # steps, where it is not known how many


class Ahead(NamedTuple):
    """What the effects to come look at, of one side."""

    reads: Reads = Reads.SUMS
    steps: int = 0  # that its units may lose by somebody's choice, at most
    checked: frozenset[int] = frozenset()  # places of units that are still to be checked
    rated: bool = False  # at what units roll for in checks that have not begun
    strengths: bool = False  # at the strength of units, in exchanges

    def and_(self, reads: Reads, steps: int = 0) -> "Ahead":
        """Add another effect."""
        return self._replace(reads=max(self.reads, reads), steps=self.steps + steps)

    @property
    def lost(self) -> bool:
        """Tell whether all units of the side will be lost, whatever happens to them before."""
        return self.reads == Reads.NOTHING and not self.strengths


@lru_cache(maxsize=4096)  # odds meet the same work over and over
def ahead(case: Case[Any], todo: tuple[str, ...], side: Side) -> Ahead:
    """Look at everything that is still to be done, the last first."""
    row, seen = row_of(case), Ahead()
    for words in reversed(todo):
        kind, _, rest = words.partition(" ")
        if kind[0] != "!":
            seen = _before_result(seen, case, row, words, side)
        elif rest.startswith(side) and not seen.lost:
            match kind:
                case "!check":
                    seen = seen._replace(checked=seen.checked | {int(rest.split()[1])})
                case "!pay":
                    seen = seen.and_(Reads.UNITS)._replace(strengths=True)
                case "!take":
                    seen = seen.and_(_by_name(seen), int(rest.split()[1]))
                case _:
                    seen = seen.and_(_blocked(case, row, side))
    return seen


def _before_result(
    seen: Ahead, case: Case[Any], row: ProcedureRow, words: str, side: Side
) -> Ahead:
    """Add what a result looks at; where it has one way, what comes after a loss of all is moot."""
    ways = parse_does(words).ways
    for effect in reversed([effect for way in ways for effect in way]):
        if len(ways) == 1 and _takes_all(effect) and side in sides_of(effect):
            seen = Ahead(Reads.NOTHING)
        for each in _with_called(case.card, (effect,)):
            seen = _before_effect(seen, case, row, each, side)
    return seen


def _takes_all(effect: Effect) -> bool:
    if effect.kind == "exchange":
        return effect.side != ""
    return effect.kind == "eliminate" or (effect.kind == "lose" and effect.amount == "all")


def _with_called(card: Card, effects: Iterable[Effect]) -> Iterator[Effect]:
    """Give effects, and those of the tables that they read."""
    for effect in effects:
        yield effect
        if effect.kind == "read":
            for result in card.table(effect.word).results:
                yield from _with_called(card, parse_does(result.does).effects())


def _before_effect(
    seen: Ahead, case: Case[Any], row: ProcedureRow, effect: Effect, side: Side
) -> Ahead:
    """Add what an effect looks at."""
    if effect.kind == "exchange":
        own = bool(effect.side) and side in sides_of(effect)
        return seen.and_(seen.reads if own else Reads.UNITS)._replace(strengths=True)
    if seen.lost or side not in sides_of(effect):
        return seen
    number = effect.amount if isinstance(effect.amount, int) else ANY
    match effect.kind:
        case "nothing" | "advance" | "read" | "eliminate":
            return seen
        case "retreat":
            seen = seen.and_(_blocked(case, row, side))
            return seen if row.stand == "no" else seen.and_(_by_name(seen), number)
        case "lose" if not (effect.units or effect.each):
            return seen if effect.amount == "all" else seen.and_(_by_name(seen), number)
    return seen.and_(Reads.UNITS)._replace(rated=seen.rated or effect.kind == "check")


def _by_name(seen: Ahead) -> Reads:
    """Say how a loss of steps looks at units: at their strength too, where that counts later."""
    return Reads.UNITS if seen.strengths else Reads.NAMES


def _blocked(case: Case[Any], row: ProcedureRow, side: Side) -> Reads:
    setup = case.setup
    room = setup.attacker_room if side == "attacker" else setup.defender_room
    return Reads.UNITS if row.blocked == "step a hex" and room is not None else Reads.SUMS


def blind(fight: CardFight, side: Side, steps: int = ANY) -> bool:
    """Tell whether it is the same for all that comes later which units lose so many steps."""
    seen, units = ahead(fight.case, fight.todo, side), exposed(fight, side)
    if seen.lost:
        return True
    return (
        seen.reads < Reads.UNITS
        and not seen.strengths
        and not seen.checked
        and len({unit.left for unit in units}) <= 1
        and all(_safe(fight, side, unit, steps + seen.steps) for unit in units)
    )


def _safe(fight: CardFight, side: Side, unit: Fighter, steps: int) -> bool:
    """Tell whether a unit that loses so many steps takes no state with it that counts."""
    return unit.steps > steps or not shaken(fight.case, side, unit)


# ------------------------------------------------------------------ fights that are equal

Entry = tuple[Any, ...]  # what is still looked at of a unit; the entries of a side have an order


class Settled(tuple[Fighter, ...]):
    """A side's units of which only that counts which the effects to come look at.

    Sides are equal if their units are alike, in whatever order, and so their fights merge in the
    odds. Units that are still to be checked keep their places.
    """

    counts: tuple[object, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settled) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(self.counts)


def settled(fight: CardFight | CardPreparation) -> CardFight | CardPreparation:
    """Forget which unit took which loss, as far as nothing that comes later asks for it."""
    if isinstance(fight, CardPreparation):
        return fight
    case, todo = fight.case, fight.todo
    ours, theirs = (
        _settled(case, side, units_of(fight, side), ahead(case, todo, side)) for side in SIDES
    )
    return replace(fight, attackers=ours, defenders=theirs)


@lru_cache(maxsize=4096)  # most effects change one side only
def _settled(case: Case[Any], side: Side, units: tuple[Fighter, ...], seen: Ahead) -> Settled:
    entries, together = list[Entry](), list[Fighter]()
    for place, unit in enumerate(units):
        if place in seen.checked:
            entries.append((ANY + place, unit))
        elif unit.alive and not unit.unharmed:
            entry = _entry(case, side, unit, seen)
            entries.append(entry)
            if len(entry) <= 1:
                together.append(unit)
    now = Settled(units)
    now.counts = (side, *_sums(case, side, together, seen), *sorted(entries))
    return now


def _sums(case: Case[Any], side: Side, units: Iterable[Fighter], seen: Ahead) -> Iterator[Entry]:
    """Add up what counts of units that are not told apart, those that have retreated for
    themselves."""
    for left in (False, True):
        group = [unit for unit in units if unit.left == left]
        if seen.reads > Reads.NOTHING:
            steps = sum(unit.steps for unit in group)
            yield steps, sum(shaken(case, side, unit) for unit in group)
        if seen.strengths:
            yield from (
                strength_left(tuple(group), word).as_integer_ratio()
                for word in ("printed", "modified")
            )


@lru_cache(maxsize=4096)  # odds meet the same units over and over
def _entry(case: Case[Any], side: Side, unit: Fighter, seen: Ahead) -> Entry:
    """Give what is looked at of a unit; of one that is not told apart at most where it stands."""
    row = row_of(case)
    if seen.reads < Reads.NAMES:
        return ()
    by_name = seen.reads == Reads.NAMES and row.losses != "spread"
    before = shaken(case, side, unit)
    if by_name and (unit.steps > seen.steps or not before):
        return (unit.left,)
    return (
        unit.steps,
        unit.left,
        before,
        unit.states,
        unit.full if seen.strengths or row.losses == "spread" else 0,
        (unit.printed, *unit.counted.as_integer_ratio()) if seen.strengths else (),
        unit.ratings if seen.rated else (),
    )


def entries(fight: CardFight, side: Side, units: Iterable[Fighter], words: str) -> list[Entry]:
    """Give what is looked at of some units by an effect that is begun, and by those after it.

    Of two units with equal entries it is the same which one suffers.
    """
    seen = ahead(fight.case, (words, *fight.todo), side)
    places = {unit.name: place for place, unit in enumerate(units_of(fight, side))}
    return [
        (ANY + places[unit.name],)
        if places[unit.name] in seen.checked
        else _entry(fight.case, side, unit, seen)
        for unit in units
    ]


def shaken(case: Case[Any], side: Side, unit: Fighter) -> int:
    """Weigh the states that a unit has got in the fight."""
    if not unit.states:
        return 0
    before = next(old.states for old in units_of(case.setup, side) if old.name == unit.name)
    return sum(case.card.state_row(state).weight for state in unit.states if state not in before)
