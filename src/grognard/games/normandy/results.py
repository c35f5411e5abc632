"""Normandy '44: losses, Determined Defence (12.4), retreat (13)."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TypeVar

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Side, Value
from grognard.games.normandy.stated import (
    Fortification,
    NormandyFight,
    TrimmedAttack,
    TrimmedDefender,
    effect,
    one_step_engaged,
    surviving,
)
from grognard.rules.ask import Asking, choose, roll
from grognard.rules.fight import Case, Fight, alive, enemy_of, nameless, steps
from grognard.rules.kept import kept
from grognard.rules.line import Line
from grognard.rules.losses import each_loses, lose_steps, one_loses
from grognard.rules.modifiers import Sum
from grognard.rules.rolls import die_modifier, look_up

# ------------------------------------------------------------------ losses

F = TypeVar("F", bound=Fight)


def attacker_losses(fight: NormandyFight) -> Asking[NormandyFight]:
    """The attacker's step comes from his main force; A1/D2 spares it against a single step."""
    values = effect(fight)
    if values["spares_attacker_if_one_step"] and one_step_engaged(fight):
        yield fight.case.tell("remark", "attacker-spared", side="attacker")
        return fight
    return (yield from attackers_lose(fight, values))


def attackers_lose(
    fight: NormandyFight, values: Mapping[str, Value], rule: str | None = None
) -> Asking[NormandyFight]:
    """Take the attacker's steps that a legend names, from where and by whose choice it says."""
    for _ in range(int(values["attacker_steps"])):
        anywhere = values["attacker_loss_from"] == "any"
        names = [u.name for u in alive(fight.attackers) if u.main_force or anywhere]
        by = str(values["attacker_loss_by"])
        fight = yield from picked_loses(fight, "attacker", names, by, rule)
    return fight


def defender_losses(fight: NormandyFight) -> Asking[NormandyFight]:
    """The defender's steps, one a run; `pending` says who picks the units of those to come."""
    pickers = fight.pending or _pickers(fight)
    names = surviving(fight)
    if not pickers or not names:
        return replace(fight, pending=())
    fight = yield from picked_loses(fight, "defender", names, pickers[0])
    return replace(fight, pending=pickers[1:])


def _pickers(fight: NormandyFight) -> tuple[str, ...]:
    values = effect(fight)
    owed = int(values["defender_steps"])
    if values["defender_half"]:
        owed = ceil(steps(fight.defenders) / 2)
    by = str(values["defender_loss_by"])
    if by == "attacker-first":
        return ("attacker", *("owner",) * (owed - 1))
    return (by,) * owed


def picked_loses(
    fight: F, side: Side, names: Sequence[str], by: str, rule: str | None = None
) -> Asking[F]:
    """Let one of the named units lose a step; none does where nobody is left.

    Who picks it is stated by the card; otherwise it is the owner, unless played otherwise.
    """
    if not names:
        yield fight.case.tell("remark", "none-left-to-lose", rule, side=side)
        return fight
    named: Mapping[str, Side] = {"attacker": "attacker", "defender": "defender"}
    picker, reading = named.get(by), CERTAIN
    if picker is None and len(names) > 1:
        picker = side if fight.case.options["loss_choice"] == "owner" else enemy_of(side)
        reading = fight.case.doubt("loss_choice")
    fight, _ = yield from one_loses(fight, side, names, rule, picker, reading=reading)
    return fight


# ------------------------------------------------------------------ retreat


def go_back(fight: NormandyFight) -> Asking[NormandyFight]:
    """13: the defenders that are left go back as far as the result says."""
    case, values, names = fight.case, effect(fight), surviving(fight)
    if not values["retreat"] or not names:
        return fight
    if not case.setup.can_retreat:
        return (yield from _cannot_retreat(fight))
    hexes = yield from _stopped(case, int(values["retreat"]))
    doubt = CERTAIN if values["disorganised"] else case.doubt("disorganised_two_hexes")
    yield case.tell("retreat", "retreats", "13", side="defender", value=hexes, reading=doubt)
    disorganised = values["disorganised"] or case.options["disorganised_two_hexes"] == "yes"
    if disorganised:
        for name in names:
            yield case.tell("state", "is-disorganised", side="defender", unit=name)
    return replace(fight, retreated=hexes, disorganised=bool(disorganised))


