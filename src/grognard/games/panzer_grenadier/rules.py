"""Panzer Grenadier: direct fire at a hex, and anti-tank fire at one target."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import ceil, floor
from typing import Annotated, Literal, NamedTuple, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from grognard.ask import Asking, choose, roll
from grognard.card import CERTAIN, Card, Reading, Table
from grognard.exact import exact
from grognard.fight import Case, Fight, Outcome, Setup, Unit, with_unit
from grognard.line import Line, row_line, signed
from grognard.message import say
from grognard.modifiers import Facts, Sum, modified, share, total
from grognard.procedure import Plain, Procedure
from grognard.setup_check import need, terrain_known, units_named_once

Count = Annotated[int, Meta(ge=0)]
State = Literal["good-order", "disrupted", "demoralised"]
Kind = Literal[
    "infantry",
    "engineers",
    "cavalry",
    "mortar",
    "anti-tank",
    "anti-aircraft",
    "artillery",
    "afv-closed",
    "afv-open",
    "other",
    "truck",
    "wagon",
    "sledge",
    "leader",
]
AFVS = ("afv-closed", "afv-open")
TRANSPORT = ("truck", "wagon", "sledge")
STATES: tuple[State, ...] = ("good-order", "disrupted", "demoralised")  # from best to worst
PASSED: Literal["passed"] = "passed"


class Firer(Unit, frozen=True, kw_only=True, cache_hash=True):
    """A firing unit, with the value of the kind of fire that it uses."""

    fire: Count = 0
    anti_tank: Count | None = None
    state: State = "good-order"


class Target(Unit, frozen=True, kw_only=True, cache_hash=True):
    """A unit in the target hex, or a leader in it or next to it."""

    kind: Kind = "infantry"
    morale: Count
    steps: Annotated[int, Meta(ge=1)] = 2
    state: State = "good-order"
    armour: Count | None = None
    dug_in: bool = False
    engineers_crossing: bool = False
    bonus: Count = 0  # of a leader, to the morale of the hex
    distance: Count = 0  # of a leader, in hexes from the target hex


class Fire(Setup, frozen=True, kw_only=True):
    """What is stated before any fire."""

    attackers: tuple[Firer, ...]
    defenders: tuple[Target, ...]
    range: Count
    terrain: tuple[str, ...] = ("clear",)
    opportunity_fire: bool = False


class DirectFire(Fire, frozen=True, kw_only=True):
    """What is stated before direct fire."""

    entrenched: bool = False
    night: bool = False
    adjacent_to_all: bool = False  # goes without saying for a single firer at range 1
    minefield_of_firer: bool = False
    air_attack: bool = False
    aa_unit: bool = False
    aa_distance: Count | None = None


class AntiTankFire(Fire, frozen=True, kw_only=True):
    """What is stated before anti-tank fire: one firer, one target, and leaders who help it."""

    target_moved: bool = False
    target_higher: bool = False
    crossfire: bool = False
    crossfire_hexes_only: bool = False


class Group(NamedTuple):
    """Units that are fired at on one column, by their places; None is left of the table."""

    column: int | None
    places: tuple[int, ...]


class Hit(NamedTuple):
    """A result of the table, and the places of the units that it concerns."""

    code: str
    places: tuple[int, ...]


class Check(NamedTuple):
    """A morale check to come: whose place among the defenders, added to the dice, morale."""

    place: int
    added: int
    morale: int


class FireFight(Fight, frozen=True, kw_only=True, cache_hash=True):
    """A fire between two steps."""

    attackers: tuple[Firer, ...] = ()
    defenders: tuple[Target, ...] = ()
    bonus: int = 0  # of leaders, to the morale of the target hex
    checks: tuple[Check, ...] = ()


class DirectFight(FireFight, frozen=True, kw_only=True, cache_hash=True):
    """Direct fire between two steps."""

    case: Case[DirectFire]
    basic: int = 0  # column
    groups: tuple[Group, ...] = ()
    hits: tuple[Hit, ...] = ()


class AntiTankFight(FireFight, frozen=True, kw_only=True, cache_hash=True):
    """Anti-tank fire between two steps."""

    case: Case[AntiTankFire]
    added: Fraction = Fraction(0)  # to the dice


F = TypeVar("F", bound=FireFight)
Placed = frozenset[tuple[tuple[Target, int], int]]


# ------------------------------------------------------------------ who is fired at


def in_hex(units: Iterable[Target]) -> list[Target]:
    """Give the units of the target hex, its leaders included."""
    return [unit for unit in units if not unit.distance]


def still_there(fight: FireFight, places: Collection[int]) -> list[Target]:
    """Give those of the units at some places that are alive."""
    return [unit for p, unit in enumerate(fight.defenders) if p in places and unit.alive]


def is_combat_unit(unit: Target) -> bool:
    """Tell combat units from transport and leaders."""
    return unit.kind != "leader" and unit.kind not in TRANSPORT


def has_armour(unit: Target) -> bool:
    """Tell whether a counter prints an armour value."""
    return unit.kind in AFVS or unit.armour is not None


def joined(fight: FireFight, places: Iterable[int]) -> str:
    """Name several units at once."""
    return ", ".join([fight.defenders[place].name for place in places])


# ------------------------------------------------------------------ the firer's value


def value_of(unit: Firer, value: int, card: Card, options: Mapping[str, str]) -> Fraction:
    """Give what a firing unit's value counts: the half of it where the unit is disrupted."""
    if unit.state != "disrupted":
        return exact(value)
    half = value * card.number("disrupted_fire")
    return exact(HALVES[options["half_fire"]](half))


