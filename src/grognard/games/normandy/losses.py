"""Normandy '44: the steps that a result costs, and who picks the units."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TypeVar

from msgspec.structs import replace

from grognard.card.rows import Side, Value
from grognard.games.normandy.stated import NormandyFight, effect, one_step_engaged, surviving
from grognard.rules.ask import Asking
from grognard.rules.fight import Fight, alive, enemy_of, steps
from grognard.rules.losses import one_loses

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
    picker = side if fight.case.options["loss_choice"] == "owner" else enemy_of(side)
    named: Mapping[str, Side] = {"attacker": "attacker", "defender": "defender"}
    fight, _ = yield from one_loses(fight, side, names, rule, named.get(by, picker))
    return fight
