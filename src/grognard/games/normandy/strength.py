"""Normandy '44: combat factors, odds, column shifts, and the Jabos."""

from fractions import Fraction
from functools import lru_cache
from math import floor

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import CERTAIN
from grognard.card.tables import Table
from grognard.games.normandy.stated import (
    Attack,
    Attacker,
    NormandyFight,
    NormandyPreparation,
    TrimmedAttack,
    is_bare,
)
from grognard.rules.ask import Asking, roll
from grognard.rules.columns import Rounding, basic_column, final_column, open_place, open_ratio
from grognard.rules.exact import exact
from grognard.rules.fight import Case
from grognard.rules.kept import kept, told_once
from grognard.rules.line import row_line
from grognard.rules.modifiers import (
    Facts,
    FactValue,
    Product,
    Sum,
    all_hold,
    factor,
    stated_facts,
    tested_facts,
    total,
)
from grognard.rules.rolls import die_modifier, look_up
from grognard.rules.setup_checks import need
from grognard.rules.strength import Strength, as_printed, multiplied, summed
from grognard.words.message import say

AnyCase = Case[Attack] | Case[TrimmedAttack]
AUTOMATIC = "A1"  # the result that option low_column names

# ------------------------------------------------------------------ what the modifiers look at


@lru_cache(maxsize=256)  # asked by the factors and by the shifts
def facts_of(case: Case[Attack]) -> Facts:
    """State what the card's modifiers of the attack look at; the Jabos come later."""
    setup = case.setup
    water, causeway = _bringing(case.card, "water"), _bringing(case.card, "causeway")
    ways = [_ways(unit) for unit in setup.attackers if unit.main_force]
    return {
        **stated_facts(case),
        "armour_across": setup.armour_across or _all_across(case),
        "main_force_across_water": all(way & water for way in ways),
        "main_force_across_causeway": any(way & causeway for way in ways)
        and all(way & (water | causeway) for way in ways),
    }


def _ways(unit: Attacker) -> frozenset[str]:
    """Name the rows of the terrain chart that an attacker comes across or from."""
    return frozenset(unit.crosses) | ({"flooded"} if unit.from_flooded else frozenset())


def _bringing(card: Card, modifier: str) -> frozenset[str]:
    return frozenset(row.id for row in card.terrain if modifier in row.combat)


def _all_across(case: Case[Attack]) -> bool:
    """11.4: no attacker comes by a way on which the chart allows an armour advantage."""
    barred = frozenset(row.id for row in case.card.terrain if row.values.get("armour") == "no")
    return all(_ways(unit) & barred for unit in case.setup.attackers)


# ------------------------------------------------------------------ factors


@lru_cache(maxsize=256)  # asked when an attack begins, and by its explanation and odds
def attack_strength(case: Case[Attack]) -> Strength:
    """Add the attackers' factors, some of them halved."""
    facts = facts_of(case)
    tested = tested_facts(case.card.modifying("", "attack"))
    known = tuple([(id_, facts[id_]) for id_ in tested if id_ in facts])
    units = [_attack_of(case, unit, known) for unit in case.setup.attackers]
    return summed(case, "attacker", units, most=case.card.number_row("factor_cap"))


@kept
def _attack_of(
    case: Case[Attack], unit: Attacker, facts: tuple[tuple[str, FactValue], ...]
) -> Strength:
    """Halve an attacker's factor, once at most (6.5.2, 10.3, 18.4, terrain)."""
    stated: Facts = {
        **dict(facts),
        "main_force": unit.main_force,
        "crosses": frozenset(unit.crosses),
        "from_flooded": unit.from_flooded,
        "unsupplied": unit.unsupplied,
        "landing": unit.landing,
    }
    rows = case.card.modifying("", "attack")
    halving = factor(case.card, rows, stated, side="attacker", unit=unit.name)
    once = case.card.limit("halving")
    if besides := [row for row in rows if all_hold(row.when, stated)][1:]:
        limit = row_line(
            "limit", once, halving.value, changes="attack", side="attacker", unit=unit.name
        )
        doubts = (row.reading for row in besides if row.reading.doubtful)
        told = replace(limit, reading=next(doubts, limit.reading))
        halving = Product(halving.value, (*halving.lines, told))
    whole = (unit.factor * halving.value).denominator == 1
    return multiplied(
        case,
        "attacker",
        unit.name,
        unit.factor,
        halving,
        "attack",
        rounded=floor if case.options["half_rounding"] == "unit_down" else exact,
        reading=CERTAIN if whole else once.reading,
    )


