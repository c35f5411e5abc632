"""Panzer Grenadier, 10, 11: direct and anti-tank fire, from the firers' values to the result."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.dice import Dice
from grognard.card.rows import CERTAIN, Reading
from grognard.games.panzer_grenadier.results import check_of, must_check
from grognard.games.panzer_grenadier.stated import (
    AntiTankFight,
    AntiTankFire,
    AntiTankPreparation,
    DirectFight,
    DirectFire,
    DirectPreparation,
    Firer,
    Group,
    Hit,
    Kind,
    Target,
    TrimmedFire,
    TrimmedTarget,
    in_hex,
    is_combat_unit,
    joined,
    still_there,
)
from grognard.rules.ask import Asking, Later, roll
from grognard.rules.columns import clamp_lines, rounded_place
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.kept import kept, told_once
from grognard.rules.line import Line
from grognard.rules.losses import lose_steps
from grognard.rules.modifiers import (
    Facts,
    Sum,
    Values,
    facts_in,
    facts_of,
    ground_of,
    share,
    stated_facts,
    told_apart,
    total,
)
from grognard.rules.procedure import stand_in_name
from grognard.rules.rolls import bands, cell_line, die_modifier, modified_roll, row_at, row_bands
from grognard.rules.strength import ROUNDED, Strength, as_printed, counts_as, summed
from grognard.words.numbers import signed


def value_of(unit: Firer, value: int, card: Card, options: Mapping[str, str]) -> Fraction:
    """Give what a firing unit's value counts: the half of it where the unit is disrupted."""
    if unit.state != "disrupted":
        return exact(value)
    half = value * card.number("disrupted_fire")
    return exact(ROUNDED[options["half_fire"]](half))


@kept
def told_value(
    case: Case[DirectFire] | Case[AntiTankFire], unit: Firer, printed: int, changes: str
) -> Strength:
    """Give what a firing unit's value counts, with the lines that tell it."""
    if unit.state != "disrupted":
        return as_printed(case, "attacker", unit.name, printed, changes)
    row = case.card.number_row("disrupted_fire")
    value, lines = share(
        case,
        printed,
        row.value,
        changes=changes,
        side="attacker",
        unit=unit.name,
        reason=row,
        rounded=ROUNDED[case.options["half_fire"]],
        reading=row.reading,
    )
    return Strength(value, lines)


# ------------------------------------------------------------------ the column


def fire_value(fight: DirectPreparation) -> Asking[DirectPreparation]:
    """10.2: the fire values of all firing units together, and their column."""
    return replace(fight, basic=(yield from _fire_value(fight.case, fight.attackers)))


@told_once
def _fire_value(case: Case[DirectFire], firers: tuple[Firer, ...]) -> Asking[int]:
    units = [told_value(case, unit, unit.fire, "attack") for unit in firers]
    whole = summed(case, "attacker", units, "10.2")
    yield from whole.lines
    return (yield from _basic_column(case, whole.value))


def _basic_column(case: Case[DirectFire], value: Fraction) -> Asking[int]:
    table = case.card.table("direct-fire")
    axis, higher = table.columns, case.options["fire_between"] == "higher"
    place = rounded_place(axis, value, "attacker" if higher else "defender")
    start, reading = axis.starts[place], CERTAIN
    if value < axis.starts[0]:
        reading = case.card.number_row("fire_least").reading
    elif value != start and value < axis.starts[-1]:
        reading = table.reading
    if value < start:
        yield case.tell(
            "clamp",
            "fire-read",
            "10.2",
            side="attacker",
            value=start,
            changes="attack",
            exact=value,
        )
    label = table.column_labels[place]
    yield case.tell("column", "basic-column", "10.2", value=label, of=table.id, reading=reading)
    return place


def columns(fight: DirectPreparation) -> Asking[DirectPreparation]:
    """7.51, 10.3: all shifts, within their limit; units with shifts of their own stand apart."""
    case, targets = fight.case, fight.defenders
    parties = _parties(case, targets, _hex_facts(case, _ground(case), _combat_units(case, targets)))
    groups = _groups(case, fight.basic, parties)
    yield Later(lambda: _column_lines(case, fight.basic, targets, parties, groups))
    return replace(fight, basic=0, groups=groups)


def _ground(case: Case[DirectFire]) -> DirectFire:
    """Give what is stated besides the units, and what goes without saying of a single firer."""
    setup = case.setup
    alone = setup.range == 1 and len(setup.attackers) == 1
    return replace(ground_of(case), adjacent_to_all=setup.adjacent_to_all or alone)


