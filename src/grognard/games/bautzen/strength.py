"""Bautzen 1945, 8.2 (1) to (4): what both sides commit, their factors and their support."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from math import ceil, floor
from typing import TypeVar

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, SIDES, Reading, Side
from grognard.games.bautzen.stated import (
    MECHANICAL,
    SUPPORTS,
    Attack,
    BautzenPreparation,
    BautzenTotals,
    Committed,
    Counter,
    Totalled,
    columns_only,
    in_hex,
)
from grognard.rules.ask import Asking, commit
from grognard.rules.fight import Case
from grognard.rules.kept import kept, told_once
from grognard.rules.line import row_line
from grognard.rules.modifiers import share
from grognard.rules.strength import COUNTED, Rounding, as_printed, counts_as

P = TypeVar("P", BautzenPreparation, BautzenTotals)

# ------------------------------------------------------------------ (1), (2) commitments


def commitments(fight: P) -> Asking[P]:
    """8.2 (1), (2): logistic columns and air markers, in secret, then announced."""
    if columns_only(fight):
        return fight
    setup = fight.case.setup
    ours, theirs = _offers(setup)
    answer = yield from commit("commit-cl", ours, theirs, "8.2", _most(fight.case))
    committed = _with_stated(setup, *answer)
    for side, (columns, aircraft) in zip(SIDES, (committed[:2], committed[2:]), strict=True):
        if columns or aircraft:
            phrase = f"{side}-commits"
            yield fight.case.tell("spent", phrase, "8.2", side=side, cl=columns, air=aircraft)
    return replace(fight, committed=committed)


@kept
def _most(case: Case[Attack]) -> tuple[int | None, ...]:
    """Give how many logistic columns and air markers count at most."""
    return tuple([case.card.limit(id_).most for id_ in ("cl", "air")])


Offer = tuple[int, int]  # logistic columns and air markers


def _offers(setup: Attack | Totalled) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """Give what each side can commit."""
    return (
        _up_to(setup.attacker_cl_at_hand, setup.attacker_air_at_hand),
        _up_to(setup.defender_cl_at_hand, setup.defender_air_at_hand),
    )


@lru_cache(maxsize=64)
def _up_to(columns: int, aircraft: int) -> tuple[Offer, ...]:
    return tuple(product(range(columns + 1), range(aircraft + 1)))


def _with_stated(setup: Attack | Totalled, ours: Offer, theirs: Offer) -> Committed:
    """Add what is stated to what is committed now."""
    return (
        setup.attacker_cl + ours[0],
        setup.attacker_air + ours[1],
        setup.defender_cl + theirs[0],
        setup.defender_air + theirs[1],
    )


def every_commitment(setup: Attack) -> list[Committed]:
    """Give everything that both sides together can commit."""
    return [_with_stated(setup, *pair) for pair in product(*_offers(setup))]


# ------------------------------------------------------------------ (3), (4) factors and support


def totals(fight: P) -> Asking[P]:
    """8.2 (3), (4): factors of the engaged units, and the support of HQs and artillery."""
    if isinstance(fight, BautzenTotals) or columns_only(fight):
        return fight
    attack = yield from _attack_total(fight.case, fight.attackers)
    defence = yield from _defence_total(fight.case, fight.defenders)
    return replace(fight, attack=attack, defence=defence)


@told_once
def _attack_total(case: Case[Attack], units: tuple[Counter, ...]) -> Asking[int]:
    factors = 0
    for unit in units:
        if unit.kind not in (*SUPPORTS, "cl"):
            factors += yield from _attack_of(case, unit)
    support = yield from _support(case, "attacker", units)
    support = yield from _capped(case, "attacker", support, factors)
    return (yield from _with_support(case, "attacker", factors, support))


@told_once
def _attack_of(case: Case[Attack], unit: Counter) -> Asking[int]:
    factor = unit.attack
    guns = unit.unsupplied and unit.kind == "anti-tank"
    doubt = case.doubt("unsupplied_guns") if guns else CERTAIN
    if unit.overstacked:
        factor = yield from _shared(case, unit, "attacker", factor, "overstacked", floor, doubt)
    halved = unit.unsupplied and not (guns and case.options["unsupplied_guns"] == "unaffected")
    if halved:
        factor = yield from _shared(
            case, unit, "attacker", factor, "unsupplied_attack", floor, doubt
        )
    if not (unit.overstacked or halved):
        yield from as_printed(case, "attacker", unit.name, factor, "attack", doubt).lines
    return factor


@told_once
def _defence_total(case: Case[Attack], units: tuple[Counter, ...]) -> Asking[int]:
    here = in_hex(units)
    cap = case.options["support_cap"]
    none_else = len(here) > 1 and {unit.kind for unit in here} in _WITHOUT_FACTORS
    alone = _stands_alone(here) or (none_else and cap == "both")
    factors = 0
    for unit in here:
        if alone:
            factors += yield from _alone(case, unit)
        elif unit.kind not in SUPPORTS:
            factors += yield from _defence_of(case, unit)
    lending = [unit for unit in units if unit.at_distance or not alone]
    support = yield from _support(case, "defender", lending)
    doubt = case.doubt("support_cap") if none_else or support > factors else CERTAIN
    if cap != "attacker":
        support = yield from _capped(case, "defender", support, factors, doubt)
    return (yield from _with_support(case, "defender", factors, support, doubt))


def _with_support(
    case: Case[Attack], side: Side, factors: int, support: int, doubt: Reading = CERTAIN
) -> Asking[int]:
    """Add the support to the factors; the doubt is about how much of it counts."""
    number = COUNTED[side]
    if support:
        yield case.tell(
            "total",
            "support-total",
            "9.1",
            side=side,
            value=support,
            of="support",
            changes=number,
            reading=doubt,
        )
    whole, told = factors + support, CERTAIN if support else doubt
    yield case.tell(
        "total", f"{number}-total", "8.2", side=side, value=whole, of=number, reading=told
    )
    return whole


# HQs, or HQs and artillery: no unit with factors of its own whom they could support.
_WITHOUT_FACTORS = ({"hq"}, {"hq", "artillery"})


def _stands_alone(units: Sequence[Counter]) -> bool:
    """8.6.1, 8.6.2, 1.2: an HQ, or guns of one kind, attacked without other units."""
    kinds = {unit.kind for unit in units}
    return kinds in ({"artillery"}, {"anti-tank"}) or (kinds == {"hq"} and len(units) == 1)


def _alone(case: Case[Attack], unit: Counter) -> Asking[int]:
    """8.6.1, 8.6.2, 1.2: what an HQ, artillery or an anti-tank unit defends with by itself."""
    if unit.kind == "hq":
        factor = yield from _shared(case, unit, "defender", unit.support, "hq_alone", ceil)
        if unit.unsupplied:
            factor = yield from _shared(case, unit, "defender", factor, "unsupplied_defence", ceil)
        return factor
    number = "artillery_alone" if unit.kind == "artillery" else "anti_tank_alone"
    row = case.card.number_row(number)
    yield counts_as(case, unit.name, row, "defence", row.rule)
    return int(row.value)


def _defence_of(case: Case[Attack], unit: Counter) -> Asking[int]:
    factor, halted = unit.defence, unit.unsupplied and unit.kind in MECHANICAL
    if unit.overstacked:
        factor = yield from _shared(case, unit, "defender", factor, "overstacked", floor)
    if halted:
        factor = yield from _shared(case, unit, "defender", factor, "unsupplied_defence", ceil)
    if not (unit.overstacked or halted):
        yield from as_printed(case, "defender", unit.name, factor, "defence").lines
    return factor


_SUPPORT = {"hq": ("hq-support", "9.1"), "artillery": ("artillery-support", "8.6.2")}


def _support(case: Case[Attack], side: Side, units: Iterable[Counter]) -> Asking[int]:
    """9.1, 8.6.2: support factors; an unsupplied HQ gives none (7.3)."""
    whole = 0
    for unit in units:
        if unit.kind not in SUPPORTS:
            continue
        name, value = unit.name, unit.support
        if unit.kind == "hq" and unit.unsupplied:
            yield case.tell("note", "hq-unsupplied", rule="7.3", side=side, unit=name, value=0)
            continue
        phrase, rule = _SUPPORT[unit.kind]
        yield case.tell("note", phrase, rule, side=side, unit=name, value=value, changes="support")
        whole += value
        if unit.kind == "hq" and unit.near_dominant:
            row = case.card.number_row("dominant_support")
            added = int(row.value)
            yield row_line("modifier", row, added, changes="support", side=side, unit=name)
            whole += added
    return whole


def _capped(
    case: Case[Attack], side: Side, support: int, factors: int, doubt: Reading = CERTAIN
) -> Asking[int]:
    """9.2: support counts at most as much as the engaged units' own factors."""
    if support > factors:
        yield case.tell(
            "limit",
            "support-cap",
            "9.2",
            side=side,
            value=factors,
            changes="support",
            reading=doubt,
            support=support,
        )
    return min(support, factors)


def _shared(
    case: Case[Attack],
    unit: Counter,
    side: Side,
    factor: int,
    number: str,
    rounded: Rounding,
    reading: Reading = CERTAIN,
) -> Asking[int]:
    """Tell what a number of the card leaves of a factor."""
    row, changes, name = case.card.number_row(number), COUNTED[side], unit.name
    value, lines = share(
        case,
        factor,
        row.value,
        changes=changes,
        side=side,
        unit=name,
        reason=row,
        rounded=rounded,
        reading=reading,
    )
    yield from lines
    return value.numerator