@lru_cache(maxsize=256)
def defence_strength(case: Case[Attack]) -> Strength:
    """Add the defenders' factors and the BDC of their terrain."""
    units = case.setup.defenders
    factors = [as_printed(case, "defender", u.name, u.factor, "defence") for u in units]
    parts = [*factors, _bdc(case)]
    return summed(case, "defender", parts, most=case.card.number_row("factor_cap"))


def _bdc(case: Case[Attack]) -> Strength:
    """Give the factors that terrain adds."""
    rows = case.card.modifying("", "defence")
    families = [rows] if case.options["bdc_several"] == "best" else [(row,) for row in rows]
    facts: Facts = {"terrain": frozenset(case.setup.terrain)}
    each = case.options["bdc_scope"] == "unit"
    units = [unit.name for unit in case.setup.defenders] if each else [""]
    sums = [
        total(case.card, family, facts, side="defender", unit=unit)
        for unit in units
        for family in families
    ]
    lines = [line for s in sums for line in s.lines]
    added: set[str] = set()  # units, or the hex, for which one terrain is told already
    for place, line in enumerate(lines):
        if line.unit in added and len(families) > 1:
            lines[place] = replace(line, reading=case.doubt("bdc_several"))
        added.add(line.unit)
    return Strength(exact(sum(s.value for s in sums)), tuple(lines))


# ------------------------------------------------------------------ odds


def odds_allowed(case: Case[Attack]) -> None:
    """Refuse an attack for which the card has no odds."""
    attack, defence = attack_strength(case).value, defence_strength(case).value
    need(attack, say("the attack has no combat factor left"), "attackers")
    problem = say("the defence has no combat factor; the card has no odds for that")
    need(defence, problem, "defenders")
    table = case.card.table("combat")
    place = open_place(table.columns, attack / defence, _rounding(case))
    problem = say(
        "{attack} against {defence} is {odds}; an attack needs at least {least}",
        attack=attack,
        defence=defence,
        odds=_odds(table, place),
        least=table.column_labels[0],
    )
    need(place >= 0 or case.options["low_odds"] == "clamped", problem, "attackers")


def _rounding(case: Case[Attack]) -> Rounding:
    return "defender" if case.options["odds_rounding"] == "defender" else "attacker"


def _odds(table: Table, place: int) -> str:
    """Name a place on the scale; beyond the table as the scale goes on."""
    if 0 <= place < len(table.column_labels):
        return table.column_labels[place]
    ratio = open_ratio(table.columns, place)
    return f"{ratio.numerator}-{ratio.denominator}"


def on_table(case: AnyCase, place: int) -> int | None:
    """Bring a place back to the table; None where its left end gives A1 whatever the die."""
    if place < 0 and case.options["low_column"] == "automatic_a1":
        return None
    return case.card.table("combat").within(place)


# ------------------------------------------------------------------ column


def odds(fight: NormandyPreparation) -> Asking[NormandyPreparation]:
    """Add up the factors of both sides and find the column of their ratio."""
    case = fight.case
    attack, defence = attack_strength(case), defence_strength(case)
    if is_bare(case.setup, case.card):
        yield case.tell("note", "bare-ground", reading=case.doubt("bare_ground"))
    yield from attack.lines
    yield from defence.lines
    column = yield from _basic_column(case, attack.value, defence.value)
    return replace(fight, column=column)