HALVES: Mapping[str, Callable[[Fraction], int | Fraction]] = {
    "kept": exact,
    "down": floor,
    "up": ceil,
}


def _value(
    case: Case[DirectFire] | Case[AntiTankFire], unit: Firer, printed: int, changes: str
) -> Asking[Fraction]:
    """Tell what a firing unit's value counts."""
    if unit.state != "disrupted":
        yield case.tell(
            "note", "unit-factor", side="attacker", unit=unit.name, value=printed, changes=changes
        )
        return exact(printed)
    row = case.card.number_row("disrupted_fire")
    value, lines = share(
        case.card,
        printed,
        row.value,
        changes=changes,
        side="attacker",
        unit=unit.name,
        reason=row,
        rounded=HALVES[case.options["half_fire"]],
        reading=row.reading,
    )
    yield from lines
    return value


# ------------------------------------------------------------------ direct fire: the column


def fire_value(fight: DirectFight) -> Asking[DirectFight]:
    """10.2: the fire values of all firing units together, and their column."""
    case = fight.case
    whole = Fraction(0)
    for unit in fight.attackers:
        whole += yield from _value(case, unit, unit.fire, "attack")
    yield case.tell("total", "attack-total", "10.2", side="attacker", value=whole, of="attack")
    basic = yield from _basic_column(case, whole)
    return replace(fight, basic=basic)


def _basic_column(case: Case[DirectFire], value: Fraction) -> Asking[int]:
    table = case.card.table("direct-fire")
    starts = table.columns.starts
    place = table.columns.position(value)
    reading = CERTAIN
    if place is None:
        place, reading = 0, case.card.number_row("fire_least").reading
        yield _read_as(case, value, starts[place])
    elif starts[place] < value < starts[-1]:
        reading = table.reading
        if case.options["fire_between"] == "higher":
            place += 1
            yield _read_as(case, value, starts[place])
    label = table.column_labels[place]
    yield case.tell("column", "basic-column", "10.2", value=label, of=table.id, reading=reading)
    return place


def _read_as(case: Case[DirectFire], value: Fraction, start: Fraction) -> Line:
    return case.tell(
        "clamp",
        "fire-read",
        "10.2",
        side="attacker",
        value=start,
        changes="attack",
        exact=value,
    )


def columns(fight: DirectFight) -> Asking[DirectFight]:
    """7.51, 10.3: all shifts, within their limit; units with shifts of their own stand apart."""
    yield from _stack(fight)
    parties = _parties(fight)
    groups: dict[int | None, list[tuple[Sum, list[int]]]] = {}
    for shift, places in parties.items():
        groups.setdefault(_shifted(fight, shift.value), []).append((shift, places))
    order: list[Group] = []
    # The first target's column is told last: it is the one that an explanation gives as final.
    for column in reversed(groups):
        for shift, places in groups[column]:
            yield from _shift_lines(fight, shift, places, apart=len(parties) > 1)
        group = Group(column, tuple(place for _, places in groups[column] for place in places))
        yield _final_column(fight, group)
        order.insert(0, group)
    return replace(fight, basic=0, groups=tuple(order))


def _stack(fight: DirectFight) -> Asking[None]:
    row, count = fight.case.card.number_row("stacking"), _combat_units(fight)
    if count > row.value:
        yield fight.case.tell(
            "note",
            "over-stacked",
            row.rule,
            side="defender",
            value=count,
            reading=row.reading,
            most=row.value,
        )


