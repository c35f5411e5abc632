"""The place on the table: what is looked up, its column, and every shift."""

from fractions import Fraction
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.card.procedures import FIRST, LAST, ONE, REFUSED, ProcedureRow
from grognard.card.rows import SIDES
from grognard.card.tables import Axis, Table
from grognard.rules.ask import Asking
from grognard.rules.columns import (
    basic_column,
    final_column,
    rounded_place,
    unopposed,
    unopposed_line,
)
from grognard.rules.exact import exact
from grognard.rules.fight import Case, units_of
from grognard.rules.modifiers import Facts, total
from grognard.rules.rolls import die_modifier
from grognard.rules.stages.state import CardPreparation, row_of
from grognard.rules.stages.strength import fight_facts
from grognard.words.message import Message, say


class Place(NamedTuple):
    """Where a fight comes to stand on its table, before any shift."""

    number: Fraction | None = None  # what is looked up; None: against no defence
    column: int = 0
    counts_as: Fraction | None = None  # where the number counts as another one
    automatic: str = ""  # the result that happens without a roll
    refused: Message | None = None


def find_place(case: Case[Any], table: Table, attack: Fraction, defence: Fraction) -> Place:
    """Find the place of a fight on its table, as its procedure says."""
    row, axis = row_of(case), table.columns
    if len(table.column_labels) == 1:
        return Place()
    if axis.of == "ratio" and defence <= 0:
        if row.zero_defence not in (LAST, ONE):
            return _special(row.zero_defence, say("the defenders have no strength"))
        ratio = unopposed(axis, attack, as_one=row.zero_defence == ONE)
        return Place(column=rounded_place(axis, ratio), counts_as=ratio)
    number = _looked_up(case, axis, attack, defence)
    if row.beyond_from is not None and row.beyond != LAST and number >= row.beyond_from:
        return _special(row.beyond, say("{number} is beyond the table", number=number))
    if number < axis.starts[0] and (row.below != FIRST or axis.below == "none"):
        word = REFUSED if row.below == FIRST else row.below
        return _special(word, say("{number} is below the first column of the table", number=number))
    return _rounded(row, axis, number)


def _special(word: str, problem: Message) -> Place:
    if word == REFUSED:
        return Place(refused=problem)
    return Place(automatic=word)


def _looked_up(case: Case[Any], axis: Axis, attack: Fraction, defence: Fraction) -> Fraction:
    match axis.of:
        case "ratio":
            return attack / defence
        case "difference":
            return attack - defence
        case "attack":
            return attack
    if axis.of in case.setup.__struct_fields__:
        return exact(getattr(case.setup, str(axis.of)))
    ours, theirs = (
        exact(max(getattr(unit, str(axis.of)) for unit in units_of(case.setup, side)))
        for side in SIDES
    )
    return {"attacker": ours, "defender": theirs, "difference": ours - theirs}[axis.whose]


def _rounded(row: ProcedureRow, axis: Axis, number: Fraction) -> Place:
    """Between two columns a number counts as the one that it is rounded to."""
    place = rounded_place(axis, number, row.rounding)
    start = axis.starts[place]
    between = axis.starts[0] < number < axis.starts[-1] and number != start
    return Place(number, place, start if between and row.rounding != "defender" else None)


# ------------------------------------------------------------------ the steps


def column(fight: CardPreparation) -> Asking[CardPreparation]:
    """Find the column, shift it, and add up what modifies the roll."""
    case, table, row = fight.case, fight.case.card.table(fight.table), row_of(fight.case)
    place = find_place(case, table, fight.attack, fight.defence)
    if place.automatic:
        yield case.tell("remark", "no-roll", row.rule)
        return replace(fight, automatic=place.automatic, attack=Fraction(0), defence=Fraction(0))
    facts = fight_facts(case)
    here = 0
    if len(table.column_labels) > 1:
        here = yield from _columns(fight, table, place, facts)
    ours, theirs = yield from _die_modifiers(case, row, table, facts)
    return replace(
        fight,
        attack=Fraction(0),
        defence=Fraction(0),
        column=here,
        die_modifier=ours,
        defender_die=theirs,
    )


def _columns(fight: CardPreparation, table: Table, place: Place, facts: Facts) -> Asking[int]:
    case, rule, of = fight.case, row_of(fight.case).rule, table.columns.of or ""
    if of not in ("ratio", "difference", "attack") and place.number is not None:
        yield case.tell("note", "looked-up", rule, value=place.number, changes=of)
    if place.counts_as is not None:
        counts, exact_ = place.counts_as, place.number
        yield (
            unopposed_line(case, counts, rule)
            if exact_ is None
            else case.tell("clamp", "counts-as", rule, value=counts, changes=of, exact=exact_)
        )
    here = yield from basic_column(
        case, table, place.column, attack=fight.attack, defence=fight.defence, rule=rule
    )
    shifts = total(case.card, case.card.modifying(table.id, "column"), facts)
    yield from shifts.lines
    return (yield from final_column(case, table, here + shifts.value, rule))


def _die_modifiers(
    case: Case[Any], row: ProcedureRow, table: Table, facts: Facts
) -> Asking[tuple[int, int]]:
    """Add up what modifies the roll; where both sides roll, those of the defender are his own."""
    if row.rolls == "once":
        added = die_modifier(case, table.id, facts, row.rule)
        yield from added.lines
        return added.value, 0
    ours, theirs = (die_modifier(case, table.id, facts, row.rule, side=side) for side in SIDES)
    yield from theirs.lines
    yield from ours.lines  # the last is the die modifier of an explanation
    return ours.value, theirs.value