Parties = tuple[tuple[Sum, tuple[int, ...]], ...]  # shifts, and the places of units


@kept
def _groups(case: Case[DirectFire], basic: int, parties: Parties) -> tuple[Group, ...]:
    """7.51: who is fired at on which column."""
    groups: dict[int | None, tuple[int, ...]] = {}
    for shift, places in parties:
        column = _shifted(case, basic + shift.value)
        groups[column] = (*groups.get(column, ()), *places)
    return tuple([Group(column, places) for column, places in groups.items()])


def _column_lines(
    case: Case[DirectFire],
    basic: int,
    targets: tuple[Target, ...],
    parties: Parties,
    groups: tuple[Group, ...],
) -> Iterator[Line]:
    """7.51, 10.3: tell who is fired at on which column, and why."""
    yield from _stack(case, targets)
    several = sum(group.column is not None for group in groups) > 1
    reading = case.doubt("separate_columns") if several else CERTAIN
    # The first target's column is told last: it is the one that an explanation gives as final.
    for column, hit in reversed(groups):
        for shift, places in parties:
            if _shifted(case, basic + shift.value) != column:
                continue
            units = joined(targets, places)
            if len(parties) > 1:
                yield case.tell(
                    "note", "fired-at", "7.51", side="defender", unit=units, reading=reading
                )
            yield from _shift_lines(case, basic, shift, units)
        yield _final_column(case, column, joined(targets, hit))


def _stack(case: Case[DirectFire], targets: tuple[Target, ...]) -> Iterator[Line]:
    row, count = case.card.number_row("stacking"), _combat_units(case, targets)
    if count > row.value:
        rule, most, reading = row.rule, row.value, row.reading
        yield case.tell(
            "note", "over-stacked", rule, side="defender", value=count, reading=reading, most=most
        )


@kept
def _combat_units(case: Case[DirectFire], targets: tuple[Target, ...]) -> int:  # noqa: ARG001  # as it is kept
    return sum(is_combat_unit(unit) for unit in in_hex(targets))


@kept
def _parties(case: Case[DirectFire], targets: tuple[Target, ...], common: Values) -> Parties:
    """7.51: the places of the units of the hex, together where the same modifiers concern them."""
    units = [(p, unit) for p, unit in enumerate(targets) if not unit.distance]
    whole_hex = case.options["crossing_scope"] == "whole_hex"
    crossing = any(unit.engineers_crossing for _, unit in units)
    alike: dict[tuple[Kind, bool, bool], list[int]] = {}
    for place, unit in units:
        crosses = crossing if whole_hex else unit.engineers_crossing
        alike.setdefault((unit.kind, unit.dug_in, crosses), []).append(place)
    parties: dict[Sum, list[int]] = {}
    for (kind, dug_in, crosses), places in alike.items():
        parties.setdefault(_shift(case, kind, dug_in, crosses, common), []).extend(places)
    return tuple([(shift, tuple(sorted(places))) for shift, places in parties.items()])


@kept
def _shift(case: Case[DirectFire], kind: Kind, dug_in: bool, crosses: bool, common: Values) -> Sum:
    """10.3: add up the modifiers that concern a unit of the hex."""
    rows = case.card.modifying("direct-fire", "column")
    own = {"unit_kind": kind, "dug_in": dug_in, "engineers_crossing": crosses}
    return total(case.card, rows, {**facts_of(rows, common), **own})


@kept
def _hex_facts(case: Case[DirectFire], ground: DirectFire, combat_units: int) -> Values:
    """State what the column modifiers look at and all units of the hex have in common."""
    facts: Facts = {
        **facts_in(case, ground),
        "aa_distance": ground.aa_distance or 0,
        "combat_units_in_hex": combat_units,
    }
    return told_apart(case.card.modifying("direct-fire", "column"), facts)


def _shifted(case: Case[DirectFire], column: int) -> int | None:
    """10.3: the column after the shift, kept within the table; by option None left of it."""
    if column < 0 and case.options["off_table"] == "left_no_effect":
        return None
    return case.card.table("direct-fire").within(column)