def _combat_units(fight: DirectFight) -> int:
    return sum(is_combat_unit(unit) for unit in in_hex(fight.defenders))


def _parties(fight: DirectFight) -> dict[Sum, list[int]]:
    """7.51: the places of the units of the hex, together where the same modifiers concern them."""
    card = fight.case.card
    units = [(p, unit) for p, unit in enumerate(fight.defenders) if not unit.distance]
    rows, common = card.modifying("direct-fire", "column"), _hex_facts(fight)
    whole_hex = fight.case.options["crossing_scope"] == "whole_hex"
    crossing = any(unit.engineers_crossing for _, unit in units)
    alike: dict[tuple[Kind, bool, bool], list[int]] = {}
    for place, unit in units:
        crosses = crossing if whole_hex else unit.engineers_crossing
        alike.setdefault((unit.kind, unit.dug_in, crosses), []).append(place)
    parties: dict[Sum, list[int]] = {}
    for (kind, dug_in, crosses), places in alike.items():
        facts = {**common, "unit_kind": kind, "dug_in": dug_in, "engineers_crossing": crosses}
        parties.setdefault(total(card, rows, facts), []).extend(places)
    return {shift: sorted(places) for shift, places in parties.items()}


def _hex_facts(fight: DirectFight) -> Facts:
    """State what the column modifiers look at and all units of the hex have in common."""
    setup = fight.case.setup
    return {
        **fight.case.options,
        "terrain": frozenset(setup.terrain),
        "entrenched": setup.entrenched,
        "night": setup.night,
        "range": setup.range,
        "adjacent_to_all": setup.adjacent_to_all
        or (setup.range == 1 and len(setup.attackers) == 1),
        "opportunity_fire": setup.opportunity_fire,
        "air_attack": setup.air_attack,
        "aa_unit": setup.aa_unit,
        "aa_distance": setup.aa_distance or 0,
        "minefield_of_firer": setup.minefield_of_firer,
        "combat_units_in_hex": _combat_units(fight),
    }


def _shifted(fight: DirectFight, shift: int) -> int | None:
    """10.3: the column after the shift, kept within the table; by option None left of it."""
    column = fight.basic + shift
    if column < 0 and fight.case.options["off_table"] == "left_no_effect":
        return None
    last = len(fight.case.card.table("direct-fire").column_labels) - 1
    return max(0, min(last, column))


def _shift_lines(
    fight: DirectFight, shift: Sum, places: Sequence[int], *, apart: bool
) -> Asking[None]:
    """Tell the modifiers that concern some units, and what they come to."""
    case, units = fight.case, joined(fight, places)
    if apart:
        yield case.tell("note", "fired-at", "7.51", side="defender", unit=units)
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
    column = _shifted(fight, shift.value)
    if column is not None and column != fight.basic + shift.value:
        label = case.card.table("direct-fire").column_labels[column]
        yield case.tell(
            "clamp", "column-clamped", "10.3", unit=units, value=label, changes="column"
        )


def _final_column(fight: DirectFight, group: Group) -> Line:
    case, units = fight.case, joined(fight, group.places)
    table = case.card.table("direct-fire")
    if group.column is None:
        return case.tell("clamp", "left-of-table", "10.3", unit=units, changes="column")
    label = table.column_labels[group.column]
    return case.tell("column", "final-column", "10.3", unit=units, value=label, of=table.id)


# ------------------------------------------------------------------ direct fire: the dice


def fire(fight: DirectFight) -> Asking[DirectFight]:
    """10.2, 7.51: one roll, read on each column; by option a roll for each, one a run."""
    case, table = fight.case, fight.case.card.table("direct-fire")
    one_roll = case.options["separate_columns"] == "one_roll"
    now = fight.groups if one_roll else fight.groups[:1]
    later = fight.groups[len(now) :]
    dice = 0
    if any(group.column is not None for group in now):
        units = joined(fight, (place for group in now for place in group.places))
        dice = yield from roll("fire-roll", 2, "10.2", unit=units)
    hits = fight.hits
    for group in now:
        code = yield from _look_up(fight, table, dice, group)
        hits = (*hits, Hit(code, group.places))
    return replace(
        fight,
        groups=later,
        hits=hits,
        result="/".join(hit.code for hit in hits),
        pending=("fire-roll",) * len(later),
    )


