"""What is still to come: whether it tells units apart, and which fights are equal from here on."""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.effects import Effect, parse_does
from grognard.card.procedures import ProcedureRow
from grognard.card.rows import SIDES, Side
from grognard.rules.fight import Case, alive, units_of
from grognard.rules.stages.state import CardFight, Fighter, row_of, sides_of


class Reads(IntEnum):
    """How closely the effects to come look at the units of a side."""

    SUMS = 0  # at the steps of all together
    NAMES = 1  # they also ask which of them loses steps
    UNITS = 2  # at each unit: its steps, its strength, its state


ANY = 10_000  # steps, where it is not known how many


class Ahead(NamedTuple):
    """What the effects to come look at, of one side."""

    reads: Reads = Reads.SUMS
    steps: int = 0  # that its units may lose by somebody's choice, at most
    checked: frozenset[int] = frozenset()  # places of units that are still to be checked

    def and_(self, reads: Reads, steps: int = 0) -> "Ahead":
        """Add another effect."""
        return self._replace(reads=max(self.reads, reads), steps=self.steps + steps)


@lru_cache(maxsize=4096)  # odds meet the same work over and over
def ahead(case: Case[Any], todo: tuple[str, ...], side: Side) -> Ahead:
    """Look at everything that is still to be done."""
    row, seen = row_of(case), Ahead()
    for words in todo:
        kind, _, rest = words.partition(" ")
        if kind[0] != "!":
            for effect in _with_called(case.card, parse_does(words).effects()):
                seen = _reads(seen, case, row, effect, side)
        elif rest.startswith(side):
            match kind:
                case "!check":
                    seen = seen._replace(checked=seen.checked | {int(rest.split()[1])})
                case "!pay":
                    seen = seen.and_(Reads.UNITS)
                case _:
                    seen = seen.and_(_blocked(case, row, side))
    return seen


def _with_called(card: Card, effects: Iterable[Effect]) -> Iterator[Effect]:
    """Give effects, and those of the tables that they read."""
    for effect in effects:
        yield effect
        if effect.kind == "read":
            for result in card.table(effect.word).results:
                yield from _with_called(card, parse_does(result.does).effects())


def _reads(seen: Ahead, case: Case[Any], row: ProcedureRow, effect: Effect, side: Side) -> Ahead:
    """Add what an effect looks at."""
    if effect.kind == "exchange":
        return seen.and_(Reads.UNITS)
    if effect.kind in ("nothing", "advance", "read", "eliminate") or side not in sides_of(effect):
        return seen
    number = effect.amount if isinstance(effect.amount, int) else ANY
    match effect.kind:
        case "retreat":
            seen = seen.and_(_blocked(case, row, side))
            return seen if row.stand == "no" else seen.and_(Reads.NAMES, number)
        case "lose" if effect.amount == "all":
            return seen
        case "lose" if not (effect.units or effect.each):
            return seen.and_(Reads.NAMES, number)
    return seen.and_(Reads.UNITS)


def _blocked(case: Case[Any], row: ProcedureRow, side: Side) -> Reads:
    setup = case.setup
    room = setup.attacker_room if side == "attacker" else setup.defender_room
    return Reads.UNITS if row.blocked == "step a hex" and room is not None else Reads.SUMS


def blind(fight: CardFight, side: Side, steps: int = ANY) -> bool:
    """Tell whether it is the same for all that comes later which units lose so many steps."""
    seen, units = ahead(fight.case, fight.todo, side), alive(units_of(fight, side))
    return (
        seen.reads < Reads.UNITS
        and not seen.checked
        and len({unit.left for unit in units}) <= 1
        and all(_safe(fight, side, unit, steps + seen.steps) for unit in units)
    )


def _safe(fight: CardFight, side: Side, unit: Fighter, steps: int) -> bool:
    """Tell whether a unit that loses so many steps takes no state with it that counts."""
    return unit.steps > steps or not shaken(fight.case, side, unit)


# ------------------------------------------------------------------ fights that are equal


class Settled(tuple[Fighter, ...]):
    """A side's units of which only their sums still count, but for those still to be checked.

    Sides with equal sums are equal, and so their fights merge in the odds.
    """

    counts: tuple[object, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settled) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(self.counts)


def settled(fight: CardFight) -> CardFight:
    """Forget which unit took which loss, as far as nothing that comes later asks for it."""
    ours, theirs = (_settled(fight, side) for side in SIDES)
    return replace(fight, attackers=ours, defenders=theirs)


def _settled(fight: CardFight, side: Side) -> tuple[Fighter, ...]:
    units, case = units_of(fight, side), fight.case
    reads, steps, checked = ahead(case, fight.todo, side)
    by_name = reads == Reads.NAMES
    if reads == Reads.UNITS or (by_name and row_of(case).losses == "spread"):
        return tuple(units)
    sums, apart = [0, 0, 0, 0], list[Fighter | tuple[bool, bool]]()
    for place, unit in enumerate(units):
        if place in checked or (by_name and not _safe(fight, side, unit, steps)):
            apart.append(unit)
            continue
        if by_name:
            apart.append((unit.alive, unit.left))
        if unit.alive:
            sums[unit.left] += unit.steps
            sums[2 + unit.left] += shaken(case, side, unit)
    now = Settled(units)
    now.counts = (side, *sums, *apart)
    return now


def shaken(case: Case[Any], side: Side, unit: Fighter) -> int:
    """Weigh the states that a unit has got in the fight."""
    if not unit.states:
        return 0
    before = next(old.states for old in units_of(case.setup, side) if old.name == unit.name)
    return sum(case.card.state_row(state).weight for state in unit.states if state not in before)
