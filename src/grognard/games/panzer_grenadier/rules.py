"""Panzer Grenadier: direct fire at a hex and anti-tank fire at one target, put together.

The set-up and the fight are in `stated`. Both go through `fire` and `results`.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.games.panzer_grenadier import stated
from grognard.games.panzer_grenadier.fire import (
    anti_tank_value,
    columns,
    fire,
    fire_value,
    for_all_units,
    shot,
    value_of,
    with_stand_ins,
)
from grognard.games.panzer_grenadier.least import carried, least
from grognard.games.panzer_grenadier.outset import outset
from grognard.games.panzer_grenadier.results import leaders, losses, morale_checks
from grognard.rules.fight import Outcome, Setup
from grognard.rules.procedure import (
    Glance,
    Procedure,
    StandIns,
    Trim,
    beginning,
    moved,
    with_survivors,
)
from grognard.rules.setup_checks import need, terrain_known, units_named_once
from grognard.words.message import say


def check_direct_fire(setup: stated.DirectFire, card: Card, options: Mapping[str, str]) -> None:
    """Refuse a direct fire that the rules do not allow."""
    _check_fire(setup, card)
    nobody = say("nobody is fired at; at least one unit must be in the hex")
    need(stated.in_hex(setup.defenders), nobody, "defenders")
    far = say("a hex adjacent to all firing units is at range 1, not {range}", range=setup.range)
    need(setup.range == 1 or not setup.adjacent_to_all, far, "adjacent_to_all")
    unknown = setup.air_attack and setup.aa_unit and setup.aa_distance is None
    problem = say("how far the anti-aircraft unit is from the aircraft must be stated")
    need(not unknown, problem, "aa_distance")
    least = card.number("fire_least")
    value = sum(value_of(unit, unit.fire, card, options) for unit in setup.attackers)
    few = say("a fire value of {value} can't attack; at least {least}", value=value, least=least)
    need(value >= least or options["fire_below_one"] == "column_1", few, "attackers")


def check_anti_tank(setup: stated.AntiTankFire, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    """Refuse an anti-tank fire that the rules do not allow."""
    _check_fire(setup, card)
    count = len(setup.attackers)
    need(count == 1, say("anti-tank fire has one firing unit, not {n}", n=count), "attackers")
    firer = setup.attackers[0]
    problem = say("{name} has no anti-tank value", name=firer.name)
    need(firer.anti_tank is not None, problem, "attackers[0].anti_tank")
    targets = [unit for unit in setup.defenders if unit.kind != "leader"]
    problem = say("anti-tank fire has one target besides leaders, not {n}", n=len(targets))
    need(len(targets) == 1, problem, "defenders")
    target = targets[0]
    problem = say("{name} has no armour; anti-tank fire is at AFVs and trucks", name=target.name)
    place = f"defenders[{setup.defenders.index(target)}].armour"
    need(target.armour is not None or target.kind == "truck", problem, place)


def _check_fire(setup: stated.Fire, card: Card) -> None:
    units_named_once(setup.attackers, setup.defenders)
    terrain_known(card, setup.terrain)
    need(setup.attackers, say("nobody fires; at least one unit must"), "attackers")
    for place, firer in enumerate(setup.attackers):
        problem = say("{name} is demoralised and can't fire", name=firer.name)
        need(firer.state != "demoralised", problem, f"attackers[{place}].state")
    for place, unit in enumerate(setup.defenders):
        _check_target(unit, card, f"defenders[{place}]")


def _check_target(unit: stated.Target, card: Card, place: str) -> None:
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
    need(unit.armour is None or stated.is_combat_unit(unit), problem, f"{place}.armour")


def outcome(fight: stated.FireFight) -> Outcome:
    """Sum up the outcome. Leaders take no losses: they stay when all others are gone."""
    lost = shaken = 0
    details, left = [], []
    for was, unit in zip(fight.case.setup.defenders, fight.defenders, strict=True):
        if unit.alive and not unit.beside:
            left.append(unit.kind)
        if unit is was:
            continue
        lost += was.steps - unit.steps
        if not unit.alive:
            details.append(f"{unit.name} eliminated")
        elif unit.state != was.state:
            shaken += stated.STATES.index(unit.state)
            details.append(f"{unit.name} {unit.state}")
    return Outcome(
        result=fight.result,
        defender_steps_lost=lost,
        defender_eliminated=lost > 0 and left.count("leader") == len(left),
        vacated=not left,
        defender_shaken=shaken,
        details=tuple(details),
    )


def remains(setup: stated.Fire, fight: stated.FireFight) -> Setup:
    """A later fire meets targets that are disrupted or demoralised."""

    def worn(unit: stated.Target, at_end: stated.TrimmedTarget) -> stated.Target:
        return replace(unit, steps=at_end.steps, state=at_end.state)

    return with_survivors(setup, fight, worn)


PROCEDURES = (
    Procedure(
        id="direct-fire",
        setup=stated.DirectFire,
        start=beginning(stated.DirectPreparation),
        steps=(
            fire_value,
            columns,
            leaders,
            Trim(stated.trim_direct_fire, stated.moved_direct_fire),
            Glance(
                fire,
                ("groups", "hits", "defenders"),
                stand_ins=StandIns(with_stand_ins, for_all_units),
            ),
            losses,
            morale_checks,
        ),
        outcome=outcome,
        check=check_direct_fire,
        remains=remains,
        outset=outset,
        least=least,
        carried=carried,
    ),
    Procedure(
        id="anti-tank",
        setup=stated.AntiTankFire,
        start=beginning(stated.AntiTankPreparation),
        steps=(anti_tank_value, leaders, Trim(stated.trim_anti_tank, moved), shot, morale_checks),
        outcome=outcome,
        check=check_anti_tank,
        remains=remains,
        outset=outset,
    ),
)