def _look_up(fight: DirectFight, table: Table, dice: int, group: Group) -> Asking[str]:
    if group.column is None:
        return "-"
    row = table.row_labels[table.rows.position(dice) or 0]
    column = table.column_labels[group.column]
    code = table.cell(row, column).printed
    yield fight.case.tell(
        "result",
        "look-up",
        table.legend[code].rule,
        unit=joined(fight, group.places),
        value=code,
        of=table.id,
        reading=_doubt_of(fight, table.legend[code].reading, group),
        row=row,
        column=column,
    )
    return code


def _doubt_of(fight: DirectFight, reading: Reading, group: Group) -> Reading:
    """Leave out the doubt about trucks where there is none."""
    kinds = {fight.defenders[place].kind for place in group.places}
    return CERTAIN if reading.option == "trucks_check" and "truck" not in kinds else reading


# ------------------------------------------------------------------ direct fire: step losses


def losses(fight: DirectFight) -> Asking[DirectFight]:
    """7.61: each result takes its steps, from units on its own column; then who must check."""
    legend = fight.case.card.table("direct-fire").legend
    for hit in fight.hits:
        values = legend[hit.code].values
        if count := int(values["steps"]):
            units = still_there(fight, hit.places)
            soft = [u for u in units if is_combat_unit(u) and u.kind != "afv-closed"]
            fight = yield from _lose_among(fight, soft, count, int(values["open_top_steps"]))
            transport = [u for u in units if u.kind in TRANSPORT]
            fight = yield from _lose_among(fight, transport, count)
    checks = tuple(check for hit in fight.hits for check in _called(fight, hit))
    return (yield from must_check(replace(fight, hits=()), checks))


def _lose_among(
    fight: DirectFight, takers: list[Target], count: int, open_top: int = 0
) -> Asking[DirectFight]:
    """7.61: the owner places the steps within a category; a missing one is ignored."""
    if not takers:
        return fight
    options = spreads(takers, count, open_top, fight.case.options["step_losses"])
    chosen = yield from choose("defender", "who-loses", options, "7.61", count=str(count))
    for name in dict.fromkeys(chosen):
        fight = yield from lose(fight, name, chosen.count(name), "7.61")
    return fight


def spreads(takers: list[Target], count: int, open_top: int, way: str) -> list[tuple[str, ...]]:
    """7.61: how the steps may be placed, some of them on an open-top AFV if there is one.

    Units that differ in nothing but their name are the same to the rules: of such ways only the
    first is offered.
    """
    if way == "one_unit":
        ways = [(unit.name,) * min(count, unit.steps) for unit in takers]
    else:
        most = {unit.name: 1 if way == "one_each" else unit.steps for unit in takers}
        pool = [name for name, times in most.items() for _ in range(times)]
        ways = list(combinations(pool, min(count, len(pool))))
    open_tops = {unit.name for unit in takers if unit.kind == "afv-open"}
    if open_tops:
        ways = [names for names in ways if sum(name in open_tops for name in names) >= open_top]
    like = {unit.name: replace(unit, name="") for unit in takers}
    different: dict[Placed, tuple[str, ...]] = {}
    for names in ways:
        different.setdefault(_placed(names, like), names)
    return list(different.values())


def _placed(names: tuple[str, ...], like: Mapping[str, Target]) -> Placed:
    """Give how many units of which kind lose how many steps."""
    each = {name: names.count(name) for name in names}
    return frozenset(Counter((like[name], lost) for name, lost in each.items()).items())


def lose(fight: F, name: str, count: int, rule: str) -> Asking[F]:
    """Take steps from a unit, and remove it when it has none left."""
    unit = next(unit for unit in fight.defenders if unit.name == name)
    after = replace(unit, steps=unit.steps - count)
    phrase = "loses-step" if count == 1 else "loses-steps"
    yield fight.case.tell(
        "loss", phrase, rule, side="defender", unit=name, value=after.steps, lost=count
    )
    if not after.alive:
        yield fight.case.tell("eliminated", "is-eliminated", rule, side="defender", unit=name)
    return with_unit(fight, "defender", after)


def _called(fight: DirectFight, hit: Hit) -> Iterator[Check]:
    """14.1, 7.61: who checks morale after a result, and what is added to the dice."""
    options = fight.case.options
    values = fight.case.card.table("direct-fire").legend[hit.code].values
    if not values["check"]:
        return
    for unit in still_there(fight, hit.places):
        if unit.kind == "leader" and options["leaders_check"] == "exempt":
            continue
        if "other_check" in values:
            key = "closed_top_check" if unit.kind == "afv-closed" else "other_check"
            yield check_of(fight, unit, int(values[key]))
        elif not has_armour(unit) and (unit.kind != "truck" or options["trucks_check"] == "check"):
            yield check_of(fight, unit, int(values["check_modifier"]))


