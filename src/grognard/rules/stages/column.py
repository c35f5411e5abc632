"""The place on the table: what is looked up, its column, and every shift."""

from fractions import Fraction
from typing import Any, NamedTuple

from msgspec.structs import replace

from grognard.card.procedures import FIRST, LAST, REFUSED, ProcedureRow
from grognard.card.rows import SIDES, Side
from grognard.card.tables import Axis, Table
from grognard.rules.ask import Asking
from grognard.rules.columns import basic_column, final_column
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.modifiers import Facts, total
from grognard.rules.stages.state import CardPreparation, row_of
from grognard.rules.stages.strength import fight_facts, modifiers_of
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
        return _no_defence(row, axis, attack)
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


def _no_defence(row: ProcedureRow, axis: Axis, attack: Fraction) -> Place:
    match row.zero_defence:
        case "last":
            return Place(column=len(axis.starts) - 1, counts_as=axis.starts[-1])
        case "one":
            return Place(column=axis.position(attack) or 0, counts_as=attack)
    return _special(row.zero_defence, say("the defenders have no strength"))


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
    return exact(max(getattr(unit, str(axis.of)) for unit in case.setup.attackers))


def _rounded(row: ProcedureRow, axis: Axis, number: Fraction) -> Place:
    """Between two columns: for the defender, for the attacker, or to the nearer one."""
    place, starts = axis.position(number) or 0, axis.starts
    if number <= starts[place] or place == len(starts) - 1 or row.rounding == "defender":
        return Place(number, place)
    low, high = starts[place], starts[place + 1]
    if row.rounding == "nearest" and not _nearer(number, low, high):
        return Place(number, place, low)
    return Place(number, place + 1, high)


def _nearer(number: Fraction, low: Fraction, high: Fraction) -> bool:
    """Tell whether a number is nearer to the higher of two columns; odds below 1 by their second
    number: 1 to 2½ lies in the middle between 1 to 2 and 1 to 3."""
    if low > 0 and high <= 1:
        return 1 / number - 1 / high < 1 / low - 1 / number
    return high - number < number - low


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
    if place.number is None:
        yield case.tell(
            "clamp", "no-defence", rule, side="defender", value=place.counts_as, changes=of
        )
    elif place.counts_as is not None:
        yield case.tell(
            "clamp", "counts-as", rule, value=place.counts_as, changes=of, exact=place.number
        )
    here = yield from basic_column(
        case, table, place.column, attack=fight.attack, defence=fight.defence, odds="", rule=rule
    )
    shifts = total(case.card, modifiers_of(case, table.id, "column"), facts)
    yield from shifts.lines
    return (yield from final_column(case, table, here + shifts.value, rule))


def _die_modifiers(
    case: Case[Any], row: ProcedureRow, table: Table, facts: Facts
) -> Asking[tuple[int, int]]:
    """Add up what modifies the roll; where both sides roll, those of the defender are his own."""
    rows = modifiers_of(case, table.id, "die")
    if row.rolls == "once":
        added = total(case.card, rows, facts)
        yield from added.lines
        yield case.tell(
            "die", "die-modifier", row.rule, value=added.value, of="die", changes="roll"
        )
        return added.value, 0
    values: dict[Side, int] = {}
    for side in reversed(SIDES):  # the attacker's is the die modifier of an explanation: the last
        own = [modifier for modifier in rows if (modifier.side or "attacker") == side]
        added = total(case.card, own, facts, side=side)
        yield from added.lines
        yield case.tell(
            "die",
            "die-modifier",
            row.rule,
            side=side,
            value=added.value,
            of="die",
            changes="roll",
        )
        values[side] = added.value
    return values["attacker"], values["defender"]