def _shift_lines(case: Case[DirectFire], basic: int, shift: Sum, units: str) -> Iterator[Line]:
    """Tell the modifiers that concern some units, and what they come to."""
    for line in shift.lines:
        yield replace(line, unit=units)
    yield case.tell(
        "total",
        "shift",
        "10.3",
        unit=units,
        value=shift.value,
        of="column",
        changes="column",
        sum=signed(shift.value),
    )
    place = basic + shift.value
    if _shifted(case, place) is not None:
        table, reading = case.card.table("direct-fire"), CERTAIN
        if place < 0:
            reading = case.doubt("off_table")
        yield from clamp_lines(case, table, place, "10.3", units, reading=reading)


def _final_column(case: Case[DirectFire], column: int | None, units: str) -> Line:
    table = case.card.table("direct-fire")
    if column is None:
        reading = case.doubt("off_table")
        return case.tell(
            "clamp", "left-of-table", "10.3", unit=units, changes="column", reading=reading
        )
    label = table.column_labels[column]
    return case.tell("column", "final-column", "10.3", unit=units, value=label, of=table.id)


# ------------------------------------------------------------------ the dice


def fire(fight: DirectFight) -> Asking[DirectFight]:
    """10.2, 7.51: one roll, read on each column; by option a roll for each, one a run."""
    case = fight.case
    one_roll = case.options["separate_columns"] == "one_roll"
    now = fight.groups if one_roll else fight.groups[:1]
    later = fight.groups[len(now) :]
    hit, together, aims = _aimed(case, now, fight.defenders)
    dice = 0
    if hit:
        dice = yield from roll("fire-roll", 2, "10.2", bands=together, unit=hit)
    hits = list(fight.hits)
    for aim, group in zip(aims, now, strict=True):
        code = "-"
        if aim.says is not None:
            _, code, reading = said = aim.says[dice]
            yield Later(partial(_look_up, case, aim, said), not reading.doubtful)
        hits.append(Hit(code, group.places))
    return replace(
        fight,
        groups=later,
        hits=tuple(hits),
        result="/".join([hit.code for hit in hits]),
        pending=("fire-roll",) * len(later),
    )


class Said(NamedTuple):
    """What the table says of a sum of the dice on a column."""

    row: str
    code: str
    reading: Reading


class Aim(NamedTuple):
    """Units that are fired at on a column, and what it says of each sum; None left of the table."""

    units: str
    column: str
    says: Mapping[int, Said] | None


@kept
def _aimed(
    case: Case[TrimmedFire], groups: tuple[Group, ...], targets: tuple[TrimmedTarget, ...]
) -> tuple[str, tuple[int, ...], tuple[Aim, ...]]:
    """10.2: give who can be hit; the sums from which the table says something else, each row by
    itself where its reading is doubtful, so that it is told; and each column."""
    labels, aims = case.card.table("direct-fire").column_labels, list[Aim]()
    for column, places in groups:
        trucks = any(targets[place].kind == "truck" for place in places)
        label = "" if column is None else labels[column]
        says = _says(case, label, trucks) if label else None
        aims.append(Aim(joined(targets, places), label, says))
    read = [(aim.units, aim.says) for aim in aims if aim.says is not None]

    def leads_to(dice: int) -> tuple[tuple[str, str], ...]:
        found = [says[dice] for _, says in read]
        return tuple([(code, row if reading.doubtful else "") for row, code, reading in found])

    return ", ".join([units for units, _ in read]), bands(Dice(2), leads_to), tuple(aims)


@kept
def _says(case: Case[TrimmedFire], column: str, trucks: bool) -> Mapping[int, Said]:
    """Give what a column says of each sum, without the doubt about trucks where there is none."""
    table, found = case.card.table("direct-fire"), dict[int, Said]()
    for dice in Dice(2).values():
        row = row_at(table, dice)
        code = table.cell(row, column).printed
        reading = table.legend[code].reading
        sure = not trucks and reading.option == "trucks_check"
        found[dice] = Said(row, code, CERTAIN if sure else reading)
    return found


def _look_up(case: Case[TrimmedFire], aim: Aim, said: Said) -> Iterator[Line]:
    table, (row, code, reading) = case.card.table("direct-fire"), said
    rule = table.legend[code].rule
    yield cell_line(case, table, row, aim.column, code, rule, unit=aim.units, reading=reading)