# ------------------------------------------------------------------ anti-tank fire


def anti_tank_value(fight: AntiTankFight) -> Asking[AntiTankFight]:
    """11.1: the anti-tank value less the armour, and all modifiers, without a limit."""
    case, unit, target = fight.case, fight.attackers[0], the_target(fight.defenders)
    value = yield from _value(case, unit, unit.anti_tank or 0, "anti-tank")
    armour = yield from _armour(case, target)
    yield case.tell(
        "total", "attack-total", "11.1", value=value - armour, of="anti-tank", changes="roll"
    )
    rows = case.card.modifying("anti-tank", "die")
    modifiers = total(case.card, rows, _anti_tank_facts(case, target))
    yield from modifiers.lines
    yield case.tell("die", "die-modifier", "11.1", value=modifiers.value, of="die", changes="roll")
    return replace(fight, added=value - armour + modifiers.value)


def the_target(units: Iterable[Target]) -> Target:
    """Give the one target of anti-tank fire; the other units are leaders."""
    return next(unit for unit in units if unit.kind != "leader")


def _armour(case: Case[AntiTankFire], target: Target) -> Asking[int]:
    """11.1: the target's armour; a truck has that of the card."""
    if target.kind != "truck":
        armour = target.armour or 0
        yield case.tell(
            "note",
            "armour",
            "11.1",
            side="defender",
            unit=target.name,
            value=armour,
            changes="anti-tank",
        )
        return armour
    row = case.card.number_row("truck_armour")
    yield case.tell(
        "note",
        "unit-counts",
        "11.1",
        side="defender",
        unit=target.name,
        value=row.value,
        changes="anti-tank",
        reason=row.text,
    )
    return int(row.value)


def _anti_tank_facts(case: Case[AntiTankFire], target: Target) -> Facts:
    """State what the modifiers of anti-tank fire look at."""
    setup = case.setup
    return {
        **case.options,
        "terrain": frozenset(setup.terrain),
        "range": setup.range,
        "opportunity_fire": setup.opportunity_fire,
        "target_moved": setup.target_moved,
        "target_higher": setup.target_higher,
        "crossfire": setup.crossfire,
        "crossfire_hexes_only": setup.crossfire_hexes_only,
        "dug_in": target.dug_in,
        "engineers_crossing": target.engineers_crossing,
    }


def shot(fight: AntiTankFight) -> Asking[AntiTankFight]:
    """11.1: roll, add, read the table; the target loses a step and checks, or is eliminated."""
    case, table = fight.case, fight.case.card.table("anti-tank")
    target = the_target(fight.defenders)
    dice = yield from roll("anti-tank-roll", 2, "11.1", unit=target.name)
    yield from modified(case.card, dice, fight.added, "11.1")
    row = table.row_labels[table.rows.position(dice + fight.added) or 0]
    result = table.legend[table.cell(row, table.column_labels[0]).printed]
    yield case.tell(
        "result",
        "anti-tank-result",
        "11.1",
        value=result.code,
        of=table.id,
        row=row,
        effect=result.text,
    )
    values = result.values
    fight = replace(fight, added=Fraction(0), result=result.code)
    if lost := target.steps if values["eliminated"] else int(values["steps"]):
        fight = yield from lose(fight, target.name, lost, "11.1")
    place = [unit.name for unit in fight.defenders].index(target.name)
    survivors = still_there(fight, [place]) if values["check"] else []
    checks = tuple(check_of(fight, unit, int(values["check_modifier"])) for unit in survivors)
    return (yield from must_check(fight, checks))


# ------------------------------------------------------------------ morale


def leaders(fight: F) -> Asking[F]:
    """6.5: leaders in or next to the hex help the morale of its units."""
    case = fight.case
    helping = [u for u in fight.defenders if u.bonus and u.state != "demoralised"]
    if helping and case.options["leader_bonus"] == "best":
        helping = [max(helping, key=lambda leader: leader.bonus)]
    reading = case.card.number_row("leader_reach").reading
    for leader in helping:
        yield case.tell(
            "note",
            "leader-bonus",
            "6.5",
            side="defender",
            unit=leader.name,
            value=leader.bonus,
            changes="leaders",
            reading=reading,
        )
    return replace(fight, bonus=sum(leader.bonus for leader in helping))