def _cannot_retreat(fight: NormandyFight) -> Asking[NormandyFight]:
    every = fight.case.options["cannot_retreat"] == "eliminated"
    reading = fight.case.doubt("cannot_retreat")
    yield fight.case.tell("remark", "cannot-retreat", "13", side="defender", reading=reading)
    lost = None if every else 1
    return (yield from each_loses(fight, "defender", fight.defenders, "13", lost=lost))


def _stopped(case: Case[TrimmedAttack], hexes: int) -> Asking[int]:
    """13.3: terrain on the way may, or must, end the retreat before its full length."""
    rows = map(case.card.terrain_row, case.setup.retreat_path[: hexes - 1])
    stops = [place for place, row in enumerate(rows, 1) if row.values.get("retreat_stop")]
    if stops:
        reading = case.doubt("retreat_stop")
        yield case.tell("note", "retreat-stop", "13.3", side="defender", reading=reading)
    if stops and case.options["retreat_stop"] == "must":
        return stops[0]
    return (yield from choose("defender", "retreat-hexes", (hexes, *stops), "13.3"))


# ------------------------------------------------------------------ 12.4 Determined Defence


def retreat_or_stand(fight: NormandyFight) -> Asking[NormandyFight]:
    """12.4: told to retreat, the defender goes or tries to stand with a Lead Unit of his choice."""
    names = surviving(fight)
    if not names or not effect(fight)["determined_defence"]:
        return fight
    hexes = str(effect(fight)["retreat"])
    answer = yield from choose(
        "defender", "retreat-or-stand", ("retreat", "stand"), "12.4", hexes=hexes
    )
    if answer == "retreat":
        return fight
    alike = nameless(fight.defenders, names)
    lead = yield from choose("defender", "lead-unit", names, "12.4", alike)
    yield fight.case.tell("remark", "leads", "12.4", side="defender", unit=lead)
    unit = next(unit for unit in fight.case.setup.defenders if unit.name == lead)
    setup = fight.case.setup
    modifier = lead_modifier(fight.case, unit, setup.defensive_support)
    yield from modifier.lines
    column, told = _column(fight.case, setup.terrain, setup.fortification)
    yield told
    return replace(fight, lead=lead, die_modifier=modifier.value, stand_column=column)


@kept
def lead_modifier(case: Case[TrimmedAttack], lead: TrimmedDefender, support: int) -> Sum:
    """Add up what a Lead Unit and defensive support are worth."""
    facts = {
        "lead_uses_armour": lead.lead_uses_armour,
        "lead_quality": lead.quality,
        "lead_armour": lead.armour,
        "defensive_support": support,
    }
    return die_modifier(case, "determined-defence", facts, "12.4", lead.name)


def determined_defence(fight: NormandyFight) -> Asking[NormandyFight]:
    """12.4: the roll, on the column of the defender's hex."""
    if not fight.lead:
        return fight
    die = yield from roll("determined-roll", 1, "12.4", side="defender")
    codes = yield from look_up(
        fight.case, "determined-defence", die, fight.die_modifier, fight.stand_column
    )
    return replace(fight, stand=codes, die_modifier=0, stand_column=0)


@kept
def _column(
    case: Case[TrimmedAttack], terrain: tuple[str, ...], fortification: Fortification
) -> tuple[int, Line]:
    """Choose among the columns that the hex opens; they stand from worst to best."""
    table = case.card.table("determined-defence")
    opened = {
        row.values.get("determined_defence" if row.id in terrain else fortification)
        for row in case.card.terrain
    }
    places = [place for place, label in enumerate(table.column_labels) if label in opened]
    chosen = max(places) if case.options["dd_column"] == "best" else min(places)
    several = len(places) > 1
    line = case.tell(
        "column",
        "stand-column" if several else "hex-column",
        "12.4",
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
            fight = yield from lose_steps(fight, "defender", fight.lead, "12.4")
    if values["attacker_steps"]:
        fight = yield from attackers_lose(fight, values, "12.4")
    if values["removes_fortification"]:
        fight = yield from _fortification(fight)
    return fight


def _fortification(fight: NormandyFight) -> Asking[NormandyFight]:
    """The star: the fortification of the column used is removed, or only a strongpoint."""
    kind = fight.case.setup.fortification
    if fight.case.options["dd_star"] == "strongpoint_only" and kind != "strongpoint":
        yield fight.case.tell("remark", "fortification-stays", "12.4", side="defender")
        return fight
    yield fight.case.tell("state", "fortification-removed", "12.4", side="defender")
    return replace(fight, fortification_removed=True)
