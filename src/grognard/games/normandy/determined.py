"""Normandy '44: Determined Defence (12.4): the question, the Lead Unit, the roll, its effects."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Value
from grognard.games.normandy.aftermath import go_back
from grognard.games.normandy.losses import attackers_lose
from grognard.games.normandy.stated import NormandyFight, TrimmedAttack, effect, surviving
from grognard.rules.ask import Asking, choose, roll
from grognard.rules.fight import Case, nameless
from grognard.rules.line import Line
from grognard.rules.losses import lose_steps
from grognard.rules.modifiers import Sum
from grognard.rules.rolls import die_modifier, look_up

RULE = "12.4"


def retreat_or_stand(fight: NormandyFight) -> Asking[NormandyFight]:
    """12.4: told to retreat, the defender goes or tries to stand with a Lead Unit of his choice."""
    names = surviving(fight)
    if not names or not effect(fight)["determined_defence"]:
        return fight
    hexes = str(effect(fight)["retreat"])
    answer = yield from choose(
        "defender", "retreat-or-stand", ("retreat", "stand"), RULE, hexes=hexes
    )
    if answer == "retreat":
        return fight
    alike = nameless(fight.defenders, names)
    lead = yield from choose("defender", "lead-unit", names, RULE, alike)
    yield fight.case.tell("remark", "leads", RULE, side="defender", unit=lead)
    modifier = _modifier(fight.case, lead)
    yield from modifier.lines
    return replace(fight, lead=lead, die_modifier=modifier.value)


@lru_cache(maxsize=1024)
def _modifier(case: Case[TrimmedAttack], name: str) -> Sum:
    """Add up what a Lead Unit and defensive support are worth."""
    lead = next(unit for unit in case.setup.defenders if unit.name == name)
    facts = {
        "lead_uses_armour": lead.lead_uses_armour,
        "lead_quality": lead.quality,
        "lead_armour": lead.armour,
        "defensive_support": case.setup.defensive_support,
    }
    return die_modifier(case, "determined-defence", facts, RULE, name)


def determined_defence(fight: NormandyFight) -> Asking[NormandyFight]:
    """12.4: the roll, on the column of the defender's hex."""
    if not fight.lead:
        return fight
    column, told = _column(fight.case)
    yield told
    die = yield from roll("determined-roll", 1, RULE)
    codes = yield from look_up(fight.case, "determined-defence", die, fight.die_modifier, column)
    return replace(fight, stand=codes, die_modifier=0)


@lru_cache(maxsize=256)
def _column(case: Case[TrimmedAttack]) -> tuple[int, Line]:
    """Choose among the columns that the hex opens; they stand from worst to best."""
    table, setup = case.card.table("determined-defence"), case.setup
    opened = {
        row.values.get("determined_defence" if row.id in setup.terrain else setup.fortification)
        for row in case.card.terrain
    }
    places = [place for place, label in enumerate(table.column_labels) if label in opened]
    chosen = max(places) if case.options["dd_column"] == "best" else min(places)
    several = len(places) > 1
    line = case.tell(
        "column",
        "stand-column" if several else "hex-column",
        RULE,
        value=table.column_labels[chosen],
        of=table.id,
        reading=table.reading if several else CERTAIN,
        column=table.columns.names[chosen],
    )
    return chosen, line


def retreat(fight: NormandyFight) -> Asking[NormandyFight]:
    """12.4, 13: what each code of a Determined Defence does; without ● the retreat goes ahead."""
    legend = fight.case.card.table("determined-defence").legend
    held = False
    for code in fight.stand:
        fight = yield from _carry_out(fight, legend[code].values)
        held = held or bool(legend[code].values["cancels_retreat"])
    if fight.lead:
        fight = replace(fight, lead="", stand=(), held=held)
    return fight if held else (yield from go_back(fight))


def _carry_out(fight: NormandyFight, values: Mapping[str, Value]) -> Asking[NormandyFight]:
    for _ in range(int(values["lead_steps"])):
        if fight.lead in surviving(fight):
            fight = yield from lose_steps(fight, "defender", fight.lead, RULE)
    if values["attacker_steps"]:
        fight = yield from attackers_lose(fight, values, RULE)
    if values["removes_fortification"]:
        fight = yield from _fortification(fight)
    return fight


def _fortification(fight: NormandyFight) -> Asking[NormandyFight]:
    """The star: the fortification of the column used is removed, or only a strongpoint."""
    kind = fight.case.setup.fortification
    if fight.case.options["dd_star"] == "strongpoint_only" and kind != "strongpoint":
        yield fight.case.tell("remark", "fortification-stays", RULE, side="defender")
        return fight
    yield fight.case.tell("state", "fortification-removed", RULE, side="defender")
    return replace(fight, fortification_removed=True)