def check_of(fight: FireFight, unit: Target, added: int) -> Check:
    """14.1, 6.5: a unit's check to come, with the leaders' bonus on its morale."""
    morale = unit.morale + _help(fight, unit)
    if unit.state == "demoralised":
        morale += int(fight.case.card.number("demoralised_morale"))
    return Check(fight.defenders.index(unit), added, morale)


def _help(fight: FireFight, unit: Target) -> int:
    """6.5: what leaders add to the morale of a unit; to that of other leaders only by option."""
    helped = unit.kind != "leader" or fight.case.options["leaders_helped"] == "yes"
    return fight.bonus if helped else 0


def must_check(fight: F, checks: tuple[Check, ...]) -> Asking[F]:
    """14.1: announce the checks to come."""
    case, table = fight.case, fight.case.card.table("morale-check")
    if checks:
        yield case.tell("note", "check-rule", "14.1", side="defender", reading=table.reading)
    for place, added, morale in checks:
        unit = fight.defenders[place]
        yield from _morale_changes(fight, unit)
        yield case.tell(
            "total",
            "must-check",
            "14.1",
            side="defender",
            unit=unit.name,
            value=morale,
            of="morale",
            reading=_leader_doubt(case.card) if unit.kind == "leader" else CERTAIN,
            printed=unit.morale,
        )
        if added:
            yield case.tell(
                "modifier", "result-adds", "14.1", unit=unit.name, value=added, changes="roll"
            )
    return replace(fight, checks=checks)


def _morale_changes(fight: FireFight, unit: Target) -> Asking[None]:
    """Tell what raises or lowers a unit's own morale."""
    case = fight.case
    if bonus := _help(fight, unit):
        yield case.tell(
            "modifier",
            "leaders-help",
            "6.5",
            side="defender",
            unit=unit.name,
            value=bonus,
            of="leaders",
            changes="morale",
        )
    if unit.state == "demoralised":
        row = case.card.number_row("demoralised_morale")
        lowered = int(row.value)
        yield row_line("modifier", row, lowered, changes="morale", side="defender", unit=unit.name)


def _leader_doubt(card: Card) -> Reading:
    return next(row.reading for row in card.unit_classes if row.id == "leader")


def morale_checks(fight: F) -> Asking[F]:
    """14.1: two dice for each unit that must check, one unit a run."""
    if not fight.checks:
        return fight
    check = fight.checks[0]
    unit = fight.defenders[check.place]
    bands = _bands(fight.case, unit.state, check)
    dice = yield from roll("morale-roll", 2, "14.1", bands=bands, unit=unit.name)
    checked = _checked(fight.case, unit.name, unit.state, check, dice)
    yield from checked.lines
    if checked.state != unit.state:
        fight = with_unit(fight, "defender", replace(unit, state=checked.state))
    rest = fight.checks[1:]
    return replace(fight, checks=rest, pending=("morale-check",) * len(rest))


@lru_cache(maxsize=4096)
def _bands(case: Case[Fire], state: State, check: Check) -> tuple[int, ...]:
    """14.1: the sums from which a check ends otherwise; between them the same follows."""
    codes = [_exceeded(case, dice + check.added - check.morale, state)[0] for dice in range(2, 13)]
    pairs = zip(codes, [None, *codes], strict=False)
    return tuple(dice for dice, (code, before) in enumerate(pairs, start=2) if code != before)


class Checked(NamedTuple):
    """What a morale check makes of a unit, and the lines that tell it."""

    state: State
    lines: tuple[Line, ...]


@lru_cache(maxsize=4096)
def _checked(case: Case[Fire], name: str, state: State, check: Check, dice: int) -> Checked:
    """14.1: read a morale check. Exact odds meet each check many times over, so it is kept."""
    against = dice + check.added
    over = against - check.morale
    code, row = _exceeded(case, over, state)
    lines = [
        *modified(case.card, dice, check.added, "14.1", unit=name),
        case.tell(
            "total",
            "against-morale",
            "14.1",
            side="defender",
            unit=name,
            value=over,
            of="excess",
            roll=against,
            morale=check.morale,
        ),
        _look_up_check(case, name, state, code, row),
    ]
    if code == PASSED:
        return Checked(state, tuple(lines))
    lines.append(case.tell("state", f"check-{code}", "14.1", side="defender", unit=name))
    return Checked(code, tuple(lines))


