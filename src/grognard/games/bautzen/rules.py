"""Bautzen 1945: the attack, in the eight steps of rule 8.2."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import ceil, floor
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from grognard.ask import Asking, choose, commit, roll
from grognard.card import Card, Side
from grognard.fight import Case, Fight, Outcome, Setup, Unit, steps, with_unit
from grognard.line import Line, row_line
from grognard.message import say
from grognard.modifiers import Facts, modified, share, total
from grognard.procedure import Plain, Procedure
from grognard.setup_check import need, terrain_known, units_named_once

Count = Annotated[int, Meta(ge=0)]
Kind = Literal[
    "infantry",
    "motorised",
    "mechanised",
    "armour",
    "engineers",
    "anti-tank",
    "hq",
    "artillery",
    "cl",
]
SUPPORTS = ("hq", "artillery")
# 7.3: their defence is halved when unsupplied; the others defend as usual.
MECHANICAL = ("armour", "motorised", "mechanised", "engineers", "hq")


COUNTED: Mapping[Side, str] = {"attacker": "attack", "defender": "defence"}


class Counter(Unit, frozen=True, kw_only=True):
    """A counter of Bautzen. HQs and artillery have a support factor, the others the two others."""

    kind: Kind = "infantry"
    size: Literal["regiment", "brigade", "first-corps", "division-hq", "army-hq", "cl"] = "regiment"
    attack: Count = 0
    defence: Count = 0
    support: Count = 0
    steps: Annotated[int, Meta(ge=1, le=2)] = 2
    unsupplied: bool = False
    overstacked: bool = False
    across_river: bool = False
    near_dominant: bool = False  # 10.2: an HQ that supports on or near a dominant position
    at_distance: bool = False  # it only lends its support, and is in none of the hexes


class Attack(Setup, frozen=True, kw_only=True):
    """What is stated before an attack."""

    attackers: tuple[Counter, ...]
    defenders: tuple[Counter, ...]
    terrain: tuple[str, ...] = ("clear",)
    allied: Side = "defender"
    formation_complete: bool = False
    concentric: bool = False
    attacker_cl: Count = 0
    defender_cl: Count = 0
    attacker_air: Count = 0
    defender_air: Count = 0
    # What each side may still commit in secret, beyond what is stated above.
    attacker_cl_at_hand: Count = 0
    defender_cl_at_hand: Count = 0
    attacker_air_at_hand: Count = 0
    defender_air_at_hand: Count = 0
    attacker_cl_on_map: Count = 0  # 8.6.3: no more than four
    can_retreat: bool = True
    retreat_room: Count | None = None  # 8.5.2a: how far it can go, where a short retreat stays
    retreat_unsupplied: bool = False
    retreated_before: bool = False  # 8.5.2b: in this combat segment


class BautzenFight(Fight, frozen=True, kw_only=True):
    """An attack between two steps."""

    case: Case[Attack]
    attackers: tuple[Counter, ...] = ()
    defenders: tuple[Counter, ...] = ()
    committed: tuple[int, int, int, int] = (0, 0, 0, 0)  # CL and air, attacker's then defender's
    attack: int = 0
    defence: int = 0
    column: int = 0
    die_modifier: int = 0
    owed: tuple[int, int] = (0, 0)  # steps, attacker and defender
    retreat: int = 0
    advanced: tuple[str, ...] = ()
    fates: tuple[str, ...] = ()  # of logistic columns alone in the hex


# ------------------------------------------------------------------ who takes part


def _side(fight: BautzenFight, side: Side) -> tuple[Counter, ...]:
    return fight.attackers if side == "attacker" else fight.defenders


def in_hex(fight: BautzenFight) -> list[Counter]:
    """Give the attacked units: all of the hex but its logistic columns."""
    return [u for u in fight.defenders if u.kind != "cl" and not u.at_distance]


def only_columns(fight: BautzenFight) -> bool:
    """8.6.3: nothing but logistic columns stands in the hex, so there is no combat."""
    return not in_hex(fight)


def loss_takers(fight: BautzenFight, side: Side) -> list[Counter]:
    """8.3: the units that took part and can lose steps."""
    units = [u for u in _side(fight, side) if u.kind != "cl" and u.alive]
    if fight.case.options["support_losses"] == "supports_too":
        return units
    if side == "attacker":
        return [u for u in units if u.kind not in SUPPORTS]
    return [u for u in units if not u.at_distance]


# ------------------------------------------------------------------ (1), (2) commitment


def commitments(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (1), (2): logistic columns and air markers, in secret, then announced."""
    if only_columns(fight):
        return fight
    setup = fight.case.setup
    ours = _offers(setup.attacker_cl_at_hand, setup.attacker_air_at_hand)
    theirs = _offers(setup.defender_cl_at_hand, setup.defender_air_at_hand)
    (cl, air), (their_cl, their_air) = yield from commit("commit-cl", ours, theirs, "8.2")
    committed = (
        setup.attacker_cl + cl,
        setup.attacker_air + air,
        setup.defender_cl + their_cl,
        setup.defender_air + their_air,
    )
    sides: tuple[tuple[Side, int, int], ...] = (
        ("attacker", committed[0], committed[1]),
        ("defender", committed[2], committed[3]),
    )
    for side, columns, aircraft in sides:
        if columns or aircraft:
            yield fight.case.tell(
                "spent", f"{side}-commits", rule="8.2", side=side, cl=columns, air=aircraft
            )
    return replace(fight, committed=committed)


