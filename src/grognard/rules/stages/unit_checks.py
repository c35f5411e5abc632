"""Checks of single units, and the states that results put them in."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from grognard.card.dice import parse_dice
from grognard.card.effects import Effect, parse_does
from grognard.card.procedures import CheckRow
from grognard.card.rows import Side
from grognard.rules.ask import Asking, choose, ranked, roll
from grognard.rules.fight import enemy_of, units_of, with_unit
from grognard.rules.losses import lose_steps
from grognard.rules.modifiers import modified
from grognard.rules.rolls import cell_line, row_at, row_bands
from grognard.rules.stages.foresight import entries
from grognard.rules.stages.losses import count_of
from grognard.rules.stages.retreat import unit_goes
from grognard.rules.stages.state import (
    CardFight,
    Fighter,
    before_all,
    exposed,
    row_of,
    sides_of,
    standing,
)


def all_check(fight: CardFight, effect: Effect, side: Side) -> CardFight:
    """Let every unit of a side check, one a run; all its checks in a row, where others follow."""
    due, todo = [effect], fight.todo
    while todo and (more := _next_check(todo[0], side)):
        due, todo = [*due, more], todo[1:]
    checks = [
        f"!check {side} {place} {one.word} {one.added}"
        for place, unit in enumerate(units_of(fight, side))
        if unit.alive and not unit.unharmed
        for one in due
    ]
    return before_all(replace(fight, todo=todo), *checks)


def _next_check(words: str, side: Side) -> Effect | None:
    """Give the check of a side that comes next, if nothing else does."""
    effects = () if words[0] == "!" else parse_does(words).effects()
    only = effects[0] if len(effects) == 1 else None
    return only if only and only.kind == "check" and sides_of(only) == (side,) else None


def check(fight: CardFight, side: Side, place: int, id_: str, added: int) -> Asking[CardFight]:
    """Roll for one unit; what its failure does is done at once."""
    unit, row = units_of(fight, side)[place], fight.case.card.check_row(id_)
    if not unit.alive:
        return fight
    if added:
        yield fight.case.tell("note", "check-adds", row.rule, value=added, changes="roll")
    dice = parse_dice(row.dice)
    rating = unit.ratings[fight.case.card.checks.index(row)]
    ends = row_bands(dice, _starts(fight, row), added - rating)
    rolled = yield from roll(
        "check-roll", dice, row.rule, bands=ends, side=side, unit=unit.name, check=row.text
    )
    yield from modified(fight.case, rolled, added, row.rule)
    over = rolled + added - rating
    yield fight.case.tell(
        "total",
        "check-margin",
        row.rule,
        side=side,
        unit=unit.name,
        value=over,
        of="excess",
        roll=rolled + added,
        morale=rating,
    )
    words = yield from _consequence(fight, side, unit, row, over)
    for effect in words:
        fight = yield from on_unit(fight, side, place, effect)
    return fight


def _fails(row: CheckRow, over: int) -> bool:
    return over > 0 if row.passes == "at most" else over < 0


def _consequence(
    fight: CardFight, side: Side, unit: Fighter, row: CheckRow, over: int
) -> Asking[tuple[Effect, ...]]:
    """Find what a check does: by its table, or where it is failed."""
    case = fight.case
    if row.table is None:
        phrase = "check-breaks" if _fails(row, over) else "check-holds"
        yield case.tell("remark", phrase, row.rule, side=side, unit=unit.name)
        return parse_does(row.fails).of("unit").ways[0] if _fails(row, over) else ()
    table = case.card.table(row.table)
    label, column = row_at(table, over), table.column_labels[0]
    codes = table.read(label, column, case.options).options[0]
    told = " ".join(codes)
    yield cell_line(case, table, label, column, told, row.rule, side=side, unit=unit.name)
    does = (parse_does(table.legend[code].does).of("unit") for code in codes)
    return tuple(effect for each in does for effect in each.ways[0])


def _starts(fight: CardFight, row: CheckRow) -> tuple[Fraction | int, ...]:
    """Give the margins from which a check ends otherwise."""
    if row.table is not None:
        return fight.case.card.table(row.table).rows.starts
    return (1,) if row.passes == "at most" else (0,)


def on_unit(fight: CardFight, side: Side, place: int, effect: Effect) -> Asking[CardFight]:
    """Do to a single unit what its check says."""
    unit, rule = units_of(fight, side)[place], row_of(fight.case).rule
    if not unit.alive:
        return fight
    match effect.kind:
        case "lose":
            lost = count_of(effect, (unit,))
            return (yield from lose_steps(fight, side, unit.name, rule, lost=lost))
        case "eliminate":
            return (yield from lose_steps(fight, side, unit.name, rule, lost=unit.steps))
        case "retreat":
            return (yield from unit_goes(fight, side, place, int(effect.amount)))
        case "state":
            return (yield from put(fight, side, unit, effect.word))
    return fight


# ------------------------------------------------------------------ states


def put(fight: CardFight, side: Side, unit: Fighter, state: str) -> Asking[CardFight]:
    """Put a unit into a state; one that is in it already suffers what the card says."""
    row = fight.case.card.state_row(state)
    if state not in unit.states:
        yield fight.case.tell(
            "state", "gets-state", row.rule, side=side, unit=unit.name, value=state, state=row.text
        )
        states = tuple(sorted({*unit.states, state}))
        return with_unit(fight, side, replace(unit, states=states))
    if row.again == "nothing":
        return fight
    lost = 1 if row.again == "step" else unit.steps
    return (yield from lose_steps(fight, side, unit.name, row_of(fight.case).rule, lost=lost))


def into_state(fight: CardFight, effect: Effect, side: Side) -> Asking[CardFight]:
    """Put all units of a side into a state, or some of them, one choice a run."""
    if effect.amount == "all":
        for unit in exposed(fight, side):
            fight = yield from put(fight, side, unit, effect.word)
        return fight
    units = _may_suffer(fight, side, effect.word)
    if not units:
        return fight
    names, rule = [unit.name for unit in units], row_of(fight.case).rule
    by = effect.picks or (enemy_of(side) if row_of(fight.case).losses == "opponent" else side)
    alike = entries(fight, side, units, str(replace(effect, side=side)))
    name = yield from choose(
        by,
        "which-suffers",
        names,
        rule,
        alike,
        rank=ranked(alike),
        state=fight.case.card.state_row(effect.word).text,
    )
    unit = next(unit for unit in units if unit.name == name)
    fight = yield from put(fight, side, unit, effect.word)
    left = int(effect.amount) - 1
    return before_all(fight, str(replace(effect, side=side, amount=left))) if left else fight


def _may_suffer(fight: CardFight, side: Side, state: str) -> Sequence[Fighter]:
    """Give those that are not in the state yet; where all are, all of them."""
    units = standing(fight, side)
    return [unit for unit in units if state not in unit.states] or units