def _look_up_check(case: Case[Fire], name: str, state: State, code: str, row: str) -> Line:
    table = case.card.table("morale-check")
    doubts = table.cell(row, state).doubts
    return case.tell(
        "result" if code == PASSED else "lookup",
        "check-passed" if code == PASSED else "exceeded",
        "14.1",
        side="defender",
        unit=name,
        value=code,
        of=table.id,
        reading=doubts[0].reading if doubts else CERTAIN,
        row=row,
        column=table.columns.names[table.column_labels.index(state)],
        effect=table.legend[code].text,
    )


@lru_cache(maxsize=4096)
def _exceeded(case: Case[Fire], over: int, state: State) -> tuple[Literal["passed"] | State, str]:
    """14.1: what the table says of a roll that is so much over the morale, and in which row."""
    table = case.card.table("morale-check")
    row = table.row_labels[table.rows.position(over) or 0]
    code = table.read(row, state, case.options).options[0][0]
    return next((after for after in STATES if after == code), PASSED), row


# ------------------------------------------------------------------ beginning and end


def outcome(fight: FireFight) -> Outcome:
    """Sum up what has happened. Leaders take no losses: they stay when all others are gone."""
    lost = shaken = 0
    details, left = [], []
    for was, unit in zip(fight.case.setup.defenders, fight.defenders, strict=True):
        if unit.alive and not unit.distance:
            left.append(unit.kind)
        if unit is was:
            continue
        lost += was.steps - unit.steps
        if not unit.alive:
            details.append(f"{unit.name} eliminated")
        elif unit.state != was.state:
            shaken += STATES.index(unit.state)
            details.append(f"{unit.name} {unit.state}")
    return Outcome(
        result=fight.result,
        defender_steps_lost=lost,
        defender_eliminated=lost > 0 and left.count("leader") == len(left),
        vacated=not left,
        defender_shaken=shaken,
        details=tuple(details),
    )


def start_direct_fire(case: Case[DirectFire]) -> DirectFight:
    """Begin a direct fire."""
    return DirectFight(case=case, attackers=case.setup.attackers, defenders=case.setup.defenders)


def start_anti_tank(case: Case[AntiTankFire]) -> AntiTankFight:
    """Begin an anti-tank fire."""
    return AntiTankFight(case=case, attackers=case.setup.attackers, defenders=case.setup.defenders)


def check_direct_fire(setup: DirectFire, card: Card, options: Mapping[str, str]) -> None:
    """Refuse a direct fire that the rules do not allow."""
    _check_fire(setup, card)
    need(
        in_hex(setup.defenders),
        say("nobody is fired at; at least one unit must be in the hex"),
        "defenders",
    )
    need(
        setup.range == 1 or not setup.adjacent_to_all,
        say("a hex adjacent to all firing units is at range 1, not {range}", range=setup.range),
        "adjacent_to_all",
    )
    need(
        not (setup.air_attack and setup.aa_unit) or setup.aa_distance is not None,
        say("how far the anti-aircraft unit is from the aircraft must be stated"),
        "aa_distance",
    )
    least = card.number("fire_least")
    value = sum(value_of(unit, unit.fire, card, options) for unit in setup.attackers)
    need(
        value >= least or options["fire_below_one"] == "column_1",
        say("a fire value of {value} can't attack; at least {least}", value=value, least=least),
        "attackers",
    )


