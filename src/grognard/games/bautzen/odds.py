"""Bautzen 1945, 8.2 (4) to (6): the ratio, the column shifts, the die, the combat table."""

from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from grognard.card.rows import CERTAIN
from grognard.games.bautzen.stated import (
    Attack,
    BautzenFight,
    BautzenPreparation,
    BautzenTotals,
    Committed,
    columns_only,
    in_hex,
)
from grognard.rules import modifiers
from grognard.rules.ask import Asking
from grognard.rules.columns import basic_column, final_column, open_place, ratio_of
from grognard.rules.fight import Case
from grognard.rules.kept import kept, told_once
from grognard.rules.modifiers import Facts, Sum, facts_in, total
from grognard.rules.rolls import cell_line, die_modifier, modified_roll, row_at

P = TypeVar("P", BautzenPreparation, BautzenTotals)

# ------------------------------------------------------------------ (4), (5) the column


def column(fight: P) -> Asking[P]:
    """8.2 (4), (5): the ratio, rounded down, and all column shifts; the die's modifiers."""
    if isinstance(fight, BautzenTotals):
        places = fight.case.setup.places
        place = next(place for place in places if place.committed == fight.committed)
        if place.doubts:
            yield place.doubts
        return replace(fight, column=place.column, die_modifier=place.die_modifier)
    if columns_only(fight):
        return fight
    case, ground = fight.case, ground_of(fight.case)
    final, added = yield from located(case, fight.attack, fight.defence, ground, fight.committed)
    # The totals have done their work; fights that differ only in them are the same from here on.
    return replace(fight, attack=0, defence=0, column=final, die_modifier=added)


class Ground(NamedTuple):
    """What the card's modifiers look at, besides what is committed."""

    stated: Attack  # without its units
    across_river: bool
    defender_unsupplied: bool


def ground_of(case: Case[Attack]) -> Ground:
    """Find what the modifiers look at."""
    setup = case.setup
    across = [u for u in setup.attackers if u.across_river and not u.at_distance]
    unsupplied = [u for u in in_hex(setup.defenders) if u.unsupplied]
    # What is stated of a retreat shifts nothing.
    stated = replace(
        modifiers.ground_of(case),
        can_retreat=True,
        retreat_room=None,
        retreat_unsupplied=False,
        retreated_before=False,
        attacker_cl_on_map=0,
    )
    return Ground(stated, bool(across), bool(unsupplied))


def located(
    case: Case[Any], attack: int, defence: int, ground: Ground, committed: Committed
) -> Asking[tuple[int, int]]:
    """8.2 (4), (5): give the column that is read, and what is added to the die."""
    shifts, dice = _modifiers(case, ground, committed)
    final = yield from _shifted(case, attack, defence, shifts)
    yield dice.lines
    return final, dice.value


@kept
def _modifiers(case: Case[Any], ground: Ground, committed: Committed) -> tuple[Sum, Sum]:
    """8.2 (5): add up what shifts the column, and what is added to the die."""
    cl, air, their_cl, their_air = committed
    facts: Facts = {
        **facts_in(case, ground.stated),
        "across_river": ground.across_river,
        "defender_unsupplied": ground.defender_unsupplied,
        "attacker_cl": cl,
        "attacker_air": air,
        "defender_cl": their_cl,
        "defender_air": their_air,
    }
    shifts = total(case.card, case.card.modifying("combat", "column"), facts)
    return shifts, die_modifier(case, "combat", facts, "8.2")


@told_once
def _shifted(case: Case[Attack], attack: int, defence: int, shifts: Sum) -> Asking[int]:
    """8.2 (4), (5): the column of the ratio, all shifts, and the column that is read."""
    basic = yield from _ratio(case, attack, defence)
    yield from shifts.lines
    shift = yield from _all_capped(case, shifts.value)
    return (yield from final_column(case, case.card.table("combat"), basic + shift, "8.2"))


def _all_capped(case: Case[Attack], shift: int) -> Asking[int]:
    """8.2 under its other reading: what limits logistic columns limits all shifts together."""
    limit = case.card.limit("cl")
    capped, doubt = limit.within(shift), case.doubt("column_cap")
    if capped == shift:
        return shift
    if case.options["column_cap"] != "all_shifts":
        yield case.tell("note", "shifts-add-up", "8.2", value=shift, of="column", reading=doubt)
        return shift
    yield case.tell("limit", "all-shifts-cap", "8.2", value=capped, changes="column", reading=doubt)
    return capped


def _ratio(case: Case[Attack], attack: int, defence: int) -> Asking[int]:
    """8.2 (4): the ratio, rounded down; its number is the place of its column."""
    table = case.card.table("combat")
    axis = table.columns
    one, doubt = case.options["zero_defence"] == "counts_as_one", case.doubt("zero_defence")
    ratio = yield from ratio_of(case, axis, attack, defence, "8.2", as_one=one, reading=doubt)
    basic = open_place(axis, ratio)
    odds = f"{basic}/1"
    return (
        yield from basic_column(
            case, table, basic, attack=attack, defence=defence, odds=odds, rule="8.2"
        )
    )


# ------------------------------------------------------------------ (6) the die


def result(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (6): roll, modify, read the table; 8.6.3 where only logistic columns are attacked."""
    if fight.columns_alone:
        return fight
    case, table = fight.case, fight.case.card.table("combat")
    die = yield from modified_roll(case, "combat-roll", 1, fight.die_modifier, "8.2")
    label = table.column_labels[fight.column]
    doubt = case.doubt("low_die") if die < 1 else CERTAIN
    if die < 1 and case.options["low_die"] == "no_effect":
        yield case.tell("result", "no-row", "8.2", value="0/0", die=die, reading=doubt)
        return replace(fight, result="0/0")
    row = row_at(table, die)
    cell = table.cell(row, label)
    yield cell_line(case, table, row, label, cell.printed, "8.2", reading=doubt)
    ours, theirs = (int(half.options[0][0]) for half in cell.halves)
    return replace(fight, result=cell.printed, owed=(ours, theirs), die_modifier=0, column=0)