def _offers(columns: int, aircraft: int) -> list[tuple[int, int]]:
    return [(cl, air) for cl in range(columns + 1) for air in range(aircraft + 1)]


# ------------------------------------------------------------------ (3), (4) totals


def totals(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (3), (4): factors of the engaged units, and the support of HQs and artillery."""
    if only_columns(fight):
        return fight
    attack = yield from _attack_total(fight)
    defence = yield from _defence_total(fight)
    return replace(fight, attack=attack, defence=defence)


def _attack_total(fight: BautzenFight) -> Asking[int]:
    factors = 0
    for unit in fight.attackers:
        if unit.kind not in (*SUPPORTS, "cl"):
            factors += yield from _attack_of(fight.case, unit)
    support = yield from _support(fight, "attacker")
    support = yield from _capped(fight.case, "attacker", support, factors)
    return (yield from _with_support(fight.case, "attacker", factors, support))


def _attack_of(case: Case[Attack], unit: Counter) -> Asking[int]:
    factor = unit.attack
    for halved, number in (
        (unit.overstacked, "overstacked"),
        (unit.unsupplied, "unsupplied_attack"),
    ):
        if halved:
            factor = yield from _shared(case, unit, "attacker", factor, number, floor)
    if not (unit.overstacked or unit.unsupplied):
        yield _unit_line(case, unit, "attacker", factor)
    return factor


def _defence_total(fight: BautzenFight) -> Asking[int]:
    factors = yield from _alone(fight)
    if factors is None:
        factors = 0
        for unit in in_hex(fight):
            if unit.kind not in SUPPORTS:
                factors += yield from _defence_of(fight.case, unit)
        support = yield from _support(fight, "defender")
    else:
        support = yield from _support(fight, "defender", at_distance_only=True)
    if fight.case.options["support_cap"] == "both":
        support = yield from _capped(fight.case, "defender", support, factors)
    return (yield from _with_support(fight.case, "defender", factors, support))


def _with_support(case: Case[Attack], side: Side, factors: int, support: int) -> Asking[int]:
    number = COUNTED[side]
    if support:
        yield case.tell(
            "total",
            "support-total",
            rule="9.1",
            side=side,
            value=support,
            of="support",
            changes=number,
        )
    whole = factors + support
    yield case.tell("total", f"{number}-total", rule="8.2", side=side, value=whole, of=number)
    return whole


def _alone(fight: BautzenFight) -> Asking[int | None]:
    """8.6.1, 8.6.2, 1.2: an HQ, artillery or an anti-tank unit attacked without other units."""
    case, units = fight.case, in_hex(fight)
    kinds = {unit.kind for unit in units}
    if kinds == {"hq"} and len(units) == 1:
        (hq,) = units
        factor = yield from _shared(case, hq, "defender", hq.support, "hq_alone", ceil)
        if hq.unsupplied:
            factor = yield from _shared(case, hq, "defender", factor, "unsupplied_defence", ceil)
        return factor
    for kind, number in (("artillery", "artillery_alone"), ("anti-tank", "anti_tank_alone")):
        if kinds == {kind}:
            factor = int(case.card.number(number))
            for unit in units:
                yield _unit_line(case, unit, "defender", factor, number)
            return factor * len(units)
    return None


def _defence_of(case: Case[Attack], unit: Counter) -> Asking[int]:
    factor, halted = unit.defence, unit.unsupplied and unit.kind in MECHANICAL
    if unit.overstacked:
        factor = yield from _shared(case, unit, "defender", factor, "overstacked", floor)
    if halted:
        factor = yield from _shared(case, unit, "defender", factor, "unsupplied_defence", ceil)
    if not (unit.overstacked or halted):
        yield _unit_line(case, unit, "defender", factor)
    return factor


def _support(fight: BautzenFight, side: Side, *, at_distance_only: bool = False) -> Asking[int]:
    """9.1, 8.6.2: support factors; an unsupplied HQ gives none (7.3)."""
    whole, case = 0, fight.case
    for unit in _side(fight, side):
        if unit.kind not in SUPPORTS or (at_distance_only and not unit.at_distance):
            continue
        if unit.kind == "hq" and unit.unsupplied:
            yield case.tell("note", "hq-unsupplied", rule="7.3", side=side, unit=unit.name, value=0)
            continue
        phrase = "hq-support" if unit.kind == "hq" else "artillery-support"
        rule = "9.1" if unit.kind == "hq" else "8.6.2"
        yield case.tell(
            "note",
            phrase,
            rule=rule,
            side=side,
            unit=unit.name,
            value=unit.support,
            changes="support",
        )
        whole += unit.support
        if unit.kind == "hq" and unit.near_dominant:
            row = case.card.number_row("dominant_support")
            added = int(row.value)
            yield row_line("modifier", row, added, changes="support", side=side, unit=unit.name)
            whole += added
    return whole


def _capped(case: Case[Attack], side: Side, support: int, factors: int) -> Asking[int]:
    """9.2: support counts at most as much as the engaged units' own factors."""
    if support > factors:
        yield case.tell(
            "limit",
            "support-cap",
            rule="9.2",
            side=side,
            value=factors,
            changes="support",
            support=support,
        )
    return min(support, factors)


def _unit_line(
    case: Case[Attack], unit: Counter, side: Side, factor: int, number: str = ""
) -> Line:
    counted = COUNTED[side]
    if not number:
        return case.tell(
            "note", "unit-factor", side=side, unit=unit.name, value=factor, changes=counted
        )
    row = case.card.number_row(number)
    return case.tell(
        "note",
        "unit-counts",
        rule=row.rule,
        side=side,
        unit=unit.name,
        value=factor,
        changes=counted,
        reason=row.text,
    )


def _shared(
    case: Case[Attack],
    unit: Counter,
    side: Side,
    factor: int,
    number: str,
    rounded: Callable[[Fraction], int],
) -> Asking[int]:
    """Tell what a number of the card leaves of a factor."""
    row = case.card.number_row(number)
    value, lines = share(
        case.card,
        factor,
        row.value,
        changes=COUNTED[side],
        side=side,
        unit=unit.name,
        reason=row,
        rounded=rounded,
    )
    yield from lines
    return value.numerator


# ------------------------------------------------------------------ (4), (5) column


def column(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (4), (5): the ratio, rounded down, and all column shifts; the die's modifiers."""
    if only_columns(fight):
        return fight
    case = fight.case
    table = case.card.table("combat")
    last = len(table.column_labels) - 1
    basic = yield from _ratio(fight, last)
    facts = facts_of(fight)
    shifts = total(case.card, case.card.modifying("combat", "column"), facts)
    yield from shifts.lines
    shift = yield from _all_capped(case, shifts.value)
    final = max(0, min(last, basic + shift))
    label = table.column_labels[final]
    if final != basic + shift:
        yield case.tell("clamp", "column-clamped", rule="8.2", value=label, changes="column")
    yield case.tell("column", "final-column", rule="8.2", value=label, of=table.id)
    dice = total(case.card, case.card.modifying("combat", "die"), facts)
    yield from dice.lines
    yield case.tell("die", "die-modifier", rule="8.2", value=dice.value, of="die", changes="roll")
    # The totals have done their work; fights that differ only in them are the same from here on.
    return replace(fight, attack=0, defence=0, column=final, die_modifier=dice.value)


def _all_capped(case: Case[Attack], shift: int) -> Asking[int]:
    """8.2 under its other reading: what limits logistic columns limits all shifts together."""
    limit = case.card.limit("cl")
    if case.options["column_cap"] != "all_shifts" or limit.within(shift) == shift:
        return shift
    yield case.tell(
        "limit", "all-shifts-cap", rule="8.2", value=limit.within(shift), changes="column"
    )
    return limit.within(shift)


def _ratio(fight: BautzenFight, last: int) -> Asking[int]:
    case, table = fight.case, fight.case.card.table("combat")
    if fight.defence:
        basic = fight.attack // fight.defence
    else:
        one = case.options["zero_defence"] == "counts_as_one"
        basic = fight.attack if one else last
        yield case.tell(
            "clamp", "no-defence", rule="8.2", side="defender", value=basic, changes="ratio"
        )
    yield case.tell(
        "column",
        "basic-column",
        rule="8.2",
        value=table.column_labels[min(basic, last)],
        of=table.id,
        attack=fight.attack,
        defence=fight.defence,
    )
    if basic <= last or case.options["ratio_clamp"] == "before":
        return min(basic, last)
    yield case.tell(
        "note", "open-scale", rule="8.2", value=basic - last, changes="column", odds=f"{basic}/1"
    )
    return basic


def facts_of(fight: BautzenFight) -> Facts:
    """State what the card's modifiers look at."""
    setup = fight.case.setup
    cl, air, their_cl, their_air = fight.committed
    return {
        "terrain": frozenset(setup.terrain),
        "across_river": any(u.across_river and not u.at_distance for u in fight.attackers),
        "formation_complete": setup.formation_complete,
        "defender_unsupplied": any(u.unsupplied for u in in_hex(fight)),
        "concentric": setup.concentric,
        "attacker_cl": cl,
        "attacker_air": air,
        "defender_cl": their_cl,
        "defender_air": their_air,
    }


# ------------------------------------------------------------------ (6) the die


def result(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (6): roll, modify, read the table; 8.6.3 where only logistic columns are attacked."""
    if only_columns(fight):
        return fight
    case, table = fight.case, fight.case.card.table("combat")
    rolled = yield from roll("combat-roll", 1, "8.2")
    die = rolled + fight.die_modifier
    yield from modified(case.card, rolled, fight.die_modifier, "8.2")
    label = table.column_labels[fight.column]
    if die < 1 and case.options["low_die"] == "no_effect":
        yield case.tell("result", "no-row", "8.2", value="0/0", die=die)
        return replace(fight, result="0/0")
    row = table.row_labels[table.rows.position(die) or 0]
    cell = table.cell(row, label)
    yield case.tell(
        "result", "look-up", "8.2", value=cell.printed, of=table.id, row=row, column=label
    )
    ours, theirs = (int(half.options[0][0]) for half in cell.halves)
    return replace(fight, result=cell.printed, owed=(ours, theirs), die_modifier=0, column=0)


# ------------------------------------------------------------------ 8.3 losses


def attacker_losses(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.3: the attacker takes his losses; he never retreats (8.4)."""
    return (yield from lose(fight, "attacker", fight.owed[0]))


def lose(fight: BautzenFight, side: Side, count: int) -> Asking[BautzenFight]:
    """8.3: one step after the other, spread over the units, the owner choosing among equals."""
    lost = {unit.name: 0 for unit in loss_takers(fight, side)}
    for _ in range(count):
        left = {unit.name: unit.steps for unit in loss_takers(fight, side)}
        candidates = next_to_lose(left, lost)
        if not candidates:
            return fight
        name = yield from choose(side, "which-loses", candidates, "8.3")
        lost[name] += 1
        fight = yield from lose_step(fight, side, name)
    return fight


def next_to_lose(left: Mapping[str, int], lost: Mapping[str, int]) -> list[str]:
    """Name those that may take the next step, by the steps that they have left and have lost: not
    to death while another can absorb it, and those with the fewest losses first."""
    able = [name for name, steps_left in left.items() if steps_left > 1] or list(left)
    fewest = min((lost[name] for name in able), default=0)
    return [name for name in able if lost[name] == fewest]


def lose_step(fight: BautzenFight, side: Side, name: str) -> Asking[BautzenFight]:
    """Flip a unit, or remove it when it has no step left."""
    unit = next(unit for unit in _side(fight, side) if unit.name == name)
    after = replace(unit, steps=unit.steps - 1)
    yield fight.case.tell("loss", "loses-step", "8.3", side=side, unit=name, value=after.steps)
    if not after.alive:
        yield fight.case.tell("eliminated", "is-eliminated", "8.3", side=side, unit=name)
    return with_unit(fight, side, after)


# ------------------------------------------------------------------ (7) the defender's answer


def defender_answers(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (7), 8.5: steps of loss exchanged for hexes of retreat, one for one."""
    owed, setup, case = fight.owed[1], fight.case.setup, fight.case
    if owed == 0:
        return fight
    if setup.retreated_before and case.options["reattacked"] == "inflicted":
        return (yield from _destroyed_again(fight))
    traded = yield from choose("defender", "trade", range(owed + 1), "8.5.1")
    if not traded:
        return (yield from _stand(fight, owed))
    if not _goes(fight, traded):
        return (yield from _cannot_retreat(fight, owed, traded))
    fight = yield from lose(fight, "defender", owed - traded)
    if not any(unit.alive for unit in in_hex(fight)):
        return fight
    yield case.tell("retreat", "retreats", "8.5.1", side="defender", value=traded)
    fight = replace(fight, retreat=traded)
    if setup.retreat_unsupplied:
        yield case.tell("remark", "unsupplied-by-retreat", "8.5.2a", side="defender")
        fight = yield from _each_loses(fight)
    return (yield from _reattacked_loss(fight))


def _goes(fight: BautzenFight, hexes: int) -> bool:
    """Tell whether the stack can retreat; by option it does not begin what it can't finish."""
    setup = fight.case.setup
    if setup.retreat_room is None or fight.case.options["retreat_short"] != "stays":
        return setup.can_retreat
    return setup.can_retreat and hexes <= setup.retreat_room


def _stand(fight: BautzenFight, owed: int) -> Asking[BautzenFight]:
    fight = yield from lose(fight, "defender", owed)
    return (yield from _reattacked_loss(fight))


def _cannot_retreat(fight: BautzenFight, owed: int, traded: int) -> Asking[BautzenFight]:
    """8.5.2a: the stack stays, and each of its units loses one step more."""
    yield fight.case.tell("remark", "cannot-retreat", "8.5.2a", side="defender")
    besides = {"added": owed - traded, "only": 0, "nothing_traded": owed}
    fight = yield from lose(fight, "defender", besides[fight.case.options["no_retreat_loss"]])
    fight = yield from _each_loses(fight)
    return (yield from _reattacked_loss(fight))


def _each_loses(fight: BautzenFight) -> Asking[BautzenFight]:
    for unit in in_hex(fight):
        if unit.alive:
            fight = yield from lose_step(fight, "defender", unit.name)
    return fight


def _reattacked_loss(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.5.2b under its other reading: only a step that was really lost destroys the stack."""
    lost = steps(in_hex_at_start(fight)) > steps(in_hex(fight))
    if fight.case.setup.retreated_before and lost:
        return (yield from _destroyed_again(fight))
    return fight


def in_hex_at_start(fight: BautzenFight) -> list[Counter]:
    """Give the attacked units as they were before the attack."""
    names = {unit.name for unit in in_hex(fight)}
    return [unit for unit in fight.case.setup.defenders if unit.name in names]


def _destroyed_again(fight: BautzenFight) -> Asking[BautzenFight]:
    yield fight.case.tell("remark", "attacked-again", "8.5.2b", side="defender")
    for unit in in_hex(fight):
        while unit.alive:
            fight = yield from lose_step(fight, "defender", unit.name)
            unit = replace(unit, steps=unit.steps - 1)  # noqa: PLW2901  # the same unit, one step on
    return fight


# ------------------------------------------------------------------ (8) advance


def vacated(fight: BautzenFight) -> bool:
    """Tell whether the defender has left his hex, on foot or dead."""
    if only_columns(fight):
        return bool(fight.fates)
    return fight.retreat > 0 or not any(unit.alive for unit in in_hex(fight))


def advance(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.2 (8), 8.4: participants move into the vacant hex, within stacking; never HQs or CLs."""
    if not vacated(fight):
        return fight
    groups = _fitting(fight)
    # Whoever goes, the hex is taken.
    names = yield from choose("attacker", "who-advances", groups, "8.4", map(bool, groups))
    if not names:
        yield fight.case.tell("remark", "nobody-advances", "8.4", side="attacker")
    for name in names:
        yield fight.case.tell("advance", "advances", "8.4", side="attacker", unit=name)
    return replace(fight, advanced=names)


def _fitting(fight: BautzenFight) -> tuple[tuple[str, ...], ...]:
    """Give every group of participants that fits into the hex, nobody first."""
    card = fight.case.card
    units = [u for u in fight.attackers if u.kind not in ("hq", "cl") and not u.at_distance]
    points = tuple((unit.name, stacking_points(card, unit)) for unit in units if unit.alive)
    return _groups(points, stacking_limit(card, fight.case.setup.terrain))


@lru_cache(maxsize=256)
def _groups(points: tuple[tuple[str, int], ...], room: int) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(name for name, _ in group)
        for count in range(len(points) + 1)
        for group in combinations(points, count)
        if sum(needed for _, needed in group) <= room
    )


def stacking_limit(card: Card, terrain: tuple[str, ...]) -> int:
    """5.2: the tightest limit of the hex; terrain without one leaves that of clear ground."""
    rows = {row.id: row.stacking for row in card.terrain}
    limits = [limit for limit in (rows[word] for word in terrain) if isinstance(limit, int)]
    clear = rows["clear"]
    return min(limits, default=clear if isinstance(clear, int) else 0)


def stacking_points(card: Card, unit: Counter) -> int:
    """5.1: how much room a unit takes."""
    table = card.table("stacking")
    return int(table.cell(unit.size, table.column_labels[0]).codes[0])


# ------------------------------------------------------------------ 8.6.3 logistic columns alone


def columns_alone(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.6.3: no combat; a die for each logistic column that stands alone in the hex."""
    if not only_columns(fight):
        return fight
    case, table = fight.case, fight.case.card.table("cl-fate")
    room = int(case.card.number("cl_on_map")) - case.setup.attacker_cl_on_map
    fates: list[str] = []
    for unit in fight.defenders:
        if unit.kind != "cl" or unit.at_distance:
            continue
        die = yield from roll("cl-roll", 1, "8.6.3", unit=unit.name)
        row = table.row_labels[table.rows.position(die) or 0]
        fate = table.cell(row, table.column_labels[0]).codes[0]
        yield case.tell(
            "lookup",
            "look-up-row",
            "8.6.3",
            value=fate,
            of=table.id,
            row=row,
        )
        if fate == "C" and fates.count("C") >= room:
            yield case.tell("limit", "cl-full", "7.2", side="attacker", value=room)
            fate = "D"
        fates.append(fate)
        phrase = "cl-captured" if fate == "C" else "cl-destroyed"
        kind: Literal["captured", "eliminated"] = "captured" if fate == "C" else "eliminated"
        yield case.tell(kind, phrase, "8.6.3", side="defender", unit=unit.name)
        fight = with_unit(fight, "defender", replace(unit, steps=0))
    return replace(fight, fates=tuple(fates), result="+".join(fates))


# ------------------------------------------------------------------ beginning and end


def check(setup: Attack, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    """Refuse what the rules do not allow."""
    units_named_once(setup.attackers, setup.defenders)
    terrain_known(card, setup.terrain)
    need("lake" not in setup.terrain, say("combat is forbidden in a lake hex"), "terrain")
    fighting = [u for u in setup.attackers if u.kind not in (*SUPPORTS, "cl")]
    nobody = say("no unit attacks; at least one that is not an HQ, artillery or CL")
    need(fighting, nobody, "attackers")
    attacked = [u for u in setup.defenders if not u.at_distance]
    need(attacked, say("nobody is attacked; at least one unit must be in the hex"), "defenders")
    for side, units in (("attackers", setup.attackers), ("defenders", setup.defenders)):
        afar = [u for u in units if u.at_distance and u.kind not in SUPPORTS]
        need(not afar, say("only HQs and artillery take part from a distance (8.1)"), side)
    _check_markers(setup, card)


def _check_markers(setup: Attack, card: Card) -> None:
    """7.2, 10: not more logistic columns and air markers than there can be."""
    enemy: Side = "attacker" if setup.allied == "defender" else "defender"
    for key in (f"{enemy}_air", f"{enemy}_air_at_hand"):
        need(getattr(setup, key) == 0, say("only the Allied side has air markers (rule 10)"), key)
    given = {"attacker_cl_on_map": (setup.attacker_cl_on_map, "cl_on_map")}
    for side in ("attacker", "defender"):
        for what, most in (("cl", "cl_on_map"), ("air", "air_markers")):
            key = f"{side}_{what}"
            given[key] = (getattr(setup, key) + getattr(setup, f"{key}_at_hand"), most)
    for key, (count, number) in given.items():
        limit = int(card.number(number))
        need(count <= limit, say("{n} is too many; at most {most}", n=count, most=limit), key)


def start(case: Case[Attack]) -> BautzenFight:
    """Begin an attack."""
    return BautzenFight(case=case, attackers=case.setup.attackers, defenders=case.setup.defenders)


def outcome(fight: BautzenFight) -> Outcome:
    """Sum up what has happened."""
    setup = fight.case.setup
    gone = not any(unit.alive for unit in in_hex(fight))
    return Outcome(
        result=fight.result,
        attacker_steps_lost=_lost(setup.attackers, fight.attackers),
        defender_steps_lost=_lost(setup.defenders, fight.defenders),
        attacker_eliminated=not any(unit.alive for unit in loss_takers(fight, "attacker")),
        defender_eliminated=gone and not only_columns(fight),
        vacated=vacated(fight),
        taken=bool(fight.advanced),
        attacker_spent=sum(fight.committed[:2]),
        defender_spent=sum(fight.committed[2:]),
        details=(f"retreat {fight.retreat}",) if fight.retreat and not gone else (),
    )


def _lost(before: Sequence[Counter], after: Sequence[Counter]) -> int:
    """Count the steps lost by units; logistic columns have none."""
    left = steps(unit for unit in after if unit.kind != "cl")
    return steps(unit for unit in before if unit.kind != "cl") - left


# What has done its work when the column is known, and how it is when it was never stated.
RECKONED = {
    "allied": "defender",
    "formation_complete": False,
    "concentric": False,
    **{f"{side}_{what}": 0 for side in ("attacker", "defender") for what in ("cl", "air")},
    **{f"{side}_{what}_at_hand": 0 for side in ("attacker", "defender") for what in ("cl", "air")},
}
RECKONED_OF_UNITS = {
    "attack": 0,
    "defence": 0,
    "support": 0,
    "unsupplied": False,
    "overstacked": False,
    "across_river": False,
    "near_dominant": False,
}


def plain(fight: BautzenFight) -> BautzenFight:
    """Before the die: of the factors the column is left, of the terrain how many may stack."""
    setup, card = fight.case.setup, fight.case.card
    room = stacking_limit(card, setup.terrain)
    stated = replace(
        setup,
        **RECKONED,
        attackers=tuple(map(_plain_unit, setup.attackers)),
        defenders=tuple(map(_plain_unit, setup.defenders)),
        terrain=tuple(row.id for row in card.terrain if row.stacking == room)[:1],
        attacker_cl_on_map=setup.attacker_cl_on_map if only_columns(fight) else 0,
    )
    ours, theirs = sum(fight.committed[:2]), sum(fight.committed[2:])
    return replace(
        fight,
        case=fight.case.restated(stated),
        attackers=stated.attackers,
        defenders=stated.defenders,
        committed=(ours, 0, theirs, 0),
    )


def moved(fight: BautzenFight, columns: int, die: int) -> BautzenFight:
    """Give the fight on another column, with another modifier of the die."""
    last = len(fight.case.card.table("combat").column_labels) - 1
    column = max(0, min(last, fight.column + columns))
    return replace(fight, column=column, die_modifier=fight.die_modifier + die)


def _plain_unit(unit: Counter) -> Counter:
    kind = unit.kind if unit.kind in (*SUPPORTS, "cl") else "infantry"
    return replace(unit, **RECKONED_OF_UNITS, kind=kind)


PROCEDURES = (
    Procedure(
        id="attack",
        setup=Attack,
        start=start,
        steps=(
            commitments,
            totals,
            column,
            result,
            columns_alone,
            attacker_losses,
            defender_answers,
            advance,
        ),
        outcome=outcome,
        check=check,
        plain=Plain(before=result, of=plain, moved=moved),
    ),
)