def check_anti_tank(setup: AntiTankFire, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    """Refuse an anti-tank fire that the rules do not allow."""
    _check_fire(setup, card)
    need(
        len(setup.attackers) == 1,
        say("anti-tank fire has one firing unit, not {n}", n=len(setup.attackers)),
        "attackers",
    )
    firer = setup.attackers[0]
    problem = say("{name} has no anti-tank value", name=firer.name)
    need(firer.anti_tank is not None, problem, "attackers[0].anti_tank")
    targets = [unit for unit in setup.defenders if unit.kind != "leader"]
    problem = say("anti-tank fire has one target besides leaders, not {n}", n=len(targets))
    need(len(targets) == 1, problem, "defenders")
    target = targets[0]
    need(
        target.armour is not None or target.kind == "truck",
        say("{name} has no armour; anti-tank fire is at AFVs and trucks", name=target.name),
        f"defenders[{setup.defenders.index(target)}].armour",
    )


def _check_fire(setup: Fire, card: Card) -> None:
    units_named_once(setup.attackers, setup.defenders)
    terrain_known(card, setup.terrain)
    need(setup.attackers, say("nobody fires; at least one unit must"), "attackers")
    for place, firer in enumerate(setup.attackers):
        problem = say("{name} is demoralised and can't fire", name=firer.name)
        need(firer.state != "demoralised", problem, f"attackers[{place}].state")
    for place, unit in enumerate(setup.defenders):
        _check_target(unit, card, f"defenders[{place}]")


def _check_target(unit: Target, card: Card, place: str) -> None:
    if unit.kind == "leader":
        reach = card.number("leader_reach")
        problem = say(
            "{name} is too far away to help; at most {reach}", name=unit.name, reach=reach
        )
        need(unit.distance <= reach, problem, f"{place}.distance")
    else:
        for key in ("bonus", "distance"):
            problem = say("only leaders have a {key}", key=key)
            need(getattr(unit, key) == 0, problem, f"{place}.{key}")
    problem = say("only combat units have an armour value; that of trucks is the card's")
    need(unit.armour is None or is_combat_unit(unit), problem, f"{place}.armour")


# What has done its work when the columns are known, and how it is when it was never stated.
RECKONED = {"attackers": (), "range": 0, "terrain": (), "opportunity_fire": False}
RECKONED_OF_DIRECT_FIRE = {
    **RECKONED,
    "entrenched": False,
    "night": False,
    "adjacent_to_all": False,
    "minefield_of_firer": False,
    "air_attack": False,
    "aa_unit": False,
    "aa_distance": None,
}
RECKONED_OF_ANTI_TANK_FIRE = {
    **RECKONED,
    "target_moved": False,
    "target_higher": False,
    "crossfire": False,
    "crossfire_hexes_only": False,
}


def plain_direct_fire(fight: DirectFight) -> DirectFight:
    """Before the dice: of firers, ground and leaders only the columns and a bonus are left.

    In what else units differ stays, as the owner may care which of them he gives up.
    """
    units, first = fight.defenders, fight.defenders[0]
    armours = [None, *{unit.armour: None for unit in units if unit.armour is not None}]
    targets = tuple(
        _plain_target(
            unit,
            dug_in=unit.dug_in != first.dug_in,
            crossing=unit.engineers_crossing != first.engineers_crossing,
            armour=armours.index(unit.armour) or None,
        )
        for unit in units
    )
    stated = replace(fight.case.setup, **RECKONED_OF_DIRECT_FIRE, defenders=targets)
    return replace(fight, case=fight.case.restated(stated), attackers=(), defenders=targets)


def moved_direct_fire(fight: DirectFight, columns: int, die: int) -> DirectFight:  # noqa: ARG001  # as procedures call it
    """Give the fire on other columns; nothing modifies its dice."""
    last = len(fight.case.card.table("direct-fire").column_labels) - 1
    groups = tuple(
        group._replace(column=max(0, min(last, group.column + columns)))
        if group.column is not None
        else group
        for group in fight.groups
    )
    return replace(fight, groups=groups)


def moved_anti_tank(fight: AntiTankFight, columns: int, die: int) -> AntiTankFight:  # noqa: ARG001  # as procedures call it
    """Give the fire with more added to the dice; its table has no columns."""
    return replace(fight, added=fight.added + die)


def plain_anti_tank(fight: AntiTankFight) -> AntiTankFight:
    """Before the dice: only what is added to them, the bonus, and whose morale may be checked."""
    targets = tuple(map(_plain_target, fight.defenders))
    stated = replace(fight.case.setup, **RECKONED_OF_ANTI_TANK_FIRE, defenders=targets)
    return replace(fight, case=fight.case.restated(stated), attackers=(), defenders=targets)


def _plain_target(
    unit: Target, *, dug_in: bool = False, crossing: bool = False, armour: int | None = None
) -> Target:
    here_or_not = min(unit.distance, 1)
    return replace(
        unit,
        dug_in=dug_in,
        engineers_crossing=crossing,
        armour=armour,
        bonus=0,
        distance=here_or_not,
    )


PROCEDURES = (
    Procedure(
        id="direct-fire",
        setup=DirectFire,
        start=start_direct_fire,
        steps=(fire_value, columns, leaders, fire, losses, morale_checks),
        outcome=outcome,
        check=check_direct_fire,
        plain=Plain(before=fire, of=plain_direct_fire, moved=moved_direct_fire),
    ),
    Procedure(
        id="anti-tank",
        setup=AntiTankFire,
        start=start_anti_tank,
        steps=(anti_tank_value, leaders, shot, morale_checks),
        outcome=outcome,
        check=check_anti_tank,
        plain=Plain(before=shot, of=plain_anti_tank, moved=moved_anti_tank),
    ),
)