def with_stand_ins(fight: DirectFight) -> tuple[DirectFight, tuple[str, ...]]:
    """Let one unit stand for all of a column: a look at the table only asks whether one of them is
    a truck."""
    names, units, groups = list[str](), list[TrimmedTarget](), list[Group]()
    for number, (column, places) in enumerate(fight.groups):
        name, unit = _stand_in(fight.case, fight.defenders, places, number)
        names.append(name)
        units.append(unit)
        groups.append(Group(column, (number,)))
    hits = tuple([Hit(hit.code, ()) for hit in fight.hits])
    return replace(fight, groups=tuple(groups), hits=hits, defenders=tuple(units)), tuple(names)


def for_all_units(fight: DirectFight, changed: dict[str, Any]) -> dict[str, Any]:
    """Give what a look at the table changes, with all units of each column."""
    new, groups = changed["hits"][len(fight.hits) :], fight.groups
    hits = [Hit(hit.code, group.places) for hit, group in zip(new, groups, strict=False)]
    return {**changed, "hits": (*fight.hits, *hits), "groups": groups[len(new) :]}


@kept
def _stand_in(
    case: Case[TrimmedFire],  # noqa: ARG001  # as it is kept
    targets: tuple[TrimmedTarget, ...],
    places: tuple[int, ...],
    number: int,
) -> tuple[str, TrimmedTarget]:
    """Give the names of the targets at some places, and a unit that stands for all of them."""
    kind: Kind = "truck" if any(targets[place].kind == "truck" for place in places) else "other"
    stand_in = TrimmedTarget(
        name=stand_in_name(number), kind=kind, morale=0, state="good-order", beside=False
    )
    return joined(targets, places), stand_in


# ------------------------------------------------------------------ 11.1 anti-tank fire

T = TypeVar("T", Target, TrimmedTarget)


def anti_tank_value(fight: AntiTankPreparation) -> Asking[AntiTankPreparation]:
    """11.1: the anti-tank value less the armour, and all modifiers, without a limit."""
    case, unit, target = fight.case, fight.attackers[0], the_target(fight.defenders)
    value, lines = told_value(case, unit, unit.anti_tank or 0, "anti-tank")
    yield from lines
    armour = yield from _armour(case, target)
    yield case.tell(
        "total", "attack-total", "11.1", value=value - armour, of="anti-tank", changes="roll"
    )
    dug_in, crossing = target.dug_in, target.engineers_crossing
    facts = {**stated_facts(case), "dug_in": dug_in, "engineers_crossing": crossing}
    modifiers = die_modifier(case, "anti-tank", facts, "11.1")
    yield from modifiers.lines
    return replace(fight, die_modifier=value - armour + modifiers.value)


def the_target(units: Iterable[T]) -> T:
    """Give the one target of anti-tank fire; the other units are leaders."""
    return next(unit for unit in units if unit.kind != "leader")


def _armour(case: Case[AntiTankFire], target: Target) -> Asking[int]:
    """11.1: the target's armour; a truck has that of the card."""
    if target.kind == "truck":
        row = case.card.number_row("truck_armour")
        yield counts_as(case, target.name, row, "anti-tank", "11.1")
        return int(row.value)
    name, armour = target.name, target.armour or 0
    yield case.tell(
        "note", "armour", "11.1", side="defender", unit=name, value=armour, changes="anti-tank"
    )
    return armour


def shot(fight: AntiTankFight) -> Asking[AntiTankFight]:
    """11.1: roll, add, read the table; the target loses a step and checks, or is eliminated."""
    case, table = fight.case, fight.case.card.table("anti-tank")
    target = the_target(fight.defenders)
    added, name = fight.die_modifier, target.name
    rows = row_bands(Dice(2), table.rows.starts, added)
    dice = yield from modified_roll(case, "anti-tank-roll", 2, added, "11.1", unit=name, bands=rows)
    row = row_at(table, dice)
    code = table.read(row, table.column_labels[0], case.options).options[0][0]
    result = table.legend[code]
    effect, values = result.text, result.values
    yield case.tell(
        "result", "anti-tank-result", "11.1", value=code, of=table.id, row=row, effect=effect
    )
    fight = replace(fight, die_modifier=Fraction(0), result=code)
    if lost := target.steps if values["eliminated"] else int(values["steps"]):
        fight = yield from lose_steps(fight, "defender", target.name, "11.1", lost=lost)
    place = [unit.name for unit in fight.defenders].index(target.name)
    survivors = still_there(fight, [place]) if values["check"] else []
    checks = tuple(
        check_of(fight, unit, int(values.get("check_modifier", 0))) for unit in survivors
    )
    return (yield from must_check(fight, checks))