@told_once
def _basic_column(case: Case[Attack], attack: Fraction, defence: Fraction) -> Asking[int]:
    table = case.card.table("combat")
    ratio = attack / defence
    basic = open_place(table.columns, ratio, _rounding(case))
    exact = ratio.numerator == 1 or ratio.denominator == 1
    yield from _rounded_ratio(case, ratio, basic)
    return (
        yield from basic_column(
            case,
            table,
            basic,
            attack=attack,
            defence=defence,
            odds=_odds(table, basic),
            reading=CERTAIN if exact else table.reading,
        )
    )


def _rounded_ratio(case: Case[Attack], ratio: Fraction, place: int) -> Asking[None]:
    """Tell a ratio that is not read as the column that it has reached, but as the next one."""
    axis = case.card.table("combat").columns
    read, low = open_ratio(axis, place), ratio < axis.starts[0]
    if read > ratio or low:
        read = max(read, axis.starts[0])
        reading = case.doubt("low_odds" if low else "odds_rounding")
        yield case.tell(
            "clamp", "ratio-read", value=read, changes="ratio", exact=ratio, reading=reading
        )


def shifts(fight: NormandyPreparation) -> Asking[NormandyPreparation]:
    """Shift the column by all that is known before the dice."""
    case, facts = fight.case, facts_of(fight.case)
    rows = case.card.modifying("combat", "column")
    shift = total(case.card, rows, facts)
    yield from shift.lines
    supported = case.setup.offensive_air or case.setup.naval_support
    german = case.setup.attacker_camp == "german" and case.options["support_camp"] == "either"
    if supported and german:
        yield case.tell("note", "german-support", reading=case.doubt("support_camp"))
    yield from _final_column(case, fight.column + shift.value)
    return replace(fight, column=fight.column + shift.value)


@told_once
def _final_column(case: AnyCase, place: int) -> Asking[None]:
    table, column = case.card.table("combat"), on_table(case, place)
    reading = case.doubt("low_column") if place < 0 else CERTAIN
    if column is None:
        least = table.column_labels[0]
        yield case.tell(
            "clamp",
            "left-of-table",
            value=AUTOMATIC,
            changes="column",
            least=least,
            reading=reading,
        )
        yield case.tell("column", "final-column", value=_odds(table, place), of=table.id)
    else:
        yield from final_column(case, table, place, reading=reading)


# ------------------------------------------------------------------ Jabos


def jabos(fight: NormandyFight) -> Asking[NormandyFight]:
    """19.1.3: the Jabo die, in clear weather, may shift the column once more."""
    case = fight.case
    if not jabos_fly(case):
        yield from _jabo_shift(case, 1).lines
        return fight
    if case.setup.attacker_camp == "allied":
        yield case.tell("note", "jabos-fly", "19.1.3", reading=case.doubt("jabo_side"))
    facts: Facts = {**case.option_facts, "flak_present": case.setup.flak_present}
    modifier = die_modifier(case, "jabo", facts, "19.1.3")
    if case.setup.flak_present:
        yield from modifier.lines
    die = yield from roll("jabo-roll", 1, "19.1.3")
    (code,) = yield from look_up(case, "jabo", die, modifier.value)
    shift = _jabo_shift(case, int(case.card.table("jabo").legend[code].values["columns"]))
    if not shift.value:
        return fight
    yield from shift.lines
    yield from _final_column(case, fight.column + shift.value)
    return replace(fight, column=fight.column + shift.value)


def jabos_fly(case: AnyCase) -> bool:
    """19.1.3: tell whether the Jabos could shift the column at all."""
    return _jabo_shift(case, 1).value != 0


def _jabo_shift(case: AnyCase, columns: int) -> Sum:
    """Give what the Jabos' row of the modifiers makes of their columns; 0 if they do not fly."""
    return _columns_by_jabos(case, columns, case.setup.weather, case.setup.attacker_camp)


@kept
def _columns_by_jabos(case: AnyCase, columns: int, weather: str, camp: str) -> Sum:
    rows = [r for r in case.card.modifying("combat", "column") if r.times == "jabo_shift"]
    known: Facts = {"jabo_shift": columns, "weather": weather, "attacker_camp": camp}
    return total(case.card, rows, {**case.option_facts, **known})
